"""Tests of the wide decoder against the golden model."""

from __future__ import annotations

import collections
import contextlib
import itertools
import os
from collections.abc import Iterable
from functools import partial

import numpy as np
from cocotb.triggers import ClockCycles
from qlc.code import LONGEST
from qlc.errors import Error
from qlc.table import Table
from qlc_decoder_wide.builds import RATE_BITS
from qlc_tb import stimulus
from qlc_tb.bank import BankPacket, BankSource
from qlc_tb.bench import Bench, bench_test
from qlc_tb.codec import CORE_ERRORS, QlcCodec
from qlc_tb.dut import Dut
from qlc_tb.latency import wide_latency
from qlc_tb.packet import Beat, Expected, Received, dense
from qlc_tb.pattern import PATTERNS, only_first
from qlc_tb.payload import Payload, damaged, outcome
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import LENGTH_ADDRESS, TableWriter

# Random tests are this many times as long as need be.
EFFORT = int(os.environ.get("QLC_EFFORT", "1"))


class WideBench(Bench):
    """The wide decoder with a table in each bank."""

    source_type = BankSource

    def __init__(self, dut: Dut) -> None:
        """Reads the decoder's parameters."""
        super().__init__(dut)
        self.codec = QlcCodec(dut)
        self.banks = int(dut.BANKS.value)
        self.most = (1 << int(dut.COUNT_BITS.value)) - 1
        self.width = self.source.width
        self.lanes = len(dut.m_axis_tkeep)
        self.tables: list[Table] = self.codec.tables(self.rng)
        # First one with an odd length, and so every number of padding bits, and with illegal codewords.
        self.tables.sort(
            key=lambda table: not (table.lengths % 2).any() or not stimulus.illegal_codewords(table.code)
        )
        # By bank.
        self.loaded: list[Table] = []
        # Packets sent since the last drain: bank, words.
        self.sent: list[tuple[int, int]] = []
        self._writer = TableWriter(dut, self.rng)

    @property
    def table(self) -> Table:
        """Bank 0's table."""
        return self.loaded[0]

    async def setup(self) -> None:
        """Loads all banks."""
        self.loaded = [self.tables[bank % len(self.tables)] for bank in range(self.banks)]
        for bank, table in enumerate(self.loaded):
            await self.load(table, bank)

    async def load(self, table: Table, bank: int = 0) -> None:
        """Loads a table; allowed while no packet of this bank is inside the decoder."""
        self.loaded[bank] = table
        await self.write(self.codec.decoder_words(table), bank)

    async def write(self, words: Iterable[tuple[int, int]], bank: int = 0) -> None:
        """Writes addresses and data."""
        await self._writer.write(words, bank if self.banks > 1 else None)

    def send(self, symbols: Symbols, bank: int = 0, *, empty_last: bool | None = None) -> None:
        """Sends symbols, encoded, and expects them."""
        self.put(Payload(self.encode(symbols, bank), len(symbols)), bank, empty_last=empty_last)

    def encode(self, symbols: Symbols, bank: int = 0) -> bytes:
        """The codewords of symbols."""
        data: bytes = self.codec.encoded(symbols, self.loaded[bank]).data
        return data

    def put(self, payload: Payload, bank: int = 0, *, empty_last: bool | None = None) -> None:
        """Sends any payload and expects the golden model's verdict.

        ``empty_last``: an empty beat behind a last one that is full; None for now and then.
        """
        beats = dense(payload.data, self.width)
        if payload.data and len(payload.data) % self.width == 0:
            if empty_last is None:
                empty_last = self.rng.randrange(3) == 0
            if empty_last:
                beats.append(Beat(bytes(self.width), 0))
        self.source.put(BankPacket(beats, user=payload.count, bank=bank))
        symbols, error = outcome(payload, self.loaded[bank])
        self.scoreboard.expect(Expected(symbols.tobytes(), int(error)))
        self.sent.append((bank, len(beats)))

    def skewed(self, low: int, high: int, bank: int = 0) -> Symbols:
        """A random number of symbols, frequent ones often."""
        return stimulus.skewed(self.loaded[bank], self.rng.randint(low, high), self.rng)

    def codewords(self, count: int) -> str:
        """The codewords of random symbols of bank 0, as a text of bits."""
        return stimulus.codewords(self.table, self.skewed(count, count))

    def damage(self, symbols: Symbols, bank: int = 0) -> Payload:
        """Symbols encoded, with something wrong, perhaps."""
        payload = damaged(Payload(self.encode(symbols, bank), len(symbols)), self.width, self.rng)
        return Payload(payload.data, min(payload.count, self.most))

    def unused(self, bank: int) -> bool:
        """Whether all packets of a bank that have been sent have come out."""
        return all(b != bank for b, _ in self.sent[len(self.sent) - len(self.scoreboard.pending) :])

    async def drain(self) -> list[Received]:
        """As any bench, and checks when the last beats came and how many."""
        received = await super().drain()
        taken = self.input.packets[len(self.input.packets) - len(received) :]
        for packet, words in zip(received, taken, strict=True):
            assert packet.cycles[-1] > words.cycles[-1], "a verdict before the packet's end"
            beats = max(1, -(-len(packet.data) // self.lanes))
            assert len(packet.cycles) == beats, f"{len(packet.cycles)} beats instead of {beats}"
        self.sent.clear()
        return received

    async def restart(self) -> None:
        """As any bench."""
        await super().restart()
        self.sent.clear()

    def stall_at_random(self) -> None:
        """A pattern for the input, one for the output."""
        self.stall(self.rng.choice([*PATTERNS]), self.rng.choice(["always", "always", "bursts", "scattered"]))


@bench_test(WideBench)
async def every_length(tb: WideBench) -> None:
    """Packets of 1 to 130 symbols, then longer ones; every tail length occurs."""
    for length in range(1, 131):
        tb.send(tb.skewed(length, length))
    for length in (tb.lanes - 1, tb.lanes, tb.lanes + 1, 2 * tb.lanes, 5 * tb.lanes, 5 * tb.lanes + 1):
        tb.send(tb.skewed(length, length))
    for tail in range(tb.width):
        with contextlib.suppress(ValueError):
            tb.send(stimulus.of_bits(tb.table, 8 * (tail + tb.width), tb.rng))
    await tb.drain()


@bench_test(WideBench)
async def word_edges(tb: WideBench) -> None:
    """Packets that end within two bytes of the end of a word, with and without an empty beat behind."""
    for words in (1, 2, 3):
        for bits in range(8 * words * tb.width - 17, 8 * words * tb.width + 18):
            for empty_last in (False, True):
                with contextlib.suppress(ValueError):
                    tb.send(stimulus.of_bits(tb.table, bits, tb.rng), empty_last=empty_last)
    await tb.drain()


@bench_test(WideBench)
async def data_kinds(tb: WideBench) -> None:
    """One symbol only, all 256, the rarest only, uniform, skewed."""
    for symbols in stimulus.all_kinds(tb.table, (37, 256), tb.rng):
        tb.send(symbols)
    await tb.drain()


@bench_test(WideBench)
async def code_lengths(tb: WideBench) -> None:
    """Symbols of each codeword length only, and most often, in all codes."""
    for table in tb.tables:
        await tb.load(table)
        by_length = [np.flatnonzero(table.lengths == n).tolist() for n in np.unique(table.lengths)]
        for own in by_length:
            tb.send(np.array(tb.rng.choices(own, k=tb.rng.randint(1, 130)), dtype=np.uint8))
            mixed = [
                tb.rng.choice(own if tb.rng.random() < 0.8 else tb.rng.choice(by_length)) for _ in range(60)
            ]
            tb.send(np.array(mixed, dtype=np.uint8))
        await tb.drain()


@bench_test(WideBench)
async def real_tensors(tb: WideBench) -> None:
    """Slices of captured tensors, random bytes where there are none."""
    for part in stimulus.slices(6, 400, tb.rng):
        await tb.load(tb.codec.table_for(part.tensor, tb.rng))
        tb.send(part.symbols)
        await tb.drain()


@bench_test(WideBench)
async def stalls(tb: WideBench) -> None:
    """Every idle pattern with every backpressure pattern, bad packets among the good ones."""
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            for number in range(6):
                symbols = tb.skewed(1, tb.rng.choice([12, 3 * tb.lanes]))
                if number % 2:
                    tb.put(tb.damage(symbols))
                else:
                    tb.send(symbols)
            await tb.drain()


@bench_test(WideBench)
async def every_code(tb: WideBench) -> None:
    """The table is loaded anew between packets: presets, extreme and random codes."""
    tb.stall("bursts", "bursts")
    for table in tb.tables:
        await tb.load(table)
        tb.send(stimulus.all_symbols(table, 256, tb.rng))
        for _ in range(4):
            tb.send(tb.skewed(1, 60))
            tb.put(Payload(tb.rng.randbytes(tb.rng.randint(1, 40)), tb.rng.randint(1, 40)))
        await tb.drain()


@bench_test(WideBench)
async def reload_same_payload(tb: WideBench) -> None:
    """The same payload under two tables; a table may be loaded as soon as the decoder is empty."""
    payload = Payload(tb.encode(tb.skewed(60, 60)), 20)
    for table in (tb.tables[-1], tb.tables[-2], tb.tables[-1]):
        await tb.load(table)
        tb.put(payload)
        await tb.empty()


@bench_test(WideBench)
async def other_addresses(tb: WideBench) -> None:
    """Words behind the classes and behind the twelfth length change nothing."""
    classes = 256 >> tb.codec.bounds.raw_bits
    for _ in range(2):
        words = [
            (address, tb.rng.getrandbits(32))
            for address in (*range(classes, LENGTH_ADDRESS), *range(LENGTH_ADDRESS + LONGEST, 512))
        ]
        await tb.write(words)
        tb.send(stimulus.all_symbols(tb.table, 256, tb.rng))
        await tb.drain()


@bench_test(WideBench)
async def banks(tb: WideBench) -> None:
    """Another table with every packet, while banks that no packet uses are rewritten."""
    rng = tb.rng
    switches = 0
    busy_writes = 0
    for _ in range(8 * EFFORT):
        tb.stall_at_random()
        written = rng.randrange(tb.banks)
        others = [bank for bank in range(tb.banks) if bank != written]
        for number in range(30):
            # Those sent last leave alone the bank that is to be written; others of it are still inside.
            bank = rng.choice(others) if others and number >= 20 else rng.randrange(tb.banks)
            switches += bool(tb.sent) and tb.sent[-1][0] != bank
            symbols = tb.skewed(1, rng.choice([6, 40, 2 * tb.lanes]), bank)
            tb.put(tb.damage(symbols, bank), bank) if rng.randrange(3) == 0 else tb.send(symbols, bank)
        await tb.until(partial(tb.unused, written))
        before = tb.output.transfers
        await tb.load(rng.choice(tb.tables), written)
        busy_writes += tb.output.transfers > before
        # It is used at once, with packets of others still under way.
        for _ in range(3):
            tb.send(tb.skewed(1, 40, written), written)
        if rng.randrange(3) == 0:
            await tb.drain()
    await tb.drain()
    assert tb.banks == 1 or switches > 60, f"{switches} changes of bank"
    assert tb.banks == 1 or busy_writes > 2, f"{busy_writes} tables written while packets came out"


@bench_test(WideBench)
async def last_beats(tb: WideBench) -> None:
    """Last beats of every number of bytes, empty ones, and packets of an empty beat only."""
    tb.stall("bursts", "bursts")
    for _ in range(2):
        for size in {0, 1, 2, 3, tb.width - 1, tb.width} | set(
            tb.rng.sample(range(tb.width), min(tb.width, 8))
        ):
            for words in (0, 1, 2):
                data = tb.rng.randbytes(words * tb.width + size)
                for count in (0, 1, tb.rng.randint(1, 2 * len(data) + 2)):
                    tb.put(Payload(data, count))
            if size:
                with contextlib.suppress(ValueError):
                    tb.send(stimulus.of_bits(tb.table, 8 * (size + tb.width), tb.rng), empty_last=True)
        await tb.drain()
        tb.run_freely()
        for _ in range(10):
            tb.put(Payload(b"", 0))
        for _ in range(5):
            tb.put(Payload(b"", 0))
            tb.send(tb.skewed(1, 3))
            tb.put(Payload(b"", tb.rng.randint(1, tb.most)))
            tb.put(Payload(b"\0", 0))
        await tb.drain()


@bench_test(WideBench)
async def reset_in_packet(tb: WideBench) -> None:
    """A reset anywhere in a packet, good or bad, leaves nothing behind; the table stays."""
    for cycles in range(1, 24):
        symbols = stimulus.uniform(tb.table, 20 * tb.width, tb.rng)
        data = tb.encode(symbols)
        if cycles % 2:
            # Dropping the rest of a bad packet when the reset comes.
            data = data[:2] + tb.rng.randbytes(len(data))
        tb.put(Payload(data, 3 if cycles % 4 == 1 else min(tb.most, len(symbols))))
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        tb.send(tb.skewed(1, 40))
        await tb.drain()


@bench_test(WideBench)
async def reset_in_stall(tb: WideBench) -> None:
    """A reset with the decoder full and the output stalled leaves nothing behind."""
    for _ in range(15):
        tb.sink.pattern = iter(lambda: False, True)
        # More words than the pipeline has cycles, more packets than chunks wait behind it.
        for _ in range(32):
            tb.send(stimulus.rarest(tb.table, 2 * tb.width + 10, tb.rng))
        await tb.fill()
        await tb.restart()
        tb.run_freely()
        tb.send(tb.skewed(1, 40))
        await tb.drain()


@bench_test(WideBench)
async def latency(tb: WideBench) -> None:
    """Whatever is in a packet of one word, its beat leaves the same number of cycles later."""
    expected = wide_latency(8 * tb.width, tb.codec.bounds)
    seen: collections.Counter[int] = collections.Counter()
    changed: collections.Counter[int] = collections.Counter()
    for table in tb.tables:
        bank = tb.rng.randrange(tb.banks)
        await tb.load(table, bank)
        for number in range(3 + EFFORT):
            symbols = stimulus.skewed(table, tb.rng.randint(1, tb.lanes), tb.rng)
            payload = Payload(tb.encode(symbols, bank), len(symbols))
            if tb.rng.randrange(2) or len(payload.data) > tb.width:
                # No more symbols than a beat's, with codewords shorter than 4 bits too.
                count = tb.rng.randint(0, tb.lanes)
                payload = Payload(tb.rng.randbytes(tb.rng.randint(0, tb.width)), count)
            tb.put(payload, bank, empty_last=False)
            (packet,) = await tb.drain()
            cycles = packet.cycles[0] - tb.input.packets[-1].cycles[0]
            (seen if number or tb.banks == 1 else changed)[cycles] += 1
    tb.dut._log.info("latency: %s, after a change of bank %s", dict(seen), dict(changed))
    assert set(seen) == {expected}, f"latencies {dict(seen)}, expected {expected}"
    # A beat of another bank than the one before, or of one that was written, waits a cycle.
    assert set(changed) == ({expected + 1} if tb.banks > 1 else set()), f"behind a change: {dict(changed)}"


@bench_test(WideBench)
async def next_packet_pauses(tb: WideBench) -> None:
    """A packet leaves though the next one pauses, after each of its beats but the last."""
    for words in (1, 2, 3):
        for shown in range(3):
            data = tb.rng.randbytes(words * tb.width - tb.rng.randrange(min(2, tb.width)))
            tb.put(Payload(data, len(data)), empty_last=False)
            tb.source.pattern = only_first(words + shown)
            tb.put(Payload(tb.rng.randbytes(4 * tb.width), 1), empty_last=False)
            left = len(tb.scoreboard.pending) - 1
            await tb.until(lambda left=left: len(tb.scoreboard.pending) <= left)  # type: ignore[misc]
            tb.run_freely()
            await tb.drain()


@bench_test(WideBench)
async def word_every_cycle(tb: WideBench) -> None:
    """A word is taken in every cycle, across packets, where codewords have 4 bits or more."""
    fast = [table for table in tb.tables if int(table.lengths.min()) >= RATE_BITS]
    fast.sort(key=lambda table: int(table.lengths.min()))
    assert fast, "no code whose codewords have 4 bits or more"
    # The shortest codewords fill the output most.
    for table in fast[: 1 + EFFORT]:
        await tb.load(table)
        # With more banks than one, what comes first behind a write waits a cycle.
        tb.send(tb.skewed(1, 3))
        await tb.drain()
        first = len(tb.input.packets)
        for kind in stimulus.KINDS.values():
            tb.send(kind(table, 300, tb.rng), empty_last=False)
        for number in range(80):
            if number % 4 == 3:
                tb.put(tb.damage(tb.skewed(1, 60)))
            elif number % 4 == 2:
                # Nothing but the shortest: as many symbols in a word as can be.
                often = np.flatnonzero(table.lengths == table.lengths.min()).tolist()
                tb.send(np.array(tb.rng.choices(often, k=tb.rng.randint(1, 5 * tb.lanes)), dtype=np.uint8))
            else:
                tb.send(tb.skewed(1, 40))
        # As many packets as can be.
        for count in tb.rng.choices((0, 1, 2), k=60):
            tb.send(tb.skewed(count, count), empty_last=False)
        await tb.drain()
        cycles = [cycle for packet in tb.input.packets[first:] for cycle in packet.cycles]
        shortest = table.lengths.min()
        lost = [b for a, b in itertools.pairwise(cycles) if b != a + 1]
        assert not lost, (
            f"from {shortest} bits: {len(lost)} of {len(cycles)} words waited, the first in cycle {lost[0]}"
        )


@bench_test(WideBench)
async def illegal_codewords(tb: WideBench) -> None:
    """The first and the last illegal codeword at many places of a word, and in front of a cut."""
    found = 0
    # The first has some.
    for table in [tb.tables[0], *tb.rng.sample(tb.tables[1:], min(len(tb.tables) - 1, 2 * EFFORT))]:
        await tb.load(table)
        for codeword in stimulus.illegal_codewords(table.code):
            found += 1
            for before in (0, 1, tb.rng.randint(2, 2 * tb.lanes)):
                for behind in (0, tb.rng.choice([1, 30])):
                    data = stimulus.packed(tb.codewords(before) + codeword + tb.codewords(behind))
                    tb.put(Payload(data, before + 1 + behind))
                    tb.put(Payload(data, before + 1))
                    # Behind the last symbol it is padding, most often too much.
                    tb.put(Payload(data, before))
                    tb.put(Payload(data[:-1], before + 1 + behind))
                    tb.send(tb.skewed(1, 5))
        await tb.drain()
    assert found, "no illegal codewords"


@bench_test(WideBench)
async def cut_codewords(tb: WideBench) -> None:
    """A packet that ends inside a codeword, after each of its bits; then a good packet.

    The same where that codeword is not asked for, so padding.
    """
    for length in np.unique(tb.table.lengths).tolist():
        for bits in range(length):
            symbols = stimulus.ending(tb.table, length, (bits - length) % 8, tb.rng)
            kept = (int(tb.table.lengths[symbols].sum()) - length + bits) // 8
            data = tb.encode(symbols)[:kept]
            tb.put(Payload(data, len(symbols)))
            tb.put(Payload(data, len(symbols) - 1))
            tb.send(tb.skewed(1, 3))
    assert await tb.drain_errors() == {Error.GOOD, Error.LENGTH_MISMATCH, Error.NONZERO_PADDING}


@bench_test(WideBench)
async def wrong_counts(tb: WideBench) -> None:
    """A count that is 0, too low or too high, with and without payload."""
    for _ in range(3):
        for symbols in (
            tb.skewed(1, 1),
            tb.skewed(2, 3),
            tb.skewed(20, 60),
            tb.skewed(tb.lanes, 4 * tb.lanes),
        ):
            data = tb.encode(symbols)
            for count in {0, 1, len(symbols) - 1, len(symbols) + 1, 2 * len(symbols), tb.lanes, tb.most}:
                tb.put(Payload(data, min(count, tb.most)))
            tb.put(Payload(b"", min(len(symbols), tb.most)))
            tb.send(tb.skewed(1, 4))
        tb.put(Payload(b"", 0))
        tb.put(Payload(bytes(3 * tb.width), 0))
        tb.send(tb.skewed(1, 4))
    await tb.drain()


@bench_test(WideBench)
async def padding_bits(tb: WideBench) -> None:
    """Each length as the last codeword's, each number of padding bits behind it, each of them set in turn.

    Zero bytes too many behind all of them, too.
    """
    lengths = np.unique(tb.table.lengths).tolist()
    assert any(length % 2 for length in lengths), "not every number of padding bits can occur"
    for length in lengths:
        for padding in range(8):
            symbols = stimulus.ending(tb.table, length, padding, tb.rng)
            data = tb.encode(symbols)
            for bit in range(padding):
                tb.put(Payload(data[:-1] + bytes([data[-1] | 1 << bit]), len(symbols)))
            tb.put(Payload(data + b"\0", len(symbols)))
            tb.put(Payload(data + bytes(2 * tb.width), len(symbols)))
            tb.send(symbols)
    assert await tb.drain_errors() == {Error.GOOD, Error.LENGTH_MISMATCH, Error.NONZERO_PADDING}


@bench_test(WideBench)
async def random_damage(tb: WideBench) -> None:
    """Random damage and random bytes: symbols so far and error as the golden model, no hang."""
    seen: collections.Counter[int] = collections.Counter()
    for _ in range(4 * EFFORT):
        tb.stall_at_random()
        bank = tb.rng.randrange(tb.banks)
        await tb.load(tb.rng.choice(tb.tables), bank)
        for _ in range(40):
            symbols = tb.skewed(1, tb.rng.choice([8, 24, 130]), bank)
            tb.put(tb.damage(symbols, bank), bank)
        seen.update(packet.user for packet in tb.scoreboard.pending)
        await tb.drain()
        tb.send(tb.skewed(1, 10, bank), bank)
        await tb.drain()
    assert set(seen) == CORE_ERRORS, f"packets by error: {seen}"


@bench_test(WideBench)
async def random_packets(tb: WideBench) -> None:
    """Good packets, all else at random."""
    for _ in range(3 * EFFORT):
        bank = tb.rng.randrange(tb.banks)
        await tb.load(tb.rng.choice(tb.tables), bank)
        for _ in range(2):
            tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
            for _ in range(8):
                kind = tb.rng.choice([*stimulus.KINDS.values()])
                tb.send(kind(tb.loaded[bank], tb.rng.randint(1, 130), tb.rng), bank)
            await tb.drain()


@bench_test(WideBench)
async def long_packet(tb: WideBench) -> None:
    """As many symbols as can be counted, and one less than a power of two words."""
    # The most symbols in a word.
    await tb.load(min(tb.tables, key=lambda table: table.code.lengths[0]))
    tb.send(tb.skewed(tb.most, tb.most))
    await tb.drain()
    await tb.load(tb.tables[0])
    tb.send(tb.skewed(tb.most, tb.most))
    tb.send(stimulus.single(tb.table, tb.most, tb.rng))
    tb.send(tb.skewed(1, 40))
    await tb.drain()
