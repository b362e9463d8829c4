"""Synthesis for FPGAs with Yosys: placed and routed for a Lattice ECP5, or for cells of Xilinx's 7 series.

For the ECP5, nextpnr places and routes the module alone, without pads and without a global clock net. The
clock is the median over the seeds of the placement. For Xilinx, cells are counted after synthesis. Tables are
in the memories that Yosys infers, or in flip-flops.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scripts.synth.targets import Target
from scripts.synth.tools import OUT, SynthesisError, cell_counts, read_design, run, yosys

DEVICE = "LFE5U-85F"
FLAGS = ("--85k", "--package", "CABGA756", "--speed", "6")
# More than any design reaches
GOAL_MHZ = 500
CELLS = {"luts": "TRELLIS_COMB", "flip_flops": "TRELLIS_FF", "block_memories": "DP16KD"}
ECP5_CARRY = "CCU2C"

FAMILY = "xc7"
# What a cell takes; a memory in LUTs takes as many as it has outputs of 32 or 64 words.
XILINX_CELLS: dict[str, dict[str, float]] = {
    "luts": {r"LUT\d|INV": 1, r"SRL\w+": 1, r"RAM(32|64)X1S": 1, r"RAM(32|64)X1D": 2, r"RAM(32|64)M": 4},
    "carry_cells": {r"CARRY4": 1},
    "flip_flops": {r"FD\w+": 1},
    "block_memories": {r"RAMB36E1": 1, r"RAMB18E1": 0.5},
}
# Cells that take none of these: wide multiplexers behind LUTs, and what is no cell.
XILINX_FREE = r"MUXF[78]|GND|VCC|BUFG|\$scopeinfo"


def no_memories(target: Target) -> str:
    """The option that keeps tables out of memories, where a target wants it."""
    return "" if target.tables == "memory" else " -nolutram -nobram"


def place_and_route(nextpnr: str, netlist: Path, seed: int) -> dict[str, Any]:
    """The report of nextpnr for one seed."""
    report = netlist.with_suffix(f".{seed}.report.json")
    report.unlink(missing_ok=True)
    # By names in the folder that it runs in: it has a /tmp of its own.
    command = [nextpnr, *FLAGS, "--json", netlist.name, "--out-of-context", "--freq", str(GOAL_MHZ)]
    command += ["--timing-allow-fail", "--seed", str(seed), "--report", report.name, "--quiet"]
    run(command, report.with_suffix(".log"))
    try:
        return dict(json.loads(report.read_text()))
    except (OSError, ValueError) as error:
        raise SynthesisError(f"no figures in {report}: {error!r}") from error


def measure_ecp5(name: str, target: Target, nextpnr: str, seeds: Sequence[int]) -> dict[str, Any]:
    """Cells of a target, and its clock as the median over the seeds."""
    netlist, stat = OUT / f"{name}.ecp5.json.netlist", OUT / f"{name}.ecp5.stat.json"
    script = [
        *read_design(target),
        # Wide functions of LUTs cost several times what they replace
        f"synth_ecp5 -top {target.top} -nowidelut{no_memories(target)} -json {netlist}",
        f"tee -q -o {stat} stat -json",
    ]
    yosys(script, OUT / f"{name}.ecp5.yosys.log")
    reports = [place_and_route(nextpnr, netlist, seed) for seed in seeds]
    clocks = [next(iter(report["fmax"].values()))["achieved"] for report in reports]
    used = reports[0]["utilization"]
    return {
        "technology": DEVICE,
        **{key: used[cell]["used"] for key, cell in CELLS.items()},
        "carry_cells": cell_counts(stat, target.top)["num_cells_by_type"].get(ECP5_CARRY, 0),
        "clock_mhz": round(statistics.median(clocks), 1),
        "clock_mhz_seeds": [round(clock, 1) for clock in clocks],
    }


def xilinx_cells(counts: Mapping[str, int]) -> dict[str, float]:
    """What cells of the 7 series by type take. Raises SynthesisError for a cell of another kind."""
    taken = dict.fromkeys(XILINX_CELLS, 0.0)
    for cell, count in counts.items():
        found = [
            (key, size)
            for key, sizes in XILINX_CELLS.items()
            for kind, size in sizes.items()
            if re.fullmatch(kind, cell)
        ]
        if not found and not re.fullmatch(XILINX_FREE, cell):
            raise SynthesisError(f"no figure for a cell {cell}")
        for key, size in found:
            taken[key] += count * size
    return {key: int(value) if value == int(value) else value for key, value in taken.items()}


def measure_xilinx(name: str, target: Target) -> dict[str, Any]:
    """Cells of a target after synthesis."""
    stat = OUT / f"{name}.{FAMILY}.stat.json"
    stat.unlink(missing_ok=True)
    flags = f"-family {FAMILY} -flatten -noiopad -noclkbuf{no_memories(target)}"
    script = [*read_design(target), f"synth_xilinx {flags} -top {target.top}", f"tee -q -o {stat} stat -json"]
    yosys(script, OUT / f"{name}.{FAMILY}.yosys.log")
    return {"technology": FAMILY, **xilinx_cells(cell_counts(stat, target.top)["num_cells_by_type"])}
