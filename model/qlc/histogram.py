"""The histogram: how often each of the 256 symbols occurs, and its entropy."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

SYMBOLS = 256
_COUNT_CHUNK = 1 << 20
MAX_TOTAL = 1 << 45
"""Symbols that can be counted in all: so many that the searches for codes never leave 64 bits."""


def as_symbols(array: NDArray[Any]) -> NDArray[np.uint8]:
    """Give the bytes of a one-dimensional array of uint8, or of an 8-bit float of ml_dtypes, uint8[n].

    Raises `ValueError` for any other array: what it holds would be cut to bytes, or has no order.
    """
    array = np.asarray(array)
    if array.ndim != 1:
        raise ValueError(f"symbols: {array.ndim} dimensions: must be 1; reshape(-1) makes it so")
    if array.dtype != np.uint8 and not array.dtype.name.startswith("float8_"):
        raise ValueError(f"symbols: dtype {array.dtype}: must be uint8 or an 8-bit float")
    return np.ascontiguousarray(array).view(np.uint8)


def count_symbols(symbols: NDArray[Any]) -> NDArray[np.int64]:
    """Count each symbol of an array as `as_symbols` takes it: int64[256]. Raises `ValueError` as that."""
    symbols = as_symbols(symbols)
    counts = np.zeros(SYMBOLS, dtype=np.int64)
    for start in range(0, len(symbols), _COUNT_CHUNK):  # bincount's own copy has 8 bytes a symbol
        counts += np.bincount(symbols[start : start + _COUNT_CHUNK], minlength=SYMBOLS)
    return counts


def check_counts(counts: ArrayLike) -> NDArray[np.int64]:
    """Give the counts as a new int64[256] array.

    Raises `ValueError` when they are not 256 integers of at least 0, or more than `MAX_TOTAL` in all.
    """
    array = np.asarray(counts)
    if array.shape != (SYMBOLS,) or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"counts must be {SYMBOLS} integers of at least 0")
    if sum(array.tolist()) > MAX_TOTAL:
        raise ValueError(f"counts must be {MAX_TOTAL} at most in all")
    return array.astype(np.int64)


def entropy_bits(counts: NDArray[np.int64]) -> float:
    """Give the Shannon entropy of the counts (any shape, sum above 0) in bits a symbol."""
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0  # + 0.0 turns -0.0 into 0.0


def expected_bits(counts: NDArray[np.int64], lengths: NDArray[np.integer]) -> float:
    """Give the mean codeword length in bits a symbol; counts and lengths have the same shape and order."""
    return int((counts * lengths).sum()) / int(counts.sum())
