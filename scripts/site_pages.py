"""Hook of ``mkdocs.yml``: pages from outside of ``docs/``, and links that work there and in the repository.

A link to another file of the repository leads to ``repo_url``. Without one it leads to a page that shows the
file; of a link to a folder only the text stays.
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
# Pages that show a file, and the languages of their files.
SHOWN = "source/"
LANGUAGES = {".v": "verilog", ".h": "c", ".py": "python", ".core": "yaml", ".cff": "yaml"}
LINK = re.compile(r"(!?)\[((?:`[^`]*`|[^\[\]`])*)\]\(([^()\s]+)\)")
# README's badge, which the host of the repository draws.
BADGE = re.compile(r"^\[!\[.*\]\(\.\./\.\./.*\n\n?", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in ``docs/``, and those of the files that pages link to."""
    for source, site in PAGES.items():
        files.append(File.generated(config, site, abs_src_path=str(ROOT / source)))
    linked: set[str] = set()
    for page in files.documentation_pages():
        for link in LINK.finditer(page.content_string):
            path = repository_path(page.src_uri, link[3].partition("#")[0])
            if is_shown(path):
                linked.add(path)
    for path in sorted(linked) if not config.repo_url else ():
        files.append(File.generated(config, f"{SHOWN}{path}.md", content=shown(path)))
    return files


def repository_path(page: str, link: str) -> str:
    """Where a page's link leads in the repository."""
    folder = posixpath.dirname(SOURCES.get(page, DOCS + page))
    return posixpath.normpath(posixpath.join(folder, link))


def is_shown(path: str) -> bool:
    """Whether that is a file of the repository which is neither a page nor in ``docs/``."""
    outside = path in PAGES or path.startswith((DOCS, ".."))
    return not outside and (ROOT / path).is_file()


def shown(path: str) -> str:
    """The page that shows a file; the search has enough without it."""
    language = LANGUAGES.get(posixpath.splitext(path)[1], "text")
    text = (ROOT / path).read_text()
    return f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n````{language}\n{text}````\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead a page's links to the pages of the site."""
    if page.file.src_uri.startswith(SHOWN):
        return markdown
    return site_links(markdown, page.file.src_uri, config.repo_url)


def site_links(markdown: str, page: str, repo_url: str | None) -> str:
    """A page's text with links as the site has them. A wrong link stays, for MkDocs to report."""

    def led(link: re.Match[str]) -> str:
        image, text, target = link.groups()
        path, mark, anchor = target.partition("#")
        if not path or ":" in path:
            return link[0]
        path = repository_path(page, path)
        if path in PAGES or path.startswith(DOCS):
            return f"{image}[{text}]({PAGES.get(path, path.removeprefix(DOCS))}{mark}{anchor})"
        if path.startswith("..") or not (ROOT / path).exists():
            return link[0]
        if repo_url:
            return f"[{text}]({repo_url.rstrip('/')}/blob/HEAD/{path})"
        return f"[{text}]({SHOWN}{path}.md)" if is_shown(path) else text

    return LINK.sub(led, BADGE.sub("", markdown))
