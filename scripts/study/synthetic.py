"""A synthetic distribution fitted to published figures.

The published tensors are not public. Theirs of the second feed-forward layer has a peak at zero, which a
tensor with a scale every 32 elements hardly has; the dynamic code, ``table2``, is made for such a peak.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from qlc.baselines import best_exp_golomb, compressibility, huffman_lengths
from qlc.code import PRESETS
from qlc.histogram import entropy_bits, expected_bits
from qlc.optimum import best_areas, best_quad

SHAPE = "ffn_up.act"
"""The kind whose distribution is that of the symbols beside zero."""
TOTAL = 1 << 24
"""Counts of the distribution: so fine that rounding does not show."""
STEPS = 30


def peaked(shape: NDArray[np.int64], zero: float, power: float) -> NDArray[np.int64]:
    """Counts by rank, int64[256]: rank 0 has the share ``zero``, the others a falling shape to a power."""
    rest = (shape[:-1] / shape[0]) ** power
    share = np.concatenate(([zero], (1 - zero) * rest / rest.sum()))
    return np.sort(np.maximum(np.rint(share * TOTAL), 1).astype(np.int64))[::-1]


def fit(shape: NDArray[np.int64], huffman: float, table1: float) -> tuple[float, float]:
    """The zero share and the power with which Huffman and ``table1`` save what they should, in percent."""

    def power_of(zero: float) -> float:
        low, high = 0.0, 4.0
        for _ in range(STEPS):
            power = (low + high) / 2
            counts = peaked(shape, zero, power)
            saved = compressibility(expected_bits(counts, huffman_lengths(counts)))
            low, high = (power, high) if saved < huffman else (low, power)
        return power

    low, high = 0.0, 0.4  # with Huffman held, a higher peak saves less with table1
    for _ in range(STEPS):
        zero = (low + high) / 2
        counts = peaked(shape, zero, power_of(zero))
        saved = compressibility(expected_bits(counts, PRESETS["table1"].rank_lengths))
        low, high = (zero, high) if saved > table1 else (low, zero)
    return zero, power_of(zero)


def synthetic(shape: NDArray[np.int64], huffman: float, table1: float) -> dict[str, Any]:
    """The fitted distribution and what the codes save of it, in percent.

    ``shape``, counts int64[256] by rank, falling, is that of the symbols beside zero.
    """
    zero, power = fit(shape, huffman, table1)
    counts = peaked(shape, zero, power)
    areas, quad = best_areas(counts, 3), best_quad(counts)
    bits = {
        "entropy": entropy_bits(counts),
        "huffman": expected_bits(counts, huffman_lengths(counts)),
        **{
            name: expected_bits(counts, PRESETS[name].rank_lengths) for name in ("table1", "table2", "quad16")
        },
        "area8": expected_bits(counts, areas.rank_lengths),
        "auto": expected_bits(counts, quad.rank_lengths),
        "exp-golomb": best_exp_golomb(counts)[1],
    }
    return {
        "zero": zero,
        "power": power,
        "saved": {code: compressibility(b) for code, b in bits.items()},
        "found": {"area8": str(areas.areas), "auto": str(quad)},
    }
