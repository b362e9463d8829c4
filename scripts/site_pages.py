"""Hook of ``mkdocs.yml``: pages from outside of ``docs/``, and links that work there and in the repository.

A link to another file of the repository leads to ``repo_url``; without one only its text stays.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
# Pages of the site, by their paths in the repository.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "data/README.md": "tensors.md",
}
SOURCES = {site: source for source, site in PAGES.items()}
DOCS = "docs/"
LINK = re.compile(r"(!?)\[((?:`[^`]*`|[^\[\]`])*)\]\(([^()\s]+)\)")
# README's badge, which the host of the repository draws.
BADGE = re.compile(r"^\[!\[.*\]\(\.\./\.\./.*\n\n?", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in ``docs/``."""
    for source, site in PAGES.items():
        files.append(File.generated(config, site, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead a page's links to the pages of the site."""
    return site_links(markdown, page.file.src_uri, config.repo_url)


def site_links(markdown: str, page: str, repo_url: str | None) -> str:
    """A page's text with links as the site has them. A wrong link stays, for MkDocs to report."""
    folder = posixpath.dirname(SOURCES.get(page, DOCS + page))

    def led(link: re.Match[str]) -> str:
        image, text, target = link.groups()
        path, mark, anchor = target.partition("#")
        if not path or ":" in path:
            return link[0]
        path = posixpath.normpath(posixpath.join(folder, path))
        if path in PAGES or path.startswith(DOCS):
            return f"{image}[{text}]({PAGES.get(path, path.removeprefix(DOCS))}{mark}{anchor})"
        if path.startswith("..") or not (ROOT / path).exists():
            return link[0]
        return f"[{text}]({repo_url.rstrip('/')}/blob/HEAD/{path})" if repo_url else text

    return LINK.sub(led, BADGE.sub("", markdown))
