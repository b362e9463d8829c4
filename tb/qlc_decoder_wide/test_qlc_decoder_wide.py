"""Runs the wide decoder's bench on both simulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc.bounds import BUILDS, Bounds
from qlc_decoder_wide.builds import BENCH_PAIRS, EVERY, ODD_BUILDS, WORD_BITS, build_label, parameters
from qlc_tb.cases import long, sweep
from qlc_tb.discovery import cocotb_tests, label

HERE = Path(__file__).parent
MODULE = "qlc_decoder_wide.cocotb_qlc_decoder_wide"
TESTS = [
    "every_length",
    "word_edges",
    "data_kinds",
    "code_lengths",
    "real_tensors",
    "stalls",
    "every_code",
    "reload_same_payload",
    "other_addresses",
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

# Icarus takes minutes for what Verilator does in seconds.
CONFIGURATIONS = [
    ("icarus", "raw", 16, 2, SHORT),
    long("verilator", "paper", 16, 2, TESTS),
    long("verilator", "default", 8, 3, SHORT),
    ("verilator", "raw", 64, 1, TESTS),
]
# On Icarus, words this wide take minutes a test.
WIDE = 256


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_decoder_wide.py") == TESTS + SLOW_TESTS


@pytest.mark.parametrize(
    ("simulator", "build", "word_bits", "banks", "tests"),
    CONFIGURATIONS,
    indirect=["simulator"],
    ids=lambda value: "all" if value is TESTS else "short" if value is SHORT else label(value),
)
def test_decoder_wide(
    simulator: str, build: str, word_bits: int, banks: int, tests: list[str], simulate: Callable[..., Path]
) -> None:
    simulate(simulator, "qlc_decoder_wide", MODULE, tests, parameters=parameters(build, word_bits, banks))


# With 1 to 3 banks; on Icarus each width and each build once.
CASES = [
    *(
        (long if (build, word_bits) in BENCH_PAIRS else sweep)("verilator", build, word_bits, 1 + number % 3)
        for number, (build, word_bits) in enumerate(EVERY)
    ),
    *(
        sweep("icarus", build, WORD_BITS[number % len(WORD_BITS)], 1 + number % 3)
        for number, build in enumerate((*BUILDS, *ODD_BUILDS))
    ),
]


@pytest.mark.parametrize(
    ("simulator", "build", "word_bits", "banks"), CASES, indirect=["simulator"], ids=build_label
)
def test_every_configuration(
    simulator: str, build: str | Bounds, word_bits: int, banks: int, simulate: Callable[..., Path]
) -> None:
    slow = simulator == "icarus" and word_bits >= WIDE
    simulate(
        simulator,
        "qlc_decoder_wide",
        MODULE,
        SHORT if slow else TESTS + SLOW_TESTS,
        parameters=parameters(build, word_bits, banks),
        environment={"QLC_EFFORT": "1" if slow else "3"},
    )


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_codewords_of_8_bits_only(simulator: str, simulate: Callable[..., Path]) -> None:
    # No codeword is illegal then, and there is no padding.
    tests = [
        t for t in TESTS if t not in ("illegal_codewords", "cut_codewords", "padding_bits", "random_damage")
    ]
    bounds = Bounds(lengths=1, known_bits=3, shortest=8, longest=8)
    simulate(simulator, "qlc_decoder_wide", MODULE, tests, parameters=parameters(bounds, 64, 2))
