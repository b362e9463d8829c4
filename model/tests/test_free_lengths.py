"""The best code of four free lengths: against trying every split, against Huffman, against areas."""

from itertools import combinations

import numpy as np
import pytest
from qlc.baselines import huffman_lengths, limited_huffman_lengths
from qlc.free_lengths import free_quad_lengths
from qlc.histogram import expected_bits
from qlc.optimum import best_scheme

COUNTS = {
    "falling": np.sort(np.random.default_rng(1).geometric(0.02, size=256))[::-1],
    "steep": (10**12 * 0.5 ** np.arange(256)).astype(np.int64),
    "slow": (10**9 * 0.97 ** np.arange(256)).astype(np.int64),
    "even": np.full(256, 9),
    "one symbol": np.eye(256, dtype=np.int64)[0],
}


def kraft(lengths):
    return (2.0 ** -lengths.astype(float)).sum()


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("limit", [8, 9, 12, 15])
def test_a_prefix_code_of_four_lengths(counts, limit):
    lengths = free_quad_lengths(counts, limit)
    assert lengths.shape == (256,)
    assert kraft(lengths) <= 1
    assert len(np.unique(lengths)) <= 4
    assert 1 <= lengths[0] <= lengths[-1] <= limit
    assert (np.diff(lengths) >= 0).all()


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
def test_between_huffman_and_areas(counts):
    counts = np.maximum(counts, 1)  # so that Huffman's code too has a codeword for each
    free = expected_bits(counts, free_quad_lengths(counts))
    assert free >= expected_bits(counts, limited_huffman_lengths(counts, 12))
    for prefix_bits in (1, 2, 3, 4):
        assert free <= expected_bits(counts, best_scheme(counts, prefix_bits).lengths)


def test_as_good_as_huffman_where_that_has_four_lengths():
    counts = np.repeat([64, 16, 4, 1], [8, 8, 48, 192])
    huffman = huffman_lengths(counts)
    assert len(np.unique(huffman)) <= 4
    assert expected_bits(counts, free_quad_lengths(counts)) == expected_bits(counts, huffman)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_split_is_better(seed):
    rng = np.random.default_rng(seed)
    counts = np.sort((rng.exponential(1, size=256) ** 3 * 1000).astype(np.int64))[::-1]
    best = int((counts * free_quad_lengths(counts, 10)).sum())
    before = np.concatenate(([0], np.cumsum(counts)))
    sets = np.array(list(combinations(range(1, 11), 4)))
    for _ in range(20000):
        a, b, c, d = sets[rng.integers(len(sets))].tolist()
        cuts = np.sort(rng.integers(0, 257, size=3))
        numbers = np.diff(cuts, prepend=0, append=256)
        if (numbers / 2.0 ** np.array([a, b, c, d])).sum() <= 1:
            sums = np.diff(before[np.concatenate(([0], cuts, [256]))])
            assert int((sums * [a, b, c, d]).sum()) >= best


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("known_from", [1, 3, 4, 5, 6, 12])
def test_length_is_known_from_the_first_bits(counts, known_from):
    lengths = free_quad_lengths(counts, known_from=known_from)
    assert kraft(lengths) <= 1
    starts = np.concatenate(([0], np.cumsum(2 ** (12 - lengths))))[:-1]
    heads = starts >> (12 - known_from)
    for head in np.unique(heads):
        inside = (heads == head) & (lengths >= known_from)
        assert len(np.unique(lengths[inside])) <= 1


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
def test_areas_are_lengths_known_from_the_prefix(counts):
    totals = []
    for known_from in (2, 3, 4):
        totals.append(expected_bits(counts, free_quad_lengths(counts, known_from=known_from)))
        assert totals[-1] <= expected_bits(counts, best_scheme(counts, known_from).lengths)
    assert totals == sorted(totals, reverse=True)


def test_refusals():
    with pytest.raises(ValueError, match=r"^limit 7: must be at least 8$"):
        free_quad_lengths(COUNTS["even"], 7)
    with pytest.raises(ValueError, match=r"^known_from 0: must be at least 1$"):
        free_quad_lengths(COUNTS["even"], known_from=0)
    with pytest.raises(ValueError, match=r"^counts must be 256 integers"):
        free_quad_lengths([1] * 255)
