"""The reference against bit strings written by hand from the paper's tables."""

import numpy as np
import pytest
from qlc.code import PRESETS, Code
from qlc.errors import Error
from qlc.reference import decode, encode

from tests.samples import identity_table

TABLE1 = identity_table(PRESETS["table1"])
LONG = identity_table(Code.parse("3:8,0,0,0,0,0,0,0"))  # 11 bits; only area 000 holds ranks
MIXED = identity_table(Code.parse("1x1,3x3,12"))
RAW = identity_table(Code.parse("4x8,6x16,8x32,11"), raw_bits=3)


def payload(bits):
    bits = bits.replace(" ", "")
    assert len(bits) % 8 == 0
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


@pytest.mark.parametrize(
    ("symbols", "bits"),
    [
        ([], ""),
        ([0], "000 000 00"),
        ([7, 8], "000 111  001 000  0000"),
        ([40, 87, 255], "101 0000  110 11111  111 10100111  000000"),
        ([1, 2, 3, 4], "000 001  000 010  000 011  000 100"),  # ends with a byte: no padding
    ],
)
def test_encode_and_decode_by_hand(symbols, bits) -> None:
    assert encode(np.array(symbols, dtype=np.uint8), TABLE1) == payload(bits)
    decoded, verdict = decode(payload(bits), len(symbols), TABLE1)
    assert (decoded.tolist(), verdict) == (symbols, Error.GOOD)
    assert decoded.dtype == np.uint8


def test_the_ranking_is_used_both_ways() -> None:
    table = identity_table(PRESETS["dual"])
    swapped = type(table)(**{**vars(table), "rank_to_symbol": table.rank_to_symbol[::-1]})
    assert encode(np.array([255], dtype=np.uint8), swapped) == payload("0 000 0000")
    assert decode(payload("0 000 0000"), 1, swapped)[0].tolist() == [255]


@pytest.mark.parametrize(
    ("table", "bits", "count", "symbols", "verdict"),
    [
        (TABLE1, "", 1, [], Error.LENGTH_MISMATCH),
        (TABLE1, "00000000", 0, [], Error.LENGTH_MISMATCH),
        (TABLE1, "000 001 00", 2, [1], Error.LENGTH_MISMATCH),  # 2 bits of a codeword
        (TABLE1, "111 00000", 1, [], Error.LENGTH_MISMATCH),  # its offset is cut
        (TABLE1, "000 001  000 010  000 011  000 100", 5, [1, 2, 3, 4], Error.LENGTH_MISMATCH),
        (TABLE1, "000 001  00 00000000", 1, [1], Error.LENGTH_MISMATCH),  # a byte too many
        (TABLE1, "000 001  11 00000000", 1, [1], Error.LENGTH_MISMATCH),
        (TABLE1, "000 001  01", 1, [1], Error.NONZERO_PADDING),
        (TABLE1, "000 001  10", 1, [1], Error.NONZERO_PADDING),
        (TABLE1, "111 10101000  00000", 1, [], Error.ILLEGAL_CODEWORD),  # offset 168
        (TABLE1, "000 001  111 11111111  0000000", 2, [1], Error.ILLEGAL_CODEWORD),
        (TABLE1, "111 11111", 1, [], Error.LENGTH_MISMATCH),  # would be illegal, but is not complete
        (TABLE1, "111 11111111  00000", 0, [], Error.LENGTH_MISMATCH),  # beyond the count
        (LONG, "000 00000011  00100", 2, [3], Error.LENGTH_MISMATCH),
        (LONG, "001 00000000  00000", 1, [], Error.ILLEGAL_CODEWORD),  # an area without ranks
        (LONG, "000 00000011  111 00000000 00", 2, [3], Error.ILLEGAL_CODEWORD),
        (MIXED, "0 100 101 0 110 111 000000000 00000000 0", 6, [0, 1, 2, 0, 3, 4], Error.LENGTH_MISMATCH),
        (MIXED, "0 100 101 0 110 111 000000000 0", 6, [0, 1, 2, 0, 3, 4], Error.GOOD),
        (MIXED, "111 011111100  0000", 1, [], Error.ILLEGAL_CODEWORD),  # rank 256
        (MIXED, "111 011111011  0000", 1, [255], Error.GOOD),
        (RAW, "0 101  0 010  100 101  00", 3, [5, 2, 13], Error.GOOD),
    ],
)
def test_verdicts_by_hand(table, bits, count, symbols, verdict) -> None:
    bits = bits.replace(" ", "")
    decoded, found = decode(payload(bits), count, table)
    assert (decoded.tolist(), found) == (symbols, verdict)
