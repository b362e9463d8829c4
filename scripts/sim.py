"""Plays real tensors through the Verilog, and compares with the golden model: ``make sim``.

A tensor in ``data/`` is a sample of a larger one. For each code, a table is made from the larger one. With it
the sample goes through the encoder and the decoder as one packet, and the golden model says what both must
give. A packet is one of raw and coded blocks through the tops, or with ``--cores`` one bitstream through the
bare cores. The hardware is the default build, the build ``any`` if a table is no quad code, or the build that
``--build`` names.

Prints a line for each tensor and a summary. Writes ``results.json`` and ``results.xml`` (JUnit) to
``build/sim``, or to another folder that is new, empty or from an earlier run.

Exit status: 0 all right, 1 a mismatch, a missing result or a failed simulation, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray
from qlc.baselines import compressibility, huffman_lengths
from qlc.bounds import BUILDS, DEFAULT_BOUNDS
from qlc.errors import InputError
from qlc.histogram import count_symbols, entropy_bits, expected_bits
from qlc.packet import encode_packet
from qlc.table import Table
from qlc.table_files import write_table
from qlc.tensors import read_tensors
from qlc_tb.simulation import SIMULATORS, SimulationError, missing, run, version
from qlc_tb.sources import PLAYER
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from scripts import ROOT
from scripts.codes import CONTENDERS, SIDE_BY_SIDE, contender, parameters
from scripts.committed_data import Histogram, Sample, histograms, samples
from scripts.committed_data import check as check_data
from scripts.interrupt import end_on_signals
from scripts.run_folder import run_folder

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
# What the encoder's FIFO of 4 beats takes of a burst that does not fit the output bus.
BURST_BITS = (4 - 3) * BUS_BITS

OUTPUTS = ("results.json", "results.xml")

# The longest packet that is played.
MAX_SYMBOLS = 1024 * SYMBOLS_PER_BEAT

# title, key, width, format
SOFTWARE_COLUMNS = (
    ("tensor", "tensor", -31, "s"),
    ("symbols", "symbols", 7, "d"),
    ("limit%", "entropy", 6, ".2f"),
    ("Huffm%", "huffman", 6, ".2f"),
)
RATE_COLUMNS = (("enc/cyc", "encoder_rate", 7, ".2f"),)
END_COLUMNS = (
    ("latency", "decoder_latency", 7, "d"),
    ("bad", "mismatches", 5, "d"),
    ("sec", "seconds", 5, ".2f"),
)

# A packet: a tensor's name and a code's.
Key = tuple[str, str]


def software_figures(sample: Sample, histogram: Histogram) -> dict[str, float]:
    """What a sample's entropy and Huffman's code save, in percent; the code is made from the whole tensor.

    The entropy limit is the sample's own: no code of one symbol at a time can save more on it.
    """
    counts = count_symbols(sample.tensor.symbols)
    return {
        "entropy": compressibility(entropy_bits(counts)),
        "huffman": compressibility(expected_bits(counts, huffman_lengths(histogram.counts))),
    }


def burst_bits(lengths: NDArray[np.uint8]) -> int:
    """The most bits that wait when a beat is taken every cycle and the output bus takes 256 of them.

    ``lengths``: the codeword length of each symbol of the packet, uint8[n].
    """
    beats = np.add.reduceat(lengths.astype(np.int64), np.arange(0, len(lengths), SYMBOLS_PER_BEAT))
    waiting = np.cumsum(beats - BUS_BITS)
    return int(np.max(waiting - np.minimum.accumulate(np.minimum(np.append(0, waiting[:-1]), 0))))


def write_jobs(packets: list[tuple[Sample, str]], tables: dict[Key, Table], file: Path) -> None:
    """Writes the packets of one simulation, and beside them their tables as hardware loads them."""
    jobs = []
    for sample, scheme in packets:
        name = sample.tensor.name
        luts = file.parent / "luts" / scheme.replace(":", "_").replace(",", "_")
        luts.mkdir(parents=True, exist_ok=True)
        table = write_table(tables[name, scheme], luts)[-1]
        jobs.append({
            "tensor": name, "scheme": scheme, "file": str(sample.file), "table": str(table),
            "symbols": len(sample.tensor.symbols),
        })  # fmt: skip
    file.write_text(json.dumps(jobs))


def simulate(jobs: Path, results: Path, arguments: argparse.Namespace, build: str) -> Path:
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
        sources=[*PLAYER, bench / f"{top}.v"],
        control=bench / "public.vlt",
        parameters=parameters(BUILDS[build])
        | ({} if arguments.cores else {"WORD_BITS": arguments.word_bits}),
        seed=arguments.seed,
        environment=environment,
        name=str(jobs.with_suffix("")),
        waves=arguments.waves,
    )


def read_results(files: list[Path]) -> dict[Key, dict[str, Any]]:
    """Finished packets."""
    lines = [line for file in files if file.exists() for line in file.read_text().splitlines()]
    # The last line may still be being written.
    rows = map(json.loads, (text for text in lines if text.endswith("}")))
    return {(row["tensor"], row["scheme"]): row for row in rows}


def build_for(table: Table, wanted: str | None) -> str:
    """The build that a table's packet goes through."""
    return wanted or ("default" if DEFAULT_BOUNDS.problem(table) is None else "any")


def run_all(
    chosen: list[Sample], tables: dict[Key, Table], arguments: argparse.Namespace
) -> tuple[dict[Key, dict[str, Any]], list[str], list[Path]]:
    """Simulates everything on all cores, with a progress line; gives results, failures and folders."""
    # By size in turn, so that the parts take equally long.
    by_size = sorted(chosen, key=lambda sample: -len(sample.tensor.symbols))
    packets = [(sample, scheme) for sample in by_size for scheme in arguments.scheme]
    workers = os.cpu_count() or 1
    parts = 1 if arguments.waves else workers
    # Both builds' first parts come first, so that they are compiled side by side.
    runs: list[tuple[Path, str]] = []
    builds = {key: build_for(table, arguments.build) for key, table in tables.items()}
    for part in range(parts):
        for build in dict.fromkeys(builds.values()):
            ours = [(s, c) for s, c in packets if builds[s.tensor.name, c] == build][part::parts]
            if ours:
                runs.append((arguments.out / f"{build}-{part}.json", build))
                write_jobs(ours, tables, runs[-1][0])
    results = [file.with_suffix(".jsonl") for file, _ in runs]
    for file in results:
        file.unlink(missing_ok=True)

    failures: list[str] = []
    folders: list[Path] = []
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    with progress, ThreadPoolExecutor(workers) as pool:
        bar = progress.add_task(f"{arguments.sim}: packets", total=len(packets))
        futures = [
            pool.submit(simulate, file, result, arguments, build)
            for (file, build), result in zip(runs, results, strict=True)
        ]
        while not all(one.done() for one in futures):
            progress.update(bar, completed=len(read_results(results)))
            time.sleep(0.2)
        progress.update(bar, completed=len(read_results(results)))
    for one in futures:
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


def print_table(rows: list[dict[str, Any]], schemes: Sequence[str]) -> None:
    """A line a tensor: what each code saves with all headers, the decoder's symbols a cycle with each."""
    saved = [(f"{scheme}%", f"saved {scheme}", max(6, len(scheme) + 1), ".2f") for scheme in schemes]
    rates = [(f"{scheme}/cyc", f"rate {scheme}", max(6, len(scheme) + 4), ".3f") for scheme in schemes]
    columns = (*SOFTWARE_COLUMNS, *saved, *RATE_COLUMNS, *rates, *END_COLUMNS)
    print(" ".join(f"{title:{'<' if width < 0 else '>'}{abs(width)}}" for title, _, width, _ in columns))
    for name in dict.fromkeys(row["tensor"] for row in rows):
        packets = [row for row in rows if row["tensor"] == name]
        line = packets[0] | {
            "encoder_rate": min(row["encoder_rate"] for row in packets),
            "decoder_latency": max(row["decoder_latency"] for row in packets),
            "mismatches": sum(row["mismatches"] for row in packets),
            "seconds": sum(row["seconds"] for row in packets),
        }
        for row in packets:
            line |= {f"saved {row['scheme']}": row["saved"], f"rate {row['scheme']}": row["decoder_rate"]}
        cells = (
            f"{line[key]:{'<' if width < 0 else '>'}{abs(width)}{form}}" if key in line else " " * abs(width)
            for _, key, width, form in columns
        )
        wrong = [f"{row['scheme']}: {what}" for row in packets for what in row["wrong"]]
        print(" ".join(cells) + ("  " + "; ".join(wrong) if wrong else ""))


def write_junit(rows: list[dict[str, Any]], failures: list[str], lost: list[Key], file: Path) -> None:
    """One test case a packet, one a simulation that failed."""
    suite = ElementTree.Element("testsuite", name="sim")
    for row in rows:
        name = f"{row['tensor']} {row['scheme']}"
        case = ElementTree.SubElement(suite, "testcase", name=name, time=f"{row['seconds']:.3f}")
        if row["wrong"]:
            ElementTree.SubElement(case, "failure", message="; ".join(row["wrong"]))
    for key in lost:
        case = ElementTree.SubElement(suite, "testcase", name=" ".join(key))
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
    parser.add_argument(
        "--data", type=Path, metavar="FILE",
        help="your own tensors: .safetensors, .npy or plain bytes (default: those in data/). Each gets\n"
        f"tables of its own, and its first {MAX_SYMBOLS} symbols are played",
    )  # fmt: skip
    parser.add_argument("--tensor", default="*", metavar="GLOB", help="tensors by name (default: all)")
    parser.add_argument(
        "--scheme", nargs="+", default=list(SIDE_BY_SIDE), metavar="S",
        help=f"codes: {', '.join(CONTENDERS)}, another preset, P:e,e,... or LxN,...,L\n"
        f"(default: {' '.join(SIDE_BY_SIDE)})",
    )  # fmt: skip
    parser.add_argument(
        "--build", choices=BUILDS, help="of the hardware (default: default, and any for other codes)"
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
    arguments.scheme = list(dict.fromkeys(arguments.scheme))
    for text in arguments.scheme:
        try:
            contender(text)
        except ValueError as error:
            parser.error(f"--scheme {text}: {error}")
    return arguments


def own_tensors(file: Path) -> tuple[list[Sample], dict[str, Histogram]]:
    """The tensors of a user's file, each cut to what the harness takes, and the histograms of the whole.

    Raises InputError where the file cannot be used.
    """
    found: list[Sample] = []
    counted: dict[str, Histogram] = {}
    for tensor in read_tensors(file, lambda line: print(f"sim: {line}", file=sys.stderr)):
        if len(tensor.symbols):
            counted[tensor.name] = Histogram(tensor.name, tensor.dtype, count_symbols(tensor.symbols))
            start = replace(tensor, symbols=tensor.symbols[:MAX_SYMBOLS])
            found.append(Sample(start, file.resolve(), tensor.name))
        else:
            print(f"sim: {file}: {tensor.name}: passed over: no symbols", file=sys.stderr)
    return found, counted


def main() -> int:
    """Runs everything; see the module's text."""
    arguments = parse_arguments()
    if (lack := missing(arguments.sim)) is not None:
        print(f"sim: {lack}", file=sys.stderr)
        return 1
    if arguments.data:
        try:
            everything, counted = own_tensors(arguments.data)
        except InputError as error:
            print(f"sim: {error}", file=sys.stderr)
            return 1
    elif (damage := check_data()) is not None:
        print(f"sim: {damage}", file=sys.stderr)
        return 1
    else:
        everything, counted = samples(), histograms()
    chosen = [s for s in everything if fnmatch.fnmatchcase(s.tensor.name, arguments.tensor)]
    if not chosen:
        print(f"sim: no tensor in {arguments.data or 'data/'} matches {arguments.tensor!r}", file=sys.stderr)
        return 2
    arguments.out = arguments.out.resolve()
    with ExitStack() as stack:
        try:
            stack.enter_context(run_folder("sim", arguments.out, OUTPUTS))
        except OSError as error:
            print(f"sim: --out {arguments.out}: {error.strerror}", file=sys.stderr)
            return 2
        return play(chosen, counted, arguments)


def play(chosen: list[Sample], all_histograms: dict[str, Histogram], arguments: argparse.Namespace) -> int:
    """Plays tensors, prints and writes the results; gives the exit status."""
    begin = time.monotonic()
    out = arguments.out
    try:
        tables = {
            (s.tensor.name, scheme): contender(scheme).table(
                # A table's name is a file's.
                all_histograms[s.histogram],
                re.sub(r"[^A-Za-z0-9._-]", "_", s.tensor.name) or "_",
            )
            for s in chosen
            for scheme in arguments.scheme
        }
        if arguments.build:
            for table in tables.values():
                if problem := BUILDS[arguments.build].problem(table):
                    raise ValueError(f"--build {arguments.build}: {problem}")
    except ValueError as error:
        print(f"sim: {error}", file=sys.stderr)
        return 2
    hardware, failures, folders = run_all(chosen, tables, arguments)

    rows: list[dict[str, Any]] = []
    for sample in chosen:
        for scheme in arguments.scheme:
            key = (sample.tensor.name, scheme)
            if key not in hardware:
                continue
            row, table = hardware[key], tables[key]
            lengths = table.lengths[sample.tensor.symbols]
            row["golden_bits"] = int(np.sum(lengths, dtype=np.int64))
            row["burst_bits"] = burst_bits(lengths)
            row["shortest_bits"] = int(lengths.min())
            row["golden_bytes"] = (
                -(-row["golden_bits"] // 8)
                if arguments.cores
                else len(encode_packet(sample.tensor.symbols, table))
            )
            row["saved"] = 100 * (1 - row["coded_bytes"] / row["symbols"])
            row["encoder_rate"] = row["symbols"] / row["encoder_cycles"]
            row |= decoder_figures(row, 0 if arguments.cores else arguments.word_bits)
            row |= software_figures(sample, all_histograms[sample.histogram])
            row["code"] = str(table.code)
            row["raw_bits"] = table.raw_bits
            row["build"] = build_for(table, arguments.build)
            row["wrong"] = judge(row)
            rows.append(row)
    lost = [key for key in tables if key not in hardware]
    good = not failures and not lost and not any(row["wrong"] for row in rows)

    print_table(rows, arguments.scheme)
    for text in failures + [f"{' '.join(key)}: no result" for key in lost]:
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
    saved = {
        scheme: {
            "bytes_in": sum(row["symbols"] for row in rows if row["scheme"] == scheme),
            "bytes_out": sum(row["coded_bytes"] for row in rows if row["scheme"] == scheme),
        }
        for scheme in arguments.scheme
    }
    for figures in saved.values():
        figures["saved"] = 100 * (1 - figures["bytes_out"] / max(1, figures["bytes_in"]))
    summary = {
        "tensors": len({row["tensor"] for row in rows}),
        "packets": len(rows),
        "symbols": symbols,
        "mismatches": sum(row["mismatches"] for row in rows),
        "packets_wrong": sum(bool(row["wrong"]) for row in rows),
        "results_missing": len(lost),
        "schemes": saved,
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
    shares = ", ".join(f"{scheme} {figures['saved']:.2f} %" for scheme, figures in saved.items())
    print(
        f"{'PASS' if good else 'FAIL'}: {len(rows)} of {len(tables)} packets of {len(chosen)} tensors, "
        f"saved: {shares}, {summary['mismatches']} mismatches, "
        f"{version(arguments.sim)}, {seconds:.1f} s ({summary['symbols_per_second'] / 1e6:.2f} M symbols/s)"
    )
    return 0 if good else 1


if __name__ == "__main__":
    end_on_signals("sim")
    sys.exit(main())
