"""What a build's code loses against Huffman's, from the histograms in ``data/``: one axis of the front."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from qlc.baselines import compressibility, huffman_lengths
from qlc.histogram import expected_bits
from qlc.huffman import huffman_table

from scripts.codes import CONTENDERS, Contender
from scripts.committed_data import Histogram, histograms
from scripts.study.codes import SCALE, in_order, kind

# The activations of the feed-forward layers' first half, which the paper's static code is made for.
FFN = ("ffn_gate.act", "ffn_up.act")


@dataclass(frozen=True)
class BuildCode:
    """A code of a build, and how the page calls it; without a contender, Huffman's of at most 16 bits."""

    build: str
    name: str
    what: str
    contender: Contender | None


# The codes of each build, the best one that it holds last.
CODES = (
    BuildCode("paper", "table1", "the published static code", CONTENDERS["table1"]),
    BuildCode("paper", "area8", "best of 8 areas", Contender("area8", "paper")),
    BuildCode("quad", "auto-4", "best quad code", CONTENDERS["auto-4"]),
    BuildCode("raw", "auto-raw", "best quad code, raw mantissa", CONTENDERS["auto-raw"]),
    BuildCode("huffman", "huffman-4", "best of any lengths", CONTENDERS["huffman-4"]),
    BuildCode("huffman_raw", "huffman-raw", "best of any lengths, raw mantissa", CONTENDERS["huffman-raw"]),
    BuildCode("default", "auto", "best quad code", CONTENDERS["auto"]),
    BuildCode("any", "huffman", "best of any lengths", CONTENDERS["huffman"]),
    BuildCode("huffman_serial", "huffman-16", "Huffman, at most 16 bits", None),
)


def _points(histogram: Histogram) -> list[float]:
    """Points behind Huffman without a limit to its lengths, of a tensor's own table, by ``CODES``."""
    huffman = compressibility(expected_bits(histogram.counts, huffman_lengths(histogram.counts)))
    return [huffman - compressibility(_bits(histogram, code.contender)) for code in CODES]


def _bits(histogram: Histogram, contender: Contender | None) -> float:
    if contender is None:
        return expected_bits(histogram.counts, huffman_table(histogram.counts).lengths)
    return contender.table(histogram, histogram.name).expected_bits


def losses(kinds: Sequence[str] = ()) -> list[dict[str, Any]]:
    """By code, its build's bounds, and points behind Huffman: the mean of each kind, block scales apart."""
    chosen = [
        histogram
        for histogram in histograms().values()
        if not histogram.name.endswith(SCALE) and (not kinds or kind(histogram.name) in kinds)
    ]
    with ProcessPoolExecutor() as pool:
        points = np.array(list(pool.map(_points, chosen, chunksize=8)))
    members = {
        name: [place for place, histogram in enumerate(chosen) if kind(histogram.name) == name]
        for name in in_order(kind(histogram.name) for histogram in chosen)
    }
    return [
        {
            "build": code.build,
            "code": code.name,
            "what": code.what,
            "bounds": asdict(code.contender.bounds) if code.contender else {},
            "kinds": {name: round(float(column[places].mean()), 3) for name, places in members.items()},
        }
        for code, column in zip(CODES, points.T, strict=True)
    ]
