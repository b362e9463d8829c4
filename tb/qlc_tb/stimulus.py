"""Symbols to send."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray
from qlc.errors import InputError
from qlc.table import Table
from qlc.tensors import read_tensors

from qlc_tb.simulation import ROOT

Symbols = NDArray[np.uint8]


def skewed(table: Table, count: int, rng: random.Random) -> Symbols:
    """Frequent symbols often, rare ones now and then."""
    ranks = [min(255, int(rng.expovariate(1 / 40))) for _ in range(count)]
    return table.rank_to_symbol[ranks]


def uniform(table: Table, count: int, rng: random.Random) -> Symbols:
    """Any symbol."""
    return np.frombuffer(rng.randbytes(count), dtype=np.uint8)


def single(table: Table, count: int, rng: random.Random) -> Symbols:
    """The most frequent symbol only."""
    return np.full(count, table.rank_to_symbol[0])


def rarest(table: Table, count: int, rng: random.Random) -> Symbols:
    """The least frequent symbol only."""
    return np.full(count, table.rank_to_symbol[255])


def all_symbols(table: Table, count: int, rng: random.Random) -> Symbols:
    """All 256 symbols in turn, from 0."""
    return np.arange(count, dtype=np.int64).astype(np.uint8)


KINDS: dict[str, Callable[[Table, int, random.Random], Symbols]] = {
    "skewed": skewed,
    "uniform": uniform,
    "single": single,
    "rarest": rarest,
    "all": all_symbols,
}


@cache
def tensors() -> dict[str, Symbols]:
    """The project's captured tensors by name; none where the data is not there."""
    found: dict[str, Symbols] = {}
    for path in sorted((ROOT / "data").glob("*.safetensors")):
        # Not all files there hold symbols.
        with contextlib.suppress(InputError):
            found.update({tensor.name: tensor.symbols.reshape(-1) for tensor in read_tensors(path)})
    return found


def of_bits(table: Table, bits: int, rng: random.Random, count: int | None = None) -> Symbols:
    """Symbols, ``count`` of them if given, whose codewords take exactly ``bits`` bits.

    Raises ValueError where there are none.
    """
    by_length = {
        int(length): table.rank_to_symbol[table.scheme.lengths == length].tolist()
        for length in np.unique(table.scheme.lengths)
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
