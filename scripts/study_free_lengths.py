"""The best prefix code of at most four codeword lengths, without areas: what areas are measured against."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.histogram import check_counts
from qlc.scheme import MAX_EXTRA_BITS, MAX_PREFIX_BITS, QUAD_LENGTHS, RANKS

LONGEST = MAX_PREFIX_BITS + MAX_EXTRA_BITS
"""Bits of the longest codeword of any scheme."""


def free_quad_lengths(
    counts_by_rank: ArrayLike, limit: int = LONGEST, known_from: int = LONGEST
) -> NDArray[np.int64]:
    """Give the codeword length of each rank, int64[256], in bits, of the best such code up to `limit` bits.

    The length of a codeword is known from the first `known_from` bits at its place: where lengths change, in
    order of the codewords, the code space is cut at a multiple of 2^-known_from.

    Lengths never fall from rank to rank, which is the best there is for falling counts, int[256]. Lengths
    whose 2^-length add up to at most 1 make a prefix code (Kraft): for any four lengths a < b < c < d and
    any number of codewords of a and of b bits, as many get c bits as that leaves room for.

    Raises `ValueError` when the counts are not 256 integers of at least 0, `limit` is below 8, or
    `known_from` below 1.
    """
    counts = check_counts(counts_by_rank)
    if limit < MAX_EXTRA_BITS:
        raise ValueError(f"limit {limit}: must be at least {MAX_EXTRA_BITS}")
    if known_from < 1:
        raise ValueError(f"known_from {known_from}: must be at least 1")
    before = np.concatenate(([0], np.cumsum(counts)))  # counts of the first n ranks
    least = int(counts.sum()) * limit + 1
    lengths: NDArray[np.int64] = np.zeros(RANKS, dtype=np.int64)
    for a, b, c, d in combinations(range(1, limit + 1), QUAD_LENGTHS):
        # Codewords of a length come in steps that end at such a cut.
        step_a, step_b, step_c = (1 << max(length - known_from, 0) for length in (a, b, c))
        first = np.arange(0, min(1 << a, RANKS) + 1, step_a)[:, None]
        second = np.arange(0, min(1 << b, RANKS) + 1, step_b)[None, :]
        left = RANKS - first - second
        # In units of 2^-d; a codeword of d bits becomes one of c at the price of 2^(d-c) - 1 units.
        room = (1 << d) - RANKS - first * ((1 << d - a) - 1) - second * ((1 << d - b) - 1)
        third = np.minimum(room // ((1 << d - c) - 1), left)
        third = np.where(third == left, left, third // step_c * step_c)  # nothing comes after the last
        valid = (room >= 0) & (left >= 0)
        upto = np.where(valid, first + second, 0)
        saved = (b - a) * before[first] + (c - b) * before[upto] + (d - c) * before[upto + third * valid]
        cost = np.where(valid, d * before[-1] - saved, least)
        row, column = np.unravel_index(int(cost.argmin()), cost.shape)
        if cost[row, column] < least:
            numbers = [int(first[row, 0]), int(second[0, column]), int(third[row, column])]
            numbers.append(RANKS - sum(numbers))
            least, lengths = int(cost[row, column]), np.repeat([a, b, c, d], numbers)
    return lengths
