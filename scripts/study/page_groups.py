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

Would it help if each group of 32 symbols, an MX block, could choose its table? Here a group takes the
cheapest of 2 or 4 resident tables. 1 or 2 selector bits a group say which, and every figure includes them.
The tables are made by k-means: groups go to their cheapest table, and each table is made again from its
groups. With `one code` the tables differ only in the order of the symbols, as they do with `table1`. With
`own codes` their codes differ too. Everything is measured on the samples. Huffman has codewords of any
length for all 256 symbols.

Tables from the samples of the other layers, which is what one can know beforehand:

{block("layers")}
Tables from the first half of a sample, which code the second half:

{block("half")}
Two tables gain {gains("table1 2", "table1 1")} points with `table1`, {gains("auto-same 2", "auto-same 1")}
with `auto` and {gains("auto-raw-same 2", "auto-raw-same 1")} with `auto-raw` (tables of other layers, without
zero-heavy kinds). Four tables instead of two add {gains("auto-same 4", "auto-same 2")} to `auto`. Groups with
`auto` save more than plain Huffman with a table from the same symbols on {passing("layers")} (other layers),
and on {passing("half")} (halves). Groups of Huffman codes gain as much, so this is no merit of quad codes.
Blocks differ because a block's scale follows its largest value. If that is an outlier, all others are small.

The next drawing shows two tables and a selector bit, by the size of the group (`auto`, one code, tables of
other layers). On the right each group is a block with a header of its own and no CRC, which the format
already allows.

{plot("groups", "Gain by the size of the groups")}
Groups of 32 gain, and the gain fades as groups grow. If blocks shorter than {MAX_BLOCK} symbols choose among
resident tables, they gain at most {best_header:.2f} points after their headers.

### Chosen by the scale instead

MX sends a scale with each block. The scale tells much of what a selector would tell. Here the scales of the
first half of a sample are cut into 2 or 4 equal parts with a table each. These tables code the second half,
without selector bits. The table compares them with selectors on the same halves:

{savings(part, scale_columns)}
With four tables of one `auto` code the scale is at least as good as the selector on {names(as_good)}.

### What it would cost

- Encoder: there are K rank tables, and every symbol of a beat is looked up in all of them. Then K sums of 32
  lengths are compared. A beat of 32 symbols is a group, so this takes a few cycles. The encoder has them,
  because it decides on a block when the block is complete.
- Decoder: there are K symbol tables in every lane. With one code for all K, the lengths stay as they are,
  and so do the exit maps of the wide decoder. Only the last stage needs the selector. With own codes, a
  codeword's length depends on its group, and so on the number of symbols before it. The exit maps are made
  before that is known, so they no longer work. Own codes gain {gains("auto-raw 2", "auto-raw-same 2")}
  points on top with two tables and `auto-raw`, which does not pay for another decoder.
- A table has {RANKS * 8} bits without raw bits, and {raw_table} with {raw_bits} raw bits. So more tables
  are cheap only if the mantissa is raw.
- Format: selectors stand before the payload, {MAX_BLOCK // 32 // 8} bytes for two tables and {MAX_BLOCK}
  symbols. The format needs another kind of block, and table ids that name a set.
- By scale: there are no selectors and no trials, only K - 1 comparators. K tables are still resident, but
  one is chosen for the whole beat, before its symbols are looked up. Encoder and decoder must have the
  scales before the elements, but a code of bytes does not know about scales.

### Decision

**The format has no selectors.** Their gain is real. But in MX traffic the scale tells the table about as
well as a selector, and is sent anyway. If the format had selectors today, it would have to keep them when
the better way comes. Try first tables by scale, all of one code, with a raw mantissa. Try selectors last.
"""
