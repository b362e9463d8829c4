"""The page of figures says what the committed results say."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import figures  # noqa: E402, needs the path


def test_page_is_rendered_from_results() -> None:
    assert figures.PAGE.read_text() == figures.render()


def test_another_figure_is_another_page(tmp_path: Path) -> None:
    for file in figures.STORE.glob("*.json"):
        (tmp_path / file.name).write_text(file.read_text())
    bench = json.loads((tmp_path / "bench.json").read_text())
    bench["rows"][-1]["rate"] += 1
    (tmp_path / "bench.json").write_text(json.dumps(bench))
    assert figures.render(tmp_path) != figures.render()
