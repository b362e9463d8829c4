"""The optimum scheme: the one with the least expected codeword length for a histogram."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.histogram import check_counts
from qlc.scheme import MAX_EXTRA_BITS, MAX_PREFIX_BITS, QUAD_LENGTHS, Scheme

_IMPOSSIBLE = np.int64(1) << 62


def best_scheme(
    counts_by_rank: ArrayLike, prefix_bits: int = 3, max_lengths: int | None = QUAD_LENGTHS
) -> Scheme:
    """Find the valid scheme with the least expected length for the counts of the ranks, int[256].

    `max_lengths` limits the number of distinct codeword lengths; None sets no limit. The result is exact
    for any counts, also where the last ranks are frequent special values. Among equals it is the one
    whose extra bits, read as a sequence, come first in lexicographic order.

    Raises `ValueError` when the counts are not 256 integers of at least 0, `prefix_bits` is not 1 to 4, or
    `max_lengths` is below 1.
    """
    if not 1 <= prefix_bits <= MAX_PREFIX_BITS:
        raise ValueError(f"prefix bits {prefix_bits}: must be 1 to {MAX_PREFIX_BITS}")
    if max_lengths is not None and max_lengths < 1:
        raise ValueError(f"max_lengths {max_lengths}: must be at least 1")
    extra_bits = best_extra_bits(check_counts(counts_by_rank), 1 << prefix_bits, MAX_EXTRA_BITS, max_lengths)
    return Scheme(prefix_bits, extra_bits)


def best_extra_bits(
    counts: NDArray[np.int64], areas: int, max_extra: int, max_lengths: int | None
) -> tuple[int, ...]:
    """Solve `best_scheme` for any number of ranks, areas and extra bits (0 to `max_extra`).

    Dynamic programming, once for every set of allowed extra bits. The prefix adds the same length to
    every codeword, so the cost of a rank is its count times its area's extra bits, and

        cost[area, rank] = min over extra of
            extra * (counts in the ranks rank to end - 1) + cost[area + 1, end],  end = rank + 2^extra

    is the least cost of the ranks from `rank` on when they start at `area`. `end` stops at the last rank,
    and no ranks left cost nothing: the areas after are empty, with extra bits 0.
    """
    ranks = len(counts)
    count_before = np.concatenate(([0], np.cumsum(counts)))
    extras = range(max_extra + 1)
    end = [np.minimum(np.arange(ranks) + (1 << e), ranks) for e in extras]
    price = [e * (count_before[end[e]] - count_before[:-1]) for e in extras]

    # Smaller sets are inside these, so sets of the full size are enough.
    set_size = len(extras) if max_lengths is None else min(max_lengths, len(extras))
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
