"""Writes docs/figures.md, its plot and README's table from results: ``make figures``.

Takes what ``make synth`` and ``make bench`` left in ``build``, keeps it in ``docs/figures/*.json``, and
renders everything from those files alone. A target that was not measured anew keeps its figures.

Exit status: 0 all right, 1 results that cannot be read, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from figures_page import Row, headline, render
from figures_plot import plot

ROOT = Path(__file__).resolve().parents[1]
STORE = ROOT / "docs" / "figures"
PAGE = ROOT / "docs" / "figures.md"
README = ROOT / "README.md"
MARKS = ("<!-- make figures -->", "<!-- end of make figures -->")


def store(build: Path) -> None:
    """Takes over new results."""
    STORE.mkdir(parents=True, exist_ok=True)
    kept = STORE / "synth.json"
    rows = json.loads(kept.read_text()) if kept.exists() else []
    rows += [json.loads(file.read_text()) for file in sorted((build / "synth").glob("*.json"))]
    synth = {(row["target"], row["technology"]): row for row in rows if "technology" in row}
    for row in synth.values():
        for timing in row.get("timing", {}).values():
            timing["paths"] = {
                kind: path
                for kind, path in timing["paths"].items()
                if path["period_ps"] == timing["period_ps"]
            }
    ordered = sorted(
        synth.values(),
        key=lambda row: (
            # Cell libraries, FPGA, transistors
            "area_um2" not in row,
            "luts" not in row,
            row["technology"],
            row["top"],
            row["tables"],
            *row["parameters"].values(),
        ),
    )
    kept.write_text(json.dumps(ordered, indent=1) + "\n")
    bench = build / "bench" / "bench.json"
    if bench.exists():
        (STORE / "bench.json").write_text(bench.read_text())


def readme(text: str, table: Sequence[str]) -> str:
    """README with a new table between its marks."""
    before, _, rest = text.partition(MARKS[0])
    _, mark, after = rest.partition(MARKS[1])
    if not mark:
        raise ValueError(f"README.md: no {MARKS[0]} ... {MARKS[1]}")
    return "\n".join([before + MARKS[0], *table, mark]) + after


def load(folder: Path = STORE) -> tuple[list[Row], Row]:
    """The kept results: of synthesis, and of the bench."""
    synth = json.loads((folder / "synth.json").read_text())
    return synth, json.loads((folder / "bench.json").read_text())


def main() -> int:
    """Takes over new results and writes the page, the plot and README's table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="DIR", help="new results")
    arguments = parser.parse_args()
    try:
        store(arguments.build)
        synth, bench = load()
        PAGE.write_text(render(synth, bench))
        README.write_text(readme(README.read_text(), headline(synth, bench)))
        plot(synth, bench, STORE / "area.svg")
    except (OSError, ValueError, KeyError) as error:
        print(f"figures: {error!r}", file=sys.stderr)
        return 1
    print(PAGE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
