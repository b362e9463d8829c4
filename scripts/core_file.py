"""Writes the version and the files of ``rtl/qlc.f`` into qlc.core, the description for FuseSoC.

Run it when that list or the version changes. With ``--check`` it writes
nothing, and exit status 1 says that the file is not up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

import qlc
from qlc_tb.sources import BASELINE, ROOT, RTL

from scripts.interrupt import end_on_signals

CORE = ROOT / "qlc.core"


def sources() -> dict[str, list[str]]:
    """The Verilog by fileset, as paths from the core file."""
    return {
        "rtl": [path.relative_to(ROOT).as_posix() for path in RTL],
        "baseline": [path.relative_to(ROOT).as_posix() for path in BASELINE],
    }


def with_files(text: str, fileset: str, files: Sequence[str]) -> str:
    """The core file with other files in a fileset. Raises ValueError where it has no such fileset."""
    lines = "".join(f"\n      - {file}" for file in files) or " []"
    pattern = rf"(?m)(^  {fileset}:\n    file_type: .*\n    files:)(?: \[\]|(?:\n      - .*)+)"
    changed, found = re.subn(pattern, rf"\g<1>{lines}", text)
    if found != 1:
        raise ValueError(f"fileset {fileset}: found {found} times")
    return changed


def with_version(text: str, version: str) -> str:
    """The core file with another version. Raises ValueError where it has none."""
    changed, found = re.subn(r"(?m)^(name: ::qlc:).*$", rf"\g<1>{version}", text)
    if found != 1:
        raise ValueError(f"name: found {found} times")
    return changed


def render(text: str) -> str:
    """The core file as it should be."""
    for fileset, files in sources().items():
        text = with_files(text, fileset, files)
    return with_version(text, qlc.__version__)


def main() -> int:
    """Writes the file, or says that it is not up to date."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    text = CORE.read_text()
    try:
        wanted = render(text)
    except ValueError as error:
        print(f"core_file: {CORE.name}: {error}", file=sys.stderr)
        return 1
    if arguments.check and text != wanted:
        print(f"core_file: {CORE.name} is not up to date: run python -m scripts.core_file", file=sys.stderr)
        return 1
    if text != wanted:
        CORE.write_text(wanted)
    return 0


if __name__ == "__main__":
    end_on_signals("core_file")
    sys.exit(main())
