"""Plays many packets through the wide decoder: every word at narrow widths, tensors, damage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from qlc.bounds import BUILDS, Bounds
from qlc_decoder_wide.builds import EVERY, ODD_BUILDS, PLAYER_PAIRS, WORD_BITS, build_label, parameters
from qlc_tb.cases import long, sweep
from qlc_tb.discovery import cocotb_tests
from qlc_tb.simulation import SimulationError
from qlc_tb.sources import PLAYER
from qlc_tb.tables import PLANT_FAULT

HERE = Path(__file__).parent
TESTS = ["every_word_at_every_offset", "damage", "garbage", "tensors"]
# Codewords of all lengths from 4 bits on; few of random bits are illegal.
MANY_LENGTHS = "4x13,5x2,6x2,7x3,8x2,9x2,10x2,11x2,12"

Play = Callable[..., None]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_wide_player.py") == TESTS


@pytest.fixture
def play(simulate: Callable[..., Path]) -> Play:
    """Builds the player and plays: simulator, build, width and banks, tests, their environment."""

    def call(
        simulator: str,
        build: str | Bounds,
        word_bits: int,
        banks: int,
        tests: Sequence[str],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        simulate(
            simulator,
            "qlc_wide_player",
            "qlc_decoder_wide.cocotb_qlc_wide_player",
            tests,
            sources=[*PLAYER, HERE / "qlc_wide_player.v"],
            control=HERE / "public.vlt",
            parameters=parameters(build, word_bits, banks),
            environment=environment,
        )

    return call


@pytest.mark.parametrize("build", ["any", long("raw")])
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_word_of_8_bits(simulator: str, build: str, play: Play) -> None:
    play(simulator, build, 8, 1, ["every_word_at_every_offset"])


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_word_of_16_bits(simulator: str, play: Play) -> None:
    environment = {"QLC_CODES": MANY_LENGTHS}
    play(simulator, "huffman", 16, 2, ["every_word_at_every_offset", "damage", "garbage"], environment)


@pytest.mark.parametrize("word_bits", [64, long(256)])
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_tensor(simulator: str, word_bits: int, play: Play) -> None:
    # With one bank no word waits, ever.
    play(simulator, "raw", word_bits, 1, ["damage", "garbage", "tensors"])


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_tensor_on_icarus(simulator: str, play: Play) -> None:
    # One of 1024 symbols; all of a layer's in the long test.
    environment = {"QLC_TENSORS": "layers.12.ffn_up.act.scale", "QLC_ROUNDS": "2"}
    play(simulator, "raw", 32, 2, ["garbage", "tensors"], environment)


@pytest.mark.parametrize(
    ("build", "word_bits"),
    [(long if each in PLAYER_PAIRS else sweep)(*each) for each in EVERY],
    ids=build_label,
)
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_width(simulator: str, build: str | Bounds, word_bits: int, play: Play) -> None:
    environment = {"QLC_ROUNDS": "24", "QLC_PACKETS": "1000"}
    play(simulator, build, word_bits, 2, ["damage", "garbage", "tensors"], environment)


@pytest.mark.parametrize(
    ("build", "word_bits"),
    [
        (long if (build, word_bits) == ("raw", 64) else sweep)(build, word_bits)
        for build in ("default", "raw")
        for word_bits in WORD_BITS
    ],
)
@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_every_width_on_icarus(simulator: str, build: str, word_bits: int, play: Play) -> None:
    # A cycle costs in proportion to the width, so a tensor the same at each.
    stride = "1" if word_bits == 64 else "6"
    environment = {"QLC_TENSORS": "layers.12.attn.", "QLC_STRIDE": stride, "QLC_ROUNDS": "2"}
    play(simulator, build, word_bits, 2, ["damage", "garbage", "tensors"], environment)


@pytest.mark.parametrize(
    ("build", "word_bits"),
    [
        (long if word_bits == (8 if isinstance(build, Bounds) else 0) else sweep)(build, word_bits)
        for build in (*BUILDS, *ODD_BUILDS)
        for word_bits in (8, 16)
    ],
    ids=build_label,
)
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_word(simulator: str, build: str | Bounds, word_bits: int, play: Play) -> None:
    play(simulator, build, word_bits, 2, ["every_word_at_every_offset"])


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_planted_fault_is_red(simulator: str, play: Play) -> None:
    with pytest.raises(SimulationError) as caught:
        play(simulator, "raw", 32, 2, ["damage"], {PLANT_FAULT: "1"})
    log = Path(str(caught.value).rpartition("see ")[2]).read_text()
    assert "AssertionError: packet" in log
