"""Runs ``make bench``'s script at one width, and with one bare decoder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    return subprocess.run(
        [sys.executable, "-m", "scripts.bench", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_rate(simulator: str, tmp_path: Path) -> None:
    chosen = ["--tensor", "layers.12.ffn_up.act", "--word-bits", "64", "--decoder", "raw_core"]
    done = bench("--sim", simulator, *chosen, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "bench.json").read_text())
    (row,) = results["rows"]
    assert results["tensors"] == 1
    assert row["word_bits"] == 64
    assert 8 <= row["rate"] <= row["limit"]
    (decoder,) = results["decoders"]
    assert decoder["decoder"] == "raw_core"
    assert decoder["rate"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tensor", "nothing"], "--tensor nothing: no such tensor"),
        (["--out", "/dev/null/out"], "--out /dev/null/out: Not a directory"),
        (["--decoder"], "--decoder"),
    ],
)
def test_usage(arguments: list[str], message: str) -> None:
    done = bench(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_failure_is_red(simulator: str, tmp_path: Path) -> None:
    chosen = ["--tensor", "layers.12.ffn_up.act.scale", "--word-bits", "64", "--decoder", "raw_core"]
    done = bench("--sim", simulator, *chosen, "--out", str(tmp_path), "--plant-fault")
    assert done.returncode == 1
    assert done.stderr.startswith("bench: ")
    assert not (tmp_path / "bench.json").exists()
