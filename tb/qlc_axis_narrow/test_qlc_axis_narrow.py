"""Runs the wide to narrow converter's bench."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests, label

HERE = Path(__file__).parent
TESTS = ["every_length", "empty_last_beat", "no_bubbles", "resets"]

CONFIGURATIONS = [
    ("icarus", {"S_BYTES": 8, "M_BYTES": 4}),
    ("icarus", {"S_BYTES": 6, "M_BYTES": 2}),
    ("icarus", {"S_BYTES": 8, "M_BYTES": 1}),
    ("icarus", {"S_BYTES": 4, "M_BYTES": 4}),
    ("verilator", {"S_BYTES": 6, "M_BYTES": 2}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_axis_narrow.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_axis_narrow(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    module = "qlc_axis_narrow.cocotb_qlc_axis_narrow"
    simulate(simulator, "qlc_axis_narrow", module, TESTS, parameters=parameters)
