"""The page of figures and README's table say what the committed results say."""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import figures  # noqa: E402, needs the path
from figures_page import headline, render  # noqa: E402, needs the path


def test_page_is_rendered_from_results() -> None:
    assert figures.PAGE.read_text() == render(*figures.load())


def test_readme_has_the_table_of_the_results() -> None:
    text = figures.README.read_text()
    assert text == figures.readme(text, headline(*figures.load()))


def test_another_figure_is_another_page() -> None:
    synth, bench = figures.load()
    changed = copy.deepcopy(bench)
    changed["rows"][-1]["rate"] += 1
    assert render(synth, changed) != render(synth, bench)
    assert headline(synth, changed) != headline(synth, bench)
    changed = copy.deepcopy(synth)
    for row in changed:
        if "area_um2" in row:
            row["area_um2"] *= 2
    assert render(changed, bench) != render(synth, bench)
    assert headline(changed, bench) != headline(synth, bench)


def test_readme_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="make figures"):
        figures.readme("# QLC\n", [])
