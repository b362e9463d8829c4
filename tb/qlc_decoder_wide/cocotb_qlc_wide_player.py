"""Many packets through the wide decoder, played and collected in HDL, scored against the golden model."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cocotb
import numpy as np
from qlc.code import Code
from qlc.errors import Error
from qlc.histogram import count_symbols
from qlc.reference import encode
from qlc.table import Table
from qlc_decoder_wide.builds import RATE_BITS
from qlc_decoder_wide.words import coverage, every_word, reachable
from qlc_tb import stimulus
from qlc_tb.beats import read_beats, write_beats, write_words
from qlc_tb.dut import Dut
from qlc_tb.packet import Beat, Expected, Packet, dense
from qlc_tb.payload import Outcome, Payload, damaged, outcome
from qlc_tb.play import play, reset
from qlc_tb.scoreboard import difference
from qlc_tb.seed import seeded
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import (
    Words,
    best_table,
    bounds_of,
    codes,
    decoder_words,
    garbage_words,
    random_table,
    with_fault,
)

# Symbols that COUNT_BITS count.
MOST = 8191


class Sent(NamedTuple):
    """A packet to play, and its bank."""

    payload: Payload
    bank: int = 0


class Played(NamedTuple):
    """Input beats of some packets, cycles in which one of them waited, and what the golden model gave."""

    beats: int
    stalls: int
    outcomes: list[Outcome]


class Player:
    """The harness, once ``reset``."""

    def __init__(self, dut: Dut) -> None:
        """Begins with all inputs idle."""
        self.dut = dut
        self.rng = seeded(dut)
        self.verdicts: Counter[Error] = Counter()

    async def reset(self) -> None:
        """Resets the decoder and the harness, and reads what they were built for."""
        dut = self.dut
        dut.idle.value = 0
        dut.stall.value = 0
        await reset(dut)
        self.bounds = bounds_of(dut)
        self.word_bits = int(dut.WORD_BITS.value)
        self.width = self.word_bits // 8
        self.symbols = self.word_bits // 4
        self.banks = int(dut.BANKS.value)
        # Of tuser's low bits, which count symbols; the others name the bank.
        self.count_bits = int(dut.COUNT_BITS.value)

    async def play(
        self, tables: Sequence[Table], sent: Sequence[Sent], *, idle: int = 0, stall: int = 0
    ) -> Played:
        """Loads a table a bank, plays packets and compares all that comes out.

        ``idle``, ``stall``: cycles of 256 without a beat offered, without an output beat taken.
        """
        words = [decoder_words(table, self.bounds.raw_bits) for table in tables]
        words[0] = with_fault(words[0])
        beats = await self._play(words, sent, idle, stall)
        outcomes = [outcome(payload, tables[bank]) for payload, bank in sent]
        self._compare(sent, outcomes)
        return Played(beats, int(self.dut.stalls.value), outcomes)

    async def survive(self, words: Sequence[Words], sent: Sequence[Sent], *, idle: int, stall: int) -> None:
        """Loads any words into the banks and plays packets: as many must come out, with whatever in them."""
        await self._play(words, sent, idle, stall)
        received = len(read_beats(self.symbols))
        assert received == len(sent), f"{received} of {len(sent)} packets came out"

    async def _play(self, words: Sequence[Words], sent: Sequence[Sent], idle: int, stall: int) -> int:
        """Gives the number of beats."""
        dut = self.dut
        write_words(
            [(bank << 9 | address, data) for bank, of_bank in enumerate(words) for address, data in of_bank]
        )
        beats = write_beats(self._packet(*one) for one in sent)
        dut.idle.value = idle
        dut.stall.value = stall
        dut.seed.value = self.rng.getrandbits(32)
        await play(dut, 10_000 + 600 * (beats + sum(p.payload.count // self.symbols + 1 for p in sent)))
        hang = int(dut.hang.value)
        assert not hang, f"hang: {len(sent)} packets sent, {int(dut.received.value)} came out"
        assert not int(dut.unstable.value), "a stream changed in a stall, or is X"
        return beats

    def _packet(self, payload: Payload, bank: int) -> Packet:
        beats = dense(payload.data, self.width)
        # One in four that could end with an empty beat does.
        if payload.data and len(payload.data) % self.width == 0 and self.rng.randrange(4) == 0:
            beats.append(Beat(bytes(self.width), 0))
        return Packet(beats, bank << self.count_bits | payload.count)

    def _compare(self, sent: Sequence[Sent], outcomes: Sequence[Outcome]) -> None:
        received = read_beats(self.symbols)
        for number, ((payload, bank), (symbols, error), packet) in enumerate(
            zip(sent, outcomes, received, strict=False)
        ):
            self.verdicts[error] += 1
            place = f"packet {number} ({len(payload.data)} bytes as {payload.count} symbols, bank {bank})"
            wrong = difference(packet, Expected(symbols.tobytes(), int(error)))
            assert wrong is None, f"{place}: {wrong}; payload {payload.data[:64].hex()}"
            beats = max(1, -(-len(packet.data) // self.symbols))
            assert packet.beats == beats, f"{place}: {packet.beats} beats instead of {beats}"
        assert len(received) == len(sent), f"{len(received)} of {len(sent)} packets came out"


def _codes(player: Player) -> list[Code]:
    """Those that QLC_CODES names, one a word; otherwise all kinds inside the bounds."""
    if text := os.environ.get("QLC_CODES"):
        return [Code.parse(word) for word in text.split()]
    return codes(player.bounds, player.rng)


@cocotb.test()
async def every_word_at_every_offset(dut: Dut) -> None:
    """Every content of a word behind every entry offset, at narrow words; measured, not assumed."""
    player = Player(dut)
    await player.reset()
    assert player.word_bits <= 16, "too many contents"
    offsets: set[int] = set()
    chosen = _codes(player)
    for code in chosen:
        table = random_table(code, player.rng, player.bounds.raw_bits)
        payloads = every_word(table, player.word_bits, player.rng)
        played = await player.play([table], [Sent(payload) for payload in payloads])
        got = coverage(payloads, played.outcomes, table, player.word_bits)
        wanted = reachable(code, player.word_bits)
        offsets.update(np.flatnonzero(wanted.any(axis=1)).tolist())
        lacks = np.argwhere(wanted & ~got)
        assert not len(lacks), (
            f"{code}: {len(lacks)} of {wanted.sum()} words not covered: {lacks[:5].tolist()}"
        )
        assert not (got & ~wanted).any(), f"{code}: words covered that cannot be"
        dut._log.info("%s: %d contents by offset, %d packets", code, wanted.sum(), len(payloads))
    longest = max(code.lengths[-1] for code in chosen)
    assert offsets == set(range(longest)), f"entry offsets: {sorted(offsets)}"


def _sent(player: Player, tables: Sequence[Table], packets: int) -> list[Sent]:
    """Damaged packets among good ones, in all banks."""
    rng = player.rng
    sent = []
    for _ in range(packets):
        bank = rng.randrange(player.banks)
        table = tables[bank]
        symbols = stimulus.KINDS[rng.choice(["skewed", "skewed", "uniform", "rarest"])](
            table, rng.choice([rng.randint(1, 12), rng.randint(1, 130), rng.randint(0, 4)]), rng
        )
        payload = Payload(encode(symbols, table), len(symbols))
        if rng.randrange(3):
            payload = damaged(payload, player.width, rng)
        sent.append(Sent(Payload(payload.data, min(payload.count, MOST)), bank))
    return sent


# Cycles of 256 that are idle, that stall; one round with each.
PACES = [(0, 0), (128, 0), (0, 128), (64, 200), (200, 64), (128, 128)]


def _volume() -> tuple[int, int]:
    """Rounds, and packets in each."""
    return int(os.environ.get("QLC_ROUNDS", "6")), int(os.environ.get("QLC_PACKETS", "150"))


@cocotb.test()
async def damage(dut: Dut) -> None:
    """Damaged packets among good ones, banks and codes at random, with and without stalls."""
    player = Player(dut)
    await player.reset()
    rng = player.rng
    tables = [random_table(code, rng, player.bounds.raw_bits) for code in codes(player.bounds, rng)]
    rng.shuffle(tables)
    rounds, packets = _volume()
    for number in range(rounds):
        chosen = [tables[(number * player.banks + bank) % len(tables)] for bank in range(player.banks)]
        idle, stall = PACES[number % len(PACES)]
        await player.play(chosen, _sent(player, chosen, packets), idle=idle, stall=stall)
    wanted = {Error.GOOD, Error.ILLEGAL_CODEWORD, Error.LENGTH_MISMATCH, Error.NONZERO_PADDING}
    assert set(player.verdicts) == wanted, f"packets by verdict: {player.verdicts}"


@cocotb.test()
async def garbage(dut: Dut) -> None:
    """Tables that make no sense end every packet all the same; behind a good table, all is right again."""
    player = Player(dut)
    await player.reset()
    rng = player.rng
    tables = [random_table(code, rng, player.bounds.raw_bits) for code in codes(player.bounds, rng)]
    rounds, packets = _volume()
    for number in range(4 * rounds):
        chosen = [rng.choice(tables) for _ in range(player.banks)]
        words = [garbage_words(player.bounds, rng) for _ in range(player.banks)]
        idle, stall = PACES[number % len(PACES)]
        await player.survive(words, _sent(player, chosen, packets // 4), idle=idle, stall=stall)
        await player.play(chosen, _sent(player, chosen, packets // 8), idle=idle, stall=stall)


def _packets(symbols: Symbols, rng: random.Random) -> Iterable[Symbols]:
    """A tensor in packets of a block's size, or any that can be counted."""
    start = 0
    while start < len(symbols):
        size = rng.choice([4096, 4096, MOST, rng.randint(1, 1000)])
        yield symbols[start : start + size]
        start += size


@cocotb.test()
async def tensors(dut: Dut) -> None:
    """Committed tensors, two at a time in two banks; a word every cycle where the code allows it.

    QLC_TENSORS is what their names begin with, if not all are played; QLC_STRIDE n takes each n-th only.
    """
    player = Player(dut)
    await player.reset()
    rng = player.rng
    found = stimulus.tensors()
    assert found, "no tensors in data/"
    names = [name for name in found if name.startswith(os.environ.get("QLC_TENSORS", ""))]
    assert names, "no tensor has this name"
    # Those that compress alike beside each other.
    names.sort(key=lambda name: name.endswith(".scale"))
    names = names[:: int(os.environ.get("QLC_STRIDE", "1"))]
    for group in _groups(names, player.banks):
        tables = []
        parts: list[list[Sent]] = []
        for bank, name in enumerate(group):
            table = best_table(count_symbols(found[name]), player.bounds, rng, name)
            tables.append(table)
            parts.append(
                [Sent(Payload(encode(part, table), len(part)), bank) for part in _packets(found[name], rng)]
            )
        # One tensor behind the other, or by turns.
        rows = parts if rng.randrange(2) else itertools.zip_longest(*parts)
        sent = [packet for row in rows for packet in row if packet is not None]
        changes = sum(a.bank != b.bank for a, b in itertools.pairwise(sent))
        beats, stalls, _ = await player.play(tables, sent)
        bits = min(table.code.lengths[0] for table in tables)
        if bits >= RATE_BITS:
            # The first packet's bank and every change of it cost an output cycle, and the input as many where
            # all output cycles are in use.
            most = 1 + changes if player.banks > 1 else 0
            assert stalls <= most, f"{group}: {stalls} words waited, at most {most} may"
        dut._log.info(
            "%s: %d words, %d cycles lost, %d changes of bank, codes %s",
            ", ".join(group),
            beats,
            stalls,
            changes,
            ", ".join(str(table.code) for table in tables),
        )
    assert set(player.verdicts) == {Error.GOOD}


def _groups(names: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    for start in range(0, len(names), size):
        yield names[start : start + size]
