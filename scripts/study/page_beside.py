"""The parts of ``docs/study.md`` that stand beside others' work: byte compressors, published figures."""

from __future__ import annotations

from qlc.baselines import compressibility

from scripts.study.markdown import (
    ZERO_HEAVY,
    Results,
    between,
    mean,
    names,
    percent,
    saved_table,
    span,
    table,
    without_zero_heavy,
)
from scripts.study.published import HERE, MODEL, SAVED, SOURCE


def bytes_in_order(results: Results) -> str:
    """Byte compressors."""
    versions, kinds, samples = results["versions"], results["sampled kinds"], results["samples"]
    codes = {
        "entropy": "entropy limit",
        "huffman": "Huffman",
        "huffman12": "any lengths up to 12",
        "auto": "`auto`",
        "auto-raw": "`auto-raw`",
        "area8": "8 areas",
        "table1": "`table1`",
        "auto packet": "`auto`, packet",
        "auto-raw packet": "`auto-raw`, packet",
        "zstd-3": "zstd 3",
        "zstd-19": "zstd 19",
        "zstd-19 shuffled": "zstd 19, shuffled",
        "zipnn": "ZipNN",
    }

    scale_codes = {code: title for code, title in codes.items() if "raw" not in code}

    def of(tensor: str, code: str) -> str:
        return percent(samples["rows"][tensor][samples["codes"].index(code)])

    beyond = [n for n, b in kinds.items() if compressibility(b["zstd-19"]) > compressibility(b["entropy"])]
    plain = [n for n in kinds if n not in beyond and "weight" not in n]
    weights = mean(between(kinds[n], "zstd-19 shuffled", "zstd-19") for n in kinds if "weight" in n)
    first, later = "layers.00.attn.key", "layers.12.attn.key"
    return f"""## Compressors of bytes

On the committed samples, 32 KiB each, with tables of the sample itself: zstd (zstandard
{versions["zstandard"]}) and ZipNN {versions["zipnn"]}, a compressor of tensors, which for 8-bit floats is
Huffman in chunks. Their sizes hold their headers and tables. `packet` is a packet of this format with its
headers and CRCs, its table apart. All others are bits a symbol alone. `shuffled` is the same bytes in random
order.

{saved_table(kinds, codes)}
Their scales, 1 KiB each:

{saved_table(results["sampled scale kinds"], scale_codes)}
On {names(plain)} zstd is a Huffman code with its table in front: it saves no more than of shuffled bytes. It
goes beyond the entropy limit of single symbols on {names(beyond)}, because bytes repeat in order. Attention
probabilities and embedding gradients have runs of zeros. Keys and values repeat in layer 0 alone (`{first}`:
zstd {of(first, "zstd-19")} %, shuffled {of(first, "zstd-19 shuffled")} %; `{later}`: {of(later, "zstd-19")}
and {of(later, "zstd-19 shuffled")} %): there they depend on the token only, and a token that comes again
brings the same row. Weights gain {weights:.2f} points: they were 4-bit, and a block of them has few different
values. A code of single symbols cannot have this; a search for repetitions at wire rate is another kind of
hardware.
"""


def beside_published(results: Results) -> str:
    """The published figures beside these."""
    kinds, shapes = results["kinds"], results["shapes"]
    codes = {
        "huffman": "Huffman",
        "table1": "`table1`, static",
        "table2": "`table2`, dynamic",
        "exp-golomb": "Exp-Golomb",
    }
    rows = []
    for what, row in SAVED.items():
        rows.append([f"published: {what}", *(str(row.get(code, "")) for code in codes)])
        rows += [[f"`{name}`", *(percent(kinds[name][code]) for code in codes)] for name in HERE[what]]
    bits = {
        "entropy": "entropy, bits",
        "sign bits": "of the sign",
        "exponent bits": "of the exponent",
        "mantissa bits": "of the mantissa",
    }
    shares = {
        "zero": "zeros %",
        "negative": "negative %",
        "first": "first rank %",
        "first8": "first 8 %",
        "first40": "first 40 %",
        "after88": "from 88 on %",
    }
    shape_rows = (
        [
            f"`{name}`",
            *(f"{shape[key]:.2f}" for key in bits),
            *(f"{100 * shape[key]:.2f}" for key in shares),
        ]
        for name, shape in shapes.items()
    )
    ffn1, ffn2, gradients = SAVED.values()
    down, up, table1 = kinds["ffn_down.in"], kinds["ffn_up.act"], "table1"
    mantissa = span(shapes[n]["mantissa bits"] for n in without_zero_heavy(shapes))
    peaks = " and ".join(f"{between(kinds[name], 'table1', 'table2'):.1f}" for name in ZERO_HEAVY)
    ours = shapes["ffn_down.in"]
    wider = results["synthetic"]["FFN1 activations"]["saved"]
    return f"""## Beside the published figures ({MODEL})

{SOURCE}.

{table(["tensor", *codes.values()], rows)}
What the tensors here look like, all layers of a kind together: the entropy, split into that of the exponent,
of the mantissa given the exponent, and of the sign given both; and shares of the ranks, where `table1` has
its 6-bit codewords (the first 40) and its 11-bit ones (from 88 on).

{table(["tensor", *bits.values(), *shares.values()], shape_rows)}
- The mantissa is nearly even everywhere, {mantissa} of 3 bits (zero-heavy kinds apart), and so is the sign
  but for `ffn_gate.act`: what can be saved is in the exponent. Published FFN1 activations take Huffman
  {8 * (1 - ffn1["huffman"] / 100):.2f} bits, `ffn_up.act` {up["huffman"]:.2f}: theirs are spread a little
  wider over exponents. The shape of `ffn_up.act`, widened to the published Huffman figure (below), gives
  {wider["table1"]:.1f} % with `table1`, near the published {ffn1["table1"]}, and {wider["exp-golomb"]:.1f} %
  with the best Exp-Golomb order, where {ffn1["exp-golomb"]} was published. Here symbols are sent by rank and
  the order is the best of each tensor; the paper may do otherwise.
- FFN2 activations: published {ffn2["huffman"]} %, here {percent(down["huffman"])} %. The published have a
  peak at zero, which the dynamic code is made for. Here {100 * ours["zero"]:.2f} % are zeros, because each
  32 elements have a scale of their own and small values do not vanish. And a product of two activations is
  heavy-tailed: a block's scale follows its largest value, the others spread over many exponents
  ({ours["exponent bits"]:.2f} bits, the most of all kinds), and {100 * ours["after88"]:.0f} % of all symbols
  take 11 bits with `table1`. That code saves {percent(down[table1])} %, the best of 8 areas
  {percent(down["area8"])} %, the best quad code {percent(down["auto"])} %.
- Weight gradients: published {gradients["huffman"]} %, here {percent(kinds["ffn_up.grad"]["huffman"])} and
  {percent(kinds["ffn_down.grad"]["huffman"])} %: a wider exponent than weights or FFN1 activations have, and
  no zeros. So `table2`, which gains {gradients["table2"] - gradients["table1"]:.1f} points on the published
  ones, only loses.
- Zero-heavy tensors here are `attn.prob` and `embed.grad`. There `table2` gains {peaks} points on `table1`,
  and other codes far more.
"""


def synthetic(results: Results) -> str:
    """The fitted distributions."""
    codes = ("entropy", "huffman", "table1", "table2", "quad16", "area8", "auto", "exp-golomb")
    rows = []
    for what, fitted in results["synthetic"].items():
        rows.append([f"published: {what}", "", *(str(SAVED[what].get(code, "")) for code in codes)])
        saved = fitted["saved"]
        rows.append(["synthetic", f"{100 * fitted['zero']:.1f}", *(f"{saved[code]:.2f}" for code in codes)])
    ffn2, gradients = (results["synthetic"][what] for what in ("FFN2 activations", "weight gradients"))
    saved, published = ffn2["saved"], SAVED["FFN2 activations"]
    dynamic = SAVED["weight gradients"]["table2"]
    return f"""## Synthetic: a peak at zero

**No real tensor.** The shape of `ffn_up.act`, all layers together, raised to a power, behind a share of
zeros. Share and power are fitted so that Huffman, which stands for the entropy, and `table1` save what was
published; the height of the published peak is not known here and comes out of the fit. All else is then a
prediction. FFN1 activations ask for no peak, and Huffman alone can be met.

{table(["", "zeros %", *codes], rows)}
FFN2: with {100 * ffn2["zero"]:.0f} % zeros, and the rest shaped as FFN1 activations are (power
{ffn2["power"]:.2f}), `table2` gains {saved["table2"] - saved["table1"]:.1f} points on `table1`; published
are {published["table2"] - published["table1"]:.1f}. So a peak explains the dynamic code's gain. The
best of 8 areas would save {saved["area8"]:.1f} % (`{ffn2["found"]["area8"]}`), the best quad code
{saved["auto"]:.1f} % (`{ffn2["found"]["auto"]}`).

Weight gradients: one peak does not explain the published dynamic {dynamic} %. `table2` would save
{gradients["saved"]["table2"]:.1f} % of the fitted distribution, the best of 8 areas
{gradients["saved"]["area8"]:.1f} %. Those gradients may differ from layer to layer, or their dynamic
code be another; this data cannot tell.
"""
