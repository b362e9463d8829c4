import heapq
from itertools import combinations_with_replacement, count

import numpy as np
import pytest
from qlc.baselines import (
    best_exp_golomb,
    compressibility,
    elias_gamma_lengths,
    exp_golomb_lengths,
    huffman_lengths,
    limited_huffman_lengths,
)
from qlc.histogram import entropy_bits


def total(counts, lengths):
    return int((counts * lengths).sum())


def huffman_total(counts):
    """The total bits of a Huffman code: the sum of all merged weights."""
    order = count()
    heap = [(int(c), next(order)) for c in counts if c]
    heapq.heapify(heap)
    bits = 0
    while len(heap) > 1:
        merged = heapq.heappop(heap)[0] + heapq.heappop(heap)[0]
        bits += merged
        heapq.heappush(heap, (merged, next(order)))
    return bits


def best_total(counts, limit, shortest=1):
    """The least total bits over every choice of lengths that a prefix code can have (Kraft)."""
    falling = sorted((int(c) for c in counts if c), reverse=True)
    return min(
        sum(c * n for c, n in zip(falling, lengths, strict=True))
        for lengths in combinations_with_replacement(range(shortest, limit + 1), len(falling))
        if sum(2.0**-n for n in lengths) <= 1
    )


COUNTS = {
    "falling": np.sort(np.random.default_rng(1).geometric(0.02, size=256))[::-1],
    "steep": (10**9 * 0.7 ** np.arange(256)).astype(np.int64),
    "even": np.full(256, 3),
    "two": np.eye(256, dtype=np.int64)[[0, 9]].sum(axis=0),
}


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
def test_huffman(counts) -> None:
    lengths = huffman_lengths(counts)
    assert total(counts, lengths) == huffman_total(counts)
    assert np.array_equal(lengths > 0, counts > 0)
    assert (2.0 ** -lengths[counts > 0]).sum() == 1
    assert entropy_bits(counts) <= total(counts, lengths) / counts.sum() < entropy_bits(counts) + 1


@pytest.mark.parametrize("lengths_of", [huffman_lengths, lambda counts: limited_huffman_lengths(counts, 3)])
def test_a_single_symbol_takes_one_bit(lengths_of) -> None:
    assert lengths_of(np.array([0, 7, 0])).tolist() == [0, 1, 0]


@pytest.mark.parametrize("seed", range(30))
def test_limited_huffman_is_the_best_there_is(seed) -> None:
    rng = np.random.default_rng(seed)
    counts = (10 * rng.exponential(1, size=int(rng.integers(2, 9))) ** 3).astype(np.int64) + 1
    for limit in range(3, 7):
        lengths = limited_huffman_lengths(counts, limit)
        assert lengths.max() <= limit
        assert (2.0**-lengths).sum() == 1
        assert total(counts, lengths) == best_total(counts, limit)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("shortest", [1, 2, 3])
def test_limited_huffman_from_a_shortest_codeword_on(seed, shortest) -> None:
    rng = np.random.default_rng(seed)
    counts = (10 * rng.exponential(1, size=int(rng.integers(2, 9))) ** 3).astype(np.int64) + 1
    for limit in range(shortest + 1, 7):
        if len(counts) <= 1 << limit:
            lengths = limited_huffman_lengths(counts, limit, shortest)
            assert lengths.min() >= shortest
            assert lengths.max() <= limit
            assert total(counts, lengths) == best_total(counts, limit, shortest)


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
def test_limited_huffman_nears_huffman(counts) -> None:
    totals = []
    for limit in range(8, 30):
        lengths = limited_huffman_lengths(counts, limit)
        assert lengths.max() <= limit
        assert (2.0 ** -lengths[counts > 0]).sum() == 1
        assert np.array_equal(lengths > 0, counts > 0)
        totals.append(total(counts, lengths))
        assert (totals[-1] == huffman_total(counts)) == (limit >= huffman_lengths(counts).max())
    assert totals == sorted(totals, reverse=True)


def test_too_few_codewords() -> None:
    with pytest.raises(ValueError, match=r"^5 symbols: 2 bits make 4 codewords$"):
        limited_huffman_lengths(np.array([1, 1, 0, 1, 1, 1]), 2)


@pytest.mark.parametrize("order", range(9))
def test_exp_golomb_lengths_are_those_of_the_codewords(order) -> None:
    for rank, length in enumerate(exp_golomb_lengths(order)):
        value = format((rank >> order) + 1, "b")
        codeword = "0" * (len(value) - 1) + value + (format(rank % 2**order, f"0{order}b") if order else "")
        assert length == len(codeword)


def test_elias_gamma_lengths() -> None:
    lengths = elias_gamma_lengths()
    assert lengths[[0, 1, 2, 3, 6, 7, 254, 255]].tolist() == [1, 3, 3, 5, 5, 7, 15, 17]


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
def test_best_exp_golomb(counts) -> None:
    bits = [total(counts, exp_golomb_lengths(order)) / counts.sum() for order in range(20)]
    order, best = best_exp_golomb(counts)
    assert best == min(bits) == bits[order]


def test_compressibility() -> None:
    assert [compressibility(bits) for bits in (8, 6, 0, 9)] == [0, 25, 100, -12.5]
