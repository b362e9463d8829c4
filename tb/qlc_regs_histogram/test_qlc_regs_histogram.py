"""Runs the bench of registers and histogram together on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_regs_histogram.cocotb_qlc_regs_histogram"
TESTS = ["collects", "goes_on"]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_regs_histogram.py") == TESTS


@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
def test_regs_histogram(simulator: str, simulate: Callable[..., Path]) -> None:
    sources = [HERE / "qlc_regs_histogram.v"]
    simulate(simulator, "qlc_regs_histogram", MODULE, TESTS, sources=sources)
