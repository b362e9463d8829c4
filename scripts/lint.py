"""Lints the RTL for every parameter set worth looking at, and the Python: ``make lint``.

Quiet when all is well. Exit status 1 and the tools' own words when not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tb"))
from qlc_tb.simulation import prepare_environment  # noqa: E402, needs the path

RTL = {file.stem: str(file.relative_to(ROOT)) for file in sorted((ROOT / "rtl").glob("**/*.v"))}
FOLDERS = ("-y", "rtl", "-y", "rtl/baseline")

# Top, and parameter sets beside its defaults.
TOPS: dict[str, list[dict[str, int]]] = {
    "qlc_encoder_core": [
        {},
        *({"SYMBOLS": s} for s in (1, 2, 5, 16, 21, 31)),
        {"SHORTEST": 4, "LONGEST": 11, "RAW_BITS": 3},
        {"SYMBOLS": 1, "LENGTHS": 1, "LONGEST": 8},
        {"LENGTHS": 12, "KNOWN_BITS": 12},
    ],
    "qlc_decoder_core": [{}, *({"PREFIX_BITS": p} for p in (1, 2, 4)), {"DATA_BITS": 16}, {"DATA_BITS": 256}],
    "qlc_decoder_wide": [
        {},
        *({"WORD_BITS": w, "PREFIX_BITS": p} for w, p in ((8, 1), (8, 3), (16, 2), (64, 4), (512, 3))),
        {"WORD_BITS": 64, "BANKS": 5},
    ],
    "qlc_encoder": [{}, {"BLOCK_SYMBOLS": 32, "TABLES": 1}, {"TABLES": 64, "PREFIX_BITS": 4}],
    "qlc_decoder": [
        {},
        {"TABLES": 1, "PREFIX_BITS": 1},
        {"TABLES": 64, "PREFIX_BITS": 4},
        *({"WORD_BITS": w} for w in (8, 64, 128, 256, 512)),
        {"WORD_BITS": 64, "TABLES": 1, "PREFIX_BITS": 1},
    ],
    "qlc_histogram": [{}, {"SYMBOLS": 1, "COUNT_BITS": 4}],
    "qlc_axis_narrow": [{}, {"S_BYTES": 32}],
    "huffman_decoder_core": [{}, {"DATA_BITS": 16}, {"DATA_BITS": 256}],
    "huffman_decoder_wide": [{}, *({"WORD_BITS": w, "SHORTEST": s} for w, s in ((8, 1), (16, 2), (64, 4)))],
    "huffman_decoder_serial": [{}, {"DATA_BITS": 8}],
}


def commands() -> Iterator[list[str]]:
    """Every lint command; a tool that is not installed is named and passed over."""
    for top, sets in TOPS.items():
        for parameters in sets:
            yield [
                "verilator", "--lint-only", "--quiet", "-Wall", *FOLDERS, "--top-module", top,
                *(f"-G{name}={value}" for name, value in parameters.items()), RTL[top],
            ]  # fmt: skip
            yield [
                "iverilog", "-g2005", "-Wall", *FOLDERS, "-s", top, "-o", os.devnull,
                *(f"-P{top}.{name}={value}" for name, value in parameters.items()), RTL[top],
            ]  # fmt: skip
    yield ["verible-verilog-lint", "--rules_config", "rtl/.rules.verible_lint", *RTL.values()]
    yield ["ruff", "check", "--quiet", "."]
    yield ["ruff", "format", "--check", "--quiet", "."]
    names = (
        "sim", "bench", "compare", "figures", "export_luts", "lint", "synth", "study", "study_plots",
    )  # fmt: skip
    yield ["mypy", "model/qlc", "tb/qlc_tb", *(f"scripts/{name}.py" for name in names)]


def main() -> int:
    """Runs them all; one that prints a warning has failed too, and in CI one that is not installed."""
    if len(sys.argv) > 1:
        print(f"lint: {sys.argv[1]}: takes no arguments", file=sys.stderr)
        return 2
    prepare_environment()
    failed = absent = 0
    for command in commands():
        if shutil.which(command[0]) is None:
            absent += 1
            continue
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        text = done.stdout + done.stderr
        if done.returncode or "arning" in text:
            failed += 1
            print(f"$ {' '.join(command)}\n{text}", file=sys.stderr)
    if absent:
        print(f"lint: {absent} commands passed over, their tool is not installed", file=sys.stderr)
    return 1 if failed or (absent and os.environ.get("CI")) else 0


if __name__ == "__main__":
    sys.exit(main())
