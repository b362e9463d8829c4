"""Tests of the encoder core against the golden model."""

from __future__ import annotations

import itertools

import numpy as np
from cocotb.triggers import ClockCycles
from qlc_tb import stimulus
from qlc_tb.bench import bench_test
from qlc_tb.core import CoreBench
from qlc_tb.dut import Dut
from qlc_tb.packet import ANYTHING, Beat, Packet, dense, sparse
from qlc_tb.pattern import PATTERNS
from qlc_tb.stimulus import AnyTable, Symbols
from qlc_tb.tables import random_words

# Output bytes a beat.
OUTPUT_BYTES = 32
# Cycles from the transfer of a packet's last input beat to its first output beat's, for a packet of
# one output beat, with an empty core and a ready sink: rank, length, codeword, pair, group, shift,
# collect, FIFO, output.
LATENCY = 9


class EncoderBench(CoreBench):
    """The encoder core with a table loaded."""

    def __init__(self, dut: Dut) -> None:
        """Reads the core's parameters."""
        super().__init__(dut)
        self.symbols = self.source.width

    async def load(self, table: AnyTable) -> None:
        """Loads a table, its words in any order; allowed while no packet is inside the core."""
        self.table = table
        words = self.codec.encoder_words(table)
        if self.rng.random() < 0.5:
            # No build has words there.
            behind = [*range(256 >> self.codec.bounds.raw_bits, 256), *range(268, 512)]
            words += [(place, self.rng.getrandbits(32)) for place in self.rng.sample(behind, 20)]
            self.rng.shuffle(words)
        await self._writer.write(words)

    async def garbage(self) -> None:
        """Loads what is no table."""
        await self._writer.write(random_words(self.codec.bounds.raw_bits, self.rng))

    async def write(self, words: list[tuple[int, int]]) -> None:
        """Writes words to the table port."""
        await self._writer.write(words)

    def send(self, symbols: Symbols, beats: list[Beat] | None = None) -> None:
        """Sends a packet, in dense beats unless others are given, and expects its codewords."""
        self.source.put(Packet(beats or dense(symbols.tobytes(), self.symbols)))
        self.scoreboard.expect(self.codec.encoded(symbols, self.table))

    def narrow(self, beats: int) -> Symbols:
        """Full beats of at most 256 bits, each as near to 256 as its codewords allow."""
        parts = []
        for bits in range(min(256, self.symbols * int(self.table.lengths.max())), 0, -1):
            try:
                parts.append(stimulus.of_bits(self.table, bits, self.rng, self.symbols))
            except ValueError:
                continue
            if len(parts) == 3:
                break
        return np.concatenate([self.rng.choice(parts) for _ in range(beats)])


@bench_test(EncoderBench)
async def every_length(tb: EncoderBench) -> None:
    """Packets of 1 to 96 symbols and around the edges of input beats; every tail length occurs."""
    lengths = {*range(1, 97)}
    for beats in (1, 2, 3, 4):
        lengths |= {beats * tb.symbols + d for d in (-1, 0, 1)} - {0}
    for count in sorted(lengths):
        tb.send(stimulus.skewed(tb.table, count, tb.rng))
    while len({len(packet.data) % OUTPUT_BYTES for packet in tb.scoreboard.pending}) < OUTPUT_BYTES:
        tb.send(tb.skewed(1, 96))
    await tb.drain()


@bench_test(EncoderBench)
async def word_edges(tb: EncoderBench) -> None:
    """Packets that end within two bytes of the end of an output beat or a packed word."""
    for edge in (256, 512, 1024):
        for bits in range(edge - 17, edge + 18):
            tb.send(stimulus.of_bits(tb.table, bits, tb.rng))
    await tb.drain()


@bench_test(EncoderBench)
async def data_kinds(tb: EncoderBench) -> None:
    """One symbol only, all 256, the rarest only, uniform, skewed."""
    for symbols in stimulus.all_kinds(tb.table, (tb.symbols * 5 + 3, 256), tb.rng):
        tb.send(symbols)
    await tb.drain()


@bench_test(EncoderBench)
async def real_tensors(tb: EncoderBench) -> None:
    """Slices of captured tensors, random bytes where there are none."""
    for part in stimulus.slices(8, 512, tb.rng):
        await tb.load(tb.codec.table_for(part.tensor, tb.rng))
        tb.send(part.symbols)
        await tb.drain()


@bench_test(EncoderBench)
async def stalls(tb: EncoderBench) -> None:
    """Every idle pattern with every backpressure pattern."""
    for source in PATTERNS:
        for sink in PATTERNS:
            tb.stall(source, sink)
            for _ in range(4):
                tb.send(tb.skewed(1, 4 * tb.symbols))
            tb.send(stimulus.rarest(tb.table, 3 * tb.symbols, tb.rng))
            await tb.drain()


@bench_test(EncoderBench)
async def every_code(tb: EncoderBench) -> None:
    """The table is loaded anew between packets: presets, extreme and random codes."""
    tb.stall("bursts", "bursts")
    for table in tb.tables:
        await tb.load(table)
        tb.send(stimulus.all_symbols(table, 256, tb.rng))
        for _ in range(4):
            tb.send(tb.skewed(1, 3 * tb.symbols))
        await tb.drain()


@bench_test(EncoderBench)
async def reload_same_symbols(tb: EncoderBench) -> None:
    """The same symbols under two tables; a table may be loaded as soon as the core is empty."""
    symbols = tb.skewed(100, 100)
    for table in (tb.tables[-1], tb.tables[-2], tb.tables[-1]):
        await tb.load(table)
        tb.send(symbols)
        await tb.empty()


@bench_test(EncoderBench)
async def begin_behind_table(tb: EncoderBench) -> None:
    """A packet's first beat is taken in the cycle right behind the last table word, and needs just that."""
    for before, table in itertools.pairwise([*tb.tables, tb.tables[0]]):
        words = tb.codec.encoder_words(table)
        for place, length in enumerate(table.code.lengths):
            symbols = np.flatnonzero(table.lengths == length)
            last = tb.rng.choice([256 + place, int(symbols[0]) >> tb.codec.bounds.raw_bits])
            await tb.load(before)
            tb.table = table
            tb.source.pattern = itertools.chain(itertools.repeat(False, len(words)), itertools.repeat(True))
            tb.send(np.resize(symbols, 2 * tb.symbols).astype(np.uint8))
            transfers = tb.input.transfers
            # The writer idles a cycle at first, and when it is done, as the source when it is asked.
            await tb.write(sorted(words, key=lambda word: word[0] == last))
            assert tb.input.transfers == transfers
            await ClockCycles(tb.dut.clk, 1)
            assert tb.input.transfers == transfers + 1, "the first beat is not right behind the table"
            await tb.drain()


@bench_test(EncoderBench)
async def no_table(tb: EncoderBench) -> None:
    """What is no table changes bits, but every packet ends; the next table is as good as any."""
    for number in range(8):
        tb.stall("bursts", "bursts" if number % 2 else "always")
        await tb.garbage()
        for _ in range(20):
            symbols = stimulus.uniform(tb.table, tb.rng.randint(1, 5 * tb.symbols), tb.rng)
            tb.source.put(Packet(sparse(symbols.tobytes(), tb.symbols, tb.rng)))
            tb.scoreboard.expect(ANYTHING)
        await tb.drain()
        await tb.load(tb.rng.choice(tb.tables))
        tb.send(tb.skewed(1, 3 * tb.symbols))
        await tb.drain()


@bench_test(EncoderBench)
async def single_beats(tb: EncoderBench) -> None:
    """Packets of one beat back to back, also just behind one whose tail is still to be sent."""
    for sink in ("always", "scattered"):
        tb.stall("always", sink)
        for _ in range(60):
            tb.send(tb.skewed(1, tb.symbols))
        for _ in range(30):
            # A tail behind a full word, then packets that want to leave at once.
            tb.send(stimulus.of_bits(tb.table, tb.rng.choice([256, 512]) + tb.rng.randint(1, 40), tb.rng))
            tb.send(tb.skewed(1, tb.symbols))
            tb.send(tb.skewed(1, tb.symbols))
        await tb.drain()


@bench_test(EncoderBench)
async def sparse_beats(tb: EncoderBench) -> None:
    """Beats with bytes in any lanes, or in none, also as a packet's first or last."""
    tb.stall("bursts", "bursts")
    for _ in range(40):
        symbols = tb.skewed(1, 3 * tb.symbols)
        tb.send(symbols, sparse(symbols.tobytes(), tb.symbols, tb.rng))
    # The last beat is empty and the bits before it fill the output exactly.
    for bits in (256, 512):
        symbols = stimulus.of_bits(tb.table, bits, tb.rng)
        tb.send(symbols, [*dense(symbols.tobytes(), tb.symbols), Beat(bytes(tb.symbols), 0)])
    await tb.drain()


@bench_test(EncoderBench)
async def no_bytes(tb: EncoderBench) -> None:
    """A packet without bytes gives one beat without bytes, and disturbs no neighbour."""
    none = np.zeros(0, dtype=np.uint8)
    empty = Beat(bytes(tb.symbols), 0)
    for beats in (1, 1, 3):
        tb.send(none, [empty] * beats)
    for _ in range(20):
        tb.send(none if tb.rng.random() < 0.5 else tb.skewed(1, 2 * tb.symbols))
    tb.send(none)
    received = await tb.drain()
    assert all(len(packet.cycles) == 1 for packet in received if not packet.data)


@bench_test(EncoderBench)
async def reset_in_packet(tb: EncoderBench) -> None:
    """A reset anywhere in a packet leaves nothing behind; the table stays."""
    for cycles in range(1, 24):
        tb.send(tb.skewed(3 * tb.symbols, 16 * tb.symbols))
        await ClockCycles(tb.dut.clk, cycles)
        await tb.restart()
        tb.send(tb.skewed(1, 3 * tb.symbols))
        await tb.drain()


@bench_test(EncoderBench)
async def reset_in_stall(tb: EncoderBench) -> None:
    """A reset with the core full and the output stalled leaves nothing behind."""
    for _ in range(25):
        tb.sink.pattern = iter(lambda: False, True)
        for _ in range(30):
            tb.send(tb.skewed(2 * tb.symbols, 8 * tb.symbols))
        await tb.fill()
        await tb.restart()
        tb.run_freely()
        tb.send(tb.skewed(1, 3 * tb.symbols))
        await tb.drain()


@bench_test(EncoderBench)
async def tail_flushes(tb: EncoderBench) -> None:
    """A packet's last byte leaves within a fixed time though nothing follows it."""
    for edge in (0, 256, 512):
        for bits in (20, 100, 255, 256):
            tb.send(stimulus.of_bits(tb.table, edge + bits, tb.rng))
            (packet,) = await tb.drain()
            late = packet.cycles[-1] - tb.input.packets[-1].cycles[-1]
            # A packed word leaves in two beats, and a tail in up to two behind it.
            assert late <= LATENCY + 3, f"last beat {late} cycles after the last input beat"


@bench_test(EncoderBench)
async def latency(tb: EncoderBench) -> None:
    """The documented latency, exactly."""
    for _ in range(10):
        tb.send(tb.skewed(1, min(tb.symbols, 20)))
        (packet,) = await tb.drain()
        assert packet.cycles[0] - tb.input.packets[-1].cycles[-1] == LATENCY


@bench_test(EncoderBench)
async def throughput(tb: EncoderBench) -> None:
    """A beat is taken in every cycle while no beat's codewords exceed 256 bits."""
    beats = 0
    for length in (200, 1, 1, 1, 2, 3, 50, *(tb.rng.randint(2, 9) for _ in range(30))):
        tb.send(tb.narrow(length))
        beats += length
    await tb.drain()
    cycles = [cycle for packet in tb.input.packets for cycle in packet.cycles]
    assert len(cycles) == beats
    spent = cycles[-1] - cycles[0] + 1
    assert spent == beats, f"{beats} beats in {spent} cycles"


@bench_test(EncoderBench)
async def full_rate(tb: EncoderBench) -> None:
    """Symbols a cycle, from counted cycles: all lanes in every cycle, in packets of two beats or more."""
    lengths = [128, *(tb.rng.randint(2, 12) for _ in range(40))]
    for length in lengths:
        tb.send(tb.narrow(length))
    await tb.drain()
    cycles = [cycle for packet in tb.input.packets for cycle in packet.cycles]
    rate = sum(lengths) * tb.symbols / (cycles[-1] - cycles[0] + 1)
    tb.dut._log.info("%.3f symbols a cycle", rate)
    assert rate == tb.symbols


@bench_test(EncoderBench)
async def bursts(tb: EncoderBench) -> None:
    """Bursts of long codewords, up to what the FIFO is for, cost no cycle."""
    room = 256 * (int(tb.dut.FIFO_BEATS.value) - 3)
    table = max(tb.tables, key=lambda table: int(table.lengths.max()) - int(table.lengths.min()))
    await tb.load(table)
    shortest, longest = (tb.symbols * int(bound(table.lengths)) for bound in (min, max))
    long, short = (kind(table, tb.symbols, tb.rng) for kind in (stimulus.rarest, stimulus.single))
    for number in range(30):
        waiting = 0
        parts = []
        for _ in range(60):
            burst = waiting + longest - 256 <= room and tb.rng.random() < (0.9 if number % 2 else 0.5)
            parts.append(long if burst else short)
            waiting = max(0, waiting + (longest if burst else shortest) - 256)
        # What waits leaves before the next packet comes.
        while waiting:
            parts.append(short)
            waiting = max(0, waiting + shortest - 256)
        tb.send(np.concatenate(parts))
        await tb.drain()
        assert tb.input.packets[-1].gapless


@bench_test(EncoderBench)
async def long_codewords(tb: EncoderBench) -> None:
    """With the longest codewords only, the output bus is busy in every cycle."""
    tb.send(stimulus.rarest(tb.table, 60 * tb.symbols, tb.rng))
    (packet,) = await tb.drain()
    bits = tb.symbols * int(tb.table.lengths.max())
    if bits >= 256:
        assert packet.gapless
    else:
        assert tb.input.packets[0].gapless


@bench_test(EncoderBench)
async def random_packets(tb: EncoderBench) -> None:
    """Everything at random."""
    for _ in range(4):
        await tb.load(tb.rng.choice(tb.tables))
        for _ in range(5):
            tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
            for _ in range(8):
                kind = tb.rng.choice([*stimulus.KINDS.values()])
                symbols = kind(tb.table, tb.rng.randint(1, 6 * tb.symbols), tb.rng)
                beats = sparse(symbols.tobytes(), tb.symbols, tb.rng) if tb.rng.random() < 0.3 else None
                tb.send(symbols, beats)
            await tb.drain()
