"""The plot of docs/figures.md."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from figures_page import HEADLINE_LIBRARY, Row, rate


def plot(synth: Sequence[Row], bench: Row, file: Path) -> None:
    """Area against symbols a cycle, a line a kind of module."""
    # What checks types and pages does not need it installed.
    mpl = importlib.import_module("matplotlib")
    plt = importlib.import_module("matplotlib.pyplot")
    mpl.rcParams["svg.hashsalt"] = "qlc"
    kinds = {
        "QLC decoder": ("qlc_decoder_core", "qlc_decoder_wide"),
        "Huffman decoder": ("huffman_decoder_serial", "huffman_decoder_core", "huffman_decoder_wide"),
        "QLC encoder": ("qlc_encoder_core",),
        "Huffman encoder": ("huffman_encoder_core",),
    }
    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for (kind, tops), style in zip(kinds.items(), ("o-", "s-", "o--", "s--"), strict=True):
        points = sorted(
            (symbols, row["area_um2"])
            for row in synth
            if row["technology"] == HEADLINE_LIBRARY
            and row["tables"] == "registers"
            and row["top"] in tops
            and row["parameters"].get("PREFIX_BITS", 3) == 3
            and row["parameters"].get("MAX_LENGTH", 16) == 16
            and (symbols := rate(row, bench)) is not None
        )
        if points:
            axes.loglog(*zip(*points, strict=True), style, label=kind)
    axes.set_xlabel("symbols a cycle")
    axes.set_ylabel(f"area, um² ({HEADLINE_LIBRARY}, tables included)")
    axes.grid(which="both", alpha=0.3)
    axes.legend()
    figure.savefig(file, metadata={"Date": None})
