"""The family as a front, for docs/figures.md, its plot and README: points behind Huffman against area."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.figures.losses import FFN
from scripts.study.markdown import without_zero_heavy
from scripts.synth.results import Row
from scripts.synth.targets import NAMES as BUILDS

# A line a width: how it is called, and the name of its target for a build.
WIDTHS = {
    "core": "decoder_core_{}",
    "64 bits": "decoder_wide_64_{}",
    "256 bits": "decoder_wide_256_{}",
    "encoder, 32 symbols": "encoder_core_32_{}",
}
# Where two builds differ in one thing: from the first to the second.
STEPS = (
    ("four lengths by limits, for 8 areas", "paper", "quad"),
    ("four lengths, for any number", "huffman", "quad"),
    ("raw mantissa, for four lengths", "quad", "raw"),
    ("raw mantissa, for any number of lengths", "huffman", "huffman_raw"),
    ("four lengths, for any number, with raw mantissa", "huffman_raw", "raw"),
)
# What a mean is of: all, or some of the kinds of tensors.
MEANS = ("gate and up activations", "all kinds but the zero-heavy", "all kinds")


def behind(loss: Row) -> dict[str, float]:
    """Points behind Huffman, by ``MEANS``."""
    kinds: dict[str, float] = loss["kinds"]
    groups = (FFN, without_zero_heavy(kinds), list(kinds))
    return {
        name: sum(kinds[kind] for kind in group) / len(group)
        for name, group in zip(MEANS, groups, strict=True)
    }


def best(losses: Sequence[Row]) -> dict[str, Row]:
    """The best code of each build."""
    return {loss["build"]: loss for loss in losses}


def points(
    rows: dict[str, Row], losses: Sequence[Row], target: str, mean: str
) -> list[tuple[float, float, str]]:
    """A width's points: points behind Huffman, area and build, those that were synthesised."""
    codes = best(losses)
    return sorted(
        (behind(codes[build])[mean], rows[name]["area_um2"], build)
        for build in BUILDS
        if (name := target.format(build)) in rows
    )


def ghz(row: Row) -> str:
    """The clock in each corner."""
    return " / ".join(f"{timing['clock_ghz']:.2f}" for timing in row["timing"].values())


def front_rows(rows: dict[str, Row], losses: Sequence[Row]) -> list[list[str]]:
    """Area and clock of every width, a line a code of a build; then the serial decoder."""
    lines = []
    for loss in losses:
        build = loss["build"]
        if build in BUILDS:
            targets = [target.format(build) for target in WIDTHS.values()]
        elif build in rows:
            targets = [build]
        else:
            continue
        cells = [f"`{build}`", loss["what"], *(f"{lost:.2f}" for lost in behind(loss).values())]
        for target in targets:
            cells += [f"{rows[target]['area_um2']:.0f}", ghz(rows[target])] if target in rows else ["", ""]
        lines.append(cells + [""] * 2 * (len(WIDTHS) - len(targets)))
    return lines


def front_titles() -> list[str]:
    """The titles of ``front_rows``."""
    titles = ["build", "code", *MEANS]
    for width in WIDTHS:
        titles += [f"{width}, um2", "GHz"]
    return titles


def step_rows(rows: dict[str, Row], losses: Sequence[Row]) -> list[list[str]]:
    """What each difference between two builds changes, those of which a width was synthesised."""
    codes = best(losses)
    lines = []
    for what, before, after in STEPS:
        cells = []
        for target in WIDTHS.values():
            names = [target.format(build) for build in (before, after)]
            areas = [rows[name]["area_um2"] for name in names if name in rows]
            cells.append(f"{100 * (areas[1] / areas[0] - 1):+.0f} %" if len(areas) == 2 else "")
        if any(cells):
            lost = [behind(codes[after])[mean] - behind(codes[before])[mean] for mean in MEANS]
            lines.append([what, f"`{before}` to `{after}`", *cells, *(f"{more:+.2f}" for more in lost)])
    return lines


def step_titles() -> list[str]:
    """The titles of ``step_rows``."""
    return ["what changes", "builds", *WIDTHS, *(f"points, {mean}" for mean in MEANS)]
