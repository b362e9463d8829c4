"""Tests of the block encoder against the golden model's packets."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections import Counter, deque
from typing import NamedTuple

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles, RisingEdge
from qlc.errors import Error
from qlc.packet import Policy, decode_packet, encode_packet
from qlc.ranking import SPECIAL_SYMBOLS
from qlc.table import Table
from qlc_tb import stimulus
from qlc_tb.bench import Bench, bench_test
from qlc_tb.blocks import NO_TABLE, PARTIAL_BEAT, REFUSED, headers_of, unmarked
from qlc_tb.dut import Dut
from qlc_tb.holes import partial_keep
from qlc_tb.packet import ANYTHING, Beat, Expected, Packet, Received, dense, sparse
from qlc_tb.pattern import PATTERNS
from qlc_tb.stimulus import NO_SYMBOLS, Symbols
from qlc_tb.tables import TableWriter, bounds_of, codes, encoder_words, random_table, random_words, table_of
from qlc_tb.top import MODE_CODED, MODE_POLICY, MODE_RAW, NEVER, WIDTH

FULL = (1 << WIDTH) - 1
# Cycles from the transfer of the last input beat to that of the first output beat, for a packet
# that fits one word, with nothing else inside and a ready sink: beat register, policy, blocks
# and their register, ring, length, codeword, pair, group, shift, collect, FIFO, output.
LATENCY = 22
# The counters of the events.
COUNTED = ("ev_packet", "ev_symbols", "ev_special", "ev_block_raw", "ev_block_coded", "ev_bytes", "ev_error")


class Config(NamedTuple):
    """The configuration ports, ``cfg_*``."""

    min_packet: int = 1024
    min_saving: int = 1
    mode: int = MODE_POLICY
    crc: int = 1
    dtype: int = 0


class Sent(NamedTuple):
    """A packet on its way: what is taken of it, and whether a beat of it is refused."""

    symbols: Symbols
    table_id: int
    refused: bool


class BlockEncoderBench(Bench):
    """The block encoder with tables loaded.

    What a packet should become is decided in the cycle that takes its first beat, from what the
    DUT sees in that cycle.
    """

    def __init__(self, dut: Dut) -> None:
        """Reads the parameters."""
        super().__init__(dut)
        self.block = int(dut.BLOCK_SYMBOLS.value)
        self.ids = int(dut.TABLES.value)
        self.bounds = bounds_of(dut)
        self.raw_bits = self.bounds.raw_bits
        self.tables = [random_table(code, self.rng, self.raw_bits) for code in codes(self.bounds, self.rng)]
        # Coded blocks may be of what is no table
        self.garbage = False
        # The tables by id, as the DUT has them, and the one in the staging bank
        self.loaded: dict[int, Table] = {}
        self.staged: Table | None = None
        self.counts: Counter[str] = Counter()
        self.expected_counts: Counter[str] = Counter()
        self.largest_growth = 0
        self._queue: deque[Sent] = deque()
        self.writer = TableWriter(dut, self.rng)
        dut.table_commit.value = 0
        self.configure()
        cocotb.start_soon(self._watch())

    async def setup(self) -> None:
        """Loads a table for each of the first three ids."""
        for table_id in range(min(3, self.ids)):
            await self.load(table_id, self.tables[table_id % len(self.tables)])

    async def __aexit__(self, *error: object) -> None:
        """Drains and checks, also the events."""
        await super().__aexit__(*error)  # type: ignore[arg-type]
        if error[0] is None:
            assert +self.counts == +self.expected_counts, f"{self.counts} != {self.expected_counts}"

    def configure(self, **fields: int) -> None:
        """Drives the configuration ports, with the defaults where none is given."""
        self.config = Config(**fields)
        for name, value in self.config._asdict().items():
            getattr(self.dut, f"cfg_{name}").value = value

    async def load(self, table_id: int, table: Table) -> None:
        """Loads a table as software does, with packets inside or not."""
        await self.stage(table)
        await self.commit(table_id)

    async def stage(self, table: Table) -> None:
        """Writes a table once the port is free."""
        await RisingEdge(self.dut.clk)
        while str(self.dut.table_busy.value) != "0":
            await RisingEdge(self.dut.clk)
        words = encoder_words(table, self.raw_bits)
        # The order of words does not matter, nor do words where there are none.
        if self.rng.random() < 0.5:
            behind = [*range(256 >> self.raw_bits, 256), *range(268, 512)]
            words += [(place, self.rng.getrandbits(32)) for place in self.rng.sample(behind, 20)]
            self.rng.shuffle(words)
        await self.writer.write(words)
        self.staged = table

    async def commit(self, table_id: int) -> None:
        """Commits the staging bank."""
        self.dut.table_commit.value = 1
        self.dut.table_id.value = table_id
        await RisingEdge(self.dut.clk)
        self.dut.table_commit.value = 0

    def send(self, symbols: Symbols, table_id: int = 0, beats: list[Beat] | None = None) -> None:
        """Sends a packet, in dense beats unless others are given."""
        beats = beats or dense(symbols.tobytes(), WIDTH)
        self._queue.append(Sent(taken(beats), table_id, has_refused(beats)))
        self.source.put(Packet(beats, table_id))

    def skewed(self, low: int, high: int, table_id: int = 0) -> Symbols:
        """A random number of symbols, those frequent in a table often."""
        return stimulus.skewed(self.loaded[table_id], self.rng.randint(low, high), self.rng)

    def mixed(self, count: int, table_id: int = 0) -> Symbols:
        """Symbols whose blocks are coded and raw at random."""
        return stimulus.mixed(self.loaded[table_id], count, self.block, self.rng)

    async def restart(self) -> None:
        """Resets; no table is loaded afterwards, and no event is compared with what was lost."""
        self._queue.clear()
        await super().restart()
        self._queue.clear()
        self.loaded.clear()
        await ClockCycles(self.dut.clk, 2)
        self.counts.clear()
        self.expected_counts.clear()

    async def _watch(self) -> None:
        dut = self.dut
        edge = dut.clk.rising_edge
        events = [(name, getattr(dut, name)) for name in COUNTED]
        first = True
        while True:
            await edge
            if self.reset.active:
                first = True
                continue
            for name, signal in events:
                value = signal.value
                if value.is_resolvable:
                    self.counts[name] += int(value)
                elif self.counts["ev_symbols"]:
                    raise AssertionError(f"{name} is {value}")
            if str(dut.s_axis_tvalid.value) == str(dut.s_axis_tready.value) == "1":
                if first:
                    self._begin()
                first = str(dut.s_axis_tlast.value) == "1"
            if str(dut.table_commit.value) == "1" and str(dut.table_busy.value) == "0":
                table_id = int(dut.table_id.value)
                if table_id < self.ids:
                    assert self.staged is not None
                    old = self.loaded.get(table_id)
                    self.loaded[table_id] = dataclasses.replace(self.staged, table_id=table_id)
                    self.staged = old

    def _begin(self) -> None:
        """Expects the packet whose first beat is being taken, as table and configuration are now."""
        symbols, table_id, refused = self._queue.popleft()
        values = {name: int(getattr(self.dut, f"cfg_{name}").value) for name in Config._fields}
        config = Config(**values)
        table = self.loaded.get(table_id)
        if self.garbage:
            self.scoreboard.expect(ANYTHING)
            return
        data = self.packet(symbols, table, config)
        coded = [header.coded for header in headers_of(data)]
        if refused:
            data = self.refused(data, len(symbols))
            verdict = decode_packet(data, {table_id: table} if table else {}, bool(config.crc)).error
            assert verdict == Error.TRUNCATED
        self.scoreboard.expect(Expected(data))
        headers = (8 if config.crc else 4) * -(-len(symbols) // self.block) + (4 if refused else 0)
        assert len(data) <= len(symbols) + headers
        self.largest_growth = max(self.largest_growth, len(data) - len(symbols))
        special = [*SPECIAL_SYMBOLS.values()][config.dtype] if config.dtype < len(SPECIAL_SYMBOLS) else ()
        self.expected_counts.update(
            {
                "ev_packet": 1,
                "ev_symbols": len(symbols),
                "ev_special": int(np.isin(symbols, special).sum()),
                "ev_block_raw": coded.count(False),
                "ev_block_coded": coded.count(True),
                "ev_bytes": len(data),
                "ev_error": ((table is None and len(symbols) > 0) << NO_TABLE) + (refused << PARTIAL_BEAT),
            }
        )

    def refused(self, data: bytes, count: int) -> bytes:
        """A packet of ``count`` symbols where a beat behind them is refused."""
        if count % self.block == 0:
            return unmarked(data) + REFUSED
        return unmarked(data)

    def packet(self, symbols: Symbols, table: Table | None, config: Config) -> bytes:
        """What the golden model makes of a packet."""
        if table is None or config.mode == MODE_RAW:
            table, config = self.tables[0], config._replace(min_saving=NEVER, mode=MODE_POLICY)
        elif config.mode == MODE_CODED:
            config = config._replace(min_packet=0, min_saving=1)
        policy = Policy(self.block, config.min_packet, max(1, config.min_saving), bool(config.crc))
        return encode_packet(symbols, table, policy)

    def input_cycles(self) -> list[int]:
        """The cycles of all input transfers."""
        return [cycle for packet in self.input.packets for cycle in packet.cycles]


def is_refused(beat: Beat, last: bool) -> bool:
    """Whether a beat is neither full, nor empty, nor the last with its bytes in front."""
    front = beat.keep & (beat.keep + 1) == 0
    return beat.keep not in (0, FULL) and not (last and front)


def has_refused(beats: list[Beat]) -> bool:
    """Whether a beat of a packet is refused."""
    return any(is_refused(beat, place == len(beats) - 1) for place, beat in enumerate(beats))


def taken(beats: list[Beat]) -> Symbols:
    """The symbols of a packet up to the first beat that is refused."""
    data = b""
    for place, beat in enumerate(beats):
        if is_refused(beat, place == len(beats) - 1):
            break
        data += beat.lanes[: beat.keep.bit_length()]
    return np.frombuffer(data, dtype=np.uint8)


EMPTY = Beat(bytes(WIDTH), 0)


def with_empty(beats: list[Beat], rng: random.Random) -> list[Beat]:
    """A packet's beats with empty ones between, in front and behind."""
    found = []
    for place, beat in enumerate(beats):
        last = place == len(beats) - 1
        found += [EMPTY] * rng.choice([0, 0, 1, 2]) + [beat]
        if last and beat.keep in (0, FULL):
            found += [EMPTY] * rng.choice([0, 1, 3])
    return found


def refused_beat(rng: random.Random, last: bool) -> Beat:
    """A beat that is refused."""
    return Beat(rng.randbytes(WIDTH), partial_keep(WIDTH, last, rng))


def spent(cycles: list[int]) -> int:
    """Cycles from the first to the last."""
    return cycles[-1] - cycles[0] + 1


def output_cycles(packets: list[Received]) -> list[int]:
    """The cycles of all output transfers."""
    return [cycle for packet in packets for cycle in packet.cycles]


@bench_test(BlockEncoderBench)
async def every_length(tb: BlockEncoderBench) -> None:
    """Packets of 1 to 130 symbols, and those around the edges of policy and blocks."""
    lengths = [*range(1, 131), 1023, 1024, 1025, 4095, 4096, 4097, 12345]
    lengths += [tb.block - 1, tb.block, tb.block + 1, 2 * tb.block, 2 * tb.block + 1]
    for crc in (0, 1):
        for min_packet in (0, 1024):
            tb.configure(crc=crc, min_packet=min_packet)
            for count in lengths[128:] if min_packet else lengths:
                table_id = tb.rng.randrange(min(3, tb.ids))
                tb.send(tb.skewed(count, count, table_id), table_id)
            await tb.drain()


@bench_test(BlockEncoderBench)
async def tails(tb: BlockEncoderBench) -> None:
    """Every tail of a last output beat, coded, with and without CRC; nothing follows it."""
    tb.configure(mode=MODE_CODED)
    for crc in (0, 1):
        tb.configure(mode=MODE_CODED, crc=crc)
        seen: set[int] = set()
        for count in range(33, 33 + 8 * tb.block):
            data = tb.packet(symbols := tb.skewed(count, count), tb.loaded[0], tb.config)
            if len(data) % WIDTH in seen:
                continue
            seen.add(len(data) % WIDTH)
            tb.send(symbols)
            (packet,) = await tb.drain()
            last_block = len(data) % (tb.block + 8)
            late = packet.cycles[-1] - tb.input.packets[-1].cycles[-1]
            # The last block leaves once it is decided, behind at most one block more.
            assert late <= LATENCY + (last_block + tb.block + 8) // WIDTH + 2, f"{late} cycles"
            if len(seen) == WIDTH:
                break


@bench_test(BlockEncoderBench)
async def policies(tb: BlockEncoderBench) -> None:
    """Policies, at and around their limits, and the forced modes."""
    saved = {0, 1, 2, 17, tb.block // 8, tb.block, tb.block + 1, NEVER}
    for min_packet in (0, 1, 33, 1024, tb.block - 1, tb.block, tb.block + 1, 8191):
        for min_saving in sorted(saved):
            tb.configure(min_packet=min_packet, min_saving=min_saving, crc=tb.rng.randrange(2))
            tb.send(tb.mixed(tb.rng.randint(1, 80)))
            tb.send(tb.mixed(tb.rng.choice([min_packet - 1, min_packet, min_packet + 1]) % 1100 or 1))
            await tb.drain()
    for mode in range(4):
        for crc in (0, 1):
            tb.configure(mode=mode, crc=crc, min_saving=5)
            for count in (1, 31, 40, 100, tb.block, tb.block + 1, 3 * tb.block):
                tb.send(tb.mixed(count))
            await tb.drain()


@bench_test(BlockEncoderBench)
async def saving_edge(tb: BlockEncoderBench) -> None:
    """Blocks that save one byte more, exactly as much, and one byte less than asked for."""
    table = tb.loaded[0]
    often = stimulus.single(table, tb.block * 3 // 4, tb.rng)
    symbols = np.concatenate([often, stimulus.uniform(table, tb.block // 4, tb.rng)])
    saving = tb.block - len(tb.packet(symbols, tb.loaded[0], Config(mode=MODE_CODED, crc=0))) + 4
    for min_saving in (saving - 1, saving, saving + 1):
        tb.configure(min_packet=0, min_saving=min_saving, crc=0)
        tb.send(symbols)
        await tb.drain()
    assert (tb.counts["ev_block_raw"], tb.counts["ev_block_coded"]) == (1, 2)
    # Nothing saved, and one byte: the block's size around its symbols.
    tb.configure(min_packet=0)
    for bits in range(8 * 32 - 12, 8 * 32 + 12):
        try:
            tb.send(stimulus.of_bits(tb.loaded[0], bits, tb.rng, 32))
        except ValueError:
            continue
    await tb.drain()


@bench_test(BlockEncoderBench)
async def config_per_packet(tb: BlockEncoderBench) -> None:
    """The configuration changes at any time; each packet keeps that of its first beat."""
    for _ in range(40):
        tb.send(tb.mixed(tb.rng.randint(1, 3 * min(tb.block, 1024))))
        tb.send(stimulus.uniform(tb.loaded[0], 300, tb.rng))
    while not tb.source.idle:
        await ClockCycles(tb.dut.clk, tb.rng.randint(1, 12))
        tb.configure(
            min_packet=tb.rng.choice([0, 50, 1024]),
            min_saving=tb.rng.choice([1, 5, NEVER]),
            mode=tb.rng.randrange(4),
            crc=tb.rng.randrange(2),
            dtype=tb.rng.randrange(7),
        )
    await tb.drain()


@bench_test(BlockEncoderBench)
async def switch_every_packet(tb: BlockEncoderBench) -> None:
    """Every packet has another table than the one before; single beats and long ones."""
    for table_id in range(3, min(tb.ids, 8)):
        await tb.load(table_id, tb.tables[table_id % len(tb.tables)])
    tb.configure(min_packet=0)
    for number in range(60):
        table_id = number % len(tb.loaded)
        tb.send(tb.skewed(1, tb.rng.choice([32, 100, 3 * min(tb.block, 512)]), table_id), table_id)
    await tb.drain()


@bench_test(BlockEncoderBench)
async def commit_while_packets_flow(tb: BlockEncoderBench) -> None:
    """Tables are replaced as fast as the port allows while packets come and go."""
    tb.configure(min_packet=0)

    async def load_forever() -> None:
        while True:
            await tb.load(tb.rng.randrange(min(3, tb.ids)), tb.rng.choice(tb.tables))

    for sink in ("always", "scattered"):
        tb.stall("bursts", sink)
        loader = cocotb.start_soon(load_forever())
        for _ in range(25):
            for _ in range(4):
                table_id = tb.rng.randrange(min(3, tb.ids))
                tb.send(tb.skewed(1, tb.rng.choice([32, 1000])), table_id)
            await tb.drain()
        loader.cancel()
        tb.dut.table_we.value = 0
        tb.dut.table_commit.value = 0
    await ClockCycles(tb.dut.clk, 2)


@bench_test(BlockEncoderBench)
async def commit_in_packet(tb: BlockEncoderBench) -> None:
    """A commit in each cycle around a packet's first beat and inside it; busy until it has left."""
    tb.configure(min_packet=0)
    symbols = tb.skewed(100, 100)
    for delay in range(30):
        await tb.stage(tb.tables[delay % len(tb.tables)])
        tb.send(symbols)
        tb.send(symbols)
        await ClockCycles(tb.dut.clk, 1 + delay)
        await tb.commit(0)
        tb.send(symbols)
        await tb.drain()
        assert str(tb.dut.table_busy.value) == "0"


@bench_test(BlockEncoderBench)
async def busy(tb: BlockEncoderBench) -> None:
    """The port is busy while an old packet is inside; writes and commits then do nothing."""
    tb.configure(min_packet=0)
    symbols = tb.skewed(300, 300)
    tb.sink.pattern = iter(lambda: False, True)
    # More than fits the storage behind the tables, so that packets stay before them.
    for _ in range(6 * tb.block // 32 + 40):
        tb.send(stimulus.rarest(tb.loaded[0], 96, tb.rng))
    await ClockCycles(tb.dut.clk, 900)
    await tb.load(0, tb.tables[1])
    await ClockCycles(tb.dut.clk, 3)
    assert str(tb.dut.table_busy.value) == "1"
    await tb.writer.write(random_words(tb.raw_bits, tb.rng))
    await tb.commit(0)
    await tb.commit(min(1, tb.ids - 1))
    tb.run_freely()
    tb.send(symbols)
    await tb.drain()
    assert str(tb.dut.table_busy.value) == "0"
    await tb.load(0, tb.tables[0])
    tb.send(symbols)


@bench_test(BlockEncoderBench)
async def busy_while_decided(tb: BlockEncoderBench) -> None:
    """The port is busy while packets that are decided wait to be sent, though nothing else comes."""
    tb.configure(mode=MODE_CODED)
    for number in range(6):
        tb.sink.pattern = iter(lambda: False, True)
        # All is taken and decided: the first ones fill the sender, the last ones wait in the ring.
        for _ in range(8 + tb.block // 32):
            tb.send(stimulus.rarest(tb.loaded[0], 32, tb.rng))
        tb.send(symbols := tb.skewed(32, 32))
        await ClockCycles(tb.dut.clk, 200 + tb.block // 32)
        if not tb.source.idle:
            tb.dut._log.info("the ring is full")
        await tb.load(0, tb.tables[(number + 1) % len(tb.tables)])
        await ClockCycles(tb.dut.clk, 3)
        assert str(tb.dut.table_busy.value) == "1"
        await tb.writer.write(random_words(tb.raw_bits, tb.rng))
        await tb.commit(0)
        assert str(tb.dut.table_busy.value) == "1"
        tb.run_freely()
        tb.send(symbols)
        await tb.drain()
        assert str(tb.dut.table_busy.value) == "0"


@bench_test(BlockEncoderBench)
async def unknown_table(tb: BlockEncoderBench) -> None:
    """Ids without table, and ids that cannot have one: the packets go raw, counted, none is lost."""
    tb.configure(min_packet=0)
    for crc in (0, 1):
        tb.configure(min_packet=0, crc=crc, mode=MODE_CODED if crc else MODE_POLICY)
        for _ in range(3):
            for table_id in (tb.ids - 1, tb.ids % 32, 31, 0):
                tb.send(tb.skewed(1, 200), table_id)
                tb.send(tb.skewed(2 * tb.block + 1, 2 * tb.block + 1), table_id)
        tb.send(NO_SYMBOLS, 31)
        await tb.drain()
    await tb.commit(tb.ids % 32)
    await ClockCycles(tb.dut.clk, 3)
    assert int(tb.dut.table_loaded.value) == (1 << min(3, tb.ids)) - 1


@bench_test(BlockEncoderBench)
async def never_grows(tb: BlockEncoderBench) -> None:
    """The rarest symbols only, and blocks at random: no packet grows by more than its headers."""
    for mode in (MODE_POLICY, MODE_CODED):
        for crc in (0, 1):
            tb.configure(min_packet=0, mode=mode, crc=crc)
            for count in (32, 33, tb.block, 3 * tb.block, 2 * tb.block + 45):
                tb.send(stimulus.rarest(tb.loaded[0], count, tb.rng))
                tb.send(stimulus.uniform(tb.loaded[0], count, tb.rng))
            await tb.drain()
    blocks = -(-(2 * tb.block + 45) // tb.block)
    assert tb.largest_growth == 8 * max(3, blocks)
    tb.dut._log.info("largest growth: %d bytes with CRC", tb.largest_growth)


@bench_test(BlockEncoderBench)
async def no_symbols(tb: BlockEncoderBench) -> None:
    """A packet without symbols gives one beat without bytes, and disturbs no neighbour."""
    tb.configure(min_packet=0, crc=1)
    for _ in range(3):
        tb.send(NO_SYMBOLS)
    for _ in range(40):
        tb.send(NO_SYMBOLS if tb.rng.random() < 0.5 else tb.skewed(1, 100))
    tb.send(NO_SYMBOLS)
    received = await tb.drain()
    assert all(len(packet.cycles) == 1 for packet in received if not packet.data)


@bench_test(BlockEncoderBench)
async def empty_last_beat(tb: BlockEncoderBench) -> None:
    """A last beat without bytes behind full ones is allowed for, also behind a full block."""
    for source in ("always", "scattered", "long_stalls"):
        tb.stall(source)
        tb.configure(min_packet=0, crc=1)
        for beats in (1, 2, tb.block // 32, tb.block // 32 + 1, 2 * tb.block // 32):
            symbols = tb.skewed(32 * beats, 32 * beats)
            for empty in (0, 1, 3):
                tb.send(symbols, beats=dense(symbols.tobytes(), WIDTH) + [EMPTY] * empty)
                tb.send(tb.skewed(1, 100))
        await tb.drain()


@bench_test(BlockEncoderBench)
async def empty_beats(tb: BlockEncoderBench) -> None:
    """Beats without bytes anywhere; the packet's first beat counts for table and configuration."""
    for source in ("always", "bursts"):
        tb.stall(source)
        for _ in range(60):
            tb.configure(min_packet=tb.rng.choice([0, 1024]), crc=tb.rng.randrange(2))
            table_id = tb.rng.randrange(min(3, tb.ids))
            symbols = tb.mixed(
                tb.rng.choice([0, 1, 32, tb.block, 2 * tb.block, tb.rng.randint(1, 300)]), table_id
            )
            tb.send(symbols, table_id, with_empty(dense(symbols.tobytes(), WIDTH), tb.rng))
            if tb.rng.random() < 0.3:
                await tb.drain()
    for empty in (1, 2, 5):
        tb.send(NO_SYMBOLS, beats=[EMPTY] * empty)
    received = await tb.drain()
    assert [packet.cycles[0] == packet.cycles[-1] and not packet.data for packet in received[-3:]] == [
        True
    ] * 3


@bench_test(BlockEncoderBench)
async def partial_beats(tb: BlockEncoderBench) -> None:
    """A beat that is refused anywhere in a packet; the next packet is as good as any."""
    block_beats = tb.block // WIDTH
    places = {0, 1, 2, block_beats - 1, block_beats, block_beats + 1, 2 * block_beats}
    for source, sink in (("always", "always"), ("bursts", "scattered")):
        tb.stall(source, sink)
        for before in sorted(places):
            for behind in (0, 1, block_beats + 1):
                for empty in (0, 1):
                    tb.configure(min_packet=tb.rng.choice([0, 1024]), crc=tb.rng.randrange(2))
                    symbols = tb.mixed(WIDTH * before)
                    beats = dense(symbols.tobytes(), WIDTH) if before else []
                    beats += [EMPTY] * empty + [refused_beat(tb.rng, behind == 0)]
                    beats += (
                        dense(tb.skewed(WIDTH * behind, WIDTH * behind).tobytes(), WIDTH) if behind else []
                    )
                    tb.send(NO_SYMBOLS, tb.rng.choice([0, min(31, tb.ids)]), beats)
                    for _ in range(tb.rng.randrange(3)):
                        tb.send(tb.mixed(tb.rng.choice([0, 1, 100])))
                    if tb.rng.random() < 0.2:
                        await tb.drain()
        await tb.drain()
    # Any beats
    for _ in range(60):
        symbols = tb.mixed(tb.rng.randint(1, 300))
        tb.send(NO_SYMBOLS, 0, sparse(symbols.tobytes(), WIDTH, tb.rng))
    await tb.drain()
    assert tb.counts["ev_error"] >> PARTIAL_BEAT


@bench_test(BlockEncoderBench)
async def idle_in_packet(tb: BlockEncoderBench) -> None:
    """A packet that pauses in front of each of its beats; blocks before the pause's leave meanwhile."""
    tb.configure(min_packet=0)
    beats = 3 * tb.block // WIDTH
    for pause in {1, tb.block // WIDTH, tb.block // WIDTH + 1, 2 * tb.block // WIDTH, beats - 1}:
        tb.source.pattern = itertools.chain(
            itertools.repeat(True, pause), itertools.repeat(False, 300), itertools.repeat(True)
        )
        tb.send(tb.skewed(beats * WIDTH, beats * WIDTH))
        (packet,) = await tb.drain()
        early = [cycle for cycle in packet.cycles if cycle < tb.input.packets[-1].cycles[pause]]
        # A block that ends at the pause waits for the next beat, which tells that it is not the last.
        assert bool(early) == ((pause - 1) * WIDTH >= tb.block)


@bench_test(BlockEncoderBench)
async def mark(tb: BlockEncoderBench) -> None:
    """Every packet's last block is marked, no other, for packets around whole blocks."""
    tb.configure(min_packet=0)
    for blocks in (1, 2, 3):
        for more in (-33, -32, -1, 0, 1, 31, 32):
            if (count := blocks * tb.block + more) > 0:
                tb.send(tb.mixed(count))
                (packet,) = await tb.drain()
                marks = [header.last for header in headers_of(packet.data)]
                assert marks == [False] * (len(marks) - 1) + [True]


@bench_test(BlockEncoderBench)
async def garbage(tb: BlockEncoderBench) -> None:
    """What is no table changes bits, but every packet ends; the next table is as good as any."""
    tb.configure(min_packet=0)
    for number in range(6):
        await tb.stage(tb.tables[0])
        await tb.writer.write(random_words(tb.raw_bits, tb.rng))
        await tb.commit(0)
        tb.garbage = True
        tb.stall("bursts", "bursts" if number % 2 else "always")
        for _ in range(12):
            tb.send(stimulus.uniform(tb.tables[0], tb.rng.randint(1, 2 * min(tb.block, 512)), tb.rng))
        await tb.drain()
        tb.garbage = False
        tb.staged = tb.tables[0]
        await tb.load(0, tb.rng.choice(tb.tables))
        await ClockCycles(tb.dut.clk, 3)
        tb.counts.clear()
        tb.expected_counts.clear()
        tb.send(tb.skewed(1, 300))
        await tb.drain()


@bench_test(BlockEncoderBench)
async def single_beats(tb: BlockEncoderBench) -> None:
    """Packets of one beat back to back, also just behind one whose tail is still to be sent."""
    for sink in ("always", "scattered"):
        for crc in (0, 1):
            tb.stall("always", sink)
            tb.configure(min_packet=0, crc=crc)
            for _ in range(60):
                tb.send(tb.skewed(1, 32))
            for _ in range(30):
                tb.send(tb.skewed(60, 300))
                tb.send(tb.skewed(1, 32))
                tb.send(tb.skewed(1, 32))
            await tb.drain()


@bench_test(BlockEncoderBench)
async def data_kinds(tb: BlockEncoderBench) -> None:
    """All kinds of data, each dtype's special values counted."""
    for dtype in range(8):
        tb.configure(min_packet=0, dtype=dtype)
        for symbols in stimulus.all_kinds(tb.loaded[0], (300,), tb.rng):
            tb.send(symbols)
        await tb.drain()
    assert tb.counts["ev_special"]


@bench_test(BlockEncoderBench)
async def real_tensors(tb: BlockEncoderBench) -> None:
    """Slices of captured tensors with tables made for them."""
    for part in stimulus.slices(4, 9000, tb.rng):
        table_id = tb.rng.randrange(tb.ids)
        await tb.load(table_id, table_of(part.tensor, tb.tables[0].code, tb.raw_bits))
        tb.send(part.symbols, table_id)
    await tb.drain()


@bench_test(BlockEncoderBench)
async def stalls(tb: BlockEncoderBench) -> None:
    """Every idle pattern with every backpressure pattern."""
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            tb.configure(min_packet=0, crc=tb.rng.randrange(2))
            for _ in range(3):
                tb.send(tb.mixed(tb.rng.randint(1, 3 * min(tb.block, 256))))
            tb.send(stimulus.rarest(tb.loaded[0], 96, tb.rng))
            await tb.drain()


@bench_test(BlockEncoderBench)
async def reset_in_packet(tb: BlockEncoderBench) -> None:
    """A reset anywhere in a packet leaves nothing behind, no table either."""
    tb.configure(min_packet=0, crc=1)
    for cycles in [*range(1, 40, 3), 200, 300]:
        tb.send(tb.skewed(96, 16 * 32))
        if cycles % 2:
            tb.send(NO_SYMBOLS, beats=[refused_beat(tb.rng, False), *dense(bytes(4096), WIDTH)])
        tb.send(tb.skewed(4096, 4 * 4096))
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        assert int(tb.dut.table_loaded.value) == 0
        tb.send(stimulus.uniform(tb.tables[0], 77, tb.rng))
        await tb.drain()
        await tb.load(0, tb.rng.choice(tb.tables))
        tb.send(tb.skewed(1, 96))
        await tb.drain()


@bench_test(BlockEncoderBench)
async def reset_in_stall(tb: BlockEncoderBench) -> None:
    """A reset with everything full and the output stalled leaves nothing behind."""
    tb.configure(min_packet=0)
    for _ in range(3):
        tb.sink.pattern = iter(lambda: False, True)
        for _ in range(40):
            tb.send(tb.skewed(32, 512))
        tb.send(tb.skewed(20000, 20000))
        await ClockCycles(tb.dut.clk, 800)
        assert str(tb.dut.s_axis_tready.value) == "0"
        await tb.restart()
        tb.run_freely()
        await tb.load(0, tb.rng.choice(tb.tables))
        tb.send(tb.skewed(1, 96))
        await tb.drain()


@bench_test(BlockEncoderBench)
async def latency(tb: BlockEncoderBench) -> None:
    """The documented latency, exactly."""
    for count in (1, 7, 28):
        tb.send(tb.skewed(count, count))
        (packet,) = await tb.drain()
        assert packet.cycles[0] - tb.input.packets[-1].cycles[-1] == LATENCY


@bench_test(BlockEncoderBench)
async def full_rate(tb: BlockEncoderBench) -> None:
    """A beat in every cycle, blocks and packets back to back, while output does not exceed input."""
    table = tb.loaded[0]
    coded = stimulus.single(table, tb.block, tb.rng)
    raw = stimulus.rarest(table, tb.block, tb.rng)
    tb.configure(min_packet=0, crc=1)
    blocks = max(4, 2048 // tb.block)
    for _ in range(2):
        tb.send(np.concatenate([coded] * blocks))
        tb.send(np.concatenate([coded, raw] * (blocks // 2)))
        tb.send(np.concatenate([coded] * blocks + [coded[:5]]))
        tb.send(coded[:32])
    received = await tb.drain()
    beats = tb.input_cycles()
    rate = 32 * len(beats) / spent(beats)
    out = output_cycles(received)
    tb.dut._log.info(
        "coded and raw: %.3f symbols a cycle in, %d beats in, %d out, in %d cycles",
        rate, len(beats), len(out), spent(out),
    )  # fmt: skip
    if len(out) <= len(beats) - tb.block // 32:
        assert rate == 32
    assert spent(beats) <= max(len(beats), len(out) + 8)


@bench_test(BlockEncoderBench)
async def uneven_blocks(tb: BlockEncoderBench) -> None:
    """Blocks whose long codewords all come first, each just small enough to be coded: full rate."""
    table = tb.loaded[0]
    shortest, longest = int(table.lengths.min()), int(table.lengths.max())
    # Output at most a byte a symbol, headers and all.
    rare = (8 * (tb.block - 5) - shortest * tb.block) // (longest - shortest)
    for order in (1, -1):
        block = np.concatenate(
            [
                stimulus.rarest(table, max(0, rare), tb.rng),
                stimulus.single(table, tb.block - max(0, rare), tb.rng),
            ]
        )[::order]
        for _ in range(2):
            tb.send(np.concatenate([block] * 4))
    tb.configure(min_packet=0)
    received = await tb.drain()
    beats = tb.input_cycles()
    out = output_cycles(received)
    tb.dut._log.info(
        "uneven: %.3f symbols a cycle in, %d beats in, %d out",
        32 * len(beats) / spent(beats), len(beats), len(out),
    )  # fmt: skip
    assert len(headers_of(received[0].data)) == 4
    if tb.block > 64:
        assert all(header.coded for header in headers_of(received[0].data))
    assert spent(beats) <= max(len(beats), len(out) + 8)


@bench_test(BlockEncoderBench)
async def short_behind_long(tb: BlockEncoderBench) -> None:
    """Packets of a beat, some of them empty, behind a block: full rate, however many wait for it to leave."""
    table = tb.loaded[0]
    tb.configure(min_packet=0)
    for _ in range(4):
        tb.send(stimulus.single(table, tb.block, tb.rng))
        for _ in range(tb.block // 32):
            tb.send(stimulus.single(table, tb.rng.choice([0, 1, 32, 32]), tb.rng))
    await tb.drain()
    beats = tb.input_cycles()
    assert spent(beats) == len(beats)


@bench_test(BlockEncoderBench)
async def raw_rate(tb: BlockEncoderBench) -> None:
    """Raw blocks only: the output bus is busy in every cycle once it has begun."""
    tb.configure(mode=MODE_RAW, crc=1)
    for count in (4096, 1, 4096, 100, 4096, 3 * 4096):
        tb.send(stimulus.uniform(tb.loaded[0], count, tb.rng))
    received = await tb.drain()
    out = output_cycles(received)
    for packet in received:
        if len(packet.data) <= tb.block + 8:
            assert packet.gapless
    beats = tb.input_cycles()
    tb.dut._log.info(
        "raw: %.3f symbols a cycle in, %d beats in, %d out in %d cycles",
        32 * len(beats) / spent(beats), len(beats), len(out), spent(out),
    )  # fmt: skip
    assert spent(out) <= len(out) + LATENCY
    assert spent(beats) <= len(out)


@bench_test(BlockEncoderBench)
async def random_packets(tb: BlockEncoderBench) -> None:
    """Everything at random."""
    for _ in range(8):
        await tb.load(tb.rng.randrange(tb.ids), tb.rng.choice(tb.tables))
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        tb.configure(
            min_packet=tb.rng.choice([0, 50, 1024]),
            min_saving=tb.rng.choice([1, 3, 40]),
            crc=tb.rng.randrange(2),
            dtype=tb.rng.randrange(7),
        )
        for _ in range(8):
            symbols = tb.mixed(tb.rng.randint(0, tb.rng.choice([40, 300, 3 * min(tb.block, 1024)])))
            tb.send(symbols, tb.rng.randrange(min(tb.ids + 1, 32)))
        await tb.drain()
