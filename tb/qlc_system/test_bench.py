"""Runs ``make bench``'s script at one width, and with one bare decoder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from qlc_tb.simulation import ROOT


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bench.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_rate(simulator: str, tmp_path: Path) -> None:
    chosen = ["--tensor", "layers.12.ffn_up.act", "--word-bits", "64", "--decoder", "huffman_core"]
    done = bench("--sim", simulator, *chosen, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "bench.json").read_text())
    (row,) = results["rows"]
    assert results["tensors"] == 1
    assert row["word_bits"] == 64
    assert 8 <= row["rate"] <= row["limit"]
    (decoder,) = results["decoders"]
    assert decoder["decoder"] == "huffman_core"
    assert decoder["rate"] == 1


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_failure_is_red(simulator: str, tmp_path: Path) -> None:
    done = bench("--sim", simulator, "--tensor", "nothing", "--out", str(tmp_path))
    assert done.returncode == 1
    assert "nothing" in done.stderr
    assert not (tmp_path / "bench.json").exists()
