"""The part of ``docs/study.md`` on groups of symbols that choose a table."""

from __future__ import annotations

from qlc.block import MAX_BLOCK
from qlc.scheme import RANKS
from study_markdown import Results, between, names, plot, span, table, without_zero_heavy

COLUMNS = {
    "huffman 1": "Huffman",
    "table1 1": "`table1`",
    "table1 2": "2 tables",
    "table1 4": "4",
    "quad16 1": "`quad16`",
    "quad16 2": "2 tables",
    "quad16 4": "4",
    "auto-p4 1": "16 areas",
    "auto-p4-same 2": "2 tables, one scheme",
    "auto-p4 2": "2, own schemes",
    "auto-p4 4": "4, own schemes",
    "free4-same 1": "4 free lengths",
    "free4-same 2": "2 tables, one scheme",
    "free4-same 4": "4",
    "huffman 2": "Huffman, 2 tables",
}
WAYS = {
    "1 half": "1 table",
    "2 half": "2, selector",
    "2 scale": "2, scale",
    "4 half": "4, selector",
    "4 scale": "4, scale",
}
SIXTEEN_AREAS = ("quad16 2", "quad16 4", "auto-p4 2", "auto-p4 4")


def savings(part: dict[str, dict[str, float]], columns: dict[str, str]) -> str:
    """A line a kind."""
    rows = ([f"`{name}`", *(f"{row[column]:.2f}" for column in columns)] for name, row in part.items())
    return table(["tensor", *columns.values()], rows)


def groups_of_32(results: Results) -> str:
    """Everything about them."""
    part, sizes, shift = results["groups"], results["sizes"], results["shift"]
    kinds = without_zero_heavy(part)

    def block(split: str) -> str:
        return savings(part, {f"{column} {split}": title for column, title in COLUMNS.items()})

    def gains(better: str, worse: str, split: str = "layers") -> str:
        return span(part[name][f"{better} {split}"] - part[name][f"{worse} {split}"] for name in kinds)

    def passing(split: str) -> str:
        return names(
            name
            for name in kinds
            if max(part[name][f"{c} {split}"] for c in SIXTEEN_AREAS) > part[name][f"huffman 1 {split}"]
        )

    best_header = max(max(sizes[name]["header"][:-1]) for name in kinds)
    as_good = [name for name in kinds if part[name]["quad16 4 scale"] >= part[name]["quad16 4 half"]]
    free_step = span(between(results["kinds"][name], "auto-p4", "free4") for name in kinds)
    shifts = ", ".join(f"`{name}` {shift[name]['4']:+.2f}" for name in kinds)
    scale_columns = {
        f"{code} {way}": f"{title}: {how}"
        for code, title in (("quad16", "`quad16`"), ("free4-same", "4 free lengths"))
        for way, how in WAYS.items()
    }
    return f"""## Groups of 32 that choose a table

Each group of 32 symbols, an MX block, takes the cheapest of 2 or 4 resident tables, and 1 or 2 selector bits
a group say which; they are counted in every figure. The tables are made by k-means: groups go to their
cheapest table, tables are made anew of their groups. With `one scheme` the tables differ in the order of the
symbols only, as they do with `table1` and `quad16`; with `own schemes` in the areas too. All on the samples.

Tables of the other layers' samples, which is what a table made beforehand can know:

{block("layers")}
Tables of the first half of a sample, coding the second:

{block("half")}
Tables of the sample itself, which flatters, and the more the more tables:

{block("same")}
Two tables gain {gains("table1 2", "table1 1")} points with `table1` and {gains("quad16 2", "quad16 1")} with
`quad16` (tables of other layers, zero-heavy kinds apart), most on `ffn_down.in`, whose one table fits worst,
on keys and on gradients. The second pair of tables adds {gains("quad16 4", "quad16 2")}. With 16 areas,
groups pass plain Huffman with a table made of the same symbols on {passing("layers")} (other layers), and on
{passing("half")} (halves). Groups of Huffman codes gain as much: it is not a merit of areas. The blocks
differ because a block's scale follows its largest value: where that is an outlier, all others are small.

Two tables and a selector bit by the size of the group (`quad16`, tables of other layers). On the right each
group is a block with a header of its own, which the format can do as it is:

{plot("groups", "Gain by the size of the groups")}
The gain is in groups of 32 and fades as they grow. Blocks shorter than {MAX_BLOCK} symbols that choose among
resident tables gain at most {best_header:.2f} points after their headers.

### Chosen by the scale instead

MX sends a scale with each block, and it knows much of what a selector would say. Here the scales of the
first half of a sample are cut into 2 or 4 equal parts with a table each, which code the second half. No
selector bits. Beside it selectors, made and judged on the same halves:

{savings(part, scale_columns)}
With four tables the scale is at least as good as the selector on {names(as_good)}.

A third way, one table, and each group's exponents raised by 0 to 3 before it (2 selector bits, tables of
other layers, `quad16`): {shifts} points. It needs one table only, but helps some kinds and harms others.

### What it would cost

- Encoder: K rank tables of {RANKS * 8} bits, all looked up by every symbol of a beat. These multiplexers
  are the largest part of the encoder core already ([figures](figures.md)), and would come K times. Then K
  sums of 32 lengths and a comparison; a beat of 32 symbols is a group, so a few cycles of delay, which the
  encoder has, since it decides on a block when that is complete.
- Decoder: K symbol tables of {RANKS * 8} bits in every lane, again the largest part. With one scheme for all
  K the lengths, and so the exit maps of the wide decoder, stay as they are, and the selector is needed in
  the last stage alone. With own schemes a codeword's length depends on its group, so on the number of
  symbols before it: the exit maps are made before that is known, and no longer work. Own schemes gain
  {gains("auto-p4 2", "auto-p4-same 2")} points on top with two tables, which does not pay for another
  decoder.
- Format: selectors ahead of the payload, {MAX_BLOCK // 32 // 8} bytes for two tables and {MAX_BLOCK}
  symbols; another kind of block, and table ids that name a set.
- By scale: no selectors and no trial; K - 1 comparators. K tables are resident all the same, but one is
  chosen for the beat, ahead of its symbols' look-ups. Encoder and decoder must have the scales before the
  elements, which a code of bytes knows nothing of.

### Decision

**Selectors get no place in the format.** Their gain is real: two tables of one fitted scheme of 16 areas
save {gains("auto-p4-same 2", "auto-p4 1")} points more than one. But it takes K times the largest part of
encoder and decoder. One table with four free lengths saves {free_step} points more than 16 areas and adds no
table, no selector and no delay. And where the traffic is MX, the scale tells the table about as well as a
selector, and is sent anyway. The order to try: four free lengths; then tables by scale, all of one scheme;
selectors last. A format that had selectors today would have to carry them when the better ways come.
"""
