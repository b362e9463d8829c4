"""The documents make one site: all pages are in the menu, links lead somewhere, nothing is from elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import ROOT

NAV = re.findall(r"^ +- .*: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)


def test_every_page_is_in_the_menu() -> None:
    assert len(NAV) == len(set(NAV))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= set(NAV)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly."""
    pytest.importorskip("material", reason="mkdocs-material: pip install -r requirements-docs.txt")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_pages_and_search_are_there(site: Path) -> None:
    assert all((site / name).with_suffix(".html").is_file() for name in NAV)
    assert "Two commands" in (site / "search" / "search_index.json").read_text()


def test_modules_are_shown_and_not_searched(site: Path) -> None:
    for path in ("rtl/qlc_encoder.v", "rtl/wide/qlc_exit_tree.v", "include/qlc_regs.h"):
        page = (site / "source" / f"{path}.html").read_text()
        assert f">{path}<" in page
        assert "SPDX-License-Identifier" in page
        assert f'href="source/{path}.html"' in "".join(each.read_text() for each in site.glob("*.html"))
    index = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    assert not [one for one in index if one["location"].startswith("source/")]


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text()
        loaded = re.findall(r"<(?:script|img|iframe)\b[^>]*\bsrc=\"?([^\s\">]+)", text)
        loaded += re.findall(r"<link\b[^>]*\bhref=\"?([^\s\">]+)", text)
        assert loaded
        assert [link for link in loaded if re.match(r"(?:https?:)?//", link)] == []


def test_links_of_the_repository_become_links_of_the_site() -> None:
    pytest.importorskip("mkdocs", reason="mkdocs: pip install -r requirements-docs.txt")
    from scripts.site_pages import site_links

    def led(text: str, page: str, url: str | None = None) -> str:
        return site_links(text, page, url)

    assert led("[a](docs/code.md#words) ![b](docs/figures/wide.svg)", "index.md") == (
        "[a](code.md#words) ![b](figures/wide.svg)"
    )
    assert led("[a](../README.md#limits), [b](../data/README.md)", "code.md") == (
        "[a](index.md#limits), [b](tensors.md)"
    )
    assert led("[`a`](../rtl/qlc.f)", "code.md") == "[`a`](source/rtl/qlc.f.md)"
    assert led("[`a`](../rtl)", "code.md") == "`a`"
    assert led("[`a`](../rtl/qlc.f)", "code.md", "https://host/qlc/") == (
        "[`a`](https://host/qlc/blob/HEAD/rtl/qlc.f)"
    )
    assert led("[a](../rtl/none.v) [b](#c) [d](https://host)", "code.md") == (
        "[a](../rtl/none.v) [b](#c) [d](https://host)"
    )
    assert led("# Q\n\n[![CI](../../x.svg)](../../x.yml)\n\nText\n", "index.md") == "# Q\n\nText\n"
