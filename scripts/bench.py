"""Measures the decoder at every word width, and the bare decoders of every build: ``make bench``.

Plays the same real tensors through ``qlc_decoder`` at each width, as ``make sim`` does, in the build that the
code is made for. Prints symbols a cycle, beside the limit of a full word every cycle. Then it plays them
through the bare decoders, each with the code of its build (``scripts.compare``). Writes ``bench.json`` to
``build/bench``, or to another folder that is new, empty or from an earlier run.

Exit status: 0 all right, 1 a simulation failed or a packet came out wrong, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from qlc_tb.simulation import SIMULATORS, SimulationError

from scripts import ROOT, compare, sim
from scripts.codes import CONTENDERS, contender
from scripts.committed_data import Sample, samples
from scripts.interrupt import end_on_signals
from scripts.run_folder import run_folder

SCHEME = "auto-raw"


def measure(word_bits: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """The results of ``make sim`` at a width."""
    out = arguments.out / f"word-{word_bits}"
    command = [sys.executable, "-m", "scripts.sim", "--sim", arguments.sim]
    command += ["--tensor", arguments.tensor, "--scheme", arguments.scheme]
    command += ["--build", contender(arguments.scheme).build]
    command += ["--word-bits", str(word_bits), "--out", str(out)]
    command += ["--plant-fault"] * arguments.plant_fault
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["?"]
        first = next((line for line in said if line.startswith("sim: ")), said[-1])
        raise RuntimeError(f"WORD_BITS {word_bits}: {first}")
    results: dict[str, Any] = json.loads((out / "results.json").read_text())
    return results


def figures(word_bits: int, results: dict[str, Any]) -> dict[str, Any]:
    """Symbols a cycle of all packets together, its limit, and the latency, which is the same for all."""
    rows = results["tensors"]
    beat = max(sim.SYMBOLS_PER_BEAT, word_bits // 4)
    symbols = sum(row["symbols"] for row in rows)
    latencies = {row["decoder_latency"] for row in rows}
    return {
        "word_bits": word_bits,
        "rate": sum(row["symbols"] - 2 * beat for row in rows)
        / sum(row["decoder_out_cycles"] - 1 for row in rows),
        "limit": symbols / sum(row["symbols"] / row["decoder_limit"] for row in rows),
        "latency": min(latencies) if len(latencies) == 1 else f"{min(latencies)} to {max(latencies)}",
    }


def bench_of(results: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """What was measured, and with what; ``results`` are those of any width."""
    tensors = results["tensors"]
    symbols = sum(row["symbols"] for row in tensors)
    return {
        "simulator": results["simulator"],
        "commit": results["commit"],
        "pattern": arguments.tensor,
        "scheme": arguments.scheme,
        "build": contender(arguments.scheme).build,
        "tensors": len(tensors),
        "symbols": symbols,
        "bits": 8 * sum(row["coded_bytes"] for row in tensors) / symbols,
        "block": sim.BLOCK_SYMBOLS,
    }


def widths(arguments: argparse.Namespace) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """``qlc_decoder`` at every width; gives their figures, and the last one's whole results."""
    rows: list[dict[str, Any]] = []
    results: dict[str, Any] = {}
    print("qlc_decoder   symbols/cycle   limit  share  latency", flush=True)
    for word_bits in arguments.word_bits:
        results = measure(word_bits, arguments)
        row = figures(word_bits, results)
        rows.append(row)
        name = f"wide {word_bits}" if word_bits else "core"
        share = 100 * row["rate"] / row["limit"]
        print(
            f"{name:13} {row['rate']:13.2f} {row['limit']:7.2f} {share:5.1f}%  {row['latency']}", flush=True
        )
    return sorted(rows, key=lambda row: int(row["word_bits"])), results


def side_by_side(chosen: list[Sample], arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The bare decoders."""
    totals = []
    print(f"\n{compare.HEAD}", flush=True)
    for name in arguments.decoder:
        rows = compare.measure(
            name,
            chosen,
            simulator=arguments.sim,
            out=arguments.out / "decoders",
            plant_fault=arguments.plant_fault,
        )
        totals.append(compare.summary(rows))
        print(compare.line(totals[-1]), flush=True)
    return totals


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sim", choices=SIMULATORS, default="verilator")
    parser.add_argument(
        "--tensor", default=compare.TENSORS, metavar="GLOB", help=f"tensors (default: {compare.TENSORS})"
    )
    parser.add_argument(
        "--scheme", choices=CONTENDERS, default=SCHEME, metavar="S",
        help=f"of qlc_decoder: {', '.join(CONTENDERS)} (default: {SCHEME})",
    )  # fmt: skip
    parser.add_argument(
        "--word-bits", type=int, nargs="+", choices=sim.WORD_BITS, default=list(sim.WORD_BITS), metavar="N",
        help=f"of qlc_decoder: {', '.join(map(str, sim.WORD_BITS))} (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--decoder", nargs="+", choices=compare.DECODERS, default=compare.USUAL, metavar="NAME",
        help=f"bare decoders: {', '.join(compare.DECODERS)} (default: {' '.join(compare.USUAL)})",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench", metavar="DIR")
    parser.add_argument(
        "--plant-fault", action="store_true", help="flip a table bit in the hardware; the run must fail"
    )
    arguments = parser.parse_args()
    if not any(fnmatch.fnmatchcase(sample.tensor.name, arguments.tensor) for sample in samples()):
        parser.error(f"--tensor {arguments.tensor}: no such tensor")
    return arguments


def main() -> int:
    """Runs everything."""
    arguments = parse_arguments()
    chosen = [s for s in samples() if fnmatch.fnmatchcase(s.tensor.name, arguments.tensor)]
    arguments.out = arguments.out.resolve()
    with ExitStack() as stack:
        try:
            stack.enter_context(run_folder("bench", arguments.out, ("bench.json",)))
        except OSError as error:
            print(f"bench: --out {arguments.out}: {error.strerror}", file=sys.stderr)
            return 2
        try:
            rows, results = widths(arguments)
            decoders = side_by_side(chosen, arguments)
        except (RuntimeError, SimulationError) as error:
            print(f"bench: {error}", file=sys.stderr)
            return 1
        bench = bench_of(results, arguments) | {"rows": rows, "decoders": decoders}
        (arguments.out / "bench.json").write_text(json.dumps(bench, indent=1) + "\n")
    print(
        f"\n{bench['tensors']} tensors, {bench['symbols']} symbols, {bench['bits']:.3f} bits a symbol with "
        f"{bench['scheme']} and all headers, {bench['simulator']}"
    )
    return 0


if __name__ == "__main__":
    end_on_signals("bench")
    sys.exit(main())
