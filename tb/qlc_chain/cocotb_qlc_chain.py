"""Tests of encoder and decoder core wired to each other: what goes in comes out."""

from __future__ import annotations

import numpy as np
from cocotb.triggers import ClockCycles
from qlc_tb import stimulus
from qlc_tb.bench import bench_test
from qlc_tb.core import CoreBench
from qlc_tb.dut import Dut
from qlc_tb.packet import Beat, Expected, Packet, dense, sparse
from qlc_tb.pattern import PATTERNS
from qlc_tb.reference import decoded, encoded
from qlc_tb.stimulus import AnyTable, Symbols
from qlc_tb.tables import TableWriter


class ChainBench(CoreBench):
    """Both cores with the same table."""

    def __init__(self, dut: Dut) -> None:
        """Reads the cores' parameters."""
        super().__init__(dut)
        self.symbols = self.source.width
        self._encoder_writer = TableWriter(dut, self.rng, "rank")

    async def load(self, table: AnyTable) -> None:
        """Loads a table into both; allowed while no packet is inside."""
        self.table = table
        await self._encoder_writer.write(self.codec.encoder_words(table))
        await self._writer.write(self.codec.decoder_words(table))

    def send(self, symbols: Symbols, beats: list[Beat] | None = None) -> None:
        """Sends symbols and expects them back."""
        self.source.put(Packet(beats or dense(symbols.tobytes(), self.symbols), user=len(symbols)))
        self.scoreboard.expect(Expected(symbols.tobytes()))

    def send_with_count(self, symbols: Symbols, count: int) -> None:
        """Sends symbols with a count that may be wrong, and expects the golden model's verdict."""
        self.source.put(Packet(dense(symbols.tobytes(), self.symbols), user=count))
        self.scoreboard.expect(decoded(encoded(symbols, self.table).data, count, self.table))


@bench_test(ChainBench)
async def every_length(tb: ChainBench) -> None:
    """Packets of 0 to 96 symbols."""
    for count in range(97):
        tb.send(stimulus.skewed(tb.table, count, tb.rng))
    await tb.drain()


@bench_test(ChainBench)
async def data_kinds(tb: ChainBench) -> None:
    """One symbol only, all 256, the rarest only, uniform, skewed; captured tensors."""
    for symbols in stimulus.all_kinds(tb.table, (300,), tb.rng):
        tb.send(symbols)
    for part in stimulus.slices(3, 256, tb.rng):
        tb.send(part.symbols)
    await tb.drain()


@bench_test(ChainBench)
async def stalls(tb: ChainBench) -> None:
    """Every idle pattern with every backpressure pattern, beats with bytes in any lanes."""
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            for _ in range(3):
                symbols = tb.skewed(1, 2 * tb.symbols)
                tb.send(symbols, sparse(symbols.tobytes(), tb.symbols, tb.rng))
            await tb.drain()


@bench_test(ChainBench)
async def every_code(tb: ChainBench) -> None:
    """The tables are loaded anew between packets: presets, extreme and random codes."""
    for table in tb.tables:
        await tb.load(table)
        tb.send(stimulus.all_symbols(table, 256, tb.rng))
        tb.send(stimulus.uniform(table, 100, tb.rng))
        await tb.drain()


@bench_test(ChainBench)
async def wrong_counts(tb: ChainBench) -> None:
    """A wrong count is found, and the next packet is good."""
    for _ in range(30):
        symbols = tb.skewed(1, 60)
        tb.send_with_count(symbols, tb.rng.choice([0, 1, len(symbols) - 1, len(symbols) + 5]))
        tb.send(tb.skewed(1, 30))
    await tb.drain()


@bench_test(ChainBench)
async def resets(tb: ChainBench) -> None:
    """A reset anywhere leaves nothing behind."""
    for cycles in np.linspace(1, 200, 20, dtype=int).tolist():
        tb.stall("always", tb.rng.choice(["always", "scattered", "long_stalls"]))
        for _ in range(4):
            tb.send(tb.skewed(20, 100))
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        tb.send(tb.skewed(1, 40))
        await tb.drain()
