"""The optimum against trying everything, by arithmetic that shares nothing with the search."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from qlc.baselines import limited_huffman_lengths
from qlc.code import PRESETS, CodeError
from qlc.histogram import MAX_TOTAL
from qlc.optimum import best_areas, best_huffman, best_quad
from qlc.table import calibrate

from tests.samples import random_code

RNG = np.random.default_rng(2)
HISTOGRAMS = {
    "falling": np.sort(np.random.default_rng(1).geometric(0.02, size=256))[::-1],
    "special values last": np.concatenate((np.arange(254, 0, -1), [5000, 70000])),
    "any order": RNG.integers(0, 1000, size=256),
    "steep": (10**12 * 0.5 ** np.arange(256)).astype(np.int64),
    "even": np.full(256, 9),
    "zeros": np.concatenate((np.full(30, 100), np.zeros(226, dtype=int))),
    "one symbol": np.eye(256, dtype=np.int64)[0],
    "only the last symbol": np.eye(256, dtype=np.int64)[255],
    "huge": np.concatenate(([MAX_TOTAL - 5000], RNG.multinomial(5000, np.full(255, 1 / 255)))),
    "huge last": np.concatenate((np.full(255, 1), [MAX_TOTAL - 255])),
    "nothing": np.zeros(256, dtype=np.int64),
}
BOUNDS = [(1, 12), (4, 11), (3, 9), (8, 8), (6, 12), (1, 8)]


def cost(counts, lengths):
    """What the best code has least of: bits of the symbols counted, then of all 256 codewords."""
    return sum(int(c) * int(n) for c, n in zip(counts, lengths, strict=True)), int(lengths.sum())


@cache
def all_quad_codes():
    """Every quad code: its four lengths and ends in ranks; those of fewer lengths end with their last."""
    lengths_found, ends_found = [], []
    for n in range(1, 5):
        chosen = list(combinations(range(1, 64), n - 1))
        inner = np.array(chosen, dtype=np.int64).reshape(len(chosen), n - 1)
        edges = np.column_stack((np.zeros(len(inner), int), inner, np.full(len(inner), 64)))
        spans = np.diff(edges, axis=1)
        for lengths in combinations(range(1, 13), n):
            scaled = spans << np.array(lengths)
            numbers = scaled >> 6
            before = numbers[:, :-1].sum(axis=1)
            good = (scaled % 64 == 0).all(axis=1) & (before < 256) & (before + numbers[:, -1] >= 256)
            ends = np.cumsum(numbers[good], axis=1)
            ends[:, -1] = 256
            pad = 4 - n
            ends_found.append(np.pad(ends, ((0, 0), (0, pad)), constant_values=256).astype(np.int16))
            row = np.array((*lengths, *[lengths[-1]] * pad), dtype=np.int8)
            lengths_found.append(np.broadcast_to(row, (len(ends), 4)))
    return np.concatenate(lengths_found), np.concatenate(ends_found)


@cache
def quad_codes(raw_bits, shortest, longest):
    lengths, ends = all_quad_codes()
    good = (lengths[:, 0] >= shortest) & (lengths[:, 3] <= longest)
    good &= (ends % (1 << raw_bits) == 0).all(axis=1)
    return lengths[good].astype(np.int64), ends[good].astype(np.int64)


def least(counts, lengths, ends):
    """The least `cost` of codes given by lengths and ends in ranks."""
    before = np.concatenate(([0], np.cumsum(counts)))
    starts = np.column_stack((np.zeros(len(ends), dtype=np.int64), ends[:, :-1]))
    bits = (lengths * (before[ends] - before[starts])).sum(axis=1)
    total = (lengths * (ends - starts)).sum(axis=1)
    best = bits.min()
    return int(best), int(total[bits == best].min())


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize("raw_bits", range(4))
def test_quad_against_every_quad_code(counts, raw_bits) -> None:
    for shortest, longest in BOUNDS:
        code = best_quad(counts, raw_bits, shortest, longest)
        assert code.is_quad
        assert shortest <= code.lengths[0]
        assert code.lengths[-1] <= longest
        assert all(number % (1 << raw_bits) == 0 for number in code.numbers)
        assert cost(counts, code.rank_lengths) == least(counts, *quad_codes(raw_bits, shortest, longest))


@pytest.mark.parametrize("seed", range(20))
def test_quad_on_random_histograms(seed) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 10 ** int(rng.integers(1, 7)), size=256)
    if seed % 3:
        counts = np.sort(counts)[::-1].copy()
    if seed % 2:
        counts[-2:] = rng.integers(0, 10**7, size=2)
    raw_bits, shortest, longest = seed % 4, int(rng.integers(1, 8)), int(rng.integers(9, 13))
    code = best_quad(counts, raw_bits, shortest, longest)
    assert cost(counts, code.rank_lengths) == least(counts, *quad_codes(raw_bits, shortest, longest))


@cache
def all_area_codes(prefix_bits):
    """Every code of areas in order with at most four lengths in use: lengths and ends in ranks."""
    areas = 1 << prefix_bits
    bars = np.array(list(combinations(range(areas + 8), 8)), dtype=np.int16)
    edges = np.column_stack((np.full(len(bars), -1), bars, np.full(len(bars), areas + 8)))
    numbers = (np.diff(edges, axis=1) - 1).astype(np.int64)  # of the areas with 0 to 8 extra bits
    ends = np.minimum(np.cumsum(numbers << np.arange(9), axis=1), 256)
    used = np.diff(np.column_stack((np.zeros(len(ends), int), ends)), axis=1) > 0
    good = (ends[:, -1] == 256) & (used.sum(axis=1) <= 4)
    lengths = np.broadcast_to(prefix_bits + np.arange(9), (good.sum(), 9))
    return lengths, ends[good]


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
def test_areas_against_every_code_of_areas(counts, prefix_bits) -> None:
    code = best_areas(counts, prefix_bits)
    assert int(code.areas.split(":")[0]) <= prefix_bits
    assert cost(counts, code.rank_lengths) == least(counts, *all_area_codes(prefix_bits))


@pytest.mark.parametrize("name", HISTOGRAMS)
@pytest.mark.parametrize("raw_bits", range(4))
def test_huffman_against_package_merge_where_counts_fall(name, raw_bits) -> None:
    classes = np.sort(HISTOGRAMS[name].reshape(-1, 1 << raw_bits).sum(axis=1))[::-1]
    counts = np.zeros((256 >> raw_bits, 1 << raw_bits), dtype=np.int64)
    counts[:, 0] = classes
    counts = counts.reshape(-1)
    for shortest, longest in BOUNDS:
        code = best_huffman(counts, raw_bits, shortest, longest)
        assert shortest <= code.lengths[0]
        assert code.lengths[-1] <= longest
        assert all(number % (1 << raw_bits) == 0 for number in code.numbers)
        # Python's integers, since a length of all codewords decides between equals.
        weights = np.array([int(c) * 10000 + (1 << raw_bits) for c in classes], dtype=object)
        inner = limited_huffman_lengths(weights, longest - raw_bits, max(0, shortest - raw_bits))
        assert cost(counts, code.rank_lengths) == cost(counts, np.repeat(inner + raw_bits, 1 << raw_bits))


@cache
def all_codes(shortest, longest, ranks):
    """Every code of those lengths for so many ranks: lengths and ends in ranks."""
    lengths = np.arange(shortest, longest + 1)
    rows = np.zeros((1, 0), dtype=np.int64)
    for length in lengths[:-1]:
        space = 1 - (rows / 2.0 ** lengths[: rows.shape[1]]).sum(axis=1)
        most = np.minimum(ranks - rows.sum(axis=1), space * 2.0**length).astype(int)
        numbers = np.concatenate([np.arange(m + 1) for m in most])
        rows = np.column_stack((np.repeat(rows, most + 1, axis=0), numbers))
    rows = np.column_stack((rows, ranks - rows.sum(axis=1)))
    good = (rows / 2.0**lengths).sum(axis=1) <= 1
    # Unused codewords are of the longest length in use; there a shorter code is no worse.
    return np.broadcast_to(lengths, (good.sum(), len(lengths))), np.cumsum(rows[good], axis=1)


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize(("shortest", "longest"), [(7, 9), (8, 10), (6, 9), (7, 8)])
def test_huffman_against_every_code_of_few_lengths(counts, shortest, longest) -> None:
    code = best_huffman(counts, 0, shortest, longest)
    assert cost(counts, code.rank_lengths) == least(counts, *all_codes(shortest, longest, 256))


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize(("shortest", "longest"), [(4, 8), (4, 9), (6, 11), (1, 8)])
def test_huffman_of_classes_against_every_code(counts, shortest, longest) -> None:
    code = best_huffman(counts, 3, shortest, longest)
    lengths, ends = all_codes(max(shortest - 3, 0), longest - 3, 32)
    assert cost(counts, code.rank_lengths) == least(counts, lengths + 3, ends * 8)


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize("raw_bits", range(4))
def test_no_random_code_is_better(counts, raw_bits) -> None:
    rng = np.random.default_rng(5)
    best = cost(counts, best_huffman(counts, raw_bits).rank_lengths)
    quad = cost(counts, best_quad(counts, raw_bits).rank_lengths)
    assert best <= quad
    for _ in range(200):
        assert best <= cost(counts, random_code(rng, raw_bits).rank_lengths)
    if not raw_bits:
        areas = [cost(counts, best_areas(counts, prefix_bits).rank_lengths) for prefix_bits in (3, 4)]
        assert quad <= min(areas)
        assert quad <= min(cost(counts, code.rank_lengths) for code in PRESETS.values())


def test_calibrate_takes_the_optimum_for_the_ranks_with_special_values_last() -> None:
    counts = RNG.integers(0, 50, size=256)
    counts[[0x7F, 0xFF]] = 10**5, 10**6
    for scheme, find in (
        ("auto", best_quad),
        ("huffman", best_huffman),
        ("area8", lambda by_rank: best_areas(by_rank, 3)),
        ("area16", lambda by_rank: best_areas(by_rank, 4)),
    ):
        table = calibrate(counts, "float8_e4m3fn", scheme, "t", 0)
        assert table.rank_to_symbol[-2:].tolist() == [0x7F, 0xFF]
        assert table.code == find(counts[table.rank_to_symbol])
    for raw_bits in (1, 2, 3):
        table = calibrate(counts, "float8_e4m3fn", "auto", "t", 0, raw_bits, 4, 11)
        assert table.code == best_quad(counts[table.rank_to_symbol], raw_bits, 4, 11)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1] * 255,), "counts must be 256 integers of at least 0"),
        (([1] * 255 + [-1],), "counts must be 256 integers of at least 0"),
        (([MAX_TOTAL] + [1] * 255,), f"counts must be {MAX_TOTAL} at most in all"),
        (([1] * 256, 4), "raw_bits 4: must be 0 to 3"),
        (([1] * 256, 0, 0), "shortest 0, longest 12: must be 1 to 12, in this order"),
        (([1] * 256, 0, 9, 8), "shortest 9, longest 8: must be 1 to 12, in this order"),
        (([1] * 256, 0, 1, 13), "shortest 1, longest 13: must be 1 to 12, in this order"),
    ],
)
@pytest.mark.parametrize("find", [best_quad, best_huffman])
def test_refusals(find, arguments, message) -> None:
    with pytest.raises(ValueError, match="^" + message):
        find(*arguments)


@pytest.mark.parametrize("raw_bits", range(4))
@pytest.mark.parametrize("find", [best_quad, best_huffman])
def test_too_short_for_256_ranks(find, raw_bits) -> None:
    with pytest.raises(CodeError, match=r"code of 1 to 7 bits has 256 codewords$"):
        find([1] * 256, raw_bits, 1, 7)


def test_known_bits_of_other_builds() -> None:
    """More known bits are never worse; from 12 on, four lengths of any limits."""
    costs = [
        cost(HISTOGRAMS["any order"], best_quad(HISTOGRAMS["any order"], known_bits=k).rank_lengths)
        for k in range(3, 9)
    ]
    assert costs == sorted(costs, reverse=True)
    with pytest.raises(ValueError, match=r"^known_bits 13: must be 1 to 12$"):
        best_quad([1] * 256, known_bits=13)
