"""Runs the wide decoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests, label
from qlc_tb.simulation import SIMULATORS

HERE = Path(__file__).parent
MODULE = "qlc_decoder_wide.cocotb_qlc_decoder_wide"
TESTS = [
    "every_length",
    "word_edges",
    "data_kinds",
    "code_lengths",
    "real_tensors",
    "stalls",
    "every_scheme",
    "reload_same_payload",
    "banks",
    "last_beats",
    "reset_in_packet",
    "reset_in_stall",
    "latency",
    "next_packet_pauses",
    "word_every_cycle",
    "illegal_codewords",
    "cut_codewords",
    "wrong_counts",
    "padding_bits",
    "random_damage",
    "random_packets",
]
# Too slow for every configuration.
SLOW_TESTS = ["long_packet"]
# What depends on the configuration most.
SHORT = ["code_lengths", "banks", "latency", "next_packet_pauses", "word_every_cycle", "random_damage"]

CONFIGURATIONS = [
    ("icarus", {"WORD_BITS": 16, "PREFIX_BITS": 3, "BANKS": 2}, TESTS),
    ("icarus", {"WORD_BITS": 8, "PREFIX_BITS": 1, "BANKS": 3}, SHORT),
    ("icarus", {"WORD_BITS": 8, "PREFIX_BITS": 4, "BANKS": 1}, SHORT),
    ("icarus", {"WORD_BITS": 32, "PREFIX_BITS": 2, "BANKS": 1}, SHORT),
]
WORD_BITS = (8, 16, 32, 64, 128, 256, 512)
# On Icarus, words this wide take minutes a test.
WIDE = 256


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_decoder_wide.py") == TESTS + SLOW_TESTS


@pytest.mark.parametrize(
    ("simulator", "parameters", "tests"),
    CONFIGURATIONS,
    indirect=["simulator"],
    ids=lambda value: "all" if value is TESTS else "short" if value is SHORT else label(value),
)
def test_decoder_wide(
    simulator: str, parameters: dict[str, int], tests: list[str], simulate: Callable[..., Path]
) -> None:
    simulate(simulator, "qlc_decoder_wide", MODULE, tests, parameters=parameters)


@pytest.mark.long
@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
@pytest.mark.parametrize("word_bits", WORD_BITS)
@pytest.mark.parametrize("simulator", SIMULATORS, indirect=True)
def test_every_configuration(
    simulator: str, word_bits: int, prefix_bits: int, simulate: Callable[..., Path]
) -> None:
    slow = simulator == "icarus" and word_bits >= WIDE
    simulate(
        simulator,
        "qlc_decoder_wide",
        MODULE,
        SHORT if slow else TESTS + SLOW_TESTS,
        parameters={
            "WORD_BITS": word_bits,
            "PREFIX_BITS": prefix_bits,
            # 1 to 3, each at some width and prefix.
            "BANKS": 1 + (WORD_BITS.index(word_bits) + prefix_bits) % 3,
        },
        environment={"QLC_EFFORT": "1" if slow else "3"},
    )
