"""The fast functions against the reference: same bytes, same symbols, same verdicts."""

import numpy as np
import pytest
from qlc import bitstream, reference
from qlc.errors import Error

from tests.samples import NAMED, frequent_symbols, identity_table, random_code, random_table

# With raw bits: by the code's name, how many its numbers of codewords allow.
RAW = {"raw-1": 1, "raw-2": 2, "raw-3": 3, "one-length": 3, "twelve-bit": 3}
CODES = {
    **{name: (code, RAW.get(name, 0)) for name, code in NAMED.items()},
    **{f"random{i}": (random_code(np.random.default_rng(i), i % 4), i % 4) for i in range(40)},
}


@pytest.fixture(params=CODES.values(), ids=CODES)
def table(request: pytest.FixtureRequest):
    code, raw_bits = request.param
    return random_table(np.random.default_rng(11), code, raw_bits=raw_bits)


@pytest.fixture
def rng():
    return np.random.default_rng(12)


def agreed(payload, count, table):
    """The verdict, after checking that both decoders give it with the same symbols."""
    symbols, verdict = reference.decode(payload, count, table)
    fast_symbols, fast_verdict = bitstream.decode(payload, count, table)
    assert fast_verdict == verdict
    assert fast_symbols.dtype == np.uint8
    assert fast_symbols.tolist() == symbols.tolist()
    return verdict


def test_codes_of_1_to_12_bits_are_tried() -> None:
    lengths = {length for code, _ in CODES.values() for length in code.lengths}
    assert lengths == set(range(1, 13))
    assert {len(code.lengths) for code, _ in CODES.values()} >= {1, 2, 3, 4, 5, 6}
    assert {raw_bits for _, raw_bits in CODES.values()} == {0, 1, 2, 3}


@pytest.mark.parametrize("count", [*range(18), 255, 256, 257, 3000])
def test_same_bytes_and_back(table, rng, count) -> None:
    for symbols in (
        rng.integers(0, 256, size=count).astype(np.uint8),
        frequent_symbols(rng, table, count),
        np.full(count, table.rank_to_symbol[0]),
        np.full(count, table.rank_to_symbol[255]),
    ):
        payload = bitstream.encode(symbols, table)
        assert payload == reference.encode(symbols, table)
        decoded, verdict = bitstream.decode(payload, count, table)
        assert verdict == Error.GOOD
        assert decoded.tolist() == symbols.tolist()


def test_every_symbol(table) -> None:
    symbols = np.arange(256, dtype=np.uint8)
    assert bitstream.decode(bitstream.encode(symbols, table), 256, table)[0].tolist() == symbols.tolist()


def test_raw_bits_are_the_codewords_last_bits(table) -> None:
    mask = (1 << table.raw_bits) - 1
    symbols = np.arange(256)
    assert np.array_equal(table.codewords & mask, symbols & mask)
    # The rest of a codeword, and its length, is the class's.
    assert len({tuple(w) for w in np.stack((table.lengths, symbols >> table.raw_bits)).T.tolist()}) == (
        256 >> table.raw_bits
    )


@pytest.mark.parametrize("code", NAMED.values(), ids=NAMED)
def test_many_chunks(code, rng) -> None:
    table = random_table(rng, code)
    symbols = frequent_symbols(rng, table, bitstream._ENCODE_CHUNK + 5)
    payload = bitstream.encode(symbols, table)
    assert payload == reference.encode(symbols, table)
    decoded, verdict = bitstream.decode(payload, len(symbols), table)
    assert verdict == Error.GOOD
    assert np.array_equal(decoded, symbols)
    # The wrong count, around and far from the ends of chunks.
    for count in (1000, len(symbols) - 1, len(symbols) + 1):
        agreed(payload, count, table)


def test_same_verdict_on_noise(table, rng) -> None:
    for length in (0, 1, 2, 3, 7, 64, 500):
        for count in (0, 1, 2, 5, 8 * length // 7, 8 * length):
            agreed(rng.bytes(length), count, table)
            agreed(bytes(length), count, table)
            agreed(b"\xff" * length, count, table)


def test_same_verdict_at_every_cut_and_count(table, rng) -> None:
    symbols = rng.integers(0, 256, size=12).astype(np.uint8)
    payload = bitstream.encode(symbols, table)
    for cut in range(len(payload)):
        assert agreed(payload[:cut], 12, table) == Error.LENGTH_MISMATCH
    for extra in (b"\0", b"\1", bytes(5)):
        assert agreed(payload + extra, 12, table) == Error.LENGTH_MISMATCH
    for count in range(16):
        agreed(payload, count, table)


def test_same_verdict_at_every_flipped_bit(table, rng) -> None:
    symbols = frequent_symbols(rng, table, 25)
    payload = bitstream.encode(symbols, table)
    for bit in range(8 * len(payload)):
        flipped = bytearray(payload)
        flipped[bit // 8] ^= 0x80 >> bit % 8
        agreed(bytes(flipped), 25, table)


def pack(bits):
    return bytes(int(bits[i : i + 8].ljust(8, "0"), 2) for i in range(0, len(bits), 8))


def test_every_codeword_that_there_is(table) -> None:
    """Each 12-bit start: the codeword that the limits find, or an illegal one."""
    code = table.code
    words = {}
    for rank in range(256):
        words[f"{int(code.rank_codewords[rank]):0{code.rank_lengths[rank]}b}"] = rank
    for start in range(0, 4096, 7):
        bits = f"{start:012b}"
        found = [words[bits[:n]] for n in range(1, 13) if bits[:n] in words]
        symbols, verdict = reference.decode(pack(bits), 1, table)
        agreed(pack(bits), 1, table)
        assert symbols.tolist() == [table.rank_to_symbol[rank] for rank in found]
        assert (verdict == Error.ILLEGAL_CODEWORD) == (not found)


def test_illegal_codeword_at_each_place() -> None:
    table = random_table(np.random.default_rng(1), NAMED["table1"])
    word = "000010"
    for before in range(40):
        for shift in range(8):  # cut short by that many bits
            bits = word * before + "111" + "11111111"[shift:]
            whole = len(bits) // 8 * 8 if shift else len(bits) + -len(bits) % 8
            payload = pack(bits[:whole].ljust(whole, "0"))
            verdict = agreed(payload, before + 1, table)
            assert verdict == (Error.LENGTH_MISMATCH if shift else Error.ILLEGAL_CODEWORD)


def test_what_is_made_of_a_table_is_made_once(rng) -> None:
    """Else a packet of small blocks takes a hundred times as long."""
    table = random_table(rng, NAMED["table1"])
    payload = bitstream.encode(np.zeros(9, dtype=np.uint8), table)
    assert bitstream.decode(payload, 9, table)[1] == Error.GOOD
    assert bitstream._bits(table)[0] is bitstream._bits(table)[0]
    assert bitstream._windows(table)[0] is bitstream._windows(table)[0]
    other = random_table(rng, NAMED["dual"])
    assert bitstream._windows(other)[0] is not bitstream._windows(table)[0]


def test_all_verdicts_are_met(rng) -> None:
    table = random_table(rng, NAMED["table1"])
    payload = bitstream.encode(frequent_symbols(rng, table, 25), table)
    found = {agreed(payload, 25, table), agreed(payload, 24, table), agreed(b"\xff" * 20, 9, table)}
    found.add(agreed(payload[:-1] + bytes([payload[-1] | 1]), 25, table))
    assert found == {Error.GOOD, Error.LENGTH_MISMATCH, Error.ILLEGAL_CODEWORD, Error.NONZERO_PADDING}


def test_a_decoder_that_knows_nothing_of_raw_bits_decodes_them(rng) -> None:
    with_raw = random_table(rng, NAMED["raw-3"], raw_bits=3)
    without = type(with_raw)(
        **{**vars(identity_table(NAMED["raw-3"])), "rank_to_symbol": with_raw.rank_to_symbol}
    )
    symbols = frequent_symbols(rng, with_raw, 500)
    assert bitstream.decode(bitstream.encode(symbols, with_raw), 500, without)[0].tolist() == symbols.tolist()
