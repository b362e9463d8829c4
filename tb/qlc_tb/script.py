"""``make sim``'s script, run as a user does, and what must be true of every run."""

from __future__ import annotations

import fnmatch
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from qlc.tensors import read_tensors

from qlc_tb.sources import ROOT


def sim(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the script from another folder."""
    return subprocess.run(
        [sys.executable, "-m", "scripts.sim", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def tensors_in_data() -> set[str]:
    """The names of all committed tensors, read without the script's own code."""
    files = [f for f in (ROOT / "data").glob("*.safetensors") if f.name != "histograms.safetensors"]
    return {tensor.name for file in files for tensor in read_tensors(file)}


def tensors_pass(pattern: str, out: Path, *arguments: str) -> list[dict[str, Any]]:
    """Runs the script over the tensors that a pattern names, checks all it reports, and gives the results."""
    wanted = set(fnmatch.filter(tensors_in_data(), pattern))
    done = sim("--tensor", pattern, *arguments, "--out", str(out))
    assert done.returncode == 0, done.stdout + done.stderr
    rows: list[dict[str, Any]] = json.loads((out / "results.json").read_text())["tensors"]
    assert wanted
    assert {row["tensor"] for row in rows} == wanted
    for row in rows:
        assert row["mismatches"] == row["error"] == row["unstable"] == 0
        assert row["coded_bytes"] == row["golden_bytes"]
    cases = ElementTree.parse(out / "results.xml").getroot().findall("testcase")
    assert len(cases) == len(rows)
    # One line a tensor, the titles and the summary.
    assert len(done.stdout.splitlines()) == len(wanted) + 2
    return rows


def planted_fault_is_red(out: Path, *arguments: str) -> None:
    """Runs the script with one table bit flipped in the hardware; it must fail in every way."""
    done = sim(*arguments, "--plant-fault", "--tensor", "layers.12.attn.prob.scale", "--out", str(out))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("FAIL: ")
    assert json.loads((out / "results.json").read_text())["summary"]["mismatches"] > 0
    assert ElementTree.parse(out / "results.xml").getroot().find("testcase/failure") is not None
