"""Writes the lists of modules and of benches into ``docs/architecture.md`` and ``docs/verification.md``.

Modules come from the instances in the files of ``rtl/qlc.f``, benches from the folders of ``tb/``. What they
do is the first sentence of their own comments. With ``--check`` it writes nothing and tells whether the lists
are up to date.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from qlc_tb.sources import BASELINE, RTL

from scripts import ROOT
from scripts.interrupt import end_on_signals
from scripts.markdown import table

DOCS = ROOT / "docs"
FILES = {file.stem: file for file in (*RTL, *BASELINE)}


def first_sentence(text: str) -> str:
    """The first sentence of a comment, without the name in front of it."""
    words = " ".join(text.split())
    sentence = re.match(r".*?[.](?= [A-Zq]|$)|.*", words)
    assert sentence is not None
    does = re.sub(r"^QLC [^:.]*: ", "", sentence[0]).rstrip(".")
    return does[:1].upper() + does[1:]


def purpose(module: str) -> str:
    """What a module's header says first. Raises ValueError where it has none."""
    header = re.search(r"/\*\n((?: \*.*\n)+?) \*/\nmodule ", FILES[module].read_text())
    if header is None:
        raise ValueError(f"{FILES[module]}: no comment before the module")
    lines = [line.removeprefix(" *").strip() for line in header[1].splitlines()]
    paragraph = lines[: lines.index("")] if "" in lines else lines
    return first_sentence(" ".join(paragraph))


def instances(module: str) -> list[str]:
    """The modules that a module instantiates, each once, in their order."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", FILES[module].read_text(), flags=re.DOTALL)
    found = re.findall(r"^\s*(\w+)\s*(?:#\s*\(|\w+\s*\()", code, re.MULTILINE)
    return list(dict.fromkeys(name for name in found if name in FILES and name != module))


def tree(module: str, described: set[str], depth: int = 0) -> Iterator[str]:
    """A module and those below it, a line each; those described before have their name only."""
    again = module in described
    described.add(module)
    yield f"{'  ' * depth}- `{module}`" + ("" if again else f": {purpose(module)}")
    if not again:
        for below in instances(module):
            yield from tree(below, described, depth + 1)


def module_list() -> str:
    """The tree of all modules: under each that no other one uses, what it uses."""
    used = {below for module in FILES for below in instances(module)}
    described: set[str] = set()
    return "\n".join(line for top in FILES if top not in used for line in tree(top, described))


def bench_list() -> str:
    """A table of the benches by folder."""
    rows = [
        [
            f"`{file.parent.name}/{file.name}`",
            first_sentence(ast.get_docstring(ast.parse(file.read_text())) or ""),
        ]
        for file in sorted((ROOT / "tb").glob("*/test_*.py"))
    ]
    return "\n".join(table(["file", "what it does"], rows))


def render(text: str, name: str, content: str) -> str:
    """A page with other content between its markers. Raises ValueError where it has no such markers."""
    pattern = rf"(<!-- {name} -->\n)(?:.*\n)?(<!-- end of {name} -->)"
    found = list(re.finditer(pattern, text, re.DOTALL))
    if len(found) != 1:
        raise ValueError(f"markers of {name}: found {len(found)} times")
    [place] = found
    return text[: place.end(1)] + content + "\n" + text[place.start(2) :]


def pages() -> dict[Path, str]:
    """The pages as they should be."""
    lists = {"architecture.md": ("modules", module_list()), "verification.md": ("benches", bench_list())}
    return {
        DOCS / page: render((DOCS / page).read_text(), name, content)
        for page, (name, content) in lists.items()
    }


def main() -> int:
    """Writes the lists, or says that they are not up to date."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    status = 0
    for page, text in pages().items():
        if page.read_text() == text:
            continue
        if arguments.check:
            print(f"modules: {page.relative_to(ROOT)} is not up to date: run make registers", file=sys.stderr)
            status = 1
        else:
            page.write_text(text)
    return status


if __name__ == "__main__":
    end_on_signals("modules")
    sys.exit(main())
