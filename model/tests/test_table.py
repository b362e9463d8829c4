import dataclasses

import numpy as np
import pytest
from qlc.code import PRESETS, Code
from qlc.histogram import MAX_TOTAL
from qlc.optimum import best_huffman, best_quad
from qlc.table import calibrate

from tests.samples import NAMED, identity_table, random_code, random_table

COUNTS = np.random.default_rng(7).integers(0, 5, size=256)
RAW3 = Code.parse("4x8,6x16,8x32,11")


@pytest.mark.parametrize("code", NAMED.values(), ids=NAMED)
def test_words_by_symbol(code) -> None:
    table = random_table(np.random.default_rng(1), code)
    for symbol in range(256):
        rank = table.rank_to_symbol.tolist().index(symbol)
        assert table.symbol_to_rank[symbol] == rank
        assert table.lengths[symbol] == code.rank_lengths[rank]
        assert table.codewords[symbol] == code.rank_codewords[rank]
    assert table.classes().tolist() == table.rank_to_symbol.tolist()
    assert table.class_ranks().tolist() == table.symbol_to_rank.tolist()


def test_words_by_hand() -> None:
    table = identity_table(PRESETS["table1"])
    words = zip(
        table.lengths[[0, 39, 40, 255]].tolist(), table.codewords[[0, 39, 40, 255]].tolist(), strict=True
    )
    assert list(words) == [(6, 0), (6, 0x27), (7, 0x50), (11, 0x7A7)]


@pytest.mark.parametrize("raw_bits", range(4))
def test_classes_of_every_hardware(raw_bits) -> None:
    rng = np.random.default_rng(raw_bits)
    table = random_table(rng, random_code(rng, raw_bits), raw_bits=raw_bits)
    for bits in range(raw_bits + 1):
        classes, ranks = table.classes(bits), table.class_ranks(bits)
        assert (classes.dtype, ranks.dtype) == (np.uint8, np.uint8)
        assert len(classes) == len(ranks) == 256 >> bits
        for symbol in range(256):
            rank = int(ranks[symbol >> bits]) << bits | symbol & (1 << bits) - 1
            assert table.symbol_to_rank[symbol] == rank
            assert classes[rank >> bits] == symbol >> bits
    for bits in (-1, raw_bits + 1):
        for method in (table.classes, table.class_ranks):
            with pytest.raises(ValueError, match=f"^raw_bits {bits}: must be 0 to the table's {raw_bits}$"):
                method(bits)


def test_calibrate() -> None:
    counts = np.zeros(256, dtype=np.int64)
    counts[[9, 4]] = 3, 1
    table = calibrate(counts, "uint8", PRESETS["dual"], "layer.0_up-x", 31)
    assert table.rank_to_symbol[:3].tolist() == [9, 4, 0]
    assert (table.symbols_counted, table.expected_bits, table.entropy_bits) == (4, 4, 0.811278)
    assert (table.name, table.dtype, table.table_id, table.raw_bits) == ("layer.0_up-x", "uint8", 31, 0)
    assert calibrate(counts, "uint8", "dual", "t", 0).code == PRESETS["dual"]


def test_calibrate_with_raw_bits() -> None:
    counts = np.zeros(256, dtype=np.int64)
    counts[[0x81, 0x47, 0x40]] = 5, 4, 2
    table = calibrate(counts, "float8_e4m3fn", RAW3, "t", 0, raw_bits=3)
    assert table.rank_to_symbol[:16].tolist() == [*range(0x40, 0x48), *range(0x80, 0x88)]
    assert table.expected_bits == 4.909091  # 6 symbols of 4 bits, 5 of 6
    assert table.classes().tolist()[:3] == [8, 16, 0]


def test_calibrate_finds_codes_for_the_ranked_counts() -> None:
    counts = COUNTS.copy()
    counts[0xFF] = 10**6  # a special value: last, though most frequent
    for raw_bits, shortest, longest in ((0, 1, 12), (3, 4, 11), (2, 5, 10)):
        for name, find in (("auto", best_quad), ("huffman", best_huffman)):
            table = calibrate(counts, "float8_e4m3fn", name, "t", 0, raw_bits, shortest, longest)
            assert table.code == find(counts[table.rank_to_symbol], raw_bits, shortest, longest)


def test_calibrate_on_nothing() -> None:
    with pytest.raises(ValueError, match=r"^no symbols to calibrate on$"):
        calibrate(np.zeros(256, dtype=int), "uint8", "auto", "t", 0)


@pytest.mark.parametrize("scheme", ["auto", "huffman", "area8", "area16", "table1"])
def test_huge_counts(scheme) -> None:
    counts = np.ones(256, dtype=np.uint64)
    counts[7] = MAX_TOTAL - 255
    table = calibrate(counts, "uint8", scheme, "t", 0)
    assert table.symbols_counted == MAX_TOTAL
    assert table.expected_bits == pytest.approx(int(table.lengths[7]), abs=1e-6)
    for count in (MAX_TOTAL - 254, 2**63, 2**64 - 1):
        counts[7] = count
        with pytest.raises(ValueError, match=f"^counts must be {MAX_TOTAL} at most in all$"):
            calibrate(counts, "uint8", scheme, "t", 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "name '': must be letters, digits, dot, underscore and hyphen"),
        ({"name": "a/b"}, "name 'a/b': must be letters, digits, dot, underscore and hyphen"),
        ({"dtype": "e4m3"}, "dtype 'e4m3': must be one of "),
        ({"rank_to_symbol": np.zeros(256, int)}, "rank_to_symbol: must hold each symbol 0 to 255 once"),
        ({"rank_to_symbol": np.arange(255)}, "rank_to_symbol: must hold each symbol 0 to 255 once"),
        ({"rank_to_symbol": np.arange(256) + 256}, "rank_to_symbol: must hold each symbol 0 to 255 once"),
        ({"rank_to_symbol": np.arange(256) + 0.5}, "rank_to_symbol: must hold each symbol 0 to 255 once"),
        ({"dtype": "float8_e5m2fnuz"}, "rank_to_symbol: must end with float8_e5m2fnuz's special values"),
        ({"raw_bits": 4}, "raw_bits 4: must be 0 to 3"),
        ({"raw_bits": -1}, "raw_bits -1: must be 0 to 3"),
        ({"raw_bits": 3, "code": PRESETS["table2"]}, "code 4x2,6x32,8x64,11: 2 codewords of 4 bits: with 3 "),
        (
            {"raw_bits": 1, "rank_to_symbol": np.array([0, 2, 1, 3, *range(4, 256)])},
            "rank_to_symbol: 1 raw bits: a class must be together",
        ),
        (
            {"raw_bits": 1, "rank_to_symbol": np.array([1, 0, *range(2, 256)])},
            "rank_to_symbol: 1 raw bits: a class must be together",
        ),
        ({"table_id": 32}, "table_id 32: must be 0 to 31"),
        ({"table_id": -1}, "table_id -1: must be 0 to 31"),
        ({"symbols_counted": 0}, "symbols_counted 0: must be at least 1"),
        ({"entropy_bits": -0.5}, "entropy_bits -0.5: must be 0 to the longest codeword's length"),
        ({"expected_bits": 11.5}, "expected_bits 11.5: must be 0 to the longest codeword's length"),
    ],
)
def test_a_table_refuses(change, message) -> None:
    with pytest.raises(ValueError, match="^" + message):
        dataclasses.replace(identity_table(PRESETS["table1"]), **change)


def test_raw_bits_place_no_special_values() -> None:
    """With raw bits a class of special values has the rank of its count."""
    counts = np.ones(256, dtype=np.int64)
    counts[0x7F] = 100
    table = calibrate(counts, "float8_e4m3fn", RAW3, "t", 0, raw_bits=3)
    assert table.rank_to_symbol[:8].tolist() == list(range(0x78, 0x80))


def test_unknown_code() -> None:
    with pytest.raises(ValueError, match=r"^code 'quad': must be one of auto, huffman, area8, "):
        calibrate(COUNTS, "uint8", "quad", "t", 0)


def test_a_table_keeps_its_ranking() -> None:
    ranking = np.arange(256, dtype=np.uint8)
    table = dataclasses.replace(identity_table(PRESETS["table1"]), rank_to_symbol=ranking)
    ranking[0] = 9
    assert table.rank_to_symbol[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        table.rank_to_symbol[0] = 9
