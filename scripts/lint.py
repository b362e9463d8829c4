"""Lints the RTL for every parameter set worth looking at, and the Python: ``make lint``.

Quiet when all is well. Exit status 1 and the tools' own words when not.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from qlc.bounds import BUILDS
from qlc_tb.simulation import prepare_environment
from qlc_tb.sources import BASELINE, ROOT, RTL
from rich.console import Console
from rich.progress import track

from scripts.codes import parameters
from scripts.interrupt import end_on_signals

BASELINES = [str(file.relative_to(ROOT)) for file in BASELINE]
SOURCES = [*(str(file.relative_to(ROOT)) for file in RTL), *BASELINES]

# The bounds of the named builds, and the least and most of each bound.
PAPER, QUAD, RAW, HUFFMAN, HUFFMAN_RAW, ANY = (
    parameters(BUILDS[name]) for name in ("paper", "quad", "raw", "huffman", "huffman_raw", "any")
)
BUILD_SETS: list[dict[str, int]] = [{}, PAPER, QUAD, RAW, HUFFMAN_RAW]
TWELVE_LENGTHS = [HUFFMAN, ANY]
ONE_LENGTH = {"LENGTHS": 1, "KNOWN_BITS": 3, "SHORTEST": 8, "LONGEST": 8}
SHORT_RAW = {"LENGTHS": 2, "KNOWN_BITS": 4, "LONGEST": 9, "RAW_BITS": 1}
RAW_2 = {"LENGTHS": 12, "KNOWN_BITS": 9, "SHORTEST": 2, "LONGEST": 10, "RAW_BITS": 2}
EDGES = [ONE_LENGTH, SHORT_RAW, RAW_2]

# Top, and parameter sets.
TOPS: dict[str, list[dict[str, int]]] = {
    "qlc_encoder_core": [
        *BUILD_SETS,
        *EDGES,
        *({"SYMBOLS": s} for s in (1, 5, 16, 31)),
        *({"SYMBOLS": s, **RAW} for s in (1, 2, 8, 21)),
    ],
    "qlc_decoder_core": [
        *BUILD_SETS,
        *EDGES,
        *({"DATA_BITS": n} for n in (16, 256)),
        {"BANKS": 5, **RAW},
    ],
    "qlc_decoder_wide": [
        *({"WORD_BITS": 64, **bounds} for bounds in (PAPER, QUAD, RAW, HUFFMAN_RAW, *EDGES)),
        *({"WORD_BITS": 8, **bounds} for bounds in ({}, RAW, ANY, *EDGES)),
        *({"WORD_BITS": w, **RAW} for w in (16, 32)),
        {"WORD_BITS": 64, "BANKS": 5, **RAW},
    ],
    "qlc_encoder": [
        *BUILD_SETS,
        {"BLOCK_SYMBOLS": 32, "TABLES": 1, **ONE_LENGTH},
        {"TABLES": 32, **RAW},
    ],
    "qlc_decoder": [
        *BUILD_SETS,
        {"TABLES": 1, **ONE_LENGTH},
        {"TABLES": 32, **RAW},
        *({"WORD_BITS": w, **RAW} for w in (8, 64, 128)),
        {"WORD_BITS": 64},
    ],
    "qlc_histogram": [{}, {"SYMBOLS": 1, "COUNT_BITS": 4}],
    "qlc_axis_narrow": [{}, {"S_BYTES": 32}],
    "huffman_decoder_serial": [{}, {"DATA_BITS": 8}],
}
# What the tools take long for: most of the logic, the widest words
LONG: dict[str, list[dict[str, int]]] = {
    "qlc_encoder_core": TWELVE_LENGTHS,
    "qlc_decoder_core": TWELVE_LENGTHS,
    "qlc_decoder_wide": [{}, *({"WORD_BITS": 64, **bounds} for bounds in TWELVE_LENGTHS)],
    "qlc_encoder": TWELVE_LENGTHS,
    "qlc_decoder": [
        *TWELVE_LENGTHS,
        *({"WORD_BITS": w, **RAW} for w in (256, 512)),
        {"WORD_BITS": 64, "TABLES": 1, **ANY},
    ],
}


def commands(long: bool = True) -> Iterator[list[str]]:
    """The lint commands, ``long`` ones among them or not."""
    for top, sets in TOPS.items():
        for chosen in [*sets, *(LONG.get(top, []) if long else [])]:
            yield [
                "verilator", "--lint-only", "--quiet", "-Wall", "-F", "rtl/qlc.f", *BASELINES,
                "--top-module", top, *(f"-G{name}={value}" for name, value in chosen.items()),
            ]  # fmt: skip
            yield [
                "iverilog", "-g2005", "-Wall", *SOURCES, "-s", top, "-o", os.devnull,
                *(f"-P{top}.{name}={value}" for name, value in chosen.items()),
            ]  # fmt: skip
    yield ["verible-verilog-lint", "--rules_config", "rtl/.rules.verible_lint", *SOURCES]
    yield ["ruff", "check", "--quiet", "."]
    yield ["ruff", "format", "--check", "--quiet", "."]
    yield ["mypy", "model/qlc", "tb", "scripts"]


def run(command: list[str]) -> tuple[bool, str]:
    """Whether a command found nothing to say, and what it said."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    text = done.stdout + done.stderr
    return not (done.returncode or "arning" in text), text


def main() -> int:
    """Runs them all; one that prints a warning has failed too, and in CI one that is not installed."""
    parser = argparse.ArgumentParser(
        prog="lint", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--long", action="store_true", help="also the builds that take the tools long")
    arguments = parser.parse_args()
    prepare_environment()
    wanted = list(commands(arguments.long))
    present = [command for command in wanted if shutil.which(command[0])]
    absent = len(wanted) - len(present)
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(run, present)
        bar = track(found, "lint", len(present), console=Console(stderr=True), transient=True)
        for command, (good, text) in zip(present, bar if sys.stderr.isatty() else found, strict=True):
            if not good:
                failed += 1
                print(f"$ {' '.join(command)}\n{text}", file=sys.stderr)
    if absent:
        print(f"lint: {absent} commands passed over, their tool is not installed", file=sys.stderr)
    return 1 if failed or (absent and os.environ.get("CI")) else 0


if __name__ == "__main__":
    end_on_signals("lint")
    sys.exit(main())
