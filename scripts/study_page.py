"""``docs/study.md``, from the figures of ``scripts/study.py`` alone: no figure is typed into its text."""

from __future__ import annotations

from collections import Counter

from committed_data import ROOT
from qlc.free_lengths import LONGEST
from qlc.scheme import PRESETS
from study_codes import KNOWN_FROM
from study_markdown import (
    FFN,
    Results,
    between,
    filled,
    mean,
    names,
    percent,
    plot,
    points_table,
    saved_table,
    span,
    table,
    without_zero_heavy,
)
from study_page_beside import beside_published, bytes_in_order, synthetic
from study_page_groups import groups_of_32
from study_published import SAVED

STORE = ROOT / "docs" / "figures" / "study.json"
PAGE = ROOT / "docs" / "study.md"

GOAL = 1.1
"""Points to Huffman that at most four lengths and 16 areas should be within."""


def intro(results: Results) -> str:
    """What is measured."""
    elements, scales = len(results["tensors"]["rows"]), len(results["scales"]["rows"])
    samples = len(results["samples"]["rows"])
    return f"""# What the codes save on real tensors

Written by `make study` from `figures/study.json`, which has every tensor; no figure is typed by hand.

All figures are compressibility in percent, 100 (1 - bits a symbol / 8), or differences of it in points. They
are of the {elements} element tensors and {scales} scale tensors of [data](../data/README.md), from exact
counts of every element, each tensor with tables of its own, mean over the layers, unless it says otherwise.
What needs the bytes in order is measured on the {samples} committed samples of 32768 elements, and says so.
"""


def choose(results: Results) -> str:
    """What a user takes now."""
    kinds = results["kinds"]
    rows = []
    for kind, bits in kinds.items():
        best = min((1, 2, 3, 4), key=lambda p: bits[f"auto-p{p}"])
        found = Counter(
            row.get(f"auto-p{best}")
            for name, row in results["schemes"].items()
            if name == kind or name.endswith(f".{kind}")
        )
        scheme, layers = found.most_common(1)[0]
        fits = f"`{best}:{scheme}`, {layers} of {found.total()}" if scheme else ""
        codes = ("table1", "quad16", "auto-p3", f"auto-p{best}")
        rows.append([f"`{kind}`", *(percent(bits[code]) for code in codes), str(best), fits])
    titles = [
        "tensor",
        "`table1`",
        "`quad16`",
        "`auto`",
        "best of P = 1 to 4",
        "P",
        "its scheme in most layers",
    ]
    usual = without_zero_heavy(kinds)
    gain = [between(kinds[kind], "auto-p3", "auto-p4") for kind in usual]
    preset = [between(kinds[kind], "quad16", "auto-p4") for kind in usual if kind != "ffn_down.in"]
    return f"""## What to choose

Of what is built, with at most four lengths: `auto` is what `qlc calibrate` makes unless told otherwise, the
optimum of 3 prefix bits. On all but zero-heavy tensors 4 prefix bits save {span(gain)} points more, for a
decoder built with `PREFIX_BITS` 4 ([figures.md](figures.md) has its size), and the preset `quad16` comes
within {max(preset):.2f} of their optimum, `ffn_down.in` apart. Zero-heavy tensors want fewer prefix bits. A
scheme of the last column can be given to `--scheme` as it stands.

{table(titles, rows)}
On this page `P = 3, <= 4`, or 8 areas, is the command's `auto`, and the 2 % heuristic is `threshold` of `qlc
analyze`. All that is found better below is not built.
"""


def every_code(results: Results) -> str:
    """All codes, all kinds."""
    kinds = results["kinds"]
    orders = sorted({row["exp-golomb order"] for row in results["schemes"].values()}, key=int)
    first = table(["preset", "scheme"], ([f"`{name}`", f"`{scheme}`"] for name, scheme in PRESETS.items()))
    codes = {
        "entropy": "entropy limit",
        "huffman": "Huffman",
        "huffman15": "Huffman, 15 bits",
        "huffman11": "Huffman, 11 bits",
        "free4": "4 free lengths",
        "quad16": "`quad16`",
        "table1": "`table1`",
        "table2": "`table2`",
        "dual": "`dual`",
        "threshold": "2 % heuristic",
        "exp-golomb": "Exp-Golomb",
        "elias-gamma": "Elias gamma",
    }
    autos = {
        f"auto-p{p}{suffix}": f"P = {p}, {'any' if suffix else '<= 4'}"
        for p in (2, 3, 4, 5, 6)
        for suffix in ("", "-any")
    }
    return f"""## Every code

`4 free lengths` is the best prefix code of at most four lengths up to 12 bits, without areas: the distance
to it is what areas cost. Exp-Golomb is of the best order of each tensor, {orders[0]} to {orders[-1]}.

{saved_table(kinds, codes)}
`auto`, the exact optimum, of P prefix bits (2^P areas) with at most four and with any number of lengths. P
of 5 and 6 are outside the format; their codewords too have 12 bits at most, so 64 areas can be worse than 32.

{saved_table(kinds, autos)}
{first}
The 2 % heuristic closes an area as soon as it holds 2 % of the symbols. Where the eight most frequent
symbols hold no more than {100 * results["shapes"]["ffn_up.act"]["first8"]:.0f} % (`ffn_up.act`) it spends
its areas on the first few ranks, and all that are left get codewords longer than a byte.

{plot("layers", "Compressibility of every layer")}
{plot("areas", "Probability by rank, and the areas")}
A code is ideal where its steps, 2^-length, lie on the curve; bits are lost where a step is far from it.
"""


def hardware_table(hardware: dict[str, dict[str, int]]) -> str:
    """The size of reading a codeword."""
    titles = {"area": "{} areas", "limit": "4 free lengths, known from {} bits"}
    rows = []
    for way, sizes in hardware.items():
        for bits in dict.fromkeys(int(key.split()[0]) for key in sizes):
            title = titles[way].format(1 << bits if way == "area" else bits)
            rows.append([title, str(sizes[f"{bits} length"]), str(sizes[f"{bits} rank"])])
    return table(["code", "length", "rank"], rows)


def goal(results: Results) -> str:
    """How near Huffman, and what comes closer."""
    kinds = results["kinds"]
    codes = {
        "`table1`": "table1",
        "8 areas": "auto-p3",
        "`quad16`": "quad16",
        "16 areas": "auto-p4",
        "16, any lengths": "auto-p4-any",
        "32 areas": "auto-p5",
        "32, any lengths": "auto-p5-any",
        **{f"4 free, known from {n} bits": f"free4-{n}" for n in KNOWN_FROM},
        "4 free": "free4",
    }
    behind = {title: (code, "huffman") for title, code in codes.items()}
    gaps = {name: between(kinds[name], "auto-p4", "huffman") for name in FFN}
    met = [name for name, points in gaps.items() if points <= GOAL]
    missed = [name for name in gaps if name not in met]
    published = SAVED["FFN1 activations"]
    free = span(between(kinds[name], "free4", "huffman") for name in FFN)
    few = KNOWN_FROM[-1]
    nearly = span(between(kinds[name], f"free4-{few}", "free4") for name in without_zero_heavy(kinds))
    near = span(between(kinds[name], f"free4-{few}", "huffman") for name in FFN)
    hardware = results["hardware"]
    limit_size, area_size = hardware["limit"][f"{few} length"], hardware["area"]["4 length"]
    wide = span(between(kinds[name], "auto-p5-any", "huffman") for name in FFN)
    negative = 100 * results["shapes"]["ffn_gate.act"]["negative"]
    return f"""## How near Huffman, and what comes closer

Points behind Huffman:

{points_table(kinds, behind)}
With at most four lengths and 16 areas the three FFN activations are {mean(gaps.values()):.2f} points behind
Huffman on average (the paper's static scheme: {published["huffman"] - published["table1"]:.1f}). Within
{GOAL} points: {names(met)}. Not within: {names(missed)}. The two signs of `ffn_gate.act` differ in
frequency, {negative:.0f} % are negative, so its curve falls in two slopes, which four lengths follow less
well.

**Four lengths without areas come closer: {free} points behind on the FFN activations.** The code of
`layers.12.ffn_up.act`, for one, is {results["schemes"]["layers.12.ffn_up.act"]["free4"]} (codewords x bits).
Areas spend the code space in units of 2^-P, and the last area is partly empty; here a length ends at any
rank. Ranks still go to codewords in order (a canonical code), so in hardware:

- Decoder: a codeword's length is how many of three loaded limits the bits at its place reach; rank =
  codeword - first codeword of that length + its first rank. No table grows, and the area table shrinks to 4
  entries.
- It need not look at all {LONGEST} bits. Where the limits are multiples of 2^-{few}, the first {few} bits
  tell the length, and the code is {near} points behind Huffman on the FFN activations; it loses {nearly}
  points to the free one (zero-heavy kinds apart). Known from 4 bits it saves what 16 areas save.
- The length of the codeword at a place is what the exit maps of the wide decoder ask at every bit; the rank
  is asked once a codeword. Both ways as logic alone, with their registers outside, in transistors (Yosys,
  generic CMOS; no delays):

{hardware_table(hardware)}
- Encoder: as it is, with 3 comparators to find a rank's length where 16 areas take 15.
- Zero-heavy tensors get codewords of 1 or 2 bits, and a word then holds more symbols than an output beat,
  which is the limit, as it is with short codewords now.

**So four lengths whose limits are multiples of 2^-{few} cost less logic than 16 areas and are closer to
Huffman.** Their length takes {limit_size} transistors, that of 16 areas {area_size}. It has not been built
into the decoders.

On zero-heavy tensors it is the larger step: `attn.prob` {percent(kinds["attn.prob"]["free4"])} %, with the
best of P = 1 to 4 {percent(kinds["attn.prob"]["auto"])} %.

32 areas with any number of lengths are {wide} points behind on the FFN activations: still closer, with the
decoder as it is but for one more prefix bit, twice the area table, and a look-up of the length of
{hardware["area"]["5 length"]} transistors. On zero-heavy tensors they are worse, since no symbol takes less
than 5 bits. Areas whose size is no power of two only waste codewords, so they are never better.

{plot("gap", "Gap to the entropy limit against the number of areas")}"""


def sharing(results: Results) -> str:
    """Tables of a tensor, of a kind, of all."""
    scopes = ("own", "kind", "all")

    def shared_table(part: str, codes: tuple[str, ...]) -> str:
        titles = {f"{code} {scope}": f"{code}, {scope}" for code in codes for scope in scopes}
        return saved_table(results[part], titles)

    shared = results["shared"]
    kinds = without_zero_heavy(shared)

    def lost(scope: str) -> dict[str, float]:
        return {name: between(shared[name], f"quad16 {scope}", "quad16 own") for name in kinds}

    of_kind, of_all = lost("kind"), lost("all")
    most = max(of_kind, key=lambda name: of_kind[name])
    fitted = span(between(shared[name], "auto-p4 all", "auto-p4 own") for name in kinds)
    return f"""## Tables of a layer, of a kind, of everything

`own`: a table for each tensor; `kind`: one for all layers of a kind; `all`: one for everything, elements and
scales apart. A shared table is made of the sum of the counts. Huffman's counts are all one more, so that
every symbol has a codeword.

{shared_table("shared", ("huffman", "free4", "auto-p4", "quad16", "table1"))}
{shared_table("shared scales", ("huffman", "free4", "auto-p3", "auto-p4"))}
One `quad16` table a kind costs {span(of_kind.values())} points (zero-heavy kinds apart), most on `{most}`;
one for everything {span(of_all.values())}. A scheme fitted to the sum of everything, of which the zeros of
attention probabilities are a large part, costs more: {fitted} points with 16 areas. A table for all wants a
scheme that is not fitted, as `quad16`.
"""


def warm_up(results: Results) -> str:
    """Tables from a warm-up."""
    part = results["warmup"]
    rows = (
        [
            code,
            *(f"{points:.2f}" for points in lost),
            f"{part['in a row'][code]:.2f}",
            f"{part['hardware'][code]:.2f}",
        ]
        for code, lost in part["random"].items()
    )
    titles = ["code", *map(str, part["symbols"]), "32768 in a row", "of these, 1 in 32"]
    auto = part["random"]["auto-p3"]
    few, many = part["symbols"][-2:]
    return f"""## Tables from a warm-up

Points lost against a table of all symbols when the table is made of some, always judged on the whole tensor.
Columns: so many symbols drawn at random from the tensor, mean of {part["tensors"]} tensors and a few draws
of each; the 32768 neighbouring symbols of the committed sample; what the encoder's histogram counts of
these, one in 32 (the last two are means over the sampled tensors). `-fold` is a table by magnitude, see
below.

{table(titles, rows)}
What "100 to 200 samples" are decides everything. Of as many single symbols a table is useless: with 8 areas
{span(auto[:2], 1)} points lost. Of as many packets of 4096 symbols, of which the histogram counts {few} and
{many}, it is as good as of all: {span(auto[-2:])} points lost. Neighbours are no fair draw of a tensor, but
32768 of them lose no more than {max(part["in a row"].values()):.2f}. How tables age over many steps this
data, of one step, cannot show.

{plot("warmup", "Points lost with tables from few symbols")}"""


def folded(results: Results) -> str:
    """Half tables by magnitude."""
    codes = ("huffman", "auto-p4", "auto-p3", "quad16", "table1")
    kinds = results["kinds"]
    losses = {name: between(bits, "quad16-fold", "quad16") for name, bits in kinds.items()}
    free = [name for name, points in losses.items() if points < 0.05]
    return f"""## Sign folded

A table of 128 magnitudes, the sign sent as one bit, against the full one: points lost. For areas the sign is
the lowest bit of the rank, so a folded table is a table of the format whose symbols come in pairs, and half
of it tells the rest. Huffman codes the magnitude, and the sign is a bit beside it.

{points_table(kinds, {code: (f"{code}-fold", code) for code in codes})}
With `quad16` it costs less than 0.05 points on {names(free)}, and few warm-up symbols go twice as far
(above). It costs {losses["ffn_gate.act"]:.2f} on `ffn_gate.act`, whose signs differ in frequency, and more
on `attn.prob`, which has no negative values. So it would halve the tables of most kinds, but cannot be the
only kind of table.
"""


def mx_traffic(results: Results) -> str:
    """Elements and scales together."""

    def whole(elements: float, scales: float) -> float:
        return 100 * (1 - (elements + scales / 32) / (8 + 8 / 32))

    rows = []
    gains = {}
    for name, bits in results["kinds"].items():
        scales = results["scale kinds"][f"{name}.scale"]
        both = {code: whole(bits[code], scales[code]) for code in ("auto", "free4", "huffman", "entropy")}
        gains[name] = both["auto"] - 100 * (1 - bits["auto"] / 8)
        alone = [percent(bits["auto"]), percent(scales["auto"]), f"{whole(bits['auto'], 8):.2f}"]
        rows.append([f"`{name}`", *alone, *(f"{value:.2f}" for value in both.values())])
    titles = ["tensor", "elements alone, auto", "scales alone, auto", "both, scales raw"]
    titles += [f"both, {code}" for code in ("auto", "4 free lengths", "Huffman", "entropy limit")]
    return f"""## MX traffic as a whole

32 elements and their scale are 33 bytes. Elements and scales have a table each; `auto` is the best of P = 1
to 4 with at most four lengths.

{table(titles, rows)}
With its scales the traffic saves {span(gains[n] for n in without_zero_heavy(gains))} points more than its
elements alone (zero-heavy kinds apart), though only one byte in 33 is a scale: within a tensor scales hardly
differ.
"""


def limits(results: Results) -> str:
    """What these figures are not."""
    return """## Limits

One small model, one text, one batch, all with a scale every 32 elements: see the [card](../data/README.md).
Bits a symbol are without headers and tables, except where packets and compressors are measured. Published
figures are of other tensors, and only those that were published.
"""


SECTIONS = (
    intro,
    choose,
    every_code,
    goal,
    sharing,
    warm_up,
    folded,
    mx_traffic,
    bytes_in_order,
    beside_published,
    synthetic,
    groups_of_32,
    limits,
)


def render(results: Results) -> str:
    """The page."""
    return "\n".join(filled(section(results)) for section in SECTIONS)
