"""The warm-up demonstration in its short form; and that it fails when software makes a mistake."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests

from scripts.warmup import Job, draw, judge, phases, report, simulate

HERE = Path(__file__).parent
SHORT = Job(warmup=80, following=20)


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_warmup.py") == ["warmup"]


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_warmup(
    simulator: str,
    seed: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = simulate(SHORT, simulator, tmp_path, seed)
    assert judge(rows, SHORT) == []
    report(rows, SHORT)
    assert capsys.readouterr().out.count("\n") == 1 + len(phases(rows, SHORT))
    # The same rows with one thing wrong each
    spoilt = {
        "coded blocks": [{**row, "coded": 1} for row in rows],
        "compressed: ": [{**row, "saving": row["saving"] - 0.4 * (row["packets"] <= 110)} for row in rows],
        "recovered: ": [{**row, "saving": row["saving"] - 0.4 * (row["packets"] > 200)} for row in rows],
        "drift noticed": [{**row, "action": row["action"].replace("drift", "")} for row in rows],
        "nothing to notice": [{**row, "saving": max(row["offline"] - 0.5, row["saving"])} for row in rows],
        "no window is": [{**row, "action": ""} for row in rows],
    }
    for what, changed in spoilt.items():
        assert any(what in text for text in judge(changed, SHORT)), what
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not draw(rows, SHORT, tmp_path / "curve.png")


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_a_forgotten_clear_is_found(simulator: str, seed: int, tmp_path: Path) -> None:
    job = replace(SHORT, forget_clear=True)
    assert any("recovered" in text for text in judge(simulate(job, simulator, tmp_path, seed), job))
