"""Runs the FIFO's bench."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize("depth", [2, 4, 8])
@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_fifo(simulator: str, depth: int, simulate: Callable[..., Path]) -> None:
    module = "qlc_fifo.cocotb_qlc_fifo"
    simulate(simulator, "qlc_fifo", module, ["against_queue"], parameters={"DEPTH": depth, "WIDTH": 16})
