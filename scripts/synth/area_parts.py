"""Where the area of a module goes: the modules right below it, from a synthesis that keeps the hierarchy.

It is not sized for speed, and nothing is optimised across modules, so the sum is not the area of the whole.
"""

from __future__ import annotations

import json
from pathlib import Path

from scripts.synth.cell_library import Library
from scripts.synth.targets import Target
from scripts.synth.tools import OUT, SynthesisError, map_tables, read_design, yosys


def module_name(cell: str) -> str:
    """A module's name in the source; Yosys puts parameters or their hash around it."""
    if not cell.startswith("$paramod"):
        return cell.removeprefix("\\")
    # $paramod$HASH\\NAME or $paramod\\NAME\\PARAMETER=VALUE...
    return cell.split("\\")[1]


def area_of_parts(name: str, target: Target, liberty: Path, cells: Library) -> dict[str, float]:
    """Gives the area of all modules of a name together, in um2, and of the top's own logic under its name."""
    stat = OUT / f"{name}.parts.stat.json"
    stat.unlink(missing_ok=True)
    uses = f"-liberty {liberty}" + "".join(f" -dont_use {cell}" for cell in cells.dont_use)
    script = [
        *read_design(target),
        "proc",
        *map_tables(),
        f"synth -noabc -top {target.top} -run begin:check",
        f"read_liberty -lib -ignore_miss_func {liberty}",
        f"dfflibmap {uses}",
        f"abc {uses}",
        "opt_clean",
        f"tee -q -o {stat} stat -json -liberty {liberty}",
    ]
    yosys(script, OUT / f"{name}.parts.yosys.log")
    try:
        modules = json.loads(stat.read_text())["modules"]
        top = modules[f"\\{target.top}"]
        own, parts = float(top["area"]), dict[str, float]()
        for cell, count in top["num_cells_by_type"].items():
            module = modules.get(cell) or modules.get(f"\\{cell}")
            if module is not None:
                area = count * float(module.get("area", 0))
                own -= area
                parts[module_name(cell)] = parts.get(module_name(cell), 0.0) + area
    except (OSError, ValueError, KeyError) as error:
        raise SynthesisError(f"no figures in {stat}: {error!r}") from error
    by_area = sorted({**parts, target.top: own}.items(), key=lambda part: -part[1])
    return {part: round(area, 2) for part, area in by_area}
