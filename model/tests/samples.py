"""Codes, tables and symbols for the tests, all from a seeded generator."""

import numpy as np
from numpy.typing import NDArray
from qlc.code import LONGEST, PRESETS, SPACE, Code, CodeError
from qlc.histogram import SYMBOLS
from qlc.table import Table, calibrate

EXTREMES = {
    "one-bit": Code.parse("1x1,9"),  # the shortest codeword there is
    "one-length": Code.parse("8"),  # no codeword is illegal
    "twelve-bit": Code.parse("12"),  # 15 of 16 codewords are illegal
    "eleven-lengths": Code.from_numbers(range(2, 13), [1] * 10),  # 1 to 12 bits leave no room
    "full": Code.parse("7x1,8x253,9"),  # two codewords of the longest length, no illegal one
    "one-part": Code.parse("3x7,12"),
    "raw-1": Code.parse("4x10,6x16,11"),
    "raw-2": Code.parse("3x4,6x20,11"),
    "raw-3": Code.parse("4x8,6x16,8x32,11"),
}
NAMED = {**PRESETS, **EXTREMES}


def random_code(rng: np.random.Generator, raw_bits: int = 0) -> Code:
    """Draw any valid code whose numbers of codewords, the last apart, are multiples of 2^raw_bits."""
    while True:
        drawn = rng.choice(np.arange(1, LONGEST + 1), size=int(rng.integers(1, LONGEST + 1)), replace=False)
        lengths = sorted(drawn.tolist())
        limits, numbers = 0, []
        for length in lengths[:-1]:
            room = (SPACE - limits) >> LONGEST - length >> raw_bits
            number = int(rng.integers(0, room + 1)) >> int(rng.integers(0, 6)) << raw_bits
            numbers.append(number)
            limits += number << LONGEST - length
        try:
            return Code.from_numbers(lengths, numbers)
        except CodeError:
            continue


def random_table(rng: np.random.Generator, code: Code, table_id: int = 0, raw_bits: int = 0) -> Table:
    """Draw a table of that code with a random ranking."""
    return calibrate(rng.permutation(SYMBOLS) + 1, "uint8", code, "random", table_id, raw_bits)


def identity_table(code: Code, table_id: int = 0, raw_bits: int = 0) -> Table:
    """Make the table in which each symbol is its own rank."""
    return calibrate(np.arange(SYMBOLS, 0, -1), "uint8", code, "identity", table_id, raw_bits)


def frequent_symbols(rng: np.random.Generator, table: Table, count: int) -> NDArray[np.uint8]:
    """Draw symbols, mostly of low rank."""
    ranks = np.minimum(rng.exponential(20, size=count), SYMBOLS - 1).astype(np.intp)
    return table.rank_to_symbol[ranks]
