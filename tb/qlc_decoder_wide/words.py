"""Packets that put every content of a word behind every entry offset, and which of them some packets hold.

A decoder of a whole word a cycle meets two things in a word: its bits, and how many of them belong to
a codeword that began in an earlier word, the entry offset. With codewords of up to 12 bits that is 0
to 11, and more than the word's bits where a codeword covers a word of 8 bits.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from qlc.errors import Error
from qlc.table import Table
from qlc_decoder_wide.payload import Outcome, Payload
from qlc_tb.stimulus import of_bits

# Words of a packet at most.
LONGEST = 250


class _Tail(NamedTuple):
    """The bits of a codeword that has not ended yet."""

    bits: int
    value: int


def area_lengths(table: Table) -> list[int]:
    """The codeword length of each area, of empty ones too."""
    return [table.scheme.prefix_bits + extra for extra in table.scheme.extra_bits]


def _step(table: Table, word_bits: int) -> int:
    """Codewords begin at multiples of this in a word, and at all of them sooner or later."""
    return math.gcd(word_bits, *table.scheme.distinct_lengths)


def reachable(table: Table, word_bits: int) -> NDArray[np.bool_]:
    """Which contents can follow which entry offset, bool[offset, content].

    Where the entry offset reaches into a codeword's prefix, the content tells its area, so its length.
    """
    prefix_bits = table.scheme.prefix_bits
    lengths = area_lengths(table)
    step = _step(table, word_bits)
    found = np.zeros((max(lengths), 1 << word_bits), dtype=np.bool_)
    found[0] = True
    content = np.arange(1 << word_bits)
    for offset in range(1, max(lengths)):
        for area, length in enumerate(lengths):
            missing = prefix_bits - (length - offset)
            if offset >= length or (length - offset) % step:
                continue
            if missing <= 0:
                found[offset] = True
            else:
                found[offset] |= content >> word_bits - missing == area & (1 << missing) - 1
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
        area = window >> 24 - begin % 8 - table.scheme.prefix_bits & table.scheme.areas - 1
        starts.append(begin + area_lengths(table)[area])
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
    found = np.zeros((max(area_lengths(table)), 1 << word_bits), dtype=np.bool_)
    for payload, outcome in zip(payloads, outcomes, strict=True):
        for offset, content in _covered(payload, outcome, table, word_bits):
            found[offset, content] = True
    return found


class _Chain:
    """What is left of a word's last n bits when the codewords in them have been taken off."""

    def __init__(self, table: Table, word_bits: int) -> None:
        """Looks at every value of 0 to ``word_bits`` bits."""
        scheme = table.scheme
        extra = np.array(scheme.extra_bits)
        # By bits and value: codewords in it, bits left behind them, whether one is illegal.
        self.codewords: list[list[int]] = []
        self.left: list[list[int]] = []
        self.illegal: list[list[bool]] = []
        codewords: list[NDArray[np.int64]] = []
        left: list[NDArray[np.int64]] = []
        illegal: list[NDArray[np.bool_]] = []
        for bits in range(word_bits + 1):
            value = np.arange(1 << bits)
            count = np.zeros(1 << bits, dtype=np.int64)
            rest = np.full(1 << bits, bits)
            bad = np.zeros(1 << bits, dtype=np.bool_)
            if bits >= scheme.prefix_bits:
                area = value >> bits - scheme.prefix_bits
                length = scheme.prefix_bits + extra[area]
                for n in np.unique(length[length <= bits]).tolist():
                    whole = length == n
                    tail = value[whole] & (1 << bits - n) - 1
                    offset = value[whole] >> bits - n & (1 << extra[area[whole]]) - 1
                    none = offset >= scheme.size[area[whole]]
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


class _Walker:
    def __init__(self, table: Table, word_bits: int, rng: random.Random) -> None:
        self.table = table
        self.word_bits = word_bits
        self.rng = rng
        self.prefix_bits = table.scheme.prefix_bits
        self.lengths = area_lengths(table)
        self.chain = _Chain(table, word_bits)
        # Contents not seen yet, by entry offset and by their first bits, so many as a prefix can lack.
        self.top_bits = self.prefix_bits - 1
        self.left: dict[tuple[int, int], list[int]] = defaultdict(list)
        for offset, row in enumerate(reachable(table, word_bits)):
            contents = np.flatnonzero(row).tolist()
            rng.shuffle(contents)
            for content in contents:
                self.left[offset, content >> word_bits - self.top_bits].append(content)
        self.step = _step(table, word_bits)
        self._keys = list(self.left)
        self._fillers: dict[int, list[tuple[str, int]]] = {}

    def packets(self) -> list[Payload]:
        """Packets until no content is left."""
        found = []
        while key := self.wanted():
            found.append(self.packet(key))
        return found

    def wanted(self) -> tuple[int, int] | None:
        """A key under which contents are left."""
        while self._keys:
            place = self.rng.randrange(len(self._keys))
            if self.left[self._keys[place]]:
                return self._keys[place]
            self._keys[place] = self._keys[-1]
            self._keys.pop()
        return None

    def packet(self, key: tuple[int, int]) -> Payload:
        """A packet whose first word, behind a lead, is one of the contents under a key."""
        rng = self.rng
        words, tail, count = self.lead(key, "")
        straddling = key[0] + tail.bits if tail.bits else 0
        legal = True
        content: int | None = self.left[key].pop()
        while content is not None:
            words.append(content)
            offset = straddling - tail.bits if tail.bits else 0
            if offset > self.word_bits:
                tail = _Tail(tail.bits + self.word_bits, tail.value << self.word_bits | content)
            else:
                if tail.bits:
                    codeword = tail.value << offset | content >> self.word_bits - offset
                    if not self.is_legal(codeword, straddling):
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
            if len(words) >= LONGEST:
                break
            content, straddling = self.next_content(tail)
            if content is None and (target := self.wanted()) and (start := self.ending(tail)) is not None:
                more, tail, codewords = self.lead(target, start)
                words += more
                count += codewords + bool(start)
                straddling = target[0] + tail.bits if tail.bits else 0
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
        end = b"" if cut else rng.randbytes(-(-(max(self.lengths) - tail.bits) // 8))
        return Payload(data + end, count + 1)

    def ending(self, tail: _Tail) -> str | None:
        """Bits that make a legal codeword of one that has begun; None where none were found."""
        if not tail.bits:
            return ""
        missing = self.prefix_bits - tail.bits
        for _ in range(4):
            value = tail.value
            bits = tail.bits
            if missing > 0:
                value = value << missing | self.rng.getrandbits(missing)
                bits = self.prefix_bits
            length = self.lengths[value >> bits - self.prefix_bits]
            more = length - bits
            # The lowest offset is legal, if any is.
            if self.is_legal(value << more, length):
                return format(value << more, "b").zfill(length)[tail.bits :]
        return None

    def lead(self, key: tuple[int, int], start: str) -> tuple[list[int], _Tail, int]:
        """Words behind which the entry offset is a key's, what they leave, and their codewords.

        ``start``: the first word's first bits, up to where a codeword begins; not counted.
        """
        offset, top = key
        rng = self.rng
        choices = []
        for area, length in enumerate(self.lengths):
            bits = length - offset
            if bits <= 0 or bits % self.step:
                continue
            missing = self.prefix_bits - bits
            if missing > 0 and top >> self.top_bits - missing != area & (1 << missing) - 1:
                continue
            codeword = area << self.table.scheme.extra_bits[area]
            # Offsets begin with bits 0 most often, so the codeword is legal whatever follows.
            if rng.randrange(4) == 0:
                codeword |= rng.getrandbits(self.table.scheme.extra_bits[area])
            choices.append(_Tail(bits, codeword >> offset))
        tail = rng.choice(choices) if offset else _Tail(0, 0)
        fixed = len(start) + tail.bits
        for words in range(-(-fixed // self.word_bits), 20):
            filler = self.filler(words * self.word_bits - fixed)
            if filler is not None:
                break
        else:
            raise ValueError(f"no codewords lead to entry offset {offset}")
        text = start + filler[0] + (format(tail.value, f"0{tail.bits}b") if tail.bits else "")
        found = [int(text[i : i + self.word_bits], 2) for i in range(0, len(text), self.word_bits)]
        return found, tail, filler[1]

    def filler(self, bits: int) -> tuple[str, int] | None:
        """Legal codewords of some bits in all and their number; None where there are none."""
        if bits not in self._fillers:
            self._fillers[bits] = []
            for _ in range(4):
                try:
                    symbols = of_bits(self.table, bits, self.rng)
                except ValueError:
                    break
                codewords = zip(self.table.codewords[symbols], self.table.lengths[symbols], strict=True)
                text = "".join(format(int(word), f"0{int(length)}b") for word, length in codewords)
                self._fillers[bits].append((text, len(symbols)))
        return self.rng.choice(self._fillers[bits]) if self._fillers[bits] else None

    def next_content(self, tail: _Tail) -> tuple[int | None, int]:
        """A content not seen yet that can follow, and the straddling codeword's length."""
        missing = self.prefix_bits - tail.bits
        options = []
        if tail.bits == 0:
            options = [((0, top), 0) for top in range(1 << self.top_bits)]
        elif missing <= 0:
            length = self.lengths[tail.value >> -missing]
            options = [((length - tail.bits, top), length) for top in range(1 << self.top_bits)]
        else:
            for top in range(1 << self.top_bits):
                area = tail.value << missing | top >> self.top_bits - missing
                length = self.lengths[area]
                options.append(((length - tail.bits, top), length))
        options = [option for option in options if self.left.get(option[0])]
        if not options:
            return None, 0
        key, length = self.rng.choice(options)
        return self.left[key].pop(), length

    def is_legal(self, codeword: int, length: int) -> bool:
        extra = length - self.prefix_bits
        area = codeword >> extra
        return (codeword & (1 << extra) - 1) < int(self.table.scheme.size[area])
