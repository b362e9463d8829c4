"""Real tensors through the RTL encoder and decoder, scored against the golden model: ``make sim``.

Every committed tensor gets the table of the whole tensor it is a sample of, goes through the encoder
and the decoder as one packet, and both streams are compared with the golden model's. The packet is one of
raw and coded blocks through the tops, or with ``--cores`` one bitstream through the bare cores. Prints a
line a tensor and a summary, and writes ``results.json`` and ``results.xml`` (JUnit) to ``build/sim``.

Exit status: 0 all right, 1 a mismatch, a missing result or a failed simulation, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np
from committed_data import ROOT, Histogram, Sample, histograms, samples
from committed_data import check as check_data
from numpy.typing import NDArray
from qlc.baselines import compressibility, huffman_lengths
from qlc.histogram import count_symbols, entropy_bits, expected_bits
from qlc.packet import encode_packet
from qlc.scheme import PRESETS, Scheme, SchemeError
from qlc.table import Table, calibrate
from qlc.table_files import write_table
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

# The simulation imports from here too: cocotb hands this path on.
sys.path.insert(0, str(ROOT / "tb"))
from qlc_tb.simulation import SIMULATORS, SimulationError, missing, run, version

SYMBOLS_PER_BEAT = 32
DECODER_LATENCY = 3
# The tops' decoder without words, beside a cycle a symbol: from the first beat in to the last out, and
# for a block.
DECODER_CYCLES = 20
BLOCK_CYCLES = 2
WORD_BITS = (0, 8, 16, 32, 64, 128, 256, 512)
# What the decoder must reach of its limit on packets of whole blocks.
SHARE = 0.95
# Output bits a symbol of a word: codewords of at least as many never wait for the output.
OUTPUT_BITS = 4
BLOCK_SYMBOLS = 4096
BUS_BITS = 256
# What the encoder's FIFO takes of a burst that does not fit the output bus: all words of 512 bits but
# the one being filled and the one being sent.
BURST_BITS = (4 - 2) * 512

# title, key, width, format
SOFTWARE_COLUMNS = (
    ("tensor", "tensor", -31, "s"),
    ("symbols", "symbols", 7, "d"),
    ("limit%", "entropy", 6, ".2f"),
    ("Huffm%", "huffman", 6, ".2f"),
    ("table1", "table1", 6, ".2f"),
    ("auto%", "auto", 6, ".2f"),
)
TOP_COLUMNS = (
    ("raw", "blocks_raw", 3, "d"),
    ("coded", "blocks_coded", 5, "d"),
    ("bytes out", "coded_bytes", 9, "d"),
    ("saved%", "saved", 6, ".2f"),
)
RATE_COLUMNS = (
    ("enc/cyc", "encoder_rate", 7, ".2f"),
    ("dec/cyc", "decoder_rate", 7, ".3f"),
)
LATENCY_COLUMNS = (("latency", "decoder_latency", 7, "d"),)
END_COLUMNS = (
    ("bad", "mismatches", 5, "d"),
    ("sec", "seconds", 5, ".2f"),
)


def software_figures(sample: Sample, histogram: Histogram) -> dict[str, float]:
    """What the codes save on a sample, in percent; their tables are made from the whole tensor.

    The entropy limit is the sample's own: no code of one symbol at a time can save more on it.
    """
    counts = count_symbols(sample.tensor.symbols)
    tables = {scheme: _table(histogram, sample.tensor.name, scheme) for scheme in ("table1", "auto")}
    return {
        "entropy": compressibility(entropy_bits(counts)),
        "huffman": compressibility(expected_bits(counts, huffman_lengths(histogram.counts))),
        **{name: compressibility(expected_bits(counts, table.lengths)) for name, table in tables.items()},
    }


def _table(histogram: Histogram, name: str, scheme: str) -> Table:
    chosen: Scheme | Literal["auto"] = "auto" if scheme == "auto" else Scheme.parse(scheme)
    # The harness loads each packet's table as table 0.
    return calibrate(histogram.counts, histogram.dtype, chosen, name, table_id=0)


def burst_bits(lengths: NDArray[np.uint8]) -> int:
    """The most bits that wait when a beat is taken every cycle and the output bus takes 256 of them.

    ``lengths``: the codeword length of each symbol of the packet, uint8[n].
    """
    beats = np.add.reduceat(lengths.astype(np.int64), np.arange(0, len(lengths), SYMBOLS_PER_BEAT))
    waiting = np.cumsum(beats - BUS_BITS)
    return int(np.max(waiting - np.minimum.accumulate(np.minimum(np.append(0, waiting[:-1]), 0))))


def write_jobs(chosen: list[Sample], tables: dict[str, Table], file: Path) -> None:
    """Writes the packets of one simulation, and beside them their tables as hardware loads them."""
    luts = file.parent / "luts"
    luts.mkdir(exist_ok=True)
    jobs = []
    for sample in chosen:
        name = sample.tensor.name
        write_table(tables[name], luts)
        jobs.append({"tensor": name, "file": str(sample.file), "table": str(luts / f"{name}.json")})
    file.write_text(json.dumps(jobs))


def simulate(jobs: Path, results: Path, arguments: argparse.Namespace, prefix_bits: int) -> Path:
    """Runs one simulation over a job file; gives its folder."""
    environment = {
        "QLC_JOBS": str(jobs),
        "QLC_RESULTS": str(results),
        "QLC_PLANT_FAULT": "1" if arguments.plant_fault else "0",
    }
    top = "qlc_loopback" if arguments.cores else "qlc_system"
    bench = ROOT / "tb" / top
    return run(
        arguments.sim,
        top,
        f"{top}.cocotb_{top}",
        ["packets"],
        sources=[*sorted(bench.glob("*.v")), ROOT / "tb" / "qlc_tb" / "axis_stability.v"],
        control=bench / "public.vlt",
        parameters={"PREFIX_BITS": prefix_bits}
        | ({} if arguments.cores else {"WORD_BITS": arguments.word_bits}),
        seed=arguments.seed,
        environment=environment,
        name=str(jobs.with_suffix("")),
        waves=arguments.waves,
    )


def read_results(files: list[Path]) -> dict[str, dict[str, Any]]:
    """Finished packets by tensor name."""
    lines = [line for file in files if file.exists() for line in file.read_text().splitlines()]
    # The last line may still be being written.
    return {row["tensor"]: row for row in map(json.loads, (text for text in lines if text.endswith("}")))}


def run_all(
    chosen: list[Sample], tables: dict[str, Table], arguments: argparse.Namespace
) -> tuple[dict[str, dict[str, Any]], list[str], list[Path]]:
    """Simulates everything on all cores, with a progress line; gives results, failures and folders."""
    prefix_bits = next(iter(tables.values())).scheme.prefix_bits
    parts = 1 if arguments.waves else min(os.cpu_count() or 1, len(chosen))
    files = [arguments.out / f"part-{part}.json" for part in range(parts)]
    results = [file.with_suffix(".jsonl") for file in files]
    # By size in turn, so that the parts take equally long.
    by_size = sorted(chosen, key=lambda sample: -len(sample.tensor.symbols))
    for part, file in enumerate(files):
        write_jobs(by_size[part::parts], tables, file)

    failures: list[str] = []
    folders: list[Path] = []
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    with progress, ThreadPoolExecutor(parts) as pool:
        bar = progress.add_task(f"{arguments.sim}: tensors", total=len(chosen))
        runs = [
            pool.submit(simulate, file, result, arguments, prefix_bits)
            for file, result in zip(files, results, strict=True)
        ]
        while not all(one.done() for one in runs):
            progress.update(bar, completed=len(read_results(results)))
            time.sleep(0.2)
        progress.update(bar, completed=len(read_results(results)))
    for one in runs:
        try:
            folders.append(one.result())
        except SimulationError as error:
            failures.append(str(error))
    return read_results(results), failures, folders


def decoder_figures(row: dict[str, Any], word_bits: int) -> dict[str, float]:
    """Symbols a cycle of a decoder: at least those between its first beat out and its last, over the cycles
    from the one to the other.

    Its limit is a full word every cycle, headers and all, and ``word_bits``/4 symbols out.
    """
    if "decoder_out_cycles" not in row:
        return {"word_bits": 0, "decoder_rate": row["symbols"] / row["decoder_cycles"], "decoder_limit": 1.0}
    beat = max(SYMBOLS_PER_BEAT, word_bits // 4)
    bits = 8 * row["coded_bytes"] / row["symbols"]
    return {
        "word_bits": word_bits,
        "decoder_rate": max(0, row["symbols"] - 2 * beat) / max(1, row["decoder_out_cycles"] - 1),
        "decoder_limit": min(word_bits / bits, word_bits / OUTPUT_BITS) if word_bits else 1.0,
    }


def judge(row: dict[str, Any]) -> list[str]:
    """What is wrong with a packet's result; empty when all is well."""
    beats = -(-row["symbols"] // SYMBOLS_PER_BEAT)
    checks = {
        f"{row['mismatches']} mismatches": row["mismatches"] == 0,
        f"decoder error {row['error']}": row["error"] == 0,
        "an unstable stream": row["unstable"] == 0,
        f"bytes out {row['coded_bytes']}, golden model {row['golden_bytes']}": row["coded_bytes"]
        == row["golden_bytes"],
        f"encoder stalled {row['encoder_stalls']} cycles": row["burst_bits"] > BURST_BITS
        or row["encoder_cycles"] == beats,
    }
    if "decoder_out_cycles" not in row:
        checks[f"latency {row['decoder_latency']}"] = row["decoder_latency"] == DECODER_LATENCY
        checks[f"decoder at {row['decoder_rate']:.3f} symbols a cycle"] = row["decoder_rate"] == 1
    elif row["word_bits"]:
        checks[f"decoder at {row['decoder_rate']:.2f} symbols a cycle of {row['decoder_limit']:.2f}"] = (
            row["symbols"] < BLOCK_SYMBOLS
            or row["blocks_raw"] > 0
            # A word may hold more of them than a beat out.
            or row["shortest_bits"] < OUTPUT_BITS
            or row["decoder_rate"] >= SHARE * row["decoder_limit"]
        )
    else:
        checks[f"decoder took {row['decoder_cycles']} cycles"] = (
            row["decoder_cycles"] <= row["symbols"] + DECODER_CYCLES + BLOCK_CYCLES * row["blocks_coded"]
        )
    return [what for what, good in checks.items() if not good]


def print_table(rows: list[dict[str, Any]], cores: bool) -> None:
    """A line a tensor."""
    hardware = RATE_COLUMNS if cores else (*TOP_COLUMNS, *RATE_COLUMNS)
    columns = (*SOFTWARE_COLUMNS, *hardware, *LATENCY_COLUMNS, *END_COLUMNS)
    print(" ".join(f"{title:{'<' if width < 0 else '>'}{abs(width)}}" for title, _, width, _ in columns))
    for row in rows:
        cells = (
            f"{row[key]:{'<' if width < 0 else '>'}{abs(width)}{form}}" for _, key, width, form in columns
        )
        print(" ".join(cells) + ("  " + "; ".join(row["wrong"]) if row["wrong"] else ""))


def write_junit(rows: list[dict[str, Any]], failures: list[str], lost: list[str], file: Path) -> None:
    """One test case a tensor, one a simulation that failed."""
    suite = ElementTree.Element("testsuite", name="sim")
    for row in rows:
        case = ElementTree.SubElement(suite, "testcase", name=row["tensor"], time=f"{row['seconds']:.3f}")
        if row["wrong"]:
            ElementTree.SubElement(case, "failure", message="; ".join(row["wrong"]))
    for name in lost:
        case = ElementTree.SubElement(suite, "testcase", name=name)
        ElementTree.SubElement(case, "failure", message="no result")
    for text in failures:
        case = ElementTree.SubElement(suite, "testcase", name="simulation")
        ElementTree.SubElement(case, "failure", message=text)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("./testcase/failure"))))
    ElementTree.ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)


def commit() -> str:
    """The checkout's commit, "unknown" outside of git."""
    git = shutil.which("git")
    if git is None:
        return "unknown"
    done = subprocess.run(
        [git, "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sim", choices=SIMULATORS, default="verilator")
    parser.add_argument("--tensor", default="*", metavar="GLOB", help="tensors by name (default: all)")
    parser.add_argument(
        "--scheme", default="auto", help=f"auto, {', '.join(PRESETS)}, or P:e,e,... (default: auto)"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "sim", metavar="DIR", help="results (default: build/sim)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the simulators' random values (default: 1)")
    parser.add_argument(
        "--word-bits", type=int, choices=WORD_BITS, default=64, metavar="N",
        help=f"of the decoder: {', '.join(map(str, WORD_BITS))}; 0 is a symbol a cycle (default: 64)",
    )  # fmt: skip
    parser.add_argument("--cores", action="store_true", help="the bare cores instead of the tops")
    parser.add_argument("--waves", action="store_true", help="also dump waveforms")
    parser.add_argument(
        "--plant-fault", action="store_true", help="flip a table bit in the hardware; the run must fail"
    )
    arguments = parser.parse_args()
    if arguments.scheme != "auto":
        try:
            Scheme.parse(arguments.scheme)
        except SchemeError as error:
            parser.error(f"--scheme {arguments.scheme}: {error}")
    return arguments


def main() -> int:
    """Runs everything; see the module's text."""
    begin = time.monotonic()
    arguments = parse_arguments()
    if (lack := missing(arguments.sim)) is not None:
        print(f"sim: {lack}", file=sys.stderr)
        return 1
    if (damage := check_data()) is not None:
        print(f"sim: {damage}", file=sys.stderr)
        return 1
    chosen = [s for s in samples() if fnmatch.fnmatchcase(s.tensor.name, arguments.tensor)]
    if not chosen:
        print(f"sim: no tensor in data/ matches {arguments.tensor!r}", file=sys.stderr)
        return 2
    out = arguments.out = arguments.out.resolve()
    try:
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
    except OSError as error:
        print(f"sim: --out {out}: {error.strerror}", file=sys.stderr)
        return 2

    all_histograms = histograms()
    tables = {
        s.tensor.name: _table(all_histograms[s.histogram], s.tensor.name, arguments.scheme) for s in chosen
    }
    hardware, failures, folders = run_all(chosen, tables, arguments)

    rows: list[dict[str, Any]] = []
    for sample in chosen:
        name = sample.tensor.name
        if name not in hardware:
            continue
        row = hardware[name]
        lengths = tables[name].lengths[sample.tensor.symbols]
        row["golden_bits"] = int(np.sum(lengths, dtype=np.int64))
        row["burst_bits"] = burst_bits(lengths)
        row["shortest_bits"] = int(lengths.min())
        row["golden_bytes"] = (
            -(-row["golden_bits"] // 8)
            if arguments.cores
            else len(encode_packet(sample.tensor.symbols, tables[name]))
        )
        row["saved"] = 100 * (1 - row["coded_bytes"] / row["symbols"])
        row["encoder_rate"] = row["symbols"] / row["encoder_cycles"]
        row |= decoder_figures(row, 0 if arguments.cores else arguments.word_bits)
        row |= software_figures(sample, all_histograms[sample.histogram])
        row["scheme"] = str(tables[name].scheme)
        row["wrong"] = judge(row)
        rows.append(row)
    lost = [s.tensor.name for s in chosen if s.tensor.name not in hardware]
    good = not failures and not lost and not any(row["wrong"] for row in rows)

    print_table(rows, arguments.cores)
    for text in failures + [f"{name}: no result" for name in lost]:
        print(f"sim: {text}", file=sys.stderr)
    for folder in folders if arguments.waves else []:
        dumps = [d for d in (*folder.glob("*.vcd"), *folder.glob("*.fst")) if d.stat().st_size]
        if not dumps:
            print(f"sim: no waveform dump in {folder}", file=sys.stderr)
            good = False
        for dump in dumps:
            print(f"waveforms: {dump}")

    seconds = time.monotonic() - begin
    busy = sum(row["seconds"] for row in rows)
    symbols = sum(row["symbols"] for row in rows)
    bytes_out = sum(row["coded_bytes"] for row in rows)
    summary = {
        "tensors": len(rows),
        "symbols": symbols,
        "mismatches": sum(row["mismatches"] for row in rows),
        "packets_wrong": sum(bool(row["wrong"]) for row in rows),
        "results_missing": len(lost),
        "bytes_out": bytes_out,
        "saved": 100 * (1 - bytes_out / symbols) if symbols else 0,
        # Of one simulation, golden model and scoreboard included.
        "symbols_per_second": symbols / busy if busy else 0,
        "seconds": seconds,
        "passed": good,
    }
    (out / "results.json").write_text(
        json.dumps(
            {
                "simulator": version(arguments.sim),
                "level": "cores" if arguments.cores else "tops",
                "scheme": arguments.scheme,
                "seed": arguments.seed,
                "commit": commit(),
                "summary": summary,
                "failures": failures,
                "tensors": rows,
            },
            indent=1,
        )
        + "\n"
    )
    write_junit(rows, failures, lost, out / "results.xml")
    print(
        f"{'PASS' if good else 'FAIL'}: {len(rows)} of {len(chosen)} tensors, "
        f"{symbols} bytes in, {bytes_out} out, {summary['saved']:.2f} % saved with {arguments.scheme}, "
        f"{summary['mismatches']} mismatches, "
        f"{version(arguments.sim)}, {seconds:.1f} s ({summary['symbols_per_second'] / 1e6:.2f} M symbols/s)"
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
