"""Writes docs/figures.md and the JSON files behind it from fresh results: ``make figures``.

Takes what ``make synth`` and ``make bench`` left in ``build``, keeps it in ``docs/figures/*.json``, and
renders the page from those files alone. A target that was not measured anew keeps its figures.

Exit status: 0 all right, 1 results that cannot be read, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
STORE = ROOT / "docs" / "figures"
PAGE = ROOT / "docs" / "figures.md"
BITS_PER_SYMBOL = 8

HEAD = """# Figures

Written by `make figures` from the JSON files in `docs/figures/`; nothing here is typed by hand.
"""

SYNTH = """
## Area and clock

Yosys {yosys}, OpenSTA {opensta}. After synthesis: no wires, ideal clock, no clock gating, tables in
flip-flops. ASAP7 is a predictive 7 nm library of no foundry. Area in um2, of all cells, and of the
flip-flops that store tables; the clock is the inverse of the longest path with setup, in each corner.
`symbols/cycle` of a decoder is measured below; an encoder's is its `SYMBOLS`.
"""

BENCH = """
## Decoding rate

{simulator}; {tensors} tensors (`{pattern}`), {symbols} symbols, scheme {scheme}, {bits:.3f} bits a
symbol with all headers. Each is a packet of blocks of {block} symbols through `qlc_decoder`, which
has its input at once; the rate is of the symbols between the first beat out and the last, over the cycles
from the one to the other; where beats take many cycles, that the first one waits for what is behind it
flatters this a little. The limit is a full word every cycle: word bits over bits a symbol. Latency is from
the first beat in to the first beat out.
"""


def read_results(folder: Path) -> list[dict[str, Any]]:
    """The JSON files of a folder, by name."""
    return [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]


def store(build: Path) -> None:
    """Takes over new results."""
    STORE.mkdir(parents=True, exist_ok=True)
    kept = STORE / "synth.json"
    synth = {row["target"]: row for row in json.loads(kept.read_text())} if kept.exists() else {}
    for result in read_results(build / "synth"):
        if "target" in result and result["timing"]:
            for timing in result["timing"].values():
                timing["paths"] = {
                    kind: path
                    for kind, path in timing["paths"].items()
                    if path["period_ps"] == timing["period_ps"]
                }
            synth[result["target"]] = result
    rows = sorted(synth.values(), key=lambda row: (row["top"], *row["parameters"].values()))
    kept.write_text(json.dumps(rows, indent=1) + "\n")
    bench = build / "bench" / "bench.json"
    if bench.exists():
        (STORE / "bench.json").write_text(bench.read_text())


def rate(result: dict[str, Any], bench: dict[str, Any]) -> float | None:
    """Symbols a cycle of a synthesised module, where that is known."""
    parameters = result["parameters"]
    if "encoder" in result["top"]:
        return float(parameters.get("SYMBOLS", 32))
    if result["top"] == "qlc_decoder_core":
        return 1.0
    if "decoder" not in result["top"]:
        return None
    word_bits = parameters.get("WORD_BITS", 256 if result["top"] == "qlc_decoder_wide" else 0)
    return next((row["rate"] for row in bench["rows"] if row["word_bits"] == word_bits), None)


def synth_table(synth: list[dict[str, Any]], bench: dict[str, Any]) -> list[str]:
    """Area and clock, a line a target."""
    corners = list(synth[0]["timing"])
    titles = ["module", "parameters", "symbols/cycle", "area", "tables", "area per symbol/cycle"]
    titles += [f"{corner} GHz" for corner in corners] + [f"Gb/s of symbols, {corners[0]}", "longest path"]
    lines = [f"| {' | '.join(titles)} |", "|" + " --- |" * len(titles)]
    for result in synth:
        symbols = rate(result, bench)
        first = result["timing"][corners[0]]
        path = max(first["paths"].values(), key=lambda path: float(path["period_ps"]))
        cells = [
            f"`{result['top']}`",
            ", ".join(f"{key} {value}" for key, value in result["parameters"].items()) or "defaults",
            "" if symbols is None else f"{symbols:.1f}",
            f"{result['area_um2']:.0f}",
            f"{result['table_storage_area_um2']:.0f}",
            "" if symbols is None else f"{result['area_um2'] / symbols:.0f}",
            *(f"{result['timing'][corner]['clock_ghz']:.2f}" for corner in corners),
            "" if symbols is None else f"{symbols * BITS_PER_SYMBOL * first['clock_ghz']:.0f}",
            f"`{path['start']}` to `{path['end']}`",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def bench_table(bench: dict[str, Any]) -> list[str]:
    """Rates, a line a word width."""
    lines = ["| decoder | symbols/cycle | limit | share of it | latency, cycles |", "|" + " --- |" * 5]
    for row in bench["rows"]:
        name = f"wide, WORD_BITS {row['word_bits']}" if row["word_bits"] else "core"
        lines.append(
            f"| {name} | {row['rate']:.2f} | {row['limit']:.2f} | {100 * row['rate'] / row['limit']:.1f} % "
            f"| {row['latency']} |"
        )
    return lines


def render(folder: Path = STORE) -> str:
    """The page, from the JSON files of a folder."""
    synth = json.loads((folder / "synth.json").read_text())
    bench = json.loads((folder / "bench.json").read_text())
    lines = [HEAD]
    if synth:
        lines += [SYNTH.format(**synth[0]["tools"]), *synth_table(synth, bench)]
    lines += [BENCH.format(**bench), *bench_table(bench)]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Takes over new results and writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="DIR", help="new results")
    arguments = parser.parse_args()
    try:
        store(arguments.build)
        PAGE.write_text(render())
    except (OSError, ValueError, KeyError) as error:
        print(f"figures: {error!r}", file=sys.stderr)
        return 1
    print(PAGE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
