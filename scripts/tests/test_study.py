"""The study: its page says what its figures say, and its figures are those of real packets."""

from __future__ import annotations

import json

import numpy as np
import pytest
from qlc import bitstream
from qlc.baselines import compressibility
from qlc.code import PRESETS, Code
from qlc.histogram import count_symbols
from qlc.packet import decode_packet, encode_packet
from qlc.table import calibrate
from qlc.tensors import Tensor

from scripts import ROOT, committed_data
from scripts.codes import CONTENDERS
from scripts.committed_data import Histogram
from scripts.study import codes as study_codes
from scripts.study import front as study_front
from scripts.study import page as study_page
from scripts.study import samples as study_samples
from scripts.study.markdown import FFN, ZERO_HEAVY, between, without_zero_heavy
from scripts.study.synthetic import peaked

RESULTS = json.loads(study_page.STORE.read_text())
SIZES = study_front.areas()
ROUNDING = 6e-5


def figure(part: str, tensor: str, code: str) -> float:
    return float(RESULTS[part]["rows"][tensor][RESULTS[part]["codes"].index(code)])


@pytest.fixture(scope="module")
def samples() -> dict[str, Tensor]:
    return {s.tensor.name: s.tensor for s in committed_data.samples()}


@pytest.fixture(scope="module")
def histograms() -> dict[str, Histogram]:
    return committed_data.histograms()


def test_page_is_rendered_from_the_figures() -> None:
    # After `make synth` it is `make figures` that renders the page anew.
    assert study_page.PAGE.read_text() == study_page.render(RESULTS, SIZES)


def test_another_figure_is_another_page() -> None:
    changed = json.loads(study_page.STORE.read_text())
    changed["kinds"]["ffn_up.act"]["auto"] += 0.1
    assert study_page.render(changed, SIZES) != study_page.render(RESULTS, SIZES)


def test_readme_says_what_huffman_saves() -> None:
    saved = {kind: compressibility(row["huffman"]) for kind, row in RESULTS["kinds"].items()}
    usual = [saved.pop(kind) for kind in without_zero_heavy(RESULTS["kinds"])]
    said = f"Huffman coding saves {min(usual):.0f} to {max(usual):.0f} % of that traffic, and more on"
    assert said in (ROOT / "README.md").read_text()
    assert min(saved.values()) > max(usual)


def test_plots_are_there() -> None:
    shown = study_page.PAGE.read_text().count("](figures/study-")
    assert shown == len(list(study_page.STORE.parent.glob("study-*.svg"))) > 0


def test_every_tensor_is_there(histograms: dict[str, Histogram]) -> None:
    assert {*RESULTS["tensors"]["rows"], *RESULTS["scales"]["rows"]} == set(histograms)


@pytest.mark.parametrize("name", ["layers.00.attn.key", "layers.12.ffn_up.act", "embed.grad"])
def test_figures_of_histograms_are_those_of_tables(histograms: dict[str, Histogram], name: str) -> None:
    histogram = histograms[name]
    for code in (*PRESETS, "auto", "area8", "area16"):
        table = calibrate(histogram.counts, histogram.dtype, code, name, 0)
        assert figure("tensors", name, code) == pytest.approx(table.expected_bits, abs=ROUNDING)
    for contender, made in CONTENDERS.items():
        code = "huffman12" if contender == "huffman" else contender
        table = made.table(histogram, name)
        assert figure("tensors", name, code) == pytest.approx(table.expected_bits, abs=ROUNDING)
        if code in RESULTS["chosen"][name]:
            assert Code.parse(RESULTS["chosen"][name][code]) == table.code
    for raw_bits in study_codes.RAW_BITS:
        table = calibrate(histogram.counts, histogram.dtype, "auto", name, 0, raw_bits, 4, 11)
        code = study_codes.raw_name(raw_bits, 11)
        assert figure("tensors", name, code) == pytest.approx(table.expected_bits, abs=ROUNDING)


@pytest.mark.parametrize("name", ["layers.06.ffn_gate.act", "layers.24.attn.value", "embed.grad.0"])
def test_figures_of_samples_are_those_of_packets(samples: dict[str, Tensor], name: str) -> None:
    tensor = samples[name]
    counts = count_symbols(tensor.symbols)
    for code in ("auto", "auto-raw"):
        table = CONTENDERS[code].table(Histogram(name, tensor.dtype, counts), name)
        packet = encode_packet(tensor.symbols, table)
        assert np.array_equal(decode_packet(packet, {0: table}).symbols, tensor.symbols)
        bits = 8 * len(packet) / len(tensor.symbols)
        assert figure("samples", name, f"{code} packet") == pytest.approx(bits, abs=ROUNDING)
        stream = bitstream.encode(tensor.symbols, table)
        bits = 8 * len(stream) / len(tensor.symbols)
        assert figure("samples", name, code) == pytest.approx(bits, abs=ROUNDING + 8 / len(tensor.symbols))


@pytest.mark.parametrize("code", [*study_codes.RULES, "auto-fold", "huffman"])
def test_lengths_of_a_table_make_a_prefix_code(histograms: dict[str, Histogram], code: str) -> None:
    histogram = histograms["layers.12.attn.key"]
    lengths = study_codes.table_lengths(code, histogram.counts, histogram.dtype)
    assert (lengths > 0).all()
    assert (2.0 ** -lengths.astype(float)).sum() <= 1


def test_unused_space_is_what_no_codeword_takes(histograms: dict[str, Histogram]) -> None:
    # table1 has 88 illegal codewords of 11 bits.
    points = study_codes.unused(histograms["layers.12.attn.key"])
    assert points["table1"] == pytest.approx(-np.log2(1 - 88 / 2048) * 100 / 8)
    assert points["huffman12"] == pytest.approx(0, abs=1e-9)


def test_folded_pairs_have_one_length(histograms: dict[str, Histogram]) -> None:
    histogram = histograms["layers.12.ffn_gate.act"]
    lengths = study_codes.table_lengths("auto-fold", histogram.counts, histogram.dtype)
    assert np.array_equal(lengths[:128], lengths[128:])


def test_zipnn_gives_back_what_it_took(samples: dict[str, Tensor]) -> None:
    core = pytest.importorskip("zipnn_core")
    data = samples["layers.12.attn.key"].symbols.tobytes()
    packed = study_samples.zipnn(data)
    restored = core.combine_dtype(memoryview(packed)[32:], 1, 1, 10, 128 * 1024, len(data), 1)
    assert bytes(restored) == data


def test_groups_by_scale_without_a_difference_are_one_table(samples: dict[str, Tensor]) -> None:
    groups = samples["layers.12.attn.key"].symbols.reshape(-1, 32)
    first, second = np.array_split(groups, 2)
    same = (np.zeros(len(first), dtype=np.intp), np.zeros(len(second), dtype=np.intp))
    one = study_samples.saved(second, study_samples.trained(first, 1, "auto-same"))
    assert study_samples.saved_by_scale(first, second, same, 2, "auto-same") == pytest.approx(one)


def test_synthetic_peak_is_the_share_asked_for() -> None:
    counts = peaked(np.arange(256, 0, -1), 0.25, 1.0)
    assert counts[0] / counts.sum() == pytest.approx(0.25, abs=1e-4)
    assert (np.diff(counts) <= 0).all()


class TestWordsOfThePage:
    """What the page says in words, not in figures."""

    kinds = RESULTS["kinds"]

    def test_huffman_saves_most_and_table1_least_of_the_fitted(self) -> None:
        for bits in self.kinds.values():
            for code in ("table1", "area8", "area16", "auto", "auto-raw", "huffman-raw", "huffman12"):
                assert bits["huffman"] <= bits[code]
            assert bits["auto"] <= min(bits["area8"], bits["area16"], bits["quad16"], bits["auto-4"])
            assert bits["auto"] < bits["table1"]
            assert bits["huffman12"] <= bits["auto"] <= bits["known5"] <= bits["known4"]
            assert bits["free4"] <= bits["auto"]
            assert bits["huffman-raw"] <= bits["auto-raw"]

    def test_64_areas_are_the_quad_code_without_short_codewords(self) -> None:
        losses = {name: between(self.kinds[name], "area64", "auto") for name in self.kinds}
        assert sum(losses[name] < 0.05 for name in without_zero_heavy(losses)) > 5
        for name in ZERO_HEAVY:
            assert between(self.kinds[name], "area64", "auto") > 20

    def test_areas_waste_code_space(self) -> None:
        for area in ("area8", "area16"):
            usual = without_zero_heavy(self.kinds)
            rows = [RESULTS["unused"][name] for name in usual]
            assert max(row["auto"] for row in rows) < 0.1
            # All but `ffn_down.in`, whose symbols are the most even
            assert sum(row[area] > row["auto"] + 0.1 for row in rows) >= len(usual) - 1

    def test_mantissa_is_nearly_even(self) -> None:
        for name in without_zero_heavy(self.kinds):
            assert RESULTS["shapes"][name]["mantissa bits"] > 2.9
            assert between(self.kinds[name], "entropy-raw3", "entropy") < 1
            assert between(self.kinds[name], "raw3-12", "auto") < 1

    def test_zero_heavy_tensors_want_short_codewords_and_no_raw_bits(self) -> None:
        for name in ZERO_HEAVY:
            bits = self.kinds[name]
            assert between(bits, "auto", "huffman") < 2
            assert between(bits, "auto-4", "auto") > 10
            assert bits["raw3-12"] > bits["auto-4"]
        assert 0.4 < RESULTS["shapes"]["attn.prob"]["zero"] < 0.6

    def test_sign_is_even_but_for_two_kinds(self) -> None:
        for name in without_zero_heavy(self.kinds):
            loss = between(self.kinds[name], "auto-fold", "auto")
            assert (loss > 0.5) == (name == "ffn_gate.act")
        assert between(self.kinds["attn.prob"], "auto-fold", "auto") > 5

    def test_activations_of_the_paper_are_there(self) -> None:
        assert set(FFN) <= set(self.kinds)

    def test_published_dynamic_gain_is_predicted(self) -> None:
        saved = RESULTS["synthetic"]["FFN2 activations"]["saved"]
        assert saved["table2"] - saved["table1"] > 2
        assert RESULTS["synthetic"]["weight gradients"]["saved"]["table2"] < 16

    def test_few_symbols_make_no_table_and_packets_do(self) -> None:
        lost = RESULTS["warmup"]["random"]
        assert lost["auto"][0] > 5
        assert lost["auto"][-1] < 0.1
        assert lost["auto-raw"][2] < lost["auto"][2]

    def test_a_table_of_all_wants_a_code_that_is_not_fitted(self) -> None:
        shared = RESULTS["shared"]
        for name in without_zero_heavy(shared):
            fitted = between(shared[name], "auto all", "auto own")
            assert fitted > between(shared[name], "quad16 all", "quad16 own")

    def test_groups_gain_and_scales_do_as_well(self) -> None:
        usual = without_zero_heavy(RESULTS["groups"])
        rows = [RESULTS["groups"][name] for name in usual]
        for row in rows:
            assert row["auto-same 2 layers"] > row["auto-same 1 layers"]
        gain = {
            way: np.mean([row[f"auto-same 4 {way}"] - row["auto-same 1 half"] for row in rows])
            for way in ("half", "scale")
        }
        assert gain["scale"] > gain["half"] - 0.2

    def test_zstd_is_huffman_where_nothing_repeats(self) -> None:
        for name in ("ffn_up.act", "ffn_gate.act", "ffn_down.in", "ffn_up.grad", "ffn_down.grad"):
            bits = RESULTS["sampled kinds"][name]
            assert bits["zstd-19"] == pytest.approx(bits["zstd-19 shuffled"], abs=0.01)
            assert bits["zstd-19"] > bits["entropy"]
