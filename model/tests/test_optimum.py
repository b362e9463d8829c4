"""The optimum against trying everything."""

from itertools import product

import numpy as np
import pytest
from qlc.histogram import expected_bits
from qlc.optimum import best_extra_bits, best_scheme
from qlc.scheme import PRESETS, Scheme, SchemeError

from tests.samples import random_scheme

HISTOGRAMS = {
    "falling": np.sort(np.random.default_rng(1).geometric(0.02, size=256))[::-1],
    "special values last": np.concatenate((np.arange(254, 0, -1), [5000, 70000])),
    "any order": np.random.default_rng(2).integers(0, 1000, size=256),
    "steep": (10**12 * 0.5 ** np.arange(256)).astype(np.int64),
    "even": np.full(256, 9),
    "one symbol": np.eye(256, dtype=np.int64)[0],
    "only the last symbol": np.eye(256, dtype=np.int64)[255],
}


def lengths_in_use(extra_bits, ranks):
    """The distinct extra bits of areas that hold ranks, and the sizes; None when ranks are left over."""
    base, sizes = 0, []
    for extra in extra_bits:
        sizes.append(min(2**extra, ranks - base))
        base += sizes[-1]
    used = {e for e, size in zip(extra_bits, sizes, strict=True) if size}
    return (used, sizes) if base == ranks else None


def tried_one_by_one(counts, areas, max_extra, max_lengths):
    """The least cost, then the first in order, over every sequence of extra bits."""
    offers = []
    for extra_bits in product(range(max_extra + 1), repeat=areas):
        found = lengths_in_use(extra_bits, len(counts))
        if found is None or len(found[0]) > (max_lengths or 99):
            continue
        canonical = tuple(e if size else 0 for e, size in zip(extra_bits, found[1], strict=True))
        offers.append((int((np.repeat(canonical, found[1]) * counts).sum()), canonical))
    return min(offers)[1]


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize("prefix_bits", [1, 2])
@pytest.mark.parametrize("max_lengths", [1, 2, 3, None])
def test_all_schemes_of_1_and_2_prefix_bits(counts, prefix_bits, max_lengths):
    expected = tried_one_by_one(counts, 1 << prefix_bits, 8, max_lengths)
    assert best_scheme(counts, prefix_bits, max_lengths).extra_bits == expected


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("ranks", "areas", "max_extra"), [(9, 5, 3), (16, 8, 2), (11, 6, 3), (3, 4, 2), (1, 2, 1)]
)
def test_all_schemes_of_small_alphabets(seed, ranks, areas, max_extra):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 1 + 10 ** (seed % 4), size=ranks)
    if seed % 2:
        counts = np.sort(counts)[::-1]
    for max_lengths in (1, 2, 3, None):
        expected = tried_one_by_one(counts, areas, max_extra, max_lengths)
        assert best_extra_bits(counts, areas, max_extra, max_lengths) == expected


def test_rising_extra_bits_are_not_taken_for_granted():
    counts = HISTOGRAMS["only the last symbol"]
    assert best_scheme(counts, 2).extra_bits == (5, 6, 7, 5)
    frequent_tail = np.concatenate((np.full(128, 1), np.full(128, 50)))
    extra_bits = best_scheme(frequent_tail, 2).extra_bits
    assert list(extra_bits) != sorted(extra_bits)


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize("prefix_bits", [3, 4])
def test_no_random_scheme_is_better(counts, prefix_bits):
    rng = np.random.default_rng(5)
    quad = expected_bits(counts, best_scheme(counts, prefix_bits).lengths)
    free = expected_bits(counts, best_scheme(counts, prefix_bits, None).lengths)
    assert free <= quad
    others = [random_scheme(rng) for _ in range(3000)]
    others += [PRESETS[name] for name in PRESETS]
    # Neighbours of the optimum: one area more or less, where that is valid.
    best = best_scheme(counts, prefix_bits, None).extra_bits
    for area, change in product(range(len(best)), (-1, 1)):
        moved = list(best)
        moved[area] += change
        try:
            others.append(Scheme(prefix_bits, tuple(moved)))
        except SchemeError:
            continue
    for other in others:
        if other.prefix_bits == prefix_bits:
            assert expected_bits(counts, other.lengths) >= free
            if other.is_quad:
                assert expected_bits(counts, other.lengths) >= quad


@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
@pytest.mark.parametrize("max_lengths", [1, 2, 3, 4, None])
def test_the_number_of_lengths_is_kept(prefix_bits, max_lengths):
    scheme = best_scheme(HISTOGRAMS["falling"], prefix_bits, max_lengths)
    assert scheme.prefix_bits == prefix_bits
    assert len(scheme.distinct_lengths) <= (max_lengths or 256)


def test_ties_go_to_the_first_in_lexicographic_order():
    assert best_scheme(HISTOGRAMS["one symbol"]).extra_bits == (0, 0, 0, 0, 0, 0, 0, 8)
    assert best_scheme(HISTOGRAMS["even"]).extra_bits == (5,) * 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1] * 255,), "counts must be 256 integers"),
        (([1] * 256, 0), "prefix bits 0: must be 1 to 4"),
        (([1] * 256, 5), "prefix bits 5: must be 1 to 4"),
        (([1] * 256, 3, 0), "max_lengths 0: must be at least 1"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ValueError, match="^" + message):
        best_scheme(*arguments)
