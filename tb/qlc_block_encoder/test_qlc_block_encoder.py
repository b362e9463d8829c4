"""Runs the block encoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.builds import HUFFMAN, PAPER, QUAD, RAW
from qlc_tb.cases import long, sweep
from qlc_tb.discovery import cocotb_tests, label

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
    "busy_while_decided",
    "unknown_table",
    "never_grows",
    "no_symbols",
    "empty_last_beat",
    "empty_beats",
    "partial_beats",
    "idle_in_packet",
    "mark",
    "garbage",
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
# For builds that would take minutes, those where the size of a block or a table counts.
SIZE_TESTS = [
    "every_length",
    "policies",
    "switch_every_packet",
    "empty_last_beat",
    "empty_beats",
    "partial_beats",
    "mark",
    "never_grows",
    "full_rate",
    "uneven_blocks",
    "short_behind_long",
    "random_packets",
]

# What Icarus, with its X, may find alone, and soon
SHORT = ["empty_beats", "reset_in_packet", "latency"]

CONFIGURATIONS = [
    long("icarus", {"BLOCK_SYMBOLS": 64, "TABLES": 32, **RAW}),
    ("verilator", {"BLOCK_SYMBOLS": 32, "TABLES": 4, **QUAD}),
    long("verilator", {"BLOCK_SYMBOLS": 32, "TABLES": 4}),
    long("verilator", {"BLOCK_SYMBOLS": 512, "TABLES": 3, **RAW}),
    long("verilator", {"BLOCK_SYMBOLS": 4096, "TABLES": 4, **HUFFMAN}),
    long("icarus", {"BLOCK_SYMBOLS": 512, "TABLES": 3, "RAW_BITS": 1}),
    long("verilator", {"BLOCK_SYMBOLS": 64, "TABLES": 4, **PAPER}),
    long("verilator", {"BLOCK_SYMBOLS": 4096, "TABLES": 4, **RAW}),
    *(
        sweep(simulator, {"BLOCK_SYMBOLS": block, "TABLES": ids, **build})
        for simulator, block, ids, build in (
            ("icarus", 32, 4, QUAD),
            ("icarus", 64, 1, {"LENGTHS": 2, "KNOWN_BITS": 4, "LONGEST": 9}),
            ("icarus", 128, 2, HUFFMAN),
            ("icarus", 256, 32, PAPER),
            ("icarus", 1024, 5, {"RAW_BITS": 2, "SHORTEST": 3, "LONGEST": 10}),
            ("icarus", 2048, 4, RAW),
            ("icarus", 4096, 4, QUAD),
            ("verilator", 32, 1, RAW),
            ("verilator", 128, 4, QUAD),
            ("verilator", 256, 4, {**HUFFMAN, **RAW}),
            ("verilator", 1024, 4, {}),
            ("verilator", 2048, 32, QUAD),
        )
    ),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_block_encoder.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_block_encoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    block = parameters["BLOCK_SYMBOLS"]
    slow = (simulator == "icarus" and 32 < block < 4096) or "LENGTHS" in parameters
    simulate(simulator, "qlc_block_encoder", MODULE, SIZE_TESTS if slow else TESTS, parameters=parameters)


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_on_icarus(simulator: str, simulate: Callable[..., Path]) -> None:
    parameters = {"BLOCK_SYMBOLS": 64, "TABLES": 32, **RAW}
    simulate(simulator, "qlc_block_encoder", MODULE, SHORT, parameters=parameters)
