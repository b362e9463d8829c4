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
# What depends on the code most.
SHORT = ["code_lengths", "real_tensors", "latency", "word_every_cycle", "padding_bits", "random_damage"]


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_decoder_wide(simulator: str, simulate: Callable[..., Path]) -> None:
    parameters = {"WORD_BITS": 16, "SHORTEST": 3}
    simulate(simulator, "huffman_decoder_wide", MODULE, SHORT, sources=BASELINE, parameters=parameters)


@pytest.mark.long
@pytest.mark.parametrize(
    ("simulator", "parameters"),
    [
        ("icarus", {"WORD_BITS": 16, "SHORTEST": 3}),
        *(
            ("verilator", {"WORD_BITS": w, "SHORTEST": s})
            for w, s in ((8, 1), (8, 3), (32, 2), (64, 3), (64, 4), (256, 3))
        ),
    ],
    indirect=["simulator"],
    ids=label,
)
def test_every_configuration(
    simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]
) -> None:
    simulate(simulator, "huffman_decoder_wide", MODULE, TESTS, sources=BASELINE, parameters=parameters)
