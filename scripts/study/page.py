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

Written by `make study` from `figures/study.json`, which has every tensor, and `figures/synth.json`; no
figure is typed by hand.

All figures are compressibility in percent, 100 (1 - bits a symbol / 8), or differences of it in points. They
are of the {elements} element tensors and {scales} scale tensors of [data](../data/README.md), from exact
counts of every element, each tensor with tables of its own, mean over the layers, unless it says otherwise.
What needs the bytes in order is measured on the {samples} committed samples of 32768 elements, and says so.

- Huffman saves most everywhere. `table1`, the paper's static code, is {gaps("table1")} points behind it,
  zero-heavy kinds apart. The paper has {published["huffman"] - published["table1"]:.1f} on its FFN1
  activations.
- The best quad code, `auto`, is {gaps("auto")} points behind. With a raw mantissa, `auto-raw`, it is
  {gaps("auto-raw")}.
- On attention probabilities, half of which are zeros, `table1` is {zero["table1"]:.1f} points behind, `auto`
  {zero["auto"]:.1f}, `auto-raw` {zero["auto-raw"]:.1f}. So zero-heavy tensors want `auto` and a build that
  takes codewords of 1 bit, which the default build does.
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
    area = "; and the area of the build that is made for the code, in um2, ASAP7, tables in flip-flops"
    area = area if modules else ""
    text = f"""## Which code and which build to pick

A code for which less hardware is needed may save less. Points behind Huffman, mean over all but the
zero-heavy kinds, then those{area}:

{table([*titles, *modules], rows)}"""
    if modules:
        fronts = []
        for name, offers in modules.items():
            kept = "; ".join(choice.title for choice in front(offers))
            fronts.append(f"- {name}: {kept}.")
        text += f"""
Codes to which no other is both smaller and nearer Huffman, smallest first; [figures.md](figures.md) draws
them and has their clocks:

{chr(10).join(fronts)}
"""
    core = MODULES["decoder core"]
    raw, any_raw = (sizes.get(core.format(build)) for build in ("raw", "huffman_raw"))
    if raw and any_raw:
        gain = behind(results, "auto-raw") - behind(results, "huffman-raw")
        text += f"""
With a raw mantissa, any number of lengths saves {gain:.2f} points more than four, and changes the decoder
core by {100 * (any_raw / raw - 1):+.0f} % in area.
"""
    raw_build = BUILDS["raw"]
    quad = behind(results, "auto-raw") - behind(results, "auto-4")
    lengths_gain = behind(results, "auto") - behind(results, "huffman12")
    return f"""{text}
What to take:

- **Activations, weights and their gradients with a scale every 32 elements:** the build with raw mantissa,
  and tables by `qlc calibrate --raw-bits {raw_build.raw_bits} --shortest {raw_build.shortest}`. They are
  {quad:.2f} points behind the best quad code.
- **Where each point counts:** `auto` in the default build, or with `--shortest 4` in the one without shorter
  codewords. Any number of lengths, `--scheme huffman`, saves {lengths_gain:.2f} points more in a build for
  it.
- **Tensors full of zeros:** `auto` in the default build. Codewords of at least 4 bits cost it
  {between(kinds["attn.prob"], "auto-4", "auto"):.1f} points on `attn.prob` and
  {between(kinds["embed.grad"], "auto-4", "auto"):.1f} on `embed.grad`.
- **Other people's streams:** `table1` and `table2`, which every build without raw bits reads.

The code that most layers of a kind get, in the form that `--scheme` takes:

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

Exp-Golomb is of the best order of each tensor, {orders[0]} to {orders[-1]}.

{saved_table(kinds, codes)}
{first}
The 2 % heuristic makes 8 areas: it closes one as soon as it holds 2 % of the symbols. Where the eight most
frequent symbols hold no more than {100 * results["shapes"]["ffn_up.act"]["first8"]:.0f} % (`ffn_up.act`) it
spends its areas on the first few ranks, and all that are left get codewords longer than a byte.
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

`own`: a table for each tensor; `kind`: one for all layers of a kind; `all`: one for everything, elements and
scales apart. A shared table is made of the sum of the counts. `huffman12` is the best code of any lengths up
to 12 bits, with a codeword for every symbol.

{shared_table("shared", ("huffman12", "auto", "auto-raw", "quad16", "table1"))}
{shared_table("shared scales", ("huffman12", "auto"))}
One `auto` table a kind costs {span(of_kind.values())} points (zero-heavy kinds apart), most on `{most}`. One
for everything costs {span(of_all.values())}: the zeros of attention probabilities are a large part of the
sum, and it spends half of the code space on them. The preset `quad16`, which is fitted to no sum, costs
{span(preset.values())} with one table for everything. A table for all wants a code that is not fitted, or
zero-heavy tensors kept apart.
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

Points lost against a table of all symbols when the table is made of some, always judged on the whole tensor.
Columns: so many symbols drawn at random from the tensor, mean of the {part["tensors"]} tensors that have a
sample; the 32768 neighbouring symbols of the committed sample; what the encoder's
histogram counts of these, one in 32. `auto-fold` is a table by magnitude: two signs of one magnitude have
neighbouring codewords.

{table(titles, rows)}
What "100 to 200 samples" are decides everything. Of as many single symbols a table is useless: `auto` loses
{span(auto[:2], 1)} points. Of as many packets of 4096 symbols, of which the histogram counts {few} and
{many}, it is as good as of all: {span(auto[-2:])} points lost. Neighbours are no fair draw of a tensor, but
32768 of them lose no more than {max(part["in a row"].values()):.2f}.

A table of 32 classes learns from fewer symbols than one of 256: of 512 symbols `auto` loses {auto[2]:.2f}
points, `auto-raw` {raw[2]:.2f}. How tables age over many steps this data, of one step, cannot show.

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
with `auto-raw` too they have `auto`, which takes a build without raw bits.

{table(titles, rows)}
With its scales the traffic saves {span(gains[n] for n in without_zero_heavy(gains))} points more than its
elements alone (zero-heavy kinds apart, `auto`), though only one byte in 33 is a scale: within a tensor
scales hardly differ.
"""


def limits(results: Results) -> str:
    """What these figures are not."""
    return """## Limits

One small model, one text, one batch, all with a scale every 32 elements: see the [card](../data/README.md).
Bits a symbol are without headers and tables, except where packets and compressors are measured. Published
figures are of other tensors, and only those that were published.
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
