"""Writes the tree of modules into docs/architecture.md and the tables of benches into docs/verification.md.

The tree is made of the instantiations in the files of ``rtl/qlc.f`` and the first sentence of each one's
header comment. The tables are made of the first lines of the benches' Python files, and of the tree. With
``--check`` it writes nothing, and exit status 1 says that a page is not up to date.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from qlc_tb.sources import RTL

from scripts import ROOT, markdown
from scripts.interrupt import end_on_signals

INNER = "The other modules run inside these. Each is checked at the ports of the modules around it:"
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def sentence(text: str) -> str:
    """The first sentence of a module's header comment, without the module's name."""
    found = re.search(r"/\*(.*?)\*/", text, re.DOTALL)
    lines = re.sub(r"^ \* ?", "", found[1] if found else "", flags=re.MULTILINE)
    words = " ".join(lines.strip().split("\n\n")[0].split())
    first = re.split(r"(?<!\.)\.(?= |$)", words)[0]
    first = re.sub(r"^QLC [\w ]+: ", "", first)
    return first[:1].upper() + first[1:]


def instances(text: str, names: set[str]) -> set[str]:
    """The modules that a module's text instantiates."""
    code = COMMENT.sub("", text)
    return names & set(re.findall(r"^\s*(\w+)\s*(?:#\s*\(|\w+\s*\()", code, re.MULTILINE))


def users_of(texts: dict[str, str]) -> dict[str, list[str]]:
    """For each module, those that instantiate it."""
    # Trees in hardware are made of themselves.
    inside = {name: instances(text, set(texts)) - {name} for name, text in texts.items()}
    return {name: sorted(user for user in texts if name in inside[user]) for name in texts}


def module_lines(files: list[Path]) -> list[str]:
    """The tree: modules below the one that uses them, those of several users behind it."""
    texts = {file.stem: file.read_text() for file in files}
    users = users_of(texts)
    places = {file.stem: file.relative_to(ROOT) for file in files}

    def tree(name: str, depth: int) -> Iterator[str]:
        used = f" (in {', '.join(f'`{user}`' for user in users[name])})" if len(users[name]) > 1 else ""
        yield f"{'    ' * depth}- [`{name}`](../{places[name]}): {sentence(texts[name])}{used}"
        for part in texts:
            if users[part] == [name]:
                yield from tree(part, depth + 1)

    tops = [line for name in texts if not users[name] for line in tree(name, 0)]
    shared = [line for name in sorted(texts) if len(users[name]) > 1 for line in tree(name, 0)]
    return [*tops, "", "Modules that several others use:", "", *shared]


def bench_lines() -> list[str]:
    """The benches, a line each Python file of cocotb tests."""
    rows = []
    for file in sorted((ROOT / "tb").glob("*/cocotb_*.py")):
        what = ast.get_docstring(ast.parse(file.read_text())) or ""
        first = what.split("\n\n")[0].replace("\n", " ").replace("``", "`").removesuffix(".")
        folder = file.parent.name
        rows.append([f"[`{folder}`](../tb/{folder}/{file.name})", first])
    return markdown.table(["folder of `tb/`", "what runs in the simulator"], rows)


def inner_lines(files: list[Path], benches: Path) -> list[str]:
    """Modules without a bench of their own, and the benches of the nearest modules around each."""
    users = users_of({file.stem: file.read_text() for file in files})
    own = {name for name in users if (benches / name).is_dir()}

    def around(name: str) -> set[str]:
        return {bench for user in users[name] for bench in ({user} if user in own else around(user))}

    rows = [
        [f"`{name}`", ", ".join(f"`{bench}`" for bench in sorted(around(name)))]
        for name in sorted(users)
        if name not in own
    ]
    return markdown.table(["module", "runs in the bench of"], rows)


# By page: the name of its marks, and what gives the lines between them.
PAGES: dict[Path, tuple[str, Callable[[], list[str]]]] = {
    ROOT / "docs" / "architecture.md": ("modules", partial(module_lines, RTL)),
    ROOT / "docs" / "verification.md": (
        "benches",
        lambda: [*bench_lines(), "", INNER, "", *inner_lines(RTL, ROOT / "tb")],
    ),
}


def render(page: Path) -> str:
    """A page as it should be. Raises ValueError where it lacks the marks."""
    name, lines = PAGES[page]
    try:
        return markdown.with_lines(page.read_text(), name, ["", *lines(), ""])
    except ValueError as error:
        raise ValueError(f"{page.name}: {error}") from None


def main() -> int:
    """Writes the pages, or says which is not up to date."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    try:
        pages = {page: render(page) for page in PAGES}
    except ValueError as error:
        print(f"modules: {error}", file=sys.stderr)
        return 1
    old = [page for page, text in pages.items() if page.read_text() != text]
    for page in old:
        if arguments.check:
            print(f"modules: {page.name} is not up to date: run python -m scripts.modules", file=sys.stderr)
        else:
            page.write_text(pages[page])
            print(page.relative_to(ROOT))
    return 1 if arguments.check and old else 0


if __name__ == "__main__":
    end_on_signals("modules")
    sys.exit(main())
