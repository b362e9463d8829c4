"""Schemes, tables and symbols for the tests, all from a seeded generator."""

import numpy as np
from numpy.typing import NDArray
from qlc.histogram import SYMBOLS
from qlc.scheme import PRESETS, Scheme, SchemeError
from qlc.table import Table, calibrate

EXTREMES = {
    "one-bit": Scheme(1, (0, 8)),  # the shortest codeword there is
    "twelve-bit": Scheme(4, (0,) * 15 + (8,)),  # the longest
    "all-in-area-0": Scheme(3, (8, 0, 0, 0, 0, 0, 0, 0)),  # every other codeword is illegal
    "empty-areas": Scheme(2, (7, 7, 0, 0)),
    "falling": Scheme(2, (7, 6, 5, 5)),
    "even": Scheme(4, (4,) * 16),  # no codeword is illegal
}
NAMED = {**PRESETS, **EXTREMES}


def random_scheme(rng: np.random.Generator) -> Scheme:
    """Draw any valid scheme."""
    while True:
        prefix_bits = int(rng.integers(1, 5))
        extra_bits = rng.integers(0, 9, size=1 << prefix_bits).tolist()
        try:
            return Scheme(prefix_bits, tuple(extra_bits))
        except SchemeError:
            continue


def random_table(rng: np.random.Generator, scheme: Scheme, table_id: int = 0) -> Table:
    """Draw a table of that scheme with a random ranking."""
    return calibrate(rng.permutation(SYMBOLS) + 1, "uint8", scheme, "random", table_id)


def identity_table(scheme: Scheme, table_id: int = 0) -> Table:
    """Make the table in which each symbol is its own rank."""
    return calibrate(np.arange(SYMBOLS, 0, -1), "uint8", scheme, "identity", table_id)


def frequent_symbols(rng: np.random.Generator, table: Table, count: int) -> NDArray[np.uint8]:
    """Draw symbols, mostly of low rank."""
    ranks = np.minimum(rng.exponential(20, size=count), SYMBOLS - 1).astype(np.intp)
    return table.rank_to_symbol[ranks]
