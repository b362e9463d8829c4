from itertools import pairwise

import numpy as np
import pytest
from qlc.scheme import PRESETS, Scheme, SchemeError

from tests.samples import NAMED, random_scheme

SCHEMES = [*NAMED.values(), *(random_scheme(np.random.default_rng(seed)) for seed in range(50))]


@pytest.mark.parametrize(
    ("name", "sizes", "lengths"),
    [
        ("table1", [8] * 5 + [16, 32, 168], [6] * 5 + [7, 8, 11]),
        ("table2", [2, 8, 8, 8, 8, 32, 32, 158], [4, 6, 6, 6, 6, 8, 8, 11]),
        ("quad16", [4] * 9 + [8] * 5 + [32, 148], [6] * 9 + [7] * 5 + [9, 12]),
        ("dual", [8, 248], [4, 9]),
    ],
)
def test_presets_are_the_published_ones(name, sizes, lengths):
    scheme = PRESETS[name]
    assert scheme.size.tolist() == sizes
    assert scheme.lengths[scheme.base].tolist() == lengths
    assert scheme.distinct_lengths == tuple(sorted(set(lengths)))
    assert scheme.is_quad


@pytest.mark.parametrize(
    ("name", "rank", "codeword"),
    [
        ("table1", 0, "000" + "000"),
        ("table1", 7, "000" + "111"),
        ("table1", 39, "100" + "111"),
        ("table1", 40, "101" + "0000"),
        ("table1", 87, "110" + "11111"),
        ("table1", 88, "111" + "00000000"),
        ("table1", 255, "111" + "10100111"),
        ("table2", 1, "000" + "1"),
        ("table2", 2, "001" + "000"),
        ("quad16", 255, "1111" + "10010011"),
        ("dual", 7, "0" + "111"),
        ("dual", 255, "1" + "11110111"),
        ("one-bit", 0, "0"),
        ("one-bit", 255, "1" + "11111110"),
        ("twelve-bit", 255, "1111" + "11110000"),
    ],
)
def test_codewords_by_hand(name, rank, codeword):
    scheme = NAMED[name]
    assert format(scheme.codewords[rank], f"0{scheme.lengths[rank]}b") == codeword


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_area_by_area_as_defined(scheme):
    base, ranks = 0, []
    for area, extra in enumerate(scheme.extra_bits):
        size = min(2**extra, 256 - base)
        assert (scheme.base[area], scheme.size[area]) == (base, size)
        for offset in range(size):
            prefix = format(area, f"0{scheme.prefix_bits}b")
            ranks.append(prefix + (format(offset, f"0{extra}b") if extra else ""))
        base += size
    assert [format(c, f"0{n}b") for c, n in zip(scheme.codewords, scheme.lengths, strict=True)] == ranks
    assert scheme.area_of_rank.tolist() == [int(word[: scheme.prefix_bits], 2) for word in ranks]


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_code_is_prefix_free(scheme):
    words = sorted(format(c, f"0{n}b") for c, n in zip(scheme.codewords, scheme.lengths, strict=True))
    assert len(words) == 256
    assert not any(longer.startswith(word) for word, longer in pairwise(words))


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_text_reads_back(scheme):
    assert Scheme.parse(str(scheme)) == scheme


def test_parse_knows_the_presets():
    assert {name: Scheme.parse(name) for name in PRESETS} == PRESETS
    assert Scheme.parse("1:3,8") == PRESETS["dual"]


def test_an_empty_area_has_base_256_and_no_extra_bits():
    scheme = Scheme(2, (8, 5, 3, 8))
    assert scheme.extra_bits == (8, 0, 0, 0)
    assert scheme.base.tolist() == [0, 256, 256, 256]
    assert scheme.size.tolist() == [256, 0, 0, 0]
    assert scheme.distinct_lengths == (10,)


def test_quad_counts_only_lengths_in_use():
    assert Scheme(3, (0, 1, 2, 8, 0, 0, 0, 0)).is_quad
    assert not Scheme(3, (0, 1, 2, 3, 8, 0, 0, 0)).is_quad


@pytest.mark.parametrize(
    ("prefix_bits", "extra_bits", "message"),
    [
        (0, (8,), "prefix bits 0: must be 1 to 4"),
        (5, (3,) * 32, "prefix bits 5: must be 1 to 4"),
        (3, (3,) * 7, "7 areas: 3 prefix bits make 8 areas"),
        (1, (3, 9), "area 1, extra bits 9: must be 0 to 8"),
        (1, (-1, 8), "area 0, extra bits -1: must be 0 to 8"),
        (1, (7, 6), "the areas hold 192 ranks: must be 256"),
        (2, (6, 6, 6, 5), "the areas hold 224 ranks: must be 256"),
    ],
)
def test_invalid_schemes(prefix_bits, extra_bits, message):
    with pytest.raises(SchemeError) as error:
        Scheme(prefix_bits, extra_bits)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "text", ["", "table3", "3", "3:", ":3,8", "1:3,x", "1:3,8,", "1:-3,8", "1:3 ,8", "1:٣,8"]
)
def test_parse_refuses_other_text(text):
    with pytest.raises(SchemeError) as error:
        Scheme.parse(text)
    assert str(error.value) == f"scheme {text!r}: must be table1, table2, quad16, dual or P:e,e,..."


def test_parse_says_why_a_scheme_is_invalid():
    with pytest.raises(SchemeError, match=r"^scheme '1:3,7': the areas hold 136 ranks: must be 256$"):
        Scheme.parse("1:3,7")
