"""Runs the comparison's script on a small tensor, decoders of each kind; a wrong symbol must be red."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
# What each does to a symbol a cycle, at most and at least.
RATES = {"paper_core": (1, 1), "raw_core": (1, 1), "huffman_core": (1, 1), "huffman_serial": (0.1, 0.9)}
WIDE = {"raw_wide_32": (2, 8), "huffman_wide_32": (2, 8), "paper_wide_32": (2, 11)}


def compare(out: Path, decoder: str, simulator: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the script on a tensor of 1024 symbols."""
    command = [sys.executable, "-m", "scripts.compare", "--sim", simulator, "--out", str(out)]
    command += ["--tensor", "layers.12.ffn_up.act.scale", "--decoder", decoder, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_decoder_player.py") == ["packets"]


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
@pytest.mark.parametrize("decoder", [*RATES, *(pytest.param(name, marks=pytest.mark.long) for name in WIDE)])
def test_decoder(simulator: str, decoder: str, tmp_path: Path) -> None:
    done = compare(tmp_path, decoder, simulator)
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = map(json.loads, (tmp_path / f"{decoder}.jsonl").read_text().splitlines())
    assert row["right"]
    assert row["error"] == row["hang"] == 0
    low, high = (RATES | WIDE)[decoder]
    assert low <= row["symbols"] / row["cycles"] <= high
    if decoder in RATES:
        assert row["cycles"] - row["output_gaps"] == row["symbols"]


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_planted_fault_is_red(simulator: str, tmp_path: Path) -> None:
    done = compare(tmp_path, "raw_core", simulator, "--plant-fault")
    assert done.returncode == 1
    assert "compare: raw_core: " in done.stderr
