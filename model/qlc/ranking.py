"""The ranking: which symbol gets which rank, most frequent first."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.histogram import check_counts

SPECIAL_SYMBOLS: dict[str, tuple[int, ...]] = {
    "float8_e4m3fn": (0x7F, 0xFF),
    "float8_e4m3": (*range(0x78, 0x80), *range(0xF8, 0x100)),
    "float8_e5m2": (*range(0x7C, 0x80), *range(0xFC, 0x100)),
    "float8_e4m3fnuz": (0x80,),
    "float8_e4m3b11fnuz": (0x80,),
    "float8_e5m2fnuz": (0x80,),
    "uint8": (),
}
"""By dtype name (as in ml_dtypes): the encodings of NaN and infinity, ascending."""


def rank_symbols(counts: ArrayLike, dtype: str) -> NDArray[np.uint8]:
    """Give the symbol of each rank, uint8[256], from the symbols' counts, int[256].

    Symbols go by count, descending, then by value, ascending. Special values come last whatever their
    count, ascending by value, so that each has the same codeword in every table of a scheme.

    Raises `ValueError` for an unknown dtype and for counts that are not 256 integers of at least 0.
    """
    if dtype not in SPECIAL_SYMBOLS:
        raise ValueError(f"dtype {dtype!r}: must be one of {', '.join(SPECIAL_SYMBOLS)}")
    keys = -check_counts(counts)
    special = np.array(SPECIAL_SYMBOLS[dtype], dtype=np.intp)
    keys[special] = 1  # above every -count; the sort is stable, so specials stay in ascending order
    return np.argsort(keys, kind="stable").astype(np.uint8)


def rank_by_magnitude(counts: ArrayLike, dtype: str) -> NDArray[np.uint8]:
    """Rank the 128 magnitudes, each as its two signs, so that 128 entries tell the symbol of each rank.

    Gives the symbol of each rank, uint8[256]: rank 2 m is the positive and 2 m + 1 the negative symbol of
    the m-th magnitude. Magnitudes go by the counts of both signs, as in `rank_symbols`.

    Raises `ValueError` as `rank_symbols`, and for a dtype in which bit 7 is not a sign of every symbol.
    """
    ranks = rank_symbols(counts, dtype)
    special = np.array(SPECIAL_SYMBOLS[dtype], dtype=np.intp)
    if dtype == "uint8" or not np.array_equal(np.unique(special ^ 0x80), special):
        raise ValueError(f"dtype {dtype!r}: its symbols are not pairs of one magnitude")
    both = check_counts(counts).reshape(2, -1).sum(axis=0)
    both[special[special < len(both)]] = -1  # behind every count
    magnitudes = np.argsort(-both, kind="stable")
    return np.stack((magnitudes, magnitudes | 0x80), axis=1).reshape(-1).astype(ranks.dtype)
