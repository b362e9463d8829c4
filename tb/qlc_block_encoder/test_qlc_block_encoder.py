"""Runs the block encoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_block_encoder.cocotb_qlc_block_encoder"
TESTS = [
    "every_length",
    "tails",
    "policies",
    "saving_edge",
    "config_per_packet",
    "switch_every_packet",
    "commit_while_packets_flow",
    "commit_in_packet",
    "busy",
    "unknown_table",
    "never_grows",
    "no_symbols",
    "empty_last_beat",
    "single_beats",
    "data_kinds",
    "real_tensors",
    "stalls",
    "reset_in_packet",
    "reset_in_stall",
    "latency",
    "full_rate",
    "uneven_blocks",
    "short_behind_long",
    "raw_rate",
    "random_packets",
]
# On Icarus for the sizes between the smallest and the largest.
SIZE_TESTS = [
    "every_length",
    "policies",
    "switch_every_packet",
    "never_grows",
    "full_rate",
    "uneven_blocks",
    "short_behind_long",
    "random_packets",
]

CONFIGURATIONS = [
    pytest.param("icarus", {"BLOCK_SYMBOLS": 32, "TABLES": 4, "PREFIX_BITS": 3}, marks=pytest.mark.long),
    pytest.param("icarus", {"BLOCK_SYMBOLS": 64, "TABLES": 1, "PREFIX_BITS": 1}, marks=pytest.mark.long),
    pytest.param("icarus", {"BLOCK_SYMBOLS": 128, "TABLES": 2, "PREFIX_BITS": 4}, marks=pytest.mark.long),
    ("icarus", {"BLOCK_SYMBOLS": 256, "TABLES": 64, "PREFIX_BITS": 3}),
    pytest.param("icarus", {"BLOCK_SYMBOLS": 512, "TABLES": 3, "PREFIX_BITS": 2}, marks=pytest.mark.long),
    pytest.param("icarus", {"BLOCK_SYMBOLS": 1024, "TABLES": 5, "PREFIX_BITS": 4}, marks=pytest.mark.long),
    pytest.param("icarus", {"BLOCK_SYMBOLS": 2048, "TABLES": 4, "PREFIX_BITS": 3}, marks=pytest.mark.long),
    pytest.param("icarus", {"BLOCK_SYMBOLS": 4096, "TABLES": 4, "PREFIX_BITS": 3}, marks=pytest.mark.long),
    ("verilator", {"BLOCK_SYMBOLS": 32, "TABLES": 4, "PREFIX_BITS": 4}),
    *(
        pytest.param(
            "verilator", {"BLOCK_SYMBOLS": size, "TABLES": 4, "PREFIX_BITS": 3}, marks=pytest.mark.long
        )
        for size in (64, 128, 256, 1024, 2048)
    ),
    ("verilator", {"BLOCK_SYMBOLS": 512, "TABLES": 3, "PREFIX_BITS": 3}),
    ("verilator", {"BLOCK_SYMBOLS": 4096, "TABLES": 4, "PREFIX_BITS": 3}),
]


def test_no_test_is_left_out():
    assert cocotb_tests(HERE / "cocotb_qlc_block_encoder.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_block_encoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]):
    between = simulator == "icarus" and 32 < parameters["BLOCK_SYMBOLS"] < 4096
    tests = SIZE_TESTS if between else TESTS
    simulate(simulator, "qlc_block_encoder", MODULE, tests, parameters=parameters)
