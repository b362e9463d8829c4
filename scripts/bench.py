"""Measures the decoder at every word width, and every decoder beside Huffman's: ``make bench``.

Plays the same real tensors through ``qlc_decoder`` at each width, as ``make sim`` does, and prints symbols a
cycle beside the arithmetic limit, a full word every cycle; then through the bare decoders of QLC and the
Huffman baselines (``compare.py``). Writes ``bench.json`` to ``build/bench``.

Exit status: 0 all right, 1 a simulation failed or a packet came out wrong, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import compare
import sim
from committed_data import ROOT, samples
from qlc_tb.simulation import SIMULATORS, SimulationError

# The first feed-forward layers' activations, which the published static scheme is made for.
TENSORS = "layers.*.ffn_[gu]*.act"


def measure(word_bits: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """The results of ``make sim`` at a width."""
    out = arguments.out / f"word-{word_bits}"
    command = [sys.executable, str(ROOT / "scripts" / "sim.py"), "--sim", arguments.sim]
    command += ["--tensor", arguments.tensor, "--scheme", arguments.scheme]
    command += ["--word-bits", str(word_bits), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"WORD_BITS {word_bits}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
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


def side_by_side(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The bare decoders of both codes."""
    chosen = [s for s in samples() if fnmatch.fnmatchcase(s.tensor.name, arguments.tensor)]
    totals = []
    print(f"\n{compare.HEAD}", flush=True)
    for name in arguments.decoder:
        rows = compare.measure(
            name, chosen, simulator=arguments.sim, scheme=arguments.scheme, out=arguments.out / "decoders"
        )
        totals.append(compare.summary(rows))
        print(compare.line(totals[-1]), flush=True)
    return totals


def main() -> int:
    """Runs everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sim", choices=SIMULATORS, default="verilator")
    parser.add_argument("--tensor", default=TENSORS, metavar="GLOB", help=f"tensors (default: {TENSORS})")
    parser.add_argument("--scheme", choices=("auto", "table1", "table2"), default="table1", help="of QLC")
    parser.add_argument(
        "--word-bits", type=int, nargs="+", choices=sim.WORD_BITS, default=list(sim.WORD_BITS), metavar="N"
    )
    parser.add_argument(
        "--decoder", nargs="+", choices=compare.DECODERS, default=list(compare.DECODERS), metavar="NAME",
        help=f"bare decoders: {', '.join(compare.DECODERS)} (default: all)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench", metavar="DIR")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    if not any(fnmatch.fnmatchcase(sample.tensor.name, arguments.tensor) for sample in samples()):
        parser.error(f"--tensor {arguments.tensor}: no such tensor")
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--out {arguments.out}: {error.strerror}")
    try:
        rows, results = widths(arguments)
        bench = bench_of(results, arguments) | {"rows": rows, "decoders": side_by_side(arguments)}
    except (RuntimeError, SimulationError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    (arguments.out / "bench.json").write_text(json.dumps(bench, indent=1) + "\n")
    print(
        f"\n{bench['tensors']} tensors, {bench['symbols']} symbols, {bench['bits']:.3f} bits a symbol with "
        f"{bench['scheme']} and all headers, {bench['simulator']}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
