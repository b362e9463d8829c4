"""The plots of ``docs/study.md``, as SVG, from its figures and the histograms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from qlc.baselines import compressibility
from qlc.code import PRESETS, RANKS
from qlc.optimum import best_quad

from scripts import committed_data
from scripts.study.codes import PREFIX_BITS, kind
from scripts.study.markdown import ZERO_HEAVY
from scripts.study.synthetic import SHAPE, TOTAL, peaked

Results = dict[str, Any]
# Matplotlib need not be installed, so it has no types here.
Pyplot = Any
Figure = Any

# Okabe and Ito's colours, which the colour-blind can tell apart
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#999999")
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "qlc",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica"],
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
}


def pyplot() -> Pyplot:
    """Matplotlib, without a display and in one style."""
    # What checks types and pages does not need it installed.
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.use("Agg")
    mpl.rcParams.update({**STYLE, "axes.prop_cycle": mpl.cycler(color=COLOURS)})
    return plt


def pooled_shares() -> dict[str, Any]:
    """By kind, the probability of each rank, float64[256], over all layers."""
    counts: dict[str, Any] = {}
    for name, histogram in committed_data.histograms().items():
        counts[kind(name)] = counts.get(kind(name), 0) + histogram.counts
    return {name: np.sort(c / c.sum())[::-1] for name, c in counts.items()}


def code_space(plt: Pyplot, results: Results) -> Figure:
    """Rank-ordered probability, and the share of the code space of each rank."""
    shares = pooled_shares()
    panels = {name: shares[name] for name in ("ffn_up.act", "ffn_down.in", "attn.prob")}
    fitted = results["synthetic"]["FFN2 activations"]
    shape = np.rint(shares[SHAPE] * TOTAL).astype(np.int64)
    counts = peaked(shape, fitted["zero"], fitted["power"])
    panels["synthetic, fitted to the published FFN2 figures"] = counts / counts.sum()
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex=True, layout="constrained")
    for axis, (name, share) in zip(axes.flat, panels.items(), strict=True):
        seen = np.flatnonzero(share > 0)
        axis.plot(seen, share[seen], color=COLOURS[0], label="probability")
        quad = best_quad(np.rint(share * TOTAL).astype(np.int64))
        for title, code, colour in (("table1", PRESETS["table1"], COLOURS[2]), ("auto", quad, COLOURS[1])):
            axis.step(
                np.arange(RANKS), 2.0 ** -code.rank_lengths.astype(float), where="mid", color=colour,
                label=f"{title}: 2^-length", linewidth=1.1,
            )  # fmt: skip
        axis.set_yscale("log")
        axis.set_ylim(1e-6, 1)
        axis.set_xlim(-1, 255)
        axis.set_title(name)
        axis.grid(visible=False, axis="x")
    for axis in axes[:, 0]:
        axis.set_ylabel("probability")
    for axis in axes[1]:
        axis.set_xlabel("rank")
    axes[0, 0].legend(loc="lower left")
    return figure


def layers(plt: Pyplot, results: Results) -> Figure:
    """Compressibility of every layer."""
    codes = {
        "entropy": "entropy limit",
        "huffman": "Huffman",
        "auto": "auto",
        "auto-raw": "auto, raw mantissa",
        "area8": "8 areas",
        "table1": "table1",
        "exp-golomb": "Exp-Golomb",
    }
    kinds = [name for name in results["kinds"] if name != "embed.grad"]
    figure, axes = plt.subplots(2, 5, figsize=(12, 5.4), sharex=True, layout="constrained")
    for axis, name in zip(axes.flat, kinds, strict=True):
        for code, label in codes.items():
            column = results["tensors"]["codes"].index(code)
            rows = sorted(key for key in results["tensors"]["rows"] if kind(key) == name)
            values = [compressibility(results["tensors"]["rows"][key][column]) for key in rows]
            axis.plot(
                range(len(values)), values, label=label, linestyle="--" if code == "entropy" else "-",
            )  # fmt: skip
        axis.set_title(name)
    for axis in axes[:, 0]:
        axis.set_ylabel("saved, %")
    for axis in axes[1]:
        axis.set_xlabel("layer")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(codes))
    return figure


def gap(plt: Pyplot, results: Results) -> Figure:
    """The gap to the entropy limit against the number of areas."""
    figure, axis = plt.subplots(figsize=(8.5, 4.6), layout="constrained")
    by_areas = {f"area{1 << p}": str(1 << p) for p in PREFIX_BITS}
    others = {"auto": "quad\ncode", "huffman12": "any\nlengths", "huffman": "Huffman"}
    for number, (name, bits) in enumerate(results["kinds"].items()):
        colour = COLOURS[number % len(COLOURS)]
        line = "-" if number < len(COLOURS) else "--"
        gaps = [100 * (bits[code] - bits["entropy"]) / 8 for code in (*by_areas, *others)]
        split = len(by_areas)
        axis.plot(range(split), gaps[:split], line, color=colour, marker=".", label=name)
        axis.plot(
            range(split, len(gaps)), gaps[split:], ".", color=colour, mfc="white" if line == "--" else colour
        )
    axis.set_yscale("log")
    axis.set_xticks(range(len(by_areas) + len(others)), [*by_areas.values(), *others.values()])
    axis.set_xlabel("areas")
    axis.set_ylabel("gap to the entropy limit, points")
    axis.set_yticks([0.3, 1, 3, 10, 30], ["0.3", "1", "3", "10", "30"])
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center")
    return figure


def groups(plt: Pyplot, results: Results) -> Figure:
    """What the choice of one of two tables gains against the size of the groups."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), sharey=True, layout="constrained")
    sizes = results["sizes"]["symbols"]
    titles = {"selector": "a selector bit a group", "header": "a block header a group (the format as it is)"}
    for axis, (key, title) in zip(axes, titles.items(), strict=True):
        number = 0
        for name in results["kinds"]:
            if name in ZERO_HEAVY:
                continue
            line = "-" if number < len(COLOURS) else "--"
            axis.plot(sizes, results["sizes"][name][key], line, marker=".", label=name, clip_on=True)
            number += 1
        axis.axhline(0, color="#444444", linewidth=0.8)
        axis.set_xscale("log", base=2)
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.set_ylim(-2, 3)
        axis.set_xlabel("symbols in a group")
        axis.set_title(title)
    axes[0].set_ylabel("gain over one table, points")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center")
    return figure


def warmup(plt: Pyplot, results: Results) -> Figure:
    """What tables from few symbols lose."""
    figure, axis = plt.subplots(figsize=(6.4, 4), layout="constrained")
    part = results["warmup"]
    for code, lost in part["random"].items():
        axis.plot(part["symbols"], lost, marker=".", label=code)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xticks(part["symbols"], [str(n) for n in part["symbols"]], rotation=45, minor=False)
    axis.minorticks_off()
    axis.set_yticks([0.03, 0.1, 0.3, 1, 3, 10], ["0.03", "0.1", "0.3", "1", "3", "10"])
    axis.set_xlabel("symbols seen")
    axis.set_ylabel("lost against a table of all symbols, points")
    axis.legend()
    return figure


PLOTS = {"areas": code_space, "layers": layers, "gap": gap, "groups": groups, "warmup": warmup}


def draw(results: Results, folder: Path, suffix: str = "svg") -> None:
    """Draws all of them to ``study-NAME.svg``."""
    plt = pyplot()
    for name, plot in PLOTS.items():
        figure = plot(plt, results)
        metadata = {"Date": None} if suffix == "svg" else {}
        figure.savefig(folder / f"study-{name}.{suffix}", metadata=metadata, dpi=110)
        plt.close(figure)
