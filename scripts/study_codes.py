"""What each code makes of a histogram, for ``scripts/study.py``. All in bits a symbol, from exact counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from committed_data import Histogram
from numpy.typing import NDArray
from qlc.baselines import (
    best_exp_golomb,
    elias_gamma_lengths,
    huffman_lengths,
    limited_huffman_lengths,
)
from qlc.free_lengths import LONGEST, free_quad_lengths
from qlc.histogram import entropy_bits, expected_bits
from qlc.optimum import best_extra_bits
from qlc.ranking import rank_by_magnitude, rank_symbols
from qlc.scheme import MAX_EXTRA_BITS, MAX_PREFIX_BITS, PRESETS, QUAD_LENGTHS, RANKS
from qlc.threshold import threshold_scheme

Counts = NDArray[np.int64]
Lengths = NDArray[np.integer[Any]]

KNOWN_FROM = (4, 5, 6)
"""Bits from which the length of a codeword is known, in the codes of four free lengths beside the best."""
PREFIX_BITS = (1, 2, 3, 4, 5, 6)
SCALE = ".scale"
ORDER = ("ffn_", "attn.", "embed.")
"""The kinds begin so, in the order in which they are shown."""


def kind(name: str) -> str:
    """The kind of a tensor: ``layers.12.attn.key`` is an ``attn.key``, ``embed.grad.3`` an ``embed.grad``."""
    return ".".join(part for part in name.split(".") if part != "layers" and not part.isdigit())


def in_order(kinds: Iterable[str]) -> list[str]:
    """Kinds in the order in which they are shown."""

    def place(name: str) -> tuple[int, str]:
        return [name.startswith(start) for start in ORDER].index(True), name

    return sorted(set(kinds), key=place)


def auto_name(prefix_bits: int, max_lengths: int | None) -> str:
    """The name of the best scheme of so many prefix bits."""
    return f"auto-p{prefix_bits}" + ("-any" if max_lengths is None else "")


def auto_extra_bits(by_rank: Counts, prefix_bits: int, max_lengths: int | None) -> tuple[int, ...]:
    """The extra bits of the best scheme of any number of prefix bits, codewords no longer than of 4."""
    max_extra = min(MAX_EXTRA_BITS, LONGEST - prefix_bits)
    return best_extra_bits(by_rank, 1 << prefix_bits, max_extra, max_lengths)


def area_lengths(prefix_bits: int, extra_bits: tuple[int, ...]) -> Lengths:
    """The codeword length of each rank, int64[256]."""
    extra = np.array(extra_bits)
    return prefix_bits + np.repeat(extra, 1 << extra)[:RANKS]


def by_symbol(order: NDArray[np.uint8], lengths: Lengths) -> Lengths:
    """Lengths by rank as lengths by symbol; ``order`` has each rank's symbol."""
    moved = np.empty_like(lengths)
    moved[order] = lengths
    return moved


def table_lengths(code: str, counts: Counts, dtype: str) -> Lengths:
    """The lengths by symbol, int[256], of the table that a code makes of counts.

    ``code`` is a preset, ``NAME-fold``, ``auto-pP``, ``free4`` or ``huffman``, whose counts all become one
    more, since a table that others use must have a codeword for each symbol.
    """
    if code == "huffman":
        return huffman_lengths(counts + 1)
    code, fold, _ = code.partition("-fold")
    order = rank_by_magnitude(counts, dtype) if fold else rank_symbols(counts, dtype)
    ranked = counts[order]
    if code in PRESETS:
        return by_symbol(order, PRESETS[code].lengths)
    if code == "free4":
        return by_symbol(order, free_quad_lengths(ranked))
    prefix_bits = int(code.removeprefix("auto-p"))
    return by_symbol(order, area_lengths(prefix_bits, auto_extra_bits(ranked, prefix_bits, QUAD_LENGTHS)))


def code_bits(histogram: Histogram) -> dict[str, float]:
    """Bits a symbol of every code, with a table of the histogram's own."""
    counts, dtype = histogram.counts, histogram.dtype
    ranked = counts[rank_symbols(counts, dtype)]
    bits = {
        "entropy": entropy_bits(ranked),
        "huffman": expected_bits(ranked, huffman_lengths(ranked)),
        "huffman15": expected_bits(ranked, limited_huffman_lengths(ranked, 15)),
        "huffman11": expected_bits(ranked, limited_huffman_lengths(ranked, 11)),
        "free4": expected_bits(ranked, free_quad_lengths(ranked)),
    }
    lengths: Lengths
    for known_from in KNOWN_FROM:
        lengths = free_quad_lengths(ranked, known_from=known_from)
        bits[f"free4-{known_from}"] = expected_bits(ranked, lengths)
    for prefix_bits in PREFIX_BITS:
        for limit in (QUAD_LENGTHS, None):
            extra = auto_extra_bits(ranked, prefix_bits, limit)
            lengths = area_lengths(prefix_bits, extra)
            bits[auto_name(prefix_bits, limit)] = expected_bits(ranked, lengths)
    bits["auto"] = min(bits[auto_name(p, QUAD_LENGTHS)] for p in range(1, MAX_PREFIX_BITS + 1))
    for name, scheme in PRESETS.items():
        bits[name] = expected_bits(ranked, scheme.lengths)
    bits["threshold"] = expected_bits(ranked, threshold_scheme(ranked).lengths)
    bits["exp-golomb"] = best_exp_golomb(ranked)[1]
    bits["elias-gamma"] = expected_bits(ranked, elias_gamma_lengths())
    if dtype != "uint8":
        magnitudes = counts.reshape(2, -1).sum(axis=0)
        bits["entropy-fold"] = 1 + entropy_bits(magnitudes)
        bits["huffman-fold"] = 1 + expected_bits(magnitudes, huffman_lengths(magnitudes))
        for code in ("table1", "quad16", "auto-p3", "auto-p4"):
            lengths = table_lengths(f"{code}-fold", counts, dtype)
            bits[f"{code}-fold"] = expected_bits(counts, lengths)
    return bits


def schemes(histogram: Histogram) -> dict[str, str]:
    """The schemes and the Exp-Golomb order that were chosen for a histogram."""
    ranked = histogram.counts[rank_symbols(histogram.counts, histogram.dtype)]
    free = free_quad_lengths(ranked)
    numbers = zip(*np.unique(free, return_counts=True), strict=True)
    return {
        "exp-golomb order": str(best_exp_golomb(ranked)[0]),
        "auto-p3": ",".join(map(str, auto_extra_bits(ranked, 3, QUAD_LENGTHS))),
        "auto-p4": ",".join(map(str, auto_extra_bits(ranked, 4, QUAD_LENGTHS))),
        "free4": " ".join(f"{number}x{length}" for length, number in numbers),
    }


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


def shared(histograms: list[Histogram]) -> dict[str, dict[str, float]]:
    """Bits a symbol of tables of each tensor's own, of its kind's, and of all together, mean by kind.

    A shared table is made of the sum of the counts of all tensors that share it.
    """
    codes = ("huffman", "free4", "auto-p4", "auto-p3", "quad16", "table1")
    kinds = in_order(kind(h.name) for h in histograms)
    dtype = histograms[0].dtype
    everything = np.sum([h.counts for h in histograms], axis=0)
    one = {code: table_lengths(code, everything, dtype) for code in codes}
    result = {}
    for name in kinds:
        members = [h for h in histograms if kind(h.name) == name]
        pooled = np.sum([h.counts for h in members], axis=0)
        row = {}
        for code in codes:
            kinds_own = table_lengths(code, pooled, dtype)
            offers = {"own": None, "kind": kinds_own, "all": one[code]}
            for scope, lengths in offers.items():
                row[f"{code} {scope}"] = float(
                    np.mean(
                        [
                            expected_bits(
                                h.counts,
                                table_lengths(code, h.counts, dtype) if lengths is None else lengths,
                            )
                            for h in members
                        ]
                    )
                )
        result[name] = row
    return result


def mean_bits(rows: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The mean over the tensors of each kind, which are all of one size."""
    kinds: dict[str, list[dict[str, float]]] = {}
    for name, row in rows.items():
        kinds.setdefault(kind(name), []).append(row)
    return {
        name: {key: float(np.mean([row[key] for row in kinds[name]])) for key in kinds[name][0]}
        for name in in_order(kinds)
    }
