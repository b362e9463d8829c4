"""The areas that only the study has: against the model's codes, and the heuristic by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from qlc.code import PRESETS
from qlc.histogram import expected_bits
from qlc.optimum import best_areas

from scripts.study.areas import area_lengths, best_area_lengths, best_extra_bits
from scripts.study.codes import Counts
from scripts.study.threshold import threshold_extra_bits

COUNTS: dict[str, Counts] = {
    "falling": np.sort(np.random.default_rng(1).geometric(0.02, size=256))[::-1],
    "steep": (10**12 * 0.5 ** np.arange(256)).astype(np.int64),
    "slow": (10**9 * 0.97 ** np.arange(256)).astype(np.int64),
    "even": np.full(256, 9),
    "one symbol": np.eye(256, dtype=np.int64)[0],
}


@pytest.mark.parametrize("name", PRESETS)
def test_lengths_of_presets(name: str) -> None:
    areas = PRESETS[name].areas
    assert areas is not None
    prefix, extra = areas.split(":")
    lengths = area_lengths(int(prefix), tuple(map(int, extra.split(","))))
    assert np.array_equal(lengths, PRESETS[name].rank_lengths)


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
def test_as_good_as_the_models_codes_of_areas(counts: Counts, prefix_bits: int) -> None:
    lengths = best_area_lengths(counts, prefix_bits)
    expected = expected_bits(counts, best_areas(counts, prefix_bits).rank_lengths)
    assert expected_bits(counts, lengths) == expected


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("prefix_bits", [5, 6])
def test_more_areas_make_a_prefix_code_too(counts: Counts, prefix_bits: int) -> None:
    lengths = best_area_lengths(counts, prefix_bits)
    assert lengths.shape == (256,)
    assert prefix_bits <= lengths.min() <= lengths.max() <= 12
    assert len(np.unique(lengths)) <= 4
    assert (2.0**-lengths).sum() <= 1


def tried_one_by_one(counts: Counts, areas: int, max_extra: int, max_lengths: int) -> tuple[int, ...]:
    """The least cost, then the first in order, over every sequence of extra bits."""
    offers = []
    for extra_bits in product(range(max_extra + 1), repeat=areas):
        ends = np.minimum(np.cumsum(1 << np.array(extra_bits)), len(counts))
        sizes = np.diff(ends, prepend=0)
        used = [e if size else 0 for e, size in zip(extra_bits, sizes, strict=True)]
        lengths = {e for e, size in zip(used, sizes, strict=True) if size}
        if ends[-1] == len(counts) and len(lengths) <= max_lengths:
            offers.append((int((np.repeat(used, sizes) * counts).sum()), tuple(used)))
    return min(offers)[1]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("ranks", "areas", "max_extra"), [(9, 5, 3), (16, 8, 2), (11, 6, 3), (3, 4, 2), (1, 2, 1)]
)
def test_all_extra_bits_of_small_alphabets(seed: int, ranks: int, areas: int, max_extra: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 1 + 10 ** (seed % 4), size=ranks)
    for max_lengths in (1, 2, 4):
        expected = tried_one_by_one(counts, areas, max_extra, max_lengths)
        assert best_extra_bits(counts, areas, max_extra, max_lengths) == expected


def test_among_equals_the_first_in_order() -> None:
    # Four ranks of one count in two areas: 1 extra bit each, or 2 and an empty one.
    assert best_extra_bits(np.array([1, 1, 1, 1]), 2, 2, 4) == (1, 1)
    # Without counts all cost nothing.
    assert best_extra_bits(np.zeros(4, dtype=np.int64), 2, 2, 4) == (0, 2)


def test_threshold_by_hand() -> None:
    # 2 % of 1000 is 20: zones of 1, 1, 3 (rounded to 4) and 1 rank, then the rest.
    counts = np.array([500, 20, 19, 0, 1, 0, 400, *[1] * 60, *[0] * 189])
    assert counts.sum() == 1000
    assert threshold_extra_bits(counts, 2) == (0, 0, 2, 8)
    # After these 7 ranks two zones of 20 ranks, rounded to 32; the 185 ranks left hold nothing.
    assert threshold_extra_bits(counts, 3) == (0, 0, 2, 0, 5, 5, 8, 0)


def test_threshold_of_an_even_histogram() -> None:
    # 2 % is 5.12 ranks, so 6, rounded to 8: 7 zones, and 200 ranks left.
    assert threshold_extra_bits(COUNTS["even"]) == (3,) * 7 + (8,)
    assert threshold_extra_bits(COUNTS["even"], share=1 / 8) == (5,) * 8


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
def test_closed_zones_of_the_threshold_hold_the_share(counts: Counts, prefix_bits: int) -> None:
    extra = threshold_extra_bits(counts, prefix_bits)
    ends = np.minimum(np.cumsum(1 << np.array(extra)), 256)
    assert ends[-1] == 256
    held = [part.sum() for part in np.split(counts, ends[:-1])]
    used = int((np.diff(ends, prepend=0) > 0).sum())
    assert all(h >= 0.02 * counts.sum() for h in held[: used - 1])
