"""The synthesis script: its targets, its usage, and, where Yosys is installed, a small target."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from qlc_tb.sources import module_file

from scripts.synth.area_parts import module_name
from scripts.synth.fpga import xilinx_cells
from scripts.synth.targets import TARGETS
from scripts.synth.tools import SynthesisError


def synth(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.synth", *arguments]
    environment = {**os.environ, "QLC_SYNTH": str(out)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("name", TARGETS)
def test_target_has_its_parameters(name: str) -> None:
    target = TARGETS[name]
    declared = set(re.findall(r"^ *parameter (\w+) =", module_file(target.top).read_text(), re.MULTILINE))
    assert set(target.parameters) | set(target.files) <= declared
    assert bool(target.files) == (target.tables == "constant")


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("\\qlc_fifo", "qlc_fifo"),
        ("$paramod\\qlc_exit_map\\RAW_BITS=s32'00000000000000000000000000000011", "qlc_exit_map"),
        ("$paramod$868bae0504c066449de85357a13417e8cae99d91\\qlc_word_window", "qlc_word_window"),
    ],
)
def test_module_name(cell: str, name: str) -> None:
    assert module_name(cell) == name


def test_xilinx_cells() -> None:
    cells = {"LUT2": 3, "LUT6": 4, "INV": 1, "RAM32M": 2, "CARRY4": 5, "FDRE": 6, "FDSE": 7, "RAMB18E1": 3}
    assert xilinx_cells(cells | {"MUXF7": 9, "$scopeinfo": 1}) == {
        "luts": 16, "carry_cells": 5, "flip_flops": 13, "block_memories": 1.5,
    }  # fmt: skip
    with pytest.raises(SynthesisError, match="DSP48E1"):
        xilinx_cells({"DSP48E1": 1})


@pytest.mark.skipif(find_spec("pyosys") is None, reason="pyosys is not installed")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target", "nothing"], "--target nothing: none of"),
        (["--lib", "nothing.lib"], "--lib nothing.lib: no such file"),
        (["--fpga", "ecp5", "--lib", "nothing.lib"], "--fpga: takes no --lib"),
        (["--fpga", "ecp5", "--seeds", "0"], "--seeds 0"),
    ],
)
def test_usage(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = synth(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(find_spec("pyosys") is None, reason="pyosys is not installed")
def test_cells_of_xilinx(tmp_path: Path) -> None:
    done = synth(tmp_path, "--fpga", "xilinx", "--target", "decoder_core_raw decoder_core_raw_memory")
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[2:6] for line in done.stdout.splitlines()[2:]]
    (luts, _, flip_flops, _), (fewer_luts, _, fewer, _) = (map(float, row) for row in rows)
    assert luts > fewer_luts > 100
    assert flip_flops >= fewer + 32 * 5


@pytest.mark.skipif(find_spec("pyosys") is None, reason="pyosys is not installed")
def test_tables_apart_from_logic(tmp_path: Path) -> None:
    done = synth(tmp_path, "--target", "decoder_core_raw decoder_core_raw_memory decoder_core_raw_constant")
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[2:4] for line in done.stdout.splitlines()[2:]]
    (registers, tables), (memory, _), (constant, none) = (map(int, row) for row in rows)
    assert registers - tables > memory > constant > 0
    assert none == 0
