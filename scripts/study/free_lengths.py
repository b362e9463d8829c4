"""The best prefix code of four codeword lengths, by another search than the model's.

With all 12 bits known it tells the study what a quad code loses by its limits. With 6 it must
find a code as good as the model's.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from qlc.code import LONGEST, QUAD_LENGTHS, RANKS


def free_quad_lengths(counts: NDArray[np.int64], known_bits: int = LONGEST) -> NDArray[np.int64]:
    """The codeword length of each rank, int64[256], in bits, of the best such code up to 12 bits.

    ``known_bits`` tell a codeword's length: where lengths change, in order of the codewords, the code space
    is cut at a multiple of 2^-known_bits.

    Lengths never fall from rank to rank, which is the best there is for falling counts, int[256]. Lengths
    whose 2^-length add up to at most 1 make a prefix code (Kraft): for any four lengths a < b < c < d and
    any number of codewords of a and of b bits, as many get c bits as that leaves room for.
    """
    before = np.concatenate(([0], np.cumsum(counts)))  # counts of the first n ranks
    least = int(counts.sum()) * LONGEST + 1
    lengths: NDArray[np.int64] = np.zeros(RANKS, dtype=np.int64)
    for a, b, c, d in combinations(range(1, LONGEST + 1), QUAD_LENGTHS):
        # Codewords of a length come in steps that end at such a cut.
        step_a, step_b, step_c = (1 << max(length - known_bits, 0) for length in (a, b, c))
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
