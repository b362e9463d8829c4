"""Coded bitstreams at numpy speed: the functions of `reference`, with the same results in every case."""

from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qlc.code import LONGEST, RANKS, SPACE
from qlc.errors import Error
from qlc.table import Table

_ENCODE_CHUNK = 1 << 16  # symbols; the chunks bound the memory
_DECODE_CHUNK = 1 << 13  # bits
_ILLEGAL = -1


class Code(Protocol):
    """Any code with a codeword of whole bits for each symbol.

    It must not change, since what is made of it is kept for the next call.
    """

    def __hash__(self) -> int:
        """Tell it from others."""

    @property
    def lengths(self) -> NDArray[np.uint8]:
        """uint8[256]: the codeword length of each symbol in bits."""

    @property
    def codewords(self) -> NDArray[np.uint16]:
        """uint16[256]: the codeword of each symbol, right-aligned."""


def encode(symbols: NDArray[np.uint8], table: Code) -> bytes:
    """Encode symbols, uint8[n], to a coded bitstream."""
    bits, counts = _bits(table)
    pieces = []
    rest: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)  # the bits that do not fill a byte yet
    for start in range(0, len(symbols), _ENCODE_CHUNK):
        chunk = symbols[start : start + _ENCODE_CHUNK]
        stream = np.concatenate((rest, bits[chunk][counts[chunk]]))
        whole = len(stream) - len(stream) % 8
        pieces.append(np.packbits(stream[:whole]).tobytes())
        rest = stream[whole:]
    pieces.append(np.packbits(rest).tobytes())
    return b"".join(pieces)


@lru_cache(maxsize=32)
def _bits(table: Code) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """A row a symbol: its codeword left-aligned in the bits of the longest, and which of them count."""
    longest = int(table.lengths.max())
    shifts = table.lengths[:, None].astype(np.int8) - np.arange(1, longest + 1, dtype=np.int8)
    return (table.codewords[:, None] >> np.maximum(shifts, 0) & 1).astype(np.uint8), shifts >= 0


def decode(payload: bytes, count: int, table: Table) -> tuple[NDArray[np.uint8], Error]:
    """Decode a payload that should hold exactly `count` codewords.

    Gives the symbols decoded before the first error, uint8[0 to count], and the verdict, which is
    `GOOD`, `ILLEGAL_CODEWORD`, `LENGTH_MISMATCH` or `NONZERO_PADDING`.
    """
    length_of, symbol_of = _windows(table)
    end = 8 * len(payload)
    padded = np.frombuffer(payload + bytes(3), dtype=np.uint8)  # so that bit `end` has a window too
    pieces: list[NDArray[np.uint8]] = []

    def stop(verdict: Error) -> tuple[NDArray[np.uint8], Error]:
        return np.concatenate([*pieces, np.zeros(0, dtype=np.uint8)]), verdict

    position = 0  # of the next codeword, in bits
    left = count
    while left:
        chunk_start = position - position % 8
        window = _windows_at_each_bit(padded[chunk_start // 8 :][: _DECODE_CHUNK // 8 + 2])
        lengths = length_of[window]
        starts, after = _codeword_starts(lengths, position - chunk_start)
        if len(starts) > left:
            starts, after = starts[:left], int(starts[left])

        symbols = symbol_of[window[starts]]
        cut = chunk_start + starts + lengths[starts] > end
        bad = np.flatnonzero(cut | (symbols == _ILLEGAL))
        if bad.size:
            first = int(bad[0])
            pieces.append(symbols[:first].astype(np.uint8))
            return stop(Error.LENGTH_MISMATCH if cut[first] else Error.ILLEGAL_CODEWORD)
        pieces.append(symbols.astype(np.uint8))
        position = chunk_start + after
        left -= len(starts)

    if end - position >= 8:
        return stop(Error.LENGTH_MISMATCH)
    if position < end and payload[-1] & ((1 << end - position) - 1):
        return stop(Error.NONZERO_PADDING)
    return stop(Error.GOOD)


@lru_cache(maxsize=32)
def _windows(table: Table) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """For each value of the next LONGEST bits: the codeword's length, and its symbol or _ILLEGAL."""
    code = table.code
    window = np.arange(SPACE)
    place = np.searchsorted(code.limits, window, side="right")
    length = np.array(code.lengths)[place]
    rank = ((window >> LONGEST - length) + np.array(code.steps)[place]) % SPACE
    symbol = table.rank_to_symbol.astype(np.int16)[np.minimum(rank, RANKS - 1)]
    symbol[rank >= RANKS] = _ILLEGAL
    return length.astype(np.uint8), symbol


def _windows_at_each_bit(data: NDArray[np.uint8]) -> NDArray[np.integer]:
    """The LONGEST bits from each bit of the data on, except of its last 2 bytes."""
    wide = data.astype(np.uint32)
    three = wide[:-2] << 16 | wide[1:-1] << 8 | wide[2:]
    shifts = np.arange(24 - LONGEST, 16 - LONGEST, -1).astype(np.uint32)
    return (three[:, None] >> shifts & np.uint32((1 << LONGEST) - 1)).ravel()


def _codeword_starts(lengths: NDArray[np.uint8], first: int) -> tuple[NDArray[np.int64], int]:
    """Where the codewords start from `first` on, given the length of a codeword at every bit.

    Also gives the first start past the last of those bits. Pointer doubling: while `jump` leads from each
    bit over n codewords, the first n starts lead to n more, and `jump` taken twice leads over 2n.
    """
    size = len(lengths)
    jump = np.arange(size + LONGEST)  # bits past the last one lead to themselves
    jump[:size] += lengths
    starts = np.array([first])
    while starts[-1] < size:
        starts = np.concatenate((starts, jump[starts]))
        jump = jump[jump]
    inside = int(np.searchsorted(starts, size))
    return starts[:inside], int(starts[inside])
