"""Codes by lengths and limits: against the definition, and against the paper's areas bit for bit."""

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from qlc import bitstream, reference
from qlc.code import PRESETS, Code, CodeError
from qlc.errors import Error
from qlc.histogram import count_symbols
from qlc.table import calibrate
from qlc.tensors import read_tensors

from tests.areas import Areas
from tests.samples import NAMED, random_code, random_table

DATA = Path(__file__).resolve().parents[2] / "data"

PAPER = {
    "table1": Areas(3, (3, 3, 3, 3, 3, 4, 5, 8)),
    "table2": Areas(3, (1, 3, 3, 3, 3, 5, 5, 8)),
    "quad16": Areas(4, (2,) * 9 + (3,) * 5 + (5, 8)),
    "dual": Areas(1, (3, 8)),
}
TEXTS = {
    "table1": ("6x40,7x16,8x32,11", "3:3,3,3,3,3,4,5,8"),
    "table2": ("4x2,6x32,8x64,11", "3:1,3,3,3,3,5,5,8"),
    "quad16": ("6x36,7x40,9x32,12", "4:2,2,2,2,2,2,2,2,2,3,3,3,3,3,5,8"),
    "dual": ("4x8,9", "1:3,8"),
}
CODES = {**NAMED, **{f"random{i}": random_code(np.random.default_rng(i)) for i in range(60)}}


def codewords(code):
    return [
        f"{w:0{n}b}" for w, n in zip(code.rank_codewords.tolist(), code.rank_lengths.tolist(), strict=True)
    ]


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_codewords_by_the_definition(code) -> None:
    words = codewords(code)
    assert len(words) == 256
    assert [len(word) for word in words] == sorted(len(word) for word in words)
    assert words == sorted(words)
    assert not any(b.startswith(a) for a, b in pairwise(words))
    begin = rank = 0
    for length, limit, number, count, first, step in zip(
        code.lengths,
        code.limits,
        code.numbers,
        code.codeword_counts,
        code.first_ranks,
        code.steps,
        strict=True,
    ):
        # The codewords of a length fill the code space from the limit before to its own, from the first on.
        assert count * 4096 == (limit - begin) << length
        assert (first, words[rank]) == (rank, format(begin >> 12 - length, f"0{length}b"))
        assert 0 <= step < 4096
        for i in range(number):
            codeword = int(words[rank + i], 2)
            assert (codeword + step) % 4096 == rank + i
            assert begin <= codeword << 12 - length < limit
        for i in range(number, count):  # illegal ones, of the last length only
            assert length == code.lengths[-1]
            assert ((begin >> 12 - length) + i + step) % 4096 > 255
        begin, rank = limit, rank + number
    assert rank == 256


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_text_and_length_words(code) -> None:
    assert Code.parse(str(code)) == code
    words = code.length_words()
    assert words.dtype == np.uint32
    fields = [(w >> 28, w >> 12 & 0xFFFF, w & 0xFFF) for w in words.tolist()]
    used = len(code.lengths)
    assert fields[:used] == list(zip(code.lengths, code.limits, code.steps, strict=True))
    assert [f"{w:08x}" for w in words[used:].tolist()] == ["01000000"] * (12 - used)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_as_the_paper_writes_them(name) -> None:
    code = PRESETS[name]
    text, areas = TEXTS[name]
    assert (str(code), code.areas) == (text, areas)
    assert Code.parse(name) == Code.parse(text) == Code.parse(areas) == code
    assert code.is_quad
    assert codewords(code) == [PAPER[name].codeword(rank) for rank in range(256)]


@pytest.mark.parametrize("name", PRESETS)
def test_payloads_are_those_of_the_areas(name) -> None:
    rng = np.random.default_rng(1)
    table = random_table(rng, PRESETS[name])
    for count in (0, 1, 2, 100, 5000):
        symbols = rng.integers(0, 256, size=count).astype(np.uint8)
        ranks = table.symbol_to_rank[symbols].tolist()
        payload = PAPER[name].encode(ranks)
        assert reference.encode(symbols, table) == bitstream.encode(symbols, table) == payload
        for decode in (reference.decode, bitstream.decode):
            decoded, verdict = decode(payload, count, table)
            assert (decoded.tolist(), verdict) == (symbols.tolist(), Error.GOOD)
        assert PAPER[name].decode(payload, count) == ranks


@pytest.mark.parametrize("name", PRESETS)
def test_payloads_of_every_committed_tensor_are_those_of_the_areas(name) -> None:
    files = [file for file in sorted(DATA.glob("*.safetensors")) if file.name != "histograms.safetensors"]
    found = [tensor for file in files for tensor in read_tensors(file)]
    assert len(found) > 100
    for tensor in found:
        table = calibrate(count_symbols(tensor.symbols), tensor.dtype, name, "t", 0)
        payload = PAPER[name].encode(table.symbol_to_rank[tensor.symbols].tolist())
        assert bitstream.encode(tensor.symbols, table) == payload, tensor.name


def test_every_scheme_of_up_to_four_areas() -> None:
    """Those that are a canonical code are taken and give the areas' codewords; the others are refused."""
    taken = refused = 0
    for prefix_bits in (1, 2):
        for extra in product((0, 1, 2, 5, 6, 7, 8), repeat=1 << prefix_bits):
            areas = Areas(prefix_bits, extra)
            used = [e for e, base in zip(extra, areas.base, strict=True) if base < 256]
            if sum(1 << e for e in used) < 256 or used != sorted(used):
                with pytest.raises(CodeError):
                    Code.from_areas(prefix_bits, extra)
                refused += 1
                continue
            code = Code.from_areas(prefix_bits, extra)
            assert codewords(code) == [areas.codeword(rank) for rank in range(256)]
            assert Code.parse(code.areas) == code
            taken += 1
    assert taken > 50
    assert refused > 1000


@pytest.mark.parametrize("prefix_bits", [3, 4])
def test_random_schemes_of_more_areas(prefix_bits) -> None:
    rng = np.random.default_rng(prefix_bits)
    taken = 0
    while taken < 200:
        extra = np.sort(rng.choice(rng.integers(0, 9, size=4), size=1 << prefix_bits)).tolist()
        if sum(1 << e for e in extra) < 256:
            continue
        code = Code.from_areas(prefix_bits, extra)
        areas = Areas(prefix_bits, tuple(extra))
        assert codewords(code) == [areas.codeword(rank) for rank in range(256)]
        assert Code.parse(code.areas) == code
        taken += 1


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("8", "1:7,7"),
        ("12", "4:" + ",".join(["8"] * 16)),
        ("4:8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "4:" + ",".join(["8"] * 16)),
        ("1x1,9", "1:0,8"),
        ("6x1,9", None),  # limit 64
        ("4x4,5x4,6x4,7x4,11", None),  # five lengths
        ("1x1,12", None),  # an offset of 11 bits
    ],
)
def test_the_paper_s_form(text, areas) -> None:
    assert Code.parse(text).areas == areas


@pytest.mark.parametrize(
    ("text", "quad"),
    [("8", True), ("6x59,8x7,12", False), ("6x60,12", True), ("7x1,9", False), ("5x1,6x1,7x2,8x4,9", False)],
)
def test_quad_codes(text, quad) -> None:
    assert Code.parse(text).is_quad == quad


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "must be table1, table2, quad16, dual, LxN,...,L or P:e,e,..."),
        ("table3", "must be table1, "),
        ("6x40,7x16", "must be table1, "),
        ("6x40,,11", "must be table1, "),
        ("6x40x2,11", "must be table1, "),
        ("6x-1,11", "must be table1, "),
        ("6x٣,11", "must be table1, "),
        (" 6x40,11", "must be table1, "),
        ("6x99999,11", "must be table1, "),
        ("3:3,3", "2 areas: 3 prefix bits make 8 areas"),
        ("3:3,3,3,3,3,4,5,x", "must be table1, "),
        ("5:" + ",".join(["3"] * 32), "prefix bits 5: must be 1 to 4"),
        ("0:8", "prefix bits 0: must be 1 to 4"),
        ("1:3,9", "area 1, extra bits 9: must be 0 to 8"),
        ("1:3,7", "the areas hold 136 ranks: must be 256"),
        ("2:7,6,5,5", "a later area has shorter codewords: not a canonical code"),
        ("3:0,1,2,3,4,5,6,8", "8 codeword lengths: must be at most 4"),
        ("7", "128 codewords: must be at least 256"),
        ("0x1,9", "length 0: must be 1 to 12"),
        ("6x40,13", "lengths 6 13: must ascend within 1 to 12"),
        ("7x40,6x3,12", "lengths 7 6 12: must ascend within 1 to 12"),
        ("6x4,6x4,12", "lengths 6 6 12: must ascend within 1 to 12"),
        ("6x0,12", "limits 0 4096: must ascend from above 0 to 4096"),
        ("6x64,12", "limits 4096 4096: must ascend from above 0 to 4096"),
        ("6x65,12", "limits 4160 4096: must ascend from above 0 to 4096"),
        ("9x256,12", "length 12: no rank is left for it"),
        ("6x63,8", "67 codewords: must be at least 256"),
    ],
)
def test_refused_texts(text, problem) -> None:
    with pytest.raises(CodeError) as error:
        Code.parse(text)
    assert str(error.value).startswith(f"code {text!r}: {problem}")


@pytest.mark.parametrize(
    ("lengths", "limits", "problem"),
    [
        ((), (), "0 lengths, 0 limits: must be as many, 1 to 12"),
        ((6, 12), (4096,), "2 lengths, 1 limits: must be as many, 1 to 12"),
        (tuple(range(13)), tuple(range(13)), "13 lengths, 13 limits: must be as many, 1 to 12"),
        ((6, 12), (64, 4095), "limits 64 4095: must ascend from above 0 to 4096"),
        ((6, 12), (32, 4096), "length 6: 32/4096 of the space is no whole codewords"),
        ((0, 12), (64, 4096), "lengths 0 12: must ascend within 1 to 12"),
    ],
)
def test_refused_lengths_and_limits(lengths, limits, problem) -> None:
    with pytest.raises(CodeError) as error:
        Code(lengths, limits)
    assert str(error.value) == problem


def test_codes_are_not_changed_by_their_users() -> None:
    code = PRESETS["table1"]
    for array in (code.rank_lengths, code.rank_codewords):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
