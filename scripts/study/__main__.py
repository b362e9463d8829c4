"""Measures what every code saves on the tensors in ``data/``: ``make study``.

Writes the figures to ``build/study/study.json`` and a copy to ``docs/figures/study.json``. From that copy and
the areas in ``docs/figures/synth.json`` it writes ``docs/study.md``, and with the histograms the plots. Takes
some minutes.

Exit status: 0 all right, 1 data that cannot be read, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scripts.interrupt import end_on_signals

# One thread: the arrays are small, and the machine may be shared. Read when numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rich.progress import track

from scripts import ROOT, committed_data
from scripts.committed_data import Histogram, Sample
from scripts.study import front as study_front
from scripts.study import page as study_page
from scripts.study import plots as study_plots
from scripts.study import samples as on_samples
from scripts.study.codes import SCALE, chosen, code_bits, in_order, kind, mean_by_kind, shape, shared, unused
from scripts.study.published import SAVED
from scripts.study.synthetic import SHAPE, synthetic

Json = Any

DIGITS = 4


def rounded(value: Json) -> Json:
    """Every float with ``DIGITS`` decimals."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def columns(rows: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Rows of the same keys as one list of the keys and a list of figures a row."""
    return {
        "codes": list(next(iter(rows.values()))),
        "rows": {name: list(row.values()) for name, row in rows.items()},
    }


def by_kind(kinds: list[str], what: str, measure: Callable[[str], Any]) -> dict[str, Any]:
    """A measure of every kind, with progress."""
    return {name: measure(name) for name in track(kinds, what, transient=True)}


def measure_groups(samples: list[Sample], kinds: list[str]) -> dict[str, Any]:
    """All of groups that choose a table."""

    def symbols(name: str) -> list[Any]:
        return on_samples.members(samples, name)

    return {
        "groups": by_kind(
            kinds,
            "groups of 32",
            lambda name: on_samples.group_savings(symbols(name), symbols(name + SCALE)),
        ),
        "sizes": {
            "symbols": list(on_samples.GROUP_SIZES),
            **by_kind(
                kinds, "sizes of groups", lambda name: on_samples.size_savings(symbols(name), "auto-same", 2)
            ),
        },
    }


def study() -> dict[str, Any]:
    """Every figure."""
    histograms = list(committed_data.histograms().values())
    samples = committed_data.samples()
    elements = [h for h in histograms if not h.name.endswith(SCALE)]
    scales = [h for h in histograms if h.name.endswith(SCALE)]
    kinds = in_order(kind(h.name) for h in elements)
    pooled = {
        name: np.stack([h.counts for h in elements if kind(h.name) == name]).sum(axis=0) for name in kinds
    }

    def all_codes(what: str, some: list[Histogram]) -> dict[str, dict[str, float]]:
        return {h.name: code_bits(h) for h in track(some, what, transient=True)}

    def all_bytes(what: str, scale: bool) -> dict[str, dict[str, float]]:
        some = [s for s in samples if s.tensor.name.endswith(SCALE) == scale]
        return {s.tensor.name: on_samples.byte_bits(s) for s in track(some, what, transient=True)}

    element_bits, scale_bits = all_codes("elements", elements), all_codes("scales", scales)
    found = {h.name: chosen(h) for h in elements}
    element_bytes, scale_bytes = all_bytes("sampled elements", False), all_bytes("sampled scales", True)
    return {
        "versions": {name: version(name) for name in ("numpy", "zstandard", "zipnn")},
        "kinds": mean_by_kind(element_bits),
        "scale kinds": mean_by_kind(scale_bits),
        "unused": mean_by_kind({h.name: unused(h) for h in elements}),
        "shapes": {name: shape(counts) for name, counts in pooled.items()},
        "shared": shared(elements),
        "shared scales": shared(scales),
        "sampled kinds": mean_by_kind(element_bytes),
        "sampled scale kinds": mean_by_kind(scale_bytes),
        "warmup": on_samples.warmup([h for h in elements if kind(h.name) != "embed.grad"], samples),
        **measure_groups(samples, kinds),
        "synthetic": {
            name: synthetic(np.sort(pooled[SHAPE])[::-1], saved["huffman"], saved["table1"])
            for name, saved in SAVED.items()
        },
        "tensors": columns(element_bits),
        "scales": columns(scale_bits),
        "samples": columns(element_bytes),
        "chosen": found,
    }


def as_text(results: dict[str, Any]) -> str:
    """JSON with a line for each part of a part."""
    parts = []
    for name, part in results.items():
        if "rows" in part:
            rows = ",\n".join(f"   {json.dumps(key)}: {json.dumps(row)}" for key, row in part["rows"].items())
            inner = f'  "codes": {json.dumps(part["codes"])},\n  "rows": {{\n{rows}\n  }}'
        else:
            inner = ",\n".join(f"  {json.dumps(key)}: {json.dumps(row)}" for key, row in part.items())
        parts.append(f" {json.dumps(name)}: {{\n{inner}\n }}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> int:
    """Measures, writes, renders."""
    parser = argparse.ArgumentParser(
        prog="study", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "study", metavar="DIR")
    parser.add_argument("--render", action="store_true", help="only page and plots, from the kept figures")
    arguments = parser.parse_args()
    wrong = committed_data.check()
    if wrong:
        print(f"study: {wrong}", file=sys.stderr)
        return 1
    try:
        if not arguments.render:
            arguments.out.mkdir(parents=True, exist_ok=True)
            text = as_text(rounded(study()))
            (arguments.out / "study.json").write_text(text)
            study_page.STORE.write_text(text)
        results = json.loads(study_page.STORE.read_text())
        page = study_page.render(results, study_front.areas())
        study_plots.draw(results, study_page.STORE.parent)
        study_page.PAGE.write_text(page)
    except OSError as error:
        print(f"study: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except (ValueError, KeyError) as error:
        print(f"study: {study_page.STORE}: {error!r}", file=sys.stderr)
        return 1
    print(study_page.PAGE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    end_on_signals("study")
    sys.exit(main())
