import zlib

import numpy as np
import pytest
from qlc import reference
from qlc.block import Header, decode_block, encode_block
from qlc.code import PRESETS
from qlc.errors import Error

from tests.samples import identity_table

TABLE = identity_table(PRESETS["table1"], table_id=21)
TABLES = {21: TABLE}
SYMBOLS = np.arange(64, dtype=np.uint8) % 8  # 6 bits each: 48 bytes


@pytest.mark.parametrize(
    ("header", "word"),
    [
        (Header(False, False, False, 0, 1, 1), "00000000"),
        (Header(True, False, False, 0, 1, 1), "80000000"),
        (Header(False, True, False, 0, 1, 1), "40000000"),
        (Header(False, False, True, 0, 1, 1), "20000000"),
        (Header(True, True, True, 31, 4096, 4096), "ffffffff"),
        (Header(True, False, False, 1, 1, 1), "81000000"),
        (Header(False, False, False, 0, 4096, 1), "00fff000"),
        (Header(False, False, False, 0, 1, 4096), "00000fff"),
        (Header(True, False, True, 21, 64, 48), "b503f02f"),
    ],
)
def test_header(header, word) -> None:
    assert header.pack().hex() == word
    assert Header.unpack(bytes.fromhex(word)) == header


def test_every_header_field_reads_back() -> None:
    rng = np.random.default_rng(1)
    for data in (rng.bytes(4) for _ in range(1000)):
        assert Header.unpack(data).pack() == data


def test_a_coded_block_by_hand() -> None:
    block = encode_block(SYMBOLS, TABLE, 1, crc=False, last=False)
    assert block == bytes.fromhex("9503f02f") + reference.encode(SYMBOLS, TABLE)
    assert encode_block(SYMBOLS, TABLE, 1, crc=False, last=True) == bytes.fromhex("b503f02f") + block[4:]
    with_crc = encode_block(SYMBOLS, TABLE, 1, crc=True, last=False)
    assert with_crc[:4].hex() == "d503f02f"
    assert with_crc[4:8] == zlib.crc32(SYMBOLS.tobytes()).to_bytes(4, "big")
    assert with_crc[8:] == block[4:]


def test_a_raw_block_by_hand() -> None:
    symbols = np.array([5, 6], dtype=np.uint8)
    assert encode_block(symbols, None, 1, crc=False, last=True).hex() == "20001001" + "0506"
    assert encode_block(symbols, None, 1, crc=False, last=False).hex() == "00001001" + "0506"
    digits = np.frombuffer(b"123456789", dtype=np.uint8)  # whose CRC-32 is the usual check value
    block = encode_block(digits, None, 1, crc=True, last=True)
    assert block.hex() == "60008008" + "cbf43926" + digits.tobytes().hex()


@pytest.mark.parametrize(("min_saving", "coded"), [(1, True), (16, True), (17, False), (4096, False)])
def test_min_saving(min_saving, coded) -> None:
    block = encode_block(SYMBOLS, TABLE, min_saving, crc=False, last=True)
    assert Header.unpack(block[:4]).coded == coded
    assert Header.unpack(block[:4]).table_id == (21 if coded else 0)
    assert len(block) == 4 + (48 if coded else 64)


def test_a_block_that_would_not_shrink_is_raw() -> None:
    def block(symbols):
        return encode_block(symbols, TABLE, 1, crc=False, last=True)

    for count in range(1, 40):
        rare = np.full(count, 200, dtype=np.uint8)  # 11 bits
        assert block(rare)[4:] == rare.tobytes()
    # 3 codewords of 6 bits take 3 bytes, 4 take 3.
    assert not Header.unpack(block(SYMBOLS[:3])[:4]).coded
    assert Header.unpack(block(SYMBOLS[:4])[:4]).coded


@pytest.mark.parametrize("crc", [False, True])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("table", [None, TABLE])
@pytest.mark.parametrize("count", [1, 2, 4095, 4096])
def test_back_again(table, count, crc, last) -> None:
    symbols = np.random.default_rng(2).integers(0, 50, size=count).astype(np.uint8)
    block = encode_block(symbols, table, 1, crc, last)
    decoded = decode_block(b"before" + block + b"after", 6, TABLES, require_crc=crc)
    assert (decoded.error, decoded.end, decoded.last) == (Error.GOOD, 6 + len(block), last)
    assert decoded.symbols.tolist() == symbols.tolist()


def coded(bits, symbols, *, payload_bytes=None, crc=None, table_id=21):
    """A coded block of these payload bits."""
    bits = bits.replace(" ", "")
    payload = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))
    header = Header(True, crc is not None, True, table_id, symbols, payload_bytes or len(payload))
    return header.pack() + (crc or b"") + payload


BAD_CRC = bytes(4)
GOOD_CRC = zlib.crc32(bytes([1, 2])).to_bytes(4, "big")


@pytest.mark.parametrize(
    ("block", "symbols", "error"),
    [
        # The header alone.
        (b"\xb5\x03\xf0", [], Error.TRUNCATED),
        (coded("00000100 00100000", 2, table_id=20), [], Error.UNKNOWN_TABLE),
        (coded("00000100 00100000", 2, table_id=20)[:4], [], Error.UNKNOWN_TABLE),
        (bytes.fromhex("00001000"), [], Error.RAW_MISMATCH),
        (bytes.fromhex("00000001 0506"), [], Error.RAW_MISMATCH),
        (bytes.fromhex("15000000 05"), [], Error.RAW_MISMATCH),  # the table is loaded, but raw is raw
        # CRC and payload, and the order between the errors.
        (coded("000001 000010 0000", 2, crc=GOOD_CRC), [1, 2], Error.GOOD),
        (coded("000001 000010 0000", 2, crc=BAD_CRC), [1, 2], Error.CRC_MISMATCH),
        (coded("000001 000010 0001", 2, crc=BAD_CRC), [1, 2], Error.NONZERO_PADDING),
        (coded("000001 000010 0000 00000000", 2, crc=BAD_CRC), [1, 2], Error.LENGTH_MISMATCH),
        (coded("000001 000010 0000", 3, crc=BAD_CRC), [1, 2], Error.LENGTH_MISMATCH),
        (coded("000001 111 11111111 0000", 2, crc=BAD_CRC), [1], Error.ILLEGAL_CODEWORD),
        (coded("000001 000010 0000", 2, crc=GOOD_CRC)[:7], [], Error.TRUNCATED),
        (coded("000001 000010 0000", 2, crc=GOOD_CRC)[:8], [], Error.TRUNCATED),
        (coded("000001 000010 0000", 2, crc=BAD_CRC)[:9], [1], Error.TRUNCATED),
        # Cut short, with what is there complete, illegal, all symbols, padding.
        (coded("000001 000010 0000", 2, payload_bytes=3), [1, 2], Error.TRUNCATED),
        (coded("000001 000010 0001", 2, payload_bytes=3), [1, 2], Error.TRUNCATED),
        (coded("000001 111 11111111 0000", 9, payload_bytes=7), [1], Error.ILLEGAL_CODEWORD),
        (coded("000001 111 1111111", 9, payload_bytes=7), [1], Error.TRUNCATED),
        (coded("000001 111 1111111", 2), [1], Error.LENGTH_MISMATCH),
        (bytes.fromhex("00002002 0506"), [5, 6], Error.TRUNCATED),
        (bytes.fromhex("40000000 000000"), [], Error.TRUNCATED),
        (bytes.fromhex("40000000 00000000 05"), [5], Error.CRC_MISMATCH),
        # A coded block that is not shorter than its symbols: no encoder sends it, a decoder reads it.
        (coded("111 00000000 00000", 1), [88], Error.GOOD),
    ],
)
def test_verdicts(block, symbols, error) -> None:
    decoded = decode_block(block, 0, TABLES, require_crc=False)
    assert (decoded.symbols.tolist(), decoded.error) == (symbols, error)
    # Where a CRC is required, its absence comes before all but a header that is cut.
    if len(block) >= 4 and not Header.unpack(block[:4]).has_crc:
        symbols, error = [], Error.NO_CRC
    decoded = decode_block(block, 0, TABLES, require_crc=True)
    assert (decoded.symbols.tolist(), decoded.error) == (symbols, error)


@pytest.mark.parametrize("word", ["95", "94", "00", "01", "1f"])
def test_no_crc_comes_before_unknown_table_and_raw_mismatch(word) -> None:
    block = bytes.fromhex(word + "000001 0000")
    assert decode_block(block, 0, {}, require_crc=True).error == Error.NO_CRC
    expected = Error.UNKNOWN_TABLE if word[0] == "9" else Error.RAW_MISMATCH
    assert decode_block(block, 0, {}, require_crc=False).error == expected
    with_crc = bytes([block[0] | 0x40]) + block[1:]
    assert decode_block(with_crc, 0, {}, require_crc=True).error == expected
