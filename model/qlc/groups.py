"""Groups of symbols that each choose one of a few resident tables. Studied only: no part of the format.

Groups are uint8[groups, symbols]: a tensor's symbols, cut into rows. A table is the codeword lengths of the
symbols, int[256].
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qlc.histogram import SYMBOLS, count_symbols

Groups = NDArray[np.uint8]
Lengths = NDArray[np.integer]
Maker = Callable[[NDArray[np.int64]], Lengths]
"""Makes a table from counts, int64[256]."""

ROUNDS = 10


def group_bits(groups: Groups, tables: Lengths) -> NDArray[np.int64]:
    """Give the bits of each group with each of the tables, int[tables, 256]: int64[tables, groups]."""
    return np.stack([table.astype(np.uint8)[groups].sum(axis=1, dtype=np.int64) for table in tables])


def cheapest(groups: Groups, tables: Lengths) -> int:
    """Give the bits of all groups when each takes its cheapest table, without the bits that name it."""
    return int(group_bits(groups, tables).min(axis=0).sum())


def train(groups: Groups, number: int, make: Maker, start: Lengths | None = None) -> Lengths:
    """Make a number of tables for groups: int[number, 256].

    Alternates as k-means does (S. Lloyd, "Least squares quantization in PCM", IEEE Trans. Information
    Theory 28(2), 1982): each group to its cheapest table, each table made anew of its groups, until no
    group moves, for `ROUNDS` rounds at most. Begins with tables `start`; else with the groups in order of
    their bits under one table for all, cut into equal parts. A table without groups stays as it was.
    """
    if start is None:
        one = make(count_symbols(groups.reshape(-1)))[None, :]
        order = np.argsort(group_bits(groups, one)[0], kind="stable")
        chosen = np.empty(len(groups), dtype=np.intp)
        chosen[order] = np.arange(len(groups)) * number // len(groups)
        tables = np.repeat(one, number, axis=0)
    else:
        tables = start.copy()
        chosen = group_bits(groups, tables).argmin(axis=0)
    for _ in range(ROUNDS):
        places = (chosen[:, None] * SYMBOLS + groups).reshape(-1)
        counts = np.bincount(places, minlength=number * SYMBOLS).reshape(number, SYMBOLS)
        for table in np.flatnonzero(counts.any(axis=1)).tolist():
            tables[table] = make(counts[table])
        moved = group_bits(groups, tables).argmin(axis=0)
        if np.array_equal(moved, chosen):
            break
        chosen = moved
    return tables
