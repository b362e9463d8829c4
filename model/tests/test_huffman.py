"""Canonical Huffman codes: against the definition, and there and back."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from qlc import bitstream
from qlc.baselines import huffman_lengths
from qlc.errors import Error, InputError
from qlc.histogram import count_symbols
from qlc.huffman import MAX_LENGTH, HuffmanTable, decode, huffman_table, read_table, write_table

RNG = np.random.default_rng(5)
COUNTS = {
    "falling": np.sort(RNG.geometric(0.02, size=256))[::-1],
    "steep": (10**9 * 0.7 ** np.arange(256)).astype(np.int64),
    "even": np.full(256, 3),
    "one": np.eye(256, dtype=np.int64)[7],
    "random": RNG.permutation(np.maximum(RNG.normal(100, 200, size=256), 0).astype(np.int64)),
}


@pytest.fixture(params=COUNTS.values(), ids=COUNTS)
def counts(request: pytest.FixtureRequest):
    return request.param


@pytest.fixture
def table(counts):
    return huffman_table(counts)


def incomplete(table):
    """The same code with one of its longest codewords a bit longer."""
    lengths = table.lengths.copy()
    lengths[np.flatnonzero(lengths == lengths.max())[-1]] += 1
    return HuffmanTable(lengths)


def texts(table):
    return [format(int(c), f"0{n}b") for c, n in zip(table.codewords, table.lengths, strict=True)]


def test_codewords_are_a_complete_prefix_code_in_canonical_order(table) -> None:
    words = texts(table)
    assert sum(2.0 ** -len(word) for word in words) == 1
    ordered = sorted(range(256), key=lambda symbol: (len(words[symbol]), symbol))
    assert table.rank_to_symbol.tolist() == ordered
    falling = [words[symbol] for symbol in ordered]
    assert falling == sorted(falling)
    assert not any(b.startswith(a) for a, b in pairwise(falling))


def test_as_short_as_huffman_where_no_codeword_is_cut(counts) -> None:
    table = huffman_table(counts)
    free = huffman_lengths(np.where(counts > 0, counts * 257, 1))
    if free.max() <= MAX_LENGTH:
        assert (counts * table.lengths).sum() == (counts * free).sum()
    else:
        assert table.lengths.max() == MAX_LENGTH


def test_limits_tell_the_length(table) -> None:
    for word in texts(table):
        length = next(n for n in range(1, 17) if int(word[:n].ljust(n, "0"), 2) < table.limits[n - 1])
        assert length == len(word)
    assert table.limits[-1] == 1 << 16


def test_tree_leads_to_every_symbol(table) -> None:
    for code in (table, incomplete(table)) if table.lengths.max() < MAX_LENGTH else (table,):
        for symbol, word in enumerate(texts(code)):
            child = 0
            for bit in word:
                assert child < 256
                child = int(code.tree_file_words[child]) >> 9 * int(bit) & 0x1FF
            assert child == 256 + symbol


@pytest.mark.parametrize("count", [0, 1, 2, 7, 300])
def test_there_and_back(table, count) -> None:
    symbols = np.random.default_rng(count).integers(0, 256, size=count).astype(np.uint8)
    payload = bitstream.encode(symbols, table)
    bits = "".join(texts(table)[symbol] for symbol in symbols)
    assert payload == bytes(int(bits[i : i + 8].ljust(8, "0"), 2) for i in range(0, len(bits), 8))
    decoded, verdict = decode(payload, count, table)
    assert verdict == Error.GOOD
    assert np.array_equal(decoded, symbols)
    assert np.array_equal(count_symbols(decoded), count_symbols(symbols))


def test_verdicts() -> None:
    table = huffman_table(COUNTS["falling"])
    symbols = np.arange(40, dtype=np.uint8)
    payload = bitstream.encode(symbols, table)
    padding = 8 * len(payload) - int(table.lengths[symbols].sum())
    assert padding
    assert decode(payload + b"\0", 40, table)[1] == Error.LENGTH_MISMATCH
    assert decode(payload[:-1], 40, table)[1] == Error.LENGTH_MISMATCH
    assert decode(payload[:-1] + bytes([payload[-1] | 1]), 40, table)[1] == Error.NONZERO_PADDING
    code = incomplete(table)
    decoded, verdict = decode(bitstream.encode(symbols[:5], code) + b"\xff" * 4, 9, code)
    # The padding's zeros are bits of what is decoded next.
    assert verdict == Error.ILLEGAL_CODEWORD
    assert decoded[:5].tolist() == symbols[:5].tolist()


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([0] + [8] * 255, "256 of 1 to 16 bits"),
        ([17] + [8] * 255, "256 of 1 to 16 bits"),
        ([8] * 255, "256 of 1 to 16 bits"),
        ([7] + [8] * 255, "too short for a prefix code"),
    ],
)
def test_bad_lengths(lengths, message) -> None:
    with pytest.raises(ValueError, match=message):
        HuffmanTable(np.array(lengths))


def test_tree_without_room() -> None:
    with pytest.raises(ValueError, match=r"^263 inner nodes: there is room for 256$"):
        _ = HuffmanTable(np.full(256, 16)).tree_file_words


def test_files(table, tmp_path: Path) -> None:
    code, tree = write_table(table, tmp_path, "x")
    assert np.array_equal(read_table(code).lengths, table.lengths)
    assert [int(w, 16) for w in tree.read_text().split()] == table.tree_file_words.tolist()


def test_bad_file(tmp_path: Path) -> None:
    (code, *_) = write_table(huffman_table(COUNTS["falling"]), tmp_path, "x")
    lines = code.read_text().splitlines()
    lines[3], lines[4] = lines[4], lines[3]
    for text in ("\n".join(lines), "", "hello\n"):
        code.write_text(text)
        with pytest.raises(InputError, match=str(code)):
            read_table(code)
    with pytest.raises(InputError, match="nothing"):
        read_table(tmp_path / "nothing.code.hex")
