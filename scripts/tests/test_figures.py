"""The page of figures and README's table say what the committed results say."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from qlc.baselines import compressibility, huffman_lengths, limited_huffman_lengths
from qlc.histogram import expected_bits
from qlc.huffman import huffman_table

from scripts import ROOT
from scripts.committed_data import histograms
from scripts.compare import DECODERS
from scripts.figures import __main__ as figures
from scripts.figures.page import HEADLINE, headline, render
from scripts.synth.targets import TARGETS

Row = dict[str, Any]
WIDTHS = (0, 8, 16, 32, 64, 128, 256, 512)


def asic_row(name: str, area: float) -> Row:
    """A result as ``make synth`` writes it for a cell library."""
    target = TARGETS[name]
    path = {"period_ps": 450.0, "start": "a", "end": "b"}
    short = {"period_ps": 300.0, "start": "c", "end": "d"}
    timing = {"period_ps": 450.0, "clock_ghz": 2.22, "paths": {"one": path, "other": short}}
    row = {
        "target": name, "top": target.top, "parameters": target.parameters, "tables": target.tables,
        "tools": {"yosys": "1", "opensta": "2"}, "technology": "asap7_RVT_TT", "area_um2": area,
        "table_area_um2": 100.0, "timing": {"asap7_RVT_TT": timing, "asap7_RVT_SS": timing},
    }  # fmt: skip
    if target.tables == "memory":
        row |= {"memory_bits": 256, "memory_port_bits": 256}
    return row | ({"parts": {"qlc_fifo": 20.0, target.top: 7.0}} if target.parts else {})


def fpga_row(name: str, placed: bool) -> Row:
    """A result for an FPGA."""
    target = TARGETS[name]
    row = {
        "target": name, "top": target.top, "parameters": target.parameters, "tables": target.tables,
        "tools": {"yosys": "1", "nextpnr": "3"}, "technology": "LFE5U-85F" if placed else "xc7",
        "luts": 900, "flip_flops": 200, "block_memories": 1,
    }  # fmt: skip
    clocks = {"carry_cells": 12, "clock_mhz": 120.0, "clock_mhz_seeds": [115.0, 120.0, 130.0]}
    return row | (clocks if placed else {})


def everything() -> tuple[list[Row], Row, list[Row]]:
    """Results of every target, width and decoder."""
    synth = [asic_row(name, 1000.0 + 10 * place) for place, name in enumerate(TARGETS)]
    synth += [fpga_row(name, placed) for placed in (True, False) for name, t in TARGETS.items() if t.fpga]
    _, bench, lost = figures.load()
    bench = copy.deepcopy(bench) | {
        "rows": [{"word_bits": w, "rate": w / 7 or 1, "limit": w / 6.9 or 1, "latency": 40} for w in WIDTHS],
        "decoders": [
            {"decoder": name, "bits": 6.9, "rate": max(1, one.word_bits / 7), "latency": [3, 3], "stalls": 0}
            for name, one in DECODERS.items()
        ],
    }
    return synth, bench, lost


def test_page_is_rendered_from_results() -> None:
    assert figures.PAGE.read_text() == render(*figures.load())


def test_readme_has_the_table_of_the_results() -> None:
    text = figures.README.read_text()
    assert text == figures.readme(text, headline(*figures.load()))


@pytest.mark.parametrize("results", [figures.load(), everything()], ids=["kept", "everything"])
def test_another_figure_is_another_page(results: tuple[list[Row], Row, list[Row]]) -> None:
    synth, bench, lost = results
    changed = copy.deepcopy(bench)
    for row in changed["rows"]:
        row["rate"] += 1
    assert not changed["rows"] or render(synth, changed, lost) != render(*results)
    for decoder in changed["decoders"]:
        decoder["rate"] += 1
    assert headline(synth, changed, lost) != headline(*results)
    areas = copy.deepcopy(synth)
    for row in areas:
        if "area_um2" in row:
            row["area_um2"] *= 2
    assert render(areas, bench, lost) != render(*results)
    assert headline(areas, bench, lost) != headline(*results)
    codes = copy.deepcopy(lost)
    for row in codes:
        row["kinds"] = {kind: points + 1 for kind, points in row["kinds"].items()}
    assert render(synth, bench, codes) != render(*results)
    assert headline(synth, bench, codes) != headline(*results)


def test_every_result_is_on_the_page() -> None:
    synth, bench, lost = everything()
    page = render(synth, bench, lost)
    table = headline(synth, bench, lost)
    assert len(table) == len(HEADLINE) + 2 + 5
    for row in synth:
        assert f"| `{row['top']}` | " in page
    for name in DECODERS:
        assert f"\n| {name} | " in page
    assert "## Cells and clock: LFE5U-85F" in page
    assert "## Cells: xc7" in page
    # Every step has every width.
    (steps,) = (part for part in page.split("\n\n") if part.startswith("| what changes "))
    assert "|  |" not in steps


def test_nothing_measured_is_a_page() -> None:
    _, bench, lost = figures.load()
    page = render([], bench | {"rows": [], "decoders": []}, lost)
    assert "## What each build's code loses" in page


def test_losses_are_those_of_the_histograms() -> None:
    # Of any length, and of at most 12 and 16 bits.
    counts = histograms()["embed.grad"].counts
    *_, lost = figures.load()
    kinds = {row["build"]: row["kinds"] for row in lost}

    def saved(lengths: NDArray[np.integer[Any]]) -> float:
        return compressibility(expected_bits(counts, lengths))

    best = saved(huffman_lengths(counts))
    limited = saved(limited_huffman_lengths(counts + 1, 12))
    serial = saved(huffman_table(counts).lengths)
    assert kinds["any"]["embed.grad"] == pytest.approx(best - limited, abs=2e-3)
    assert kinds["huffman_serial"]["embed.grad"] == pytest.approx(best - serial, abs=2e-3)


def test_what_is_no_target_any_more_is_dropped(tmp_path: Path) -> None:
    good = asic_row("decoder_core_raw", 470.0)
    gone = {**good, "target": "decoder_core_p3"}
    other = {**asic_row("encoder_core_32_raw", 7000.0), "parameters": {"SYMBOLS": 32, "PREFIX_BITS": 3}}
    (tmp_path / "new.json").write_text(json.dumps({**good, "area_um2": 460.0}))
    (row,) = figures.with_new_synthesis([gone, good, other], tmp_path)
    assert row["target"] == "decoder_core_raw"
    assert row["area_um2"] == 460
    assert list(row["timing"]["asap7_RVT_TT"]["paths"]) == ["one"]


def test_readme_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="make figures"):
        figures.readme("# QLC\n", [])


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of everything that is kept, with results of everything, for the script to write to."""
    synth, bench, _ = everything()
    study = figures.read(figures.STORE / "study.json")
    for name in ("STORE", "PAGE", "README"):
        path = tmp_path / getattr(figures, name).relative_to(ROOT)
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == "STORE":
            path.mkdir()
            for file, results in (("synth", synth), ("bench", bench), ("study", study)):
                (path / f"{file}.json").write_text(json.dumps(results))
        else:
            path.write_bytes(getattr(figures, name).read_bytes())
        monkeypatch.setattr(figures, name, path)
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    monkeypatch.setattr(figures, "plot", lambda *_: None)
    (tmp_path / "build" / "bench").mkdir(parents=True)
    return tmp_path


def run(kept: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["figures.py", "--build", str(kept / "build")])
    return figures.main()


def test_what_was_not_measured_anew_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, before, _ = everything()
    bench = copy.deepcopy(before)
    bench["rows"] = [{**bench["rows"][3], "rate": 1.5}]
    gone = {**bench["decoders"][0], "decoder": "qlc_core"}
    bench["decoders"] = [{**bench["decoders"][0], "rate": 0.5}, gone]
    (kept / "build" / "bench" / "bench.json").write_text(json.dumps(bench))
    assert run(kept, monkeypatch) == 0
    after = json.loads((figures.STORE / "bench.json").read_text())
    assert [row["rate"] for row in after["rows"]] == [
        1.5 if i == 3 else row["rate"] for i, row in enumerate(before["rows"])
    ]
    assert [row["decoder"] for row in after["decoders"]] == list(DECODERS)
    assert after["decoders"][0]["rate"] == 0.5
    assert "| 1.50 |" in figures.PAGE.read_text()


@pytest.mark.parametrize("text", ["{}", "[]", "{"])
def test_bad_results_change_nothing(
    text: str, kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {file: file.read_bytes() for file in kept.rglob("*") if file.is_file()}
    (kept / "build" / "bench" / "bench.json").write_text(text)
    assert run(kept, monkeypatch) == 1
    said = capsys.readouterr().err
    assert said.startswith("figures: ")
    assert said.count("\n") == 1
    assert all(file.read_bytes() == old for file, old in before.items())
