"""Plays the same real tensors through QLC's decoders and the Huffman baselines, and counts cycles.

Every tensor gets the tables of the whole tensor it is a sample of: QLC's best scheme of 8 areas and four
lengths, or the canonical Huffman code of at most 16 bits (of at least 3 for the wide decoder). Prints a line
a decoder and writes a JSON line a packet to ``build/compare/DECODER.jsonl``, whose keys are in
``docs/baseline.md``.

Exit status: 0 all right, 1 a symbol came out wrong or a simulation failed, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from committed_data import ROOT, Sample, histograms, samples
from committed_data import check as check_data
from qlc import huffman, table_files
from qlc.scheme import PRESETS
from qlc.table import calibrate

# The simulation imports from here too: cocotb hands this path on.
sys.path.insert(0, str(ROOT / "tb"))
from qlc_tb.simulation import BASELINE, SIMULATORS, SimulationError, run

# The first feed-forward layers' activations, which the published static scheme is made for.
TENSORS = "layers.*.ffn_[gu]*.act"
OUT = ROOT / "build" / "compare"
PLAYER = ROOT / "tb" / "decoder_player"


@dataclass(frozen=True)
class Decoder:
    """A decoder of the harness, and the bits of its input beat."""

    number: int
    word_bits: int = 32

    @property
    def wide(self) -> bool:
        """Whether it takes a whole beat every cycle."""
        return self.number in (1, 4)

    @property
    def is_huffman(self) -> bool:
        """Whether it is a baseline."""
        return self.number >= 2


DECODERS = {
    "qlc_core": Decoder(0),
    "huffman_serial": Decoder(2),
    "huffman_core": Decoder(3),
    **{
        f"{code}_wide_{w}": Decoder(n, w)
        for w in (8, 16, 32, 64, 128, 256, 512)
        for code, n in (("qlc", 1), ("huffman", 4))
        # Verilator takes very long for the widest baseline.
        if (code, w) != ("huffman", 512)
    },
}


def write_jobs(chosen: list[Sample], decoder: Decoder, scheme: str, folder: Path) -> Path:
    """Writes each tensor's table, and the file that names them."""
    counted = histograms()
    jobs = []
    for sample in chosen:
        name = sample.tensor.name
        histogram = counted[sample.histogram]
        if decoder.is_huffman:
            code = huffman.huffman_table(histogram.counts, shortest=3 if decoder.wide else 0)
            file = huffman.write_table(code, folder, name)[0]
        else:
            table = calibrate(histogram.counts, histogram.dtype, PRESETS.get(scheme, "auto"), name, 0)
            file = table_files.write_table(table, folder)[-1]
        jobs.append({"tensor": name, "file": str(sample.file), "table": str(file)})
    path = folder / "jobs.json"
    path.write_text(json.dumps(jobs))
    return path


def measure(
    name: str, chosen: list[Sample], *, simulator: str = "verilator", scheme: str = "auto", out: Path = OUT
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
        sources=[*BASELINE, PLAYER / "decoder_player.v"],
        control=PLAYER / "public.vlt",
        parameters={"DECODER": decoder.number, "WORD_BITS": decoder.word_bits},
        seed=1,
        environment={
            "QLC_JOBS": str(write_jobs(chosen, decoder, scheme, folder)),
            "QLC_RESULTS": str(results),
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
    wide = DECODERS[rows[0]["decoder"]].wide
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


HEAD = "decoder           bits/symbol  symbols/cycle  latency    stalls"


def line(total: dict[str, Any]) -> str:
    """A decoder's line under ``HEAD``."""
    low, high = total["latency"]
    latency = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"{total['decoder']:17} {total['bits']:11.3f} {total['rate']:14.3f}  {latency:9} {total['stalls']:7}"
    )


def main() -> int:
    """Measures the decoders that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sim", choices=SIMULATORS, default="verilator")
    parser.add_argument("--tensor", default=TENSORS, metavar="GLOB", help=f"tensors (default: {TENSORS})")
    parser.add_argument("--scheme", choices=("auto", "table1", "table2"), default="table1", help="of QLC")
    parser.add_argument("--decoder", nargs="+", choices=DECODERS, default=list(DECODERS), metavar="NAME")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    arguments = parser.parse_args()
    if (wrong := check_data()) is not None:
        parser.error(wrong)
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--out {arguments.out}: {error.strerror}")
    chosen = [s for s in samples() if fnmatch.fnmatch(s.tensor.name, arguments.tensor)]
    if not chosen:
        parser.error(f"--tensor {arguments.tensor}: no such tensor")
    print(HEAD, flush=True)
    for name in arguments.decoder:
        try:
            rows = measure(
                name, chosen, simulator=arguments.sim, scheme=arguments.scheme, out=arguments.out.resolve()
            )
        except SimulationError as error:
            print(f"compare: {name}: {error}", file=sys.stderr)
            return 1
        print(line(summary(rows)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
