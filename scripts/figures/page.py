"""docs/figures.md and README's table, from the kept results of synthesis and bench."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qlc.bounds import BUILDS

from scripts.codes import parameters
from scripts.figures.front import (
    MEANS,
    behind,
    best,
    front_rows,
    front_titles,
    ghz,
    step_rows,
    step_titles,
)
from scripts.markdown import table
from scripts.synth.results import LIBRARY, Row, compared
from scripts.synth.targets import TARGETS

BITS_PER_SYMBOL = 8
# Modules of README's table, in its order: those that help to choose.
HEADLINE = (
    "decoder_core_raw", "decoder_wide_64_quad", "decoder_wide_64_raw", "decoder_wide_512_raw",
    "huffman_serial", "encoder_core_32_raw",
)  # fmt: skip
# Decoders that are set against copies of the slower ones.
FAST = tuple(f"decoder_wide_{w}_raw" for w in (64, 128, 256, 512))
SLOW = ("decoder_core_raw", "huffman_serial")
COPIES_TITLES = [
    "decoder", "symbols/cycle", "area",
    *(title for slow in SLOW for title in (f"copies of `{slow}`", "area", "times")),
]  # fmt: skip
# A. Agrawal et al., arXiv:2602.17849v2: one decoder of each code at 7 nm.
PUBLISHED = (
    ("QLC decoder", "1", "3", "0.6", "1"),
    ("Huffman decoder", "0.2", "18", "1.8", ""),
)

HEAD = """# Figures

`make figures` writes this page from the JSON files in `docs/figures/`. Nobody types a number.
[baseline.md](baseline.md#what-the-figures-show) says what the figures show.
"""

FRONT = """
## The family as a front

![points behind Huffman against area](figures/area.svg)

A build is the same source with other bounds. It trades area against what its best code saves. *Points behind
Huffman* is how much less that code saves than Huffman's, whose codewords may have any length. Each tensor has
a table of its own. There are three means: over gate and up activations, for which the published code was
made; over all kinds of tensors that are not mostly zeros; and over all kinds. Area is in {library}, with the
tables and their look-up. GHz is for each corner, typical and slow. `huffman_serial` takes one bit a cycle. It
stands under `core`, although it gives only a fraction of the core's symbols.
"""

STEPS = """
This table compares builds that differ in one thing: the change of area, in percent of the first build's, and
the points that it costs.
"""

BOUNDS = """
The builds and their parameters:
"""

KINDS = """
## What each build's code loses

Points behind Huffman, the mean over all tensors of a kind. Block scales are kinds of their own and are left
out.
"""

COPIES = """
## Wide decoders and copies of narrow ones

How many copies of a narrow decoder give the rate of a wide one? Area is in {library}, in um2. The wide
decoder reads one stream. The copies need a stream and a table each.
"""

AREA = """
## Area and clock: {technology}

Yosys {yosys}, OpenSTA {opensta}. Figures are after synthesis: no wires, an ideal clock, no clock gating. Area
is in um2.

- `tables` says how tables are stored: in registers that can be loaded, as constants (of one tensor), or in
  memories. With memories, the area is of the logic around them. `memory bits` counts their bits, and
  `x ports` is the bits times the ports that read them.
- `of it tables` is the area of the flip-flops that store tables, without the look-up.
- The clock, in each corner, is the inverse of the longest path with setup.
- A decoder's symbols a cycle are measured, see below. An encoder's are its `SYMBOLS`.
"""

PLACED = """
## Cells and clock: {technology}

Yosys {yosys}, nextpnr {nextpnr}. The module is routed alone, without pads. The clock is the median of {seeds}
placements. A LUT has 4 inputs. A carry cell takes the place of two LUTs, and `LUTs` counts these. `tables`
in memories are what Yosys infers.
"""

MAPPED = """
## Cells: {technology}

Yosys {yosys}, after synthesis, not placed. A LUT has up to 6 inputs. `tables` in memories are what Yosys
infers.
"""

PARTS = """
## Where the area of the {kind}s goes

{technology}, area in um2 of the modules right below the top. This synthesis keeps the hierarchy and sizes no
cell for speed, so the sum differs from the area above.
"""

TRANSISTORS = """
## Transistors

Yosys {yosys}, `stat -tech cmos`, without a cell library.
"""

BENCH = """
## Decoding rate

Measured in {simulator} with {tensors} tensors (`{pattern}`), {symbols} symbols, code `{scheme}` in the build
`{build}`, {bits:.3f} bits a symbol with all headers. Each tensor is a packet of blocks of {block} symbols
through `qlc_decoder`. Its input always has a beat.

- The rate is the symbols between the first beat out and the last, divided by the cycles between them. If a
  beat takes many cycles to fill, this flatters the rate a little, because the first beat waits for what is
  behind it.
- The limit is a full word every cycle: the bits of a word divided by the bits of a symbol.
- Latency is from the first beat in to the first beat out. A narrow decoder fills an output beat first. These
  packets have full blocks; [architecture.md](architecture.md#blocks-in-the-decoder) has the latency of the
  shortest packet.

Last run at commit {commit}.
"""

DECODERS = """
## Decoders side by side

The same tensors, each as one bitstream through the bare decoder. Each decoder has the code that its build is
made for: `paper` has `table1`, `quad` and `raw` the best quad code, `huffman` and `huffman_raw` the best code
of any lengths, and `huffman_serial` Huffman's of at most 16 bits. Latency is from the first beat in to the
first symbol out. A stall is a cycle without progress although the input had a beat and the output took one.
"""

# What an FPGA's rows may have, and how it is called.
FPGA_CELLS = {
    "luts": "LUTs",
    "carry_cells": "carry cells",
    "flip_flops": "flip-flops",
    "block_memories": "block memories",
}


def build_of(row: Row) -> str:
    """The build of a target, "" where it has none."""
    return TARGETS[row["target"]].build


def decoder_of(row: Row) -> str:
    """The name of a bare decoder in ``compare.py``, "" for other modules."""
    if row["top"] == "huffman_decoder_serial":
        return "huffman_serial"
    width = {"qlc_decoder_core": "core", "qlc_decoder_wide": f"wide_{row['parameters'].get('WORD_BITS')}"}
    return f"{build_of(row)}_{width[row['top']]}" if row["top"] in width else ""


def rate(row: Row, bench: Row) -> float | None:
    """Symbols a cycle of a synthesised module, where that is known."""
    if "encoder" in row["top"]:
        return float(row["parameters"].get("SYMBOLS", 32))
    if "decoder" not in row["top"]:
        return None
    bare = {d["decoder"]: d["rate"] for d in bench["decoders"]}
    whole = {width["word_bits"]: width["rate"] for width in bench["rows"]}
    name = decoder_of(row)
    found = bare.get(name) if name else whole.get(row["parameters"].get("WORD_BITS", 0))
    return None if found is None else float(found)


def number(value: float | None, digits: int = 0) -> str:
    """A figure, or nothing where it is not known."""
    return "" if value is None else f"{value:.{digits}f}"


def other_parameters(row: Row) -> str:
    """The parameters of a target beside its build's."""
    build = build_of(row)
    of_build = parameters(BUILDS[build]) if build else {}
    return ", ".join(f"{key} {value}" for key, value in row["parameters"].items() if key not in of_build)


def named(row: Row) -> list[str]:
    """The first cells of a target's line: module, build, parameters beside the build's."""
    build = build_of(row)
    return [f"`{row['top']}`", f"`{build}`" if build else "", other_parameters(row)]


def longest(row: Row, corner: str) -> str:
    """Both ends of the longest path."""
    path = next(iter(row["timing"][corner]["paths"].values()))
    return f"`{path['start']}` to `{path['end']}`"


def area_table(rows: Sequence[Row], bench: Row) -> list[str]:
    """Area and clock in a cell library, a line a target."""
    corners = list(rows[0]["timing"])
    titles = ["module", "build", "parameters", "tables", "symbols/cycle", "area", "of it tables"]
    titles += ["memory bits", "x ports", "area per symbol/cycle", *(f"{corner} GHz" for corner in corners)]
    titles += [f"Gb/s of symbols, {corners[0]}", "longest path"]
    lines = []
    for row in rows:
        symbols = rate(row, bench)
        clock = row["timing"][corners[0]]["clock_ghz"]
        clocks = [row["timing"].get(corner, {}).get("clock_ghz") for corner in corners]
        lines.append([
            *named(row),
            row["tables"],
            number(symbols, 1),
            number(row["area_um2"]),
            number(row["table_area_um2"]),
            number(row.get("memory_bits")),
            number(row.get("memory_port_bits")),
            number(row["area_um2"] / symbols if symbols else None),
            *(number(one, 2) for one in clocks),
            number(symbols * BITS_PER_SYMBOL * clock if symbols else None),
            longest(row, corners[0]),
        ])  # fmt: skip
    return table(titles, lines)


def fpga_table(rows: Sequence[Row], bench: Row) -> list[str]:
    """Cells in an FPGA, and the clock where it was placed, a line a target."""
    cells = {key: title for key, title in FPGA_CELLS.items() if any(key in row for row in rows)}
    placed = "clock_mhz" in rows[0]
    titles = ["module", "build", "parameters", "tables", "symbols/cycle", *cells.values()]
    titles += ["MHz", "from", "to", "Msymbols/s"] if placed else []
    lines = []
    for row in rows:
        symbols = rate(row, bench)
        line = [*named(row), row["tables"], number(symbols, 1), *(str(row.get(key, "")) for key in cells)]
        if placed:
            clocks = row["clock_mhz_seeds"]
            line += [number(clock) for clock in (row["clock_mhz"], min(clocks), max(clocks))]
            line.append(number(row["clock_mhz"] * symbols if symbols else None))
        lines.append(line)
    return table(titles, lines)


def transistor_table(rows: Sequence[Row], bench: Row) -> list[str]:
    """Transistors, a line a target."""
    titles = ["module", "build", "parameters", "tables", "symbols/cycle", "transistors", "of them tables"]
    titles += ["memory bits", "x ports", "transistors per symbol/cycle"]
    lines = []
    for row in rows:
        symbols = rate(row, bench)
        lines.append([
            *named(row),
            row["tables"],
            number(symbols, 1),
            str(row["transistors"]),
            str(row["table_transistors"]),
            number(row.get("memory_bits")),
            number(row.get("memory_port_bits")),
            number(row["transistors"] / symbols if symbols else None),
        ])  # fmt: skip
    return table(titles, lines)


def bench_table(bench: Row) -> list[str]:
    """Rates, a line a word width."""
    lines = []
    for row in bench["rows"]:
        name = f"wide, WORD_BITS {row['word_bits']}" if row["word_bits"] else "core"
        share = f"{100 * row['rate'] / row['limit']:.1f} %"
        lines.append([name, number(row["rate"], 2), number(row["limit"], 2), share, str(row["latency"])])
    return table(["decoder", "symbols/cycle", "limit", "share of it", "latency, cycles"], lines)


def span(bounds: Sequence[int]) -> str:
    """A figure that lies between two."""
    return str(bounds[0]) if bounds[0] == bounds[-1] else f"{bounds[0]} to {bounds[-1]}"


def decoder_table(bench: Row) -> list[str]:
    """Bare decoders, a line each."""
    titles = ["decoder", "bits a symbol", "symbols/cycle", "latency, cycles", "stalls"]
    return table(
        titles,
        (
            [d["decoder"], number(d["bits"], 3), number(d["rate"], 3), span(d["latency"]), str(d["stalls"])]
            for d in bench["decoders"]
        ),
    )


def bounds_table(losses: Sequence[Row]) -> list[str]:
    """The parameters of each build."""
    bounds = {build: loss["bounds"] for build, loss in best(losses).items() if loss["bounds"]}
    titles = ["build", *(name.upper() for name in next(iter(bounds.values())))]
    return table(titles, ([f"`{name}`", *map(str, values.values())] for name, values in bounds.items()))


def kinds_table(losses: Sequence[Row]) -> list[str]:
    """Points behind Huffman, a line a kind of tensor."""
    titles = ["tensors", *(f"`{loss['build']}`, {loss['what']}" for loss in losses)]
    lines = [
        [f"`{kind}`", *(number(loss["kinds"][kind], 2) for loss in losses)] for kind in losses[0]["kinds"]
    ]
    lines += [[mean, *(number(behind(loss)[mean], 2) for loss in losses)] for mean in MEANS]
    return table(titles, lines)


def copies_rows(synth: Sequence[Row], bench: Row) -> list[list[str]]:
    """Wide decoders, and as many copies of slower ones as give their rate."""
    rows = compared(synth)
    lines = []
    for name in FAST:
        wanted = rate(rows[name], bench) if name in rows else None
        if wanted is None:
            continue
        cells = [f"`{name}`", number(wanted, 1), number(rows[name]["area_um2"])]
        for slow in SLOW:
            each = rate(rows[slow], bench) if slow in rows else None
            copies = math.ceil(wanted / each - 0.005) if each else None
            area = copies * rows[slow]["area_um2"] if copies else None
            cells += [number(copies), number(area), number(area and area / rows[name]["area_um2"], 1)]
        lines.append(cells)
    return lines


def parts_table(rows: Sequence[Row]) -> list[str]:
    """Area by module, a column a target."""
    names = dict.fromkeys(part for row in rows for part in row["parts"])
    titles = ["module", *(f"`{row['target']}`" for row in rows)]
    lines = [[f"`{name}`", *(number(row["parts"].get(name)) for row in rows)] for name in names]
    lines.append(["sum", *(number(sum(row["parts"].values())) for row in rows)])
    return table(titles, lines)


def published_table() -> list[str]:
    """What the paper says."""
    return table(["published", "symbols/cycle", "latency, cycles", "area, mm2", "GHz"], PUBLISHED)


def headline(synth: Sequence[Row], bench: Row, losses: Sequence[Row]) -> list[str]:
    """README's table."""
    rows = compared(synth)
    codes = best(losses)
    latencies = {d["decoder"]: span(d["latency"]) for d in bench["decoders"]}
    lines = []
    for row in (rows[target] for target in HEADLINE if target in rows):
        symbols = rate(row, bench)
        clock = next(iter(row["timing"].values()))["clock_ghz"]
        build = build_of(row) or row["target"]
        lines.append([
            ", ".join(filter(None, (f"`{row['top']}`", other_parameters(row)))),
            f"`{build_of(row)}`" if build_of(row) else "",
            number(behind(codes[build])[MEANS[0]], 2),
            number(symbols, 1),
            latencies.get(decoder_of(row), ""),
            number(row["area_um2"]),
            number(row["area_um2"] / symbols if symbols else None),
            ghz(row),
            number(symbols * BITS_PER_SYMBOL * clock if symbols else None),
        ])  # fmt: skip
    titles = ["module", "build", "points behind Huffman", "symbols/cycle", "latency, cycles", "area, um2"]
    titles += ["per symbol/cycle", "GHz, typical / slow", "Gb/s of symbols"]
    return [*table(titles, lines), "", *published_table()]


def technology_section(rows: Sequence[Row], bench: Row) -> list[str]:
    """The targets of one technology."""
    facts = {"technology": rows[0]["technology"], **rows[0]["tools"]}
    if "clock_mhz" in rows[0]:
        seeds = len(rows[0]["clock_mhz_seeds"])
        return [PLACED.format(seeds=seeds, **facts), *fpga_table(rows, bench)]
    if "luts" in rows[0]:
        return [MAPPED.format(**facts), *fpga_table(rows, bench)]
    if not rows[0]["timing"]:
        return [TRANSISTORS.format(**facts), *transistor_table(rows, bench)]
    lines = [AREA.format(**facts), *area_table(rows, bench)]
    for kind in ("decoder", "encoder"):
        if parts := [row for row in rows if "parts" in row and kind in row["top"]]:
            lines += [PARTS.format(technology=rows[0]["technology"], kind=kind), *parts_table(parts)]
    return lines


def render(synth: Sequence[Row], bench: Row, losses: Sequence[Row]) -> str:
    """The page, from the kept results."""
    rows = compared(synth)
    lines = [HEAD + FRONT.format(library=LIBRARY), *table(front_titles(), front_rows(rows, losses))]
    if changes := step_rows(rows, losses):
        lines += [STEPS, *table(step_titles(), changes)]
    lines += [BOUNDS, *bounds_table(losses), "", *published_table()]
    lines += [KINDS, *kinds_table(losses)]
    if copies := copies_rows(synth, bench):
        lines += [COPIES.format(library=LIBRARY), *table(COPIES_TITLES, copies)]
    for technology in dict.fromkeys(row["technology"] for row in synth):
        lines += technology_section([row for row in synth if row["technology"] == technology], bench)
    if bench["rows"]:
        lines += [BENCH.format(**bench), *bench_table(bench)]
    lines += [DECODERS, *decoder_table(bench)]
    return "\n".join(lines) + "\n"
