"""Every link between the documents leads to a file that is there, and to a heading in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import ROOT

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), ROOT / "data" / "README.md"]
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """What links may name behind a "#", as GitHub makes it of the headings."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(document: Path, text: str) -> list[str]:
    """The links of a text that lead nowhere from where a document is."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", text)):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        # The repository's pages outside its files, as the badge of CI
        elsewhere = "://" in link or link.startswith("../../actions/")
        if not elsewhere and (not target.exists() or (anchor and anchor not in anchors(target))):
            found.append(link)
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    assert broken(document, document.read_text()) == []


def test_broken_links_are_found() -> None:
    links = ["docs/code.md#code", "docs/no.md", "docs/code.md#no", "#contributing", "#no", "https://no.no"]
    text = "".join(f"[a]({link})\n" for link in links)
    assert broken(ROOT / "CONTRIBUTING.md", text) == ["docs/no.md", "docs/code.md#no", "#no"]
