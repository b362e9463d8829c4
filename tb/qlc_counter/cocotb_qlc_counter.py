"""Tests of the counter against a sum."""

from __future__ import annotations

import random
from itertools import product

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from qlc_tb.dut import Dut


@cocotb.test()
async def wraps(dut: Dut) -> None:
    """The sum in every cycle, across the end of each part of 16 bits, and 0 after a reset."""
    rng = random.Random(f"{cocotb.RANDOM_SEED}")
    edge = dut.clk.falling_edge
    dut.rst.value = 1
    dut.step.value = 0
    Clock(dut.clk, 10, "ns").start()
    await ClockCycles(dut.clk, 2)
    await edge
    dut.rst.value = 0
    largest = (1 << len(dut.step)) - 1
    for full in product((False, True), repeat=3):
        # The lowest part is about to wrap, any of the upper ones with it.
        count = 0xFFFF - rng.randrange(3)
        for part, is_full in enumerate(full, start=1):
            count |= (0xFFFF if is_full else rng.randrange(0xFFFF)) << 16 * part
        dut.count_reg.value = count
        dut.step.value = 0
        # What stands ahead of a wrap takes a cycle.
        await edge
        await edge
        for cycle in range(40):
            step = rng.choice([0, 1, largest, rng.randint(0, largest)])
            dut.step.value = step
            count = (count + step) % (1 << 64)
            await edge
            assert int(dut.count.value) == count, f"upper parts full: {full}, cycle {cycle}"
    dut.rst.value = 1
    await edge
    assert int(dut.count.value) == 0
