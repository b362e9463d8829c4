"""Tables that tensors share: which tensors get the same table, where there are more tensors than tables.

What is kept low is the bits of all tensors together. Tensors of different dtypes never share.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from qlc.histogram import SYMBOLS

Maker = Callable[[NDArray[np.int64], str], NDArray[np.integer]]
"""Makes the best table for counts, int64[256], and a dtype: the codeword lengths of the symbols, int[256]."""
Watcher = Callable[[str], None]

ROUNDS = 20
_AT_ONCE = 512
"""Groups that are compared with each other at once: all pairs of a large checkpoint would be too many."""


def share(
    counts: NDArray[np.int64],
    dtypes: Sequence[str],
    number: int,
    make: Maker,
    watch: Watcher = lambda text: None,
) -> NDArray[np.intp]:
    """Give the table of each tensor, intp[tensors], at most `number` tables, numbered as they first occur.

    `counts` are the tensors' symbols, int64[tensors, 256]. `watch` is told how far it is.

    Begins with groups of one tensor and merges, again and again, the two whose entropy rises least by it.
    Then it alternates as k-means does (S. Lloyd, "Least squares quantization in PCM", IEEE Trans.
    Information Theory 28(2), 1982): the best table for each group, for each tensor the cheapest table, until
    none gains by a move. So bits never rise from round to round, and the same tensors give the same tables;
    that no other grouping is better is not known.

    Raises `ValueError` where there are more dtypes than tables.
    """
    kinds = {dtype: kind for kind, dtype in enumerate(sorted(set(dtypes)))}
    if len(kinds) > number:
        problem = f"{number} tables: tensors of {len(kinds)} dtypes need {len(kinds)} at least"
        raise ValueError(f"{problem}: {', '.join(kinds)}")
    kind = np.array([kinds[dtype] for dtype in dtypes], dtype=np.intp)
    if len(counts) <= number:
        return np.arange(len(counts))

    chosen = _merged(counts, kind, number, watch)
    groups = int(chosen.max()) + 1
    group_kind = np.zeros(groups, dtype=np.intp)
    group_kind[chosen] = kind
    sums: NDArray[np.int64] = np.zeros((groups, SYMBOLS), dtype=np.int64)
    lengths = np.zeros((groups, SYMBOLS), dtype=np.int64)
    everyone = np.arange(len(counts))
    for round_ in range(ROUNDS):
        watch(f"sharing {groups} tables, round {round_ + 1}")
        before = sums
        sums = _sums(counts, chosen, groups)
        # A table that nobody takes any more stays as it was.
        for group in np.flatnonzero((sums != before).any(axis=1) & sums.any(axis=1)).tolist():
            lengths[group] = make(sums[group], dtypes[int(np.argmax(kind == group_kind[group]))])
        bits = np.where(kind[:, None] == group_kind, counts @ lengths.T, np.iinfo(np.int64).max)
        here = bits[everyone, chosen]
        moved = np.where(bits.min(axis=1) < here, bits.argmin(axis=1), chosen)
        if np.array_equal(moved, chosen):
            break
        chosen = moved
    _, first, inverse = np.unique(chosen, return_index=True, return_inverse=True)
    order = np.empty(len(first), dtype=np.intp)
    order[np.argsort(first)] = np.arange(len(first))
    return order[inverse.reshape(-1)]


def _merged(
    counts: NDArray[np.int64], kind: NDArray[np.intp], number: int, watch: Watcher
) -> NDArray[np.intp]:
    """Merge groups, at first of one tensor, until there are `number`: the group of each tensor."""
    members: list[list[int]] = []
    for start in range(0, len(counts), _AT_ONCE // 2):
        watch(f"grouping: {start} of {len(counts)} tensors")
        members += [[i] for i in range(start, min(start + _AT_ONCE // 2, len(counts)))]
        last = start + _AT_ONCE // 2 >= len(counts)
        members = _merge(counts, kind, members, number if last else max(_AT_ONCE // 2, number))
    chosen = np.empty(len(counts), dtype=np.intp)
    for group, tensors in enumerate(members):
        chosen[tensors] = group
    return chosen


def _merge(
    counts: NDArray[np.int64], kind: NDArray[np.intp], members: list[list[int]], number: int
) -> list[list[int]]:
    sums = np.stack([counts[tensors].sum(axis=0) for tensors in members]).astype(np.float64)
    kinds = np.array([kind[tensors[0]] for tensors in members])
    bits = _entropy_bits(sums)
    loss = np.empty((len(members), len(members)))

    def compare(group: int) -> NDArray[np.float64]:
        row: NDArray[np.float64] = _entropy_bits(sums + sums[group]) - bits - bits[group]
        row[(kinds != kinds[group]) | (bits == np.inf)] = np.inf
        row[group] = np.inf
        return row

    for group in range(len(members)):
        loss[group] = compare(group)
    alive = len(members)
    while alive > number:
        keep, gone = sorted(divmod(int(loss.argmin()), len(members)))
        members[keep] = sorted(members[keep] + members[gone])
        members[gone] = []
        sums[keep] += sums[gone]
        bits[keep], bits[gone] = _entropy_bits(sums[keep : keep + 1])[0], np.inf
        loss[gone] = loss[:, gone] = np.inf
        loss[keep] = loss[:, keep] = compare(keep)
        alive -= 1
    return [tensors for tensors in members if tensors]


def _entropy_bits(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the entropy of all symbols of each row together: float64[rows] of float64[rows, 256]."""

    def times_log(values: NDArray[np.float64]) -> NDArray[np.float64]:
        logs: NDArray[np.float64] = np.log2(np.maximum(values, 1))
        return values * logs

    bits: NDArray[np.float64] = times_log(sums.sum(axis=1)) - times_log(sums).sum(axis=1)
    return bits


def _sums(counts: NDArray[np.int64], chosen: NDArray[np.intp], groups: int) -> NDArray[np.int64]:
    sums = np.zeros((groups, SYMBOLS), dtype=np.int64)
    np.add.at(sums, chosen, counts)
    return sums
