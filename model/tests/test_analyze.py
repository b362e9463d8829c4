import csv
import io
import json

import numpy as np
import pytest
from qlc.analyze import analyze, analyze_counts, as_csv, as_html, as_json, as_text
from qlc.code import PRESETS
from qlc.histogram import count_symbols, entropy_bits
from qlc.ranking import MANTISSA_BITS
from qlc.table import calibrate
from qlc.tensors import Tensor

RNG = np.random.default_rng(6)
TENSOR = Tensor("up", "float8_e4m3fn", np.minimum(RNG.exponential(20, 5000), 255).astype(np.uint8))


def test_figures_agree_with_each_other() -> None:
    analysis = analyze(TENSOR, "f")
    bits = analysis.bits
    assert list(bits) == [
        "entropy",
        "huffman",
        "exp-golomb",
        "elias-gamma",
        "table1",
        "table2",
        "quad16",
        "dual",
        "huffman12",
        "area8",
        "area16",
        "auto",
        "auto-raw",
    ]
    assert bits["entropy"] == pytest.approx(entropy_bits(count_symbols(TENSOR.symbols)))
    assert bits["entropy"] <= bits["huffman"] <= bits["huffman12"] <= bits["auto"]
    assert bits["auto"] <= min(bits[code] for code in (*PRESETS, "area8", "area16"))
    assert bits["exp-golomb"] <= bits["elias-gamma"]
    assert analysis.compressibility == {code: 100 * (1 - b / 8) for code, b in bits.items()}
    for code, (scheme, raw_bits, shortest) in {
        "huffman12": ("huffman", 0, 1),
        "area8": ("area8", 0, 1),
        "area16": ("area16", 0, 1),
        "auto": ("auto", 0, 1),
        "auto-raw": ("auto", 3, 4),
    }.items():
        counts = count_symbols(TENSOR.symbols)
        table = calibrate(counts, TENSOR.dtype, scheme, "up", 0, raw_bits, shortest)
        assert (str(table.code), table.expected_bits) == (analysis.codes[code], round(bits[code], 6))
    assert (analysis.file, analysis.name, analysis.dtype, analysis.symbols) == ("f", "up", TENSOR.dtype, 5000)


@pytest.mark.parametrize(("dtype", "raw_bits"), MANTISSA_BITS.items())
def test_the_mantissa_is_raw(dtype, raw_bits) -> None:
    analysis = analyze(Tensor("x", dtype, TENSOR.symbols), "f")
    raw_bits = min(raw_bits, 3)
    assert analysis.raw_bits == raw_bits
    table = calibrate(count_symbols(TENSOR.symbols), dtype, "auto", "x", 0, raw_bits, 4)
    assert analysis.codes["auto-raw"] == str(table.code)


def test_one_symbol_only() -> None:
    """Nothing is below the one bit of a codeword, and the entropy is 0."""
    for symbol in (0, 0x7F, 0xFF):
        tensor = Tensor("x", "float8_e4m3fn", np.full(9, symbol, dtype=np.uint8))
        assert analyze(tensor, "f").bits["entropy"] == 0
        assert analyze(tensor, "f").compressibility["huffman"] == 87.5


def test_special_values_count_by_their_last_ranks() -> None:
    symbols = np.array([0x7F] * 99 + [0], dtype=np.uint8)
    assert analyze(Tensor("x", "float8_e4m3fn", symbols), "f").bits["table1"] == pytest.approx(10.95)
    assert analyze(Tensor("x", "uint8", symbols), "f").bits["table1"] == 6


def test_no_symbols() -> None:
    with pytest.raises(ValueError, match=r"^no symbols to analyze$"):
        analyze(Tensor("x", "uint8", np.zeros(0, dtype=np.uint8)), "f")


def test_text_has_a_line_a_tensor() -> None:
    analysis = analyze(TENSOR, "f")
    title, blank, head, *lines = as_text([analysis, analysis]).split("\n")
    assert title.startswith("Compressibility in percent")
    assert blank == ""
    assert head.split() == ["tensor", "symbols", *analysis.bits, "auto's", "code"]
    assert len(lines) == 3
    assert [line.split()[:2] for line in lines[1:]] == [["up", "5000"], ["total", "10000"]]
    figures = [f"{percent:.2f}" for percent in analysis.compressibility.values()]
    assert lines[0].split() == ["up", "5000", *figures, analysis.codes["auto"]]


def test_the_total_weighs_by_symbols() -> None:
    big = analyze(TENSOR, "f")
    small = analyze(Tensor("down", "uint8", np.arange(256, dtype=np.uint8)), "g")
    whole = as_json([big, small])["total"]
    assert whole["symbols"] == 5256
    for code in big.bits:
        bits = (5000 * big.bits[code] + 256 * small.bits[code]) / 5256
        assert whole["bits"][code] == pytest.approx(bits)
        assert whole["compressibility"][code] == pytest.approx(100 * (1 - bits / 8))
    *_, first, second, last = as_text([big, small]).split("\n")
    assert first.startswith("f: up ")
    assert second.startswith("g: down ")
    assert last.split() == ["total", "5256", *(f"{p:.2f}" for p in whole["compressibility"].values())]


def test_names_are_escaped() -> None:
    text = as_text([analyze(Tensor("a\nb\x1b[31m", "uint8", TENSOR.symbols), "f")])
    assert text.split("\n")[-1].startswith(r"a\nb\x1b[31m ")


def test_json_has_every_figure() -> None:
    analysis = analyze(TENSOR, "f")
    [fields] = json.loads(json.dumps(as_json([analysis])))["tensors"]
    assert fields == vars(analysis)


def test_html_is_whole_and_escaped() -> None:
    name = '<b>&"up'
    page = as_html([analyze(Tensor(name, "uint8", TENSOR.symbols), "f"), analyze(TENSOR, "f")])
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;" in page
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<tr>") == page.count("</tr>") == 4
    for percent in analyze(TENSOR, "f").compressibility.values():
        assert f"<td>{percent:.2f}</td>" in page
    assert "http" not in page  # nothing is loaded


def test_csv_has_every_figure() -> None:
    analyses = [analyze(TENSOR, "f,1"), analyze(Tensor('d"\x1b\n', "uint8", TENSOR.symbols), "g")]
    head, *rows = csv.reader(io.StringIO(as_csv(analyses)))
    assert len(rows) == 2
    for row, a, name in zip(rows, analyses, ["up", r'd"\x1b\n'], strict=True):
        cells = dict(zip(head, row, strict=True))
        assert (cells["file"], cells["tensor"], cells["dtype"]) == (a.file, name, a.dtype)
        assert int(cells["symbols"]) == 5000
        for code in a.bits:
            assert float(cells[f"{code} bits"]) == a.bits[code]
            assert float(cells[f"{code} %"]) == a.compressibility[code]
        assert {code: cells[f"{code} code"] for code in a.codes} == a.codes


def test_counts_are_enough() -> None:
    counts = count_symbols(TENSOR.symbols)
    assert analyze_counts(counts, TENSOR.dtype, "up", "f") == analyze(TENSOR, "f")
    with pytest.raises(ValueError, match="counts must be 256 integers"):
        analyze_counts(counts[:-1], TENSOR.dtype, "up", "f")
