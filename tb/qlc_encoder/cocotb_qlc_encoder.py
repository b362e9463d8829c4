"""Tests of qlc_encoder through its ports alone, against the golden model."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles, FallingEdge
from qlc.ranking import SPECIAL_SYMBOLS
from qlc.sampling import SampledHistogram
from qlc_tb import stimulus
from qlc_tb.axil import CHANNELS
from qlc_tb.bench import bench_test
from qlc_tb.host import OKAY, SLVERR
from qlc_tb.packet import dense
from qlc_tb.pattern import PATTERNS
from qlc_tb.stimulus import NO_SYMBOLS, Symbols
from qlc_tb.tables import table_of
from qlc_tb.top import MODE_CODED, MODE_POLICY, MODE_RAW, NEVER, PLACES, WIDTH, EncoderBench


class Tb(EncoderBench):
    """The encoder, and symbols for it."""

    def skewed(self, count: int, table_id: int = 0) -> Symbols:
        """Symbols that are frequent in a table often."""
        table = self.state.tables.get(table_id, self.spare[0])
        return stimulus.skewed(table, count, self.rng)

    def mixed(self, count: int, table_id: int = 0) -> Symbols:
        """Symbols whose blocks are raw and coded at random."""
        table = self.state.tables.get(table_id, self.spare[0])
        return stimulus.mixed(table, count, self.block, self.rng)

    def some_length(self) -> int:
        """A packet's length: short ones often, a few blocks now and then."""
        return self.rng.randint(1, self.rng.choice([40, 300, 3 * min(self.block, 512)]))

    def no_id(self) -> int:
        """An id that has no table."""
        return self.rng.choice([n for n in range(32) if n not in self.state.tables])

    def loaded_id(self) -> int:
        """An id that has a table."""
        return self.rng.choice(list(self.state.tables))


@bench_test(Tb)
async def identity(tb: Tb) -> None:
    """The registers say which top this is and what it was built with."""
    assert await tb.host.read("id") == int.from_bytes(b"QLC1", "big")
    assert await tb.host.fields("capability") == {
        "decoder": 0,
        "histogram": 1,
        "tables": tb.ids,
        **dataclasses.asdict(tb.bounds),
    }
    assert await tb.host.read("beat") == 32
    assert await tb.host.read("block_size") == tb.block
    assert await tb.host.read("table_loaded") == sum(1 << table_id for table_id in tb.state.tables)
    tb.send(tb.skewed(1500))


@bench_test(Tb)
async def packets(tb: Tb) -> None:
    """Packets of many lengths and all tables, with and without CRC, under the default policy and none."""
    for crc, min_packet in itertools.product((0, 1), (1024, 0)):
        await tb.configure(crc=crc)
        await tb.policy(min_packet=min_packet)
        edges = [tb.block + n for n in (-1, 0, 1)] + [2 * tb.block, 1023, 1024, 1025]
        for count in [*range(1, 34), 63, 64, 65, 130, *edges]:
            table_id = tb.loaded_id()
            tb.send(tb.skewed(count, table_id), table_id)
        tb.send(NO_SYMBOLS)
        tb.send(tb.mixed(4 * min(tb.block, 512) + 17), 0)
        await tb.drain()
    assert tb.scoreboard.counts["blocks_coded"] > 0


@bench_test(Tb)
async def real_tensors(tb: Tb) -> None:
    """Slices of captured tensors with the tables of the tensors."""
    await tb.configure(crc=1)
    for part in stimulus.slices(3, 5000, tb.rng):
        await tb.load(0, table_of(part.tensor, tb.spare[0].code, tb.bounds.raw_bits))
        tb.send(part.symbols)
        await tb.drain()


@bench_test(Tb)
async def settings_while_packets_flow(tb: Tb) -> None:
    """Policy, mode and CRC change at any time; each packet is as its first beat met them, whole."""
    # How many settings meet a packet depends on the seed; go on until there are enough.
    while tb.scoreboard.seen <= 10:
        for _ in range(90):
            send = tb.rng.choice([tb.send] * 9 + [tb.send_spoiled])
            send(tb.mixed(tb.some_length()), tb.loaded_id())
        while not tb.source.idle:
            await ClockCycles(tb.dut.clk, tb.rng.randint(1, 40))
            match tb.rng.randrange(3):
                case 0:
                    await tb.configure(
                        mode=tb.rng.choice([MODE_POLICY, MODE_RAW, MODE_CODED, 3]),
                        crc=tb.rng.randrange(2),
                        dtype=tb.rng.randrange(7),
                    )
                case 1:
                    await tb.policy(min_packet=tb.rng.choice([0, 50, 1024, 8191]))
                case _:
                    await tb.policy(min_saving=tb.rng.choice([0, 1, 5, 60, NEVER]))
        await tb.drain()


@bench_test(Tb)
async def tables_while_packets_flow(tb: Tb) -> None:
    """Tables are written and committed while packets flow; each packet has one table, whole."""
    await tb.policy(min_packet=0)
    for sink in ("always", "scattered"):
        tb.stall("bursts", sink)
        for _ in range(4):
            for _ in range(12):
                tb.send(tb.skewed(tb.rng.choice([32, 200, 700]), 0), 0)
            await tb.wait_inside()
            await tb.load(0, tb.rng.choice(tb.spare))
        await tb.drain()
    tb.run_freely()
    # The last table is in use, and the one before in none.
    tb.send(tb.skewed(900))
    await tb.drain()
    assert tb.scoreboard.seen == len(tb._versions) - 1


@bench_test(Tb)
async def long_packet_keeps_its_table(tb: Tb) -> None:
    """A packet that is under way when its table is replaced twice ends with the one it began with."""
    await tb.policy(min_packet=0)
    for number in range(3):
        tb.stall("bursts", "scattered")
        tb.send(tb.skewed(12 * 512))
        await tb.wait_inside()
        await tb.load(0, tb.spare[(number + 1) % len(tb.spare)])
        await ClockCycles(tb.dut.clk, 2)
        if number == 0 and not tb.source.idle:
            assert await tb.host.read("table_status") == 1
            # A write and a commit are refused now, and change nothing.
            assert set(await tb.host.stage(tb.words(tb.spare[0])[:4])) == {SLVERR}
            assert await tb.commit(0, tb.spare[0]) == SLVERR
            assert (await tb.host.fields("status"))["table_refused"] == 1
            await tb.host.set("status", table_refused=1)
        tb.send(tb.skewed(400))
        tb.run_freely()
        await tb.drain()


@bench_test(Tb)
async def ids_out_of_range(tb: Tb) -> None:
    """A commit to an id that there is not is refused, and leaves the tables as they are."""
    await tb.policy(min_packet=0)
    loaded = await tb.host.read("table_loaded")
    for table_id in {tb.ids, 31} if tb.ids < 32 else ():
        assert await tb.commit(table_id, tb.spare[0]) == SLVERR
    assert await tb.host.read("table_loaded") == loaded
    for table_id in tb.state.tables:
        tb.send(tb.skewed(100, table_id), table_id)
    if tb.ids < 32:
        assert (await tb.host.fields("status"))["table_refused"] == 1


@bench_test(Tb)
async def partial_beats(tb: Tb) -> None:
    """A beat with holes: its packet ends there, unmarked, a sticky bit and a counter say so."""
    await tb.policy(min_packet=0)
    for count in (1, 32, 33, tb.block, tb.block + 32, 3 * tb.block):
        for crc in (1, 0):
            await tb.configure(crc=crc)
            tb.send_spoiled(tb.skewed(count))
            tb.send(tb.skewed(40))
            await tb.drain()
            assert await tb.host.fields("status") == {
                field.name: int(field.name == "partial_beat") for field in tb.host.map["status"].fields
            }
            await tb.host.set("status", partial_beat=1)
            assert await tb.host.read("status") == 0
            await tb.check_counters()


@bench_test(Tb)
async def unfit_table(tb: Tb) -> None:
    """A table that the build cannot hold is refused by name in software, and by the hardware without it."""
    await tb.policy(min_packet=0)
    await tb.check_unfit_tables()
    tb.send(tb.skewed(300))
    await tb.drain()


@bench_test(Tb)
async def unknown_table(tb: Tb) -> None:
    """Packets of an id without table go raw; a sticky bit and a counter say so; then a table comes."""
    await tb.policy(min_packet=0)
    missing = [n for n in range(32) if n not in tb.state.tables]
    assert await tb.host.read("status") == 0
    for crc in (0, 1):
        await tb.configure(crc=crc)
        tb.send(tb.skewed(100))
        await tb.drain()
        assert await tb.host.read("status") == 0
        for table_id in tb.rng.sample(missing, min(3, len(missing))):
            tb.send(tb.skewed(2 * tb.block + 3), table_id)
            tb.send(tb.skewed(33, 0), 0)
        await tb.drain()
        # Sticky until it is cleared, and the data go on meanwhile.
        for _ in range(2):
            assert (await tb.host.fields("status"))["no_table"] == 1
        await tb.host.set("status", no_table=1)
        assert await tb.host.read("status") == 0
    assert await tb.host.read("err_no_table") == 2 * min(3, len(missing))
    if missing[0] < tb.ids:
        await tb.load(missing[0], tb.spare[0])
        tb.send(tb.skewed(300, missing[0]), missing[0])
        await tb.drain()
        assert await tb.host.read("status") == 0


@bench_test(Tb)
async def counters(tb: Tb) -> None:
    """All counters, with every dtype's special values, after each of several loads of traffic."""
    await tb.policy(min_packet=50)
    for dtype in range(len(SPECIAL_SYMBOLS) + 1):
        await tb.configure(crc=dtype % 2, dtype=dtype)
        for _ in range(5):
            tb.send(tb.mixed(tb.some_length()), tb.rng.choice([tb.loaded_id(), tb.no_id()]))
            tb.send_spoiled(tb.mixed(tb.some_length()), tb.loaded_id())
        tb.send(stimulus.all_symbols(tb.spare[0], 256 + tb.rng.randrange(32), tb.rng))
        await tb.drain()
        await tb.check_counters()
    assert tb.scoreboard.counts["specials"] >= sum(map(len, SPECIAL_SYMBOLS.values()))


@bench_test(Tb)
async def counters_read_in_traffic(tb: Tb) -> None:
    """64-bit counters read while they count over the carry into the high word: never torn."""
    await tb.policy(min_packet=0)
    for _ in range(4):
        # Soon over the carry, each at another moment.
        await FallingEdge(tb.dut.clk)
        start = {}
        now = tb.scoreboard.counts
        for name, place in PLACES.items():
            high = tb.rng.getrandbits(31)
            start[name] = (high << 32) - (tb.rng.randint(1, 25000) if place > 2 else tb.rng.randint(1, 40))
            tb.dut.regs_inst.counters_inst.counter[place].counter_inst.count_reg.value = start[name]
            tb.base[name] = start[name] - now[name]
        await FallingEdge(tb.dut.clk)
        for _ in range(100):
            tb.send(tb.mixed(tb.some_length()))
        last = dict(start)
        reads = 0
        while not tb.source.idle:
            begin = tb.output.cycle
            for name in tb.rng.sample(list(PLACES), len(PLACES)):
                value = await tb.host.read(name)
                assert last[name] <= value <= start[name] + 60000, f"{name}: {last[name]:#x}, {value:#x}"
                last[name] = value
            reads += 1
            assert tb.output.cycle - begin < 200
        assert reads > 5
        await tb.drain()
        await tb.check_counters()


@bench_test(Tb)
async def histogram(tb: Tb) -> None:
    """Counts, samples, packets and the freeze are the golden model's, read over the bus."""
    for freeze, total in ((7, 12), (0, 5)):
        model = SampledHistogram(freeze_packets=freeze)
        # Not enabled: not counted.
        tb.send(tb.skewed(200))
        await tb.drain()
        await tb.host.set("hist_freeze", packets=freeze)
        await tb.host.set("hist_control", enable=1, clear=1)
        tb.stall("bursts", "scattered")
        for _ in range(total):
            symbols = tb.mixed(tb.some_length())
            model.packet(symbols)
            tb.send(symbols, tb.rng.choice([0, tb.no_id()]), dense(symbols.tobytes(), WIDTH))
        await tb.drain()
        assert (await tb.host.fields("hist_status"))["frozen"] == int(model.frozen)
        assert await tb.host.read("hist_packets") == model.packets
        assert await tb.host.read("hist_samples") == model.samples > 0
        assert await tb.host.histogram() == model.counts.tolist()
        await tb.host.set("hist_control", enable=0)
        tb.run_freely()


@bench_test(Tb)
async def everything_at_once(tb: Tb) -> None:
    """Stalls on all channels, settings and tables that change, unknown ids, counters read meanwhile."""
    done = False

    async def reader() -> None:
        while not done:
            values = await tb.host.counters()
            assert values["blocks_raw"] + values["blocks_coded"] <= values["symbols"]
            await ClockCycles(tb.dut.clk, tb.rng.randint(1, 50))

    task = cocotb.start_soon(reader())
    for _ in range(5):
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        tb.host.master.stall(**{name: tb.rng.choice([*PATTERNS]) for name in CHANNELS})
        for _ in range(12):
            sends: list[Callable[[Symbols, int], None]] = [tb.send, tb.send, tb.send_spoiled]
            send = tb.rng.choice(sends)
            send(tb.mixed(tb.some_length()), tb.rng.choice([tb.loaded_id(), tb.loaded_id(), tb.no_id()]))
        await tb.wait_inside()
        await tb.configure(mode=tb.rng.randrange(4), crc=tb.rng.randrange(2), dtype=tb.rng.randrange(7))
        await tb.policy(tb.rng.choice([0, 50, 1024]), tb.rng.choice([1, 20]))
        await tb.load(tb.loaded_id(), tb.rng.choice(tb.spare))
        await tb.drain()
    done = True
    await task
    tb.host.master.run_freely()


@bench_test(Tb)
async def resets(tb: Tb) -> None:
    """After a reset in traffic the registers are as at first: no table, no counts, the default policy."""
    for cycles in (3, 60, *[20] * 6):
        await tb.policy(min_packet=0, min_saving=3)
        await tb.configure(mode=MODE_CODED, crc=0)
        await tb.host.set("hist_control", enable=1)
        # Special values in every beat, so that events are under way
        tb.send(np.full(40 if cycles == 3 else 900, 0x7F, dtype=np.uint8), tb.no_id())
        tb.send(tb.skewed(900))
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        for name in ("control", "min_packet", "min_saving", "status", "table_loaded", "hist_control"):
            assert await tb.host.read(name) == tb.host.map[name].reset, name
        assert not any((await tb.host.counters()).values())
        tb.send(tb.skewed(1200))
        await tb.drain()
        await tb.check_counters()
        await tb.setup()
        tb.send(tb.skewed(1200))
        await tb.drain()
        assert await tb.host.write("status", 1) == OKAY
