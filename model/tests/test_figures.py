"""The page of figures and README's table say what the committed results say."""

from __future__ import annotations

import copy
import json
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
    for decoder in changed["decoders"]:
        decoder["rate"] += 1
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


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of everything that is kept, for the script to write to."""
    for name in ("STORE", "PAGE", "README"):
        path = tmp_path / getattr(figures, name).relative_to(ROOT)
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == "STORE":
            path.mkdir()
            for file in ("synth.json", "bench.json"):
                (path / file).write_bytes((figures.STORE / file).read_bytes())
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
    _, bench = figures.load()
    before = copy.deepcopy(bench)
    bench["rows"] = [{**bench["rows"][3], "rate": 1.5}]
    bench["decoders"] = bench["decoders"][:1]
    (kept / "build" / "bench" / "bench.json").write_text(json.dumps(bench))
    assert run(kept, monkeypatch) == 0
    after = json.loads((figures.STORE / "bench.json").read_text())
    assert [row["rate"] for row in after["rows"]] == [
        1.5 if i == 3 else row["rate"] for i, row in enumerate(before["rows"])
    ]
    assert len(after["decoders"]) == len(before["decoders"])
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
