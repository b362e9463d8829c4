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

This section compares with zstd (zstandard {versions["zstandard"]}) and ZipNN {versions["zipnn"]}, a
compressor of tensors that uses Huffman in chunks for 8-bit floats. All codes are measured on the committed
samples of 32 KiB, with tables from the sample itself. The sizes of zstd and ZipNN include their headers and
tables. `packet` is a packet of this format with its headers and CRCs, but without its table. All other
columns count only codewords. `shuffled` is the same bytes in random order.

{saved_table(kinds, codes)}
Their scales, 1 KiB each:

{saved_table(results["sampled scale kinds"], scale_codes)}
On {names(plain)} zstd works as a Huffman code with its table in front: it saves no more than on shuffled
bytes. On {names(beyond)} it goes beyond the entropy limit of single symbols, because sequences of bytes
repeat. Attention probabilities and embedding gradients have runs of zeros. Keys and values repeat only in
layer 0 (`{first}`: zstd {of(first, "zstd-19")} %, shuffled {of(first, "zstd-19 shuffled")} %; `{later}`:
{of(later, "zstd-19")} and {of(later, "zstd-19 shuffled")} %). There they depend only on the token, and a
repeated token repeats its row. Weights gain {weights:.2f} points, because they were 4-bit and a block has few
different values. A code of single symbols cannot use repetitions. To search for them at wire rate takes
another kind of hardware.
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
The next table shows the tensors here, all layers of a kind together. First comes the entropy, split into
that of the exponent, of the mantissa given the exponent, and of the sign given both. Then come shares of
the symbols, by rank. `table1` has codewords of 6 bits for the first 40 ranks, and of 11 bits from 88 on.

{table(["tensor", *bits.values(), *shares.values()], shape_rows)}
- The mantissa is nearly even everywhere, {mantissa} of 3 bits (without zero-heavy kinds). So is the sign,
  except on `ffn_gate.act`. All that can be saved is in the exponent. Huffman takes
  {8 * (1 - ffn1["huffman"] / 100):.2f} bits for the published FFN1 activations, and {up["huffman"]:.2f} for
  `ffn_up.act`. So the published ones spread a little wider over exponents. The shape of `ffn_up.act`,
  widened to the published Huffman figure (below), gives {wider["table1"]:.1f} % with `table1`, near the
  published {ffn1["table1"]}, and {wider["exp-golomb"]:.1f} % with the best Exp-Golomb order, where
  {ffn1["exp-golomb"]} was published. Here symbols are sent by rank, with the best order for each tensor.
  The paper may do it differently.
- FFN2 activations: published {ffn2["huffman"]} %, here {percent(down["huffman"])} %. The published ones
  have a peak at zero, for which the dynamic code is made. Here {100 * ours["zero"]:.2f} % are zeros,
  because every 32 elements have a scale of their own, so small values do not vanish. A product of two
  activations also has heavy tails. A block's scale follows its largest value, so the others spread over
  many exponents ({ours["exponent bits"]:.2f} bits, the most of all kinds). With `table1`,
  {100 * ours["after88"]:.0f} % of all symbols take 11 bits. That code saves {percent(down[table1])} %, the
  best of 8 areas {percent(down["area8"])} %, the best quad code {percent(down["auto"])} %.
- Weight gradients: published {gradients["huffman"]} %, here {percent(kinds["ffn_up.grad"]["huffman"])} and
  {percent(kinds["ffn_down.grad"]["huffman"])} %. Their exponents spread wider than those of weights or FFN1
  activations, and there are no zeros. So `table2` only loses here, while it gains
  {gradients["table2"] - gradients["table1"]:.1f} points on the published ones.
- The zero-heavy tensors here are `attn.prob` and `embed.grad`. There `table2` gains {peaks} points over
  `table1`, and other codes gain far more.
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

**These are not real tensors.** A distribution is made of a share of zeros, and the shape of `ffn_up.act`, all
layers together, raised to a power. Share and power are fitted so that Huffman, which stands for the entropy,
and `table1` save what was published. The published height of the peak is unknown, so it follows from the fit.
Every other figure is a prediction. FFN1 activations need no peak, and only Huffman can be matched.

{table(["", "zeros %", *codes], rows)}
FFN2: take {100 * ffn2["zero"]:.0f} % zeros and the rest in the shape of FFN1 activations (power
{ffn2["power"]:.2f}). Then `table2` gains {saved["table2"] - saved["table1"]:.1f} points over `table1`; the
published gain is {published["table2"] - published["table1"]:.1f}. So a peak explains the dynamic code's
gain. The best of 8 areas would save {saved["area8"]:.1f} % (`{ffn2["found"]["area8"]}`), the best quad code
{saved["auto"]:.1f} % (`{ffn2["found"]["auto"]}`).

Weight gradients: one peak does not explain the published dynamic {dynamic} %. `table2` would save
{gradients["saved"]["table2"]:.1f} % of the fitted distribution, the best of 8 areas
{gradients["saved"]["area8"]:.1f} %. Perhaps those gradients differ from layer to layer, or their dynamic code
is another one. These data cannot tell.
"""
