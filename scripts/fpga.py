"""Synthesis, placement and routing for a Lattice ECP5 with Yosys and nextpnr.

The module is routed alone, without pads and without a global clock net. The clock is the median over the
seeds of the placement. Tables are in the memories that Yosys infers, or in flip-flops.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from synth_targets import Target
from synth_tools import OUT, SynthesisError, read_design, run, yosys

DEVICE = "LFE5U-85F"
FLAGS = ("--85k", "--package", "CABGA756", "--speed", "6")
# More than any design reaches
GOAL_MHZ = 500
CELLS = {"luts": "TRELLIS_COMB", "flip_flops": "TRELLIS_FF", "block_memories": "DP16KD"}


def place_and_route(nextpnr: str, netlist: Path, seed: int) -> dict[str, Any]:
    """The report of nextpnr for one seed."""
    report = netlist.with_suffix(f".{seed}.report.json")
    report.unlink(missing_ok=True)
    command = [nextpnr, *FLAGS, "--json", str(netlist), "--out-of-context", "--freq", str(GOAL_MHZ)]
    command += ["--timing-allow-fail", "--seed", str(seed), "--report", str(report), "--quiet"]
    run(command, report.with_suffix(".log"))
    try:
        return dict(json.loads(report.read_text()))
    except (OSError, ValueError) as error:
        raise SynthesisError(f"no figures in {report}: {error!r}") from error


def measure(name: str, target: Target, nextpnr: str, seeds: Sequence[int]) -> dict[str, Any]:
    """Cells of a target, and its clock as the median over the seeds."""
    netlist = OUT / f"{name}.ecp5.json.netlist"
    memories = "" if target.tables == "memory" else " -nolutram -nobram"
    script = [*read_design(target), f"synth_ecp5 -top {target.top}{memories} -json {netlist}"]
    yosys(script, OUT / f"{name}.ecp5.yosys.log")
    reports = [place_and_route(nextpnr, netlist, seed) for seed in seeds]
    clocks = [next(iter(report["fmax"].values()))["achieved"] for report in reports]
    used = reports[0]["utilization"]
    return {
        "technology": DEVICE,
        **{key: used[cell]["used"] for key, cell in CELLS.items()},
        "clock_mhz": round(statistics.median(clocks), 1),
        "clock_mhz_seeds": [round(clock, 1) for clock in clocks],
    }
