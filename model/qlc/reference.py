"""The code written out bit by bit, to be read against its definition. `bitstream` does the same fast.

A coded bitstream is the codewords of a table in turn, most significant bit first, then bits 0 up to a
whole byte. The length of a codeword is found by comparing the next bits with the limits; the codeword plus
the length's step is the rank; the rank's symbol is looked up. These are the three stages of the paper's
decoder (arXiv:2602.17849v2), which calls the code space between two limits one or more areas, the prefix of
a codeword its area and the rest its offset.
"""

import numpy as np
from numpy.typing import NDArray

from qlc.code import LONGEST, RANKS, SPACE
from qlc.errors import Error
from qlc.table import Table


def encode(symbols: NDArray[np.uint8], table: Table) -> bytes:
    """Encode symbols, uint8[n], to a coded bitstream."""
    code = table.code
    codewords = []
    for symbol in symbols.tolist():
        rank = int(table.symbol_to_rank[symbol])
        place = max(i for i, first in enumerate(code.first_ranks) if first <= rank)
        codewords.append(_binary((rank - code.steps[place]) % SPACE, code.lengths[place]))
    bits = "".join(codewords)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


def decode(payload: bytes, count: int, table: Table) -> tuple[NDArray[np.uint8], Error]:
    """Decode a payload that should hold exactly `count` codewords.

    Gives the symbols decoded before the first error, uint8[0 to count], and the verdict, which is
    `GOOD`, `ILLEGAL_CODEWORD`, `LENGTH_MISMATCH` or `NONZERO_PADDING`.
    """
    code = table.code
    bits = "".join(_binary(byte, 8) for byte in payload)
    symbols: list[int] = []

    def stop(verdict: Error) -> tuple[NDArray[np.uint8], Error]:
        return np.array(symbols, dtype=np.uint8), verdict

    position = 0
    while len(symbols) < count:
        # Behind the payload's end any bits do: those that are there tell whether the codeword is complete.
        next_bits = int(bits[position : position + LONGEST].ljust(LONGEST, "0"), 2)
        place = next(i for i, limit in enumerate(code.limits) if next_bits < limit)
        codeword = bits[position : position + code.lengths[place]]
        if len(codeword) < code.lengths[place]:
            return stop(Error.LENGTH_MISMATCH)
        position += code.lengths[place]

        rank = (int(codeword, 2) + code.steps[place]) % SPACE
        if rank >= RANKS:
            return stop(Error.ILLEGAL_CODEWORD)
        symbols.append(int(table.rank_to_symbol[rank]))

    padding = bits[position:]
    if len(padding) >= 8:
        return stop(Error.LENGTH_MISMATCH)
    if "1" in padding:
        return stop(Error.NONZERO_PADDING)
    return stop(Error.GOOD)


def _binary(value: int, width: int) -> str:
    return format(value, f"0{width}b")
