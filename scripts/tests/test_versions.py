"""Versions that are written in more than one place agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import qlc
from qlc_tb.registers import RegisterMap

from scripts import ROOT

# Where the package's version is, but for qlc.__version__, which is what sets it.
PACKAGE = {
    "CITATION.cff": r"^version: (.*)$",
    "qlc.core": r"^name: ::qlc:(.*)$",
    # The newest entry comes first; what is not in a version yet may stand above it.
    "CHANGELOG.md": r"\A(?s:.*?)^## \[?(\d[^\]\s]*)\]? - ",
}


def only(file: Path, pattern: str) -> str:
    """What a pattern finds in a file, which must be once."""
    found = re.findall(pattern, file.read_text(), re.MULTILINE)
    assert len(found) == 1, f"{file.name}: {pattern}: {found}"
    return str(found[0])


def test_version_is_semantic() -> None:
    assert re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", qlc.__version__)


@pytest.mark.parametrize("name", PACKAGE)
def test_package(name: str) -> None:
    assert only(ROOT / name, PACKAGE[name]) == qlc.__version__


def test_package_metadata_takes_it_from_the_module() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    assert not re.search(r'^version = "', project, re.MULTILINE)
    assert only(ROOT / "pyproject.toml", r"^version = \{ attr = \"(.*)\" \}$") == "qlc.__version__"


def map_version() -> list[int]:
    """Major, minor and patch of the register map, from its description."""
    register = RegisterMap()["version"]
    return [register[part].reset for part in ("major", "minor", "patch")]


def test_register_map_in_the_rtl() -> None:
    [file] = (ROOT / "rtl").rglob("qlc_regs.v")
    major, minor, patch = map_version()
    assert (
        int(only(file, r"localparam \[31:0\] VERSION = 32'h(\w+);"), 16) == major << 16 | minor << 8 | patch
    )


def test_register_map_in_the_c_header() -> None:
    [file] = (ROOT / "include").rglob("qlc_regs.h")
    found = [
        only(file, rf"^#define QLC_REGS__VERSION__{part}_reset (\w+)$")
        for part in ("MAJOR", "MINOR", "PATCH")
    ]
    assert [int(value, 0) for value in found] == map_version()


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("docs/registers.md", r"^\| 0x004 \| `version` \|.*version of this map: ([\d.]+) \|$"),
        ("CHANGELOG.md", r"\A(?s:.*?)^- Register map ([\d.]+):"),
    ],
    ids=["registers.md", "CHANGELOG.md"],
)
def test_register_map_in_the_documents(name: str, pattern: str) -> None:
    assert only(ROOT / name, pattern) == ".".join(map(str, map_version()))
