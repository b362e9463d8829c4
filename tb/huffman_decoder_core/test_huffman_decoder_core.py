"""Runs the decoder core's bench on the canonical Huffman decoder, on both simulators."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc.huffman import write_table
from qlc_decoder_core.test_qlc_decoder_core import MODULE, SLOW_TESTS, TESTS
from qlc_tb.codec import HuffmanCodec
from qlc_tb.discovery import label
from qlc_tb.simulation import BASELINE

CONFIGURATIONS = [
    ("icarus", {"DATA_BITS": 32}),
    *(pytest.param("verilator", {"DATA_BITS": width}, marks=pytest.mark.long) for width in (16, 256)),
]


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_decoder_core(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "huffman_decoder_core", MODULE, TESTS, sources=BASELINE, parameters=parameters)


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_long_packet(simulator: str, simulate: Callable[..., Path]) -> None:
    parameters = {"DATA_BITS": 256}
    simulate(simulator, "huffman_decoder_core", MODULE, SLOW_TESTS, sources=BASELINE, parameters=parameters)


@pytest.mark.parametrize(
    "simulator", ["icarus", pytest.param("verilator", marks=pytest.mark.long)], indirect=True
)
def test_table_from_files(simulator: str, simulate: Callable[..., Path], table_folder: Path) -> None:
    table = HuffmanCodec().tables(random.Random(1))[0]
    code, _, _, symbol, length, _ = write_table(table, table_folder, "huffman")
    simulate(
        simulator,
        "huffman_decoder_core",
        MODULE,
        ["every_length", "data_kinds", "illegal_codewords"],
        sources=BASELINE,
        parameters={"DATA_BITS": 32, "LENGTH_FILE": str(length), "SYMBOL_FILE": str(symbol)},
        environment={"QLC_TABLE": str(code)},
    )
