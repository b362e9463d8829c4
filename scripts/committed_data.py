"""The tensors and histograms in ``data/``, and which histogram a sample's table is made from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from qlc.tensors import Tensor, read_tensors
from safetensors import deserialize, safe_open

from scripts import ROOT

DATA = ROOT / "data"
HISTOGRAMS = DATA / "histograms.safetensors"


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each symbol occurs in one whole tensor of the model: counts, int64[256]."""

    name: str
    dtype: str
    counts: NDArray[np.int64]

    @property
    def layer(self) -> int:
        """The layer in ``layers.LL.KIND``; 0 for a tensor that belongs to none."""
        parts = self.name.split(".")
        return int(parts[1]) if parts[0] == "layers" else 0


@dataclass(frozen=True, eq=False)
class Sample:
    """A committed tensor, the file it is in, and the name of the histogram of the tensor it is from."""

    tensor: Tensor
    file: Path
    histogram: str


def check() -> str | None:
    """What is wrong with the files of ``data/``, None when all are there and as they were captured."""
    for line in (DATA / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        file = DATA / name
        if not file.is_file():
            return f"{file}: missing"
        if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            return f"{file}: not the file that SHA256SUMS names"
    return None


def histograms() -> dict[str, Histogram]:
    """Every histogram by name, in order."""
    with safe_open(HISTOGRAMS, "np") as file:
        dtypes: dict[str, str] = json.loads(file.metadata()["dtypes"])
    return {
        name: Histogram(name, dtypes[name], np.frombuffer(entry["data"], "<u4").astype(np.int64))
        for name, entry in sorted(deserialize(HISTOGRAMS.read_bytes()))
    }


def samples() -> list[Sample]:
    """Every committed tensor, in order."""
    return [
        Sample(tensor, file, _histogram_name(tensor.name))
        for file in sorted(DATA.glob("*.safetensors"))
        if file != HISTOGRAMS
        for tensor in sorted(read_tensors(file), key=lambda t: t.name)
    ]


def _histogram_name(sample: str) -> str:
    # embed.grad.3.scale is a part of embed.grad.scale; the other samples have their tensor's name.
    return ".".join(part for part in sample.split(".") if part not in set("012345"))
