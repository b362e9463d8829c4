"""Canonical Huffman codes of at most 16 bits: those of the bit-serial decoder, the published kind.

All 256 symbols have a codeword, also those that never occurred. Symbols are in canonical order by length,
then by value, and codewords count up in that order, so a table is its 256 lengths. E. Schwartz, B. Kallick,
"Generating a canonical prefix encoding", Comm. ACM 7(3), 1964.

A coded bitstream is as in `reference`: codewords most significant bit first, then bits 0 up to a whole byte.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qlc.atomic import write_all_atomic
from qlc.baselines import limited_huffman_lengths
from qlc.errors import Error, InputError
from qlc.histogram import SYMBOLS, check_counts

MAX_LENGTH = 16  # bits
NODES = 256  # of the tree that hardware has room for
_LENGTHS = range(1, MAX_LENGTH + 1)
_LEAF = 1 << 8


@dataclass(frozen=True, eq=False)
class HuffmanTable:
    """One canonical code.

    Raises `ValueError` when a length is not 1 to 16 or no prefix code has these lengths (Kraft).
    """

    lengths: NDArray[np.uint8]
    """uint8[256]: the codeword length of each symbol in bits."""

    def __post_init__(self) -> None:
        """Check the lengths."""
        lengths = np.array(self.lengths, dtype=np.int64)
        if lengths.shape != (SYMBOLS,) or lengths.min() < 1 or lengths.max() > MAX_LENGTH:
            raise ValueError(f"lengths: must be {SYMBOLS} of 1 to {MAX_LENGTH} bits")
        if (1 << MAX_LENGTH - lengths).sum() > 1 << MAX_LENGTH:
            raise ValueError("lengths: too short for a prefix code")
        object.__setattr__(self, "lengths", lengths.astype(np.uint8))

    @cached_property
    def rank_to_symbol(self) -> NDArray[np.uint8]:
        """uint8[256]: the symbols in canonical order."""
        return np.argsort(self.lengths, kind="stable").astype(np.uint8)

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        """int64[256]: where each codeword ends in the 2^16 values of 16 bits, in canonical order."""
        lengths = self.lengths[self.rank_to_symbol].astype(np.int64)
        return np.cumsum(1 << MAX_LENGTH - lengths)

    @cached_property
    def codewords(self) -> NDArray[np.uint16]:
        """uint16[256]: the codeword of each symbol, right-aligned."""
        lengths = self.lengths[self.rank_to_symbol].astype(np.int64)
        codewords = np.zeros(SYMBOLS, dtype=np.uint16)
        codewords[self.rank_to_symbol] = (self._ends >> MAX_LENGTH - lengths) - 1
        return codewords

    @cached_property
    def limits(self) -> NDArray[np.int64]:
        """int64[16]: for length n = 1 to 16, where the codewords of up to n bits end, 0 to 2^n.

        A codeword has more than n bits where its first n bits are the limit or more.
        """
        lengths = self.lengths[self.rank_to_symbol]
        ends = [int(self._ends[lengths <= n].max(initial=0)) >> MAX_LENGTH - n for n in _LENGTHS]
        return np.array(ends, dtype=np.int64)

    @property
    def code_file_words(self) -> NDArray[np.uint32]:
        """uint32[256]: the words of `.code.hex`, {length[4:0], codeword[15:0]} of each symbol."""
        return self.lengths * np.uint32(1 << MAX_LENGTH) | self.codewords

    @cached_property
    def tree_file_words(self) -> NDArray[np.uint32]:
        """uint32[256]: the words of `.tree.hex`, {child of 1 [8:0], child of 0 [8:0]} of each inner node.

        A child is {1, symbol} or {0, node}; the root is node 0, and as a child means that there is none.
        Raises `ValueError` when there are more than 256 inner nodes, as an incomplete code may have.
        """
        children = [[0, 0]]
        for symbol, (codeword, length) in enumerate(zip(self.codewords, self.lengths, strict=True)):
            bits = format(int(codeword), f"0{length}b")
            node = 0
            for bit in map(int, bits[:-1]):
                if not children[node][bit]:
                    children[node][bit] = len(children)
                    children.append([0, 0])
                node = children[node][bit]
            children[node][int(bits[-1])] = _LEAF | symbol
        if len(children) > NODES:
            raise ValueError(f"{len(children)} inner nodes: there is room for {NODES}")
        words = np.zeros(NODES, dtype=np.uint32)
        words[: len(children)] = [one << 9 | zero for zero, one in children]
        return words


def huffman_table(counts: ArrayLike) -> HuffmanTable:
    """Make the best code of at most 16 bits for the symbols' counts, int[256].

    Symbols of count 0 weigh less than one occurrence, all together. Raises `ValueError` as `check_counts`.
    """
    checked = check_counts(counts)
    weights = np.where(checked > 0, checked * (SYMBOLS + 1), 1)
    return HuffmanTable(limited_huffman_lengths(weights, MAX_LENGTH).astype(np.uint8))


def decode(payload: bytes, count: int, table: HuffmanTable) -> tuple[NDArray[np.uint8], Error]:
    """Decode a payload that should hold exactly `count` codewords, bit by bit: to be read, not to be fast.

    Gives the symbols decoded before the first error, uint8[0 to count], and the verdict, which is
    `GOOD`, `ILLEGAL_CODEWORD`, `LENGTH_MISMATCH` or `NONZERO_PADDING`. A codeword is illegal as soon as
    no codeword begins with its bits, which a complete code leaves none.
    """
    symbol_of, beginnings = _words(table)
    bits = "".join(format(byte, "08b") for byte in payload)
    symbols: list[int] = []

    def stop(verdict: Error) -> tuple[NDArray[np.uint8], Error]:
        return np.array(symbols, dtype=np.uint8), verdict

    position = 0
    while len(symbols) < count:
        word = ""
        while word in beginnings:
            if position == len(bits):
                return stop(Error.LENGTH_MISMATCH)
            word += bits[position]
            position += 1
        if word not in symbol_of:
            return stop(Error.ILLEGAL_CODEWORD)
        symbols.append(symbol_of[word])

    padding = bits[position:]
    if len(padding) >= 8:
        return stop(Error.LENGTH_MISMATCH)
    if "1" in padding:
        return stop(Error.NONZERO_PADDING)
    return stop(Error.GOOD)


@cache
def _words(table: HuffmanTable) -> tuple[dict[str, int], set[str]]:
    """The codewords as texts of bits with their symbols, and all that such texts begin with."""
    words = [
        format(int(codeword), f"0{length}b")
        for codeword, length in zip(table.codewords, table.lengths, strict=True)
    ]
    return {word: symbol for symbol, word in enumerate(words)}, {
        w[:end] for w in words for end in range(len(w))
    }


def write_table(table: HuffmanTable, directory: Path, name: str) -> list[Path]:
    """Write a table as `$readmemh` files into an existing directory and give their paths.

    | file              | lines          | word                                          |
    | ----------------- | -------------- | --------------------------------------------- |
    | `<name>.code.hex` | 256, by symbol | 6 digits {length[4:0], codeword[15:0]}        |
    | `<name>.tree.hex` | 256, by node   | 5 digits {child of 1 [8:0], child of 0 [8:0]} |

    They appear whole or not at all. Raises `OSError`, and `ValueError` as `tree_file_words`.
    """
    files = {
        directory / f"{name}.{kind}.hex": "".join(f"{int(word):0{digits}x}\n" for word in words).encode()
        for kind, words, digits in (
            ("code", table.code_file_words, 6),
            ("tree", table.tree_file_words, 5),
        )
    }
    write_all_atomic(files)
    return list(files)


def read_table(path: Path) -> HuffmanTable:
    """Read a table from its `.code.hex` file.

    Raises `InputError`, naming the file, when it cannot be read or holds no canonical code.
    """
    try:
        words = np.array([int(line, 16) for line in path.read_text().split()], dtype=np.int64)
        table = HuffmanTable((words >> MAX_LENGTH).clip(0, 255).astype(np.uint8))
    except (OSError, ValueError) as error:
        raise InputError(path, "", str(error)) from error
    if not np.array_equal(table.code_file_words, words):
        raise InputError(path, "", "not the codewords of a canonical code")
    return table
