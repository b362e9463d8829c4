"""Runs the histogram's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.cases import long
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_histogram.cocotb_qlc_histogram"
TESTS = [
    "nothing_at_first",
    "every_length",
    "partial_beats",
    "repeats",
    "stalls",
    "real_tensors",
    "freezes",
    "whole_packets",
    "clears",
    "saturates",
    "packets_saturate",
    "read_while_counting",
    "resets",
    "everything_at_random",
]

CONFIGURATIONS = [
    long("icarus", {"SYMBOLS": 32}),
    ("icarus", {"SYMBOLS": 4, "COUNT_BITS": 3}),
    ("icarus", {"SYMBOLS": 5, "COUNT_BITS": 16}),
    ("icarus", {"SYMBOLS": 1, "COUNT_BITS": 1}),
    ("verilator", {"SYMBOLS": 32}),
    long("verilator", {"SYMBOLS": 3, "COUNT_BITS": 4}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_histogram.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_histogram(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_histogram", MODULE, TESTS, parameters=parameters)
