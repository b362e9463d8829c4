"""The part of ``docs/study.md`` on groups of symbols that choose a table."""

from __future__ import annotations

from qlc.block import MAX_BLOCK
from qlc.bounds import BUILDS
from qlc.code import RANKS

from scripts.study.markdown import Results, names, plot, span, table, without_zero_heavy

COLUMNS = {
    "huffman 1": "Huffman",
    "huffman 2": "Huffman, 2 tables",
    "table1 1": "`table1`",
    "table1 2": "2 tables",
    "table1 4": "4",
    "auto-same 1": "`auto`",
    "auto-same 2": "2 tables, one code",
    "auto-same 4": "4",
    "auto-raw-same 1": "`auto-raw`",
    "auto-raw-same 2": "2 tables, one code",
    "auto-raw-same 4": "4",
    "auto-raw 2": "2, own codes",
    "auto-raw 4": "4",
}
WAYS = {
    "1 half": "1 table",
    "2 half": "2, selector",
    "2 scale": "2, scale",
    "4 half": "4, selector",
    "4 scale": "4, scale",
}


def savings(part: dict[str, dict[str, float]], columns: dict[str, str]) -> str:
    """A line a kind."""
    rows = ([f"`{name}`", *(f"{row[column]:.2f}" for column in columns)] for name, row in part.items())
    return table(["tensor", *columns.values()], rows)


def groups_of_32(results: Results) -> str:
    """Everything about them."""
    part, sizes = results["groups"], results["sizes"]
    kinds = without_zero_heavy(part)

    def block(split: str) -> str:
        return savings(part, {f"{column} {split}": title for column, title in COLUMNS.items()})

    def gains(better: str, worse: str, split: str = "layers") -> str:
        return span(part[name][f"{better} {split}"] - part[name][f"{worse} {split}"] for name in kinds)

    def passing(split: str) -> str:
        return names(
            name
            for name in kinds
            if max(part[name][f"auto-same {n} {split}"] for n in (2, 4)) > part[name][f"huffman 1 {split}"]
        )

    best_header = max(max(sizes[name]["header"][:-1]) for name in kinds)
    as_good = [name for name in kinds if part[name]["auto-same 4 scale"] >= part[name]["auto-same 4 half"]]
    scale_columns = {
        f"{code} {way}": f"{title}: {how}"
        for code, title in (("auto-same", "`auto`"), ("auto-raw-same", "`auto-raw`"))
        for way, how in WAYS.items()
    }
    raw_bits = BUILDS["raw"].raw_bits
    raw_table = (RANKS >> raw_bits) * (8 - raw_bits)
    return f"""## Groups of 32 that choose a table

Each group of 32 symbols, an MX block, takes the cheapest of 2 or 4 resident tables, and 1 or 2 selector bits
a group say which; they are counted in every figure. The tables are made by k-means: groups go to their
cheapest table, tables are made anew of their groups. With `one code` the tables differ in the order of the
symbols only, as they do with `table1`; with `own codes` in the code too. All on the samples. Huffman has
codewords of any length for all 256 symbols.

Tables of the other layers' samples, which is what a table made beforehand can know:

{block("layers")}
Tables of the first half of a sample, coding the second:

{block("half")}
Two tables gain {gains("table1 2", "table1 1")} points with `table1`, {gains("auto-same 2", "auto-same 1")}
with `auto` and {gains("auto-raw-same 2", "auto-raw-same 1")} with `auto-raw` (tables of other layers,
zero-heavy kinds apart). The second pair of tables adds {gains("auto-same 4", "auto-same 2")} to `auto`.
Groups with `auto` pass plain Huffman with a table made of the same symbols on {passing("layers")} (other
layers), and on {passing("half")} (halves). Groups of Huffman codes gain as much: it is not a merit of quad
codes. The blocks differ because a block's scale follows its largest value: where that is an outlier, all
others are small.

Two tables and a selector bit by the size of the group (`auto`, one code, tables of other layers). On the
right each group is a block with a header of its own and no CRC, which the format can do as it is:

{plot("groups", "Gain by the size of the groups")}
The gain is in groups of 32 and fades as they grow. Blocks shorter than {MAX_BLOCK} symbols that choose among
resident tables gain at most {best_header:.2f} points after their headers.

### Chosen by the scale instead

MX sends a scale with each block, and it knows much of what a selector would say. Here the scales of the
first half of a sample are cut into 2 or 4 equal parts with a table each, which code the second half. No
selector bits. Beside it selectors, made and judged on the same halves:

{savings(part, scale_columns)}
With four tables of one `auto` code the scale is at least as good as the selector on {names(as_good)}.

### What it would cost

- Encoder: K rank tables, all looked up by every symbol of a beat. Then K sums of 32 lengths and a
  comparison; a beat of 32 symbols is a group, so a few cycles of delay, which the encoder has, since it
  decides on a block when that is complete.
- Decoder: K symbol tables in every lane. With one code for all K the lengths, and so the exit maps of the
  wide decoder, stay as they are, and the selector is needed in the last stage alone. With own codes a
  codeword's length depends on its group, so on the number of symbols before it: the exit maps are made
  before that is known, and no longer work. Own codes gain {gains("auto-raw 2", "auto-raw-same 2")} points on
  top with two tables and `auto-raw`, which does not pay for another decoder.
- A table has {RANKS * 8} bits without raw bits; with {raw_bits} raw bits it has
  {raw_table}. So more tables are cheap only where the mantissa is raw.
- Format: selectors ahead of the payload, {MAX_BLOCK // 32 // 8} bytes for two tables and {MAX_BLOCK}
  symbols; another kind of block, and table ids that name a set.
- By scale: no selectors and no trial; K - 1 comparators. K tables are resident all the same, but one is
  chosen for the beat, ahead of its symbols' look-ups. Encoder and decoder must have the scales before the
  elements, which a code of bytes knows nothing of.

### Decision

**Selectors get no place in the format.** Their gain is real, but where the traffic is MX, the scale tells the
table about as well as a selector, and is sent anyway. A format that had selectors today would have to carry
them when the better way comes. The order to try: tables by scale, all of one code, with a raw mantissa;
selectors last.
"""
