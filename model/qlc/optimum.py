"""The optimum codes: those with the least expected codeword length for a histogram of ranks.

Every search is exact, also where the last ranks are frequent special values. Of codes with the same expected
length the one wins whose 256 codewords together are shortest: ranks that were never counted cost least.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.code import LONGEST, QUAD_KNOWN_BITS, QUAD_LENGTHS, RANKS, Code, CodeError
from qlc.histogram import check_counts
from qlc.ranking import MAX_RAW_BITS

_IMPOSSIBLE = np.int64(1) << 62
# More than the lengths of all ranks together.
_COUNT_WEIGHT = 2 * RANKS * LONGEST


def best_quad(
    counts_by_rank: ArrayLike,
    raw_bits: int = 0,
    shortest: int = 1,
    longest: int = LONGEST,
    known_bits: int = QUAD_KNOWN_BITS,
) -> Code:
    """Find the best quad code for the counts of the ranks, int[256].

    Its codewords have `shortest` to `longest` bits, and the number of each length, the last apart, is a
    multiple of 2^`raw_bits`. `known_bits` tell a codeword's length.

    Dynamic programming over the place in the code space, in units of 2^-`known_bits`, and the ranks that
    have a codeword, in classes of 2^`raw_bits`: the least cost of all that follows is

        cost[lengths left, length, place, class] = min over widths of
            length * counts(class .. end - 1) + cost[lengths left - 1, longer, place + width, end]

    where `end - class` is the number of codewords of `length` bits in a part of that width. The last length
    takes all the code space that is left.

    Raises `ValueError` when the counts are not 256 integers of at least 0 or an argument is out of range,
    and `CodeError` when no such code has 256 codewords.
    """
    weights = _class_weights(counts_by_rank, raw_bits, shortest, longest)
    if not 1 <= known_bits <= LONGEST:
        raise ValueError(f"known_bits {known_bits}: must be 1 to {LONGEST}")
    before = np.concatenate(([0], np.cumsum(weights)))
    classes, places = len(weights), 1 << known_bits
    lengths = range(shortest, longest + 1)

    def widths(length: int) -> list[tuple[int, int]]:
        """Widths whose codewords of that length fill whole classes, with their number of classes."""
        shift = length - known_bits - raw_bits
        step = 1 << max(-shift, 0)
        return [(w, w << shift if shift >= 0 else w >> -shift) for w in range(step, places, step)]

    def last_enough(length: int) -> NDArray[np.bool_]:
        """By place and class: whether codewords of that length up to the end are enough for what is left."""
        left = places - np.arange(places)
        whole = left << length & places - 1 == 0
        enough: NDArray[np.bool_] = (left << length >> known_bits)[:, None] >= _ranks_left(classes, raw_bits)
        enough &= whole[:, None]
        return enough

    none = np.full((places, classes), _IMPOSSIBLE)
    # cost[left][length]: at most `left` lengths, none below `length`
    cost = [[none] * (longest + 2) for _ in range(QUAD_LENGTHS + 1)]
    for left in range(1, QUAD_LENGTHS + 1):
        for length in reversed(lengths):
            here = np.where(last_enough(length), length * (before[-1] - before[:-1]), _IMPOSSIBLE)
            after = cost[left - 1][length + 1]
            for width, number in widths(length):
                if number >= classes:
                    break
                price = length * (before[number:-1] - before[: -number - 1])
                offer = after[width:, number:] + price
                np.minimum(here[:-width, :-number], offer, out=here[:-width, :-number])
            cost[left][length] = np.minimum(here, cost[left][length + 1])

    left, length, place, first = QUAD_LENGTHS, shortest, 0, 0
    if cost[left][length][0, 0] >= _IMPOSSIBLE:
        raise CodeError(f"no quad code of {shortest} to {longest} bits has {RANKS} codewords")
    chosen: list[int] = []
    numbers: list[int] = []
    while True:
        wanted = cost[left][length][place, first]
        while cost[left][length + 1][place, first] == wanted:
            length += 1
        chosen.append(length)
        if last_enough(length)[place, first] and length * (before[-1] - before[first]) == wanted:
            return Code.from_numbers(chosen, numbers)
        for width, number in widths(length):
            if place + width >= places or first + number >= classes:
                continue
            price = length * (before[first + number] - before[first])
            if cost[left - 1][length + 1][place + width, first + number] + price == wanted:
                break
        numbers.append(number << raw_bits)
        left, length, place, first = left - 1, length + 1, place + width, first + number


def best_areas(counts_by_rank: ArrayLike, prefix_bits: int) -> Code:
    """Find the best code of the paper's kind, with 2^`prefix_bits` areas, for the counts, int[256].

    It has at most four lengths. Raises `ValueError` as `best_quad`.
    """
    return best_quad(counts_by_rank, 0, prefix_bits, min(prefix_bits + 8, LONGEST), prefix_bits)


def best_huffman(
    counts_by_rank: ArrayLike, raw_bits: int = 0, shortest: int = 1, longest: int = LONGEST
) -> Code:
    """Find the best code of any number of lengths for the counts of the ranks, int[256].

    Its codewords have `shortest` to `longest` bits, and the number of each length, the last apart, is a
    multiple of 2^`raw_bits`. Where the ranks are in the order of their counts, that is the length-limited
    Huffman code.

    Dynamic programming from bit to bit of the code tree: with `nodes` of `length` bits and the ranks from
    `class` on without a codeword, either the next class takes a node, or all nodes that are left split.

    Raises as `best_quad`.
    """
    weights = _class_weights(counts_by_rank, raw_bits, shortest, longest)
    tail = np.concatenate((np.cumsum(weights[::-1])[::-1], [0]))
    classes = len(weights)
    # By class and nodes, of which more than classes are of no use. A node is a class's 2^raw_bits codewords.
    splits = np.minimum(2 * np.arange(classes + 1), classes)
    cost = np.full((LONGEST + 2, classes + 1, classes + 1), _IMPOSSIBLE)
    cost[:, classes] = 0
    for length in range(longest, shortest - 1, -1):
        for first in range(classes - 1, -1, -1):
            split = np.minimum(cost[length + 1, first, splits] + tail[first], _IMPOSSIBLE)
            cost[length, first, 0] = _IMPOSSIBLE
            cost[length, first, 1:] = np.minimum(split[1:], cost[length, first + 1, :-1])

    length, first = shortest, 0
    nodes = min(1 << shortest - raw_bits, classes) if shortest >= raw_bits else 0
    if shortest < raw_bits:
        length, nodes = raw_bits, 1
    if cost[length, 0, nodes] >= _IMPOSSIBLE:
        raise CodeError(f"no code of {shortest} to {longest} bits has {RANKS} codewords")
    numbers = np.zeros(LONGEST + 1, dtype=np.int64)
    while first < classes:
        if nodes and cost[length, first + 1, nodes - 1] == cost[length, first, nodes]:
            numbers[length] += 1 << raw_bits
            first, nodes = first + 1, nodes - 1
        else:
            length, nodes = length + 1, int(splits[nodes])
    used = np.flatnonzero(numbers).tolist()
    return Code.from_numbers(used, numbers[used[:-1]].tolist())


def _class_weights(
    counts_by_rank: ArrayLike, raw_bits: int, shortest: int, longest: int
) -> NDArray[np.int64]:
    """What a bit more costs for each class of ranks: its counts, and for equal costs its ranks."""
    counts = check_counts(counts_by_rank)
    if not 0 <= raw_bits <= MAX_RAW_BITS:
        raise ValueError(f"raw_bits {raw_bits}: must be 0 to {MAX_RAW_BITS}")
    if not 1 <= shortest <= longest <= LONGEST:
        raise ValueError(f"shortest {shortest}, longest {longest}: must be 1 to {LONGEST}, in this order")
    weights: NDArray[np.int64] = (counts * _COUNT_WEIGHT + 1).reshape(-1, 1 << raw_bits).sum(axis=1)
    return weights


def _ranks_left(classes: int, raw_bits: int) -> NDArray[np.int64]:
    return RANKS - (np.arange(classes) << raw_bits)
