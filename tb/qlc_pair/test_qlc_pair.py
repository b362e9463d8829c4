"""Runs the bench of encoder and decoder in a row on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.builds import RAW
from qlc_tb.cases import long, sweep
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_pair.cocotb_qlc_pair"
TESTS = ["round_trip", "holes", "real_tensors", "tables_follow"]


CONFIGURATIONS = [
    ("verilator", {"BLOCK_SYMBOLS": 256, "TABLES": 4, "WORD_BITS": 64, **RAW}),
    sweep("icarus", {"BLOCK_SYMBOLS": 256, "TABLES": 4}),
    long("verilator", {"BLOCK_SYMBOLS": 4096, "TABLES": 4}),
    long("verilator", {"BLOCK_SYMBOLS": 4096, "TABLES": 4, "WORD_BITS": 256, "SHORTEST": 4}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_pair.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_pair(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(
        simulator,
        "qlc_pair",
        MODULE,
        TESTS,
        sources=[HERE / "qlc_pair.v"],
        parameters=parameters,
        control=HERE / "public.vlt",
    )
