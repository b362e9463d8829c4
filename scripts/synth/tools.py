"""The tools behind ``make synth``: how they are run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from qlc.table_files import write_table
from qlc_tb.sources import BASELINE, ROOT, RTL, module_file

from scripts.codes import CONTENDERS
from scripts.committed_data import histograms
from scripts.synth.targets import Target

TABLE_REGISTERS_MAP = Path(__file__).with_name("table_registers.v")
# Arrays that a memory may hold: they are read an entry at a time.
TABLE_MEMORIES = "t:$mem_v2 c:*symbol_mem c:*rank_mem %u %i"
# Another folder keeps a test out of the way of what is measured.
OUT = Path(os.environ.get("QLC_SYNTH", ROOT / "build" / "synth"))
SECONDS = 3600
# Whose table constant tables hold.
TENSOR = "layers.12.ffn_up.act"

# Yosys has no command line in its wheel: a command a line.
YOSYS = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in sys.stdin:
    libyosys.run_pass(line.strip(), design)
"""


class SynthesisError(Exception):
    """A tool failed, or did not give a figure."""


def run(command: Sequence[str], log: Path, text: str = "") -> str:
    """Runs a tool with a text to read; returns what it says, which ``log`` keeps."""
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=False, timeout=SECONDS, cwd=log.parent
        )
    except subprocess.TimeoutExpired as error:
        raise SynthesisError(f"not done after {SECONDS} s: {log}") from error
    log.write_text(done.stdout + done.stderr)
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise SynthesisError(f"{said[-1] if said else command[0]} ({log})")
    return done.stdout


def yosys(script: Sequence[str], log: Path) -> None:
    """Runs Yosys commands."""
    run([sys.executable, "-c", YOSYS], log, "\n".join(script) + "\n")


def table_files(build: str) -> dict[str, Path]:
    """The ``$readmemh`` files by kind, as ``length`` and ``symbol``, of the tensor's table for a build."""
    folder = OUT / "tables" / build
    folder.mkdir(parents=True, exist_ok=True)
    contender = next(one for one in CONTENDERS.values() if one.build == build)
    files = write_table(contender.table(histograms()[TENSOR], TENSOR), folder)
    return {file.name.split(".")[-2]: file for file in files}


def read_design(target: Target) -> list[str]:
    """The Yosys commands that elaborate a target."""
    values = {key: str(value) for key, value in target.parameters.items()}
    if target.tables == "constant":
        files = table_files(target.build)
        values |= {key: f'"{files[kind]}"' for key, kind in target.files.items()}
    parameters = "".join(f" -set {key} {value}" for key, value in values.items())
    # Modules below the top are found by their names, each in its own file.
    folders = "".join(f" -libdir {folder}" for folder in sorted({file.parent for file in (*RTL, *BASELINE)}))
    script = [f"read_verilog {module_file(target.top)}"]
    if parameters:
        script.append(f"chparam{parameters} {target.top}")
    script.append(f"hierarchy -check{folders} -top {target.top}")
    if target.tables == "constant":
        script += [
            "proc",
            f"cd {target.top}",
            "delete -input w:table_we",
            "connect -set table_we 1'0",
            "cd",
        ]
    return script


def map_tables() -> list[str]:
    """The Yosys commands that map tables to flip-flops and AND-OR, between ``proc`` and ``synth``."""
    return ["memory_collect", f"techmap -autoproc -map {TABLE_REGISTERS_MAP} {TABLE_MEMORIES}"]


def cell_counts(stat: Path, top: str) -> dict[str, Any]:
    """What ``stat -json`` says of the top module."""
    try:
        return dict(json.loads(stat.read_text())["modules"][f"\\{top}"])
    except (OSError, ValueError, KeyError) as error:
        raise SynthesisError(f"no figures in {stat}: {error!r}") from error
