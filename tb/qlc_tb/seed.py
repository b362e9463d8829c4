"""The seed of a bench's random stimulus."""

from __future__ import annotations

import os
import random

import cocotb

from qlc_tb.dut import Dut


def seeded(dut: Dut) -> random.Random:
    """Random numbers of the test's own; the log says how to have them again."""
    # cocotb.RANDOM_SEED is made of this one and the test's name.
    seed = os.environ["COCOTB_RANDOM_SEED"]
    dut._log.info("seed %s", seed)
    if place := os.environ.get("PYTEST_CURRENT_TEST"):
        dut._log.info('to run again: pytest "%s" --seed %s', place.rpartition(" ")[0], seed)
    return random.Random(f"{cocotb.RANDOM_SEED}")
