import json

import numpy as np
import pytest
from qlc.analyze import analyze, as_json, as_text
from qlc.histogram import count_symbols, entropy_bits
from qlc.table import calibrate
from qlc.tensors import Tensor

RNG = np.random.default_rng(6)
TENSOR = Tensor("up", "float8_e4m3fn", np.minimum(RNG.exponential(20, 5000), 255).astype(np.uint8))


def test_figures_agree_with_each_other():
    analysis = analyze(TENSOR, "f")
    bits = analysis.bits
    assert list(bits) == [
        "entropy",
        "huffman",
        "huffman12",
        "exp-golomb",
        "elias-gamma",
        "table1",
        "table2",
        "quad16",
        "threshold",
        "auto",
    ]
    assert bits["entropy"] == pytest.approx(entropy_bits(count_symbols(TENSOR.symbols)))
    assert bits["entropy"] <= bits["huffman"] <= bits["huffman12"] <= min(bits["auto"], bits["quad16"])
    assert bits["auto"] <= min(bits["table1"], bits["table2"], bits["threshold"])
    assert bits["exp-golomb"] <= bits["elias-gamma"]
    assert analysis.compressibility == {code: 100 * (1 - b / 8) for code, b in bits.items()}
    table = calibrate(count_symbols(TENSOR.symbols), TENSOR.dtype, "auto", "up", 0)
    assert (str(table.scheme), table.expected_bits) == (analysis.auto_scheme, round(bits["auto"], 6))
    assert (analysis.file, analysis.name, analysis.dtype, analysis.symbols) == ("f", "up", TENSOR.dtype, 5000)


def test_special_values_count_by_their_last_ranks():
    symbols = np.array([0x7F] * 99 + [0], dtype=np.uint8)
    assert analyze(Tensor("x", "float8_e4m3fn", symbols), "f").bits["table1"] == pytest.approx(10.95)
    assert analyze(Tensor("x", "uint8", symbols), "f").bits["table1"] == 6


def test_no_symbols():
    with pytest.raises(ValueError, match=r"^no symbols to analyze$"):
        analyze(Tensor("x", "uint8", np.zeros(0, dtype=np.uint8)), "f")


def test_text_has_a_line_a_tensor():
    analysis = analyze(TENSOR, "f")
    title, blank, head, *lines = as_text([analysis, analysis]).split("\n")
    assert title.startswith("Compressibility in percent")
    assert blank == ""
    assert head.split() == ["tensor", "symbols", *analysis.bits, "auto", "scheme"]
    assert len(lines) == 2
    figures = [f"{percent:.2f}" for percent in analysis.compressibility.values()]
    assert lines[0].split() == ["up", "5000", *figures, analysis.auto_scheme]


def test_json_has_every_figure():
    analysis = analyze(TENSOR, "f")
    [fields] = json.loads(json.dumps(as_json([analysis])))["tensors"]
    assert fields == vars(analysis)
