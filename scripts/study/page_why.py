"""The part of ``docs/study.md`` on why codes differ in what they save and in what they cost."""

from __future__ import annotations

from qlc.bounds import BUILDS

from scripts.study.codes import KNOWN_BITS, LONGEST_BITS, RAW_BITS, UNUSED_OF, raw_name
from scripts.study.front import MODULES, Areas, behind
from scripts.study.markdown import (
    FFN,
    ZERO_HEAVY,
    Results,
    between,
    mean,
    names,
    plot,
    points_table,
    span,
    table,
    without_zero_heavy,
)

RAW = BUILDS["raw"]
VISIBLE = 0.05
"""Points from which a loss is spoken of."""
AREAS = (2, 4, 8, 16, 32, 64)


def code_space(results: Results) -> str:
    """Areas against limits."""
    kinds, unused = results["kinds"], results["unused"]
    titles = {
        "table1": "`table1`",
        "area8": "8 areas",
        "area16": "16 areas",
        "auto": "quad code",
        "auto-raw": "quad code, raw mantissa",
        "huffman12": "any lengths",
    }
    rows = [
        [
            f"`{name}`",
            *(f"{between(bits, code, 'entropy'):.2f} ({unused[name][code]:.2f})" for code in UNUSED_OF),
        ]
        for name, bits in kinds.items()
    ]
    by_areas = {f"{n} areas": (f"area{n}", "huffman") for n in AREAS}
    usual = without_zero_heavy(kinds)

    short = [name for name in usual if between(kinds[name], "area64", "auto") > VISIBLE]

    def lost(code: str) -> str:
        return span(unused[name][code] for name in usual)

    return f"""## Why: areas waste code space

A code is behind the entropy limit for two reasons: no rank uses some of the code space, and the lengths do
not follow the curve of the probabilities. The table shows the points behind the limit, and in brackets how
many of them are unused space:

{table(["tensor", *(titles[code] for code in UNUSED_OF)], rows)}
Areas are equal parts of the code space. The last one is partly empty, because 256 ranks seldom fill it. So
the best code of 8 areas leaves {lost("area8")} points unused (without zero-heavy kinds), the best of 16 areas
{lost("area16")}, and a quad code {lost("auto")}. The other part shrinks as well, because a length of a quad
code can end at any 64th of the code space.

More areas do not always help. This table shows points behind Huffman, for the best code of 2 to 64 areas,
with at most four lengths of up to 12 bits, and for the quad code:

{points_table(kinds, {**by_areas, "quad code": ("auto", "huffman")})}
64 areas are a quad code without codewords of fewer than 6 bits. On most kinds nothing is lost, but on
{names(short)} something is. Zero-heavy tensors lose the most. A zero should take one bit, but with P prefix
bits it takes at least P. A quad code can have a codeword of 1 bit although it looks at 6 bits.

{plot("areas", "Probability by rank, and the code space that each rank gets")}
A code is ideal where its steps, 2^-length, lie on the curve. It loses bits where a step is far from it.

{plot("gap", "Gap to the entropy limit against the number of areas")}"""


def known_bits(results: Results) -> str:
    """How many bits must tell the length."""
    kinds = results["kinds"]
    columns = {f"{n} bits": (f"known{n}", "huffman") for n in KNOWN_BITS}
    columns |= {
        "6 bits": ("auto", "huffman"),
        "12 bits": ("free4", "huffman"),
        "any lengths, 12 bits": ("huffman12", "huffman"),
    }
    usual = without_zero_heavy(kinds)
    four = span(between(kinds[name], "free4", "huffman12") for name in usual)
    six = span(between(kinds[name], "auto", "free4") for name in usual)
    twelve = span(between(kinds[name], "huffman12", "huffman") for name in usual)
    return f"""## Why: four lengths, known from 6 bits, are enough

The table shows points behind Huffman, for the best code of four lengths whose first so many bits tell the
length. The last column is the best code of any number of lengths up to 12 bits, with a codeword for each of
the 256 symbols:

{points_table(kinds, columns)}
Without zero-heavy kinds, limiting codewords to 12 bits costs {twelve} points. Four lengths cost {four}
more, and 6 known bits {six} more. Huffman's own code may have codewords of more than 12 bits, and has none
for symbols that do not occur.
"""


def raw_bits(results: Results) -> str:
    """Which bits may be raw."""
    kinds, shapes = results["kinds"], results["shapes"]
    usual = without_zero_heavy(kinds)
    columns = {f"limit, {n} raw": (f"entropy-raw{n}", "entropy") for n in RAW_BITS}
    columns |= {f"quad code, {n} raw": (raw_name(n, 12), "auto") for n in RAW_BITS}
    columns |= {"limit, sign raw": ("entropy-fold", "entropy"), "quad code, sign raw": ("auto-fold", "auto")}
    rows = [
        [
            f"`{name}`",
            f"{shapes[name]['mantissa bits']:.2f}",
            *(f"{between(bits, *step):.2f}" for step in columns.values()),
        ]
        for name, bits in kinds.items()
    ]
    longest_rows = []
    scopes = {"mean": usual, **{f"`{name}`": [name] for name in ZERO_HEAVY}}
    for number in RAW_BITS:
        for scope, of in scopes.items():
            codes = [raw_name(number, bits) for bits in LONGEST_BITS]
            gaps = [mean(between(kinds[name], code, "huffman") for name in of) for code in codes]
            longest_rows.append([str(number), scope, *(f"{gap:.2f}" for gap in gaps)])
    mantissa = span(shapes[name]["mantissa bits"] for name in usual)
    limit, quad = (
        span(between(kinds[name], raw, best) for name in usual)
        for raw, best in (("entropy-raw3", "entropy"), (raw_name(3, 12), "auto"))
    )
    shorter = behind(results, raw_name(3, 11)) - behind(results, raw_name(3, 12))
    zeros = " and ".join(
        f"{between(kinds[name], raw_name(3, 12), 'auto'):.1f} on `{name}`" for name in ZERO_HEAVY
    )
    ahead = [n for n in kinds if between(kinds[n], "table1", "auto-raw") > 0]
    where = "every kind" if len(ahead) == len(kinds) else names(ahead)
    return f"""## Why: mantissa bits are nearly even

The first column is the entropy of the 3 mantissa bits, given sign and exponent. The others show the points
that are lost when the lowest 1, 2 or 3 mantissa bits, or the sign, are not coded: by the entropy limit, and
by the quad code. With raw mantissa bits, codewords have 4 to 12 bits.

{table(["tensor", "mantissa, bits", *columns], rows)}
The mantissa holds {mantissa} of its 3 bits (without zero-heavy kinds), so the limit loses {
        limit
    } points when all 3
are raw, and the quad code {
        quad
    }. In return only 32 classes of sign and exponent have a rank, where 256 symbols
had one.

**On zero-heavy tensors raw bits lose much more:** {
        zeros
    }. A zero is one symbol of its class, and its codeword
carries the raw bits as well. Use a code without raw bits for such tensors.

The sign is as even as the mantissa on most kinds, but not on `ffn_gate.act` nor on `attn.prob`, which has no
negative values. A raw sign halves the look-up, a raw mantissa divides it by 8.

With raw bits, a limit on the longest codeword costs points, too. This table shows points behind Huffman,
for the best quad code from 4 bits to the longest: the mean without zero-heavy kinds, then each zero-heavy
kind.

{table(["raw bits", "tensor", *(f"longest {n}" for n in LONGEST_BITS)], longest_rows)}
With 3 raw bits a longest codeword of 11 bits loses {shorter:.2f} points against 12.

`auto-raw`, the quad code of the build with raw mantissa, still saves more than `table1` on {where}.
"""


def look_ups(results: Results, sizes: Areas) -> str:
    """What the look-ups cost."""
    pairs = {
        name: (sizes[target.format("quad")], sizes[target.format("raw")])
        for name, target in MODULES.items()
        if {target.format("quad"), target.format("raw")} <= set(sizes)
    }
    text = """## Why: every symbol takes a look-up of 256 entries

Every symbol is looked up in a table: a decoder finds the symbol of a rank, an encoder the rank of a symbol.
That table has 256 entries of 8 bits, whatever the code. A code that is simpler to decode only makes the rest
smaller. With 3 raw bits the table has 32 entries of 5 bits, and the rest stays the same.
"""
    if not pairs:
        return text
    rows = [
        [name, f"{quad:,.0f}", f"{raw:,.0f}", f"{100 * (1 - raw / quad):.0f} %"]
        for name, (quad, raw) in pairs.items()
    ]
    return f"""{text}
{table(["module", "quad, um2", "raw mantissa, um2", "smaller by"], rows)}
Area in ASAP7, tables in flip-flops, from [figures.md](figures.md). Both builds have a shortest codeword of 4
bits.
"""


def how_near(results: Results) -> str:
    """The summary of all codes, in points behind Huffman."""
    kinds = results["kinds"]
    codes = {
        "`table1`": "table1",
        "8 areas": "area8",
        "16 areas": "area16",
        "quad code": "auto",
        "1 raw bit": raw_name(1, 12),
        "2 raw": raw_name(2, 11),
        "3 raw": raw_name(3, 10),
        "`auto-raw`": "auto-raw",
        "any lengths, 3 raw": "huffman-raw",
        "any lengths up to 12 bits": "huffman12",
    }
    usual = without_zero_heavy(kinds)

    def gaps(code: str, of: list[str] | tuple[str, ...] = FFN) -> str:
        return span(between(kinds[name], code, "huffman") for name in of)

    wins = all(between(bits, code, "huffman") > 0 for bits in kinds.values() for code in codes.values())
    nearest = "**Huffman saves more than every other code on every kind.** " if wins else ""
    prob = kinds["attn.prob"]
    return f"""## How far behind Huffman

The table shows points behind Huffman, whose codewords may have any length. The codes with 1, 2 and 3 raw bits
have codewords of up to 12, 11 and 10 bits. `auto-raw` is the best code for the build with a raw mantissa:
{RAW.raw_bits} raw bits, codewords of {RAW.shortest} to {RAW.longest} bits. All but the last two codes have at
most four lengths.

{points_table(kinds, {title: (code, "huffman") for title, code in codes.items()})}
{nearest}On all kinds that are not zero-heavy the quad code comes within {gaps("auto", usual)} points of it,
`table1` within {gaps("table1", usual)}. On the three FFN activations the quad code is {gaps("auto")} points
behind, 16 areas {gaps("area16")}, 8 areas {gaps("area8")}.

Zero-heavy tensors differ most. On `attn.prob` the quad code is {between(prob, "auto", "huffman"):.2f} points
behind, the best code of 8 areas {between(prob, "area8", "huffman"):.2f}, and `table1`
{between(prob, "table1", "huffman"):.2f}. If codewords have at least 4 bits, that alone costs
{between(prob, "auto-4", "auto"):.2f} points there, and {between(kinds["embed.grad"], "auto-4", "auto"):.2f}
on `embed.grad`. Raw bits cost more, as shown below.

{plot("layers", "Compressibility of every layer")}"""
