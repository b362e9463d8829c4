"""Runs the encoder core's bench on both simulators."""

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
MODULE = "qlc_encoder_core.cocotb_qlc_encoder_core"
TESTS = [
    "every_length",
    "word_edges",
    "data_kinds",
    "real_tensors",
    "stalls",
    "every_scheme",
    "reload_same_symbols",
    "single_beats",
    "sparse_beats",
    "no_bytes",
    "reset_in_packet",
    "reset_in_stall",
    "tail_flushes",
    "latency",
    "throughput",
    "full_rate",
    "long_codewords",
    "random_packets",
]
# Those that load no other table.
ONE_TABLE = ["every_length", "data_kinds", "full_rate"]

CONFIGURATIONS = [
    ("icarus", {"SYMBOLS": 32, "PREFIX_BITS": 3}),
    ("icarus", {"SYMBOLS": 32, "PREFIX_BITS": 4}),
    # The narrowest beat that needs packed words of 512 bits, for its 31 bits of slack only.
    ("icarus", {"SYMBOLS": 21, "PREFIX_BITS": 3}),
    ("icarus", {"SYMBOLS": 16, "PREFIX_BITS": 3, "FIFO_WORDS": 2}),
    ("icarus", {"SYMBOLS": 5, "PREFIX_BITS": 2}),
    ("icarus", {"SYMBOLS": 4, "PREFIX_BITS": 4, "FIFO_WORDS": 8}),
    ("icarus", {"SYMBOLS": 1, "PREFIX_BITS": 1}),
    ("verilator", {"SYMBOLS": 32, "PREFIX_BITS": 3}),
    ("verilator", {"SYMBOLS": 32, "PREFIX_BITS": 4}),
    ("verilator", {"SYMBOLS": 5, "PREFIX_BITS": 1}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_encoder_core.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_encoder_core(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_encoder_core", MODULE, TESTS, parameters=parameters)


@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
def test_table_from_file(simulator: str, simulate: Callable[..., Path], table_folder: Path) -> None:
    table = random_table(PRESETS["quad16"], random.Random(1))
    path = write_table(table, table_folder)[-1]
    simulate(
        simulator,
        "qlc_encoder_core",
        MODULE,
        ONE_TABLE,
        parameters={
            "SYMBOLS": 5,
            "PREFIX_BITS": 4,
            "RANK_FILE": str(path.with_suffix(".rank.hex")),
            "AREA_FILE": str(path.with_suffix(".area.hex")),
        },
        environment={"QLC_TABLE": str(path)},
    )
