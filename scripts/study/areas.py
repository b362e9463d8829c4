"""The paper's areas with any number of prefix bits, beside codes by limits.

Areas are 2^P equal parts of the code space. Area a has 2^extra[a] codewords of P + extra[a] bits, and takes
as many of the ranks, in order.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from qlc.code import LONGEST, QUAD_LENGTHS, RANKS

MAX_EXTRA_BITS = 8

_IMPOSSIBLE = np.int64(1) << 62


def area_lengths(prefix_bits: int, extra_bits: tuple[int, ...]) -> NDArray[np.int64]:
    """The codeword length of each rank, int64[256], in bits."""
    extra = np.array(extra_bits)
    return prefix_bits + np.repeat(extra, 1 << extra)[:RANKS]


def best_area_lengths(counts_by_rank: NDArray[np.int64], prefix_bits: int) -> NDArray[np.int64]:
    """The lengths of the best code of 2^P areas, with at most four lengths up to 12 bits, int64[256]."""
    max_extra = min(MAX_EXTRA_BITS, LONGEST - prefix_bits)
    extra = best_extra_bits(counts_by_rank, 1 << prefix_bits, max_extra, QUAD_LENGTHS)
    return area_lengths(prefix_bits, extra)


def best_extra_bits(
    counts: NDArray[np.int64], areas: int, max_extra: int, max_lengths: int
) -> tuple[int, ...]:
    """The extra bits, 0 to ``max_extra``, of so many areas with the least expected length for the counts.

    ``counts`` are those of the ranks, int64[ranks]. At most ``max_lengths`` different extra bits. Among
    equals it is the sequence that comes first in lexicographic order.

    Dynamic programming, once for every set of allowed extra bits. The prefix adds the same length to
    every codeword, so the cost of a rank is its count times its area's extra bits, and

        cost[area, rank] = min over extra of
            extra * (counts in the ranks rank to end - 1) + cost[area + 1, end],  end = rank + 2^extra

    is the least cost of the ranks from ``rank`` on when they start at ``area``. ``end`` stops at the last
    rank, and no ranks left cost nothing: the areas after are empty, with extra bits 0.
    """
    ranks = len(counts)
    count_before = np.concatenate(([0], np.cumsum(counts)))
    extras = range(max_extra + 1)
    end = [np.minimum(np.arange(ranks) + (1 << e), ranks) for e in extras]
    price = [e * (count_before[end[e]] - count_before[:-1]) for e in extras]

    # Smaller sets are inside these, so sets of the full size are enough.
    set_size = min(max_lengths, len(extras))
    allowed = np.array([[e in s for e in extras] for s in combinations(extras, set_size)])
    sets_with = [np.flatnonzero(allowed[:, e]) for e in extras]

    cost = np.full((areas + 1, len(allowed), ranks + 1), _IMPOSSIBLE)
    cost[:, :, ranks] = 0
    for area in reversed(range(areas)):
        for e in extras:
            sets = sets_with[e]
            offer = cost[area + 1][np.ix_(sets, end[e])] + price[e]
            cost[area, sets, :ranks] = np.minimum(cost[area, sets, :ranks], offer)

    # Walk the sets that reach the least cost, all at once, always by the smallest extra bits.
    best = np.flatnonzero(cost[0, :, 0] == cost[0, :, 0].min())
    rank = 0
    chosen: list[int] = []
    for area in range(areas):
        if rank == ranks:
            chosen.append(0)
            continue
        for e in extras:
            sets = best[allowed[best, e]]
            after = int(end[e][rank])
            reached = cost[area + 1, sets, after] + price[e][rank] == cost[area, sets, rank]
            if reached.any():
                chosen.append(e)
                best = sets[reached]
                rank = after
                break
    return tuple(chosen)
