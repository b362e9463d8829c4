"""Tests of the block decoder against the golden model."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import os
import zlib

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from qlc.block import Header, encode_block
from qlc.errors import Error
from qlc.packet import DEFAULT_POLICY, Policy, decode_packet, encode_packet
from qlc.ranking import SPECIAL_SYMBOLS
from qlc.table import Table
from qlc_block_decoder.hostile import hostile
from qlc_tb import stimulus
from qlc_tb.bench import Bench, bench_test
from qlc_tb.blocks import ERROR_NAMES, PARTIAL_BEAT
from qlc_tb.corruption import Mixed, damaged, mixed
from qlc_tb.dut import Dut
from qlc_tb.holes import spoiled, with_empty
from qlc_tb.latency import wide_latency
from qlc_tb.packet import Beat, Expected, Packet, dense
from qlc_tb.pattern import PATTERNS, not_first, only_first
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import TableWriter, bounds_of, codes, decoder_words, random_table

# Damaged packets of the test that sends them.
DAMAGED = int(os.environ.get("QLC_DAMAGED", "1000"))
# Packets of the tests of hostile ones.
HOSTILE = int(os.environ.get("QLC_HOSTILE", "400"))
# With an empty decoder and a ready sink, from a packet's last input beat to its only output beat:
# of a raw block without CRC, and a coded one of one symbol; and how much longer it takes with one.
RAW_LATENCY = 12
CODED_LATENCY = 16
CRC_LATENCY = 6
# Cycles of a block beside those of its payload or symbols.
RAW_OVERHEAD = 3
CODED_OVERHEAD = 1
# And of a packet.
PACKET_OVERHEAD = 4
# The same of a decoder with words: a block beside its bytes, and the least of a block.
WIDE_OVERHEAD = 1
WIDE_LEAST = 4
# Of a raw block one more where two beats make a part. Of a coded one beside the wide decoder's, and one
# more where several of its beats make a part.
WIDE_RAW_LATENCY = 23
WIDE_CODED_LATENCY = 25


class NotWrong(Expected):
    """A packet with an error, whichever, or else these symbols: for tables that the DUT cannot hold."""

    __hash__ = Expected.__hash__

    def __eq__(self, other: object) -> bool:
        """Compares with what was received."""
        if not isinstance(other, tuple):
            return False
        data, user = other
        return bool(user != 0 or data == self.data)


class BlockDecoderBench(Bench):
    """The block decoder with tables in the lower ids."""

    # A store of 1-bit codewords behind an error, of which no symbol leaves, at 2 symbols a cycle.
    watchdog = 2000

    def __init__(self, dut: Dut) -> None:
        """Makes more tables than there are ids."""
        super().__init__(dut)
        self.bounds = bounds_of(dut)
        self.ids = int(dut.TABLES.value)
        self.word_bits = int(dut.WORD_BITS.value)
        # Bytes of a beat out
        self.beat = len(dut.m_axis_tkeep)
        # The first has illegal codewords.
        self.spare = [
            random_table(code, self.rng, self.bounds.raw_bits) for code in codes(self.bounds, self.rng)
        ]
        # What is loaded, by id. Of several ids one stays without.
        self.loaded: dict[int, Table] = {}
        self._writer = TableWriter(dut, self.rng)
        dut.table_commit.value = 0
        dut.table_id.value = 0
        dut.cfg_dtype.value = 0
        self.require_crc = True
        dut.cfg_require_crc.value = 1

    async def setup(self) -> None:
        """Loads the tables, which a reset forgets."""
        self.loaded = {}
        for number in range(max(1, min(3, self.ids - 1))):
            # The highest id of all is one of them, so that every bit of a bank's number is.
            table_id = self.ids - 1 if number == 2 else number
            await self.load(table_id, self.spare[number % len(self.spare)])

    @property
    def tables(self) -> list[Table]:
        """The tables that are loaded."""
        return list(self.loaded.values())

    @property
    def table(self) -> Table:
        """One of them."""
        return self.loaded[0]

    async def write(self, table: Table) -> None:
        """Writes a table to the staging bank."""
        await self._writer.write(decoder_words(table, self.bounds.raw_bits))

    async def commit(self, table_id: int) -> None:
        """Commits what is in the staging bank, and does not wait."""
        self.dut.table_commit.value = 1
        self.dut.table_id.value = table_id
        await RisingEdge(self.dut.clk)
        self.dut.table_commit.value = 0

    async def not_busy(self) -> None:
        """Waits until a commit is done."""
        await RisingEdge(self.dut.clk)
        for _ in range(20000):
            await RisingEdge(self.dut.clk)
            if int(self.dut.table_busy.value) == 0:
                return
        raise AssertionError("table_busy stays high")

    async def load(self, table_id: int, table: Table) -> None:
        """Loads a table and waits until the decoder uses it."""
        await self.write(table)
        await self.commit(table_id)
        await self.not_busy()
        self.loaded[table_id] = dataclasses.replace(table, table_id=table_id)

    async def require(self, crc: bool) -> None:
        """Sets whether blocks must have a CRC, in the packets that begin from now on."""
        await self.until(lambda: self.source.idle)
        self.require_crc = crc
        self.dut.cfg_require_crc.value = int(crc)

    def send(self, data: bytes, beats: list[Beat] | None = None) -> Error:
        """Sends a packet and expects the golden model's symbols and verdict; gives the verdict."""
        result = decode_packet(data, self.loaded, self.require_crc)
        self.source.put(Packet(beats or dense(data, self.source.width)))
        self.scoreboard.expect(Expected(result.symbols.tobytes(), int(result.error)))
        return result.error

    def send_spoiled(self, data: bytes) -> int:
        """Sends a packet with a partial beat somewhere; gives the verdict."""
        beats, before = spoiled(dense(data, self.source.width), self.rng)
        result = decode_packet(before, self.loaded, self.require_crc)
        # The partial beat ends the packet.
        late = result.error in (Error.GOOD, Error.TRUNCATED)
        verdict = PARTIAL_BEAT if late else int(result.error)
        self.source.put(Packet(beats))
        self.scoreboard.expect(Expected(result.symbols.tobytes(), verdict))
        return verdict

    def send_symbols(
        self, symbols: Symbols, table: Table | None = None, policy: Policy = DEFAULT_POLICY
    ) -> bytes:
        """Sends symbols as a packet that must be good; gives the packet."""
        data = encode_packet(symbols, table or self.table, policy)
        assert self.send(data) == Error.GOOD
        return data

    def mixed(self, blocks: int = 4, longest: int = 60, crc: bool | None = None) -> Mixed:
        """A packet of raw and coded blocks, some of them, on wide buses, of several beats."""
        if self.word_bits and not self.rng.randrange(3):
            longest *= 8
        if self.require_crc and crc is None:
            crc = True
        return mixed(self.tables, self.rng, blocks=blocks, longest=longest, crc=crc)

    def skewed(self, count: int, table: Table | None = None) -> Symbols:
        """Symbols that compress."""
        return stimulus.skewed(table or self.table, count, self.rng)


@bench_test(BlockDecoderBench)
async def every_length(tb: BlockDecoderBench) -> None:
    """Packets of 1 to 130 symbols, coded where that is shorter and raw, with and without CRC."""
    await tb.require(crc=False)
    for count in range(1, 131):
        for crc in (False, True):
            policy = Policy(block=32 << tb.rng.randrange(8), min_packet=tb.rng.choice([0, 1024]), crc=crc)
            tb.send_symbols(tb.skewed(count), tb.rng.choice(tb.tables), policy)
        await tb.drain()


@bench_test(BlockDecoderBench)
async def long_packets(tb: BlockDecoderBench) -> None:
    """Lengths around 1024, 4096 and 12345 by the default policy."""
    for count in (1023, 1024, 1025, 4095, 4096, 4097, 12345):
        tb.send_symbols(tb.skewed(count))
    await tb.drain()


@bench_test(BlockDecoderBench)
async def block_sizes(tb: BlockDecoderBench) -> None:
    """All block sizes from 32 to 4096, in packets that are no multiple of any."""
    await tb.require(crc=False)
    for power, crc in itertools.product(range(5, 13), (False, True)):
        count = min(2 << power, 4500) + tb.rng.randint(1, 31)
        tb.send_symbols(tb.skewed(count), policy=Policy(block=1 << power, min_packet=0, crc=crc))
    await tb.drain()


@bench_test(BlockDecoderBench)
async def data_kinds(tb: BlockDecoderBench) -> None:
    """One symbol only, all 256, the rarest only, uniform, skewed, by every table."""
    for table, kind in itertools.product(tb.tables, stimulus.KINDS.values()):
        policy = Policy(block=tb.rng.choice([32, 128]), min_packet=0, crc=True)
        tb.send_symbols(kind(table, 300, tb.rng), table, policy)
    await tb.drain()


@bench_test(BlockDecoderBench)
async def real_tensors(tb: BlockDecoderBench) -> None:
    """Slices of captured tensors, random bytes where there are none."""
    for part in stimulus.slices(4, 1500, tb.rng):
        tb.send_symbols(part.symbols, policy=Policy(block=256, crc=True))
    await tb.drain()


@bench_test(BlockDecoderBench)
async def mixed_blocks(tb: BlockDecoderBench) -> None:
    """Raw and coded blocks, of all tables, side by side in a packet; also with and without CRC."""
    for crc in (True, False):
        await tb.require(crc)
        for _ in range(30):
            data = tb.mixed(blocks=8, longest=100).data
            beats = with_empty(dense(data, tb.source.width), tb.rng)
            assert tb.send(data, beats) == Error.GOOD
    await tb.drain()


@bench_test(BlockDecoderBench)
async def no_bytes(tb: BlockDecoderBench) -> None:
    """A packet without bytes gives one without; a beat without bytes is none, wherever it is."""
    empty = Beat(bytes(tb.source.width), 0)
    for count in range(3):
        for _ in range(count):
            assert tb.send(b"") == Error.GOOD
            assert tb.send(b"", [empty] * tb.rng.randint(2, 5)) == Error.GOOD
        tb.send_symbols(tb.skewed(tb.rng.randint(1, 60)))
    # Symbols, a header and a CRC fill one beat, two or three.
    for beats in (1, 2, 3):
        symbols = beats * tb.source.width - 8
        data = encode_packet(tb.skewed(symbols), tb.table)
        assert len(data) % tb.source.width == 0
        for place in range(beats + 1):
            sent = dense(data, tb.source.width)
            sent[place:place] = [empty] * tb.rng.randint(1, 3)
            assert tb.send(data, sent) == Error.GOOD
        cut = data[: -tb.source.width]
        tb.send(cut, [*dense(cut, tb.source.width), empty] if cut else None)
    received = await tb.drain()
    assert all(len(packet.cycles) == max(1, -(-len(packet.data) // tb.beat)) for packet in received)


@bench_test(BlockDecoderBench)
async def holes(tb: BlockDecoderBench) -> None:
    """A beat with holes, in every place and of every kind, ends its packet with an error of its own."""
    verdicts: collections.Counter[int] = collections.Counter()
    for number in range(300):
        if number % 30 == 0:
            tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        packet = tb.mixed(longest=4 * tb.source.width)
        data = packet.data
        match number % 5:
            case 0:
                data = damaged(packet, packet, tb.rng)
            case 1:
                # The last block ends with a beat; the partial beat is behind it.
                size = tb.source.width * tb.rng.randint(1, 2) - 8
                data = encode_packet(tb.skewed(size), tb.table)
        verdicts[tb.send_spoiled(data)] += 1
        if number % 3 == 0:
            tb.send(packet.data)
    # Every number of bytes, of a packet's first beat, and of its last.
    tb.run_freely()
    width = tb.source.width
    for count in range(1, width):
        beat = Beat(tb.rng.randbytes(width), (1 << count) - 1)
        whole = Beat(tb.rng.randbytes(width), (1 << width) - 1)
        for keep in ((1 << count) - 1, (1 << width) - (1 << count), (1 << width) - 1 ^ 1 << count - 1):
            bad = Beat(beat.lanes, keep)
            # A packet's last beat may be short.
            rest = [] if keep & (keep + 1) else [whole]
            tb.source.put(Packet([bad, *rest]))
            tb.scoreboard.expect(Expected(b"", PARTIAL_BEAT))
        tb.send(encode_packet(tb.skewed(5), tb.table))
    await tb.drain()
    assert verdicts[PARTIAL_BEAT] > 100, verdicts
    assert len(verdicts) > 2, verdicts


@bench_test(BlockDecoderBench)
async def stalls(tb: BlockDecoderBench) -> None:
    """Every idle pattern with every backpressure pattern, bad packets among the good ones."""
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            for number in range(8):
                packet = tb.mixed()
                data = damaged(packet, packet, tb.rng) if number % 2 else packet.data
                tb.send(data, with_empty(dense(data, tb.source.width), tb.rng))
            tb.send_spoiled(tb.mixed().data)
            await tb.drain()


@bench_test(BlockDecoderBench)
async def every_cut(tb: BlockDecoderBench) -> None:
    """Packets of three blocks cut at each of their bytes, with the last block marked or none."""
    verdicts = collections.Counter[Error]()
    cuts = 0
    for crc, marked in itertools.product((False, True), (False, True)):
        await tb.require(crc)
        table = tb.rng.choice(tb.tables)
        blocks = [
            encode_block(tb.skewed(25, table), used, 1, crc, last=marked and number == 2)
            for number, used in enumerate((table, None, table))
        ]
        data = b"".join(blocks)
        for kept in range(len(data)):
            verdicts[tb.send(data[:kept])] += 1
        assert tb.send(data) == (Error.GOOD if marked else Error.TRUNCATED)
        assert tb.send(data + b"\0") == (Error.AFTER_LAST if marked else Error.TRUNCATED)
        cuts += 1
        await tb.drain()
    # Only nothing at all is good.
    assert verdicts[Error.GOOD] == cuts
    assert set(verdicts) == {Error.GOOD, Error.TRUNCATED}


@bench_test(BlockDecoderBench)
async def last_marks(tb: BlockDecoderBench) -> None:
    """The mark on every block or on none; bytes behind the block that has it, as few or many as may be."""
    for count in range(1, 5):
        sent = [tb.mixed(blocks=1, longest=99).blocks[0] for _ in range(count)]
        for marks in range(1 << count):
            blocks = [
                bytes([block[0] & 0xDF | (marks >> number & 1) << 5]) + block[1:]
                for number, block in enumerate(sent)
            ]
            data = b"".join(blocks)
            verdict = tb.send(data)
            expected = Error.TRUNCATED if not marks else Error.AFTER_LAST
            assert verdict == (Error.GOOD if marks == 1 << count - 1 else expected)
    # The last block ends at any place of a beat.
    width = tb.source.width
    for size in range(width - 9, width + 9):
        data = encode_packet(stimulus.uniform(tb.table, size, tb.rng), tb.table)
        for behind in (1, 2, 3, 4, 5, 7, 8, 9, width - 1, width, width + 1, 5 * width):
            assert tb.send(data + tb.rng.randbytes(behind)) == Error.AFTER_LAST
        assert tb.send(data) == Error.GOOD
        await tb.drain()


@bench_test(BlockDecoderBench)
async def required_crc(tb: BlockDecoderBench) -> None:
    """A block without CRC is an error where one is required, whatever else its header says."""
    for place in range(3):
        blocks = [bytearray(tb.mixed(blocks=1).blocks[0]) for _ in range(3)]
        for number, block in enumerate(blocks):
            block[0] = block[0] & 0xDF | (number == 2) << 5
        data = bytearray(b"".join(blocks))
        start = sum(map(len, blocks[:place]))
        data[start] &= 0xBF
        assert tb.send(bytes(data)) == Error.NO_CRC
        # Not loaded, or raw and with a table, or counts that differ.
        for first in (0x9F, 0x01, 0xBF):
            data[start] = first
            assert tb.send(bytes(data)) == Error.NO_CRC
            # The header is all there is.
            assert tb.send(bytes(data[: start + 4])) == Error.NO_CRC
            assert tb.send(bytes(data[: start + 3])) == Error.TRUNCATED
        tb.send_symbols(tb.skewed(20))
    await tb.drain()


@bench_test(BlockDecoderBench)
async def configuration_changes(tb: BlockDecoderBench) -> None:
    """CRC and dtype change at any time; a packet obeys what holds when its first beat is taken."""
    dut = tb.dut
    special = [*SPECIAL_SYMBOLS.values(), ()]
    queue: collections.deque[bytes] = collections.deque()
    wanted = counted = changes = 0

    async def watch() -> None:
        nonlocal wanted, counted
        first = True
        while True:
            await tb.dut.clk.rising_edge
            counted += int(dut.ev_special.value)
            if str(dut.s_axis_tvalid.value) == str(dut.s_axis_tready.value) == "1":
                if first:
                    crc = bool(int(dut.cfg_require_crc.value))
                    result = decode_packet(queue.popleft(), tb.loaded, crc)
                    tb.scoreboard.expect(Expected(result.symbols.tobytes(), int(result.error)))
                    dtype = int(dut.cfg_dtype.value)
                    wanted += int(np.isin(result.symbols, special[dtype]).sum())
                first = str(dut.s_axis_tlast.value) == "1"

    async def change() -> None:
        nonlocal changes
        while True:
            await ClockCycles(dut.clk, tb.rng.choice([1, 2, 3, tb.rng.randint(1, 300)]))
            dut.cfg_dtype.value = tb.rng.randrange(7)
            dut.cfg_require_crc.value = tb.rng.randrange(2)
            changes += 1

    await ClockCycles(dut.clk, 5)
    tasks = [cocotb.start_soon(watch()), cocotb.start_soon(change())]
    tb.require_crc = False
    for _ in range(10):
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        for _ in range(20):
            data = tb.mixed(crc=tb.rng.choice([True, False])).data
            queue.append(data)
            tb.source.put(Packet(with_empty(dense(data, tb.source.width), tb.rng)))
        await tb.until(lambda: tb.source.idle)
        await tb.drain()
    for task in tasks:
        task.cancel()
    tb.dut._log.info("%d changes, %d special values", changes, wanted)
    assert counted == wanted > 0


def _payload(table: Table, symbols: Symbols, *more: str) -> bytes:
    return stimulus.packed(stimulus.codewords(table, symbols) + "".join(more))


@bench_test(BlockDecoderBench)
async def illegal_codewords(tb: BlockDecoderBench) -> None:
    """An illegal codeword in full, cut by the payload's end, and cut by the packet's end."""
    verdicts: collections.Counter[Error] = collections.Counter()
    follow = encode_block(tb.skewed(20), tb.table, 1, crc=True, last=True)
    await tb.require(crc=False)
    for table in tb.tables:
        for word in stimulus.illegal_codewords(table.code):
            for before in (0, 1, 5, 9):
                symbols = tb.skewed(before, table)
                payload = _payload(table, symbols, word)
                for shown in range(max(1, len(payload) - 2), len(payload) + 1):
                    # Cut by the payload's declared end, or by the packet's.
                    header = Header(True, False, False, table.table_id, before + 1, shown)
                    verdicts[tb.send(header.pack() + payload[:shown] + follow)] += 1
                    header = Header(True, False, True, table.table_id, before + 1, len(payload))
                    verdicts[tb.send(header.pack() + payload[:shown])] += 1
                    header = Header(True, True, True, table.table_id, before + 4, len(payload) + 9)
                    verdicts[tb.send(header.pack() + bytes(4) + payload[:shown])] += 1
        await tb.drain()
    assert {Error.ILLEGAL_CODEWORD, Error.LENGTH_MISMATCH, Error.TRUNCATED} <= set(verdicts), verdicts


@bench_test(BlockDecoderBench)
async def each_error(tb: BlockDecoderBench) -> None:
    """Each error alone, first, in the middle and last in a packet, and the next packet decodes."""
    table = tb.table
    symbols = tb.skewed(24)
    coded = _payload(table, symbols)
    padded = next(
        (s, p)
        for s in (tb.skewed(24) for _ in itertools.count())
        if table.lengths[s].sum() % 8 and len(p := _payload(table, s))
    )
    unknown = max(set(range(32)) - set(tb.loaded), default=None)
    await tb.require(crc=False)

    def block(error: Error, crc: bool, last: bool) -> bytes:
        check = bytes(4) if crc else b""
        header = Header(True, crc, last, table.table_id, 24, len(coded))
        match error:
            case Error.UNKNOWN_TABLE:
                assert unknown is not None
                return dataclasses.replace(header, table_id=unknown).pack() + check + coded
            case Error.LENGTH_MISMATCH:
                return (
                    dataclasses.replace(header, payload_bytes=len(coded) + 1).pack() + check + coded + b"\0"
                )
            case Error.NONZERO_PADDING:
                payload = padded[1][:-1] + bytes([padded[1][-1] | 1])
                return dataclasses.replace(header, payload_bytes=len(payload)).pack() + check + payload
            case Error.RAW_MISMATCH:
                odd = Header(False, crc, last, 1, 24, 24) if crc else Header(False, crc, last, 0, 24, 25)
                return odd.pack() + check + bytes(25)
            case Error.CRC_MISMATCH:
                good = bytearray(encode_block(symbols, table if crc else None, 1, True, last))
                good[4 + tb.rng.randrange(4)] ^= 1 << tb.rng.randrange(8)
                return bytes(good)
        raise ValueError(error)

    errors = {Error.LENGTH_MISMATCH, Error.NONZERO_PADDING, Error.RAW_MISMATCH, Error.CRC_MISMATCH}
    for error in errors if unknown is None else errors | {Error.UNKNOWN_TABLE}:
        for crc, before, after in itertools.product((False, True), range(3), range(3)):
            parts = [tb.mixed(blocks=1).data for _ in range(before + after)]
            parts = [bytes([part[0] & 0xDF]) + part[1:] for part in parts]
            data = b"".join(parts[:before]) + block(error, crc, after == 0) + b"".join(parts[before:])
            assert tb.send(data) == error
            # An error behind the first one changes nothing, nor does a cut.
            assert tb.send(data + block(Error.RAW_MISMATCH, False, True)) == error
            tb.send(data[: -tb.rng.randint(1, 3)])
            tb.send_symbols(tb.skewed(20))
        await tb.drain()


@bench_test(BlockDecoderBench)
async def damaged_packets(tb: BlockDecoderBench) -> None:
    """Damage of all kinds: symbols and verdict as the golden model, and nothing wrong is reported good.

    Every packet that the decoder calls good has all the symbols of one that was sent, and no others.
    """
    seen: collections.Counter[Error] = collections.Counter()
    spoilt: collections.Counter[int] = collections.Counter()
    unchanged = 0
    for number in range(-(-DAMAGED // 100)):
        if number % 4:
            tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice(["always", "always", "bursts", "scattered"]))
        else:
            tb.run_freely()
        # What a good packet may have, by packet.
        originals: list[set[bytes]] = []
        for _ in range(min(100, DAMAGED - 100 * number)):
            packet, other = tb.mixed(), tb.mixed()
            data = damaged(packet, other, tb.rng)
            originals.append({packet.symbols, other.symbols} if data else {b""})
            if tb.rng.randrange(12):
                seen[tb.send(data, with_empty(dense(data, tb.source.width), tb.rng))] += 1
            else:
                spoilt[tb.send_spoiled(data)] += 1
        received = await tb.drain()
        for packet_out, expected in zip(received, originals, strict=True):
            if packet_out.user == 0:
                assert packet_out.data in expected, f"reported good, and never sent: {packet_out.data.hex()}"
                unchanged += 1
        tb.send_symbols(tb.skewed(20))
        await tb.drain()
    tb.dut._log.info("damaged packets by verdict: %s", {error.label: n for error, n in sorted(seen.items())})
    tb.dut._log.info("with a partial beat beside: %s", dict(sorted(spoilt.items())))
    tb.dut._log.info("good, and as they were sent: %d", unchanged)
    assert seen.total() + spoilt.total() == DAMAGED
    assert 0 not in spoilt
    assert unchanged == seen[Error.GOOD]
    # Codes without an empty place have no illegal codeword.
    wanted = (
        set(Error)
        if any(stimulus.illegal_codewords(table.code) for table in tb.tables)
        else set(Error) - {Error.ILLEGAL_CODEWORD}
    )
    assert set(seen) == wanted, f"verdicts: {seen}"


@bench_test(BlockDecoderBench)
async def wrong_tables(tb: BlockDecoderBench) -> None:
    """The id has another table than the packet was made with: never good, unless the symbols are right."""
    seen: collections.Counter[Error] = collections.Counter()
    used = [table for table in tb.spare if table.lengths.min() < 8]
    for number in range(12):
        table = used[number % len(used)]
        # Another code, or the same with the symbols in another order.
        other = (
            used[(number + 1) % len(used)]
            if number % 2
            else random_table(table.code, tb.rng, tb.bounds.raw_bits)
        )
        await tb.load(0, other)
        sent = dataclasses.replace(table, table_id=0)
        packets = [tb.skewed(tb.rng.randint(1, 90), sent) for _ in range(20)]
        for symbols in packets:
            seen[tb.send(encode_packet(symbols, sent, Policy(block=64, min_packet=0)))] += 1
        for received, symbols in zip(await tb.drain(), packets, strict=True):
            assert received.user or received.data == symbols.tobytes()
    tb.dut._log.info("by verdict: %s", {error.label: n for error, n in sorted(seen.items())})
    assert seen[Error.CRC_MISMATCH]


@bench_test(BlockDecoderBench)
async def unfit_tables(tb: BlockDecoderBench) -> None:
    """Tables of any words: no packet hangs, and nothing wrong is reported good. Then a good one works."""
    tb.stall("scattered", "bursts")
    others = set(tb.loaded) - {0}
    for number in range(30):
        table = tb.rng.choice(tb.spare)
        words = decoder_words(table, tb.bounds.raw_bits)
        lengths = [n for n, (address, _) in enumerate(words) if address >= 256]
        for place in lengths if number % 3 else tb.rng.sample(lengths, 2):
            address, data = words[place]
            data = tb.rng.choice(
                [tb.rng.getrandbits(32), 0, 0xFFFFFFFF, data ^ 1 << tb.rng.randrange(32), data & 0xFFF]
            )
            words[place] = address, data
        await tb.until(lambda: tb.source.idle)
        await tb._writer.write(words)
        await tb.commit(0)
        await tb.not_busy()
        used = dataclasses.replace(table, table_id=0)
        for _ in range(6):
            kind = tb.rng.choice([*stimulus.KINDS.values()])
            symbols = kind(used, tb.rng.choice([1, 40, 600]), tb.rng)
            packet = encode_packet(symbols, used, Policy(block=512, min_packet=0))
            if tb.rng.randrange(2):
                packet = packet[: tb.rng.randrange(1, len(packet) + 1)]
            tb.source.put(Packet(dense(packet, tb.source.width)))
            tb.scoreboard.expect(NotWrong(symbols.tobytes()))
        if others:
            good = tb.loaded[min(others)]
            symbols = tb.skewed(60, good)
            tb.send(encode_packet(symbols, good, Policy(block=32, min_packet=0)))
    await tb.drain()
    await tb.setup()
    for _ in range(10):
        assert tb.send(tb.mixed().data) == Error.GOOD
    await tb.drain()


@bench_test(BlockDecoderBench)
async def hostile_packets(tb: BlockDecoderBench) -> None:
    """Scraps, headers that lie and blocks of any size; tables change behind them, and a reset may come."""
    seen: collections.Counter[Error] = collections.Counter()
    empty = Beat(bytes(tb.source.width), 0)
    sent = 0
    while sent < HOSTILE:
        longest = tb.rng.choice([3, 60, 600, 4096])
        patterns = ["always", "always", *PATTERNS]
        tb.stall(tb.rng.choice(patterns), tb.rng.choice(patterns))
        if not tb.rng.randrange(4):
            # All that stores fills up, and then leaves at once.
            tb.sink.pattern = not_first(tb.rng.randint(50, 400))
        for _ in range(tb.rng.randint(1, 30 if longest < 600 else 4)):
            data = hostile(tb.tables, tb.source.width, longest, tb.rng)
            beats = dense(data, tb.source.width)
            if data and len(data) % tb.source.width == 0 and tb.rng.random() < 0.5:
                beats.append(empty)
            if not tb.rng.randrange(15):
                tb.send_spoiled(data)
            else:
                seen[tb.send(data, with_empty(beats, tb.rng))] += 1
            sent += 1
        if not tb.rng.randrange(12):
            await ClockCycles(tb.dut.clk, tb.rng.randint(1, 300))
            await tb.restart()
            await tb.setup()
        elif not tb.rng.randrange(3):
            # The packets behind the commit use the table, those before, though inside, do not.
            await tb.until(lambda: tb.source.idle)
            await tb.load(tb.rng.choice([*tb.loaded]), tb.rng.choice(tb.spare))
        elif not tb.rng.randrange(2):
            await tb.drain()
    tb.run_freely()
    await tb.drain()
    tb.dut._log.info("hostile packets by verdict: %s", {error.label: n for error, n in sorted(seen.items())})
    wanted = {Error.GOOD, Error.TRUNCATED, Error.RAW_MISMATCH, Error.NO_CRC, Error.AFTER_LAST}
    assert set(seen) >= wanted


@bench_test(BlockDecoderBench)
async def tables_change(tb: BlockDecoderBench) -> None:
    """A table written and committed in a packet holds from the next packet on."""
    tb.stall("bursts", "bursts")
    # Schemes that code something.
    useful = [table.code for table in tb.spare if table.lengths.min() < 8]
    for number in range(12):
        table_id = number // 2 % tb.ids
        table = random_table(tb.rng.choice(useful), tb.rng, tb.bounds.raw_bits)
        used = tb.loaded.get(table_id, tb.table)
        if used.lengths.min() >= 8:
            used = tb.table
        short = np.flatnonzero(used.lengths < 8)
        # More than the decoder holds, which keeps it busy while its output waits.
        symbols = np.array(tb.rng.choices(short.tolist(), k=12000 if tb.word_bits else 900), np.uint8)
        tb.send_symbols(symbols, used, Policy(block=128, min_packet=0))
        before = tb.input.transfers
        while tb.input.transfers == before:
            await ClockCycles(tb.dut.clk, 1)
        if tb.word_bits:
            tb.sink.pattern = iter(lambda: False, True)
        await tb.write(table)
        await tb.commit(table_id)
        tb.loaded[table_id] = dataclasses.replace(table, table_id=table_id)
        new = tb.loaded[table_id]
        for _ in range(3):
            tb.send_symbols(stimulus.skewed(new, 70, tb.rng), new, Policy(block=32, min_packet=0))
        # While busy, writes and commits are ignored; the long packet lasts longer than this.
        await ClockCycles(tb.dut.clk, 2)
        assert int(tb.dut.table_busy.value) == 1
        await tb.write(random_table(table.code, tb.rng, tb.bounds.raw_bits))
        assert int(tb.dut.table_busy.value) == 1
        await tb.commit((table_id + 1) % tb.ids)
        tb.stall("bursts", "bursts")
        await tb.not_busy()
        await tb.drain()


@bench_test(BlockDecoderBench)
async def commit_behind_many(tb: BlockDecoderBench) -> None:
    """A commit waits for all packets inside, however many: the last ones still have the old table."""

    def send(count: int) -> None:
        for _ in range(count):
            payload = _payload(tb.table, tb.skewed(1))
            tb.send(Header(True, False, True, 0, 1, len(payload)).pack() + payload)

    await tb.require(crc=False)
    tb.sink.pattern = only_first(0)
    send(64)
    await tb.fill()
    most = len(tb.input.packets)
    tb.run_freely()
    await tb.drain()
    for count in range(max(1, most - 24), most + 1):
        tb.sink.pattern = only_first(0)
        send(count)
        await tb.until(lambda: tb.source.idle)
        table = tb.rng.choice(tb.spare)
        await tb.write(table)
        await tb.commit(0)
        await ClockCycles(tb.dut.clk, 9)
        assert int(tb.dut.table_busy.value) == 1 or count < most
        tb.run_freely()
        await tb.not_busy()
        tb.loaded[0] = dataclasses.replace(table, table_id=0)
        send(2)
        await tb.drain()


@bench_test(BlockDecoderBench)
async def table_ids(tb: BlockDecoderBench) -> None:
    """Every id can be loaded and is told from the others; ids that there are not are ignored."""
    spare = itertools.cycle(tb.spare)
    for table_id in range(tb.ids, 32, 9):
        await tb.commit(table_id)
        await ClockCycles(tb.dut.clk, 2)
        assert int(tb.dut.table_busy.value) == 0
    for table_id in tb.rng.sample(range(tb.ids), min(tb.ids, 32)):
        await tb.load(table_id, next(spare))
        mask = sum(1 << n for n in tb.loaded)
        assert int(tb.dut.table_loaded.value) == mask
    for table in tb.tables:
        tb.send_symbols(tb.skewed(40, table), table, Policy(block=32, min_packet=0))
    await tb.require(crc=False)
    for table_id in range(32):
        tb.send(Header(True, False, True, table_id, 9, 3).pack() + tb.rng.randbytes(3))
    await tb.drain()


@bench_test(BlockDecoderBench)
async def commits_with_traffic(tb: BlockDecoderBench) -> None:
    """Commits that change nothing that is in use, at any time, disturb no packet."""
    if tb.ids < 2:
        tb.send_symbols(tb.skewed(10))
        return
    free = min(set(range(tb.ids)) - set(tb.loaded), default=1)
    tb.loaded.pop(free, None)
    tables = tb.tables

    async def commits() -> None:
        while True:
            await ClockCycles(tb.dut.clk, tb.rng.randint(1, 60))
            await tb.commit(free)

    task = cocotb.start_soon(commits())
    for _ in range(8):
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        for _ in range(20):
            assert tb.send(mixed(tables, tb.rng, crc=True).data) == Error.GOOD
        await tb.drain()
    task.cancel()


@bench_test(BlockDecoderBench)
async def reset_in_packet(tb: BlockDecoderBench) -> None:
    """A reset anywhere in a packet, good or bad, leaves nothing behind, nor the tables."""
    for cycles in range(1, 60, 2):
        packet = tb.mixed(blocks=6)
        if cycles % 8 == 3:
            tb.send_spoiled(packet.data)
        else:
            tb.send(damaged(packet, packet, tb.rng) if cycles % 4 == 1 else packet.data)
        tb.send(packet.data)
        if cycles % 3 == 0:
            tb.sink.pattern = iter(lambda: False, True)
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        tb.run_freely()
        tb.loaded = {}
        assert int(tb.dut.table_loaded.value) == 0
        assert tb.send(encode_packet(np.zeros(9, np.uint8), tb.spare[0])) == Error.GOOD
        assert tb.send(Header(True, True, True, 0, 9, 3).pack() + bytes(7)) == Error.UNKNOWN_TABLE
        await tb.drain()
        await tb.setup()
        tb.send(tb.mixed().data)
        await tb.drain()


@bench_test(BlockDecoderBench)
async def latency(tb: BlockDecoderBench) -> None:
    """From a packet's only beat to its symbols."""
    for number, crc in enumerate([False] * 3 + [True] * 2):
        await tb.require(crc)
        more = CRC_LATENCY * crc
        tb.send(encode_block(tb.skewed(9), None, 1, crc, last=True))
        (packet,) = await tb.drain()
        raw = packet.cycles[0] - tb.input.packets[-1].cycles[0]
        symbols = tb.skewed(1)
        payload = _payload(tb.table, symbols)
        check = zlib.crc32(symbols.tobytes()).to_bytes(4, "big") if crc else b""
        tb.send(Header(True, crc, True, tb.table.table_id, 1, len(payload)).pack() + check + payload)
        (packet,) = await tb.drain()
        coded = packet.cycles[0] - tb.input.packets[-1].cycles[0]
        tb.dut._log.info("latency%s: raw %d, coded %d cycles", " with CRC" * crc, raw, coded)
        if tb.word_bits:
            assert raw == WIDE_RAW_LATENCY + (tb.beat > tb.source.width) + more
            expected = wide_latency(tb.word_bits, tb.bounds) + WIDE_CODED_LATENCY
            expected += tb.word_bits // 4 < tb.beat
            # The first packet's table is copied to where it is looked up.
            assert coded == expected + (number == 0) + more
        else:
            assert (raw, coded) == (RAW_LATENCY + more, CODED_LATENCY + more)


@bench_test(BlockDecoderBench)
async def next_packet_pauses(tb: BlockDecoderBench) -> None:
    """A packet leaves though the next one pauses, after each of its first beats."""
    await tb.require(crc=False)
    for shown in (0, 1, 1, 1, 2, 3):
        for _ in range(8):
            packet = tb.mixed()
            first = damaged(packet, packet, tb.rng) if tb.rng.randrange(2) else packet.data
            beats = len(dense(first, tb.source.width))
            tb.source.pattern = only_first(beats + shown)
            tb.send(first)
            # Its first header ends with a beat, or its payload begins in one.
            size = tb.source.width - 4 - tb.rng.randint(0, 12)
            plain = encode_block(tb.skewed(size), None, 1, crc=False, last=False)
            blocks = [plain, tb.mixed(blocks=1, longest=99).data]
            tb.send(b"".join(blocks[tb.rng.randrange(2) :]) + tb.rng.randbytes(4 * tb.source.width))
            left = len(tb.scoreboard.pending) - 1
            await tb.until(lambda left=left: len(tb.scoreboard.pending) <= left)  # type: ignore[misc]
            tb.run_freely()
            await tb.drain()


def _wide_cycles(tb: BlockDecoderBench, size: int, symbols: int, crc: bool, table: Table | None) -> float:
    """At most this many cycles, on average, a block of ``size`` bytes takes a decoder with words."""
    payload = size - (8 if crc else 4)
    beats = size / tb.source.width + WIDE_OVERHEAD
    words = -(-payload // (tb.word_bits // 8)) if table else 0
    # Of codewords shorter than 4 bits there are more in a word than go into a beat.
    parts = -(-symbols // (tb.word_bits // 4)) if table else 0
    return max(beats, words, parts, WIDE_LEAST)


@bench_test(BlockDecoderBench)
async def rates(tb: BlockDecoderBench) -> None:
    """Raw blocks a beat, coded ones a symbol or a word a cycle, and what a block takes beside that."""
    await tb.require(crc=False)
    count = 2048 if not tb.word_bits else 16384
    sizes = (32, 256, 2048) if not tb.word_bits else (32, 256, 4096)
    for block, crc, table in itertools.product(sizes, (False, True), (None, tb.table)):
        symbols = stimulus.single(tb.table, count, tb.rng) if table else tb.skewed(count)
        blocks = [
            encode_block(symbols[i : i + block], table, 1, crc, last=i + block == count)
            for i in range(0, count, block)
        ]
        for _ in range(3):
            tb.send(b"".join(blocks))
        received = await tb.drain()
        # From packet to packet: begins and ends are the same.
        cycles = (received[2].cycles[-1] - received[0].cycles[-1]) / 2
        kind = f"{'coded' if table else 'raw'}, {'CRC' if crc else 'no CRC'}, blocks of {block}"
        tb.dut._log.info("%s: %.3f symbols a cycle", kind, count / cycles)
        if tb.word_bits:
            limit = sum(_wide_cycles(tb, len(data), block, crc, table) for data in blocks)
        elif table:
            limit = count + len(blocks) * CODED_OVERHEAD
        else:
            limit = count // 32 + len(blocks) * RAW_OVERHEAD
        assert cycles <= limit + PACKET_OVERHEAD, f"{kind}: {cycles} cycles"
        if tb.word_bits and block == 4096 and table:
            # Of the rate inside a block.
            inside = sum(map(len, blocks)) / (tb.word_bits // 8)
            assert cycles <= inside / 0.95 + PACKET_OVERHEAD, f"{kind}: {cycles} cycles"


@bench_test(BlockDecoderBench)
async def events(tb: BlockDecoderBench) -> None:
    """All events, added up, are what the golden model's results give."""
    dut = tb.dut
    names = ("packet", "block_raw", "block_coded", "symbols", "bytes", "special")
    total: collections.Counter[str] = collections.Counter()

    async def add() -> None:
        while True:
            await RisingEdge(dut.clk)
            await ReadOnly()
            for name in names:
                total[name] += int(getattr(dut, f"ev_{name}").value)
            errors = int(dut.ev_error.value)
            for error in range(len(ERROR_NAMES)):
                total[f"error {error}"] += errors >> error & 1

    await ClockCycles(dut.clk, 3)
    task = cocotb.start_soon(add())
    wanted: collections.Counter[str] = collections.Counter()
    for dtype, special in enumerate([*SPECIAL_SYMBOLS.values(), ()]):
        dut.cfg_dtype.value = dtype
        tb.stall("bursts", "bursts")
        for number in range(40):
            packet = tb.mixed()
            data = damaged(packet, packet, tb.rng) if number % 2 else packet.data
            if number % 8 == 7:
                beats = [Beat(tb.rng.randbytes(tb.source.width), 2), *dense(data, tb.source.width)]
                tb.source.put(Packet(beats))
                tb.scoreboard.expect(Expected(b"", PARTIAL_BEAT))
                wanted["packet"] += 1
                wanted[f"error {PARTIAL_BEAT}"] += 1
                continue
            tb.send(data)
            result = decode_packet(data, tb.loaded)
            wanted["packet"] += 1
            wanted["symbols"] += len(result.symbols)
            wanted["bytes"] += len(result.symbols)
            wanted["special"] += int(np.isin(result.symbols, special).sum())
            if result.error:
                wanted[f"error {int(result.error)}"] += 1
            start = 0
            for _ in range(result.block):
                header = Header.unpack(data[start : start + 4])
                wanted["block_coded" if header.coded else "block_raw"] += 1
                start += 4 + 4 * header.has_crc + header.payload_bytes
        await tb.drain()
    task.cancel()
    assert +total == +wanted, f"events {+total}, expected {+wanted}"
