"""The tree of modules and the table of benches are those of the sources, and on their pages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from qlc_tb.sources import RTL

from scripts import ROOT, markdown, modules

LEAF = """// Copyright

/*
 * QLC leaf: does 1, 2, ... things of version 1.0. More.
 *
 * qlc_top #(
 */
module leaf (
    input wire clk
);
"""
TOP = """/*
 * A top
 */
module top #
leaf #(
    .N(1)
)
leaf_inst ();
// other #(
    top below_inst (
);
"""


@pytest.mark.parametrize("page", modules.PAGES, ids=lambda page: page.name)
def test_page_is_up_to_date(page: Path) -> None:
    assert page.read_text() == modules.render(page), "run python -m scripts.modules"


def test_every_module_has_one_line() -> None:
    lines = "\n".join(modules.module_lines(RTL))
    assert all(lines.count(f"- [`{file.stem}`](") == 1 for file in RTL)
    assert lines.count("- [") == len(RTL)


def test_every_bench_has_a_line() -> None:
    lines = "\n".join(modules.bench_lines())
    assert all(f"/{file.name})" in lines for file in (ROOT / "tb").glob("*/cocotb_*.py"))


def test_every_module_has_a_bench(tmp_path: Path) -> None:
    lines = "\n".join(modules.inner_lines(RTL, ROOT / "tb"))
    for file in RTL:
        assert (f"| `{file.stem}` | `" in lines) != (ROOT / "tb" / file.stem).is_dir()
    # The nearest one counts.
    texts = {"leaf": LEAF, "top": TOP, "middle": "top #(\n) top_inst ();\n", "outer": "middle m_inst ();\n"}
    files = []
    for name, text in texts.items():
        files.append(tmp_path / f"{name}.v")
        files[-1].write_text(text)
    for bench in ("middle", "outer"):
        (tmp_path / "tb" / bench).mkdir(parents=True)
    assert modules.inner_lines(files, tmp_path / "tb")[2:] == [
        "| `leaf` | `middle` |",
        "| `top` | `middle` |",
    ]


def test_first_sentence() -> None:
    assert modules.sentence(LEAF) == "Does 1, 2, ... things of version 1.0"
    assert modules.sentence(TOP) == "A top"


def test_instances() -> None:
    assert modules.instances(TOP, {"leaf", "top", "other"}) == {"leaf", "top"}
    assert modules.instances(LEAF, {"leaf", "qlc_top"}) == set()


def test_lines_go_between_their_marks() -> None:
    page = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
    assert markdown.with_lines(page, "x", ["new"]) == page.replace("old", "new")
    with pytest.raises(ValueError, match=r"^no <!-- y --> "):
        markdown.with_lines(page, "y", [])


def test_old_page_is_told_and_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- x -->\nold\n<!-- end of x -->\n")
    monkeypatch.setattr(modules, "PAGES", {page: ("x", lambda: ["new"])})
    monkeypatch.setattr(modules, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["modules", "--check"])
    assert modules.main() == 1
    assert capsys.readouterr().err.startswith("modules: page.md is not up to date")
    assert "old" in page.read_text()
    monkeypatch.setattr(sys, "argv", ["modules"])
    assert modules.main() == 0
    assert page.read_text() == modules.render(page)
