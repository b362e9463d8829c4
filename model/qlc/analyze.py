"""The comparison: what QLC and the other codes would make of a tensor."""

from dataclasses import asdict, dataclass

from qlc.baselines import (
    best_exp_golomb,
    compressibility,
    elias_gamma_lengths,
    huffman_lengths,
    limited_huffman_lengths,
)
from qlc.histogram import count_symbols, entropy_bits, expected_bits
from qlc.optimum import best_scheme
from qlc.ranking import rank_symbols
from qlc.scheme import PRESETS
from qlc.tensors import Tensor
from qlc.threshold import threshold_scheme

HUFFMAN_LIMIT = 12
"""Bits; QLC's own longest codeword."""


@dataclass(frozen=True)
class Analysis:
    """The figures of one tensor."""

    file: str
    name: str
    dtype: str
    symbols: int
    """How many."""
    auto_scheme: str
    """The best quad scheme of 3 prefix bits."""
    threshold_scheme: str
    exp_golomb_order: int
    """The best one."""
    bits: dict[str, float]
    """By code: bits a symbol. Huffman codes have codewords for the symbols present only."""
    compressibility: dict[str, float]
    """By code: percent."""


def analyze(tensor: Tensor, file: str) -> Analysis:
    """Compare the codes on a tensor of a file. Raises `ValueError` when it has no symbols."""
    if not len(tensor.symbols):
        raise ValueError("no symbols to analyze")
    counts = count_symbols(tensor.symbols)
    by_rank = counts[rank_symbols(counts, tensor.dtype)]
    order, exp_golomb = best_exp_golomb(by_rank)
    threshold, auto = threshold_scheme(by_rank), best_scheme(by_rank)
    bits = {
        "entropy": entropy_bits(by_rank),
        "huffman": expected_bits(by_rank, huffman_lengths(by_rank)),
        f"huffman{HUFFMAN_LIMIT}": expected_bits(by_rank, limited_huffman_lengths(by_rank, HUFFMAN_LIMIT)),
        "exp-golomb": exp_golomb,
        "elias-gamma": expected_bits(by_rank, elias_gamma_lengths()),
        **{name: expected_bits(by_rank, PRESETS[name].lengths) for name in ("table1", "table2", "quad16")},
        "threshold": expected_bits(by_rank, threshold.lengths),
        "auto": expected_bits(by_rank, auto.lengths),
    }
    return Analysis(
        file=file,
        name=tensor.name,
        dtype=tensor.dtype,
        symbols=len(tensor.symbols),
        auto_scheme=str(auto),
        threshold_scheme=str(threshold),
        exp_golomb_order=order,
        bits=bits,
        compressibility={code: compressibility(b) for code, b in bits.items()},
    )


def as_text(analyses: list[Analysis]) -> str:
    """Lay out the compressibility of one or more tensors as a table, a line a tensor."""
    codes = list(analyses[0].bits)
    rows = [["tensor", "symbols", *codes, "auto scheme"]]
    for a in analyses:
        percent = [f"{a.compressibility[code]:.2f}" for code in codes]
        rows.append([a.name, str(a.symbols), *percent, a.auto_scheme])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["Compressibility in percent: 100 (1 - bits a symbol / 8)", ""]
    for name, *figures, scheme in rows:
        cells = [name.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(figures, widths[1:], strict=False)]
        lines.append("  ".join([*cells, scheme]))
    return "\n".join(lines)


def as_json(analyses: list[Analysis]) -> dict[str, list[dict[str, object]]]:
    """Give every figure of the tensors, for `json.dumps`."""
    return {"tensors": [asdict(a) for a in analyses]}
