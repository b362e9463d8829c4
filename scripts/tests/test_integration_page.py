"""docs/integration.md: its template elaborates as it stands, and its tables say what the sources say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from qlc.bounds import BUILDS, DEFAULT_BOUNDS
from qlc_tb.simulation import prepare_environment
from qlc_tb.sources import FILE_LIST, RTL, module_file

from scripts import ROOT

PAGE = (ROOT / "docs" / "integration.md").read_text()
TOPS = ("qlc_encoder", "qlc_decoder")
# The decoder's buses are of one width, and of others. `make lint` has all.
WIDTHS = (64, 512)
# The smallest build is soonest elaborated.
RAW = {"SHORTEST": 4, "RAW_BITS": 3}


def template() -> str:
    """The page's only Verilog."""
    [text] = re.findall(r"^```verilog\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def rows(title: str) -> list[list[str]]:
    """The cells of the table whose first column has this title."""
    _, _, rest = PAGE.partition(f"\n| {title} | ")
    lines = rest[: rest.index("\n\n")].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def said(folder: Path, text: str, *command: str) -> str:
    """What a tool says of a template, which is nothing when all is well."""
    prepare_environment()
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    (folder / "my_codec.v").write_text(text)
    done = subprocess.run([*command, "my_codec.v"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr + f"status {done.returncode}" * (done.returncode != 0)


def icarus(folder: Path, text: str, width: int) -> str:
    """What Icarus says."""
    options = ["-g2005", "-Wall", "-s", "my_codec", "-o", os.devnull]
    options += [f"-Pmy_codec.{name}={value}" for name, value in {"WORD_BITS": width, **RAW}.items()]
    return said(folder, text, "iverilog", *options, *map(str, RTL))


def verilator(folder: Path, text: str, width: int) -> str:
    """What Verilator says."""
    options = ["--lint-only", "--quiet", "-Wall", "--top-module", "my_codec"]
    options += [f"-G{name}={value}" for name, value in {"WORD_BITS": width, **RAW}.items()]
    return said(folder, text, "verilator", *options, "-F", str(FILE_LIST))


@pytest.mark.parametrize(("tool", "width"), [*((icarus, width) for width in WIDTHS), (verilator, WIDTHS[0])])
def test_template_elaborates(tool: Callable[[Path, str, int], str], width: int, tmp_path: Path) -> None:
    assert tool(tmp_path, template(), width) == ""


@pytest.mark.parametrize("tool", [icarus, verilator])
def test_wrong_template_is_refused(tool: Callable[[Path, str, int], str], tmp_path: Path) -> None:
    right = ".s_axis_tlast(coded_in_tlast),"
    assert template().count(right) == 1
    assert tool(tmp_path, template().replace(right, ".s_axis_tlats(coded_in_tlast),"), 64) != ""


@pytest.mark.parametrize("top", TOPS)
def test_template_connects_all(top: str) -> None:
    source = module_file(top).read_text()
    ports = re.findall(r"^ +(?:input|output) +wire .*?(\w+),?$", source, re.MULTILINE)
    free, _, _ = source.partition("// Not to be set")
    parameters = re.findall(r"^ +parameter (\w+) =", free, re.MULTILINE)
    [instance] = re.findall(rf"^{top} #\((.*?)^\);", template(), re.MULTILINE | re.DOTALL)
    assert re.findall(r"\.(\w+)\(", instance) == [*parameters, *ports]


def test_parameters_are_those_of_the_sources() -> None:
    defaults: dict[str, str] = {}
    for top in TOPS:
        defaults |= dict(re.findall(r"^ +parameter (\w+) = (\d+),?$", module_file(top).read_text(), re.M))
    listed = {name.strip("`"): default for name, default, *_ in rows("parameter")}
    assert listed.keys() == defaults.keys() - {"BLOCK_SYMBOLS", "WORD_BITS"}
    assert listed.items() <= defaults.items()


def test_builds_are_those_of_the_model() -> None:
    default = asdict(DEFAULT_BOUNDS)
    listed = {name.strip("`"): parameters for name, parameters, _ in rows("build")}
    for name, bounds in BUILDS.items():
        changed = {key: value for key, value in asdict(bounds).items() if value != default[key]}
        text = ", ".join(f"`{key.upper()}` {value}" for key, value in changed.items())
        assert listed.pop(name) == (text or "none")
    assert not listed
