"""The study: its page says what its figures say, and its figures are those of real packets."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from qlc import bitstream
from qlc.histogram import count_symbols
from qlc.packet import decode_packet, encode_packet
from qlc.scheme import PRESETS, Scheme
from qlc.table import calibrate

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import committed_data  # noqa: E402, needs the path
import study_codes  # noqa: E402
import study_page  # noqa: E402
import study_samples  # noqa: E402
from study_markdown import FFN, without_zero_heavy  # noqa: E402
from study_synthetic import peaked  # noqa: E402

RESULTS = json.loads(study_page.STORE.read_text())
ROUNDING = 6e-5


def figure(part, tensor, code):
    return RESULTS[part]["rows"][tensor][RESULTS[part]["codes"].index(code)]


@pytest.fixture(scope="module")
def samples():
    return {s.tensor.name: s.tensor for s in committed_data.samples()}


@pytest.fixture(scope="module")
def histograms():
    return committed_data.histograms()


def test_page_is_rendered_from_the_figures():
    assert study_page.PAGE.read_text() == study_page.render(RESULTS)


def test_another_figure_is_another_page():
    changed = json.loads(study_page.STORE.read_text())
    changed["kinds"]["ffn_up.act"]["free4"] += 0.1
    assert study_page.render(changed) != study_page.render(RESULTS)


def test_plots_are_there():
    shown = study_page.PAGE.read_text().count("](figures/study-")
    assert shown == len(list(study_page.STORE.parent.glob("study-*.svg"))) > 0


def test_every_tensor_is_there(histograms):
    assert {*RESULTS["tensors"]["rows"], *RESULTS["scales"]["rows"]} == set(histograms)


@pytest.mark.parametrize("name", ["layers.00.attn.key", "layers.12.ffn_up.act", "embed.grad"])
def test_figures_of_histograms_are_those_of_tables(histograms, name):
    histogram = histograms[name]
    for code in ("table1", "table2", "quad16", "dual", "auto-p3"):
        scheme = PRESETS.get(code, "auto")
        table = calibrate(histogram.counts, histogram.dtype, scheme, name, 0)
        assert figure("tensors", name, code) == pytest.approx(table.expected_bits, abs=ROUNDING)
    for code, prefix_bits in (("auto-p3", 3), ("auto-p4", 4)):
        extra = RESULTS["schemes"][name][code].split(",")
        table = calibrate(
            histogram.counts, histogram.dtype, Scheme(prefix_bits, tuple(map(int, extra))), name, 0
        )
        assert figure("tensors", name, code) == pytest.approx(table.expected_bits, abs=ROUNDING)


@pytest.mark.parametrize("name", ["layers.06.ffn_gate.act", "layers.24.attn.value", "embed.grad.0"])
def test_figures_of_samples_are_those_of_packets(samples, name):
    tensor = samples[name]
    counts = count_symbols(tensor.symbols)
    table = calibrate(counts, tensor.dtype, "auto", name, 0)
    packet = encode_packet(tensor.symbols, table)
    assert np.array_equal(decode_packet(packet, {0: table}).symbols, tensor.symbols)
    bits = 8 * len(packet) / len(tensor.symbols)
    assert figure("samples", name, "auto-p3 packet") == pytest.approx(bits, abs=ROUNDING)
    for code, scheme in (("auto-p3", "auto"), ("table1", PRESETS["table1"])):
        stream = bitstream.encode(tensor.symbols, calibrate(counts, tensor.dtype, scheme, name, 0))
        bits = 8 * len(stream) / len(tensor.symbols)
        assert figure("samples", name, code) == pytest.approx(bits, abs=ROUNDING + 8 / len(tensor.symbols))


@pytest.mark.parametrize("code", ["table1", "table1-fold", "auto-p4", "free4", "huffman"])
def test_lengths_of_a_table_make_a_prefix_code(histograms, code):
    histogram = histograms["layers.12.attn.key"]
    lengths = study_codes.table_lengths(code, histogram.counts, histogram.dtype)
    assert (lengths > 0).all()
    assert (2.0 ** -lengths.astype(float)).sum() <= 1


def test_zipnn_gives_back_what_it_took(samples):
    core = pytest.importorskip("zipnn_core")
    data = samples["layers.12.attn.key"].symbols.tobytes()
    packed = study_samples.zipnn(data)
    restored = core.combine_dtype(memoryview(packed)[32:], 1, 1, 10, 128 * 1024, len(data), 1)
    assert bytes(restored) == data


def test_shifted_exponents_are_a_permutation():
    for binades in range(4):
        order = study_samples.shift_order(binades)
        assert sorted(order.tolist()) == list(range(256))
        assert ((order ^ np.arange(256)) & 0x80 == 0).all()
        assert order[[0x10, 0x90, 0x7F, 0xFF]].tolist() == [
            0x10 + 8 * binades,
            0x90 + 8 * binades,
            0x7F,
            0xFF,
        ]


def test_groups_by_scale_without_a_difference_are_one_table(samples):
    groups = samples["layers.12.attn.key"].symbols.reshape(-1, 32)
    first, second = np.array_split(groups, 2)
    same = (np.zeros(len(first), dtype=np.intp), np.zeros(len(second), dtype=np.intp))
    one = study_samples.saved(second, study_samples.trained(first, 1, "quad16"))
    assert study_samples.saved_by_scale(first, second, same, 2, "quad16") == pytest.approx(one)


def test_synthetic_peak_is_the_share_asked_for():
    counts = peaked(np.arange(256, 0, -1), 0.25, 1.0)
    assert counts[0] / counts.sum() == pytest.approx(0.25, abs=1e-4)
    assert (np.diff(counts) <= 0).all()


class TestWordsOfThePage:
    """What the page says in words, not in figures."""

    def test_free_lengths_are_nearer_huffman_than_areas(self):
        for name in FFN:
            bits = RESULTS["kinds"][name]
            assert bits["huffman"] < bits["free4"] < bits["auto-p4"]
            assert study_page.between(bits, "free4", "huffman") < study_page.GOAL
            assert bits["auto-p5-any"] < bits["free4"]
            assert bits["free4-6"] < bits["auto-p4"]
            assert bits["free4-4"] == pytest.approx(bits["auto-p4"], abs=0.001)
        for what in ("length", "rank"):
            assert RESULTS["hardware"]["limit"][f"6 {what}"] < RESULTS["hardware"]["area"][f"4 {what}"]

    def test_published_dynamic_gain_is_predicted(self):
        saved = RESULTS["synthetic"]["FFN2 activations"]["saved"]
        assert saved["table2"] - saved["table1"] > 2
        assert RESULTS["synthetic"]["weight gradients"]["saved"]["table2"] < 16

    def test_few_symbols_make_no_table_and_packets_do(self):
        lost = RESULTS["warmup"]["random"]["auto-p3"]
        assert lost[0] > 5
        assert lost[-1] < 0.1

    def test_groups_gain_and_scales_do_as_well(self):
        for name in without_zero_heavy(RESULTS["groups"]):
            row = RESULTS["groups"][name]
            assert row["quad16 2 layers"] > row["quad16 1 layers"]
            assert row["free4-same 2 half"] > row["free4-same 1 half"]
        gain = {
            way: np.mean(
                [
                    row[f"quad16 4 {way}"] - row["quad16 1 half"]
                    for name, row in RESULTS["groups"].items()
                    if name in without_zero_heavy(RESULTS["groups"])
                ]
            )
            for way in ("half", "scale")
        }
        assert gain["scale"] > gain["half"] - 0.2

    def test_zstd_is_huffman_where_nothing_repeats(self):
        for name in ("ffn_up.act", "ffn_gate.act", "ffn_down.in", "ffn_up.grad", "ffn_down.grad"):
            bits = RESULTS["sampled kinds"][name]
            assert bits["zstd-19"] == pytest.approx(bits["zstd-19 shuffled"], abs=0.01)
            assert bits["zstd-19"] > bits["entropy"]
