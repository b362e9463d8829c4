"""Plays the same real tensors through the bare decoders of every build, and counts cycles.

The name of a decoder is its build (``qlc.bounds.BUILDS``), then ``core`` for a symbol a cycle, or ``wide``
and the bits of a word. A tensor in ``data/`` is a sample of a larger one, and its table is made from that
one. It has the code that the build is made for; for ``huffman_serial`` it is the canonical Huffman code of at
most 16 bits. Prints a line for each decoder. Writes a line of JSON for each packet to
``build/compare/DECODER.jsonl``; ``docs/baseline.md`` has the keys. ``--out`` takes another folder that is
new, empty or from an earlier run.

Exit status: 0 all right, 1 a symbol came out wrong or a simulation failed, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qlc import huffman, table_files
from qlc_tb.simulation import SIMULATORS, SimulationError, run
from qlc_tb.sources import BASELINE, PLAYER

from scripts import ROOT
from scripts.codes import CONTENDERS, Contender, parameters
from scripts.committed_data import Sample, histograms, samples
from scripts.committed_data import check as check_data
from scripts.interrupt import end_on_signals
from scripts.run_folder import run_folder

# The first feed-forward layers' activations, which the published static scheme is made for.
TENSORS = "layers.*.ffn_[gu]*.act"
OUT = ROOT / "build" / "compare"
HARNESS = ROOT / "tb" / "decoder_player"
WORD_BITS = (8, 16, 32, 64, 128, 256, 512)
CORE, WIDE, SERIAL = range(3)


@dataclass(frozen=True)
class Decoder:
    """A decoder of the harness, by its number there; the bits of its input beat, and whose tables it has."""

    number: int
    word_bits: int
    contender: Contender | None

    @property
    def parameters(self) -> dict[str, int]:
        """Those of the harness."""
        bounds = {} if self.contender is None else parameters(self.contender.bounds)
        return {"DECODER": self.number, "WORD_BITS": self.word_bits, **bounds}


# The code that each build is made for.
BY_BUILD = {
    CONTENDERS[name].build: CONTENDERS[name]
    for name in ("table1", "auto-4", "auto-raw", "huffman-4", "huffman-raw")
}
DECODERS = {
    **{f"{build}_core": Decoder(CORE, 32, one) for build, one in BY_BUILD.items()},
    "huffman_serial": Decoder(SERIAL, 32, None),
    **{f"{build}_wide_{w}": Decoder(WIDE, w, one) for w in WORD_BITS for build, one in BY_BUILD.items()},
}
# Those that are measured unless others are asked for: compiling one of the widest takes minutes.
USUAL = [
    name
    for name, decoder in DECODERS.items()
    if decoder.number != WIDE or decoder.word_bits in (64, 256) or name.startswith("raw_")
]


def write_jobs(chosen: list[Sample], decoder: Decoder, folder: Path) -> Path:
    """Writes each tensor's table, and the file that names them."""
    counted = histograms()
    jobs = []
    for sample in chosen:
        name = sample.tensor.name
        histogram = counted[sample.histogram]
        if decoder.contender is None:
            file = huffman.write_table(huffman.huffman_table(histogram.counts), folder, name)[0]
        else:
            table = decoder.contender.table(histogram, name)
            file = table_files.write_table(table, folder)[-1]
        jobs.append({"tensor": name, "file": str(sample.file), "table": str(file)})
    path = folder / "jobs.json"
    path.write_text(json.dumps(jobs))
    return path


def measure(
    name: str,
    chosen: list[Sample],
    *,
    simulator: str = "verilator",
    out: Path = OUT,
    plant_fault: bool = False,
) -> list[dict[str, Any]]:
    """Plays tensors through a decoder of ``DECODERS``; gives a result a packet, in order.

    Raises SimulationError when a symbol is wrong or the simulation fails.
    """
    decoder = DECODERS[name]
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    results = out / f"{name}.jsonl"
    results.unlink(missing_ok=True)
    run(
        simulator,
        "decoder_player",
        "decoder_player.cocotb_decoder_player",
        ["packets"],
        sources=[*BASELINE, *PLAYER, HARNESS / "decoder_player.v"],
        control=HARNESS / "public.vlt",
        parameters=decoder.parameters,
        seed=1,
        environment={
            "QLC_JOBS": str(write_jobs(chosen, decoder, folder)),
            "QLC_RESULTS": str(results),
            "QLC_PLANT_FAULT": "1" if plant_fault else "0",
        },
        name=str(folder / simulator),
    )
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    return [{"decoder": name, "word_bits": decoder.word_bits, **row} for row in rows]


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """All packets of a decoder together.

    ``rate`` is of the symbols from the first beat out to the last, over the cycles from the one to the other;
    ``stalls`` are cycles without progress though the input had a beat and the output took one: without a
    symbol between the first and the last, or in a wide decoder, whose output beats hold several words'
    symbols, those in which the input waited.
    """
    wide = DECODERS[rows[0]["decoder"]].number == WIDE
    latencies = {row["latency"] for row in rows}
    symbols = sum(row["symbols"] for row in rows)
    return {
        "decoder": rows[0]["decoder"],
        "packets": len(rows),
        "symbols": symbols,
        "bits": 8 * sum(row["bytes"] for row in rows) / symbols,
        "rate": symbols / sum(row["cycles"] for row in rows),
        "latency": [min(latencies), max(latencies)],
        "stalls": sum(row["input_waits" if wide else "output_gaps"] for row in rows),
    }


HEAD = "decoder               bits/symbol  symbols/cycle  latency    stalls"


def line(total: dict[str, Any]) -> str:
    """A decoder's line under ``HEAD``."""
    low, high = total["latency"]
    latency = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"{total['decoder']:21} {total['bits']:11.3f} {total['rate']:14.3f}  {latency:9} {total['stalls']:7}"
    )


def main() -> int:
    """Measures the decoders that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sim", choices=SIMULATORS, default="verilator")
    parser.add_argument("--tensor", default=TENSORS, metavar="GLOB", help=f"tensors (default: {TENSORS})")
    parser.add_argument(
        "--decoder", nargs="+", choices=DECODERS, default=USUAL, metavar="NAME",
        help=f"of {', '.join(DECODERS)} (default: {' '.join(USUAL)})",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument(
        "--plant-fault", action="store_true", help="flip a table bit in the hardware; the run must fail"
    )
    arguments = parser.parse_args()
    if (wrong := check_data()) is not None:
        parser.error(wrong)
    chosen = [s for s in samples() if fnmatch.fnmatchcase(s.tensor.name, arguments.tensor)]
    if not chosen:
        parser.error(f"--tensor {arguments.tensor}: no such tensor")
    out = arguments.out.resolve()
    with ExitStack() as stack:
        try:
            stack.enter_context(run_folder("compare", out))
        except OSError as error:
            print(f"compare: --out {out}: {error.strerror}", file=sys.stderr)
            return 2
        print(HEAD, flush=True)
        for name in arguments.decoder:
            try:
                rows = measure(
                    name, chosen, simulator=arguments.sim, out=out, plant_fault=arguments.plant_fault
                )
            except SimulationError as error:
                print(f"compare: {name}: {error}", file=sys.stderr)
                return 1
            print(line(summary(rows)), flush=True)
    return 0


if __name__ == "__main__":
    end_on_signals("compare")
    sys.exit(main())
