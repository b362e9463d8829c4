"""The table: a scheme and a ranking, made for one tensor, and the words hardware loads for it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.histogram import SYMBOLS, check_counts, entropy_bits, expected_bits
from qlc.optimum import best_scheme
from qlc.ranking import SPECIAL_SYMBOLS, rank_symbols
from qlc.scheme import Scheme

TABLE_IDS = 64
_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


@dataclass(frozen=True, eq=False)
class Table:
    """One code for one tensor.

    Raises `ValueError` when a field is out of range, the ranking is not a permutation of the symbols, or
    the dtype's special values are not last.
    """

    name: str
    """Also the name of its files: letters, digits, dot, underscore and hyphen."""
    dtype: str
    """A key of `SPECIAL_SYMBOLS`."""
    scheme: Scheme
    rank_to_symbol: NDArray[np.uint8]
    """uint8[256]."""
    table_id: int
    """0 to 63: what a coded block's header names."""
    symbols_counted: int
    """The number of symbols it was calibrated on."""
    entropy_bits: float
    """Entropy of those symbols, bits a symbol."""
    expected_bits: float
    """Mean codeword length over those symbols, bits a symbol."""

    def __post_init__(self) -> None:
        """Check every field."""
        if not self.name or not _NAME_CHARACTERS.issuperset(self.name):
            raise ValueError(f"name {self.name!r}: must be letters, digits, dot, underscore and hyphen")
        if self.dtype not in SPECIAL_SYMBOLS:
            raise ValueError(f"dtype {self.dtype!r}: must be one of {', '.join(SPECIAL_SYMBOLS)}")
        ranking = np.array(self.rank_to_symbol, dtype=np.uint8)
        if not np.array_equal(np.sort(ranking), np.arange(SYMBOLS)):
            raise ValueError("rank_to_symbol: must hold each symbol 0 to 255 once")
        special = SPECIAL_SYMBOLS[self.dtype]
        if tuple(ranking[SYMBOLS - len(special) :].tolist()) != special:
            raise ValueError(f"rank_to_symbol: must end with the special values of {self.dtype}, ascending")
        if not 0 <= self.table_id < TABLE_IDS:
            raise ValueError(f"table_id {self.table_id}: must be 0 to {TABLE_IDS - 1}")
        if self.symbols_counted < 1:
            raise ValueError(f"symbols_counted {self.symbols_counted}: must be at least 1")
        for key in ("entropy_bits", "expected_bits"):
            bits = getattr(self, key)
            if not 0 <= bits <= self.scheme.lengths.max():
                raise ValueError(f"{key} {bits}: must be 0 to the longest codeword's length")
        ranking.flags.writeable = False
        object.__setattr__(self, "rank_to_symbol", ranking)

    @cached_property
    def symbol_to_rank(self) -> NDArray[np.uint8]:
        """uint8[256]: the rank of each symbol."""
        return np.argsort(self.rank_to_symbol).astype(np.uint8)

    @cached_property
    def lengths(self) -> NDArray[np.uint8]:
        """uint8[256]: the codeword length of each symbol in bits."""
        return self.scheme.lengths[self.symbol_to_rank]

    @cached_property
    def codewords(self) -> NDArray[np.uint16]:
        """uint16[256]: the codeword of each symbol, right-aligned."""
        return self.scheme.codewords[self.symbol_to_rank]

    @property
    def code_words(self) -> NDArray[np.uint16]:
        """uint16[256]: each symbol's {length[3:0], codeword[11:0]}."""
        return self.lengths * np.uint16(1 << 12) | self.codewords

    @property
    def area_words(self) -> NDArray[np.uint16]:
        """uint16[2^P]: the hardware's word for each area, {extra[3:0], base[11:0]}."""
        extra = np.array(self.scheme.extra_bits, dtype=np.uint16)
        return extra * np.uint16(1 << 12) | self.scheme.base.astype(np.uint16)


def calibrate(
    counts: ArrayLike, dtype: str, scheme: Scheme | Literal["auto"], name: str, table_id: int
) -> Table:
    """Make the table for a tensor from its symbols' counts, int[256].

    `auto` takes the best quad scheme of 3 prefix bits for these counts.

    Raises `ValueError` when there are no symbols or an argument is out of range.
    """
    checked = check_counts(counts)
    if not checked.any():
        raise ValueError("no symbols to calibrate on")
    ranking = rank_symbols(checked, dtype)
    by_rank = checked[ranking]
    chosen = best_scheme(by_rank) if scheme == "auto" else scheme
    return Table(
        name=name,
        dtype=dtype,
        scheme=chosen,
        rank_to_symbol=ranking,
        table_id=table_id,
        symbols_counted=int(checked.sum()),
        # Rounded, since log2 differs in its last digits between machines and table files should not.
        entropy_bits=round(entropy_bits(checked), 6),
        expected_bits=round(expected_bits(by_rank, chosen.lengths), 6),
    )
