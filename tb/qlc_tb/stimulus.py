"""Symbols to send."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from qlc.code import Code
from qlc.errors import InputError
from qlc.huffman import HuffmanTable
from qlc.table import Table
from qlc.tensors import read_tensors

from qlc_tb.sources import ROOT

Symbols = NDArray[np.uint8]
AnyTable = Table | HuffmanTable
NO_SYMBOLS: Symbols = np.zeros(0, dtype=np.uint8)


def skewed(table: AnyTable, count: int, rng: random.Random) -> Symbols:
    """Frequent symbols often, rare ones now and then."""
    ranks = [min(255, int(rng.expovariate(1 / 40))) for _ in range(count)]
    return table.rank_to_symbol[ranks]


def uniform(table: AnyTable, count: int, rng: random.Random) -> Symbols:
    """Any symbol."""
    return np.frombuffer(rng.randbytes(count), dtype=np.uint8)


def single(table: AnyTable, count: int, rng: random.Random) -> Symbols:
    """The most frequent symbol only."""
    return np.full(count, table.rank_to_symbol[0])


def rarest(table: AnyTable, count: int, rng: random.Random) -> Symbols:
    """The least frequent symbol only."""
    return np.full(count, table.rank_to_symbol[255])


def all_symbols(table: AnyTable, count: int, rng: random.Random) -> Symbols:
    """All 256 symbols in turn, from 0."""
    return np.arange(count, dtype=np.int64).astype(np.uint8)


def mixed(table: AnyTable, count: int, block: int, rng: random.Random) -> Symbols:
    """Symbols whose blocks are coded and raw at random."""
    parts = [NO_SYMBOLS]
    for start in range(0, count, block):
        kind = rng.choice([skewed, single, uniform, rarest])
        parts.append(kind(table, min(block, count - start), rng))
    return np.concatenate(parts)


KINDS: dict[str, Callable[[AnyTable, int, random.Random], Symbols]] = {
    "skewed": skewed,
    "uniform": uniform,
    "single": single,
    "rarest": rarest,
    "all": all_symbols,
}


def all_kinds(table: AnyTable, counts: Sequence[int], rng: random.Random) -> Iterator[Symbols]:
    """Packets of every kind, of each number of symbols."""
    for kind in KINDS.values():
        for count in counts:
            yield kind(table, count, rng)


@cache
def tensors() -> dict[str, Symbols]:
    """The project's captured tensors by name; none where the data is not there."""
    found: dict[str, Symbols] = {}
    for path in sorted((ROOT / "data").glob("*.safetensors")):
        # Not all files there hold symbols.
        with contextlib.suppress(InputError):
            found.update({tensor.name: tensor.symbols.reshape(-1) for tensor in read_tensors(path)})
    return found


class Slice(NamedTuple):
    """Some symbols of a tensor, and all of them."""

    symbols: Symbols
    tensor: Symbols


def slices(most: int, length: int, rng: random.Random) -> Iterator[Slice]:
    """Slices of ``length`` of captured tensors, at random; of random bytes where there are none."""
    found = list(tensors().values()) or [np.frombuffer(rng.randbytes(3 * length), dtype=np.uint8)]
    for tensor in rng.sample(found, min(most, len(found))):
        start = rng.randrange(max(1, len(tensor) - length))
        yield Slice(tensor[start : start + length], tensor)


def of_bits(table: AnyTable, bits: int, rng: random.Random, count: int | None = None) -> Symbols:
    """Symbols, ``count`` of them if given, whose codewords take exactly ``bits`` bits.

    Raises ValueError where there are none.
    """
    lengths = table.lengths[table.rank_to_symbol]
    by_length = {
        length: table.rank_to_symbol[lengths == length].tolist() for length in np.unique(lengths).tolist()
    }
    # What a codeword uses up of the count.
    step = 0 if count is None else 1
    symbols = 1 if count is None else count

    @cache
    def possible(left: int, symbols: int) -> bool:
        if left <= 0 or symbols == 0:
            return left == 0 and (symbols == 0 or step == 0)
        return any(possible(left - length, symbols - step) for length in by_length)

    if count is None:
        # Ascending, since recursion over all bits at once would be too deep.
        for total in range(bits):
            possible(total, symbols)
    if not possible(bits, symbols):
        raise ValueError(f"no symbols take {bits} bits")
    chosen = []
    while bits:
        length = rng.choice([n for n in by_length if possible(bits - n, symbols - step)])
        chosen.append(rng.choice(by_length[length]))
        bits -= length
        symbols -= step
    return np.array(chosen, dtype=np.uint8)


def ending(table: AnyTable, length: int, padding: int, rng: random.Random) -> Symbols:
    """Few symbols, the last codeword of ``length`` bits, with ``padding`` bits to a whole byte behind it."""
    # Seven codewords of an odd length at most reach every number.
    for bits in range(-(length + padding) % 8, 8 * int(table.lengths.max()), 8):
        with contextlib.suppress(ValueError):
            before = of_bits(table, bits, rng)
            break
    else:
        raise ValueError(f"no packet ends with {length} bits and {padding} padding bits")
    last = rng.choice(np.flatnonzero(table.lengths == length).tolist())
    return np.append(before, np.uint8(last))


def codewords(table: AnyTable, symbols: Symbols) -> str:
    """The codewords of symbols, as a text of bits."""
    words = zip(table.codewords[symbols], table.lengths[symbols], strict=True)
    return "".join(format(int(word), f"0{int(length)}b") for word, length in words)


def illegal_codewords(code: Code) -> list[str]:
    """The first and the last codeword behind rank 255, as texts of bits; none where there are none."""
    length = code.lengths[-1]
    illegal = code.codeword_counts[-1] - code.numbers[-1]
    last = (1 << length) - 1
    return [format(word, f"0{length}b") for word in sorted({last - illegal + 1, last}) if illegal]


def packed(bits: str) -> bytes:
    """A text of bits as bytes, padded with 0."""
    bits += "0" * (-len(bits) % 8)
    return int(bits or "0", 2).to_bytes(len(bits) // 8, "big")
