"""Tests of qlc_encoder and qlc_decoder in a row: what goes in comes out, and both count the same."""

from __future__ import annotations

import dataclasses

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles
from qlc.errors import Error
from qlc.ranking import SPECIAL_SYMBOLS
from qlc.table import Table
from qlc_tb import stimulus
from qlc_tb.axil import AxilMonitor
from qlc_tb.bench import Bench, bench_test
from qlc_tb.dut import Dut
from qlc_tb.holes import spoiled, with_empty
from qlc_tb.host import Host, register_map
from qlc_tb.packet import Expected, Packet, dense
from qlc_tb.pattern import PATTERNS
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import bounds_of, codes, random_table, table_of
from qlc_tb.top import MODE_CODED, WIDTH

BOTH = ("packets", "blocks_raw", "blocks_coded", "symbols", "specials")


class Tb(Bench):
    """Both tops; a table is loaded into the decoder first, so that it is there when it is needed."""

    def __init__(self, dut: Dut) -> None:
        """Reads the parameters."""
        super().__init__(dut)
        self.ids = int(dut.TABLES.value)
        self.bounds = bounds_of(dut)
        bounds = {name.upper(): value for name, value in dataclasses.asdict(self.bounds).items()}
        parameters = {"TABLES": self.ids, **bounds}
        self.block = int(dut.BLOCK_SYMBOLS.value)
        self.encoder = Host(
            dut, "enc_axil", self.rng, register_map(**parameters, DECODER=0, BLOCK_SYMBOLS=self.block)
        )
        self.decoder = Host(
            dut,
            "dec_axil",
            self.rng,
            register_map(**parameters, DECODER=1, BLOCK_SYMBOLS=4096, BEAT=len(dut.m_axis_tkeep)),
        )
        self.monitors = [AxilMonitor(dut, prefix, self.reset) for prefix in ("enc_axil", "dec_axil")]
        self.spare = [
            random_table(code, self.rng, self.bounds.raw_bits) for code in codes(self.bounds, self.rng)
        ]
        self.loaded: dict[int, Table] = {}
        self.sent = 0
        self.special = 0

    async def setup(self) -> None:
        """Loads two tables, or the one that there is room for."""
        for table_id in range(min(2, self.ids)):
            await self.load(table_id, self.spare[table_id])
        await self.encoder.set("min_packet", symbols=0)

    async def load(self, table_id: int, table: Table) -> None:
        """Loads a table into both."""
        await self.decoder.load_table(table_id, table)
        await self.decoder.not_busy()
        await self.encoder.load_table(table_id, table)
        self.loaded[table_id] = table

    def send(self, symbols: Symbols, table_id: int = 0) -> None:
        """Sends a packet, which comes out as it is."""
        self.source.put(Packet(with_empty(dense(symbols.tobytes(), WIDTH), self.rng), table_id))
        self.scoreboard.expect(Expected(symbols.tobytes(), 0))
        self.sent += len(symbols)
        self.special += int(np.isin(symbols, SPECIAL_SYMBOLS["float8_e4m3fn"]).sum())

    async def check(self) -> None:
        """Both ends have counted the same, and no error."""
        await self.drain()
        there, here = await self.encoder.counters(), await self.decoder.counters()
        assert {name: there[name] for name in BOTH} == {name: here[name] for name in BOTH}
        assert (here["symbols"], here["bytes"], here["specials"]) == (self.sent, self.sent, self.special)
        assert not any(here[name] for name in self.decoder.error_counters)
        assert await self.decoder.read("status") == 0
        await ClockCycles(self.dut.clk, 4)
        assert all(monitor.idle for monitor in self.monitors)


@bench_test(Tb)
async def round_trip(tb: Tb) -> None:
    """Packets of many lengths and kinds, every pattern on either side, with and without CRC."""
    for number, pattern in enumerate(PATTERNS):
        # What is required is what is sent.
        await tb.drain()
        await tb.encoder.set("control", crc=number % 2, mode=tb.rng.choice([0, MODE_CODED]))
        await tb.decoder.set("control", require_crc=number % 2)
        tb.stall(pattern, tb.rng.choice([*PATTERNS]))
        for count in (1, 31, 32, 33, tb.block - 1, tb.block, tb.block + 1, tb.rng.randint(1, 3 * tb.block)):
            table_id = tb.rng.choice(list(tb.loaded))
            kind = tb.rng.choice(list(stimulus.KINDS.values()))
            tb.send(np.asarray(kind(tb.loaded[table_id], count, tb.rng)), table_id)
        tb.send(stimulus.skewed(tb.loaded[0], 2 * tb.block, tb.rng))
        # No table here: raw, and no error at the other end.
        tb.send(stimulus.all_symbols(tb.loaded[0], 260, tb.rng), 31)
        await tb.drain()
    await tb.check()
    assert (await tb.encoder.counters())["err_no_table"] == len(PATTERNS)


@bench_test(Tb)
async def holes(tb: Tb) -> None:
    """A packet with a partial beat is never good: what comes before that beat, and truncated."""
    tb.stall("bursts", "scattered")
    for _ in range(40):
        symbols = stimulus.skewed(tb.loaded[0], tb.rng.randint(1, 3 * min(tb.block, 512)), tb.rng)
        beats, before = spoiled(dense(symbols.tobytes(), WIDTH), tb.rng)
        tb.source.put(Packet(beats))
        tb.scoreboard.expect(Expected(before, int(Error.TRUNCATED)))
        if not tb.rng.randrange(3):
            tb.send(stimulus.skewed(tb.loaded[0], 50, tb.rng))
    await tb.drain()
    assert (await tb.encoder.counters())["err_partial_beat"] == 40
    assert (await tb.decoder.counters())["err_truncated"] == 40


@bench_test(Tb)
async def real_tensors(tb: Tb) -> None:
    """Captured tensors, each with the table made of it, are smaller in between and the same behind."""
    for part in stimulus.slices(3, 3000, tb.rng):
        before = await tb.encoder.counters()
        await tb.load(0, table_of(part.tensor, tb.spare[0].code, tb.bounds.raw_bits))
        tb.send(part.symbols)
        await tb.drain()
        after = await tb.encoder.counters()
        assert after["bytes"] - before["bytes"] <= len(part.symbols) + 8 * -(-3000 // tb.block)
    await tb.check()


@bench_test(Tb)
async def tables_follow(tb: Tb) -> None:
    """Tables are replaced while packets of other ids flow: unloaded or free ids first, then used."""
    if tb.ids < 2:
        tb.send(stimulus.skewed(tb.loaded[0], 100, tb.rng))
        return
    tb.stall("bursts", "bursts")
    used = 0
    for table in tb.spare[:4]:
        task = cocotb.start_soon(tb.load(1 - used, table))
        while not task.done():
            if len(tb.scoreboard.pending) < 4:
                tb.send(stimulus.skewed(tb.loaded[used], 150, tb.rng), used)
            await ClockCycles(tb.dut.clk, 8)
        # Nothing of the old id is under way when its turn comes to be replaced.
        await tb.drain()
        used = 1 - used
    await tb.check()
