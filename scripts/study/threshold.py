"""Areas by the frequency-threshold heuristic, which the study shows beside the optimum."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from qlc.code import RANKS


def threshold_extra_bits(
    counts_by_rank: NDArray[np.int64], prefix_bits: int = 3, share: float = 0.02
) -> tuple[int, ...]:
    """The extra bits of 2^P areas that each hold ``share`` of the counts, int64[256].

    Walking down the ranks, a zone is closed once it holds the share. An area has a power of two of ranks, so
    the zone is then rounded up to one. The last area takes all that is left, as does a zone that never
    reaches the share.
    """
    areas = 1 << prefix_bits
    extra_bits: list[int] = []
    base = 0
    for area in range(areas):
        ranks = RANKS - base
        if area < areas - 1:
            held = np.cumsum(counts_by_rank[base:])
            ranks = min(ranks, int(np.searchsorted(held, share * counts_by_rank.sum())) + 1)
        extra = max(ranks - 1, 0).bit_length()  # the least with 2^extra >= ranks
        extra_bits.append(extra)
        base = min(base + (1 << extra), RANKS)
    return tuple(extra_bits)
