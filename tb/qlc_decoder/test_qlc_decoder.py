"""Runs the decoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.builds import HUFFMAN, RAW
from qlc_tb.cases import long, sweep
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
    "every_id",
    "unfit_table",
    "counters_read_in_traffic",
    "everything_at_once",
    "resets",
]


CONFIGURATIONS = [
    ("verilator", {"TABLES": 32, "WORD_BITS": 64, **RAW}),
    sweep("icarus", {"TABLES": 4}),
    long("icarus", {"TABLES": 1, **RAW}),
    sweep("icarus", {"TABLES": 2, "WORD_BITS": 64, **RAW}),
    long("verilator", {"TABLES": 4}),
    sweep("verilator", {"TABLES": 32, **RAW}),
    long("verilator", {"TABLES": 2, "WORD_BITS": 8, **HUFFMAN}),
    sweep("verilator", {"TABLES": 4, "WORD_BITS": 256, "SHORTEST": 4}),
    sweep("verilator", {"TABLES": 4, "WORD_BITS": 512, **RAW}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_decoder.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_decoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_decoder", MODULE, TESTS, parameters=parameters, control=HERE / "public.vlt")
