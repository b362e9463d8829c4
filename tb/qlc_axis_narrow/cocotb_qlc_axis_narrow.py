"""Tests of the wide to narrow converter."""

from __future__ import annotations

from qlc_tb.bench import Bench, bench_test
from qlc_tb.dut import Dut
from qlc_tb.packet import Beat, Expected, Packet, dense
from qlc_tb.pattern import PATTERNS


class NarrowBench(Bench):
    """The converter alone."""

    def __init__(self, dut: Dut) -> None:
        """The converter passes bytes without tkeep on, and s_axis_tready follows tkeep."""
        super().__init__(dut)
        self.source.unknown_bytes = False
        dut.s_axis_tkeep.value = 0

    def send(self, data: bytes, beats: list[Beat] | None = None) -> None:
        """Sends a packet and expects its bytes."""
        self.source.put(Packet(beats or dense(data, self.source.width)))
        self.scoreboard.expect(Expected(data))


@bench_test(NarrowBench)
async def every_length(tb: NarrowBench) -> None:
    """Packets of 0 bytes to three beats; no part of a beat is sent empty but of an empty beat."""
    narrow = len(tb.dut.m_axis_tdata) // 8
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            for count in (*range(2 * tb.source.width), 3 * tb.source.width):
                tb.send(tb.rng.randbytes(count))
            for packet in await tb.drain():
                assert len(packet.cycles) == max(1, -(-len(packet.data) // narrow))


@bench_test(NarrowBench)
async def empty_last_beat(tb: NarrowBench) -> None:
    """A last beat without bytes behind full ones arrives as one."""
    for beats in range(1, 4):
        data = tb.rng.randbytes(beats * tb.source.width)
        tb.send(data, [*dense(data, tb.source.width), Beat(bytes(tb.source.width), 0)])
    await tb.drain()


@bench_test(NarrowBench)
async def no_bubbles(tb: NarrowBench) -> None:
    """The output is busy in every cycle, also from packet to packet."""
    for _ in range(20):
        tb.send(tb.rng.randbytes(tb.rng.randint(1, 4 * tb.source.width)))
    received = await tb.drain()
    cycles = [cycle for packet in received for cycle in packet.cycles]
    assert cycles == list(range(cycles[0], cycles[0] + len(cycles)))


@bench_test(NarrowBench)
async def resets(tb: NarrowBench) -> None:
    """A reset inside a beat leaves nothing behind."""
    for _ in range(20):
        tb.stall("always", tb.rng.choice([*PATTERNS]))
        for _ in range(4):
            tb.send(tb.rng.randbytes(3 * tb.source.width))
        for _ in range(tb.rng.randint(1, 12)):
            await tb.dut.clk.rising_edge
        await tb.restart()
        tb.send(tb.rng.randbytes(tb.rng.randint(1, 3 * tb.source.width)))
        await tb.drain()
