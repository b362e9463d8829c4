"""Synthesises the RTL with Yosys and times it with OpenSTA: ``make synth``.

Takes liberty files of any library by path (``.lib``, ``.lib.xz`` or ``.lib.gz``): cells and area are of the
first one, timing is of each, so that corners of a library stand side by side. Without a liberty file
transistors are counted. Prints a Markdown table and writes a JSON file a target, the netlist and the tools'
logs to ``build/synth``.

All figures are of the netlist after synthesis: ideal clock, no wires, no clock gating, and inputs that arrive
with the clock edge. The period is the worst path's arrival plus the setup time behind it.

Exit status: 0 all right, 1 a target failed, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import gzip
import json
import lzma
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RTL = ROOT / "rtl"
FOLDERS = (RTL, RTL / "baseline")
OUT = ROOT / "build" / "synth"
# Clock period given to OpenSTA, in ps; longer than any path, and of no other meaning.
PERIOD_PS = 100_000.0
# Registers that store a table, as their cells are named after them.
TABLE_REGISTERS = "*_mem?*"
SECONDS = 3600


class SynthesisError(Exception):
    """A tool failed, or did not give a figure."""


@dataclass(frozen=True)
class Target:
    """A top module, found by name in ``FOLDERS`` like what it instantiates, and its parameters."""

    top: str
    parameters: dict[str, int] = field(default_factory=dict)


TARGETS = {
    "decoder_core": Target("qlc_decoder_core", {"PREFIX_BITS": 3, "DATA_BITS": 32}),
    "decoder_core_p4": Target("qlc_decoder_core", {"PREFIX_BITS": 4, "DATA_BITS": 32}),
    **{f"encoder_core_{s}": Target("qlc_encoder_core", {"SYMBOLS": s}) for s in (1, 4, 8, 16, 32)},
    "packer": Target("qlc_packer"),
    "huffman_core": Target("huffman_decoder_core"),
    "huffman_serial": Target("huffman_decoder_serial"),
    **{
        f"huffman_wide_{w}": Target("huffman_decoder_wide", {"WORD_BITS": w})
        for w in (8, 16, 32, 64, 128, 256, 512)
    },
    **{f"huffman_encoder_{s}": Target("huffman_encoder_core", {"SYMBOLS": s}) for s in (1, 4, 8, 16, 32)},
    "huffman_encoder_32_15": Target("huffman_encoder_core", {"MAX_LENGTH": 15}),
    **{
        f"decoder_wide_{w}": Target("qlc_decoder_wide", {"WORD_BITS": w})
        for w in (8, 16, 32, 64, 128, 256, 512)
    },
    # The encoder's rings in flip-flops are only of interest where they are short.
    "block_encoder": Target("qlc_block_encoder", {"TABLES": 1, "BLOCK_SYMBOLS": 64}),
    "block_encoder_4": Target("qlc_block_encoder", {"TABLES": 4, "BLOCK_SYMBOLS": 64}),
    "block_decoder": Target("qlc_block_decoder", {"TABLES": 1}),
    "block_decoder_4": Target("qlc_block_decoder", {"TABLES": 4}),
    **{
        f"block_decoder_wide_{w}": Target("qlc_block_decoder", {"TABLES": 1, "WORD_BITS": w})
        for w in (64, 256, 512)
    },
    "encoder": Target("qlc_encoder", {"TABLES": 4, "BLOCK_SYMBOLS": 64}),
    "decoder": Target("qlc_decoder", {"TABLES": 4}),
}


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

# Yosys has no command line in its wheel: a command a line.
YOSYS = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in sys.stdin:
    libyosys.run_pass(line.strip(), design)
"""

ABC = "&get,-n;&st;&dch;&nf;&put;buffer,-c,-N,8;topo;stime,-p;upsize,{D};dnsize,{D};stime,-p"

STA = """
set_cmd_units -time ps -capacitance fF
create_clock -name clk -period {period} [get_ports clk]
set inputs [list]
foreach port [all_inputs] {{
    if {{[get_property $port full_name] ne "clk"}} {{ lappend inputs $port }}
}}
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]
{drive}
set_load {load} [all_outputs]
set begin [list register [all_registers -clock_pins] input $inputs]
set end [list register [all_registers -data_pins] output [all_outputs]]
foreach {{from begins}} $begin {{
    foreach {{to ends}} $end {{
        puts "PATH ${{from}}_to_$to"
        report_checks -path_delay max -digits 2 -from $begins -to $ends
    }}
}}
"""


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


def synthesise(name: str, target: Target, liberty: Path | None, cells: Library) -> dict[str, Any]:
    """Maps a target to the cells of a liberty file, or to gates; returns its figures."""
    log, netlist = OUT / f"{name}.yosys.log", OUT / f"{name}.v"
    whole, tables = OUT / f"{name}.stat.json", OUT / f"{name}.tables.json"
    for file in (netlist, whole, tables):
        file.unlink(missing_ok=True)
    parameters = "".join(f" -chparam {key} {value}" for key, value in target.parameters.items())
    libraries = " ".join(f"-libdir {folder}" for folder in FOLDERS)
    source = next(file for folder in FOLDERS if (file := folder / f"{target.top}.v").exists())
    script = [
        f"read_verilog {source}",
        f"hierarchy -check {libraries} -top {target.top}{parameters}",
        f"synth -flatten -noabc -top {target.top}",
    ]
    if liberty:
        uses = f"-liberty {liberty}" + "".join(f" -dont_use {cell}" for cell in cells.dont_use)
        constraints = OUT / f"{name}.constr"
        driver = f"set_driving_cell {cells.driver}\n" if cells.driver else ""
        constraints.write_text(f"{driver}set_load {cells.load_ff} [all_outputs]\n")
        script += [
            f"read_liberty -lib -ignore_miss_func {liberty}",
            f"dfflibmap -prepare {uses}",
            "opt_clean",
            # Registers keep their names
            "rename -wire",
            f"dfflibmap -map-only {uses}",
            "opt",
            f"abc {uses} -constr {constraints} -script +{ABC}",
        ]
        if cells.high:
            script.append(f"hilomap -hicell {cells.high} -locell {cells.low}")
    else:
        script += ["dfflegalize -cell $_DFF_P_ 01", "opt_clean", "rename -wire", "abc -g cmos4"]
    figures = f"-liberty {liberty}" if liberty else "-tech cmos"
    script += [
        "opt_clean -purge",
        "check -assert -mapped" if liberty else "check -assert",
        f"tee -q -o {whole} stat -json {figures}",
        f"tee -q -o {tables} stat -json {figures} t:*DFF* c:{TABLE_REGISTERS} %i",
        f"write_verilog -noattr -noexpr -nohex -nodec -norename {netlist}",
    ]
    run([sys.executable, "-c", YOSYS], log, "\n".join(script) + "\n")
    try:
        all_cells = json.loads(whole.read_text())["modules"][f"\\{target.top}"]
        table_cells = json.loads(tables.read_text())["modules"].get(f"\\{target.top}", {})
        sequential = re.compile("DFF|LATCH")
        result: dict[str, Any] = {
            "cells": all_cells["num_cells"],
            "sequential_cells": sum(
                count for cell, count in all_cells["num_cells_by_type"].items() if sequential.search(cell)
            ),
            "table_storage_cells": table_cells.get("num_cells", 0),
        }
        if liberty:
            result["area_um2"] = round(all_cells["area"], 2)
            result["sequential_area_um2"] = round(all_cells["sequential_area"], 2)
            result["table_storage_area_um2"] = round(table_cells.get("area", 0.0), 2)
        else:
            result["transistors"] = int(all_cells["estimated_num_transistors"])
    except (OSError, ValueError, KeyError) as error:
        raise SynthesisError(f"no figures in {whole}: {error!r}") from error
    return result


def time_paths(name: str, target: Target, liberty: Path, cells: Library) -> dict[str, Any]:
    """Shortest period of the netlist in a liberty file's corner, and the worst path of each kind."""
    script = OUT / f"{name}.{liberty.stem}.tcl"
    drive = f"set_driving_cell -lib_cell {cells.driver} $inputs" if cells.driver else ""
    script.write_text(
        f"read_liberty {liberty}\nread_verilog {OUT / name}.v\nlink_design {target.top}\n"
        + STA.format(period=PERIOD_PS, drive=drive, load=cells.load_ff)
    )
    report = run(["sta", "-exit", str(script)], script.with_suffix(".sta.log"))
    paths: dict[str, Any] = {}
    for text in report.split("PATH ")[1:]:
        kind, _, text = text.partition("\n")
        slack = re.search(r"(-?[\d.]+)\s+slack", text)
        ends = re.findall(r"^(?:Start|End)point: (\S+)", text, re.MULTILINE)
        if slack and len(ends) == 2:
            start, end = (re.sub(r"\$_\w+_$", "", point) for point in ends)
            paths[kind] = {"period_ps": round(PERIOD_PS - float(slack[1]), 2), "start": start, "end": end}
    if "register_to_register" not in paths:
        raise SynthesisError(f"no path from register to register: {script.with_suffix('.sta.log')}")
    period = max(path["period_ps"] for path in paths.values())
    return {"period_ps": period, "clock_ghz": round(1000 / period, 3), "paths": paths}


def measure(name: str, target: Target, liberties: Sequence[Path], tools: dict[str, str]) -> dict[str, Any]:
    """All figures of a target; writes its JSON file."""
    cells = library(liberties[0]) if liberties else Library()
    result: dict[str, Any] = {
        "target": name, "top": target.top, "parameters": target.parameters, "tools": tools,
        "library": library_name(liberties[0]) if liberties else None,
    }  # fmt: skip
    result |= synthesise(name, target, liberties[0] if liberties else None, cells)
    result["timing"] = {
        library_name(liberty): time_paths(name, target, liberty, cells) for liberty in liberties
    }
    (OUT / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n")
    return result


def row(result: dict[str, Any]) -> str:
    """A target's line of the table."""
    if not result["timing"]:
        return f"| {result['target']} | {result['transistors']} | {result['sequential_cells']} |"
    worst = next(iter(result["timing"].values()))
    path = max(worst["paths"].values(), key=lambda path: float(path["period_ps"]))
    times = "".join(
        f" {time['period_ps']:.0f} | {time['clock_ghz']:.2f} |" for time in result["timing"].values()
    )
    return (
        f"| {result['target']} | {result['area_um2']:.0f} | {result['sequential_area_um2']:.0f} "
        f"| {result['table_storage_area_um2']:.0f} |{times} `{path['start']}` to `{path['end']}` |"
    )


def head(liberties: Sequence[Path]) -> str:
    """The table's first lines."""
    titles = ["target", "transistors", "flip-flops"]
    if liberties:
        titles = ["target", "area um2", "of it flip-flops", "of them tables"]
        for liberty in liberties:
            titles += [f"{library_name(liberty)} ps", "GHz"]
        titles.append("critical path")
    return f"| {' | '.join(titles)} |\n{'| --- ' * len(titles)}|"


def main() -> int:
    """Measures the targets that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--target", default="*", metavar="GLOB", help=f"of {', '.join(TARGETS)} (default: all)"
    )
    parser.add_argument("--lib", nargs="*", type=Path, default=[], metavar="FILE", help="liberty files")
    arguments = parser.parse_args()
    names = [n for n in TARGETS if any(fnmatch.fnmatch(n, g) for g in arguments.target.split())]
    if not names:
        parser.error(f"--target {arguments.target}: none of {', '.join(TARGETS)}")
    if absent := [path for path in arguments.lib if not path.is_file()]:
        parser.error(f"--lib {absent[0]}: no such file")
    try:
        tools = {"yosys": version("pyosys")}
    except PackageNotFoundError:
        parser.error("pyosys is not installed: pip install -r requirements-synth.txt")
    if arguments.lib:
        if not shutil.which("sta"):
            parser.error("sta (OpenSTA) is not installed: sudo apt-get install opensta")
        tools["opensta"] = subprocess.run(["sta", "-version"], capture_output=True, text=True).stdout.strip()
    OUT.mkdir(parents=True, exist_ok=True)
    failed = 0
    try:
        liberties = [unpacked(path, OUT / "lib") for path in arguments.lib]
        print(head(liberties), flush=True)
    except (OSError, EOFError, SynthesisError, lzma.LZMAError) as error:
        parser.error(f"--lib: {error}")
    for name in names:
        try:
            print(row(measure(name, TARGETS[name], liberties, tools)), flush=True)
        except SynthesisError as error:
            failed += 1
            print(f"synth: {name}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
