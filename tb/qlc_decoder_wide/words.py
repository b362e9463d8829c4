"""Packets that put every content of a word behind every entry offset, and which of them some packets hold.

A decoder of a whole word a cycle meets two things in a word: its bits, and how many of them belong to
a codeword that began in an earlier word, the entry offset. With codewords of up to 12 bits that is 0
to 11, and more than the word's bits where a codeword covers a word of 8 bits.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from qlc.code import LONGEST, RANKS, SPACE, Code
from qlc.errors import Error
from qlc.table import Table
from qlc_tb import stimulus
from qlc_tb.payload import Outcome, Payload
from qlc_tb.stimulus import of_bits, packed

# Words of a packet at most.
MOST_WORDS = 250
# One value or many.
_Bits = TypeVar("_Bits", int, NDArray[np.int64])


class _Tail(NamedTuple):
    """The bits of a codeword that has not ended yet."""

    bits: int
    value: int


def length_of(code: Code, bits: int, value: int) -> int:
    """The length of a codeword that begins with these bits; more than they are where they do not tell."""
    first = value >> bits - LONGEST if bits >= LONGEST else value << LONGEST - bits
    return code.lengths[int(np.searchsorted(code.limits, first, side="right"))]


def _codewords(code: Code) -> Iterator[tuple[int, range]]:
    """The codewords of each length, with illegal ones."""
    for length, limit, count in zip(code.lengths, code.limits, code.codeword_counts, strict=True):
        end = limit >> LONGEST - length
        yield length, range(end - count, end)


def _step(code: Code, word_bits: int) -> int:
    """Codewords begin at multiples of this in a word, and at all of them sooner or later."""
    return math.gcd(word_bits, *code.lengths)


def _in_word(codeword: _Bits, offset: int, word_bits: int) -> _Bits:
    """What a codeword's last bits, ``offset`` of them, put into the first word that begins among them."""
    last = codeword & (1 << offset) - 1
    return last >> max(0, offset - word_bits)


def reachable(code: Code, word_bits: int) -> NDArray[np.bool_]:
    """Which contents can follow which entry offset, bool[offset, content].

    An entry offset reaches into a codeword that begins in an earlier word, so the content begins with the
    last bits of some codeword.
    """
    step = _step(code, word_bits)
    found = np.zeros((code.lengths[-1], 1 << word_bits), dtype=np.bool_)
    found[0] = True
    content = np.arange(1 << word_bits)
    for offset in range(1, code.lengths[-1]):
        begins = np.zeros(1 << min(offset, word_bits), dtype=np.bool_)
        for length, codewords in _codewords(code):
            if offset < length and (length - offset) % step == 0:
                begins[_in_word(np.array(codewords, dtype=np.int64), offset, word_bits)] = True
        found[offset] = begins[content >> max(0, word_bits - offset)]
    return found


def _covered(payload: Payload, outcome: Outcome, table: Table, word_bits: int) -> Iterator[tuple[int, int]]:
    """Entry offset and content of each word that the golden model's chain of codewords runs through.

    Not of a word in which the last symbol ends before it does, and of none behind an error.
    """
    symbols, error = outcome
    ends = np.cumsum(table.lengths[symbols], dtype=np.int64)
    bits = 8 * len(payload.data)
    starts = [0, *ends.tolist()]
    if error == Error.ILLEGAL_CODEWORD:
        # The codeword that was met last is none, but has been read.
        begin = starts[-1]
        window = int.from_bytes(payload.data[begin // 8 : begin // 8 + 3].ljust(3, b"\0"), "big")
        left = 24 - begin % 8
        starts.append(begin + length_of(table.code, left, window & (1 << left) - 1))
        reached = -(-starts[-1] // word_bits)
    elif len(symbols) < payload.count:
        reached = bits // word_bits
    else:
        reached = starts[-1] // word_bits
    borders = np.arange(min(reached, bits // word_bits)) * word_bits
    positions = np.searchsorted(starts, borders)
    width = word_bits // 8
    for begin, position in zip(borders.tolist(), positions.tolist(), strict=True):
        if position == len(starts):
            # A codeword that the packet's end cut: its length is not known.
            return
        content = int.from_bytes(payload.data[begin // 8 : begin // 8 + width], "big")
        yield starts[position] - begin, content


def coverage(
    payloads: Sequence[Payload], outcomes: Sequence[Outcome], table: Table, word_bits: int
) -> NDArray[np.bool_]:
    """Which contents followed which entry offset in some packets, bool[offset, content].

    ``outcomes`` are the golden model's, so this knows nothing of how the packets were made.
    """
    found = np.zeros((table.code.lengths[-1], 1 << word_bits), dtype=np.bool_)
    for payload, outcome in zip(payloads, outcomes, strict=True):
        for offset, content in _covered(payload, outcome, table, word_bits):
            found[offset, content] = True
    return found


class _Chain:
    """What is left of a word's last n bits when the codewords in them have been taken off."""

    def __init__(self, code: Code, word_bits: int) -> None:
        """Looks at every value of 0 to ``word_bits`` bits."""
        steps = dict(zip(code.lengths, code.steps, strict=True))
        # By bits and value: codewords in it, bits left behind them, whether one is illegal.
        self.codewords: list[list[int]] = []
        self.left: list[list[int]] = []
        self.illegal: list[list[bool]] = []
        codewords: list[NDArray[np.int64]] = []
        left: list[NDArray[np.int64]] = []
        illegal: list[NDArray[np.bool_]] = []
        for bits in range(word_bits + 1):
            value = np.arange(1 << bits)
            first = value >> bits - LONGEST if bits >= LONGEST else value << LONGEST - bits
            length = np.array(code.lengths)[np.searchsorted(code.limits, first, side="right")]
            count = np.zeros(1 << bits, dtype=np.int64)
            rest = np.full(1 << bits, bits)
            bad = np.zeros(1 << bits, dtype=np.bool_)
            for n in np.unique(length[length <= bits]).tolist():
                whole = length == n
                tail = value[whole] & (1 << bits - n) - 1
                none = ((value[whole] >> bits - n) + steps[n]) % SPACE >= RANKS
                count[whole] = np.where(none, 0, 1 + codewords[bits - n][tail])
                rest[whole] = left[bits - n][tail]
                bad[whole] = none | illegal[bits - n][tail]
            codewords.append(count)
            left.append(rest)
            illegal.append(bad)
            self.codewords.append(count.tolist())
            self.left.append(rest.tolist())
            self.illegal.append([bool(flag) for flag in bad])


def every_word(table: Table, word_bits: int, rng: random.Random) -> list[Payload]:
    """Packets in whose words every content follows every entry offset it can follow.

    Each packet is a walk: the word that comes next is one that has not followed the offset the words
    so far lead to. Where there is none, or a codeword is illegal, the packet ends.
    """
    return _Walker(table, word_bits, rng).packets()


# An entry offset, and the bits it puts into a word.
_Key = tuple[int, int]


class _Walker:
    def __init__(self, table: Table, word_bits: int, rng: random.Random) -> None:
        self.table = table
        self.code = table.code
        self.word_bits = word_bits
        self.rng = rng
        self.step = _step(self.code, word_bits)
        self.steps = dict(zip(self.code.lengths, self.code.steps, strict=True))
        self.chain = _Chain(self.code, word_bits)
        # Legal codewords, with zeros behind them: they ascend with the rank.
        lengths = self.code.rank_lengths.astype(np.int64)
        self.aligned = (self.code.rank_codewords.astype(np.int64) << LONGEST - lengths).tolist()
        # Contents not seen yet.
        self.left: dict[_Key, list[int]] = defaultdict(list)
        for offset, row in enumerate(reachable(self.code, word_bits)):
            contents = np.flatnonzero(row).tolist()
            rng.shuffle(contents)
            for content in contents:
                self.left[offset, content >> max(0, word_bits - offset)].append(content)
        # How a codeword can begin before a word so that this is in it: what is before, and its length.
        self.before: dict[_Key, list[tuple[_Tail, int]]] = defaultdict(list)
        for length, codewords in _codewords(self.code):
            for offset in range(1, length):
                if (length - offset) % self.step == 0:
                    for codeword in codewords:
                        key = offset, _in_word(codeword, offset, word_bits)
                        self.before[key].append((_Tail(length - offset, codeword >> offset), length))
        # The reverse, and without what has been used up.
        self.behind: dict[_Tail, list[tuple[_Key, int]]] = defaultdict(list)
        for key, tails in self.before.items():
            for tail, length in tails:
                self.behind[tail].append((key, length))
        self.behind[_Tail(0, 0)] = [((0, 0), 0)]
        self._keys = list(self.left)
        self._fillers: dict[int, list[tuple[str, int]]] = {}

    def packets(self) -> list[Payload]:
        """Packets until no content is left."""
        found = []
        while key := self.wanted():
            found.append(self.packet(key))
        return found

    def wanted(self) -> _Key | None:
        """A key under which contents are left."""
        while self._keys:
            place = self.rng.randrange(len(self._keys))
            if self.left[self._keys[place]]:
                return self._keys[place]
            self._keys[place] = self._keys[-1]
            self._keys.pop()
        return None

    def packet(self, key: _Key) -> Payload:
        """A packet whose first word, behind a lead, is one of the contents under a key."""
        rng = self.rng
        # Of the codeword that has begun: its bits so far, and how long it is to be, if that is settled.
        words, tail, length, count = self.lead(key, "")
        legal = True
        content: int | None = self.left[key].pop()
        while content is not None:
            words.append(content)
            offset = length - tail.bits if tail.bits else 0
            if offset > self.word_bits:
                tail = _Tail(tail.bits + self.word_bits, tail.value << self.word_bits | content)
            else:
                if tail.bits:
                    codeword = tail.value << offset | content >> self.word_bits - offset
                    if not self.is_legal(codeword, length):
                        legal = False
                        break
                    count += 1
                bits = self.word_bits - offset
                value = content & (1 << bits) - 1
                count += self.chain.codewords[bits][value]
                if self.chain.illegal[bits][value]:
                    legal = False
                    break
                left = self.chain.left[bits][value]
                tail = _Tail(left, value & (1 << left) - 1)
                length = 0
            if len(words) >= MOST_WORDS:
                break
            content, length = self.next_content(tail, length)
            if (
                content is None
                and (target := self.wanted())
                and (end := self.ending(tail, length)) is not None
            ):
                more, tail, length, codewords = self.lead(target, end)
                words += more
                count += codewords + bool(end)
                content = self.left[target].pop()
        data = b"".join(word.to_bytes(self.word_bits // 8, "big") for word in words)
        if not legal:
            # What follows an illegal codeword is dropped, at once or after some words.
            data += rng.randbytes(rng.choice([0, 0, 1, 2, self.word_bits // 8, self.word_bits // 4 + 1]))
            return Payload(data, count + 1 + rng.choice([0, 0, 1, 20]))
        if not tail.bits:
            return Payload(data, count)
        # The codeword that has begun ends in the next word, or the packet ends inside it.
        cut = tail.bits <= self.word_bits and rng.randrange(4) == 0
        rest = b"" if cut else packed(self.ending(tail, length) or self.illegal_ending(tail, length))
        return Payload(data + rest, count + 1)

    def ending(self, tail: _Tail, length: int) -> str | None:
        """Bits that make a legal codeword of one that has begun; None where there are none.

        ``length``: how long it must be, 0 for any.
        """
        if not tail.bits:
            return ""
        begin, end = (
            bisect_left(self.aligned, t << LONGEST - tail.bits) for t in (tail.value, tail.value + 1)
        )
        lengths = self.code.rank_lengths
        ranks = [rank for rank in range(begin, end) if not length or lengths[rank] == length]
        if not ranks:
            return None
        rank = self.rng.choice(ranks)
        return format(int(self.code.rank_codewords[rank]), "b").zfill(int(lengths[rank]))[tail.bits :]

    def illegal_ending(self, tail: _Tail, length: int) -> str:
        """As `ending`, of any codeword."""
        found = [
            format(codeword, "b").zfill(n)[tail.bits :]
            for n, codewords in _codewords(self.code)
            if n > tail.bits and (not length or n == length)
            for codeword in codewords
            if codeword >> n - tail.bits == tail.value
        ]
        return self.rng.choice(found)

    def lead(self, key: _Key, start: str) -> tuple[list[int], _Tail, int, int]:
        """Words behind which the entry offset is a key's, what they leave, its length, their codewords.

        ``start``: the first word's first bits, up to where a codeword begins; not counted.
        """
        tail, length = _Tail(0, 0), 0
        if key[0]:
            choices = self.before[key]
            # Most often legal ones, behind which the packet goes on; of many, by trial.
            for _ in range(4):
                tail, length = self.rng.choice(choices)
                rest = max(0, key[0] - self.word_bits)
                if self.is_legal((tail.value << key[0] - rest | key[1]) << rest, length):
                    break
        fixed = len(start) + tail.bits
        for words in range(-(-fixed // self.word_bits), 20):
            filler = self.filler(words * self.word_bits - fixed)
            if filler is not None:
                break
        else:
            raise ValueError(f"no codewords lead to entry offset {key[0]}")
        text = start + filler[0] + (format(tail.value, f"0{tail.bits}b") if tail.bits else "")
        found = [int(text[i : i + self.word_bits], 2) for i in range(0, len(text), self.word_bits)]
        return found, tail, length, filler[1]

    def filler(self, bits: int) -> tuple[str, int] | None:
        """Legal codewords of some bits in all and their number; None where there are none."""
        if bits not in self._fillers:
            self._fillers[bits] = []
            for _ in range(4):
                try:
                    symbols = of_bits(self.table, bits, self.rng)
                except ValueError:
                    break
                self._fillers[bits].append((stimulus.codewords(self.table, symbols), len(symbols)))
        return self.rng.choice(self._fillers[bits]) if self._fillers[bits] else None

    def next_content(self, tail: _Tail, length: int) -> tuple[int | None, int]:
        """A content not seen yet that can follow, and the straddling codeword's length.

        ``length``: what that must be, 0 for any.
        """
        if length:
            codewords = dict(_codewords(self.code))[length]
            offset = length - tail.bits
            options = [
                ((offset, _in_word(codeword, offset, self.word_bits)), length)
                for codeword in codewords
                if codeword >> offset == tail.value
            ]
        else:
            options = self.behind[tail]
        while options:
            place = self.rng.randrange(len(options))
            key, found = options[place]
            if self.left[key]:
                return self.left[key].pop(), found
            options[place] = options[-1]
            options.pop()
        return None, length

    def is_legal(self, codeword: int, length: int) -> bool:
        return (codeword + self.steps[length]) % SPACE < RANKS
