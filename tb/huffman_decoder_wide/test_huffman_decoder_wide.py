"""Runs the wide decoder's bench on the wide Huffman decoder, on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_decoder_wide.test_qlc_decoder_wide import MODULE
from qlc_decoder_wide.test_qlc_decoder_wide import TESTS as WIDE_TESTS
from qlc_tb.discovery import label
from qlc_tb.simulation import BASELINE

# All but those of banks, and of codewords that a complete code does not have.
TESTS = [test for test in WIDE_TESTS if test not in ("banks", "illegal_codewords")]
CONFIGURATIONS = [
    ("icarus", {"WORD_BITS": 16, "SHORTEST": 3}),
    *(
        pytest.param("verilator", {"WORD_BITS": w, "SHORTEST": s}, marks=pytest.mark.long)
        for w, s in ((8, 1), (8, 3), (32, 2), (64, 3), (64, 4), (256, 3))
    ),
]


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=label)
def test_decoder_wide(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    simulate(simulator, "huffman_decoder_wide", MODULE, TESTS, sources=BASELINE, parameters=parameters)
