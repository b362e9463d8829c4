"""Tests of the decoder cores, QLC's and the serial one of Huffman codes, against the golden model."""

from __future__ import annotations

import collections
import itertools

import numpy as np
from cocotb.triggers import ClockCycles
from qlc.errors import Error
from qlc_tb import stimulus
from qlc_tb.bench import bench_test
from qlc_tb.codec import CORE_ERRORS
from qlc_tb.core import CoreBench
from qlc_tb.dut import Dut
from qlc_tb.packet import Beat, Packet, dense, ragged
from qlc_tb.pattern import PATTERNS, Pattern
from qlc_tb.payload import Payload, damaged
from qlc_tb.stimulus import AnyTable, Symbols


class DecoderBench(CoreBench):
    """The decoder core with a table loaded."""

    def __init__(self, dut: Dut) -> None:
        """Reads the core's parameters."""
        super().__init__(dut)
        self.width = self.source.width

    async def load(self, table: AnyTable) -> None:
        """Loads a table; allowed while no packet is inside the core."""
        self.table = table
        await self._writer.write(self.codec.decoder_words(table))

    def send(self, symbols: Symbols, *, in_ragged: bool = False) -> None:
        """Sends symbols, encoded, and expects them."""
        self.send_payload(self.encoded(symbols), len(symbols), in_ragged=in_ragged)

    def encoded(self, symbols: Symbols) -> bytes:
        """The codewords of symbols."""
        data: bytes = self.codec.encoded(symbols, self.table).data
        return data

    def send_payload(
        self, payload: bytes, count: int, *, in_ragged: bool = False, beats: list[Beat] | None = None
    ) -> None:
        """Sends any payload as ``count`` symbols and expects the golden model's verdict."""
        if beats is None:
            beats = ragged(payload, self.width, self.rng) if in_ragged else dense(payload, self.width)
        self.source.put(Packet(beats, user=count))
        self.scoreboard.expect(self.codec.decoded(payload, count, self.table))

    def codewords(self, count: int) -> str:
        """The codewords of random symbols, as a text of bits."""
        return stimulus.codewords(self.table, self.skewed(count, count))

    def send_damaged(self, symbols: Symbols, *, in_ragged: bool) -> None:
        """Sends symbols, encoded, with something wrong, perhaps."""
        payload = damaged(Payload(self.encoded(symbols), len(symbols)), self.width, self.rng)
        self.send_payload(payload.data, payload.count, in_ragged=in_ragged)


@bench_test(DecoderBench)
async def every_length(tb: DecoderBench) -> None:
    """Packets of 1 to 96 symbols; every tail length occurs."""
    lengths = list(range(1, 97))
    while lengths:
        tb.send(stimulus.skewed(tb.table, lengths.pop(0), tb.rng))
    tails = {len(tb.encoded(tb.skewed(n, n))) % tb.width for n in range(1, 97)}
    for tail in set(range(tb.width)) - tails:
        tb.send(stimulus.of_bits(tb.table, 8 * (tail + tb.width), tb.rng))
    await tb.drain()


@bench_test(DecoderBench)
async def word_edges(tb: DecoderBench) -> None:
    """Packets that end within two bytes of the end of an input beat."""
    for beats in {max(1, 64 // tb.width), max(2, 64 // tb.width) + 1}:
        for bits in range(8 * beats * tb.width - 17, 8 * beats * tb.width + 18):
            if bits >= 24:
                tb.send(stimulus.of_bits(tb.table, bits, tb.rng))
    await tb.drain()


@bench_test(DecoderBench)
async def data_kinds(tb: DecoderBench) -> None:
    """One symbol only, all 256, the rarest only, uniform, skewed."""
    for symbols in stimulus.all_kinds(tb.table, (37, 256), tb.rng):
        tb.send(symbols)
    await tb.drain()


@bench_test(DecoderBench)
async def real_tensors(tb: DecoderBench) -> None:
    """Slices of captured tensors, random bytes where there are none."""
    for part in stimulus.slices(6, 256, tb.rng):
        await tb.load(tb.codec.table_for(part.tensor, tb.rng))
        tb.send(part.symbols)
        await tb.drain()


@bench_test(DecoderBench)
async def stalls(tb: DecoderBench) -> None:
    """Every idle pattern with every backpressure pattern, bad packets among the good ones."""
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            for number in range(6):
                symbols = tb.skewed(1, 40)
                if number % 2:
                    tb.send_damaged(symbols, in_ragged=number % 3 == 0)
                else:
                    tb.send(symbols, in_ragged=number % 3 == 0)
            await tb.drain()


@bench_test(DecoderBench)
async def every_code(tb: DecoderBench) -> None:
    """The table is loaded anew between packets: presets, the best, extreme and random codes."""
    tb.stall("bursts", "bursts")
    for table in tb.tables:
        await tb.load(table)
        tb.send(stimulus.all_symbols(table, 256, tb.rng))
        for _ in range(4):
            tb.send(tb.skewed(1, 60))
            tb.send_payload(tb.rng.randbytes(tb.rng.randint(1, 40)), tb.rng.randint(1, 40))
        await tb.drain()


@bench_test(DecoderBench)
async def reload_same_payload(tb: DecoderBench) -> None:
    """The same payload under two tables; a table may be loaded as soon as the core is empty."""
    payload = tb.encoded(tb.skewed(60, 60))
    for table in (tb.tables[-1], tb.tables[-2], tb.tables[-1]):
        await tb.load(table)
        tb.send_payload(payload, 20)
        await tb.empty()


@bench_test(DecoderBench)
async def ragged_beats(tb: DecoderBench) -> None:
    """Beats of any number of bytes, also none, also as a packet's first or last."""
    tb.stall("bursts", "bursts")
    for _ in range(40):
        tb.send(tb.skewed(1, 40), in_ragged=True)
    await tb.drain()
    # Runs of empty beats in front, behind and in between.
    empty = Beat(bytes(tb.width), 0)
    for _ in range(20):
        symbols = tb.skewed(1, 20)
        payload = tb.encoded(symbols)
        beats = [beat for full in dense(payload, tb.width) for beat in (empty, full, empty, empty)]
        tb.send_payload(payload, len(symbols), beats=beats)
    await tb.drain()


@bench_test(DecoderBench)
async def reset_in_packet(tb: DecoderBench) -> None:
    """A reset anywhere in a packet, good or bad, leaves nothing behind; the table stays."""
    for cycles in range(1, 24):
        symbols = tb.skewed(60, 100)
        payload = tb.encoded(symbols)
        if cycles % 2:
            # Dropping the rest of a bad packet when the reset comes.
            payload = payload[:2] + tb.rng.randbytes(100 * tb.width)
        tb.send_payload(payload, 3 if cycles % 4 == 1 else len(symbols))
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        tb.send(tb.skewed(1, 40))
        await tb.drain()


@bench_test(DecoderBench)
async def reset_in_stall(tb: DecoderBench) -> None:
    """A reset with the core full and the output stalled leaves nothing behind."""
    for _ in range(25):
        tb.sink.pattern = iter(lambda: False, True)
        for _ in range(4):
            tb.send(stimulus.rarest(tb.table, 2 * tb.width + 20, tb.rng))
        await tb.fill()
        await tb.restart()
        tb.run_freely()
        tb.send(tb.skewed(1, 40))
        await tb.drain()


@bench_test(DecoderBench)
async def latency(tb: DecoderBench) -> None:
    """A codeword's symbol leaves exactly the documented cycles after the input beat that completes it."""
    for number in range(20):
        symbols = stimulus.uniform(tb.table, 12, tb.rng) if number % 2 else tb.skewed(1, 12)
        payload = tb.encoded(symbols)
        # Beats so far apart that the core is empty at each.
        tb.source.pattern = _every(48)
        size = tb.rng.randint(1, tb.width)
        parts = [payload[i : i + size] for i in range(0, len(payload), size)]
        beats = [Beat(part.ljust(tb.width, b"\0"), (1 << len(part)) - 1) for part in parts]
        tb.send_payload(payload, len(symbols), beats=beats)
        (packet,) = await tb.drain()
        taken = tb.input.packets[-1].cycles
        ends = np.cumsum(tb.table.lengths[symbols])
        completing = [(int(end) - 1) // (8 * size) for end in ends]
        for index, beat in enumerate(completing):
            # Those that the same beat completes leave one after the other.
            before = completing.index(beat)
            expected = taken[beat] + tb.codec.decoder_latency + index - before
            assert packet.cycles[index] == expected, f"symbol {index}: {packet.cycles[index]} != {expected}"


def _every(cycles: int) -> Pattern:
    while True:
        yield True
        for _ in range(cycles - 1):
            yield False


@bench_test(DecoderBench)
async def symbol_every_cycle(tb: DecoderBench) -> None:
    """1.000 symbol a cycle from a packet's first to its last, the documented cycles more between packets."""
    for kind in stimulus.KINDS.values():
        tb.send(kind(tb.table, 300, tb.rng))
    for _ in range(40):
        tb.send(tb.skewed(1, 40))
    received = await tb.drain()
    for packet in received:
        assert packet.gapless, f"cycles of a packet's symbols: {packet.cycles}"
    pauses = {b.cycles[0] - a.cycles[-1] - 1 for a, b in itertools.pairwise(received)}
    assert pauses == {tb.codec.decoder_pause}, f"cycles without a symbol between packets: {pauses}"


@bench_test(DecoderBench)
async def illegal_codewords(tb: DecoderBench) -> None:
    """The first and the last illegal codeword as first, middle, last symbol, and before a cut."""
    codewords = tb.codec.illegal_codewords(tb.table)
    assert codewords, "the table has no illegal codeword"
    for codeword in codewords:
        for before in (0, 1, 7):
            for behind in (0, 1, 30):
                payload = stimulus.packed(tb.codewords(before) + codeword + tb.codewords(behind))
                tb.send_payload(payload, before + 1 + behind)
                tb.send_payload(payload, before + 1)
                tb.send_payload(payload[:-1], before + 1 + behind)
                tb.send(tb.skewed(1, 5))
    assert Error.ILLEGAL_CODEWORD in await tb.drain_errors()


@bench_test(DecoderBench)
async def cut_codewords(tb: DecoderBench) -> None:
    """A packet that ends inside a codeword, after each of its bits; then a good packet."""
    for length in np.unique(tb.table.lengths).tolist():
        for bits in range(length):
            symbols = stimulus.ending(tb.table, length, (bits - length) % 8, tb.rng)
            kept = (int(tb.table.lengths[symbols].sum()) - length + bits) // 8
            tb.send_payload(tb.encoded(symbols)[:kept], len(symbols))
            tb.send(tb.skewed(1, 3))
    assert await tb.drain_errors() == {Error.GOOD, Error.LENGTH_MISMATCH}


@bench_test(DecoderBench)
async def wrong_counts(tb: DecoderBench) -> None:
    """A count that is 0, too low or too high, with and without payload."""
    for _ in range(3):
        for symbols in (tb.skewed(1, 1), tb.skewed(2, 3), tb.skewed(20, 60)):
            payload = tb.encoded(symbols)
            for count in {0, 1, len(symbols) - 1, len(symbols) + 1, 2 * len(symbols), 2**31}:
                tb.send_payload(payload, count)
            tb.send_payload(b"", len(symbols))
            tb.send(tb.skewed(1, 4))
        tb.send_payload(b"", 0)
        tb.send_payload(bytes(3 * tb.width), 0)
        tb.send_payload(b"", 0, beats=[Beat(bytes(tb.width), 0)] * 3)
        tb.send(tb.skewed(1, 4))
    await tb.drain()


@bench_test(DecoderBench)
async def padding_bits(tb: DecoderBench) -> None:
    """Each length as the last codeword's, each number of padding bits behind it, each of them set in turn.

    Zero bytes too many behind all of them, too.
    """
    lengths = np.unique(tb.table.lengths).tolist()
    assert any(length % 2 for length in lengths), "not every number of padding bits can occur"
    for length in lengths:
        for padding in range(8):
            symbols = stimulus.ending(tb.table, length, padding, tb.rng)
            payload = tb.encoded(symbols)
            for bit in range(padding):
                tb.send_payload(payload[:-1] + bytes([payload[-1] | 1 << bit]), len(symbols))
            tb.send_payload(payload + b"\0", len(symbols))
            tb.send_payload(payload + bytes(2 * tb.width), len(symbols))
            tb.send(symbols)
    assert await tb.drain_errors() == {Error.GOOD, Error.LENGTH_MISMATCH, Error.NONZERO_PADDING}


@bench_test(DecoderBench)
async def random_damage(tb: DecoderBench) -> None:
    """Random damage and random bytes: symbols so far and error as the golden model, no hang."""
    seen: collections.Counter[int] = collections.Counter()
    for _ in range(30):
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice(["always", "always", "bursts", "scattered"]))
        for _ in range(50):
            tb.send_damaged(tb.skewed(1, 24), in_ragged=tb.rng.random() < 0.3)
        seen.update(packet.user for packet in tb.scoreboard.pending)
        await tb.drain()
        tb.send(tb.skewed(1, 10))
        await tb.drain()
    assert set(seen) == CORE_ERRORS, f"packets by error: {seen}"


@bench_test(DecoderBench)
async def random_packets(tb: DecoderBench) -> None:
    """Good packets, all else at random."""
    for _ in range(3):
        await tb.load(tb.rng.choice(tb.tables))
        for _ in range(4):
            tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
            for _ in range(8):
                kind = tb.rng.choice([*stimulus.KINDS.values()])
                tb.send(kind(tb.table, tb.rng.randint(1, 80), tb.rng), in_ragged=tb.rng.random() < 0.3)
            await tb.drain()


@bench_test(DecoderBench)
async def long_packet(tb: DecoderBench) -> None:
    """A packet whose symbols no 16 bits can count."""
    await tb.load(tb.codec.short(tb.rng))
    tb.send(tb.table.rank_to_symbol[[tb.rng.randrange(15) for _ in range((1 << 16) + 64)]])
    tb.send(tb.skewed(1, 40))
    await tb.drain()
