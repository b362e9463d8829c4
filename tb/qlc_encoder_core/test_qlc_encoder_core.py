"""Runs the encoder core's bench on both simulators."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc.code import PRESETS
from qlc.table_files import write_table
from qlc_tb.builds import HUFFMAN, PAPER, QUAD, RAW
from qlc_tb.cases import long, sweep
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
    "every_code",
    "reload_same_symbols",
    "begin_behind_table",
    "no_table",
    "single_beats",
    "sparse_beats",
    "no_bytes",
    "reset_in_packet",
    "reset_in_stall",
    "tail_flushes",
    "latency",
    "throughput",
    "full_rate",
    "bursts",
    "long_codewords",
    "random_packets",
]
# Those that load no other table.
ONE_TABLE = ["every_length", "data_kinds", "full_rate"]

HUFFMAN_RAW = {**HUFFMAN, **RAW}

CONFIGURATIONS = [
    ("icarus", {"SYMBOLS": 5, "RAW_BITS": 1, "SHORTEST": 2, "LONGEST": 10}),
    ("verilator", {"SYMBOLS": 32}),
    ("verilator", {"SYMBOLS": 32, **RAW}),
    ("verilator", {"SYMBOLS": 1, **HUFFMAN_RAW, "FIFO_BEATS": 8}),
    long("verilator", {"SYMBOLS": 32, **PAPER}),
    long("verilator", {"SYMBOLS": 32, **HUFFMAN}),
    long("verilator", {"SYMBOLS": 8, **RAW}),
    *(
        sweep("icarus", parameters)
        for parameters in (
            {"SYMBOLS": 32, **RAW},
            {"SYMBOLS": 32, **QUAD},
            {"SYMBOLS": 32, **HUFFMAN},
            {"SYMBOLS": 21, **PAPER},
            {"SYMBOLS": 16, **HUFFMAN_RAW, "FIFO_BEATS": 8},
        )
    ),
    *(
        long("icarus", parameters)
        for parameters in (
            {"SYMBOLS": 8, **RAW},
            {"SYMBOLS": 4, "RAW_BITS": 2, "SHORTEST": 3, "LONGEST": 10},
            {"SYMBOLS": 3, "LENGTHS": 2, "KNOWN_BITS": 4, "LONGEST": 9},
            {"SYMBOLS": 1, "LENGTHS": 1, "LONGEST": 8},
        )
    ),
    long("verilator", {"SYMBOLS": 32, **QUAD}),
    long("verilator", {"SYMBOLS": 32, **HUFFMAN_RAW}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_encoder_core.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_encoder_core(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "qlc_encoder_core", MODULE, TESTS, parameters=parameters)


@pytest.mark.parametrize("simulator", ["icarus", long("verilator")], indirect=True)
def test_table_from_file(simulator: str, simulate: Callable[..., Path], table_folder: Path) -> None:
    table = random_table(PRESETS["quad16"], random.Random(1), 1 if simulator == "icarus" else 0)
    path = write_table(table, table_folder)[-1]
    simulate(
        simulator,
        "qlc_encoder_core",
        MODULE,
        ONE_TABLE,
        parameters={
            "SYMBOLS": 5,
            "RAW_BITS": table.raw_bits,
            "RANK_FILE": str(path.with_suffix(".rank.hex")),
            "LENGTH_FILE": str(path.with_suffix(".length.hex")),
        },
        environment={"QLC_TABLE": str(path)},
    )
