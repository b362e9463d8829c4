"""Runs the block decoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.builds import HUFFMAN, PAPER, RAW
from qlc_tb.cases import long, sweep
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_block_decoder.cocotb_qlc_block_decoder"
TESTS = [
    "every_length",
    "long_packets",
    "block_sizes",
    "data_kinds",
    "real_tensors",
    "mixed_blocks",
    "no_bytes",
    "holes",
    "stalls",
    "every_cut",
    "last_marks",
    "required_crc",
    "configuration_changes",
    "illegal_codewords",
    "each_error",
    "damaged_packets",
    "wrong_tables",
    "unfit_tables",
    "hostile_packets",
    "tables_change",
    "commit_behind_many",
    "table_ids",
    "commits_with_traffic",
    "reset_in_packet",
    "latency",
    "next_packet_pauses",
    "rates",
    "events",
]

# Of what Icarus takes long for, enough to see an X or a race.
SHORT = ["required_crc", "reset_in_packet", "latency"]


CONFIGURATIONS = [
    ("icarus", {"TABLES": 2}),
    ("icarus", {"TABLES": 2, "WORD_BITS": 16, **RAW}),
    ("verilator", {"TABLES": 4}),
    ("verilator", {"TABLES": 4, "WORD_BITS": 64, **RAW}),
    # A symbol a cycle
    long("icarus", {"TABLES": 1, **RAW}),
    long("verilator", {"TABLES": 32, **RAW}),
    long("verilator", {"TABLES": 1, **HUFFMAN}),
    sweep("verilator", {"TABLES": 3, **PAPER}),
    sweep("verilator", {"TABLES": 32, "LENGTHS": 1, "RAW_BITS": 1}),
    # A word a cycle
    sweep("verilator", {"TABLES": 4, "WORD_BITS": 64}),
    sweep("verilator", {"TABLES": 1, "WORD_BITS": 64, **HUFFMAN}),
    long("verilator", {"TABLES": 3, "WORD_BITS": 8, **PAPER}),
    sweep("verilator", {"TABLES": 1, "WORD_BITS": 16, **RAW}),
    long("verilator", {"TABLES": 2, "WORD_BITS": 32, "RAW_BITS": 2, "SHORTEST": 2}),
    sweep("verilator", {"TABLES": 32, "WORD_BITS": 128, "RAW_BITS": 1}),
    sweep("verilator", {"TABLES": 2, "WORD_BITS": 256, "SHORTEST": 4}),
    long("verilator", {"TABLES": 3, "WORD_BITS": 256, **RAW}),
    long("verilator", {"TABLES": 1, "WORD_BITS": 512, **RAW}),
    sweep("verilator", {"TABLES": 4, "WORD_BITS": 512, **PAPER}),
    *(sweep("icarus", {"TABLES": 3, "WORD_BITS": w, **RAW}) for w in (8, 32, 64, 128, 256, 512)),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_block_decoder.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_block_decoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    tests = SHORT if simulator == "icarus" else TESTS
    simulate(
        simulator, "qlc_block_decoder", MODULE, tests, parameters=parameters, control=HERE / "public.vlt"
    )


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize(
    ("word_bits", "parameters"),
    [long(0, {}), long(64, RAW), sweep(0, RAW), sweep(256, {"SHORTEST": 4}), sweep(512, RAW)],
    ids=str,
)
def test_ten_thousand_damaged_packets(
    simulator: str, word_bits: int, parameters: dict[str, int], simulate: Callable[..., Path]
) -> None:
    simulate(
        simulator,
        "qlc_block_decoder",
        MODULE,
        ["damaged_packets"],
        parameters={"TABLES": 4, "WORD_BITS": word_bits, **parameters},
        environment={"QLC_DAMAGED": "10000"},
        control=HERE / "public.vlt",
    )


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize(
    ("word_bits", "tables", "parameters"),
    # Those of the tests above are built already.
    [long(0, 4, {}), long(64, 4, RAW), sweep(8, 1, {}), sweep(256, 4, HUFFMAN), sweep(512, 2, RAW)],
    ids=str,
)
def test_hostile_packets(
    simulator: str, word_bits: int, tables: int, parameters: dict[str, int], simulate: Callable[..., Path]
) -> None:
    simulate(
        simulator,
        "qlc_block_decoder",
        MODULE,
        ["hostile_packets"],
        parameters={"TABLES": tables, "WORD_BITS": word_bits, **parameters},
        environment={"QLC_HOSTILE": "5000"},
        control=HERE / "public.vlt",
    )
