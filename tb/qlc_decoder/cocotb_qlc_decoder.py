"""Tests of qlc_decoder through its ports alone, against the golden model."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles, FallingEdge
from qlc.block import Header, encode_block
from qlc.errors import Error
from qlc.packet import Policy, decode_packet, encode_packet
from qlc.ranking import SPECIAL_SYMBOLS
from qlc.table import Table
from qlc_tb import stimulus
from qlc_tb.axil import CHANNELS
from qlc_tb.bench import bench_test
from qlc_tb.corruption import damaged, mixed
from qlc_tb.host import OKAY, SLVERR
from qlc_tb.packet import Beat
from qlc_tb.pattern import PATTERNS
from qlc_tb.stimulus import Symbols
from qlc_tb.top import PLACES, DecoderBench, Sent


class Tb(DecoderBench):
    """The decoder, and packets for it."""

    def table(self) -> Table:
        """A table that is loaded."""
        return self.rng.choice(self.tables)

    def packet(self, symbols: Symbols, table: Table, block: int = 64, crc: bool = True) -> bytes:
        """A packet of blocks that are coded where that is shorter."""
        return encode_packet(symbols, table, Policy(block, 0, 1, crc))

    def good(self) -> bytes:
        """A good packet of a few blocks."""
        return mixed(self.tables, self.rng, crc=True).data

    def bad(self) -> bytes:
        """A packet with an error, most often."""
        packet, other = (mixed(self.tables, self.rng, crc=True) for _ in range(2))
        return damaged(packet, other, self.rng)

    def of_every_error(self, count: int) -> list[bytes]:
        """Packets with each error that the tables allow, ``count`` of each, in random order."""
        illegal = any(stimulus.illegal_codewords(table.code) for table in self.tables)
        wanted = {error for error in Error if error and (illegal or error != Error.ILLEGAL_CODEWORD)}
        found: Counter[Error] = Counter()
        packets = []
        for _ in range(20000):
            data = self.bad()
            error = decode_packet(data, self.state.tables).error
            if error in wanted and found[error] < count:
                found[error] += 1
                packets.append(data)
            if all(found[error] == count for error in wanted):
                break
        assert set(found) == wanted
        self.rng.shuffle(packets)
        return packets


@bench_test(Tb)
async def identity(tb: Tb) -> None:
    """The registers say which top this is and what it was built with."""
    assert await tb.host.read("id") == int.from_bytes(b"QLC1", "big")
    assert await tb.host.fields("capability") == {
        "decoder": 1,
        "histogram": 0,
        "tables": tb.ids,
        **dataclasses.asdict(tb.bounds),
    }
    assert await tb.host.read("beat") == len(tb.dut.m_axis_tkeep)
    assert await tb.host.bounds() == tb.bounds
    assert await tb.host.read("table_loaded") == sum(1 << table_id for table_id in tb.state.tables)
    assert tb.send(tb.good()) == Error.GOOD


@bench_test(Tb)
async def packets(tb: Tb) -> None:
    """Good packets of many lengths, all tables, with and without CRC, and one of the largest block."""
    for crc, count in itertools.product((True, False), [*range(1, 34), 63, 64, 65, 130, 300]):
        if tb.state.require_crc != crc:
            await tb.configure(require_crc=int(crc))
        table = tb.table()
        data = tb.packet(stimulus.skewed(table, count, tb.rng), table, tb.rng.choice([32, 64, 256]), crc)
        assert tb.send(data) == Error.GOOD
    table = tb.table()
    tb.send(tb.packet(stimulus.skewed(table, 4099, tb.rng), table, 4096, True))
    tb.send(b"")
    await tb.drain()
    assert tb.scoreboard.counts["blocks_coded"] > 0
    assert await tb.host.read("status") == 0


@bench_test(Tb)
async def each_error(tb: Tb) -> None:
    """Every error sets its own sticky bit, which clears alone, and its own counter."""
    for data in tb.of_every_error(2):
        error = tb.send(data)
        tb.send(tb.good())
        await tb.drain()
        await tb.check_counters()
        name = error.name.lower()
        register = tb.host.map["status"]
        for _ in range(2):
            assert await tb.host.read("status") == register[name].mask
        await tb.host.write("status", 0xFFFFFFFF & ~register[name].mask)
        assert await tb.host.read("status") == register[name].mask
        await tb.host.set("status", **{name: 1})
        assert await tb.host.read("status") == 0
    tb.put(Sent(b"", spoiled=True), [Beat(tb.rng.randbytes(tb.source.width), 6)])
    await tb.drain()
    assert await tb.host.read("status") == tb.host.map["status"]["partial_beat"].mask
    assert await tb.host.read("err_partial_beat") == 1


@bench_test(Tb)
async def counters(tb: Tb) -> None:
    """All counters, good and bad packets with every dtype's special values, without a pause.

    The dtype changes while packets are inside: each counts by that of its first beat.
    """
    for dtype in range(len(SPECIAL_SYMBOLS) + 1):
        await tb.configure(dtype=dtype)
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        for data in tb.of_every_error(2):
            tb.send(data)
            tb.send(tb.good())
        tb.send_spoiled(tb.good())
        tb.send(encode_block(stimulus.all_symbols(tb.tables[0], 256, tb.rng), None, 1, True, True))
        if dtype % 2:
            await tb.until(lambda: tb.source.idle)
            continue
        await tb.drain()
        tb.run_freely()
        await tb.check_counters()
    assert tb.scoreboard.counts["specials"] >= sum(map(len, SPECIAL_SYMBOLS.values()))


@bench_test(Tb)
async def tables_while_packets_flow(tb: Tb) -> None:
    """Tables are written and committed while packets flow; each packet has one set of them, whole."""
    old = tb.state.tables[0]
    for number in range(6):
        new = tb.spare[(number + 1) % len(tb.spare)]
        tb.stall("bursts", tb.rng.choice(["always", "scattered"]))
        # Those of the new table before the commit, too: good or bad, each is one or the other.
        for _ in range(8):
            for table in (old, new):
                symbols = stimulus.skewed(table, tb.rng.choice([20, 90, 300]), tb.rng)
                named = encode_packet(symbols, table, Policy(64, 0))
                tb.send(named)
        await tb.wait_inside()
        await tb.load(0, new)
        old = tb.state.tables[0]
        await tb.drain()
        assert tb.send(tb.packet(stimulus.skewed(old, 200, tb.rng), old)) == Error.GOOD
        await tb.drain()
    assert tb.scoreboard.seen == len(tb._versions) - 1


@bench_test(Tb)
async def commit_waits_for_a_packet(tb: Tb) -> None:
    """A packet under way ends with its table, the next begins with the new one; busy in between."""
    for number in range(3):
        old = tb.state.tables[0]
        tb.send(tb.packet(stimulus.skewed(old, 4000, tb.rng), old, 128, True))
        await tb.wait_inside()
        tb.sink.pattern = iter(lambda: False, True)
        await tb.load(0, tb.spare[(number + 1) % len(tb.spare)])
        assert await tb.host.read("table_status") == 1
        assert set(await tb.host.stage(tb.words(old)[:4])) == {SLVERR}
        assert await tb.commit(0, old) == SLVERR
        assert (await tb.host.fields("status"))["table_refused"] == 1
        await tb.host.set("status", table_refused=1)
        new = tb.state.tables[0]
        assert tb.send(tb.packet(stimulus.skewed(new, 200, tb.rng), new, 64, True)) == Error.GOOD
        tb.run_freely()
        await tb.drain()
        assert await tb.host.read("table_status") == 0


@bench_test(Tb)
async def unknown_then_loaded(tb: Tb) -> None:
    """A packet of an id without table has error 2; once the table is loaded, the same packet is good."""
    missing = [n for n in range(tb.ids) if n not in tb.state.tables]
    # Of a build with all ids, none is missing behind the setup.
    for table_id in missing[:2] or ([tb.ids] if tb.ids < 32 else []):
        table = tb.spare[0]
        symbols = stimulus.single(table, 90, tb.rng)
        data = bytearray(encode_block(symbols, table, 1, True, True))
        data[:4] = dataclasses.replace(Header.unpack(bytes(data[:4])), table_id=table_id).pack()
        assert tb.send(bytes(data)) == Error.UNKNOWN_TABLE
        await tb.drain()
        if table_id < tb.ids:
            await tb.load(table_id, table)
            assert tb.send(bytes(data)) == Error.GOOD
        else:
            await tb.host.stage(tb.words(table))
            assert await tb.commit(table_id, table) == SLVERR
            assert tb.send(bytes(data)) == Error.UNKNOWN_TABLE
        await tb.drain()
    assert await tb.host.read("table_loaded") == sum(1 << n for n in tb.state.tables)
    assert tb.send(tb.good()) == Error.GOOD


@bench_test(Tb)
async def every_id(tb: Tb) -> None:
    """All ids have a table, each its own."""
    for table_id in range(tb.ids):
        await tb.load(table_id, tb.spare[table_id % len(tb.spare)])
        assert await tb.host.read("table_loaded") == sum(1 << n for n in tb.state.tables)
    for table in tb.tables:
        assert tb.send(tb.packet(stimulus.skewed(table, 100, tb.rng), table)) == Error.GOOD
    await tb.drain()


@bench_test(Tb)
async def unfit_table(tb: Tb) -> None:
    """A table that the build cannot hold is refused by name in software, and by the hardware without it."""
    await tb.check_unfit_tables()
    # The id keeps the table that it had.
    table = tb.state.tables[0]
    assert tb.send(tb.packet(stimulus.skewed(table, 200, tb.rng), table)) == Error.GOOD
    await tb.drain()


@bench_test(Tb)
async def counters_read_in_traffic(tb: Tb) -> None:
    """64-bit counters read while they count over the carry into the high word: never torn."""
    for _ in range(4):
        await FallingEdge(tb.dut.clk)
        start = {}
        now = tb.scoreboard.counts
        for name, place in PLACES.items():
            high = tb.rng.getrandbits(31)
            start[name] = (high << 32) - (tb.rng.randint(1, 5000) if place > 2 else tb.rng.randint(1, 40))
            tb.dut.regs_inst.counters_inst.counter[place].counter_inst.count_reg.value = start[name]
            tb.base[name] = start[name] - now[name]
        await FallingEdge(tb.dut.clk)
        for _ in range(80):
            tb.send(tb.good())
        last = dict(start)
        reads = 0
        while not tb.source.idle:
            for name in tb.rng.sample(list(PLACES), len(PLACES)):
                value = await tb.host.read(name)
                assert last[name] <= value <= start[name] + 60000, f"{name}: {last[name]:#x}, {value:#x}"
                last[name] = value
            reads += 1
        assert reads > 5
        await tb.drain()
        await tb.check_counters()


@bench_test(Tb)
async def everything_at_once(tb: Tb) -> None:
    """Stalls on all channels, tables that change, damaged packets, counters read meanwhile."""
    done = False

    async def reader() -> None:
        while not done:
            values = await tb.host.counters()
            assert values["symbols"] <= values["bytes"] + 32 * 40
            await ClockCycles(tb.dut.clk, tb.rng.randint(1, 50))

    task = cocotb.start_soon(reader())
    for _ in range(6):
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        tb.host.master.stall(**{name: tb.rng.choice([*PATTERNS]) for name in CHANNELS})
        for _ in range(15):
            tb.send(tb.bad())
            tb.rng.choice([tb.send, tb.send, tb.send_spoiled])(tb.good())
        await tb.wait_inside()
        await tb.configure(require_crc=tb.rng.randrange(2), dtype=tb.rng.randrange(7))
        await tb.load(tb.rng.choice(list(tb.state.tables)), tb.rng.choice(tb.spare))
        await tb.drain()
    done = True
    await task
    tb.host.master.run_freely()


@bench_test(Tb)
async def resets(tb: Tb) -> None:
    """After a reset in traffic the registers are as at first: no table, no counts, no status."""
    specials = encode_block(np.full(4000, 0xFF, dtype=np.uint8), None, 1, True, True)
    for cycles in (3, 70, *[100] * 6):
        await tb.configure(mode=1, require_crc=0)
        if cycles != 3:
            tb.send(specials)
        for _ in range(3):
            tb.send(tb.bad())
            tb.send(tb.good())
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        for name in ("control", "status", "table_loaded"):
            assert await tb.host.read(name) == tb.host.map[name].reset, name
        assert not any((await tb.host.counters()).values())
        coded = tb.packet(stimulus.single(tb.spare[0], 40, tb.rng), tb.spare[0])
        assert tb.send(coded) == Error.UNKNOWN_TABLE
        await tb.drain()
        await tb.check_counters()
        await tb.setup()
        assert tb.send(tb.good()) == Error.GOOD
        await tb.drain()
        assert await tb.host.write("status", 0xFFFFFFFF) == OKAY
