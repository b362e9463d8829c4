"""The tables of docs/figures.md and README, from the kept results of synthesis and bench."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

BITS_PER_SYMBOL = 8
# The library that the headline is of.
HEADLINE_LIBRARY = "asap7_RVT_TT"
# Decoders that take the same word a cycle, from a symbol a cycle on: QLC's, Huffman's.
EQUAL_PAIRS = (
    ("decoder_core_p3", "huffman_core"),
    *((f"decoder_wide_{w}", f"huffman_wide_{w}") for w in (8, 32, 64, 256)),
)
# Encoders that take as many symbols a cycle
ENCODER_PAIRS = tuple((f"encoder_core_{s}", f"huffman_encoder_{s}") for s in (1, 4, 8, 16, 32))
# Modules of README's table, in its order.
HEADLINE = (
    "decoder_core_p3", "decoder_wide_64", "decoder_wide_256", "decoder_wide_512", "huffman_serial",
    "huffman_core", "huffman_wide_256", "encoder_core_32", "huffman_encoder_32",
)  # fmt: skip
# A. Agrawal et al., arXiv:2602.17849v2: one decoder of each code at 7 nm.
PUBLISHED = (
    ("QLC decoder", "1", "3", "0.6", "1"),
    ("Huffman decoder", "0.2", "18", "1.8", ""),
)

HEAD = """# Figures

Written by `make figures` from the JSON files in `docs/figures/`; nothing here is typed by hand.
"""

EQUAL = """
## QLC and Huffman at equal throughput

{library}, tables and their look-up included, area in um2. `huffman_*` are the [baselines](baseline.md). A
decoder that reads several symbols of one stream at a time is also set against as many copies of the
one-symbol decoder, and of the serial one, as give its rate, which need as many streams.
"""

AREA = """
## Area and clock: {technology}

Yosys {yosys}, OpenSTA {opensta}. After synthesis: no wires, ideal clock, no clock gating. Area in um2;
`tables` is how they are stored: in loadable registers, as constants (one tensor's), or in memories, where the
area is of what is around them and of the memories the bits are counted, and these times the ports that read
them. `of it tables` is the flip-flops that store tables, without what looks up in them. The clock is the
inverse of the longest path with setup, in each corner. A decoder's symbols a cycle are measured, below; an
encoder's are its `SYMBOLS`.
"""

FPGA = """
## Cells and clock: ECP5

Yosys {yosys}, nextpnr {nextpnr}, {technology}, routed alone without pads; the clock is the median of {seeds}
placements. `tables` in memories are what Yosys infers.
"""

PARTS = """
## Where the area of the {kind}s goes

{technology}, area in um2 of the modules right below the top, from a synthesis that keeps the hierarchy and
sizes nothing for speed, so that the sum is not the area above. Marked is what is the same for both codes, by
module and within 1 % in area.
"""

TRANSISTORS = """
## Transistors

Yosys {yosys}, `stat -tech cmos`: no library.
"""

BENCH = """
## Decoding rate

{simulator}; {tensors} tensors (`{pattern}`), {symbols} symbols, scheme {scheme}, {bits:.3f} bits a
symbol with all headers. Each is a packet of blocks of {block} symbols through `qlc_decoder`, which
has its input at once; the rate is of the symbols between the first beat out and the last, over the cycles
from the one to the other; where beats take many cycles, that the first one waits for what is behind it
flatters this a little. The limit is a full word every cycle: word bits over bits a symbol. Latency is from
the first beat in to the first beat out: a narrow decoder fills an output beat first, and a packet of full
blocks is not the shortest one, which [rtl.md](rtl.md#the-decoders-width) is about.
Last run at commit {commit}.
"""

DECODERS = """
## Decoders side by side

The same tensors, each as one bitstream through the bare decoder, with a Huffman code of its own or QLC's
scheme {scheme}. Latency is from the first beat in to the first symbol out. Stalls are cycles without
progress though the input had a beat and the output took one.
"""

Row = dict[str, Any]


def rate(row: Row, bench: Row) -> float | None:
    """Symbols a cycle of a synthesised module, where that is known."""
    parameters, top = row["parameters"], row["top"]
    if "encoder" in top:
        return float(parameters.get("SYMBOLS", 32))
    word_bits = parameters.get("WORD_BITS", 256 if "wide" in top else 0)
    bare = {d["decoder"]: d["rate"] for d in bench["decoders"]}
    whole = {width["word_bits"]: width["rate"] for width in bench["rows"]}
    code = top.split("_")[0]
    if top in ("qlc_decoder_core", "huffman_decoder_core", "huffman_decoder_serial"):
        found = bare.get(top.replace("_decoder", ""))
    elif "decoder_wide" in top:
        found = bare.get(f"{code}_wide_{word_bits}", whole.get(word_bits) if code == "qlc" else None)
    else:
        found = whole.get(word_bits) if "decoder" in top else None
    return None if found is None else float(found)


def number(value: float | None, digits: int = 0) -> str:
    """A figure, or nothing where it is not known."""
    return "" if value is None else f"{value:.{digits}f}"


def parameters(row: Row) -> str:
    """The parameters of a target."""
    return ", ".join(f"{key} {value}" for key, value in row["parameters"].items()) or "defaults"


def markdown(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table."""
    lines = [f"| {' | '.join(titles)} |", "|" + " --- |" * len(titles)]
    return lines + [f"| {' | '.join(cells)} |" for cells in rows]


def longest(row: Row, corner: str) -> str:
    """Both ends of the longest path."""
    path = next(iter(row["timing"][corner]["paths"].values()))
    return f"`{path['start']}` to `{path['end']}`"


def area_table(rows: Sequence[Row], bench: Row) -> list[str]:
    """Area and clock in a cell library, a line a target."""
    corners = list(rows[0]["timing"])
    titles = [
        "module",
        "parameters",
        "tables",
        "symbols/cycle",
        "area",
        "of it tables",
        "memory bits",
        "x ports",
    ]
    titles += ["area per symbol/cycle", *(f"{corner} GHz" for corner in corners)]
    titles += [f"Gb/s of symbols, {corners[0]}", "longest path"]
    lines = []
    for row in rows:
        symbols = rate(row, bench)
        ghz = row["timing"][corners[0]]["clock_ghz"]
        lines.append([
            f"`{row['top']}`",
            parameters(row),
            row["tables"],
            number(symbols, 1),
            number(row["area_um2"]),
            number(row["table_area_um2"]),
            number(row.get("memory_bits")),
            number(row.get("memory_port_bits")),
            number(row["area_um2"] / symbols if symbols else None),
            *(number(row["timing"][corner]["clock_ghz"], 2) for corner in corners),
            number(symbols * BITS_PER_SYMBOL * ghz if symbols else None),
            longest(row, corners[0]),
        ])  # fmt: skip
    return markdown(titles, lines)


def fpga_table(rows: Sequence[Row], bench: Row) -> list[str]:
    """Cells and clock in an FPGA, a line a target."""
    titles = ["module", "parameters", "tables", "symbols/cycle", "LUT4", "flip-flops", "block memories"]
    titles += ["MHz", "from", "to", "Msymbols/s"]
    lines = []
    for row in rows:
        symbols = rate(row, bench)
        clocks = row["clock_mhz_seeds"]
        lines.append([
            f"`{row['top']}`",
            parameters(row),
            row["tables"],
            number(symbols, 1),
            *(str(row[key]) for key in ("luts", "flip_flops", "block_memories")),
            *(number(clock) for clock in (row["clock_mhz"], min(clocks), max(clocks))),
            number(row["clock_mhz"] * symbols if symbols else None),
        ])  # fmt: skip
    return markdown(titles, lines)


def transistor_table(rows: Sequence[Row], bench: Row) -> list[str]:
    """Transistors, a line a target."""
    titles = ["module", "parameters", "tables", "symbols/cycle", "transistors", "of them tables"]
    titles += ["memory bits", "x ports", "transistors per symbol/cycle"]
    lines = []
    for row in rows:
        symbols = rate(row, bench)
        lines.append([
            f"`{row['top']}`",
            parameters(row),
            row["tables"],
            number(symbols, 1),
            str(row["transistors"]),
            str(row["table_transistors"]),
            number(row.get("memory_bits")),
            number(row.get("memory_port_bits")),
            number(row["transistors"] / symbols if symbols else None),
        ])  # fmt: skip
    return markdown(titles, lines)


def bench_table(bench: Row) -> list[str]:
    """Rates, a line a word width."""
    lines = []
    for row in bench["rows"]:
        name = f"wide, WORD_BITS {row['word_bits']}" if row["word_bits"] else "core"
        share = f"{100 * row['rate'] / row['limit']:.1f} %"
        lines.append([name, number(row["rate"], 2), number(row["limit"], 2), share, str(row["latency"])])
    return markdown(["decoder", "symbols/cycle", "limit", "share of it", "latency, cycles"], lines)


def span(bounds: Sequence[int]) -> str:
    """A figure that lies between two."""
    return str(bounds[0]) if bounds[0] == bounds[-1] else f"{bounds[0]} to {bounds[-1]}"


def decoder_table(bench: Row) -> list[str]:
    """Bare decoders, a line each."""
    titles = ["decoder", "bits a symbol", "symbols/cycle", "latency, cycles", "stalls"]
    return markdown(
        titles,
        (
            [d["decoder"], number(d["bits"], 3), number(d["rate"], 3), span(d["latency"]), str(d["stalls"])]
            for d in bench["decoders"]
        ),
    )


def module(row: Row) -> str:
    """A module and its parameters."""
    shown = ", ".join(f"{key} {value}" for key, value in row["parameters"].items() if key != "DATA_BITS")
    return f"`{row['top']}`" + (f", {shown}" if shown else "")


def equal_table(synth: Sequence[Row], bench: Row) -> list[str]:
    """Decoders of equal throughput."""
    rows = {row["target"]: row for row in synth if row["technology"] == HEADLINE_LIBRARY}
    titles = ["QLC", "symbols/cycle", "area", "Huffman", "symbols/cycle", "area", "times QLC"]
    titles += ["Huffman cores", "area", "times QLC", "serial decoders", "area", "times QLC"]
    lines = []
    for ours, theirs in EQUAL_PAIRS:
        if not {ours, theirs, "huffman_core", "huffman_serial"} <= set(rows):
            continue
        area = rows[ours]["area_um2"]
        cells = []
        for row in (rows[ours], rows[theirs]):
            cells += [module(row), number(rate(row, bench), 2), number(row["area_um2"])]
        cells.append(f"{rows[theirs]['area_um2'] / area:.2f}")
        for single in ("huffman_core", "huffman_serial"):
            wanted, each = rate(rows[ours], bench), rate(rows[single], bench)
            copies = math.ceil(wanted / each - 0.005) if wanted and each else 0
            total = copies * rows[single]["area_um2"]
            cells += [str(copies), number(total), f"{total / area:.2f}"]
        lines.append(cells)
    return markdown(titles, lines)


def encoder_table(synth: Sequence[Row]) -> list[str]:
    """Encoders of equal throughput."""
    rows = {row["target"]: row for row in synth if row["technology"] == HEADLINE_LIBRARY}
    lines = []
    for ours, theirs in ENCODER_PAIRS:
        if not {ours, theirs} <= set(rows):
            continue
        areas = [rows[target]["area_um2"] for target in (ours, theirs)]
        symbols = rows[ours]["parameters"]["SYMBOLS"]
        lines.append([str(symbols), *(number(area) for area in areas), f"{areas[1] / areas[0]:.2f}"])
    titles = ["symbols/cycle", "`qlc_encoder_core`", "`huffman_encoder_core`", "times QLC"]
    return markdown(titles, lines)


def parts_table(rows: Sequence[Row]) -> list[str]:
    """Area by module, a column a target."""
    names = dict.fromkeys(part for row in rows for part in row["parts"])

    def same(name: str) -> bool:
        sizes = [row["parts"].get(name, 0.0) for row in rows]
        return len(rows) > 1 and min(sizes) > 0.99 * max(sizes)

    titles = ["module", "same", *(f"`{row['target']}`" for row in rows)]
    lines = [
        [f"`{name}`", "yes" if same(name) else "", *(number(row["parts"].get(name)) for row in rows)]
        for name in names
    ]
    lines.append(["sum", "", *(number(sum(row["parts"].values())) for row in rows)])
    return markdown(titles, lines)


def headline(synth: Sequence[Row], bench: Row) -> list[str]:
    """README's table."""
    rows = {row["target"]: row for row in synth if row["technology"] == HEADLINE_LIBRARY}
    latencies = {d["decoder"]: span(d["latency"]) for d in bench["decoders"]}
    lines = []
    for target in HEADLINE:
        if target not in rows:
            continue
        row = rows[target]
        corners = list(row["timing"])
        symbols = rate(row, bench)
        name = target.replace("_p3", "").replace("decoder", "qlc") if "qlc" in row["top"] else target
        lines.append([
            module(row),
            number(symbols, 1),
            latencies.get(name, ""),
            number(row["area_um2"]),
            number(row["area_um2"] / symbols if symbols else None),
            " / ".join(number(row["timing"][corner]["clock_ghz"], 2) for corner in corners),
            number(symbols * BITS_PER_SYMBOL * row["timing"][corners[0]]["clock_ghz"] if symbols else None),
        ])  # fmt: skip
    titles = ["module", "symbols/cycle", "latency, cycles", "area, um2", "per symbol/cycle"]
    titles += ["GHz, typical / slow", "Gb/s of symbols"]
    published = markdown(["published", "symbols/cycle", "latency, cycles", "area, mm2", "GHz"], PUBLISHED)
    return [*markdown(titles, lines), "", *published]


def render(synth: Sequence[Row], bench: Row) -> str:
    """The page, from the kept results."""
    lines = [HEAD, "![area against symbols a cycle](figures/area.svg)"]
    lines += [EQUAL.format(library=HEADLINE_LIBRARY), *equal_table(synth, bench)]
    lines += ["", "Encoder cores that take as many symbols:", "", *encoder_table(synth)]
    for technology in dict.fromkeys(row["technology"] for row in synth):
        rows = [row for row in synth if row["technology"] == technology]
        facts = {"technology": technology, **rows[0]["tools"]}
        if "luts" in rows[0]:
            lines += [FPGA.format(seeds=len(rows[0]["clock_mhz_seeds"]), **facts), *fpga_table(rows, bench)]
        elif rows[0]["timing"]:
            lines += [AREA.format(**facts), *area_table(rows, bench)]
            for kind in ("decoder", "encoder"):
                parts = [row for row in rows if "parts" in row and kind in row["top"]]
                if parts:
                    lines += [PARTS.format(technology=technology, kind=kind), *parts_table(parts)]
        else:
            lines += [TRANSISTORS.format(**facts), *transistor_table(rows, bench)]
    lines += [BENCH.format(**bench), *bench_table(bench)]
    lines += [DECODERS.format(**bench), *decoder_table(bench)]
    return "\n".join(lines) + "\n"
