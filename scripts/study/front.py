"""What a code saves against what its hardware costs.

Areas are those that ``make figures`` keeps in ``docs/figures/synth.json``. A target that is not there leaves
its column or its row out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from scripts.study.markdown import Results, between, mean, without_zero_heavy
from scripts.synth.results import FILE, compared

Areas = dict[str, float]
"""Area of each target of ``scripts/synth/targets.py``, in square micrometres."""


@dataclass(frozen=True)
class Choice:
    """A code, and the build of ``qlc.bounds.BUILDS`` that is made for it."""

    code: str
    build: str
    title: str


CHOICES = (
    Choice("table1", "paper", "`table1`"),
    Choice("area8", "paper", "best of 8 areas"),
    Choice("auto", "default", "best quad code"),
    Choice("auto-4", "quad", "best quad code, 4 bits and more"),
    Choice("huffman12", "any", "any lengths"),
    Choice("huffman-4", "huffman", "any lengths, 4 bits and more"),
    Choice("auto-raw", "raw", "best quad code, raw mantissa"),
    Choice("huffman-raw", "huffman_raw", "any lengths, raw mantissa"),
)
MODULES = {
    "decoder core": "decoder_core_{}",
    "wide decoder, 64 bits": "decoder_wide_64_{}",
    "wide decoder, 256 bits": "decoder_wide_256_{}",
    "encoder core, 32 symbols": "encoder_core_32_{}",
}
"""The target of each module by the name of a build."""


def areas() -> Areas:
    """The areas that are kept, tables in flip-flops."""
    rows = compared(json.loads(FILE.read_text()))
    return {target: row["area_um2"] for target, row in rows.items()}


def behind(results: Results, code: str) -> float:
    """Points behind Huffman, mean over the kinds that are not zero-heavy."""
    kinds = results["kinds"]
    return mean(between(kinds[name], code, "huffman") for name in without_zero_heavy(kinds))


def points(results: Results, sizes: Areas, module: str) -> dict[Choice, tuple[float, float]]:
    """Area, and points behind Huffman, of every choice whose target of the module was synthesised."""
    return {
        choice: (sizes[target], behind(results, choice.code))
        for choice in CHOICES
        if (target := MODULES[module].format(choice.build)) in sizes
    }


def built(sizes: Areas) -> list[str]:
    """The modules of which two builds at least were synthesised."""
    builds = {choice.build for choice in CHOICES}
    return [name for name, target in MODULES.items() if sum(target.format(b) in sizes for b in builds) > 1]


def front(offers: dict[Choice, tuple[float, float]]) -> list[Choice]:
    """The choices to which no other is better in one way and at least as good in the other, by area."""

    def beaten(own: tuple[float, float], others: Iterable[tuple[float, float]]) -> bool:
        return any(o != own and o[0] <= own[0] and o[1] <= own[1] for o in others)

    kept = [choice for choice, own in offers.items() if not beaten(own, offers.values())]
    return sorted(kept, key=lambda choice: offers[choice])
