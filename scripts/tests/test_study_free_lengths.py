"""The best code of four lengths by the study's search: against the model's, Huffman's and others."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from qlc.baselines import huffman_lengths, limited_huffman_lengths
from qlc.histogram import expected_bits
from qlc.optimum import best_quad

from scripts.study.codes import Counts
from scripts.study.free_lengths import free_quad_lengths
from scripts.tests.test_study_areas import COUNTS


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("known_bits", [4, 6, 12])
def test_a_prefix_code_of_four_lengths(counts: Counts, known_bits: int) -> None:
    lengths = free_quad_lengths(counts, known_bits)
    assert lengths.shape == (256,)
    assert (2.0 ** -lengths.astype(float)).sum() <= 1
    assert len(np.unique(lengths)) <= 4
    assert 1 <= lengths[0] <= lengths[-1] <= 12
    assert (np.diff(lengths) >= 0).all()


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("known_bits", [3, 4, 5, 6])
def test_as_good_as_the_models_code(counts: Counts, known_bits: int) -> None:
    found = best_quad(counts, known_bits=known_bits).rank_lengths
    assert expected_bits(counts, free_quad_lengths(counts, known_bits)) == expected_bits(counts, found)


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
def test_between_huffman_and_the_quad_code(counts: Counts) -> None:
    counts = np.maximum(counts, 1)  # so that Huffman's code too has a codeword for each
    free = expected_bits(counts, free_quad_lengths(counts))
    assert expected_bits(counts, limited_huffman_lengths(counts, 12)) <= free
    assert free <= expected_bits(counts, best_quad(counts).rank_lengths)


def test_as_good_as_huffman_where_that_has_four_lengths() -> None:
    counts = np.repeat([64, 16, 4, 1], [8, 8, 48, 192])
    huffman = huffman_lengths(counts)
    assert len(np.unique(huffman)) <= 4
    assert expected_bits(counts, free_quad_lengths(counts)) == expected_bits(counts, huffman)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_split_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = np.sort((rng.exponential(1, size=256) ** 3 * 1000).astype(np.int64))[::-1]
    best = int((counts * free_quad_lengths(counts)).sum())
    before = np.concatenate(([0], np.cumsum(counts)))
    sets = np.array(list(combinations(range(1, 13), 4)))
    for _ in range(20000):
        some = sets[rng.integers(len(sets))]
        cuts = np.sort(rng.integers(0, 257, size=3))
        numbers = np.diff(cuts, prepend=0, append=256)
        if (numbers / 2.0**some).sum() <= 1:
            sums = np.diff(before[np.concatenate(([0], cuts, [256]))])
            assert int((sums * some).sum()) >= best


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("known_bits", [1, 3, 4, 5, 6, 12])
def test_length_is_known_from_the_first_bits(counts: Counts, known_bits: int) -> None:
    lengths = free_quad_lengths(counts, known_bits)
    starts = np.concatenate(([0], np.cumsum(2 ** (12 - lengths))))[:-1]
    heads = starts >> (12 - known_bits)
    for head in np.unique(heads):
        inside = (heads == head) & (lengths >= known_bits)
        assert len(np.unique(lengths[inside])) <= 1
