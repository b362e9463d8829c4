"""Cell libraries: liberty files, and what the known ones need beside them."""

from __future__ import annotations

import gzip
import lzma
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scripts.synth.tools import SynthesisError


@dataclass(frozen=True)
class Library:
    """What a cell library needs to be told apart and used; an unknown one goes with the defaults."""

    # A cell that only this library has
    mark: str = ""
    # Cells that synthesis must leave alone
    dont_use: tuple[str, ...] = ()
    # Cell that drives each input, and the load of each output in fF
    driver: str = ""
    load_ff: float = 0.0
    # Cell and pin of the constants 1 and 0
    high: str = ""
    low: str = ""


LIBRARIES = (
    Library(
        "DFFHQNx1_ASAP7_75t_R",
        (
            "*x1p*_ASAP7*", "*xp*_ASAP7*", "SDF*", "ICG*", "DFFASR*", "DFFLQ*", "DFFHQx4*", "DFFHQNx2*",
            "DFFHQNx3*",
        ),
        "BUFx2_ASAP7_75t_R", 3.898, "TIEHIx1_ASAP7_75t_R H", "TIELOx1_ASAP7_75t_R L",
    ),
    Library("DFFPOSX1", ("CLKBUF*", "DFFSR", "DFFNEGX1", "LATCH"), "BUFX2", 20.0),
)  # fmt: skip


def unpacked(path: Path, folder: Path) -> Path:
    """A plain copy of a liberty file in ``folder``; the tools read nothing else."""
    unpack: dict[str, Callable[[bytes], bytes]] = {".xz": lzma.decompress, ".gz": gzip.decompress}
    plain = folder / (path.stem if path.suffix in unpack else path.name)
    folder.mkdir(parents=True, exist_ok=True)
    plain.write_bytes(unpack.get(path.suffix, bytes)(path.read_bytes()))
    return plain


def library_name(liberty: Path) -> str:
    """The name that a liberty file gives its library."""
    with liberty.open() as file:
        for line in file:
            if found := re.match(r'\s*library\s*\(\s*"?([^")\s]+)', line):
                return found[1]
    raise SynthesisError(f"{liberty}: no library")


def library(liberty: Path) -> Library:
    """The settings for the cells of a liberty file."""
    text = liberty.read_text()
    for known in LIBRARIES:
        if re.search(rf'\bcell\s*\(\s*"?{known.mark}"?\s*\)', text):
            return known
    print(
        f"synth: {liberty.name}: cells not known, so no driving cell, no load, no cell left out",
        file=sys.stderr,
    )
    return Library()
