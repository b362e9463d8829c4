"""What needs the bytes themselves, on the committed samples.

Byte compressors beside codes of single symbols; groups of symbols that choose a table; tables from a warm-up.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qlc.baselines import compressibility, huffman_lengths
from qlc.groups import Groups, Lengths, Maker, cheapest, group_bits, train
from qlc.histogram import count_symbols, entropy_bits, expected_bits
from qlc.packet import encode_packet
from qlc.ranking import rank_symbols
from qlc.sampling import SampledHistogram

from scripts.committed_data import Histogram, Sample
from scripts.study.codes import BYTE_DTYPE, RULES, Counts, by_symbol, kind, table_lengths

E4M3 = "float8_e4m3fn"
GROUP = 32
SEED = 1

# ---- Byte compressors


def zipnn(data: bytes) -> bytes:
    """What ZipNN makes of 8-bit floats: its compression core with the arguments of its own front end.

    The front end itself wants PyTorch. Its header of 32 bytes is left blank; it counts all the same.
    """
    core = importlib.import_module("zipnn_core")
    chunk = 128 * 1024
    # Header, data, buffers, bit and byte order, review, chunk, threshold and after what share, threads
    return bytes(core.zipnn_core(bytes(32), bytearray(data), 1, 1, 10, 0, chunk, 0.95, 10, 1))


def byte_bits(sample: Sample) -> dict[str, float]:
    """Bits a symbol of byte compressors, and of codes of single symbols with tables of the same bytes."""
    zstd = importlib.import_module("zstandard")
    symbols = sample.tensor.symbols
    data = symbols.tobytes()
    shuffled = np.random.default_rng(SEED).permutation(symbols).tobytes()
    counts = count_symbols(symbols)
    sizes = {
        "zstd-3": len(zstd.ZstdCompressor(level=3).compress(data)),
        "zstd-19": len(zstd.ZstdCompressor(level=19).compress(data)),
        "zstd-19 shuffled": len(zstd.ZstdCompressor(level=19).compress(shuffled)),
        "zipnn": len(zipnn(data)),
    }
    # A scale has no mantissa.
    codes = ("auto",) if sample.tensor.dtype == BYTE_DTYPE else ("auto", "auto-raw")
    for name in codes:
        table = RULES[name].table(counts, sample.tensor.dtype)
        sizes[f"{name} packet"] = len(encode_packet(symbols, table))
    bits = {
        "entropy": entropy_bits(counts),
        "huffman": expected_bits(counts, huffman_lengths(counts)),
    }
    for code in ("huffman12", *codes, "area8", "table1"):
        bits[code] = expected_bits(counts, table_lengths(code, counts, sample.tensor.dtype))
    return {**bits, **{name: 8 * size / len(data) for name, size in sizes.items()}}


# ---- Groups that choose a table

GROUP_TABLES = (1, 2, 4)
GROUP_CODES = ("table1", "auto-same", "auto-raw-same", "auto-raw", "huffman")
"""``NAME-same``: the lengths are those of one table for all, and only the order of the symbols differs."""
GROUP_SIZES = (32, 64, 128, 256, 512, 1024, 4096)


def maker(code: str) -> Maker:
    """Makes the lengths by symbol of a code's table."""
    return lambda counts: table_lengths(code, counts, E4M3)


def maker_for(groups: Groups, code: str) -> Maker:
    """Makes the tables of a code for parts of these groups."""
    if not code.endswith("-same"):
        return maker(code)
    lengths = np.sort(maker(code.removesuffix("-same"))(count_symbols(groups.reshape(-1))))
    raw_bits = RULES[code.removesuffix("-same")].raw_bits
    return lambda counts: by_symbol(rank_symbols(counts, E4M3, raw_bits), lengths)


def trained(groups: Groups, tables: int, code: str) -> Lengths:
    """The tables of a code for groups, int[tables, 256]."""
    return train(groups, tables, maker_for(groups, code))


def selector_bits(tables: int) -> int:
    """The bits that name one of the tables."""
    return (tables - 1).bit_length()


def saved(groups: Groups, tables: Lengths, with_selector: bool = True) -> float:
    """Compressibility in percent of groups, the selectors included or not."""
    bits = cheapest(groups, tables)
    if with_selector:
        bits += len(groups) * selector_bits(len(tables))
    return compressibility(bits / groups.size)


def saved_by_scale(
    seen: Groups, coded: Groups, parts: tuple[NDArray[np.intp], NDArray[np.intp]], tables: int, code: str
) -> float:
    """Compressibility in percent when a group's part, 0 to ``tables`` - 1, says its table: no selectors."""
    make = maker_for(seen, code)
    bits = 0
    for part in range(tables):
        members = seen[parts[0] == part]
        lengths = make(count_symbols((members if len(members) else seen).reshape(-1)))
        bits += int(group_bits(coded[parts[1] == part], lengths[None, :]).sum())
    return compressibility(bits / coded.size)


def scale_parts(
    scales: NDArray[np.uint8], seen: int, tables: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The part of each group by its scale: the first ``seen`` scales are cut into equal parts."""
    cuts = np.quantile(scales[:seen], np.arange(1, tables) / tables)
    parts = np.searchsorted(cuts, scales, side="left")
    return parts[:seen], parts[seen:]


def members(samples: list[Sample], name: str) -> list[NDArray[np.uint8]]:
    """The symbols of the samples of a kind."""
    return [s.tensor.symbols for s in samples if kind(s.tensor.name) == name]


def with_others(symbols: list[NDArray[np.uint8]], group: int) -> list[tuple[Groups, Groups]]:
    """Each sample in groups, and the groups of all others."""
    grouped = [s.reshape(-1, group) for s in symbols]
    return [
        (groups, np.concatenate(grouped[:number] + grouped[number + 1 :]))
        for number, groups in enumerate(grouped)
    ]


def group_savings(symbols: list[NDArray[np.uint8]], scales: list[NDArray[np.uint8]]) -> dict[str, float]:
    """Percent saved with 1, 2, 4 tables, by code, mean over the samples of a kind and their MX scales.

    ``half``: tables made of the first half of a sample, coding the second. ``layers``: of the other layers'
    samples. ``scale``: as ``half``, but the group's scale says its table.
    """
    result: dict[str, list[float]] = {}
    for (groups, others), own_scales in zip(with_others(symbols, GROUP), scales, strict=True):
        first, second = np.array_split(groups, 2)
        for code in GROUP_CODES:
            for tables in GROUP_TABLES:
                offers = {
                    "half": saved(second, trained(first, tables, code)),
                    "layers": saved(groups, trained(others, tables, code)),
                }
                if tables > 1:
                    parts = scale_parts(own_scales, len(first), tables)
                    offers["scale"] = saved_by_scale(first, second, parts, tables, code)
                for split, percent in offers.items():
                    result.setdefault(f"{code} {tables} {split}", []).append(percent)
    return {key: float(np.mean(values)) for key, values in result.items()}


def size_savings(symbols: list[NDArray[np.uint8]], code: str, tables: int) -> dict[str, list[float]]:
    """What groups of each of ``GROUP_SIZES`` gain over one table, in points, mean over a kind's samples.

    Tables are made of the other layers' samples. ``selector``: with selector bits; ``header``: with a block
    header of 32 bits for each group but one in 4096 symbols, which the format can do as it is.
    """
    gains: dict[str, list[float]] = {"selector": [], "header": []}
    for size in GROUP_SIZES:
        gain = float(
            np.mean(
                [
                    saved(groups, trained(others, tables, code), with_selector=False)
                    - saved(groups, trained(others, 1, code))
                    for groups, others in with_others(symbols, size)
                ]
            )
        )
        gains["selector"].append(gain - 100 * selector_bits(tables) / (8 * size))
        gains["header"].append(gain - 100 * 32 * (1 / size - 1 / 4096) / 8)
    return gains


# ---- Tables from a warm-up

WARMUP_CODES = ("table1", "auto", "auto-fold", "auto-raw", "huffman12")
WARMUP_SYMBOLS = (100, 200, 512, 1024, 2048, 4096, 12800, 25600)
"""Symbols seen: first 100 and 200, last what the encoder's histogram samples, one in 32, of 100 and of 200
packets of 4096."""


def loss(histogram: Histogram, seen: Counts, code: str, whole: float) -> float:
    """The points that a table of the seen counts saves less than one of all counts, of ``whole`` bits."""
    lengths = table_lengths(code, seen, histogram.dtype)
    return compressibility(whole) - compressibility(expected_bits(histogram.counts, lengths))


def warmup(histograms: list[Histogram], samples: list[Sample]) -> dict[str, Any]:
    """Points lost to tables from few symbols, mean over the tensors that have a sample.

    ``random``: by code, for each of ``WARMUP_SYMBOLS`` drawn at random from the whole tensor. ``in a row``:
    the sample's 32768 symbols in a row; ``hardware``: of these what the encoder's histogram samples.
    """
    rng = np.random.default_rng(SEED)
    by_name = {s.tensor.name: s.tensor.symbols for s in samples}
    random: dict[str, list[list[float]]] = {code: [] for code in WARMUP_CODES}
    row: dict[str, list[float]] = {code: [] for code in WARMUP_CODES}
    hardware: dict[str, list[float]] = {code: [] for code in WARMUP_CODES}
    sampled = [h for h in histograms if h.name in by_name]
    for h in sampled:
        whole = {
            code: expected_bits(h.counts, table_lengths(code, h.counts, h.dtype)) for code in WARMUP_CODES
        }
        share = h.counts / h.counts.sum()
        draws = [rng.multinomial(n, share) for n in WARMUP_SYMBOLS]
        symbols = by_name[h.name]
        seen_by_hardware = SampledHistogram()
        seen_by_hardware.stream(np.split(symbols, 8))
        for code in WARMUP_CODES:
            random[code].append([loss(h, seen, code, whole[code]) for seen in draws])
            row[code].append(loss(h, count_symbols(symbols), code, whole[code]))
            hardware[code].append(loss(h, seen_by_hardware.counts, code, whole[code]))
    return {
        "symbols": list(WARMUP_SYMBOLS),
        "tensors": len(sampled),
        "random": {code: np.mean(rows, axis=0).tolist() for code, rows in random.items()},
        "in a row": {code: float(np.mean(values)) for code, values in row.items()},
        "hardware": {code: float(np.mean(values)) for code, values in hardware.items()},
    }
