"""Runs the decoder core's bench on the bit-serial decoder, and what is its own, on both simulators."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc.huffman import write_table
from qlc_decoder_core.test_qlc_decoder_core import MODULE
from qlc_decoder_core.test_qlc_decoder_core import TESTS as CORE_TESTS
from qlc_tb.codec import HuffmanSerialCodec
from qlc_tb.discovery import cocotb_tests, label
from qlc_tb.sources import BASELINE

HERE = Path(__file__).parent
OWN_MODULE = "huffman_decoder_serial.cocotb_huffman_decoder_serial"
OWN_TESTS = ["bit_every_cycle"]
# All but those of a symbol a cycle.
TESTS = [test for test in CORE_TESTS if test not in ("latency", "symbol_every_cycle")]

CONFIGURATIONS = [
    ("verilator", {"DATA_BITS": 32}),
    *(pytest.param("icarus", {"DATA_BITS": width}, marks=pytest.mark.long) for width in (8, 32, 256)),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_huffman_decoder_serial.py") == OWN_TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_decoder_serial(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "huffman_decoder_serial", MODULE, TESTS, sources=BASELINE, parameters=parameters)


@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
def test_rate(simulator: str, simulate: Callable[..., Path]) -> None:
    parameters = {"DATA_BITS": 32}
    simulate(
        simulator, "huffman_decoder_serial", OWN_MODULE, OWN_TESTS, sources=BASELINE, parameters=parameters
    )


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_table_from_file(simulator: str, simulate: Callable[..., Path], table_folder: Path) -> None:
    table = HuffmanSerialCodec().tables(random.Random(1))[0]
    code, *_, tree = write_table(table, table_folder, "huffman")
    simulate(
        simulator,
        "huffman_decoder_serial",
        MODULE,
        ["every_length", "data_kinds", "illegal_codewords"],
        sources=BASELINE,
        parameters={"DATA_BITS": 32, "TREE_FILE": str(tree)},
        environment={"QLC_TABLE": str(code)},
    )
