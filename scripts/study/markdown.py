"""Markdown of the study's figures: tables, plots, and numbers inside a sentence."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Any

from qlc.baselines import compressibility

from scripts import markdown

Results = dict[str, Any]

FFN = ("ffn_up.act", "ffn_gate.act", "ffn_down.in")
WIDTH = 115
ZERO_HEAVY = ("attn.prob", "embed.grad")


def without_zero_heavy(kinds: Iterable[str]) -> list[str]:
    """The kinds that are not mostly zeros."""
    return [name for name in kinds if name not in ZERO_HEAVY]


def table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table."""
    return "\n".join(markdown.table(list(titles), rows)) + "\n"


def plot(name: str, what: str) -> str:
    """A plot."""
    return f"![{what}](figures/study-{name}.svg)\n"


def percent(bits: float) -> str:
    """What so many bits a symbol save."""
    return f"{compressibility(bits):.2f}"


def between(bits: dict[str, float], worse: str, better: str) -> float:
    """Points from one code to a better one."""
    return compressibility(bits[better]) - compressibility(bits[worse])


def saved_table(kinds: dict[str, dict[str, float]], codes: dict[str, str]) -> str:
    """What codes save, a line a kind; ``codes`` have the title of each."""
    rows = ([f"`{name}`", *(percent(bits[code]) for code in codes)] for name, bits in kinds.items())
    return table(["tensor", *codes.values()], rows)


def points_table(kinds: dict[str, dict[str, float]], steps: dict[str, tuple[str, str]]) -> str:
    """Points from a code to a better one, a line a kind; ``steps`` have the title of each pair."""
    rows = (
        [f"`{name}`", *(f"{between(bits, *step):.2f}" for step in steps.values())]
        for name, bits in kinds.items()
    )
    return table(["tensor", *steps], rows)


def span(values: Iterable[float], digits: int = 2) -> str:
    """The least and the largest."""
    known = list(values)
    return f"{min(known):.{digits}f} to {max(known):.{digits}f}"


def names(kinds: Iterable[str]) -> str:
    """Kinds as a list in a sentence."""
    return ", ".join(f"`{name}`" for name in kinds) or "none"


def mean(values: Iterable[float]) -> float:
    """The mean."""
    known = list(values)
    return sum(known) / len(known)


def filled(text: str) -> str:
    """Text whose paragraphs and list items are broken into lines anew, since its figures differ in length."""
    lines: list[str] = []
    for part in text.split("\n\n"):
        if part.lstrip().startswith(("#", "|", "!")):
            lines += [part, ""]
            continue
        for item in re.split(r"\n(?=- )", part):
            indent = "  " if item.startswith("- ") else ""
            words = " ".join(item.split())
            lines += textwrap.wrap(
                words, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            )
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"
