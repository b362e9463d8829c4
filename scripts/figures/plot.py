"""The plot of docs/figures.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scripts.figures.front import MEANS, WIDTHS, behind, best, points
from scripts.synth.results import LIBRARY, Row, compared


def plot(synth: Sequence[Row], losses: Sequence[Row], file: Path) -> None:
    """Points behind Huffman against area, a line a width, a point a build."""
    # What checks types and pages does not need it installed.
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "qlc"
    rows = compared(synth)
    means = (MEANS[0], MEANS[-1])
    figure, panels = plt.subplots(1, 2, figsize=(10, 5), sharey=True, layout="constrained")
    for axes, mean in zip(panels, means, strict=True):
        places: dict[str, float] = {}
        for (width, target), style in zip(WIDTHS.items(), ("o-", "s-", "D-", "^--"), strict=True):
            found = points(rows, losses, target, mean)
            if not found:
                continue
            lost, areas, builds = zip(*found, strict=True)
            axes.semilogy(lost, areas, style, label=width)
            places |= dict(zip(builds, lost, strict=True))
        if "huffman_serial" in rows:
            serial = (behind(best(losses)["huffman_serial"])[mean], rows["huffman_serial"]["area_um2"])
            axes.semilogy(*serial, "x", color="0.3", label="Huffman, a bit a cycle")
        for build, place in places.items():
            axes.axvline(place, color="0.8", linewidth=0.8, zorder=0)
            axes.annotate(build, (place, 1.01), xycoords=("data", "axes fraction"), rotation=60, fontsize=8)
        axes.set_xlabel(f"points behind Huffman, {mean}")
        axes.margins(x=0.12)
        axes.grid(which="both", axis="y", alpha=0.3)
    panels[0].set_ylabel(f"area, um² ({LIBRARY}, tables included)")
    panels[0].legend(fontsize=8)
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
