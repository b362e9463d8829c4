"""qlc.core, the description for FuseSoC: it lists the Verilog, and, where FuseSoC is installed, it runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from qlc_tb.simulation import prepare_environment
from qlc_tb.sources import BASELINE, RTL

from scripts import ROOT, core_file

TEXT = core_file.CORE.read_text()
FUSESOC = Path(sys.executable).with_name("fusesoc")
NEEDS_FUSESOC = pytest.mark.skipif(
    not FUSESOC.exists(), reason="fusesoc: pip install -r requirements-fusesoc.txt"
)


def test_files_are_the_verilog_of_rtl() -> None:
    listed = re.findall(r"^      - (rtl/\S+)$", TEXT, re.MULTILINE)
    assert len(listed) > 50
    assert sorted(listed) == sorted(str(path.relative_to(ROOT)) for path in (ROOT / "rtl").rglob("*.v"))


def test_other_files_are_there() -> None:
    others = re.findall(r"^      - (tb/[^\s:]+)", TEXT, re.MULTILINE)
    assert others
    assert all((ROOT / path).is_file() for path in others)


def test_is_up_to_date() -> None:
    assert core_file.render(TEXT) == TEXT


def test_parameters_are_those_of_the_tops() -> None:
    declared = re.findall(r"^  ([A-Z_]+):$", TEXT, re.MULTILINE)
    for path in (ROOT / "rtl").rglob("qlc_decoder.v"), (ROOT / "tb").rglob("qlc_pair.v"):
        [file] = path
        assert set(declared) <= set(re.findall(r"^ *parameter (\w+) =", file.read_text(), re.MULTILINE))
    [used] = re.findall(r"&bounds \[(.*)\]", TEXT)
    assert used.split(", ") == declared


def test_files_are_put_in_place() -> None:
    text = core_file.with_files(TEXT, "rtl", ["rtl/a.v", "rtl/core/b.v"])
    assert "    files:\n      - rtl/a.v\n      - rtl/core/b.v\n\n  baseline:" in text
    empty = core_file.with_files(text, "rtl", [])
    assert "    files: []\n\n  baseline:" in empty
    assert core_file.render(empty) == TEXT


def test_the_list_has_each_file_of_rtl() -> None:
    assert sorted(RTL + BASELINE) == sorted((ROOT / "rtl").rglob("*.v"))
    folders = [file.parent.name for file in RTL]
    assert list(dict.fromkeys(folders)) == ["rtl", "encoder", "decoder", "wide", "common"]


def test_what_cannot_be_written_is_named() -> None:
    with pytest.raises(ValueError, match=r"^fileset nothing: found 0 times$"):
        core_file.with_files(TEXT, "nothing", [])
    with pytest.raises(ValueError, match=r"^name: found 0 times$"):
        core_file.with_version("", "1.0.0")


def fusesoc(build: Path, *arguments: str) -> str:
    """What FuseSoC says, which must end well."""
    prepare_environment()
    command = [str(FUSESOC), "--cores-root", str(ROOT), "run", "--build-root", str(build), *arguments]
    done = subprocess.run(command, cwd=build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@NEEDS_FUSESOC
class TestFuseSoC:
    @pytest.mark.parametrize("target", ["lint", "lint_baseline"])
    def test_lint(self, tmp_path: Path, target: str) -> None:
        said = fusesoc(tmp_path, f"--target={target}", "qlc")
        assert "verilator -f" in said
        assert "%Warning" not in said
        [options] = tmp_path.glob("*/*/*.vc")
        assert options.read_text().splitlines()[1:3] == ["--lint-only", "-Wall"]

    def test_a_parameter_reaches_verilator(self, tmp_path: Path) -> None:
        fusesoc(tmp_path, "--setup", "--target=lint", "qlc", "--WORD_BITS=64")
        [options] = tmp_path.glob("*/*/*.vc")
        assert options.read_text().splitlines()[-1] == "-GWORD_BITS=64"

    @pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not installed")
    def test_sim(self, tmp_path: Path) -> None:
        assert "qlc_smoke: 12 packets of " in fusesoc(tmp_path, "--target=sim", "qlc")

    def test_synth_is_set_up(self, tmp_path: Path) -> None:
        fusesoc(tmp_path, "--setup", "--target=synth", "qlc")
        [script] = tmp_path.glob("*/*/edalize_yosys_procs.tcl")
        assert script.read_text().count("read_verilog {") == len(core_file.sources()["rtl"])
