"""Groups that choose a table: against one group at a time, and on data that is made of two kinds."""

import numpy as np
from qlc.code import PRESETS
from qlc.groups import cheapest, group_bits, train
from qlc.histogram import count_symbols
from qlc.ranking import rank_symbols


def make(counts):
    lengths = np.empty(256, dtype=np.int64)
    lengths[rank_symbols(counts, "uint8")] = PRESETS["table1"].rank_lengths
    return lengths


def two_kinds(seed, groups=200):
    """Groups of 32 whose symbols are around 60 or around 180, and which of the two."""
    rng = np.random.default_rng(seed)
    high = rng.integers(0, 2, size=groups)
    centre = np.where(high, 180, 60)[:, None]
    return (centre + rng.normal(0, 8, size=(groups, 32))).astype(np.uint8), high


def test_bits_of_each_group() -> None:
    groups, _ = two_kinds(1, groups=5)
    tables = np.random.default_rng(2).integers(1, 13, size=(3, 256))
    bits = group_bits(groups, tables)
    for table in range(3):
        for group in range(5):
            assert bits[table, group] == sum(int(tables[table, s]) for s in groups[group])
    assert cheapest(groups, tables) == sum(bits[:, group].min() for group in range(5))


def test_two_kinds_of_groups_are_told_apart() -> None:
    groups, high = two_kinds(3)
    tables = train(groups, 2, make)
    chosen = group_bits(groups, tables).argmin(axis=0)
    assert np.array_equal(chosen, high) or np.array_equal(chosen, 1 - high)
    for kind in (0, 1):
        own = make(count_symbols(groups[high == kind].reshape(-1)))
        assert np.array_equal(tables[chosen[high == kind][0]], own)
    assert cheapest(groups, tables) < cheapest(groups, train(groups, 1, make))


def test_one_table_is_the_plain_code() -> None:
    groups, _ = two_kinds(4)
    counts = count_symbols(groups.reshape(-1))
    tables = train(groups, 1, make)
    assert np.array_equal(tables, make(counts)[None, :])
    assert cheapest(groups, tables) == int((counts * make(counts)).sum())


def test_more_rounds_from_its_own_result_change_nothing() -> None:
    groups, _ = two_kinds(5)
    tables = train(groups, 2, make)
    assert np.array_equal(train(groups, 2, make, tables), tables)


def test_a_table_without_groups_stays() -> None:
    groups, _ = two_kinds(6)
    good = make(count_symbols(groups.reshape(-1)))
    bad = np.full(256, 12)
    tables = train(groups, 2, make, np.stack([good, bad]))
    assert np.array_equal(tables[1], bad)
