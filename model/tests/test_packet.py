import numpy as np
import pytest
from qlc.block import Header
from qlc.errors import Error
from qlc.packet import Policy, decode_packet, encode_packet
from qlc.scheme import PRESETS

from tests.samples import frequent_symbols, identity_table, random_scheme, random_table

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


def test_nothing():
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
def test_cut_into_blocks(rng, count, policy, blocks):
    assert [h.symbols for h in headers(encode_packet(np.zeros(count, np.uint8), TABLE, policy))] == blocks


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
def test_when_a_packet_is_coded(count, policy, coded):
    packet = encode_packet(np.zeros(count, dtype=np.uint8), TABLE, policy)
    assert [h.coded for h in headers(packet)] == [coded]
    assert all(h.table_id == (9 if coded else 0) for h in headers(packet))


def test_the_last_block_of_a_long_packet_may_be_short_and_coded():
    assert [h.coded for h in headers(encode_packet(np.zeros(4100, np.uint8), TABLE))] == [True, True]


def test_each_block_is_judged_by_itself():
    symbols = np.repeat(np.array([0, 255, 0], dtype=np.uint8), 32)
    assert [h.coded for h in headers(encode_packet(symbols, TABLE, Policy(block=32)))] == [True, False, True]


@pytest.mark.parametrize("crc", [False, True])
@pytest.mark.parametrize("block", [32, 33, 1000, 4096])
@pytest.mark.parametrize("seed", range(8))
def test_back_again_and_never_much_larger(seed, block, crc):
    rng = np.random.default_rng(seed)
    table = random_table(rng, random_scheme(rng), table_id=63)
    symbols = frequent_symbols(rng, table, int(rng.integers(1, 9000)))
    packet = encode_packet(symbols, table, Policy(block=block, min_packet=0, crc=crc))
    decoded = decode_packet(packet, {63: table, 9: TABLE})
    assert decoded.error == Error.GOOD
    assert decoded.symbols.tolist() == symbols.tolist()
    assert (decoded.block, decoded.start) == (-(-len(symbols) // block), len(packet))
    assert len(packet) <= len(symbols) + (8 if crc else 4) * decoded.block
    assert all(h.payload_bytes < h.symbols for h in headers(packet) if h.coded)


def test_blocks_of_several_tables(rng):
    other = random_table(rng, PRESETS["dual"], table_id=10)
    first, second = frequent_symbols(rng, TABLE, 2000), frequent_symbols(rng, other, 2000)
    packet = encode_packet(first, TABLE) + encode_packet(second, other)
    decoded = decode_packet(packet, {9: TABLE, 10: other})
    assert decoded.error == Error.GOOD
    assert decoded.symbols.tolist() == [*first.tolist(), *second.tolist()]
    decoded = decode_packet(packet, TABLES)
    assert (decoded.error, decoded.block) == (Error.UNKNOWN_TABLE, 1)
    assert decoded.start == len(encode_packet(first, TABLE))
    assert decoded.symbols.tolist() == first.tolist()


@pytest.mark.parametrize("crc", [False, True])
def test_every_cut_is_truncated_or_ends_a_block(rng, crc):
    symbols = np.concatenate((frequent_symbols(rng, TABLE, 64), np.full(32, 255, np.uint8)))
    packet = encode_packet(symbols, TABLE, Policy(block=32, crc=crc))
    ends = np.cumsum([0] + [4 + 4 * crc + h.payload_bytes for h in headers(packet)]).tolist()
    delivered = 0
    for cut in range(len(packet) + 1):
        decoded = decode_packet(packet[:cut], TABLES)
        if cut in ends:
            assert (decoded.error, len(decoded.symbols)) == (Error.GOOD, 32 * ends.index(cut))
        else:
            block = int(np.searchsorted(ends, cut)) - 1
            assert (decoded.error, decoded.block, decoded.start) == (Error.TRUNCATED, block, ends[block])
        assert decoded.symbols.tolist() == symbols[: len(decoded.symbols)].tolist()
        assert len(decoded.symbols) >= delivered
        delivered = len(decoded.symbols)


def test_with_a_crc_no_flipped_payload_or_crc_bit_goes_unseen(rng):
    symbols = frequent_symbols(rng, TABLE, 64)
    packet = encode_packet(symbols, TABLE, Policy(block=64, crc=True))
    assert headers(packet)[0].coded
    found = set()
    for bit in range(32, 8 * len(packet)):
        flipped = bytearray(packet)
        flipped[bit // 8] ^= 0x80 >> bit % 8
        found.add(decode_packet(bytes(flipped), TABLES).error)
    assert Error.GOOD not in found
    assert Error.CRC_MISMATCH in found


def test_noise_is_never_more_than_a_verdict(rng):
    for length in range(300):
        decoded = decode_packet(rng.bytes(length), dict.fromkeys(range(32), TABLE))
        assert decoded.error in Error


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"block": 31}, "block 31: must be 32 to 4096"),
        ({"block": 4097}, "block 4097: must be 32 to 4096"),
        ({"min_packet": -1}, "min_packet -1: must be at least 0"),
        ({"min_saving": 0}, "min_saving 0: must be at least 1"),
    ],
)
def test_policy_limits(policy, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        Policy(**policy)
