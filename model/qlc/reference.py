"""The code written out bit by bit, to be read against the paper. `bitstream` does the same fast.

A coded bitstream is the codewords of a table in turn, most significant bit first, then bits 0 up to a
whole byte. arXiv:2602.17849v2: encoding maps a symbol to its rank and sends the area of the rank and the
offset in it; decoding takes the area first, which tells how many offset bits follow.
"""

import numpy as np
from numpy.typing import NDArray

from qlc.errors import Error
from qlc.table import Table


def encode(symbols: NDArray[np.uint8], table: Table) -> bytes:
    """Encode symbols, uint8[n], to a coded bitstream."""
    scheme = table.scheme
    fields = []
    for symbol in symbols.tolist():
        rank = int(table.symbol_to_rank[symbol])
        area = int(scheme.area_of_rank[rank])
        fields.append(_binary(area, scheme.prefix_bits))
        fields.append(_binary(rank - int(scheme.base[area]), scheme.extra_bits[area]))
    bits = "".join(fields)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


def decode(payload: bytes, count: int, table: Table) -> tuple[NDArray[np.uint8], Error]:
    """Decode a payload that should hold exactly `count` codewords.

    Gives the symbols decoded before the first error, uint8[0 to count], and the verdict, which is
    `GOOD`, `ILLEGAL_CODEWORD`, `LENGTH_MISMATCH` or `NONZERO_PADDING`.
    """
    scheme = table.scheme
    bits = "".join(_binary(byte, 8) for byte in payload)
    symbols: list[int] = []

    def stop(verdict: Error) -> tuple[NDArray[np.uint8], Error]:
        return np.array(symbols, dtype=np.uint8), verdict

    position = 0
    while len(symbols) < count:
        prefix = bits[position : position + scheme.prefix_bits]
        if len(prefix) < scheme.prefix_bits:
            return stop(Error.LENGTH_MISMATCH)
        area = int(prefix, 2)
        position += scheme.prefix_bits

        offset_bits = bits[position : position + scheme.extra_bits[area]]
        if len(offset_bits) < scheme.extra_bits[area]:
            return stop(Error.LENGTH_MISMATCH)
        offset = int("0" + offset_bits, 2)
        position += scheme.extra_bits[area]

        if offset >= scheme.size[area]:
            return stop(Error.ILLEGAL_CODEWORD)
        symbols.append(int(table.rank_to_symbol[int(scheme.base[area]) + offset]))

    padding = bits[position:]
    if len(padding) >= 8:
        return stop(Error.LENGTH_MISMATCH)
    if "1" in padding:
        return stop(Error.NONZERO_PADDING)
    return stop(Error.GOOD)


def _binary(value: int, width: int) -> str:
    return format(value, f"0{width}b") if width else ""
