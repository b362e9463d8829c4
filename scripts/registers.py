"""Makes the C header and the HTML register reference from ``rtl/qlc_regs.rdl``.

Needs ``requirements-docs.txt``. The header is committed; ``--check`` tells whether it is up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

from scripts import ROOT
from scripts.interrupt import end_on_signals

RDL = ROOT / "rtl" / "qlc_regs.rdl"
TOP = "qlc_regs"
HEADER = ROOT / "include" / "qlc_regs.h"
HTML = ROOT / "build" / "registers"
LICENCE = "// SPDX-License-Identifier: Apache-2.0\n// Copyright (c) 2026 The QLC authors\n\n"


def header() -> str:
    """The C header's text."""
    from peakrdl_cheader.exporter import CHeaderExporter
    from systemrdl import RDLCompiler

    compiler = RDLCompiler()
    compiler.compile_file(str(RDL))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / HEADER.name
        # Names from where a register is, not from what its type happens to be called.
        CHeaderExporter().export(compiler.elaborate(TOP).top, str(path), reuse_typedefs=False)
        return LICENCE + _as_c99(path.read_text())


def _as_c99(text: str) -> str:
    """The header without ``static_assert``, which C has since 2011 only."""
    return re.sub(
        r"static_assert\((.*), \"Packing error\"\);",
        r"// An array of -1 entries, which no compiler takes, where the structure has gaps.\n"
        r"typedef char qlc_regs_have_no_gaps[(\1) ? 1 : -1];",
        text,
    )


def html(folder: Path) -> None:
    """Writes the HTML reference, ``index.html`` and what it needs."""
    from peakrdl_html import HTMLExporter
    from systemrdl import RDLCompiler

    compiler = RDLCompiler()
    compiler.compile_file(str(RDL))
    HTMLExporter().export(compiler.elaborate(TOP).top, str(folder))


def main() -> int:
    """Writes both, or checks the header."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--html", type=Path, default=HTML, metavar="DIR", help=f"default: {HTML}")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 when the header is old")
    arguments = parser.parse_args()
    try:
        text = header()
        if arguments.check:
            current = HEADER.is_file() and HEADER.read_text() == text
            print(f"{HEADER}: {'up to date' if current else 'not what rtl/qlc_regs.rdl gives'}")
            return 0 if current else 1
        html(arguments.html)
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed: pip install -r requirements-docs.txt", file=sys.stderr)
        return 2
    HEADER.parent.mkdir(exist_ok=True)
    HEADER.write_text(text)
    print(f"{HEADER}\n{arguments.html}/index.html")
    return 0


if __name__ == "__main__":
    end_on_signals("registers")
    sys.exit(main())
