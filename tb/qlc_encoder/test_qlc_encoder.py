"""Runs the encoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.builds import HUFFMAN, RAW
from qlc_tb.cases import long
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_encoder.cocotb_qlc_encoder"
TESTS = [
    "identity",
    "packets",
    "real_tensors",
    "settings_while_packets_flow",
    "tables_while_packets_flow",
    "long_packet_keeps_its_table",
    "ids_out_of_range",
    "partial_beats",
    "unfit_table",
    "unknown_table",
    "counters",
    "counters_read_in_traffic",
    "histogram",
    "everything_at_once",
    "resets",
]


CONFIGURATIONS = [
    ("verilator", {"BLOCK_SYMBOLS": 256, "TABLES": 32, **RAW}),
    long("icarus", {"BLOCK_SYMBOLS": 256, "TABLES": 4}),
    long("icarus", {"BLOCK_SYMBOLS": 32, "TABLES": 1, **RAW}),
    long("verilator", {"BLOCK_SYMBOLS": 4096, "TABLES": 4}),
    long("verilator", {"BLOCK_SYMBOLS": 64, "TABLES": 2, **HUFFMAN}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_encoder.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_encoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_encoder", MODULE, TESTS, parameters=parameters, control=HERE / "public.vlt")
