"""Tests of the FIFO against a queue."""

from __future__ import annotations

import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from qlc_tb.dut import Dut
from qlc_tb.unknown import unknown


@cocotb.test()
async def against_queue(dut: Dut) -> None:
    """Ready while not full, valid while not empty, in order; with resets; all in every cycle."""
    rng = random.Random(f"{cocotb.RANDOM_SEED}")
    depth = int(dut.DEPTH.value)
    width = len(dut.s_data)
    edge = dut.clk.rising_edge
    queue: deque[int] = deque()
    levels: set[int] = set()
    dut.rst.value = 1
    dut.s_valid.value = dut.m_ready.value = 0
    Clock(dut.clk, 10, "ns").start()
    await ClockCycles(dut.clk, 2)
    dut.rst.value = 0
    await edge
    push = pop = False
    data = 0
    for cycle in range(3000):
        if cycle % 100 == 0:
            writing, reading = rng.choice([(0.9, 0.1), (0.5, 0.5), (0.1, 0.9), (1, 1)])
        reset = rng.random() < 0.01
        push, pop = rng.random() < writing, rng.random() < reading
        data = rng.getrandbits(width)
        dut.s_valid.value = int(push)
        dut.s_data.value = data if push else unknown(width, rng)
        dut.m_ready.value = int(pop)
        dut.rst.value = int(reset)
        await edge
        assert str(dut.s_ready.value) == str(int(len(queue) < depth)), f"cycle {cycle}: s_ready"
        assert str(dut.m_valid.value) == str(int(bool(queue))), f"cycle {cycle}: m_valid"
        if queue:
            assert int(dut.m_data.value) == queue[0], f"cycle {cycle}: m_data"
        levels.add(len(queue))
        push = push and len(queue) < depth
        if queue and pop:
            queue.popleft()
        if push:
            queue.append(data)
        if reset:
            queue.clear()
    assert levels == set(range(depth + 1)), f"levels reached: {levels}"
