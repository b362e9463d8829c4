import dataclasses

import numpy as np
import pytest
from qlc.optimum import best_scheme
from qlc.scheme import PRESETS
from qlc.table import calibrate

from tests.samples import NAMED, identity_table, random_table

COUNTS = np.random.default_rng(7).integers(0, 5, size=256)


@pytest.mark.parametrize("scheme", NAMED.values(), ids=NAMED)
def test_words_field_by_field(scheme):
    table = random_table(np.random.default_rng(1), scheme)
    for symbol, word in enumerate(table.code_words.tolist()):
        rank = table.rank_to_symbol.tolist().index(symbol)
        assert table.symbol_to_rank[symbol] == rank
        assert (word >> 12, word & 0xFFF) == (scheme.lengths[rank], scheme.codewords[rank])
        assert (table.lengths[symbol], table.codewords[symbol]) == (word >> 12, word & 0xFFF)
    assert [(word >> 12, word & 0xFFF) for word in table.area_words.tolist()] == list(
        zip(scheme.extra_bits, scheme.base.tolist(), strict=True)
    )
    assert (table.code_words.dtype, table.area_words.dtype) == (np.uint16, np.uint16)


def test_words_by_hand():
    table = identity_table(PRESETS["table1"])
    assert [f"{w:04x}" for w in table.code_words[[0, 39, 40, 255]].tolist()] == [
        "6000",
        "6027",
        "7050",
        "b7a7",
    ]
    words = [f"{w:04x}" for w in table.area_words.tolist()]
    assert words == ["3000", "3008", "3010", "3018", "3020", "4028", "5038", "8058"]
    empty = [f"{w:04x}" for w in identity_table(NAMED["empty-areas"]).area_words.tolist()]
    assert empty == ["7000", "7080", "0100", "0100"]


def test_calibrate():
    counts = np.zeros(256, dtype=np.int64)
    counts[[9, 4]] = 3, 1
    table = calibrate(counts, "uint8", PRESETS["dual"], "layer.0_up-x", 63)
    assert table.rank_to_symbol[:3].tolist() == [9, 4, 0]
    assert (table.symbols_counted, table.expected_bits, table.entropy_bits) == (4, 4, 0.811278)
    assert (table.name, table.dtype, table.table_id) == ("layer.0_up-x", "uint8", 63)


def test_auto_is_the_best_quad_scheme_of_the_ranked_counts():
    counts = COUNTS.copy()
    counts[0xFF] = 10**6  # a special value: last, though most frequent
    table = calibrate(counts, "float8_e4m3fn", "auto", "t", 0)
    assert table.scheme == best_scheme(counts[table.rank_to_symbol])
    assert table.scheme.prefix_bits == 3
    assert table.scheme.is_quad


def test_calibrate_on_nothing():
    with pytest.raises(ValueError, match=r"^no symbols to calibrate on$"):
        calibrate(np.zeros(256, dtype=int), "uint8", "auto", "t", 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "name '': must be letters, digits, dot, underscore and hyphen"),
        ({"name": "a/b"}, "name 'a/b': must be letters, digits, dot, underscore and hyphen"),
        ({"dtype": "e4m3"}, "dtype 'e4m3': must be one of "),
        ({"rank_to_symbol": np.zeros(256, int)}, "rank_to_symbol: must hold each symbol 0 to 255 once"),
        ({"rank_to_symbol": np.arange(255)}, "rank_to_symbol: must hold each symbol 0 to 255 once"),
        ({"dtype": "float8_e5m2fnuz"}, "rank_to_symbol: must end with the special values of float8_e5m2fnuz"),
        ({"table_id": 64}, "table_id 64: must be 0 to 63"),
        ({"table_id": -1}, "table_id -1: must be 0 to 63"),
        ({"symbols_counted": 0}, "symbols_counted 0: must be at least 1"),
        ({"entropy_bits": -0.5}, "entropy_bits -0.5: must be 0 to the longest codeword's length"),
        ({"expected_bits": 11.5}, "expected_bits 11.5: must be 0 to the longest codeword's length"),
    ],
)
def test_a_table_refuses(change, message):
    with pytest.raises(ValueError, match="^" + message):
        dataclasses.replace(identity_table(PRESETS["table1"]), **change)


def test_a_table_keeps_its_ranking():
    ranking = np.arange(256, dtype=np.uint8)
    table = dataclasses.replace(identity_table(PRESETS["table1"]), rank_to_symbol=ranking)
    ranking[0] = 9
    assert table.rank_to_symbol[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        table.rank_to_symbol[0] = 9
