"""The codes QLC is measured against. All in bits a symbol, from the counts of the ranks."""

import numpy as np
from bitarray.util import huffman_code
from numpy.typing import NDArray

from qlc.code import RANKS
from qlc.histogram import expected_bits


def compressibility(bits: float) -> float:
    """Give the share of an 8-bit symbol that a code of `bits` bits a symbol saves, in percent."""
    return 100 * (1 - bits / 8)


def huffman_lengths(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the Huffman codeword lengths in bits, int64 in the shape of counts; 0 where the count is 0."""
    codes = huffman_code({i: int(counts[i]) for i in np.flatnonzero(counts).tolist()})
    lengths = np.zeros(len(counts), dtype=np.int64)
    for i, code in codes.items():
        lengths[i] = len(code)
    return lengths


def limited_huffman_lengths(counts: NDArray[np.int64], limit: int, shortest: int = 0) -> NDArray[np.int64]:
    """Give the lengths of the best prefix code of `shortest` to `limit` bits; 0 where the count is 0.

    Package-merge: L. Larmore, D. Hirschberg, "A fast algorithm for optimal length-limited Huffman codes",
    J. ACM 37(3), 1990; here below the 2^shortest nodes that all codewords pass. Raises `ValueError` when
    2^limit codewords are too few.
    """
    present = np.flatnonzero(counts).tolist()
    if len(present) > 1 << limit:
        raise ValueError(f"{len(present)} symbols: {limit} bits make {1 << limit} codewords")
    lengths = np.zeros(len(counts), dtype=np.int64)
    if len(present) == 1:
        lengths[present] = 1
        return lengths
    # An item is its weight and how often each symbol is in it. A level's packages are pairs of the items
    # below it; a symbol's length is how often it is in the cheapest 2n - 2 items of the last level, or,
    # with 2^shortest roots instead of one, in those but 2 for each root.
    unit = np.eye(len(counts), dtype=np.int64)
    coins = [(int(counts[i]), unit[i]) for i in present]
    items = sorted(coins, key=lambda item: item[0])
    for _ in range(limit - shortest - 1):
        pairs = zip(items[0::2], items[1::2], strict=False)  # an odd one out is dropped
        packages = [(a[0] + b[0], a[1] + b[1]) for a, b in pairs]
        items = sorted([*coins, *packages], key=lambda item: item[0])
    for _, members in items[: max(0, 2 * len(present) - (2 << shortest))]:
        lengths += members
    lengths[present] += shortest
    return lengths


def exp_golomb_lengths(order: int) -> NDArray[np.int64]:
    """Give the length in bits of each rank's Exp-Golomb codeword of that order, int64[256].

    2 floor(log2(rank + 2^order)) + 1 - order; J. Teuhola, "A compression method for clustered
    bit-vectors", Information Processing Letters 7(6), 1978.
    """
    log2 = np.array([(rank + (1 << order)).bit_length() - 1 for rank in range(RANKS)])
    return 2 * log2 + 1 - order


def elias_gamma_lengths() -> NDArray[np.int64]:
    """Give the length in bits of the Elias gamma codeword of each rank + 1, int64[256].

    2 floor(log2(rank + 1)) + 1; P. Elias, "Universal codeword sets and representations of the integers",
    IEEE Trans. Information Theory 21(2), 1975.
    """
    return exp_golomb_lengths(0)


def best_exp_golomb(counts_by_rank: NDArray[np.int64]) -> tuple[int, float]:
    """Give the best Exp-Golomb order (0 to 8) for the counts of the ranks, int64[256], and its bits a symbol.

    From order 8 on every codeword has more than 8 bits. The lowest order wins a tie.
    """
    offers = [(expected_bits(counts_by_rank, exp_golomb_lengths(order)), order) for order in range(9)]
    bits, order = min(offers)
    return order, bits
