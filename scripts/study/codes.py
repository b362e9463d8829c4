"""What each code makes of a histogram. All in bits a symbol, from exact counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qlc.baselines import best_exp_golomb, elias_gamma_lengths, huffman_lengths
from qlc.code import LONGEST, Code
from qlc.histogram import entropy_bits, expected_bits
from qlc.huffman import huffman_table
from qlc.optimum import best_quad
from qlc.ranking import rank_by_magnitude, rank_symbols
from qlc.table import Table, calibrate

from scripts.codes import CONTENDERS
from scripts.committed_data import Histogram
from scripts.study.areas import area_lengths, best_area_lengths
from scripts.study.free_lengths import free_quad_lengths
from scripts.study.threshold import threshold_extra_bits

Counts = NDArray[np.int64]
Lengths = NDArray[np.integer[Any]]

PREFIX_BITS = (1, 2, 3, 4, 5, 6)
KNOWN_BITS = (4, 5)
"""Bits that tell the length, in the four lengths beside the best quad code, which has 6, and all 12."""
RAW_BITS = (1, 2, 3)
LONGEST_BITS = (12, 11, 10)
"""The longest codewords that are compared for each number of raw bits."""
SCALE = ".scale"
ORDER = ("ffn_", "attn.", "embed.")
"""The kinds begin so, in the order in which they are shown."""
BYTE_DTYPE = "uint8"
"""The dtype of scales, which have no mantissa."""


def kind(name: str) -> str:
    """The kind of a tensor: ``layers.12.attn.key`` is an ``attn.key``, ``embed.grad.3`` an ``embed.grad``."""
    return ".".join(part for part in name.split(".") if part != "layers" and not part.isdigit())


def in_order(kinds: Iterable[str]) -> list[str]:
    """Kinds in the order in which they are shown."""

    def place(name: str) -> tuple[int, str]:
        return [name.startswith(start) for start in ORDER].index(True), name

    return sorted(set(kinds), key=place)


# ---- Codes that a table can have


@dataclass(frozen=True)
class Rule:
    """How a table is made of counts."""

    code: Code | str
    raw_bits: int = 0
    shortest: int = 1
    longest: int = LONGEST

    def table(self, counts: Counts, dtype: str) -> Table:
        """The table for counts, int[256]."""
        return calibrate(counts, dtype, self.code, "study", 0, self.raw_bits, self.shortest, self.longest)


def raw_name(raw_bits: int, longest: int) -> str:
    """The name of the best quad code with so many raw bits, of 4 bits to so many."""
    return f"raw{raw_bits}-{longest}"


RULES = {
    **{
        # Here Huffman's code is one without a longest codeword, as in `qlc analyze`.
        "huffman12" if name == "huffman" else name: Rule(c.code, c.raw_bits, c.shortest, c.bounds.longest)
        for name, c in CONTENDERS.items()
    },
    **{name: Rule(name) for name in ("table2", "quad16", "dual", "area8", "area16")},
    **{
        raw_name(raw_bits, longest): Rule("auto", raw_bits, 4, longest)
        for raw_bits in RAW_BITS
        for longest in LONGEST_BITS
    },
}
FOR_SCALES = ("huffman12", "auto", "area8", "table1")


def by_symbol(order: NDArray[np.uint8], lengths: Lengths) -> Lengths:
    """Lengths by rank as lengths by symbol; ``order`` has each rank's symbol."""
    moved = np.empty_like(lengths)
    moved[order] = lengths
    return moved


def table_lengths(code: str, counts: Counts, dtype: str) -> Lengths:
    """The lengths by symbol, int[256], of the table that a code makes of counts.

    ``code`` is one of ``RULES``, ``auto-fold``, or ``huffman``, whose counts all become one more, since a
    table that others use must have a codeword for each symbol.
    """
    if code == "huffman":
        return huffman_lengths(counts + 1)
    if code == "auto-fold":
        order = rank_by_magnitude(counts, dtype)
        # The two signs of a magnitude are a class: one raw bit, at another place.
        return by_symbol(order, best_quad(counts[order], 1).rank_lengths)
    return found_table(code, counts.tobytes(), dtype).lengths


@lru_cache(maxsize=1 << 13)
def found_table(code: str, counts: bytes, dtype: str) -> Table:
    """The table of one of ``RULES`` for counts, int64[256] as bytes; several parts ask for the same."""
    return RULES[code].table(np.frombuffer(counts, dtype=np.int64), dtype)


def code_bits(histogram: Histogram) -> dict[str, float]:
    """Bits a symbol of every code, with a table of the histogram's own."""
    counts, dtype = histogram.counts, histogram.dtype
    ranked = counts[rank_symbols(counts, dtype)]
    bits = {"entropy": entropy_bits(counts), "huffman": expected_bits(ranked, huffman_lengths(ranked))}
    rules = FOR_SCALES if dtype == BYTE_DTYPE else RULES
    for name in rules:
        bits[name] = expected_bits(counts, table_lengths(name, counts, dtype))
    if dtype == BYTE_DTYPE:
        return bits
    bits["huffman16"] = expected_bits(counts, huffman_table(counts).lengths)
    bits["free4"] = expected_bits(ranked, free_quad_lengths(ranked))
    for known_bits in KNOWN_BITS:
        bits[f"known{known_bits}"] = expected_bits(ranked, free_quad_lengths(ranked, known_bits))
    for prefix_bits in PREFIX_BITS:
        lengths = best_area_lengths(ranked, prefix_bits)
        bits[f"area{1 << prefix_bits}"] = expected_bits(ranked, lengths)
    bits["threshold"] = expected_bits(ranked, area_lengths(3, threshold_extra_bits(ranked)))
    bits["exp-golomb"] = best_exp_golomb(ranked)[1]
    bits["elias-gamma"] = expected_bits(ranked, elias_gamma_lengths())
    for raw_bits in RAW_BITS:
        bits[f"entropy-raw{raw_bits}"] = raw_bits + entropy_bits(
            counts.reshape(-1, 1 << raw_bits).sum(axis=1)
        )
    bits["entropy-fold"] = 1 + entropy_bits(counts.reshape(2, -1).sum(axis=0))
    bits["auto-fold"] = expected_bits(counts, table_lengths("auto-fold", counts, dtype))
    return bits


UNUSED_OF = ("table1", "area8", "area16", "auto", "auto-raw", "huffman12")


def unused(histogram: Histogram) -> dict[str, float]:
    """The points that each code loses by code space without a rank: the logarithm of what it uses.

    A code of lengths l that uses the share u of the code space takes, for shares p, sum p l bits. That is the
    entropy, and log2(p / q) on average with q = 2^-l / u, and -log2(u).
    """
    points = {}
    for name in UNUSED_OF:
        lengths = table_lengths(name, histogram.counts, histogram.dtype).astype(float)
        points[name] = float(-np.log2((2.0**-lengths).sum()) * 100 / 8) + 0.0
    return points


def chosen(histogram: Histogram) -> dict[str, str]:
    """The codes and the Exp-Golomb order that were found for a histogram."""
    counts, dtype = histogram.counts, histogram.dtype
    ranked = counts[rank_symbols(counts, dtype)]
    names = ("area8", "auto", "auto-4", "auto-raw", "huffman12")
    return {
        "exp-golomb order": str(best_exp_golomb(ranked)[0]),
        **{name: str(found_table(name, counts.tobytes(), dtype).code) for name in names},
    }


# ---- Kinds of tensors


def shape(counts: Counts) -> dict[str, float]:
    """What a histogram of float8_e4m3fn looks like: shares of all symbols, and entropies in bits."""
    share = counts / counts.sum()
    falling = np.sort(share)[::-1]
    signs, exponents = share.reshape(2, -1).sum(axis=1), share.reshape(2, 16, 8).sum(axis=(0, 2))
    magnitudes = share.reshape(2, -1).sum(axis=0)
    e_bits = entropy_bits(exponents * 1.0)
    return {
        "entropy": entropy_bits(counts),
        "zero": float(share[0x00] + share[0x80]),
        "negative": float(signs[1]),
        "first": float(falling[0]),
        "first8": float(falling[:8].sum()),
        "first40": float(falling[:40].sum()),
        "after88": float(falling[88:].sum()),
        "sign bits": entropy_bits(counts) - entropy_bits(magnitudes),
        "exponent bits": e_bits,
        "mantissa bits": entropy_bits(magnitudes) - e_bits,
        "symbols": int((counts > 0).sum()),
    }


SHARED = ("huffman12", "auto", "auto-raw", "quad16", "table1")


def shared(histograms: list[Histogram]) -> dict[str, dict[str, float]]:
    """Bits a symbol of tables of each tensor's own, of its kind's, and of all together, mean by kind.

    A shared table is made of the sum of the counts of all tensors that share it.
    """
    dtype = histograms[0].dtype
    codes = ("huffman12", "auto") if dtype == BYTE_DTYPE else SHARED
    everything = np.sum([h.counts for h in histograms], axis=0)
    one = {code: table_lengths(code, everything, dtype) for code in codes}
    result = {}
    for name in in_order(kind(h.name) for h in histograms):
        members = [h for h in histograms if kind(h.name) == name]
        pooled = np.sum([h.counts for h in members], axis=0)
        row = {}
        for code in codes:
            offers = {"own": None, "kind": table_lengths(code, pooled, dtype), "all": one[code]}
            for scope, given in offers.items():
                bits = [
                    expected_bits(h.counts, table_lengths(code, h.counts, dtype) if given is None else given)
                    for h in members
                ]
                row[f"{code} {scope}"] = float(np.mean(bits))
        result[name] = row
    return result


def mean_by_kind(rows: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The mean over the tensors of each kind, which are all of one size."""
    kinds: dict[str, list[dict[str, float]]] = {}
    for name, row in rows.items():
        kinds.setdefault(kind(name), []).append(row)
    return {
        name: {key: float(np.mean([row[key] for row in kinds[name]])) for key in kinds[name][0]}
        for name in in_order(kinds)
    }
