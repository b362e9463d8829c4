"""The table: a code and a ranking, made for one tensor, and the words hardware loads for it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.code import LONGEST, PRESETS, Code
from qlc.histogram import SYMBOLS, check_counts, entropy_bits, expected_bits
from qlc.optimum import best_areas, best_huffman, best_quad
from qlc.ranking import KNOWN_DTYPES, MAX_RAW_BITS, rank_symbols, spread

TABLE_IDS = 32
_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


@dataclass(frozen=True, eq=False)
class Table:
    """One code for one tensor.

    Raises `ValueError` when a field is out of range, the ranking is not a permutation of the symbols, or,
    without raw bits, the dtype's special values are not last. With raw bits R, it raises when the symbols of
    a class are not together, or a length, the last apart, has codewords that are no multiple of 2^R.
    """

    name: str
    """Also the name of its files: letters, digits, dot, underscore and hyphen."""
    dtype: str
    """A key of `KNOWN_DTYPES`."""
    code: Code
    raw_bits: int
    """Low bits of the symbol that are the last bits of every codeword, 0 to 3."""
    rank_to_symbol: NDArray[np.uint8]
    """uint8[256]."""
    table_id: int
    """0 to 31: what a coded block's header names."""
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
        if self.dtype not in KNOWN_DTYPES:
            raise ValueError(f"dtype {self.dtype!r}: must be one of {', '.join(KNOWN_DTYPES)}")
        if not np.array_equal(np.sort(self.rank_to_symbol), np.arange(SYMBOLS)):
            raise ValueError("rank_to_symbol: must hold each symbol 0 to 255 once")
        ranking = np.array(self.rank_to_symbol, dtype=np.uint8)
        if not 0 <= self.raw_bits <= MAX_RAW_BITS:
            raise ValueError(f"raw_bits {self.raw_bits}: must be 0 to {MAX_RAW_BITS}")
        if self.raw_bits:
            classes = ranking[:: 1 << self.raw_bits] >> self.raw_bits
            if not np.array_equal(spread(classes, self.raw_bits), ranking):
                raise ValueError(f"rank_to_symbol: {self.raw_bits} raw bits: a class must be together")
            check_raw_bits(self.code, self.raw_bits)
        else:
            special = KNOWN_DTYPES[self.dtype]
            if tuple(ranking[SYMBOLS - len(special) :].tolist()) != special:
                raise ValueError(f"rank_to_symbol: must end with {self.dtype}'s special values, ascending")
        if not 0 <= self.table_id < TABLE_IDS:
            raise ValueError(f"table_id {self.table_id}: must be 0 to {TABLE_IDS - 1}")
        if self.symbols_counted < 1:
            raise ValueError(f"symbols_counted {self.symbols_counted}: must be at least 1")
        for key in ("entropy_bits", "expected_bits"):
            bits = getattr(self, key)
            if not 0 <= bits <= self.code.lengths[-1]:
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
        return self.code.rank_lengths[self.symbol_to_rank]

    @cached_property
    def codewords(self) -> NDArray[np.uint16]:
        """uint16[256]: the codeword of each symbol, right-aligned."""
        return self.code.rank_codewords[self.symbol_to_rank]

    def classes(self, raw_bits: int | None = None) -> NDArray[np.uint8]:
        """Give the class of each class rank, uint8[2^(8 - raw_bits)]: what a decoder looks up.

        `raw_bits` are those of the hardware, 0 to those of the table, which is the default. Raises
        `ValueError` for more.
        """
        bits = self.raw_bits if raw_bits is None else raw_bits
        if not 0 <= bits <= self.raw_bits:
            raise ValueError(f"raw_bits {bits}: must be 0 to the table's {self.raw_bits}")
        return self.rank_to_symbol[:: 1 << bits] >> np.uint8(bits)

    def class_ranks(self, raw_bits: int | None = None) -> NDArray[np.uint8]:
        """Give the rank of each class, uint8[2^(8 - raw_bits)]: what an encoder looks up. See `classes`."""
        return np.argsort(self.classes(raw_bits)).astype(np.uint8)


SCHEMES = ("auto", "huffman", "area8", "area16")
"""The codes that are found for a histogram, beside those that are given."""


def calibrate(
    counts: ArrayLike,
    dtype: str,
    code: Code | str,
    name: str,
    table_id: int,
    raw_bits: int = 0,
    shortest: int = 1,
    longest: int = LONGEST,
) -> Table:
    """Make the table for a tensor from its symbols' counts, int[256].

    `code` is one, a preset's name, or one of `SCHEMES`: `auto` the best quad code, `huffman` the best of
    any number of lengths, both of `shortest` to `longest` bits and with `raw_bits` raw bits; `area8` and
    `area16` the best codes of the paper's 8 and 16 areas.

    Raises `ValueError` when there are no symbols or an argument is out of range.
    """
    checked = check_counts(counts)
    if not checked.any():
        raise ValueError("no symbols to calibrate on")
    ranking = rank_symbols(checked, dtype, raw_bits)
    by_rank = checked[ranking]
    find: dict[str, Callable[[], Code]] = {
        "auto": lambda: best_quad(by_rank, raw_bits, shortest, longest),
        "huffman": lambda: best_huffman(by_rank, raw_bits, shortest, longest),
        "area8": lambda: best_areas(by_rank, 3),
        "area16": lambda: best_areas(by_rank, 4),
    }
    if isinstance(code, Code):
        chosen = code
    elif code in find:
        chosen = find[code]()
    elif code in PRESETS:
        chosen = PRESETS[code]
    else:
        raise ValueError(f"code {code!r}: must be one of {', '.join((*SCHEMES, *PRESETS))}")
    return Table(
        name=name,
        dtype=dtype,
        code=chosen,
        raw_bits=raw_bits,
        rank_to_symbol=ranking,
        table_id=table_id,
        symbols_counted=int(checked.sum()),
        # Rounded, since log2 differs in its last digits between machines and table files should not.
        entropy_bits=round(entropy_bits(checked), 6),
        expected_bits=round(expected_bits(by_rank, chosen.rank_lengths), 6),
    )


def check_raw_bits(code: Code, raw_bits: int) -> None:
    """Raise `ValueError` unless every length but the last has a multiple of 2^raw_bits codewords."""
    for length, number in zip(code.lengths[:-1], code.numbers, strict=False):
        if number % (1 << raw_bits):
            raise ValueError(
                f"code {code}: {number} codewords of {length} bits: with {raw_bits} raw bits "
                f"it must be a multiple of {1 << raw_bits}"
            )
