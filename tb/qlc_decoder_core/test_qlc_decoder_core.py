"""Runs the decoder core's bench on both simulators."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc.bounds import Bounds
from qlc.table_files import write_table
from qlc_tb.builds import HUFFMAN, PAPER, RAW
from qlc_tb.cases import long, sweep
from qlc_tb.discovery import cocotb_tests, label
from qlc_tb.tables import codes, random_table

HERE = Path(__file__).parent
MODULE = "qlc_decoder_core.cocotb_qlc_decoder_core"
TESTS = [
    "every_length",
    "word_edges",
    "data_kinds",
    "real_tensors",
    "stalls",
    "every_code",
    "reload_same_payload",
    "ragged_beats",
    "reset_in_packet",
    "reset_in_stall",
    "latency",
    "symbol_every_cycle",
    "illegal_codewords",
    "cut_codewords",
    "wrong_counts",
    "padding_bits",
    "random_damage",
    "random_packets",
]
# Too slow for every configuration.
SLOW_TESTS = ["long_packet"]
# Those that load no other table.
ONE_TABLE = ["every_length", "data_kinds", "illegal_codewords"]

TABLE_TESTS = ["every_bank", "no_room", "garbage"]
TABLE_MODULE = "qlc_decoder_core.cocotb_qlc_decoder_core_tables"

# Builds by what they are for, as in docs/integration.md
DUAL = {"LENGTHS": 2, "KNOWN_BITS": 3, "SHORTEST": 4, "LONGEST": 9}

# What Icarus, with its X, may find alone, and soon.
SHORT = [
    "stalls", "ragged_beats", "reset_in_packet", "latency", "symbol_every_cycle", "cut_codewords",
    "wrong_counts",
]  # fmt: skip

CONFIGURATIONS = [
    ("verilator", {"DATA_BITS": 32}),
    ("verilator", {**PAPER, "DATA_BITS": 24}),
    ("verilator", {**RAW, "DATA_BITS": 32}),
    long("verilator", {**HUFFMAN, "DATA_BITS": 16}),
    long("verilator", {"DATA_BITS": 16}),
    long("verilator", {"SHORTEST": 4, "DATA_BITS": 64}),
    long("verilator", {"SHORTEST": 2, "LONGEST": 12, "RAW_BITS": 1, "DATA_BITS": 256}),
    long("verilator", {"SHORTEST": 3, "LONGEST": 10, "RAW_BITS": 2, "DATA_BITS": 24}),
    long("verilator", {**HUFFMAN, "SHORTEST": 4, "RAW_BITS": 3, "DATA_BITS": 32}),
    long("verilator", {**DUAL, "DATA_BITS": 32}),
]
ON_ICARUS = [
    {**RAW, "DATA_BITS": 32}, {"DATA_BITS": 32}, {**PAPER, "DATA_BITS": 24}, {**HUFFMAN, "DATA_BITS": 16},
]  # fmt: skip
TABLE_CONFIGURATIONS = [
    long("icarus", {"BANKS": 3}),
    ("verilator", {**RAW, "BANKS": 5, "DATA_BITS": 64}),
    long("icarus", {**RAW, "BANKS": 1}),
    long("verilator", {"BANKS": 2}),
    long("verilator", {**HUFFMAN, "BANKS": 4}),
    long("verilator", {**PAPER, "BANKS": 1}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_decoder_core.py") == TESTS + SLOW_TESTS
    assert cocotb_tests(HERE / "cocotb_qlc_decoder_core_tables.py") == TABLE_TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_decoder_core(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_decoder_core", MODULE, TESTS, parameters=parameters)


@pytest.mark.parametrize(
    ("tests", "parameters"),
    [
        (SHORT, ON_ICARUS[0]),
        *(long(SHORT, build) for build in ON_ICARUS[1:]),
        *(sweep(TESTS, build) for build in ON_ICARUS),
    ],
    ids=lambda value: ("all" if value is TESTS else "short") if isinstance(value, list) else label(value),
)
@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_on_icarus(
    simulator: str, tests: list[str], parameters: dict[str, int], simulate: Callable[..., Path]
) -> None:
    simulate(simulator, "qlc_decoder_core", MODULE, tests, parameters=parameters)


@pytest.mark.parametrize(("simulator", "parameters"), TABLE_CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_tables(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_decoder_core", TABLE_MODULE, TABLE_TESTS, parameters=parameters)


@pytest.mark.parametrize("simulator", ["icarus", long("verilator")], indirect=True)
def test_one_length(simulator: str, simulate: Callable[..., Path]) -> None:
    """Codewords of 8 bits are all that fit."""
    parameters = {"LENGTHS": 1, "KNOWN_BITS": 3, "SHORTEST": 8, "LONGEST": 8, "DATA_BITS": 16}
    tests = ["every_length", "stalls", "latency", "symbol_every_cycle", "wrong_counts"]
    simulate(simulator, "qlc_decoder_core", MODULE, tests, parameters=parameters)


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_long_packet(simulator: str, simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_decoder_core", MODULE, SLOW_TESTS, parameters={"DATA_BITS": 256})


@pytest.mark.parametrize("simulator", ["icarus", long("verilator")], indirect=True)
@pytest.mark.parametrize("build", [{}, RAW, HUFFMAN], ids=["default", "raw_mantissa", "huffman"])
def test_table_from_files(
    simulator: str, build: dict[str, int], simulate: Callable[..., Path], table_folder: Path
) -> None:
    rng = random.Random(1)
    bounds = Bounds(**{name.lower(): value for name, value in build.items()})
    path = write_table(random_table(codes(bounds, rng)[0], rng, bounds.raw_bits), table_folder)[-1]
    simulate(
        simulator,
        "qlc_decoder_core",
        MODULE,
        ONE_TABLE,
        parameters={
            **build,
            "DATA_BITS": 32,
            "LENGTH_FILE": str(path.with_suffix(".length.hex")),
            "SYMBOL_FILE": str(path.with_suffix(".symbol.hex")),
        },
        environment={"QLC_TABLE": str(path)},
    )
