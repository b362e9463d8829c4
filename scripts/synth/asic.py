"""Synthesis for a cell library, or for none: area or transistors, and with OpenSTA the clock.

ABC buffers what drives many cells, and how many are too many is a guess that moves the clock by several per
cent either way. So each target of a cell library is mapped with three bounds, and the faster netlist counts.

Tables in memories are cut out: what remains is the logic around them, and of the memories themselves their
bits and read ports are counted. No path through them is timed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.synth.area_parts import area_of_parts
from scripts.synth.cell_library import Library, library_name
from scripts.synth.targets import Target
from scripts.synth.tools import (
    OUT,
    TABLE_MEMORIES,
    SynthesisError,
    cell_counts,
    map_tables,
    read_design,
    run,
    yosys,
)

# Clock period given to OpenSTA, in ps; longer than any path, and of no other meaning.
PERIOD_PS = 100_000.0
# Registers that store a table, as their cells are named after them.
TABLE_REGISTERS = "*_mem?*"

# Most cells that one drives without a buffer.
FANOUTS = (5, 6, 8)
ABC = "&get,-n;&st;&dch;&nf;&put;buffer,-c,-N,{fanout};topo;stime,-p;upsize,{D};dnsize,{D};stime,-p"

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


def map_to_cells(
    target: Target,
    liberty: Path | None,
    cells: Library,
    files: dict[str, Path],
    variants: list[dict[str, Path]],
) -> list[str]:
    """The Yosys commands that synthesise a target into the cells of a liberty file, or into gates.

    ``files`` are those of the target, ``variants`` those of each netlist: one a bound of ``FANOUTS``, or one.
    """
    script = read_design(target)
    if target.tables == "registers" and liberty:
        script += ["proc", "flatten", *map_tables()]
    script.append(f"synth -flatten -noabc -top {target.top} -run begin:fine")
    if target.tables == "memory":
        script += [
            f"tee -q -o {files['memory']} dump {TABLE_MEMORIES}",
            f"chtype -set table_memory {TABLE_MEMORIES}",
        ]
    script.append(f"synth -flatten -noabc -top {target.top} -run fine:check")
    if not liberty:
        script += ["dfflegalize -cell $_DFF_P_ 01", "opt_clean", "rename -wire", "abc -g cmos4"]
        return [*script, *write_netlist(target, "-tech cmos", "", variants[0])]
    uses = f"-liberty {liberty}" + "".join(f" -dont_use {cell}" for cell in cells.dont_use)
    driver = f"set_driving_cell {cells.driver}\n" if cells.driver else ""
    files["constraints"].write_text(f"{driver}set_load {cells.load_ff} [all_outputs]\n")
    script += [
        f"read_liberty -lib -ignore_miss_func {liberty}",
        f"dfflibmap -prepare {uses}",
        "opt_clean",
        # Registers keep their names
        "rename -wire",
        f"dfflibmap -map-only {uses}",
        "opt",
        "design -save unmapped",
    ]
    for fanout, variant in zip(FANOUTS, variants, strict=True):
        # {D} is for Yosys to fill in.
        recipe = ABC.replace("{fanout}", str(fanout))
        script += ["design -load unmapped", f"abc {uses} -constr {files['constraints']} -script +{recipe}"]
        if cells.high:
            script.append(f"hilomap -hicell {cells.high} -locell {cells.low}")
        script += write_netlist(target, f"-liberty {liberty}", " -mapped", variant)
    return script


def write_netlist(target: Target, figures: str, mapped: str, variant: dict[str, Path]) -> list[str]:
    """The Yosys commands that check a netlist and write it and its figures."""
    return [
        # OpenSTA reads no concatenations, which adders and the wide ports of a memory leave.
        "splitnets -ports",
        "opt_clean -purge",
        # To the check a memory is a cell without outputs.
        "check" if target.tables == "memory" else f"check -assert{mapped}",
        "delete t:table_memory",
        f"tee -q -o {variant['all']} stat -json {figures}",
        f"tee -q -o {variant['tables']} stat -json {figures} t:*DFF* c:{TABLE_REGISTERS} %i",
        f"write_verilog -noattr -noexpr -nohex -nodec -norename {variant['netlist']}",
    ]


def memories(dump: Path) -> tuple[int, int]:
    """Bits in the memories that were cut out, and those bits times the read ports of each."""
    bits = ports = 0
    for cell in dump.read_text().split("cell $mem_v2")[1:]:
        size, width, reads = (
            int(re.search(rf"parameter \\{name} (\d+)$", cell, re.MULTILINE)[1])  # type: ignore[index]
            for name in ("SIZE", "WIDTH", "RD_PORTS")
        )
        bits += size * width
        ports += size * width * reads
    if not bits:
        raise SynthesisError(f"no table in a memory: {dump}")
    return bits, ports


def synthesise(name: str, target: Target, liberty: Path | None, cells: Library) -> dict[str, Any]:
    """Maps a target to the cells of a liberty file, or to gates; returns its figures."""
    kinds = {"netlist": "v", "all": "stat.json", "tables": "tables.json"}
    own = {"memory": OUT / f"{name}.il", "constraints": OUT / f"{name}.constr"}
    variants = [
        {kind: OUT / f"{name}.{fanout}.{suffix}" for kind, suffix in kinds.items()}
        for fanout in (FANOUTS if liberty else ("cmos",))
    ]
    for file in (file for files in (own, *variants) for file in files.values()):
        file.unlink(missing_ok=True)
    yosys(map_to_cells(target, liberty, cells, own, variants), OUT / f"{name}.yosys.log")
    files = variants[0]
    result: dict[str, Any] = {}
    if liberty:
        times = [time_paths(files["netlist"], target, liberty, cells) for files in variants]
        fastest = min(range(len(times)), key=lambda number: float(times[number]["period_ps"]))
        files = variants[fastest]
        result |= {"fanout": FANOUTS[fastest], "timing": {library_name(liberty): times[fastest]}}
    files["netlist"].replace(OUT / f"{name}.v")
    cells_found = cell_counts(files["all"], target.top)
    sequential = re.compile("DFF|LATCH")
    result |= {
        "cells": cells_found["num_cells"],
        "flip_flops": sum(
            count for cell, count in cells_found["num_cells_by_type"].items() if sequential.search(cell)
        ),
    }
    try:
        table_cells = cell_counts(files["tables"], target.top)
    except SynthesisError:  # no such cell
        table_cells = {}
    result["table_flip_flops"] = table_cells.get("num_cells", 0)
    if target.tables == "memory":
        result["memory_bits"], result["memory_port_bits"] = memories(own["memory"])
    if liberty:
        result["area_um2"] = round(cells_found["area"], 2)
        result["sequential_area_um2"] = round(cells_found["sequential_area"], 2)
        result["table_area_um2"] = round(table_cells.get("area", 0.0), 2)
    else:
        result["transistors"] = int(cells_found["estimated_num_transistors"])
        result["table_transistors"] = int(table_cells.get("estimated_num_transistors", 0))
    return result


def time_paths(netlist: Path, target: Target, liberty: Path, cells: Library) -> dict[str, Any]:
    """Shortest period of a netlist in a liberty file's corner, and the worst path of each kind."""
    script = netlist.with_suffix(f".{liberty.stem}.tcl")
    drive = f"set_driving_cell -lib_cell {cells.driver} $inputs" if cells.driver else ""
    script.write_text(
        f"read_liberty {liberty}\nread_verilog {netlist}\nlink_design {target.top}\n"
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


def measure(name: str, target: Target, liberties: Sequence[Path], cells: Library) -> dict[str, Any]:
    """All figures of a target: cells and area in the first library, the clock in each."""
    result: dict[str, Any] = {"technology": library_name(liberties[0]) if liberties else "transistors"}
    result |= synthesise(name, target, liberties[0] if liberties else None, cells)
    result.setdefault("timing", {})
    for liberty in liberties[1:]:
        result["timing"][library_name(liberty)] = time_paths(OUT / f"{name}.v", target, liberty, cells)
    if target.parts and liberties:
        result["parts"] = area_of_parts(name, target, liberties[0], cells)
    return result
