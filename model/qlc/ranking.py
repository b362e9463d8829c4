"""The ranking: which symbol gets which rank, most frequent first."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.histogram import check_counts

MAX_RAW_BITS = 3

SPECIAL_SYMBOLS: dict[str, tuple[int, ...]] = {
    "float8_e4m3fn": (0x7F, 0xFF),
    "float8_e4m3": (*range(0x78, 0x80), *range(0xF8, 0x100)),
    "float8_e5m2": (*range(0x7C, 0x80), *range(0xFC, 0x100)),
    "float8_e4m3fnuz": (0x80,),
    "float8_e4m3b11fnuz": (0x80,),
    "float8_e5m2fnuz": (0x80,),
    "uint8": (),
}
"""By dtype name (as in ml_dtypes): the encodings of NaN and infinity, ascending. In the order of hardware's
`dtype_e`; what it has no number for is in `KNOWN_DTYPES`."""

KNOWN_DTYPES: dict[str, tuple[int, ...]] = {
    **SPECIAL_SYMBOLS,
    "float8_e3m4": (*range(0x70, 0x80), *range(0xF0, 0x100)),
    "float8_e8m0fnu": (0xFF,),
}
"""As `SPECIAL_SYMBOLS`, of every dtype that a table may be for."""

MANTISSA_BITS: dict[str, int] = {
    "float8_e4m3fn": 3,
    "float8_e4m3": 3,
    "float8_e5m2": 2,
    "float8_e4m3fnuz": 3,
    "float8_e4m3b11fnuz": 3,
    "float8_e5m2fnuz": 2,
    "uint8": 0,
    "float8_e3m4": 4,
    "float8_e8m0fnu": 0,
}
"""By dtype name: the low bits of a symbol that are its mantissa."""


def rank_symbols(counts: ArrayLike, dtype: str, raw_bits: int = 0) -> NDArray[np.uint8]:
    """Give the symbol of each rank, uint8[256], from the symbols' counts, int[256].

    Without raw bits, symbols go by count, descending, then by value, ascending. Special values come last
    whatever their count, ascending by value, so that each has the same codeword in every table of a code.

    With `raw_bits` R, the classes `symbol >> R` go by the sum of their counts, descending, then by class,
    ascending. The symbols of a class follow each other.

    Raises `ValueError` for an unknown dtype, raw bits outside 0 to 3, and counts that are not 256 integers
    of at least 0.
    """
    if dtype not in KNOWN_DTYPES:
        raise ValueError(f"dtype {dtype!r}: must be one of {', '.join(KNOWN_DTYPES)}")
    if not 0 <= raw_bits <= MAX_RAW_BITS:
        raise ValueError(f"raw_bits {raw_bits}: must be 0 to {MAX_RAW_BITS}")
    if raw_bits:
        class_counts = check_counts(counts).reshape(-1, 1 << raw_bits).sum(axis=1)
        return spread(np.argsort(-class_counts, kind="stable"), raw_bits)
    keys = -check_counts(counts)
    special = np.array(KNOWN_DTYPES[dtype], dtype=np.intp)
    keys[special] = 1  # above every -count; the sort is stable, so specials stay in ascending order
    return np.argsort(keys, kind="stable").astype(np.uint8)


def spread(classes: NDArray[np.integer], raw_bits: int) -> NDArray[np.uint8]:
    """Give all symbols of classes, in the order of the classes: uint8[256] of int[2^(8 - raw_bits)]."""
    symbols = classes[:, None] << raw_bits | np.arange(1 << raw_bits)
    return symbols.reshape(-1).astype(np.uint8)


def rank_by_magnitude(counts: ArrayLike, dtype: str) -> NDArray[np.uint8]:
    """Rank the 128 magnitudes, each as its two signs, so that 128 entries tell the symbol of each rank.

    Gives the symbol of each rank, uint8[256]: rank 2 m is the positive and 2 m + 1 the negative symbol of
    the m-th magnitude. Magnitudes go by the counts of both signs, as in `rank_symbols`.

    Raises `ValueError` as `rank_symbols`, and for a dtype in which bit 7 is not a sign of every symbol.
    """
    ranks = rank_symbols(counts, dtype)
    special = np.array(KNOWN_DTYPES[dtype], dtype=np.intp)
    if dtype == "uint8" or not np.array_equal(np.unique(special ^ 0x80), special):
        raise ValueError(f"dtype {dtype!r}: its symbols are not pairs of one magnitude")
    both = check_counts(counts).reshape(2, -1).sum(axis=0)
    both[special[special < len(both)]] = -1  # behind every count
    magnitudes = np.argsort(-both, kind="stable")
    return np.stack((magnitudes, magnitudes | 0x80), axis=1).reshape(-1).astype(ranks.dtype)
