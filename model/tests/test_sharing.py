"""Tables that tensors share: against every way to group a few tensors, and on tensors made of a few kinds."""

import itertools

import numpy as np
import pytest
from qlc import sharing
from qlc.sharing import share
from qlc.table import calibrate


def make(counts, dtype):
    return calibrate(counts, dtype, "area8", "x", 0).lengths  # the quickest to find


def bits(counts, dtype="uint8"):
    return int(counts @ make(counts, dtype))


def histogram(rng, centre, width, symbols=20000):
    drawn = np.clip(rng.normal(centre, width, size=symbols), 0, 255).astype(np.uint8)
    return np.bincount(drawn, minlength=256)


def run(counts, number, dtypes=None, **options):
    dtypes = dtypes or ["uint8"] * len(counts)
    return share(np.stack(counts), dtypes, number, make, **options).tolist()


def all_bits(counts, chosen, dtypes=None):
    groups = [[i for i, group in enumerate(chosen) if group == g] for g in sorted(set(chosen))]
    dtypes = dtypes or ["uint8"] * len(counts)
    return sum(bits(sum(counts[i] for i in group), dtypes[group[0]]) for group in groups)


@pytest.mark.parametrize("seed", range(4))
def test_of_few_tensors_no_grouping_is_much_better(seed) -> None:
    """The best of all groupings is reached, or nearly so: to a thousandth of the bits."""
    rng = np.random.default_rng(seed)
    counts = [
        histogram(rng, rng.integers(30, 220), rng.integers(3, 30), int(rng.integers(2000, 50000)))
        for _ in range(6)
    ]
    best = {}
    known = {}
    for chosen in itertools.product(range(3), repeat=6):
        groups = tuple(sorted(tuple(i for i in range(6) if chosen[i] == g) for g in set(chosen)))
        for group in groups:
            if group not in known:
                known[group] = bits(sum(counts[i] for i in group))
        cost = sum(known[group] for group in groups)
        best[len(groups)] = min(best.get(len(groups), cost), cost)
    for number in (1, 2, 3):
        least = min(best[n] for n in range(1, number + 1))
        assert least <= all_bits(counts, run(counts, number)) <= least * 1.001


def kinds(rng, number, each):
    centres = np.linspace(20, 235, number)
    order = rng.permutation(np.repeat(np.arange(number), each))
    return [histogram(rng, centres[kind], 6) for kind in order], order


@pytest.mark.parametrize("at_once", [8, 512])
def test_kinds_of_tensors_are_told_apart(monkeypatch: pytest.MonkeyPatch, at_once) -> None:
    monkeypatch.setattr(sharing, "_AT_ONCE", at_once)
    counts, order = kinds(np.random.default_rng(5), 5, 6)
    chosen = run(counts, 5)
    assert len(set(zip(chosen, order.tolist(), strict=True))) == 5
    assert list(dict.fromkeys(chosen)) == list(range(5))  # numbered as they occur
    assert run(counts, 5) == chosen


def test_more_tables_lose_less() -> None:
    counts, _ = kinds(np.random.default_rng(6), 7, 3)
    lost = [all_bits(counts, run(counts, number)) for number in range(1, 8)]
    assert sorted(lost, reverse=True) == lost
    assert lost[0] > lost[-1]


def test_as_many_tables_as_tensors_lose_nothing() -> None:
    counts, _ = kinds(np.random.default_rng(7), 3, 1)
    for number in (3, 9):
        assert run(counts, number) == [0, 1, 2]


def test_dtypes_never_share() -> None:
    rng = np.random.default_rng(8)
    counts = [histogram(rng, 60, 9) for _ in range(6)]
    dtypes = ["uint8", "float8_e5m2", "float8_e4m3fn"] * 2
    for number in (3, 4, 5):
        chosen = run(counts, number, dtypes)
        assert len(set(chosen)) <= number
        assert len(set(zip(chosen, dtypes, strict=True))) == len(set(chosen))
    with pytest.raises(ValueError, match="2 tables: tensors of 3 dtypes need 3 at least"):
        run(counts, 2, dtypes)


def test_no_tensor_gains_by_a_move() -> None:
    """Merging alone is not the end: moves save more."""
    rng = np.random.default_rng(33)
    counts = [
        histogram(rng, rng.integers(30, 220), rng.integers(3, 60), int(rng.integers(500, 9000)))
        for _ in range(40)
    ]
    chosen = run(counts, 3)
    tables = [make(sum(counts[i] for i in range(40) if chosen[i] == g), "uint8") for g in range(3)]
    for i, group in enumerate(chosen):
        assert counts[i] @ tables[group] == min(counts[i] @ table for table in tables)
    merged = sharing._merged(np.stack(counts), np.zeros(40, dtype=np.intp), 3, lambda text: None).tolist()
    assert all_bits(counts, chosen) < all_bits(counts, merged)


def test_what_is_told_meanwhile() -> None:
    counts, _ = kinds(np.random.default_rng(10), 2, 3)
    told = []
    run(counts, 2, watch=told.append)
    assert told[0] == "grouping: 0 of 6 tensors"
    assert "sharing 2 tables, round 1" in told


def test_a_table_that_nobody_takes_any_more() -> None:
    """The second table that is made is always the cheaper one, so that all tensors move to it."""
    counts, _ = kinds(np.random.default_rng(12), 2, 3)
    made = []

    def cheaper(counts, dtype):
        assert counts.any()
        made.append(counts)
        return np.full(256, 9 - min(len(made), 2))

    assert share(np.stack(counts), ["uint8"] * 6, 2, cheaper).tolist() == [0] * 6
    assert len(made) == 3
