"""Runs the decoder core's bench on both simulators."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc.scheme import PRESETS
from qlc.table_files import write_table
from qlc_tb.discovery import cocotb_tests, label
from qlc_tb.tables import random_table

HERE = Path(__file__).parent
MODULE = "qlc_decoder_core.cocotb_qlc_decoder_core"
TESTS = [
    "every_length",
    "word_edges",
    "data_kinds",
    "real_tensors",
    "stalls",
    "every_scheme",
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
ONE_TABLE = ["every_length", "data_kinds", "illegal_codewords", "random_damage"]

CONFIGURATIONS = [
    ("icarus", {"PREFIX_BITS": 1, "DATA_BITS": 32}),
    ("icarus", {"PREFIX_BITS": 2, "DATA_BITS": 24}),
    ("icarus", {"PREFIX_BITS": 3, "DATA_BITS": 16}),
    ("icarus", {"PREFIX_BITS": 3, "DATA_BITS": 32}),
    ("icarus", {"PREFIX_BITS": 3, "DATA_BITS": 256}),
    ("icarus", {"PREFIX_BITS": 4, "DATA_BITS": 16}),
    ("icarus", {"PREFIX_BITS": 4, "DATA_BITS": 64}),
    ("verilator", {"PREFIX_BITS": 3, "DATA_BITS": 32}),
    ("verilator", {"PREFIX_BITS": 4, "DATA_BITS": 16}),
    ("verilator", {"PREFIX_BITS": 4, "DATA_BITS": 256}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_decoder_core.py") == TESTS + SLOW_TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_decoder_core(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_decoder_core", MODULE, TESTS, parameters=parameters)


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_long_packet(simulator: str, simulate: Callable[..., Path]) -> None:
    parameters = {"PREFIX_BITS": 4, "DATA_BITS": 256}
    simulate(simulator, "qlc_decoder_core", MODULE, SLOW_TESTS, parameters=parameters)


@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
def test_table_from_files(simulator: str, simulate: Callable[..., Path], table_folder: Path) -> None:
    table = random_table(PRESETS["quad16"], random.Random(1))
    path = write_table(table, table_folder)[-1]
    simulate(
        simulator,
        "qlc_decoder_core",
        MODULE,
        ONE_TABLE,
        parameters={
            "PREFIX_BITS": 4,
            "DATA_BITS": 32,
            "AREA_FILE": str(path.with_suffix(".area.hex")),
            "SYMBOL_FILE": str(path.with_suffix(".symbol.hex")),
        },
        environment={"QLC_TABLE": str(path)},
    )
