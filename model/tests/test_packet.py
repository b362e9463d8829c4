import io
import itertools
import warnings
import zlib

import ml_dtypes
import numpy as np
import pytest
from qlc.block import CRC_BYTES, HEADER_BYTES, Header
from qlc.code import PRESETS, Code
from qlc.errors import Error
from qlc.histogram import count_symbols
from qlc.packet import Policy, decode_blocks, decode_packet, encode_blocks, encode_packet
from qlc.ranking import KNOWN_DTYPES
from qlc.table import calibrate

from tests.samples import frequent_symbols, identity_table, random_code, random_table

TABLE = identity_table(PRESETS["table1"], table_id=9)
TABLES = {9: TABLE}


def headers(packet):
    """The headers of a good packet."""
    found = []
    while packet:
        header = Header.unpack(packet[:4])
        found.append(header)
        packet = packet[4 + 4 * header.has_crc + header.payload_bytes :]
    return found


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def test_nothing() -> None:
    assert encode_packet(np.zeros(0, dtype=np.uint8), TABLE) == b""
    decoded = decode_packet(b"", {})
    assert (decoded.symbols.tolist(), *decoded[1:]) == ([], Error.GOOD, 0, 0)


@pytest.mark.parametrize(
    ("count", "policy", "blocks"),
    [
        (1024, Policy(), [1024]),
        (4096, Policy(), [4096]),
        (4097, Policy(), [4096, 1]),
        (10000, Policy(), [4096, 4096, 1808]),
        (100, Policy(block=32), [32, 32, 32, 4]),
        (96, Policy(block=32), [32, 32, 32]),
    ],
)
def test_cut_into_blocks_of_which_the_last_is_marked(count, policy, blocks) -> None:
    found = headers(encode_packet(np.zeros(count, np.uint8), TABLE, policy))
    assert [h.symbols for h in found] == blocks
    assert [h.last for h in found] == [False] * (len(blocks) - 1) + [True]
    assert all(h.has_crc for h in found)
    without = headers(encode_packet(np.zeros(count, np.uint8), TABLE, Policy(policy.block, crc=False)))
    assert not any(h.has_crc for h in without)


@pytest.mark.parametrize(
    ("count", "policy", "coded"),
    [
        (1023, Policy(), False),
        (1024, Policy(), True),
        (99, Policy(min_packet=100), False),
        (100, Policy(min_packet=100), True),
        (31, Policy(block=32), False),  # the block, where it is shorter than min_packet
        (32, Policy(block=32), True),
        (4, Policy(min_packet=0), True),
        (4096, Policy(min_packet=10**6), True),
        (1024, Policy(min_saving=256), True),
        (1024, Policy(min_saving=257), False),
    ],
)
def test_when_a_packet_is_coded(count, policy, coded) -> None:
    packet = encode_packet(np.zeros(count, dtype=np.uint8), TABLE, policy)
    assert [h.coded for h in headers(packet)] == [coded]
    assert all(h.table_id == (9 if coded else 0) for h in headers(packet))


def test_the_last_block_of_a_long_packet_may_be_short_and_coded() -> None:
    assert [h.coded for h in headers(encode_packet(np.zeros(4100, np.uint8), TABLE))] == [True, True]


def test_each_block_is_judged_by_itself() -> None:
    symbols = np.repeat(np.array([0, 255, 0], dtype=np.uint8), 32)
    assert [h.coded for h in headers(encode_packet(symbols, TABLE, Policy(block=32)))] == [True, False, True]


@pytest.mark.parametrize("crc", [False, True])
@pytest.mark.parametrize("block", [32, 33, 1000, 4096])
@pytest.mark.parametrize("seed", range(8))
def test_back_again_and_never_much_larger(seed, block, crc) -> None:
    rng = np.random.default_rng(seed)
    raw_bits = seed % 4
    table = random_table(rng, random_code(rng, raw_bits), 31, raw_bits)
    symbols = frequent_symbols(rng, table, int(rng.integers(1, 9000)))
    packet = encode_packet(symbols, table, Policy(block=block, min_packet=0, crc=crc))
    decoded = decode_packet(packet, {31: table, 9: TABLE}, require_crc=crc)
    assert decoded.error == Error.GOOD
    assert decoded.symbols.tolist() == symbols.tolist()
    assert (decoded.block, decoded.start) == (-(-len(symbols) // block), len(packet))
    assert len(packet) <= len(symbols) + (8 if crc else 4) * decoded.block
    assert all(h.payload_bytes < h.symbols for h in headers(packet) if h.coded)


def unmarked(packet):
    """A packet of one block without its mark."""
    return bytes([packet[0] & ~0x20]) + packet[1:]


def test_blocks_of_several_tables(rng) -> None:
    other = random_table(rng, PRESETS["dual"], table_id=10)
    first, second = frequent_symbols(rng, TABLE, 2000), frequent_symbols(rng, other, 2000)
    packet = unmarked(encode_packet(first, TABLE)) + encode_packet(second, other)
    decoded = decode_packet(packet, {9: TABLE, 10: other})
    assert decoded.error == Error.GOOD
    assert decoded.symbols.tolist() == [*first.tolist(), *second.tolist()]
    decoded = decode_packet(packet, TABLES)
    assert (decoded.error, decoded.block) == (Error.UNKNOWN_TABLE, 1)
    assert decoded.start == len(encode_packet(first, TABLE))
    assert decoded.symbols.tolist() == first.tolist()


@pytest.mark.parametrize("crc", [False, True])
def test_no_cut_packet_is_good(rng, crc) -> None:
    symbols = np.concatenate((frequent_symbols(rng, TABLE, 64), np.full(32, 255, np.uint8)))
    packet = encode_packet(symbols, TABLE, Policy(block=32, crc=crc))
    ends = np.cumsum([0] + [4 + 4 * crc + h.payload_bytes for h in headers(packet)]).tolist()
    delivered = 0
    for cut in range(1, len(packet)):
        decoded = decode_packet(packet[:cut], TABLES, require_crc=crc)
        block = int(np.searchsorted(ends, cut, side="right")) - 1
        assert (decoded.error, decoded.block, decoded.start) == (Error.TRUNCATED, block, ends[block])
        assert decoded.symbols.tolist() == symbols[: len(decoded.symbols)].tolist()
        assert len(decoded.symbols) >= delivered
        delivered = len(decoded.symbols)
    assert decode_packet(packet[:0], TABLES).error == Error.GOOD
    assert decode_packet(packet, TABLES, require_crc=crc).error == Error.GOOD


class TestMarks:
    SYMBOLS = np.arange(96, dtype=np.uint8) % 8
    PACKET = encode_packet(SYMBOLS, TABLE, Policy(block=32))
    BYTES = HEADER_BYTES + CRC_BYTES + 24

    def change(self, *blocks):
        packet = bytearray(self.PACKET)
        for block in blocks:
            packet[block * self.BYTES] ^= 0x20
        return bytes(packet)

    def test_layout(self) -> None:
        assert len(self.PACKET) == 3 * self.BYTES

    @pytest.mark.parametrize(
        ("changed", "error", "block"),
        [
            ((), Error.GOOD, 3),
            ((2,), Error.TRUNCATED, 3),  # missing: a fourth block should follow
            ((0,), Error.AFTER_LAST, 1),  # early, and twice
            ((1,), Error.AFTER_LAST, 2),
            ((0, 2), Error.AFTER_LAST, 1),  # early only
            ((0, 1), Error.AFTER_LAST, 1),
        ],
    )
    def test_verdict(self, changed, error, block) -> None:
        decoded = decode_packet(self.change(*changed), TABLES)
        assert (decoded.error, decoded.block, decoded.start) == (error, block, block * self.BYTES)
        assert decoded.symbols.tolist() == self.SYMBOLS[: 32 * block].tolist()

    @pytest.mark.parametrize("behind", [b"\0", b"\xff" * 3, PACKET, bytes(5000)])
    def test_bytes_behind_the_last_block(self, behind) -> None:
        decoded = decode_packet(self.PACKET + behind, TABLES)
        assert (decoded.error, decoded.start) == (Error.AFTER_LAST, len(self.PACKET))

    def test_an_error_inside_comes_before_those_of_the_end(self) -> None:
        damaged = bytearray(self.PACKET)
        damaged[2 * self.BYTES + 20] ^= 1
        assert decode_packet(bytes(damaged) + b"\0", TABLES).error == Error.CRC_MISMATCH
        damaged[2 * self.BYTES] ^= 0x20
        assert decode_packet(bytes(damaged), TABLES).error == Error.CRC_MISMATCH


class TestRequiredCrc:
    SYMBOLS = np.zeros(64, dtype=np.uint8)
    PACKET = encode_packet(SYMBOLS, TABLE, Policy(block=32, crc=False))

    def test_a_block_without_crc(self) -> None:
        decoded = decode_packet(self.PACKET, TABLES)
        assert (decoded.error, decoded.block, decoded.start) == (Error.NO_CRC, 0, 0)
        assert decode_packet(self.PACKET, {}).error == Error.NO_CRC  # before unknown-table
        assert decode_packet(self.PACKET, {}, require_crc=False).error == Error.UNKNOWN_TABLE
        assert decode_packet(self.PACKET, TABLES, require_crc=False).error == Error.GOOD

    def test_the_second_block_only(self) -> None:
        first = encode_packet(self.SYMBOLS, TABLE, Policy(block=64))
        packet = unmarked(first) + self.PACKET
        decoded = decode_packet(packet, TABLES)
        assert (decoded.error, decoded.block, len(decoded.symbols)) == (Error.NO_CRC, 1, 64)

    def test_a_raw_block_that_contradicts_itself(self) -> None:
        packet = bytes.fromhex("24000001 0506")
        assert decode_packet(packet, TABLES).error == Error.NO_CRC
        assert decode_packet(packet, TABLES, require_crc=False).error == Error.RAW_MISMATCH

    def test_a_header_that_is_cut(self) -> None:
        assert decode_packet(self.PACKET[:3], TABLES).error == Error.TRUNCATED


@pytest.mark.parametrize("seed", range(30))
def test_the_wrong_table_of_an_id_is_never_good(seed) -> None:
    """Two tables with one id: what one encoded, the other must not deliver."""
    rng = np.random.default_rng(seed)
    raw_bits = seed % 4
    code = other = PRESETS["table1"]
    if seed % 2:
        raw_bits = 0
    else:
        other = random_code(rng, raw_bits)
        while code.lengths[0] > 5:
            code = random_code(rng, raw_bits)
    right, wrong = (random_table(rng, c, 5, raw_bits) for c in (code, other))
    symbols = right.rank_to_symbol[np.where(rng.random(3000) < 0.05, rng.integers(0, 256, 3000), 0)]
    packet = encode_packet(symbols, right, Policy(block=256, min_packet=0))
    assert any(h.coded for h in headers(packet))
    assert decode_packet(packet, {5: right}).error == Error.GOOD
    assert decode_packet(packet, {5: wrong}).error in (
        Error.CRC_MISMATCH,
        Error.ILLEGAL_CODEWORD,
        Error.LENGTH_MISMATCH,
        Error.NONZERO_PADDING,
    )


DAMAGES = 20_000
LEAST_BLOCK = HEADER_BYTES + CRC_BYTES + 1


def damage(rng, packet):
    """A packet with one to three changes: bits, bytes, cuts, pieces lost, doubled or new, headers.

    No piece is as long as a block: whole blocks are good ones, wherever they are.
    """
    data = bytearray(packet)
    for _ in range(int(rng.integers(1, 4))):
        kind = rng.integers(0, 8)
        at = int(rng.integers(0, len(data))) if data else 0
        piece = int(rng.integers(1, LEAST_BLOCK))
        if kind == 0 and data:
            data[at] ^= 1 << int(rng.integers(0, 8))
        elif kind == 1 and data:
            data[at] = int(rng.integers(0, 256))
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at : at + piece]
        elif kind == 4:
            data[at:at] = rng.bytes(piece)
        elif kind == 5:
            data += rng.bytes(piece)
        elif kind == 6:
            data[at:at] = data[at : at + piece]
        elif kind == 7 and len(data) >= HEADER_BYTES:
            data[int(rng.integers(0, HEADER_BYTES))] ^= 1 << int(rng.integers(0, 8))
    return bytes(data)


def test_nothing_wrong_is_reported_good() -> None:
    rng = np.random.default_rng(99)
    tables = {i: random_table(rng, random_code(rng, i % 4), i, i % 4) for i in range(6)}
    sent = []
    for i in range(60):
        symbols = frequent_symbols(rng, tables[i % 6], int(rng.integers(33, 300)))
        policy = Policy(block=int(rng.integers(32, 100)), min_packet=0)
        sent.append((encode_packet(symbols, tables[i % 6], policy), symbols))
    found = dict.fromkeys(Error, 0)
    for i in range(DAMAGES):
        packet, symbols = sent[i % len(sent)]
        damaged = damage(rng, packet)
        decoded = decode_packet(damaged, tables)
        found[decoded.error] += 1
        if decoded.error == Error.GOOD and damaged:
            assert decoded.symbols.tobytes() == symbols.tobytes()
    assert all(found.values()), found
    assert found[Error.GOOD] < DAMAGES // 20


def test_with_a_crc_no_flipped_bit_of_a_packet_of_one_block_goes_unseen(rng) -> None:
    symbols = frequent_symbols(rng, TABLE, 64)
    packet = encode_packet(symbols, TABLE, Policy(block=64))
    assert headers(packet)[0].coded
    found = set()
    for bit in range(8 * len(packet)):
        flipped = bytearray(packet)
        flipped[bit // 8] ^= 0x80 >> bit % 8
        found.add(decode_packet(bytes(flipped), TABLES).error)
    assert Error.GOOD not in found
    assert Error.CRC_MISMATCH in found


def test_verdicts_in_stream_order() -> None:
    """Blocks of each kind of error, in every order of two: the first one counts."""

    def block(word, *parts):
        return bytes.fromhex(word) + b"".join(parts)

    zero_crc = zlib.crc32(bytes([0])).to_bytes(4, "big")
    bad = {
        Error.UNKNOWN_TABLE: block("c8000000", bytes(4), b"\0"),
        Error.ILLEGAL_CODEWORD: block("c9000001", bytes(4), b"\xff\xe0"),
        Error.LENGTH_MISMATCH: block("c9000001", bytes(4), b"\0\0"),
        Error.NONZERO_PADDING: block("c9000000", zero_crc, b"\x01"),
        Error.RAW_MISMATCH: block("40001000", bytes(4), b"\0"),
        Error.CRC_MISMATCH: block("40000000", bytes(4), b"\0"),
        Error.NO_CRC: block("00000000", b"\0"),
        Error.TRUNCATED: b"\0",
    }
    good = block("40000000", zero_crc, b"\0")
    for error, data in bad.items():
        assert decode_packet(data, TABLES).error == error
    for (first, a), (_, b) in itertools.permutations(bad.items(), 2):
        if first != Error.TRUNCATED:
            decoded = decode_packet(good + a + b, TABLES)
            assert (decoded.error, decoded.block) == (first, 1)


def test_special_values_have_one_codeword_in_every_table_of_a_code(rng) -> None:
    for code in (*PRESETS.values(), Code.parse("7x1,8x253,9"), random_code(rng)):
        for dtype, special in (("float8_e4m3fn", [0x7F, 0xFF]), ("float8_e5m2", [0x7C, 0xFF])):
            tables = [calibrate(rng.integers(0, 99, size=256) + 1, dtype, code, "t", 0) for _ in range(20)]
            words = {tuple(t.codewords[special].tolist() + t.lengths[special].tolist()) for t in tables}
            assert len(words) == 1


def test_noise_is_never_more_than_a_verdict(rng) -> None:
    for length in range(300):
        decoded = decode_packet(rng.bytes(length), dict.fromkeys(range(32), TABLE), require_crc=False)
        assert decoded.error in Error


FLOATS = [name for name in KNOWN_DTYPES if name != "uint8"]


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_are_their_bytes(rng, dtype) -> None:
    symbols = frequent_symbols(rng, TABLE, 3000)
    floats = symbols.view(getattr(ml_dtypes, dtype))
    assert encode_packet(floats, TABLE) == encode_packet(symbols, TABLE)
    assert np.array_equal(count_symbols(floats), np.bincount(symbols, minlength=256))
    assert encode_packet(floats[::2], TABLE) == encode_packet(symbols[::2].copy(), TABLE)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((64, 64), np.uint8), "symbols: 2 dimensions: must be 1"),
        (np.uint8(7), "symbols: 0 dimensions: must be 1"),
        (np.zeros(64, np.int64), "symbols: dtype int64: must be uint8 or an 8-bit float"),
        (np.zeros(64, np.int8), "symbols: dtype int8: must be "),
        (np.zeros(64, np.float32), "symbols: dtype float32: must be "),
        (np.zeros(64, bool), "symbols: dtype bool: must be "),
        (np.zeros(64, ml_dtypes.int4), "symbols: dtype int4: must be "),
        (np.zeros(64, ml_dtypes.float6_e2m3fn), "symbols: dtype float6_e2m3fn: must be "),
        (np.zeros(64, "V1"), "symbols: dtype .*: must be "),
        ([0, 1, 2], "symbols: dtype int64: must be "),
        ([], "symbols: dtype float64: must be "),
    ],
)
@pytest.mark.parametrize("function", [lambda a: encode_packet(a, TABLE), count_symbols])
def test_other_arrays_are_refused(array, message, function) -> None:
    with pytest.raises(ValueError, match="^" + message):
        function(array)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_bytes_are_decoded(rng, kind) -> None:
    symbols = frequent_symbols(rng, TABLE, 3000)
    decoded = decode_packet(kind(encode_packet(symbols, TABLE)), TABLES)
    assert (decoded.error, decoded.symbols.tolist()) == (Error.GOOD, symbols.tolist())


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"block": 31}, "block 31: must be 32 to 4096"),
        ({"block": 4097}, "block 4097: must be 32 to 4096"),
        ({"min_packet": -1}, "min_packet -1: must be at least 0"),
        ({"min_saving": 0}, "min_saving 0: must be at least 1"),
    ],
)
def test_policy_limits(policy, message) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Policy(**policy)


class TestOtherArrays:
    FLOATS = np.arange(2000).astype(np.uint8).view(ml_dtypes.float8_e5m2)

    def test_a_table_for_another_float_is_warned_of(self) -> None:
        table = calibrate(count_symbols(self.FLOATS), "float8_e4m3fn", "table1", "up", 0)
        with pytest.warns(UserWarning, match="symbols of float8_e5m2: table up is for float8_e4m3fn"):
            packet = encode_packet(self.FLOATS, table)
        assert decode_packet(packet, {0: table}).symbols.tobytes() == self.FLOATS.tobytes()

    @pytest.mark.parametrize("dtype", ["float8_e5m2", "uint8"])
    def test_its_own_table_and_plain_bytes_are_not(self, dtype) -> None:
        table = calibrate(count_symbols(self.FLOATS), dtype, "table1", "up", 0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            encode_packet(self.FLOATS, table)
            encode_packet(self.FLOATS.view(np.uint8), table)

    def test_what_is_no_packet(self) -> None:
        for wrong in (5, "text", None, [1]):
            with pytest.raises(TypeError):
                decode_packet(wrong, {})

    def test_from_a_file_block_by_block(self) -> None:
        table = calibrate(count_symbols(self.FLOATS), "float8_e5m2", "auto", "up", 0)
        packet = encode_packet(self.FLOATS, table, Policy(block=100))
        assert b"".join(encode_blocks(self.FLOATS, table, Policy(block=100))) == packet
        for data in (
            packet,
            packet[:-1],
            packet[:1],
            packet + b"x",
            b"",
            packet[:40] + b"\xff" + packet[41:],
        ):
            blocks = list(decode_blocks(io.BytesIO(data), {0: table}))
            whole = decode_packet(data, {0: table})
            assert b"".join(block.symbols.tobytes() for block in blocks) == whole.symbols.tobytes()
            errors = [block.error for block in blocks]
            if whole.error:
                assert (errors[-1], len(blocks)) == (whole.error, whole.block + 1)
                errors.pop()
            assert not any(errors)
            assert [0, *(block.end for block in blocks)][len(errors)] == whole.start
