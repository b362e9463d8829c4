"""Writes docs/figures.md, its plot and README's table from results: ``make figures``.

Takes what ``make synth`` and ``make bench`` left in ``build``, keeps it in ``docs/figures/*.json``, and
renders everything from those files alone. A target, width or decoder that was not measured
anew keeps its figures.

Exit status: 0 all right, 1 results that cannot be read, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from figures_page import Row, headline, render
from figures_plot import plot

ROOT = Path(__file__).resolve().parents[1]
STORE = ROOT / "docs" / "figures"
PAGE = ROOT / "docs" / "figures.md"
README = ROOT / "README.md"
# What the tools leave among the results
TOOLS = (".stat.json", ".tables.json", ".report.json")
MARKS = ("<!-- make figures -->", "<!-- end of make figures -->")


def read(file: Path) -> Any:  # noqa: ANN401, a list or an object
    """A JSON file; raises ValueError naming it."""
    try:
        return json.loads(file.read_text())
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def with_new_synthesis(kept: Sequence[Row], folder: Path) -> list[Row]:
    """The kept targets, those that were measured anew replaced."""
    files = (file for file in sorted(folder.glob("*.json")) if not file.name.endswith(TOOLS))
    rows = [*kept, *(read(file) for file in files)]
    synth = {(row["target"], row["technology"]): row for row in rows if "technology" in row}
    for row in synth.values():
        for timing in row.get("timing", {}).values():
            timing["paths"] = {
                kind: path
                for kind, path in timing["paths"].items()
                if path["period_ps"] == timing["period_ps"]
            }
    return sorted(
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


def narrow_first(row: Row) -> tuple[int, str]:
    """Widths in order."""
    name = str(row.get("decoder", ""))
    return int(row.get("word_bits", name.rpartition("_")[2] if "wide" in name else 0)), name


def with_new_bench(kept: Row, file: Path) -> Row:
    """The kept widths and decoders, those that were measured anew on the same tensors replaced."""
    if not file.exists():
        return kept
    new: Row = read(file)
    if any(new[key] != kept[key] for key in ("pattern", "scheme", "symbols")):
        raise ValueError(f"{file}: other tensors or another scheme than in {STORE / 'bench.json'}")
    for part, key in (("rows", "word_bits"), ("decoders", "decoder")):
        rows = {row[key]: row for row in (*kept[part], *new[part])}
        new[part] = sorted(rows.values(), key=narrow_first)
    return new


def readme(text: str, table: Sequence[str]) -> str:
    """README with a new table between its marks."""
    before, _, rest = text.partition(MARKS[0])
    _, mark, after = rest.partition(MARKS[1])
    if not mark:
        raise ValueError(f"README.md: no {MARKS[0]} ... {MARKS[1]}")
    return "\n".join([before + MARKS[0], *table, mark]) + after


def load(folder: Path = STORE) -> tuple[list[Row], Row]:
    """The kept results: of synthesis, and of the bench."""
    return read(folder / "synth.json"), read(folder / "bench.json")


def main() -> int:
    """Takes over new results and writes the page, the plot and README's table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="DIR", help="new results")
    arguments = parser.parse_args()
    if not arguments.build.is_dir():
        parser.error(f"--build {arguments.build}: no such folder")
    try:
        synth, bench = load()
        synth = with_new_synthesis(synth, arguments.build / "synth")
        bench = with_new_bench(bench, arguments.build / "bench" / "bench.json")
        # All is rendered before anything is written.
        page = render(synth, bench)
        front = readme(README.read_text(), headline(synth, bench))
    except ValueError as error:
        print(f"figures: {error}", file=sys.stderr)
        return 1
    except (KeyError, TypeError) as error:
        print(f"figures: {arguments.build}: results of another kind: {error!r}", file=sys.stderr)
        return 1
    (STORE / "synth.json").write_text(json.dumps(synth, indent=1) + "\n")
    (STORE / "bench.json").write_text(json.dumps(bench, indent=1) + "\n")
    PAGE.write_text(page)
    README.write_text(front)
    plot(synth, bench, STORE / "area.svg")
    print(PAGE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
