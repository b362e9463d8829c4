"""Tables in Markdown, without padding: a figure that changes is one cell that changes."""

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
