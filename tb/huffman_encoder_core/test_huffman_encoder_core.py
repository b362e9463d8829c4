"""Runs the encoder core's bench on the Huffman encoder, on both simulators."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc.huffman import write_table
from qlc_encoder_core.test_qlc_encoder_core import MODULE, ONE_TABLE, TESTS
from qlc_tb.codec import HuffmanCodec
from qlc_tb.discovery import label
from qlc_tb.simulation import BASELINE

CONFIGURATIONS = [
    ("icarus", {"SYMBOLS": 15}),
    pytest.param("verilator", {"SYMBOLS": 32, "MAX_LENGTH": 15}, marks=pytest.mark.long),
    # Packed words of 1024 bits: a packet of one beat takes as much of the FIFO as four full beats.
    pytest.param("icarus", {"SYMBOLS": 32, "FIFO_WORDS": 8}, marks=pytest.mark.long),
    *(pytest.param("icarus", {"SYMBOLS": symbols}, marks=pytest.mark.long) for symbols in (5, 1)),
]


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_encoder_core(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "huffman_encoder_core", MODULE, TESTS, sources=BASELINE, parameters=parameters)


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_table_from_file(simulator: str, simulate: Callable[..., Path], table_folder: Path) -> None:
    table = HuffmanCodec().tables(random.Random(1))[0]
    code, rank, step, *_ = write_table(table, table_folder, "huffman")
    simulate(
        simulator,
        "huffman_encoder_core",
        MODULE,
        ONE_TABLE,
        sources=BASELINE,
        parameters={"SYMBOLS": 5, "RANK_FILE": str(rank), "STEP_FILE": str(step)},
        environment={"QLC_TABLE": str(code)},
    )
