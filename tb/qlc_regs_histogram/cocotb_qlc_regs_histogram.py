"""Tests of the histogram as software sees it."""

from __future__ import annotations

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from numpy.typing import NDArray
from qlc.sampling import SampledHistogram
from qlc_tb.axil import OKAY, AxilMaster, AxilMonitor
from qlc_tb.dut import Dut
from qlc_tb.packet import Packet, dense
from qlc_tb.pattern import PATTERNS
from qlc_tb.registers import RegisterMap
from qlc_tb.reset import Reset
from qlc_tb.seed import seeded
from qlc_tb.sink import AxisSink
from qlc_tb.source import AxisSource


class StatisticsBench:
    """A stream to be watched, and software's view of the histogram."""

    def __init__(self, dut: Dut) -> None:
        """Builds the components and starts the clock."""
        self.dut = dut
        self.rng = seeded(dut)
        self.map = RegisterMap()
        self.reset = Reset(dut.rst, dut.clk)
        self.source = AxisSource(dut, "tap_axis", dut.clk, self.rng)
        self.sink = AxisSink(dut, "tap_axis", dut.clk, self.rng)
        self.master = AxilMaster(dut, "s_axil", self.rng)
        self.monitor = AxilMonitor(dut, "s_axil", self.reset)
        Clock(dut.clk, 10, "ns").start()

    async def begin(self) -> None:
        """Resets."""
        await self.reset.begin()
        await self.reset.end()

    async def set(self, name: str, **fields: int) -> None:
        """Writes a register's fields, the others 0."""
        register = self.map[name]
        assert await self.master.write(register.address, register.pack(**fields)) == OKAY

    async def get(self, name: str) -> int:
        """Reads a register, all of its words, low word first."""
        value = 0
        for number, address in enumerate(self.map[name].words):
            word, response = await self.master.read(address)
            assert response == OKAY
            value |= word << 32 * number
        return value

    async def histogram(self) -> list[int]:
        """Reads all counts."""
        return [await self.get(f"hist_count[{symbol}]") for symbol in range(256)]

    def send(self, packets: int) -> list[NDArray[np.uint8]]:
        """Sends random packets, and gives their symbols."""
        sent = []
        for _ in range(packets):
            length = self.rng.randint(0, 600)
            sent.append(
                np.array([self.rng.getrandbits(8) >> self.rng.randrange(8) for _ in range(length)], "u1")
            )
            self.source.put(Packet(dense(sent[-1].tobytes(), 32)))
        return sent

    async def drain(self) -> None:
        """Waits until all packets have passed."""
        while not self.source.idle:
            await ClockCycles(self.dut.clk, 1)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def collects(dut: Dut) -> None:
    """As the guide says: set the packets, enable and clear, wait for frozen, read."""
    tb = StatisticsBench(dut)
    await tb.begin()
    for packets in (1, 5, 30):
        tb.source.pattern = PATTERNS[tb.rng.choice([*PATTERNS])](tb.rng)
        tb.sink.pattern = PATTERNS[tb.rng.choice([*PATTERNS])](tb.rng)
        await tb.set("hist_freeze", packets=packets)
        await tb.set("hist_control", enable=1, clear=1)
        # What a clear has done can be read at once.
        assert await tb.get("hist_count[0]") == await tb.get("hist_samples") == 0
        model = SampledHistogram(freeze_packets=packets)
        model.stream(tb.send(packets + 8))
        while not await tb.get("hist_status"):
            assert not tb.source.idle, "all packets have passed, and it is not frozen"
        assert await tb.histogram() == list(model.counts)
        assert await tb.get("hist_samples") == model.samples
        assert await tb.get("hist_packets") == model.packets == packets
        await tb.drain()
        assert await tb.histogram() == list(model.counts)
    await tb.set("hist_control", clear=1)
    tb.send(4)
    await tb.drain()
    assert await tb.histogram() == [0] * 256, "counted without enable"


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def goes_on(dut: Dut) -> None:
    """Without a freeze it counts on, read or not, until the enable is taken away."""
    tb = StatisticsBench(dut)
    await tb.begin()
    await tb.set("hist_control", enable=1)
    model = SampledHistogram()
    for _ in range(3):
        model.stream(tb.send(25))
        reading = [await tb.get(f"hist_count[{tb.rng.randrange(256)}]") for _ in range(40)]
        assert max(reading) <= 25 * 20 * 3
        await tb.drain()
        await ClockCycles(dut.clk, 4)
        assert await tb.histogram() == list(model.counts)
        assert await tb.get("hist_samples") == model.samples
    await tb.set("hist_control", enable=0)
    tb.send(5)
    await tb.drain()
    assert await tb.histogram() == list(model.counts)
    assert await tb.get("hist_packets") == model.packets
