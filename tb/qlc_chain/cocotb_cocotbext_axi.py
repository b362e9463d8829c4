"""Encoder, decoder and both in a chain, driven and received by cocotbext-axi.

Its source, sink and monitor were written by others, so a rule of AXI-Stream that this project's
own components misread would show here.
"""

from __future__ import annotations

import warnings

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamMonitor, AxiStreamSink, AxiStreamSource
from qlc.table import Table
from qlc_tb import stimulus
from qlc_tb.dut import Dut
from qlc_tb.packet import Expected
from qlc_tb.pattern import PATTERNS
from qlc_tb.reference import decoded, encoded
from qlc_tb.seed import seeded
from qlc_tb.tables import TableWriter, bounds_of, codes, decoder_words, encoder_words, random_table

# cocotbext-axi still uses names that cocotb 2 deprecates.
warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"cocotbext\.")


class Bench:
    """A source on ``s_axis``, a sink and a monitor on ``m_axis``."""

    def __init__(self, dut: Dut) -> None:
        """Begins the reset and starts the clock."""
        self.dut = dut
        self.rng = seeded(dut)
        bounds = bounds_of(dut)
        self.raw_bits = bounds.raw_bits
        self.table: Table = random_table(codes(bounds, self.rng)[0], self.rng, bounds.raw_bits)
        dut.rst.value = 1
        dut.s_axis_tvalid.value = 0
        dut.m_axis_tready.value = 0
        Clock(dut.clk, 10, "ns").start()

    async def reset(self) -> None:
        """Ends the reset, and builds the components just before: earlier they would read X as a bool."""
        await ClockCycles(self.dut.clk, 3)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(self.dut, "s_axis"), self.dut.clk)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(self.dut, "m_axis"), self.dut.clk)
        self.monitor = AxiStreamMonitor(AxiStreamBus.from_prefix(self.dut, "m_axis"), self.dut.clk)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 2)

    async def exchange(self, packets: list[tuple[AxiStreamFrame, Expected]]) -> None:
        """Sends all frames and checks what sink and monitor receive, under several stall patterns."""
        for source, sink in (("always", "always"), ("bursts", "scattered"), ("scattered", "bursts")):
            self.source.set_pause_generator(not allowed for allowed in PATTERNS[source](self.rng))
            self.sink.set_pause_generator(not allowed for allowed in PATTERNS[sink](self.rng))
            for frame, _ in packets:
                await self.source.send(frame)
            for number, (_, expected) in enumerate(packets):
                for receiver in (self.sink, self.monitor):
                    frame = await with_timeout(receiver.recv(compact=False), 100, "us")
                    data = bytes(byte for byte, keep in zip(frame.tdata, frame.tkeep, strict=True) if keep)
                    user = frame.tuser[-1] if frame.tuser else 0
                    assert (data, user) == expected, f"packet {number}"
        await ClockCycles(self.dut.clk, 40)
        assert self.sink.empty(), "a packet too many"
        assert self.monitor.empty(), "a packet too many"


@cocotb.test()
async def encoder(dut: Dut) -> None:
    """The encoder core."""
    tb = Bench(dut)
    writer = TableWriter(dut, tb.rng)
    await tb.reset()
    await writer.write(encoder_words(tb.table, tb.raw_bits))
    packets = []
    for count in (*range(1, 70), 512):
        # The longest has every symbol.
        choose = stimulus.all_symbols if count == 512 else stimulus.skewed
        symbols = choose(tb.table, count, tb.rng)
        packets.append((AxiStreamFrame(symbols.tobytes()), encoded(symbols, tb.table)))
    await tb.exchange(packets)


@cocotb.test()
async def decoder(dut: Dut) -> None:
    """The decoder core, every third packet cut or one symbol short."""
    tb = Bench(dut)
    writer = TableWriter(dut, tb.rng)
    await tb.reset()
    await writer.write(decoder_words(tb.table, tb.raw_bits))
    packets = []
    for count in range(1, 60):
        symbols = stimulus.skewed(tb.table, count, tb.rng)
        payload = encoded(symbols, tb.table).data
        if count % 3 == 0:
            payload, count = tb.rng.choice([(payload[:-1], count), (payload, count - 1)])
        packets.append((AxiStreamFrame(payload, tuser=count), decoded(payload, count, tb.table)))
    await tb.exchange(packets)


@cocotb.test()
async def chain(dut: Dut) -> None:
    """Both cores, wired to each other."""
    tb = Bench(dut)
    rank_writer = TableWriter(dut, tb.rng, "rank")
    table_writer = TableWriter(dut, tb.rng, "table")
    await tb.reset()
    await rank_writer.write(encoder_words(tb.table, tb.raw_bits))
    await table_writer.write(decoder_words(tb.table, tb.raw_bits))
    packets = []
    for count in (*range(1, 70, 3), 256):
        data = stimulus.skewed(tb.table, count, tb.rng).tobytes()
        packets.append((AxiStreamFrame(data, tuser=count), Expected(data)))
    await tb.exchange(packets)
