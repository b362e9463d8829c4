"""Runs the decoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_decoder.cocotb_qlc_decoder"
TESTS = [
    "identity",
    "packets",
    "each_error",
    "counters",
    "tables_while_packets_flow",
    "commit_waits_for_a_packet",
    "unknown_then_loaded",
    "counters_read_in_traffic",
    "everything_at_once",
    "resets",
]

CONFIGURATIONS = [
    ("icarus", {"TABLES": 4, "PREFIX_BITS": 3}),
    ("icarus", {"TABLES": 1, "PREFIX_BITS": 4}),
    ("verilator", {"TABLES": 4, "PREFIX_BITS": 3}),
    ("verilator", {"TABLES": 64, "PREFIX_BITS": 2}),
    ("verilator", {"TABLES": 4, "PREFIX_BITS": 3, "WORD_BITS": 64}),
    *(
        pytest.param("verilator", {"TABLES": 4, "PREFIX_BITS": 3, "WORD_BITS": w}, marks=pytest.mark.long)
        for w in (8, 256, 512)
    ),
    pytest.param("icarus", {"TABLES": 2, "PREFIX_BITS": 3, "WORD_BITS": 64}, marks=pytest.mark.long),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_decoder.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_decoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_decoder", MODULE, TESTS, parameters=parameters)
