"""The scheme: how prefix and extra bits cut 256 ranks into areas and give every rank a codeword.

Paper: A. Agrawal et al., "Quad Length Codes for Lossless Compression of e4m3", arXiv:2602.17849v2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

RANKS = 256
MAX_PREFIX_BITS = 4
MAX_EXTRA_BITS = 8
QUAD_LENGTHS = 4


class SchemeError(ValueError):
    """The prefix and extra bits do not make a code of exactly 256 codewords."""


@dataclass(frozen=True)
class Scheme:
    """`prefix_bits` P (1 to 4) and the `extra_bits` (0 to 8) of each of the 2^P areas.

    Areas cover the ranks in order, 2^extra ranks each, until rank 255 is covered. The last area that
    holds ranks may be cut short, the areas after it are empty; an empty area's extra bits mean nothing
    and are kept as 0.

    Raises `SchemeError` when a figure is out of range or the areas hold fewer than 256 ranks.
    """

    prefix_bits: int
    extra_bits: tuple[int, ...]

    def __post_init__(self) -> None:
        """Check, then set the extra bits of empty areas to 0."""
        if not 1 <= self.prefix_bits <= MAX_PREFIX_BITS:
            raise SchemeError(f"prefix bits {self.prefix_bits}: must be 1 to {MAX_PREFIX_BITS}")
        if len(self.extra_bits) != self.areas:
            raise SchemeError(
                f"{len(self.extra_bits)} areas: {self.prefix_bits} prefix bits make {self.areas} areas"
            )
        for area, extra in enumerate(self.extra_bits):
            if not 0 <= extra <= MAX_EXTRA_BITS:
                raise SchemeError(f"area {area}, extra bits {extra}: must be 0 to {MAX_EXTRA_BITS}")
        if self.size.sum() != RANKS:
            raise SchemeError(f"the areas hold {self.size.sum()} ranks: must be {RANKS}")
        kept = tuple(int(e) if n else 0 for e, n in zip(self.extra_bits, self.size, strict=True))
        object.__setattr__(self, "extra_bits", kept)

    @classmethod
    def parse(cls, text: str) -> Scheme:
        """Read a preset's name or `P:e,e,...` with one number of extra bits for each area.

        Raises `SchemeError` for any other text and for a scheme that is not valid.
        """
        if text in PRESETS:
            return PRESETS[text]
        prefix, colon, extra = text.partition(":")
        numbers = [prefix, *extra.split(",")]
        if not colon or not all(n.isascii() and n.isdigit() for n in numbers):
            raise SchemeError(f"scheme {text!r}: must be {', '.join(PRESETS)} or P:e,e,...")
        try:
            return cls(int(prefix), tuple(int(n) for n in numbers[1:]))
        except SchemeError as error:
            raise SchemeError(f"scheme {text!r}: {error}") from None

    def __str__(self) -> str:
        """Give the form `P:e,e,...` that `parse` reads."""
        return f"{self.prefix_bits}:{','.join(map(str, self.extra_bits))}"

    @property
    def areas(self) -> int:
        """Number of areas, 2^P."""
        return 1 << self.prefix_bits

    @cached_property
    def base(self) -> NDArray[np.int64]:
        """int64[2^P]: the first rank of each area; 256 for an empty area."""
        full = 2 ** np.array(self.extra_bits, dtype=np.int64)
        base: NDArray[np.int64] = np.minimum(np.cumsum(full) - full, RANKS)
        return base

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """int64[2^P]: the number of ranks in each area."""
        full = 2 ** np.array(self.extra_bits, dtype=np.int64)
        size: NDArray[np.int64] = np.minimum(full, RANKS - self.base)
        return size

    @cached_property
    def area_of_rank(self) -> NDArray[np.uint8]:
        """uint8[256]: the area of each rank."""
        return np.repeat(np.arange(self.areas, dtype=np.uint8), self.size)

    @cached_property
    def lengths(self) -> NDArray[np.uint8]:
        """uint8[256]: the codeword length of each rank in bits, P + extra."""
        extra = np.array(self.extra_bits, dtype=np.uint8)
        return extra[self.area_of_rank] + np.uint8(self.prefix_bits)

    @cached_property
    def codewords(self) -> NDArray[np.uint16]:
        """uint16[256]: the codeword of each rank, right-aligned: the area, then the offset in it."""
        area = self.area_of_rank
        extra = np.array(self.extra_bits, dtype=np.int64)[area]
        offset = np.arange(RANKS) - self.base[area]
        return (area.astype(np.int64) << extra | offset).astype(np.uint16)

    @property
    def distinct_lengths(self) -> tuple[int, ...]:
        """The codeword lengths in use, in bits, ascending."""
        return tuple(np.unique(self.lengths).tolist())

    @property
    def is_quad(self) -> bool:
        """Whether the code has at most four codeword lengths."""
        return len(self.distinct_lengths) <= QUAD_LENGTHS


PRESETS: dict[str, Scheme] = {
    # The paper's static code, and its code for tensors with many zeros.
    "table1": Scheme(3, (3, 3, 3, 3, 3, 4, 5, 8)),
    "table2": Scheme(3, (1, 3, 3, 3, 3, 5, 5, 8)),
    # Four lengths on 16 areas: the optimum for most real tensors.
    "quad16": Scheme(4, (2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 5, 8)),
    # Dual Length Codes, version 1 of the paper.
    "dual": Scheme(1, (3, 8)),
}
