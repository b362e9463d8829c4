"""Runs the bench that needs no Python, and sees it fail."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from qlc_tb.sources import ROOT, RTL

HERE = Path(__file__).parent
CHAIN = ROOT / "tb" / "qlc_chain" / "qlc_chain.v"


def play(bench: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    program = folder / "qlc_smoke"
    files = [program, *RTL, CHAIN, bench]
    build = ["iverilog", "-g2005", "-Wall", "-s", "qlc_smoke", "-o", *map(str, files)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return subprocess.run(["vvp", "-n", program], capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not installed")
class TestSmoke:
    def test_symbols_come_back(self, tmp_path: Path) -> None:
        done = play(HERE / "qlc_smoke.v", tmp_path)
        assert done.returncode == 0, done.stdout
        assert "qlc_smoke: 12 packets of " in done.stdout

    def test_wrong_symbol_is_red(self, tmp_path: Path) -> None:
        text = (HERE / "qlc_smoke.v").read_text()
        right = "sent[head] = in_data[8*lane +: 8];"
        assert text.count(right) == 1
        wrong = tmp_path / "qlc_smoke.v"
        wrong.write_text(text.replace(right, "sent[head] = in_data[8*lane +: 8] ^ (head == 16'd1000);"))
        done = play(wrong, tmp_path)
        assert done.returncode == 1
        assert "qlc_smoke: wrong symbol, packet " in done.stdout
