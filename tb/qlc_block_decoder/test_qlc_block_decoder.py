"""Runs the block decoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
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
    "stalls",
    "every_cut",
    "illegal_codewords",
    "each_error",
    "damaged_packets",
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
SHORT = ["every_cut", "each_error", "reset_in_packet", "latency"]

CONFIGURATIONS = [
    ("icarus", {"PREFIX_BITS": 3, "TABLES": 4}),
    pytest.param("icarus", {"PREFIX_BITS": 4, "TABLES": 1}, marks=pytest.mark.long),
    ("verilator", {"PREFIX_BITS": 3, "TABLES": 4}),
    ("verilator", {"PREFIX_BITS": 4, "TABLES": 3}),
    pytest.param("verilator", {"PREFIX_BITS": 2, "TABLES": 64}, marks=pytest.mark.long),
    pytest.param("verilator", {"PREFIX_BITS": 1, "TABLES": 2}, marks=pytest.mark.long),
]


def test_no_test_is_left_out():
    assert cocotb_tests(HERE / "cocotb_qlc_block_decoder.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_block_decoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]):
    simulate(simulator, "qlc_block_decoder", MODULE, TESTS, parameters=parameters)


WIDE_CONFIGURATIONS = [
    ("icarus", {"PREFIX_BITS": 3, "TABLES": 2, "WORD_BITS": 16}),
    pytest.param("verilator", {"PREFIX_BITS": 3, "TABLES": 4, "WORD_BITS": 64}, marks=pytest.mark.long),
    ("verilator", {"PREFIX_BITS": 3, "TABLES": 4, "WORD_BITS": 256}),
    pytest.param("verilator", {"PREFIX_BITS": 4, "TABLES": 1, "WORD_BITS": 512}, marks=pytest.mark.long),
    *(
        pytest.param("verilator", {"PREFIX_BITS": p, "TABLES": t, "WORD_BITS": w}, marks=pytest.mark.long)
        for p, t, w in [(4, 3, 8), (1, 2, 16), (2, 4, 32), (4, 4, 64), (3, 64, 128), (1, 3, 256), (3, 4, 512)]
    ),
    *(
        pytest.param("icarus", {"PREFIX_BITS": 3, "TABLES": 3, "WORD_BITS": w}, marks=pytest.mark.long)
        for w in (8, 32, 64, 128, 256, 512)
    ),
]


@pytest.mark.parametrize(("simulator", "parameters"), WIDE_CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_wide_block_decoder(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]):
    tests = SHORT if simulator == "icarus" else TESTS
    simulate(
        simulator, "qlc_block_decoder", MODULE, tests, parameters=parameters, control=HERE / "public.vlt"
    )


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize("word_bits", [64, 256, 512])
def test_ten_thousand_damaged_packets_of_words(simulator: str, word_bits: int, simulate: Callable[..., Path]):
    simulate(
        simulator,
        "qlc_block_decoder",
        MODULE,
        ["damaged_packets"],
        parameters={
            "PREFIX_BITS": 4 if word_bits == 512 else 3,
            "TABLES": 1 if word_bits == 512 else 4,
            "WORD_BITS": word_bits,
        },
        environment={"QLC_DAMAGED": "10000"},
        control=HERE / "public.vlt",
    )


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize(("word_bits", "prefix_bits", "tables"), [(8, 1, 1), (64, 4, 4), (256, 3, 4)])
def test_hostile_packets_of_words(
    simulator: str, word_bits: int, prefix_bits: int, tables: int, simulate: Callable[..., Path]
):
    simulate(
        simulator,
        "qlc_block_decoder",
        MODULE,
        ["hostile_packets"],
        parameters={"PREFIX_BITS": prefix_bits, "TABLES": tables, "WORD_BITS": word_bits},
        environment={"QLC_HOSTILE": "5000"},
        control=HERE / "public.vlt",
    )


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize("prefix_bits", [3, pytest.param(4, marks=pytest.mark.long)])
def test_ten_thousand_damaged_packets(simulator: str, prefix_bits: int, simulate: Callable[..., Path]):
    simulate(
        simulator,
        "qlc_block_decoder",
        MODULE,
        ["damaged_packets"],
        parameters={"PREFIX_BITS": prefix_bits, "TABLES": 4},
        environment={"QLC_DAMAGED": "10000"},
    )
