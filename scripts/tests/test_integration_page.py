"""The instantiation in ``docs/integration.md`` is what tools accept, without a warning."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from qlc_tb.simulation import prepare_environment
from qlc_tb.sources import FILE_LIST, RTL

from scripts import ROOT

PAGE = (ROOT / "docs" / "integration.md").read_text()


@pytest.fixture
def link(tmp_path: Path) -> Path:
    """The page's Verilog, in a file."""
    [text] = re.findall(r"```verilog\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "qlc_link.v"
    file.write_text(text)
    prepare_environment()
    return file


@pytest.mark.parametrize("tool", ["iverilog", "verilator"])
def test_instantiation(tool: str, link: Path) -> None:
    options = {
        "iverilog": ["-g2005", "-Wall", "-s", "qlc_link", "-o", os.devnull, *map(str, RTL), str(link)],
        "verilator": [
            "--lint-only",
            "--quiet",
            "-Wall",
            "--top-module",
            "qlc_link",
            "-F",
            str(FILE_LIST),
            str(link),
        ],
    }
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([tool, *options[tool]], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_parameters_are_those_of_the_tops() -> None:
    tables = re.findall(r"^\| (`[A-Z_`, ]+`) \| [\d, ]+ \|", PAGE, re.MULTILINE)
    named = set(re.findall(r"`([A-Z_]+)`", " ".join(tables)))
    tops = "".join((ROOT / "rtl" / f"qlc_{top}.v").read_text() for top in ("encoder", "decoder"))
    declared = set(re.findall(r"^ *parameter (\w+) =", tops, re.MULTILINE))
    assert named == declared - {"BLOCK_SYMBOLS", "WORD_BITS", "S_BYTES", "M_BYTES", "BLOCK_SLOTS"}
