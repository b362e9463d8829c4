"""Runs the counter's bench."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.simulation import SIMULATORS


@pytest.mark.parametrize("step_bits", [1, 6, 15])
@pytest.mark.parametrize("simulator", SIMULATORS, indirect=True)
def test_counter(simulator: str, step_bits: int, simulate: Callable[..., Path]) -> None:
    module = "qlc_counter.cocotb_qlc_counter"
    simulate(simulator, "qlc_counter", module, ["wraps"], parameters={"STEP_BITS": step_bits})
