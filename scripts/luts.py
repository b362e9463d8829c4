"""Writes the tables of every layer in ``data/``, ready for ``$readmemh``: ``make lut``."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from qlc.atomic import Data, signals_unwind, write_all_atomic
from qlc.table_files import render_table
from rich.console import Console
from rich.progress import track

from scripts import ROOT
from scripts.codes import CONTENDERS, contender
from scripts.committed_data import check, histograms
from scripts.interrupt import end_on_signals


def main() -> int:
    """Makes a table from each histogram; its id is its layer, so that one kind's tables fit together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "luts", metavar="DIR")
    parser.add_argument(
        "--scheme",
        default="auto",
        help=f"{', '.join(CONTENDERS)}, a preset, P:e,e,... or LxN,...,L (default: auto)",
    )
    arguments = parser.parse_args()
    try:
        chosen = contender(arguments.scheme)
    except ValueError as error:
        parser.error(f"--scheme {arguments.scheme}: {error}")
    if (damage := check()) is not None:
        print(f"lut: {damage}", file=sys.stderr)
        return 1
    found = histograms().values()
    files: dict[Path, Data] = {}
    try:
        bar = track(found, "tables", console=Console(stderr=True), transient=True)
        for histogram in bar if sys.stderr.isatty() else found:
            table = replace(chosen.table(histogram, histogram.name), table_id=histogram.layer)
            files.update(render_table(table, arguments.out))
        arguments.out.mkdir(parents=True, exist_ok=True)
        with signals_unwind():
            write_all_atomic(files)  # all of them or none
    except OSError as error:
        print(f"lut: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("lut: interrupted", file=sys.stderr)
        return 130
    print(f"{len(found)} tables in {arguments.out}")
    return 0


if __name__ == "__main__":
    end_on_signals("lut")
    sys.exit(main())
