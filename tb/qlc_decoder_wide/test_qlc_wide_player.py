"""Plays many packets through the wide decoder: every word at narrow widths, tensors, damage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests
from qlc_tb.simulation import ROOT, SIMULATORS, SimulationError
from qlc_tb.tables import PLANT_FAULT

HERE = Path(__file__).parent
TESTS = ["every_word_at_every_offset", "damage", "tensors"]
WORD_BITS = (8, 16, 32, 64, 128, 256, 512)
# Codewords of all lengths from 3 to 11 bits; few of random bits are illegal.
MANY_LENGTHS = "3:0,1,1,2,2,3,4,8"

Play = Callable[..., None]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_wide_player.py") == TESTS


@pytest.fixture
def play(simulate: Callable[..., Path]) -> Play:
    """Builds the player for a width and plays."""

    def call(
        simulator: str,
        tests: Sequence[str],
        environment: Mapping[str, str] | None = None,
        **parameters: int,
    ) -> None:
        simulate(
            simulator,
            "qlc_wide_player",
            "qlc_decoder_wide.cocotb_qlc_wide_player",
            tests,
            sources=[HERE / "qlc_wide_player.v", ROOT / "tb" / "qlc_tb" / "axis_stability.v"],
            control=HERE / "public.vlt",
            parameters=parameters,
            environment=environment,
        )

    return call


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_every_word_of_8_bits(simulator: str, play: Play) -> None:
    play(simulator, ["every_word_at_every_offset"], WORD_BITS=8, PREFIX_BITS=4, BANKS=1)


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_word_of_16_bits(simulator: str, play: Play) -> None:
    environment = {"QLC_SCHEMES": MANY_LENGTHS}
    tests = ["every_word_at_every_offset", "damage"]
    play(simulator, tests, environment, WORD_BITS=16, PREFIX_BITS=3, BANKS=2)


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_tensor(simulator: str, play: Play) -> None:
    play(simulator, ["damage", "tensors"], WORD_BITS=256, PREFIX_BITS=3, BANKS=2)


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_tensors_of_a_layer(simulator: str, play: Play) -> None:
    # Two; all of the layer's in the long test.
    environment = {"QLC_TENSORS": "layers.12.attn.", "QLC_STRIDE": "4"}
    play(simulator, ["tensors"], environment, WORD_BITS=64, PREFIX_BITS=4, BANKS=2)


@pytest.mark.long
@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
@pytest.mark.parametrize("word_bits", WORD_BITS)
@pytest.mark.parametrize("simulator", SIMULATORS, indirect=True)
def test_every_width(simulator: str, word_bits: int, prefix_bits: int, play: Play) -> None:
    parameters = {"WORD_BITS": word_bits, "PREFIX_BITS": prefix_bits, "BANKS": 2}
    if simulator == "verilator":
        play(simulator, ["damage", "tensors"], {"QLC_ROUNDS": "24", "QLC_PACKETS": "1000"}, **parameters)
    else:
        # A cycle costs in proportion to the width, so a tensor the same at each.
        stride = "1" if prefix_bits == 4 and word_bits == 64 else "6"
        environment = {"QLC_TENSORS": "layers.12.", "QLC_STRIDE": stride}
        play(simulator, ["damage", "tensors"], environment, **parameters)


@pytest.mark.long
@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
@pytest.mark.parametrize("word_bits", [8, 16])
@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
def test_every_word(simulator: str, word_bits: int, prefix_bits: int, play: Play) -> None:
    play(
        simulator,
        ["every_word_at_every_offset"],
        WORD_BITS=word_bits,
        PREFIX_BITS=prefix_bits,
        BANKS=2,
    )


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_planted_fault_is_red(simulator: str, play: Play) -> None:
    with pytest.raises(SimulationError) as caught:
        play(simulator, ["damage"], {PLANT_FAULT: "1"}, WORD_BITS=64, PREFIX_BITS=4, BANKS=2)
    log = Path(str(caught.value).rpartition("see ")[2]).read_text()
    assert "AssertionError: packet" in log
