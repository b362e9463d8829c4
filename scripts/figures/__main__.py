"""Writes docs/figures.md, its plot and README's table from results: ``make figures``.

Takes what ``make synth`` and ``make bench`` left in ``build``, and keeps it in ``docs/figures/*.json``.
Everything is written from these files, and from ``study.json`` beside them, which ``make study`` keeps. A
target, width or decoder that was not measured again keeps its figures. One that no longer exists, or has
other parameters now, is dropped.

Exit status: 0 all right, 1 results that cannot be read, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts import ROOT, markdown
from scripts.compare import DECODERS
from scripts.figures.losses import losses
from scripts.figures.page import headline, render
from scripts.figures.plot import plot
from scripts.interrupt import end_on_signals
from scripts.synth.results import Row
from scripts.synth.targets import TARGETS

STORE = ROOT / "docs" / "figures"
PAGE = ROOT / "docs" / "figures.md"
README = ROOT / "README.md"
# What the tools leave among the results
TOOLS = (".stat.json", ".tables.json", ".report.json")


def read(file: Path) -> Any:  # noqa: ANN401, a list or an object
    """A JSON file; raises ValueError naming it."""
    try:
        return json.loads(file.read_text())
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def is_target(row: Row) -> bool:
    """Whether a result is of a target as ``make synth`` knows it."""
    target = TARGETS.get(row["target"])
    if target is None:
        return False
    return (row["top"], row["parameters"], row["tables"]) == (target.top, target.parameters, target.tables)


def with_new_synthesis(kept: Sequence[Row], folder: Path) -> list[Row]:
    """The kept targets, those that were measured anew replaced."""
    order = list(TARGETS)
    files = (file for file in sorted(folder.glob("*.json")) if not file.name.endswith(TOOLS))
    rows = [*kept, *(read(file) for file in files)]
    synth = {
        (row["target"], row["technology"]): row for row in rows if "technology" in row and is_target(row)
    }
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
            order.index(row["target"]),
        ),
    )


def narrow_first(row: Row) -> tuple[int, int]:
    """Widths and decoders in order."""
    name = str(row.get("decoder", ""))
    place = list(DECODERS).index(name) if name in DECODERS else 0
    return int(row.get("word_bits", 0)), place


def with_new_bench(kept: Row, file: Path) -> Row:
    """The kept widths and decoders, those that were measured anew on the same tensors replaced."""
    new: Row = read(file) if file.exists() else kept
    if any(new[key] != kept[key] for key in ("pattern", "scheme", "symbols")):
        raise ValueError(f"{file}: other tensors or another code than in {STORE / 'bench.json'}")
    parts = {}
    for part, key in (("rows", "word_bits"), ("decoders", "decoder")):
        rows = {row[key]: row for row in (*kept[part], *new[part])}
        parts[part] = sorted(rows.values(), key=narrow_first)
    parts["decoders"] = [row for row in parts["decoders"] if row["decoder"] in DECODERS]
    return {**new, **parts}


def readme(text: str, table: Sequence[str]) -> str:
    """README with a new table between its marks."""
    try:
        return markdown.with_lines(text, "make figures", table)
    except ValueError as error:
        raise ValueError(f"README.md: {error}") from None


def load() -> tuple[list[Row], Row, list[Row]]:
    """The kept results: of synthesis, of the bench, and, from the study, what codes lose."""
    return read(STORE / "synth.json"), read(STORE / "bench.json"), losses(read(STORE / "study.json"))


def main() -> int:
    """Takes over new results and writes the page, the plot and README's table."""
    parser = argparse.ArgumentParser(
        prog="figures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="DIR", help="new results")
    arguments = parser.parse_args()
    if not arguments.build.is_dir():
        parser.error(f"--build {arguments.build}: no such folder")
    try:
        synth, bench, lost = load()
        synth = with_new_synthesis(synth, arguments.build / "synth")
        bench = with_new_bench(bench, arguments.build / "bench" / "bench.json")
        # All is rendered before anything is written.
        page = render(synth, bench, lost)
        front = readme(README.read_text(), headline(synth, bench, lost))
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
    plot(synth, lost, STORE / "area.svg")
    print(PAGE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    end_on_signals("figures")
    sys.exit(main())
