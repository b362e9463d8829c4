"""Tests of the histogram against the golden model's sampling."""

from __future__ import annotations

from types import TracebackType

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge
from numpy.typing import NDArray
from qlc.sampling import SampledHistogram
from qlc_tb import stimulus
from qlc_tb.bench import bench_test
from qlc_tb.dut import Dut
from qlc_tb.monitor import AxisMonitor
from qlc_tb.packet import Beat, Packet, dense, ragged, sparse
from qlc_tb.pattern import PATTERNS
from qlc_tb.reset import Reset
from qlc_tb.seed import seeded
from qlc_tb.sink import AxisSink
from qlc_tb.source import AxisSource

# Cycles from a beat to the outputs that show it, with some to spare.
SETTLE = 6


class HistogramBench:
    """A source, a sink and a monitor on the stream that the histogram watches.

    A second look at the same signals feeds the model with the packets that should be counted.
    """

    def __init__(self, dut: Dut) -> None:
        """Builds the components and starts the clock."""
        self.dut = dut
        self.rng = seeded(dut)
        self.reset = Reset(dut.rst, dut.clk)
        self.source = AxisSource(dut, "tap_axis", dut.clk, self.rng)
        self.sink = AxisSink(dut, "tap_axis", dut.clk, self.rng)
        self.monitor = AxisMonitor(dut, "tap_axis", dut.clk, self.reset)
        self.lanes = self.source.width
        self.model = SampledHistogram(self.lanes, count_bits=len(dut.read_data))
        self.checks = 0
        for signal in (dut.enable, dut.clear, dut.freeze_packets, dut.read_addr):
            signal.value = 0
        Clock(dut.clk, 10, "ns").start()
        cocotb.start_soon(self._watch())

    async def __aenter__(self) -> HistogramBench:
        """Resets, and counts from the first packet on."""
        await self.reset.begin()
        await self.reset.end()
        self.dut.enable.value = 1
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Checks once more, unless the test has failed already."""
        if kind is None:
            await self.check()

    async def _watch(self) -> None:
        dut = self.dut
        beats: list[tuple[bytes, int]] = []
        begun = counted = False
        while True:
            await RisingEdge(dut.clk)
            if self.reset.active:
                self.model.clear()
                begun = counted = False
                beats.clear()
                continue
            clear = int(dut.clear.value) == 1
            if clear:
                self.model.clear()
                counted = False
                beats.clear()
            if str(dut.tap_axis_tvalid.value) == str(dut.tap_axis_tready.value) == "1":
                if not begun:
                    counted = not clear and int(dut.enable.value) == 1 and not self.model.frozen
                keep = int(dut.tap_axis_tkeep.value)
                data = bytes(
                    int(dut.tap_axis_tdata.value[8 * lane + 7 : 8 * lane]) if keep >> lane & 1 else 0xEE
                    for lane in range(self.lanes)
                )
                beats.append((data, keep))
                begun = int(dut.tap_axis_tlast.value) == 0
                if not begun:
                    if counted:
                        self._count(beats)
                    beats.clear()

    def _count(self, beats: list[tuple[bytes, int]]) -> None:
        self.model.freeze_packets = int(self.dut.freeze_packets.value)
        data = np.frombuffer(b"".join(data for data, _ in beats), dtype=np.uint8)
        keep = [[keep >> lane & 1 == 1 for lane in range(self.lanes)] for _, keep in beats]
        self.model.beats(data.reshape(-1, self.lanes), np.array(keep))

    def send(self, symbols: NDArray[np.uint8], beats: list[Beat] | None = None) -> None:
        """Sends a packet."""
        self.source.put(Packet(beats or dense(symbols.tobytes(), self.lanes)))

    def some(self, least: int, most: int, kinds: int = 256) -> NDArray[np.uint8]:
        """Random symbols, skewed, of at most ``kinds`` values."""
        rng = self.rng
        length = rng.randint(least, most)
        return np.array([min(rng.randrange(kinds), rng.randrange(256)) for _ in range(length)], np.uint8)

    def stall(self, source: str, sink: str) -> None:
        """Sets the patterns of both ends, by name."""
        self.source.pattern = PATTERNS[source](self.rng)
        self.sink.pattern = PATTERNS[sink](self.rng)

    async def drain(self) -> None:
        """Waits until all packets have passed."""
        while not self.source.idle:
            await ClockCycles(self.dut.clk, 1)

    async def pulse_clear(self) -> None:
        """Clears, in the next cycle."""
        await FallingEdge(self.dut.clk)
        self.dut.clear.value = 1
        await FallingEdge(self.dut.clk)
        self.dut.clear.value = 0

    async def read(self) -> NDArray[np.int64]:
        """Reads all counts, one a cycle."""
        counts = []
        await FallingEdge(self.dut.clk)
        for symbol in range(256):
            self.dut.read_addr.value = symbol
            await FallingEdge(self.dut.clk)
            counts.append(int(self.dut.read_data.value))
        return np.array(counts, dtype=np.int64)

    async def check(self) -> None:
        """Waits for all packets, and compares everything with the model."""
        await self.drain()
        await ClockCycles(self.dut.clk, SETTLE)
        self.compare(await self.read())

    def compare(self, counts: NDArray[np.int64]) -> None:
        """Compares counts just read, and all other outputs, with the model."""
        wrong = np.flatnonzero(counts != self.model.counts)
        assert not len(wrong), f"symbols {wrong}: {counts[wrong]}, expected {self.model.counts[wrong]}"
        assert int(self.dut.samples.value) == self.model.samples
        assert int(self.dut.packets.value) == self.model.packets
        assert int(self.dut.frozen.value) == self.model.frozen
        self.checks += 1


histogram_test = bench_test(HistogramBench, timeout_ms=50)


@histogram_test
async def nothing_at_first(tb: HistogramBench) -> None:
    """All counts are 0 after reset, whatever the memory holds."""
    await tb.check()


@histogram_test
async def every_length(tb: HistogramBench) -> None:
    """Packets of no symbol to more than four beats."""
    for length in range(4 * tb.lanes + 3):
        tb.send(tb.some(length, length))
    await tb.check()


@histogram_test
async def partial_beats(tb: HistogramBench) -> None:
    """Beats with some of their bytes, contiguous or not, or with none."""
    for shape in (ragged, sparse):
        for _ in range(40):
            symbols = tb.some(0, 6 * tb.lanes)
            tb.send(symbols, shape(symbols.tobytes(), tb.lanes, tb.rng))
        await tb.check()


@histogram_test
async def repeats(tb: HistogramBench) -> None:
    """A symbol again one, two, three cycles later: no count is lost on the way."""
    for kinds in (1, 2, 3, 4):
        for source in ("always", "scattered"):
            tb.stall(source, "always")
            tb.send(tb.some(80 * tb.lanes, 80 * tb.lanes, kinds))
            await tb.check()


@histogram_test
async def stalls(tb: HistogramBench) -> None:
    """Every idle pattern with every backpressure pattern; only what is transferred counts."""
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            for _ in range(5):
                tb.send(tb.some(1, 8 * tb.lanes, 8))
            await tb.drain()
        await tb.check()


@histogram_test
async def real_tensors(tb: HistogramBench) -> None:
    """Slices of captured tensors, random bytes where there are none."""
    for part in stimulus.slices(6, 2048, tb.rng):
        tb.send(part.symbols)
    await tb.check()


@histogram_test
async def freezes(tb: HistogramBench) -> None:
    """After the set number of packets nothing is counted, and what is read as soon as frozen is final."""
    for packets in (1, 2, 7):
        await tb.pulse_clear()
        tb.dut.freeze_packets.value = packets
        for _ in range(packets + 3):
            tb.send(tb.some(0, 5 * tb.lanes, 4))
        while int(tb.dut.frozen.value) == 0:
            await FallingEdge(tb.dut.clk)
        tb.compare(await tb.read())
        await tb.check()
        assert tb.model.packets == packets
    # 0: it never freezes. A number that has been passed already freezes at the next packet's end.
    tb.dut.freeze_packets.value = 0
    await tb.pulse_clear()
    for _ in range(10):
        tb.send(tb.some(1, 2 * tb.lanes))
    await tb.check()
    tb.dut.freeze_packets.value = 3
    for _ in range(4):
        tb.send(tb.some(1, 2 * tb.lanes))
    await tb.check()
    assert tb.model.packets == 11


@histogram_test
async def whole_packets(tb: HistogramBench) -> None:
    """The enable changes inside packets: each is counted as a whole or not at all."""
    for _ in range(40):
        tb.send(tb.some(1, 12 * tb.lanes))
    while not tb.source.idle:
        await ClockCycles(tb.dut.clk, tb.rng.randint(1, 16))
        await FallingEdge(tb.dut.clk)
        tb.dut.enable.value = tb.rng.randrange(2)
    await tb.check()
    tb.dut.enable.value = 1


@histogram_test
async def clears(tb: HistogramBench) -> None:
    """Clears at any time, also while a count is on its way; the lane begins anew."""
    for _ in range(12):
        tb.stall(tb.rng.choice([*PATTERNS]), "always")
        for _ in range(10):
            tb.send(tb.some(1, 6 * tb.lanes, 2))
        for _ in range(6):
            await ClockCycles(tb.dut.clk, tb.rng.randint(1, 12))
            await tb.pulse_clear()
        await tb.check()


@histogram_test
async def saturates(tb: HistogramBench) -> None:
    """A count stays at its largest value; samples go on."""
    beats = min(300, 5 << len(tb.dut.read_data))
    for kinds in (1, 3):
        tb.send(tb.some(beats * tb.lanes, beats * tb.lanes, kinds))
    await tb.check()


@histogram_test
async def packets_saturate(tb: HistogramBench) -> None:
    """So does the number of packets."""
    most = (1 << 32) - 1
    await FallingEdge(tb.dut.clk)
    tb.dut.packets_reg.value = most - 2
    tb.model.packets = most - 2
    for _ in range(2):
        for _ in range(2):
            tb.send(tb.some(1, tb.lanes))
        await tb.check()
    assert tb.model.packets == most


@histogram_test
async def read_while_counting(tb: HistogramBench) -> None:
    """Reading does not disturb, and what is read is known and never too much."""
    for _ in range(30):
        tb.send(tb.some(16 * tb.lanes, 16 * tb.lanes, 4))
    early = await tb.read()
    await tb.check()
    assert (early <= tb.model.counts).all()


@histogram_test
async def resets(tb: HistogramBench) -> None:
    """A reset anywhere leaves nothing behind."""
    for cycles in range(1, 16):
        for _ in range(3):
            tb.send(tb.some(1, 8 * tb.lanes))
        await ClockCycles(tb.dut.clk, cycles)
        await tb.reset.begin()
        tb.source.abort()
        await tb.reset.end()
        tb.send(tb.some(1, 3 * tb.lanes))
        await tb.check()


@histogram_test
async def everything_at_random(tb: HistogramBench) -> None:
    """Packets, partial beats, stalls, enable, clear and freeze at random."""
    for _ in range(12):
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        tb.dut.freeze_packets.value = tb.rng.choice([0, 3, 8])
        for _ in range(12):
            symbols = tb.some(0, 6 * tb.lanes, tb.rng.choice([2, 16, 256]))
            shape = tb.rng.choice([ragged, sparse, None])
            tb.send(symbols, shape(symbols.tobytes(), tb.lanes, tb.rng) if shape else None)
        while not tb.source.idle:
            await ClockCycles(tb.dut.clk, tb.rng.randint(1, 60))
            await FallingEdge(tb.dut.clk)
            tb.dut.enable.value = int(tb.rng.random() < 0.8)
            if tb.rng.random() < 0.1:
                await tb.pulse_clear()
        await tb.check()
    tb.dut.enable.value = 1
