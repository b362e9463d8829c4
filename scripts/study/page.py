"""``docs/study.md``, from the figures of ``make study`` and of synthesis alone: none is in its text."""

from __future__ import annotations

from collections import Counter

from qlc.bounds import BUILDS
from qlc.code import PRESETS

from scripts import ROOT
from scripts.study.front import CHOICES, MODULES, Areas, behind, built, front, points
from scripts.study.markdown import (
    ZERO_HEAVY,
    Results,
    between,
    filled,
    percent,
    plot,
    saved_table,
    span,
    table,
    without_zero_heavy,
)
from scripts.study.page_beside import beside_published, bytes_in_order, synthetic
from scripts.study.page_groups import groups_of_32
from scripts.study.page_why import code_space, how_near, known_bits, look_ups, raw_bits
from scripts.study.published import SAVED

STORE = ROOT / "docs" / "figures" / "study.json"
PAGE = ROOT / "docs" / "study.md"


def intro(results: Results) -> str:
    """What is measured, and what came out."""
    elements, scales = len(results["tensors"]["rows"]), len(results["scales"]["rows"])
    samples = len(results["samples"]["rows"])
    kinds = results["kinds"]
    usual = without_zero_heavy(kinds)
    published = SAVED["FFN1 activations"]

    def gaps(code: str) -> str:
        return span(between(kinds[name], code, "huffman") for name in usual)

    zero = {code: between(kinds["attn.prob"], code, "huffman") for code in ("table1", "auto", "auto-raw")}
    return f"""# What the codes save on real tensors

`make study` writes this page from `figures/study.json`, which has every tensor, and `figures/synth.json`.
Nobody types a number.

All figures are compressibility in percent, 100 (1 - bits a symbol / 8), or differences of it in points. They
come from exact counts of every element of the {elements} element tensors and {scales} scale tensors in
[data](../data/README.md). Unless it says otherwise, each tensor has tables of its own, and a figure is the
mean over the layers. Where the order of the bytes matters, the {samples} committed samples of 32768 elements
are measured, and the text says so. A tensor of mostly zeros is called *zero-heavy*.

- Huffman saves the most everywhere. `table1`, the paper's static code, is {gaps("table1")} points behind it,
  except on zero-heavy kinds. In the paper it is {published["huffman"] - published["table1"]:.1f} points
  behind, on FFN1 activations.
- The best quad code, `auto`, is {gaps("auto")} points behind. With a raw mantissa, `auto-raw`, it is
  {gaps("auto-raw")}.
- Half of the attention probabilities are zeros. There `table1` is {zero["table1"]:.1f} points behind, `auto`
  {zero["auto"]:.1f}, and `auto-raw` {zero["auto-raw"]:.1f}. So use `auto` for zero-heavy tensors, with a
  build that takes codewords of 1 bit. The default build does.
"""


def pick(results: Results, sizes: Areas) -> str:
    """The front of codes against their hardware."""
    kinds = results["kinds"]
    modules = {name: points(results, sizes, name) for name in built(sizes)}
    rows = []
    for choice in CHOICES:
        bounds = BUILDS[choice.build]
        lengths = f"{bounds.lengths} of {bounds.shortest} to {bounds.longest}"
        rows.append(
            [
                choice.title,
                f"`{choice.build}`",
                lengths,
                str(bounds.raw_bits),
                f"{behind(results, choice.code):.2f}",
                *(f"{between(kinds[name], choice.code, 'huffman'):.2f}" for name in ZERO_HEAVY),
                *(f"{offers[choice][0]:,.0f}" if choice in offers else "" for offers in modules.values()),
            ]
        )
    titles = ["code", "build", "lengths", "raw bits", "points behind", *(f"`{n}`" for n in ZERO_HEAVY)]
    area = " The last columns are the area of a build for the code: um2 in ASAP7, tables in flip-flops."
    area = area if modules else ""
    text = f"""## Which code and which build to pick

Codes that need less hardware may also save less. The table shows points behind Huffman: the mean over all
kinds that are not zero-heavy, then each zero-heavy kind.{area}

{table([*titles, *modules], rows)}"""
    if modules:
        fronts = []
        for name, offers in modules.items():
            kept = "; ".join(choice.title for choice in front(offers))
            fronts.append(f"- {name}: {kept}.")
        text += f"""
Each of these codes is on the front: no other is both smaller and nearer to Huffman. They come smallest first.
[figures.md](figures.md) draws them and has their clocks.

{chr(10).join(fronts)}
"""
    core = MODULES["decoder core"]
    raw, any_raw = (sizes.get(core.format(build)) for build in ("raw", "huffman_raw"))
    if raw and any_raw:
        gain = behind(results, "auto-raw") - behind(results, "huffman-raw")
        text += f"""
With a raw mantissa, codes of any number of lengths save {gain:.2f} points more than codes of four. They
change the area of the decoder core by {100 * (any_raw / raw - 1):+.0f} %.
"""
    raw_build = BUILDS["raw"]
    quad = behind(results, "auto-raw") - behind(results, "auto-4")
    lengths_gain = behind(results, "auto") - behind(results, "huffman12")
    return f"""{text}
What to use:

- **Activations, weights and their gradients with a scale every 32 elements:** use the build with a raw
  mantissa, and tables by `qlc calibrate --raw-bits {raw_build.raw_bits} --shortest {raw_build.shortest}`.
  They are {quad:.2f} points behind the best quad code.
- **If each point counts:** use `auto` in the default build, or with `--shortest 4` in the build `quad`. Codes
  of any number of lengths, `--scheme huffman`, save {lengths_gain:.2f} points more in a build for them.
- **Tensors of mostly zeros:** use `auto` in the default build. If codewords have at least 4 bits, it loses
  {between(kinds["attn.prob"], "auto-4", "auto"):.1f} points on `attn.prob` and
  {between(kinds["embed.grad"], "auto-4", "auto"):.1f} on `embed.grad`.
- **Streams of other people:** `table1` and `table2`, which every build without raw bits can read.

This table shows the code that most layers of a kind get, in the form that `--scheme` takes:

{found_codes(results)}"""


def found_codes(results: Results) -> str:
    """What is found most often, by kind."""
    rows = []
    for kind, bits in results["kinds"].items():
        row = [f"`{kind}`"]
        for code in ("auto", "auto-raw"):
            found = Counter(
                chosen[code]
                for name, chosen in results["chosen"].items()
                if name == kind or name.endswith(f".{kind}")
            )
            text, layers = found.most_common(1)[0]
            row += [percent(bits[code]), f"`{text}`, {layers} of {found.total()}"]
        rows.append(row)
    return table(["tensor", "`auto`", "its code", "`auto-raw`", "its code"], rows)


def every_code(results: Results) -> str:
    """All codes, all kinds."""
    kinds = results["kinds"]
    orders = sorted({row["exp-golomb order"] for row in results["chosen"].values()}, key=int)
    first = table(
        ["preset", "the paper's areas", "lengths x ranks"],
        ([f"`{name}`", f"`{code.areas}`", f"`{code}`"] for name, code in PRESETS.items()),
    )
    codes = {
        "entropy": "entropy limit",
        "huffman": "Huffman",
        "huffman12": "any lengths up to 12",
        "auto": "`auto`",
        "auto-raw": "`auto-raw`",
        "huffman-raw": "any lengths, raw mantissa",
        "area16": "`area16`",
        "area8": "`area8`",
        "quad16": "`quad16`",
        "table1": "`table1`",
        "table2": "`table2`",
        "dual": "`dual`",
        "threshold": "2 % heuristic",
        "exp-golomb": "Exp-Golomb",
        "elias-gamma": "Elias gamma",
    }
    return f"""## Every code

Exp-Golomb has the best order for each tensor, {orders[0]} to {orders[-1]}.

{saved_table(kinds, codes)}
{first}
The 2 % heuristic makes 8 areas, and closes an area as soon as it holds 2 % of the symbols. On `ffn_up.act`
the eight most frequent symbols hold {100 * results["shapes"]["ffn_up.act"]["first8"]:.0f} %. There the
heuristic spends its areas on the first few ranks, and all other ranks get codewords longer than a byte.
"""


def sharing(results: Results) -> str:
    """Tables of a tensor, of a kind, of all."""
    scopes = ("own", "kind", "all")

    def shared_table(part: str, codes: tuple[str, ...]) -> str:
        titles = {f"{code} {scope}": f"{code}, {scope}" for code in codes for scope in scopes}
        return saved_table(results[part], titles)

    shared = results["shared"]
    kinds = without_zero_heavy(shared)

    def lost(code: str, scope: str) -> dict[str, float]:
        return {name: between(shared[name], f"{code} {scope}", f"{code} own") for name in kinds}

    of_kind, of_all = lost("auto", "kind"), lost("auto", "all")
    preset = lost("quad16", "all")
    most = max(of_kind, key=lambda name: of_kind[name])
    return f"""## Tables of a layer, of a kind, of everything

`own` is a table for each tensor, `kind` is one for all layers of a kind, and `all` is one for everything,
with elements and scales apart. A shared table is made from the sum of the counts. `huffman12` is the best
code of any lengths up to 12 bits, with a codeword for every symbol.

{shared_table("shared", ("huffman12", "auto", "auto-raw", "quad16", "table1"))}
{shared_table("shared scales", ("huffman12", "auto"))}
One `auto` table a kind costs {span(of_kind.values())} points (without zero-heavy kinds), most on `{most}`.
One for everything costs {span(of_all.values())}. The reason is that the zeros of attention probabilities
are a large part of the sum, and take half of the code space. The preset `quad16` is not fitted to the sum.
With it, one table for everything costs {span(preset.values())}. So for a table for everything use a code
that is not fitted, or leave out zero-heavy tensors.
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
    auto, raw = part["random"]["auto"], part["random"]["auto-raw"]
    few, many = part["symbols"][-2:]
    return f"""## Tables from a warm-up

How many symbols does a good table need? The table shows the points lost when a table is made from some
symbols instead of all. The whole tensor is the judge. The first columns are for so many symbols drawn at
random, the mean of the {part["tensors"]} tensors that have a sample. Then come the 32768 neighbouring
symbols of the committed sample, and what the encoder's histogram counts of these, one in 32. `auto-fold` is
a table by magnitude: the two signs of one magnitude have neighbouring codewords.

{table(titles, rows)}
Are "100 to 200 samples" enough? That depends on what a sample is. A table from so many single symbols
is useless: `auto` loses {span(auto[:2], 1)} points. From so many packets of 4096 symbols the histogram counts
{few} and {many} symbols. Such a table is as good as one from all symbols: it loses {span(auto[-2:])} points.
Neighbouring symbols are not a random draw, but 32768 of them lose no more than
{max(part["in a row"].values()):.2f}.

A table of 32 classes needs fewer symbols than one of 256. From 512 symbols `auto` loses {auto[2]:.2f} points,
and `auto-raw` {raw[2]:.2f}. The data are of one step, so they cannot show how tables age over many steps.

{plot("warmup", "Points lost with tables from few symbols")}"""


def mx_traffic(results: Results) -> str:
    """Elements and scales together."""

    def whole(elements: float, scales: float) -> float:
        return 100 * (1 - (elements + scales / 32) / (8 + 8 / 32))

    rows = []
    gains = {}
    codes = ("auto", "huffman12", "huffman", "entropy")
    for name, bits in results["kinds"].items():
        scales = results["scale kinds"][f"{name}.scale"]
        both = {code: whole(bits[code], scales[code]) for code in codes}
        both["auto-raw"] = whole(bits["auto-raw"], scales["auto"])
        gains[name] = both["auto"] - 100 * (1 - bits["auto"] / 8)
        alone = [percent(bits["auto"]), percent(scales["auto"]), f"{whole(bits['auto'], 8):.2f}"]
        rows.append([f"`{name}`", *alone, *(f"{both[code]:.2f}" for code in ("auto-raw", *codes))])
    titles_of = ("auto-raw", "auto", "any lengths up to 12", "Huffman", "entropy limit")
    titles = ["tensor", "elements alone, auto", "scales alone, auto", "both, scales raw"]
    titles += [f"both, {code}" for code in titles_of]
    return f"""## MX traffic as a whole

32 elements and their scale are 33 bytes. Elements and scales have a table each. Scales have no mantissa, so
they are coded with `auto` even beside `auto-raw`. That takes a build without raw bits.

{table(titles, rows)}
With its scales the traffic saves {span(gains[n] for n in without_zero_heavy(gains))} points more than its
elements alone (`auto`, without zero-heavy kinds). Only one byte in 33 is a scale, but the scales of a tensor
hardly differ.
"""


def limits(results: Results) -> str:
    """What these figures are not."""
    return """## Limits

The data are of one small model, one text and one batch, with a scale every 32 elements: see the
[card](../data/README.md). Bits a symbol do not include headers and tables, except for packets and
compressors. Published figures are of other tensors, and only a few were published.
"""


def render(results: Results, sizes: Areas) -> str:
    """The page."""
    parts = (
        intro(results),
        pick(results, sizes),
        how_near(results),
        code_space(results),
        known_bits(results),
        raw_bits(results),
        look_ups(results, sizes),
        every_code(results),
        sharing(results),
        warm_up(results),
        mx_traffic(results),
        bytes_in_order(results),
        beside_published(results),
        synthetic(results),
        groups_of_32(results),
        limits(results),
    )
    return "\n".join(filled(part) for part in parts)
