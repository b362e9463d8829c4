"""The comparison: what QLC and the other codes would make of a tensor."""

import csv
import html
import io
from dataclasses import asdict, dataclass
from typing import Any

from numpy.typing import ArrayLike

from qlc.baselines import best_exp_golomb, compressibility, elias_gamma_lengths, huffman_lengths
from qlc.code import PRESETS
from qlc.errors import printable
from qlc.histogram import check_counts, count_symbols, entropy_bits, expected_bits
from qlc.optimum import best_areas, best_huffman, best_quad
from qlc.ranking import MANTISSA_BITS, MAX_RAW_BITS, rank_symbols
from qlc.tensors import Tensor

RAW_SHORTEST = 4
"""Bits of the shortest codeword of `auto-raw`, as the smallest hardware takes it."""


@dataclass(frozen=True)
class Analysis:
    """The figures of one tensor."""

    file: str
    name: str
    dtype: str
    symbols: int
    """How many."""
    codes: dict[str, str]
    """By name: the codes that were found for the tensor, in the form `6x40,7x16,8x32,11`."""
    raw_bits: int
    """Those of `auto-raw`: the dtype's mantissa, or 3 bits of it."""
    exp_golomb_order: int
    """The best one."""
    bits: dict[str, float]
    """By code: bits a symbol. `huffman` has codewords for the symbols present only, `huffman12` for all."""
    compressibility: dict[str, float]
    """By code: percent."""


def analyze(tensor: Tensor, file: str) -> Analysis:
    """Compare the codes on a tensor of a file. Raises `ValueError` when it has no symbols."""
    return analyze_counts(count_symbols(tensor.symbols), tensor.dtype, tensor.name, file)


def analyze_counts(counts: ArrayLike, dtype: str, name: str, file: str) -> Analysis:
    """Compare the codes on a tensor's symbols by their counts, int[256]. Raises as `calibrate`."""
    counts = check_counts(counts)
    if not counts.any():
        raise ValueError("no symbols to analyze")
    by_rank = counts[rank_symbols(counts, dtype)]
    raw_bits = min(MANTISSA_BITS[dtype], MAX_RAW_BITS)
    by_class = counts[rank_symbols(counts, dtype, raw_bits)]
    order, exp_golomb = best_exp_golomb(by_rank)
    found = {
        "huffman12": best_huffman(by_rank),
        "area8": best_areas(by_rank, 3),
        "area16": best_areas(by_rank, 4),
        "auto": best_quad(by_rank),
        "auto-raw": best_quad(by_class, raw_bits, RAW_SHORTEST),
    }
    bits = {
        "entropy": entropy_bits(by_rank),
        "huffman": expected_bits(by_rank, huffman_lengths(by_rank)),
        "exp-golomb": exp_golomb,
        "elias-gamma": expected_bits(by_rank, elias_gamma_lengths()),
        **{name: expected_bits(by_rank, code.rank_lengths) for name, code in PRESETS.items()},
        **{
            name: expected_bits(by_class if name == "auto-raw" else by_rank, code.rank_lengths)
            for name, code in found.items()
        },
    }
    return Analysis(
        file=file,
        name=name,
        dtype=dtype,
        symbols=int(counts.sum()),
        codes={name: str(code) for name, code in found.items()},
        raw_bits=raw_bits,
        exp_golomb_order=order,
        bits=bits,
        compressibility={code: compressibility(b) for code, b in bits.items()},
    )


def _rows(analyses: list[Analysis]) -> list[list[str]]:
    several = len({a.file for a in analyses}) > 1
    rows = [["tensor", "symbols", *analyses[0].bits, "auto's code"]]
    for a in analyses:
        name = printable(f"{a.file}: {a.name}" if several else a.name)
        rows.append([name, str(a.symbols), *_percent(a.compressibility), a.codes["auto"]])
    if len(analyses) > 1:
        whole = total(analyses)
        rows.append(["total", str(whole["symbols"]), *_percent(whole["compressibility"]), ""])
    return rows


def _percent(figures: dict[str, float]) -> list[str]:
    return [f"{percent:.2f}" for percent in figures.values()]


def total(analyses: list[Analysis]) -> dict[str, Any]:
    """Give the symbols of all tensors, and the figures of all together: means weighted by symbols."""
    symbols = sum(a.symbols for a in analyses)
    bits = {code: sum(a.bits[code] * a.symbols for a in analyses) / symbols for code in analyses[0].bits}
    return {
        "symbols": symbols,
        "bits": bits,
        "compressibility": {code: compressibility(b) for code, b in bits.items()},
    }


TITLE = "Compressibility in percent: 100 (1 - bits a symbol / 8)"


def as_text(analyses: list[Analysis]) -> str:
    """Lay out the compressibility of one or more tensors as a table, a line a tensor."""
    rows = _rows(analyses)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [TITLE, ""]
    for name, *figures, code in rows:
        cells = [name.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(figures, widths[1:], strict=False)]
        lines.append("  ".join([*cells, code]).rstrip())
    return "\n".join(lines)


_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>qlc analyze</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 15px sans-serif; margin: 2em }}
td, th {{ padding: .2em .7em; text-align: right; border-bottom: 1px solid #8884 }}
td:first-child, th:first-child, td:last-child, th:last-child {{ text-align: left }}
</style>
<p>{title}</p>
<table>
{rows}
</table>
</html>
"""


def as_html(analyses: list[Analysis]) -> str:
    """Lay out the same table as a web page that needs nothing else."""
    head, *body = _rows(analyses)
    rows = ["".join(f"<th>{html.escape(cell)}</th>" for cell in head)]
    rows += ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in body]
    return _PAGE.format(title=TITLE, rows="\n".join(f"<tr>{row}</tr>" for row in rows))


def as_csv(analyses: list[Analysis]) -> str:
    """Lay out a row a tensor, with bits a symbol and percent of each code, all digits, for spreadsheets."""
    codes = list(analyses[0].bits)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(
        ["file", "tensor", "dtype", "symbols", *(f"{c} bits" for c in codes), *(f"{c} %" for c in codes)]
        + [f"{c} code" for c in analyses[0].codes]
    )
    for a in analyses:
        figures = [*a.bits.values(), *a.compressibility.values()]
        rows.writerow([printable(a.file), printable(a.name), a.dtype, a.symbols, *figures, *a.codes.values()])
    return text.getvalue()


def as_json(analyses: list[Analysis]) -> dict[str, Any]:
    """Give every figure of the tensors, and of all together, for `json.dumps`."""
    return {"tensors": [asdict(a) for a in analyses], "total": total(analyses)}
