"""A scheme by the frequency-threshold heuristic, shown beside the optimum."""

import numpy as np
from numpy.typing import ArrayLike

from qlc.histogram import SYMBOLS, check_counts
from qlc.scheme import Scheme


def threshold_scheme(counts_by_rank: ArrayLike, prefix_bits: int = 3, share: float = 0.02) -> Scheme:
    """Cut the ranks into zones that each hold `share` of the counts, and make each zone an area.

    Walking down the ranks (counts int[256]), a zone is closed once it holds the share. An area has a power
    of two of ranks, so the zone is then rounded up to one. The last of the 2^P areas takes all that is
    left, as does a zone that never reaches the share.

    Raises `ValueError` when the counts are not 256 integers of at least 0, and `SchemeError` when
    `prefix_bits` is not 1 to 4.
    """
    counts = check_counts(counts_by_rank)
    areas = 1 << prefix_bits
    extra_bits: list[int] = []
    base = 0
    for area in range(areas):
        ranks = SYMBOLS - base
        if area < areas - 1:
            held = np.cumsum(counts[base:])
            ranks = min(ranks, int(np.searchsorted(held, share * counts.sum())) + 1)
        extra = max(ranks - 1, 0).bit_length()  # the least with 2^extra >= ranks
        extra_bits.append(extra)
        base = min(base + (1 << extra), SYMBOLS)
    return Scheme(prefix_bits, tuple(extra_bits))
