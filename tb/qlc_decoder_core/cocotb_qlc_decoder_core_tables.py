"""Tests of what the decoder core's tables are: several at once, parts of larger ones, none at all."""

from __future__ import annotations

from qlc.table import Table
from qlc_decoder_core.cocotb_qlc_decoder_core import DecoderBench
from qlc_tb import stimulus
from qlc_tb.bank import BankPacket, BankSource
from qlc_tb.bench import bench_test
from qlc_tb.dut import Dut
from qlc_tb.packet import ANYTHING, Beat, dense, ragged
from qlc_tb.pattern import PATTERNS
from qlc_tb.tables import TableWriter, garbage_words


class TablesBench(DecoderBench):
    """The decoder core with a table in each bank."""

    source_type = BankSource

    def __init__(self, dut: Dut) -> None:
        """Reads the core's parameters."""
        super().__init__(dut)
        self.banks = int(dut.BANKS.value)
        self.loaded: list[Table] = []
        self.bank = 0
        self._bank_writer = TableWriter(dut, self.rng)

    async def setup(self) -> None:
        """Loads all banks."""
        self.loaded = [self.tables[bank % len(self.tables)] for bank in range(self.banks)]
        for bank, table in enumerate(self.loaded):
            await self.load_bank(bank, table)
        self.choose(0)

    async def load_bank(self, bank: int, table: Table) -> None:
        """Loads a table; allowed while no packet of this bank is inside the core."""
        self.loaded[bank] = table
        await self.write(bank, self.codec.decoder_words(table))

    async def write(self, bank: int, words: list[tuple[int, int]]) -> None:
        """Writes any words."""
        await self._bank_writer.write(words, bank)

    def choose(self, bank: int) -> None:
        """Sends to a bank from now on."""
        self.bank = bank
        self.table = self.loaded[bank]

    def send_payload(
        self, payload: bytes, count: int, *, in_ragged: bool = False, beats: list[Beat] | None = None
    ) -> None:
        """Sends any payload as ``count`` symbols and expects the golden model's verdict."""
        self.put(payload, count, in_ragged=in_ragged)
        self.scoreboard.expect(self.codec.decoded(payload, count, self.table))

    def put(self, payload: bytes, count: int, *, in_ragged: bool = False) -> None:
        """Sends any payload as ``count`` symbols."""
        beats = ragged(payload, self.width, self.rng) if in_ragged else dense(payload, self.width)
        self.source.put(BankPacket(beats, count, self.bank))


@bench_test(TablesBench)
async def every_bank(tb: TablesBench) -> None:
    """Packets of all banks one after the other, good and bad; a bank is loaded while others decode."""
    for number in range(24):
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        free = number % tb.banks
        for _ in range(12):
            tb.choose(tb.rng.choice([bank for bank in range(tb.banks) if bank != free] or [0]))
            symbols = tb.skewed(1, 30)
            if tb.rng.random() < 0.3:
                tb.send_damaged(symbols, in_ragged=tb.rng.random() < 0.3)
            else:
                tb.send(symbols, in_ragged=tb.rng.random() < 0.3)
        if tb.banks == 1:
            await tb.drain()
        await tb.load_bank(free, tb.rng.choice(tb.tables))
        await tb.drain()


@bench_test(TablesBench)
async def no_room(tb: TablesBench) -> None:
    """What a build has no room for is not stored, wherever it is written."""
    bounds = tb.codec.bounds
    classes = 256 >> bounds.raw_bits
    behind = [*range(classes, 256), *range(256 + bounds.lengths, 512)]
    for bank in range(tb.banks):
        await tb.write(bank, [(address, tb.rng.getrandbits(32)) for address in behind])
    for bank in range(tb.banks):
        tb.choose(bank)
        tb.send(stimulus.all_symbols(tb.table, 256, tb.rng))
        tb.send(tb.skewed(20, 40))
    await tb.drain()


@bench_test(TablesBench)
async def garbage(tb: TablesBench) -> None:
    """Whatever the table, every packet ends; with a table, the next one is decoded."""
    for _ in range(60):
        bank = tb.rng.randrange(tb.banks)
        await tb.write(bank, garbage_words(tb.codec.bounds, tb.rng))
        tb.choose(bank)
        tb.stall(tb.rng.choice([*PATTERNS]), tb.rng.choice([*PATTERNS]))
        for _ in range(tb.rng.randint(1, 8)):
            payload = tb.rng.randbytes(tb.rng.randint(0, 8 * tb.width))
            # Few are soon behind the last: a codeword of no bits must not count on from there.
            count = tb.rng.choice([0, 1, 2, tb.rng.randint(3, 60)])
            tb.put(payload, count, in_ragged=tb.rng.random() < 0.3)
            tb.scoreboard.expect(ANYTHING)
        await tb.empty()
        await tb.load_bank(bank, tb.rng.choice(tb.tables))
        tb.choose(bank)
        tb.run_freely()
        tb.send(tb.skewed(1, 30))
        await tb.empty()
