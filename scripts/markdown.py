"""Tables in Markdown, without padding: a figure that changes is one cell that changes; and where they go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def row(cells: Iterable[object]) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(titles: Sequence[str]) -> list[str]:
    """A table's first lines."""
    return [row(titles), "|" + " --- |" * len(titles)]


def table(titles: Sequence[str], rows: Iterable[Iterable[object]]) -> list[str]:
    """The lines of a table."""
    return [*head(titles), *map(row, rows)]


def with_lines(text: str, name: str, lines: Iterable[str]) -> str:
    """A page with other lines between the marks of a name. Raises ValueError where it has none."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(begin)
    _, mark, after = rest.partition(end)
    if not mark:
        raise ValueError(f"no {begin} ... {end}")
    return "\n".join([before + begin, *lines, end]) + after
