"""The code: which codeword lengths there are, and where in the code space one ends and the next begins.

A code is canonical: its codewords, in the order of the ranks, never get shorter and count up. So its lengths
and their limits tell all of it. Source of the quad codes: A. Agrawal et al., "Quad Length Codes for Lossless
Compression of e4m3", arXiv:2602.17849v2, which writes them as areas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

RANKS = 256
LONGEST = 12
"""Bits of the longest codeword."""
SPACE = 1 << LONGEST
"""The code space: limits are in units of 2^-12."""
QUAD_LENGTHS = 4
QUAD_KNOWN_BITS = 6
"""Bits that tell the length of a quad code's codeword."""
AREA_PREFIX_BITS = range(1, 5)
AREA_EXTRA_BITS = range(9)
UNUSED_LENGTH_WORD = SPACE << LONGEST

_Number = TypeVar("_Number", bound=np.integer)


class CodeError(ValueError):
    """The lengths and limits, or the text, do not make a code for 256 ranks."""


@dataclass(frozen=True)
class Code:
    """Codeword lengths in bits, ascending, and the limit of each, in 4096ths of the code space.

    The codewords of length i fill the code space from the limit before (0 for the first) to its own. Ranks
    take them in order, and those behind rank 255 are illegal.

    Raises `CodeError` when a length or limit is out of range or order, a length has no whole number of
    codewords, a length gets no rank, or a rank has no codeword.
    """

    lengths: tuple[int, ...]
    limits: tuple[int, ...]

    def __post_init__(self) -> None:
        """Check everything."""
        if not 1 <= len(self.lengths) <= LONGEST or len(self.lengths) != len(self.limits):
            raise CodeError(
                f"{len(self.lengths)} lengths, {len(self.limits)} limits: must be as many, 1 to 12"
            )
        if self.lengths[0] < 1 or self.lengths[-1] > LONGEST or not _ascend(self.lengths):
            raise CodeError(f"lengths {_text(self.lengths)}: must ascend within 1 to {LONGEST}")
        if self.limits[0] < 1 or self.limits[-1] != SPACE or not _ascend(self.limits):
            raise CodeError(f"limits {_text(self.limits)}: must ascend from above 0 to {SPACE}")
        for length, (low, high) in zip(self.lengths, pairwise((0, *self.limits)), strict=True):
            if (high - low) << length & SPACE - 1:
                raise CodeError(f"length {length}: {high - low}/{SPACE} of the space is no whole codewords")
        before_last = sum(self.codeword_counts[:-1])
        if before_last >= RANKS:
            raise CodeError(f"length {self.lengths[-1]}: no rank is left for it")
        if before_last + self.codeword_counts[-1] < RANKS:
            raise CodeError(f"{before_last + self.codeword_counts[-1]} codewords: must be at least {RANKS}")

    @classmethod
    def from_numbers(cls, lengths: Sequence[int], numbers: Sequence[int]) -> Code:
        """Make a code of how many ranks each length has; what they leave of 256 is the last one's.

        `numbers` has one entry less than `lengths`. Raises `CodeError`.
        """
        limits = []
        limit = 0
        for length, number in zip(lengths, numbers, strict=False):
            if not 1 <= length <= LONGEST:
                raise CodeError(f"length {length}: must be 1 to {LONGEST}")
            limit += number << LONGEST - length
            limits.append(limit)
        return cls(tuple(lengths), (*limits, SPACE))

    @classmethod
    def from_areas(cls, prefix_bits: int, extra_bits: Sequence[int]) -> Code:
        """Make the code of the paper's areas: 2^P equal parts of the code space, P `prefix_bits`.

        Area a has codewords of P + `extra_bits`[a] bits, 2^`extra_bits`[a] of them. Ranks fill the areas in
        order; areas behind rank 255 are empty. Raises `CodeError`, also where lengths fall from area to
        area or are more than four: such a scheme is no quad code.
        """
        if prefix_bits not in AREA_PREFIX_BITS:
            raise CodeError(f"prefix bits {prefix_bits}: must be 1 to {AREA_PREFIX_BITS[-1]}")
        if len(extra_bits) != 1 << prefix_bits:
            raise CodeError(
                f"{len(extra_bits)} areas: {prefix_bits} prefix bits make {1 << prefix_bits} areas"
            )
        used: list[int] = []
        ranks = 0
        for area, extra in enumerate(extra_bits):
            if extra not in AREA_EXTRA_BITS:
                raise CodeError(f"area {area}, extra bits {extra}: must be 0 to {AREA_EXTRA_BITS[-1]}")
            if ranks < RANKS:
                used.append(extra)
                ranks += 1 << extra
        if ranks < RANKS:
            raise CodeError(f"the areas hold {ranks} ranks: must be {RANKS}")
        if sorted(used) != used:
            raise CodeError("a later area has shorter codewords: not a canonical code")
        runs = [(extra, len(list(run))) for extra, run in groupby(used)]
        if len(runs) > QUAD_LENGTHS:
            raise CodeError(f"{len(runs)} codeword lengths: must be at most {QUAD_LENGTHS}")
        lengths = [prefix_bits + extra for extra, _ in runs]
        ends = np.cumsum([areas for _, areas in runs]).tolist()
        limits = [end << LONGEST - prefix_bits for end in ends[:-1]]
        return cls(tuple(lengths), (*limits, SPACE))

    @classmethod
    def parse(cls, text: str) -> Code:
        """Read a preset's name, `6x40,7x16,8x32,11`, or the paper's areas as `P:e,e,...`.

        The second form is each length with the number of its ranks, the last without. Raises `CodeError`.
        """
        if text in PRESETS:
            return PRESETS[text]
        try:
            if ":" in text:
                prefix, _, extra = text.partition(":")
                return cls.from_areas(_number(prefix), [_number(e) for e in extra.split(",")])
            *parts, last = text.split(",")
            pairs = [part.split("x") for part in parts]
            return cls.from_numbers(
                [*(_number(length) for length, _ in pairs), _number(last)],
                [_number(number) for _, number in pairs],
            )
        except CodeError as error:
            raise CodeError(f"code {text!r}: {error}") from None
        except ValueError:
            forms = f"{', '.join(PRESETS)}, LxN,...,L or P:e,e,..."
            raise CodeError(f"code {text!r}: must be {forms}") from None

    def __str__(self) -> str:
        """Give the form `6x40,7x16,8x32,11` that `parse` reads."""
        *first, last = self.lengths
        return ",".join(
            [*(f"{length}x{n}" for length, n in zip(first, self.numbers, strict=False)), str(last)]
        )

    @property
    def areas(self) -> str | None:
        """The paper's form `P:e,e,...` with the fewest areas, or None where there is none."""
        for prefix_bits in AREA_PREFIX_BITS:
            unit = SPACE >> prefix_bits
            extra_bits = [length - prefix_bits for length in self.lengths]
            if any(limit % unit for limit in self.limits) or not set(extra_bits) <= set(AREA_EXTRA_BITS):
                continue
            widths = [(high - low) // unit for low, high in pairwise((0, *self.limits))]
            text = f"{prefix_bits}:{','.join(map(str, np.repeat(extra_bits, widths).tolist()))}"
            try:
                return text if Code.parse(text) == self else None
            except CodeError:
                return None
        return None

    @property
    def is_quad(self) -> bool:
        """Whether there are at most four lengths, each known from the first 6 bits."""
        unit = SPACE >> QUAD_KNOWN_BITS
        return len(self.lengths) <= QUAD_LENGTHS and not any(limit % unit for limit in self.limits)

    @cached_property
    def codeword_counts(self) -> tuple[int, ...]:
        """The number of codewords of each length, with the illegal ones of the last."""
        spans = [high - low for low, high in pairwise((0, *self.limits))]
        return tuple(span << length >> LONGEST for span, length in zip(spans, self.lengths, strict=True))

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The number of ranks of each length."""
        return (*self.codeword_counts[:-1], RANKS - sum(self.codeword_counts[:-1]))

    @cached_property
    def first_ranks(self) -> tuple[int, ...]:
        """The first rank of each length."""
        return tuple(np.cumsum((0, *self.numbers[:-1])).tolist())

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """For each length, what added to a codeword gives its rank, modulo 4096."""
        begins = (0, *self.limits[:-1])
        firsts = [begin << length >> LONGEST for begin, length in zip(begins, self.lengths, strict=True)]
        return tuple((rank - first) % SPACE for rank, first in zip(self.first_ranks, firsts, strict=True))

    @cached_property
    def rank_lengths(self) -> NDArray[np.uint8]:
        """uint8[256]: the codeword length of each rank in bits."""
        return _frozen(np.repeat(np.array(self.lengths, dtype=np.uint8), self.numbers))

    @cached_property
    def rank_codewords(self) -> NDArray[np.uint16]:
        """uint16[256]: the codeword of each rank, right-aligned."""
        steps = np.repeat(np.array(self.steps, dtype=np.int64), self.numbers)
        return _frozen(((np.arange(RANKS) - steps) % SPACE).astype(np.uint16))

    def length_words(self) -> NDArray[np.uint32]:
        """Give what hardware loads for the lengths, uint32[12]: {length[3:0], limit[15:0], step[11:0]}.

        Lengths ascend; the words behind them are those of no length, 01000000.
        """
        words = np.full(LONGEST, UNUSED_LENGTH_WORD, dtype=np.uint32)
        for i, (length, limit, step) in enumerate(zip(self.lengths, self.limits, self.steps, strict=True)):
            words[i] = length << 28 | limit << LONGEST | step
        return words


def _frozen(array: NDArray[_Number]) -> NDArray[_Number]:
    array.flags.writeable = False
    return array


def _ascend(numbers: Sequence[int]) -> bool:
    return all(low < high for low, high in pairwise(numbers))


def _text(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 4:
        raise ValueError(text)
    return int(text)


PRESETS: dict[str, Code] = {
    # The paper's static code, and its code for tensors with many zeros.
    "table1": Code((6, 7, 8, 11), (2560, 3072, 3584, 4096)),
    "table2": Code((4, 6, 8, 11), (512, 2560, 3584, 4096)),
    # Four lengths on 16 areas: the optimum of area codes for most real tensors.
    "quad16": Code((6, 7, 9, 12), (2304, 3584, 3840, 4096)),
    # Dual Length Codes, version 1 of the paper.
    "dual": Code((4, 9), (2048, 4096)),
}
