"""Runs the chain's bench, and cocotbext-axi on encoder, decoder and chain, on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.cases import long
from qlc_tb.discovery import cocotb_tests, label

HERE = Path(__file__).parent
SOURCES = [HERE / "qlc_chain.v"]
TESTS = ["every_length", "data_kinds", "stalls", "every_code", "wrong_counts", "resets"]
COCOTBEXT_AXI = {"encoder": "qlc_encoder_core", "decoder": "qlc_decoder_core", "chain": "qlc_chain"}

CONFIGURATIONS = [
    long("icarus", {"SYMBOLS": 5}),
    long("icarus", {"SYMBOLS": 4, "LENGTHS": 12, "KNOWN_BITS": 12}),
    long("verilator", {"SYMBOLS": 32, "SHORTEST": 4, "LONGEST": 12, "RAW_BITS": 3}),
    ("verilator", {"SYMBOLS": 32}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_chain.py") == TESTS
    assert cocotb_tests(HERE / "cocotb_cocotbext_axi.py") == list(COCOTBEXT_AXI)


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_chain(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(
        simulator,
        "qlc_chain",
        "qlc_chain.cocotb_qlc_chain",
        TESTS,
        sources=SOURCES,
        parameters=parameters,
    )


@pytest.mark.parametrize("test", list(COCOTBEXT_AXI))
@pytest.mark.parametrize("simulator", [long("icarus"), "verilator"], indirect=True)
def test_cocotbext_axi(simulator: str, test: str, simulate: Callable[..., Path]) -> None:
    # The parameters of a configuration that other tests build, so that Verilator need not.
    simulate(
        simulator,
        COCOTBEXT_AXI[test],
        "qlc_chain.cocotb_cocotbext_axi",
        [test],
        sources=SOURCES if test == "chain" else [],
        parameters={
            "encoder": {"SYMBOLS": 32},
            "decoder": {"DATA_BITS": 32},
            "chain": {"SYMBOLS": 32},
        }[test],
    )
