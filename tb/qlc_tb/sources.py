"""The Verilog of the project: what ``rtl/qlc.f`` lists, and the baseline that it is compared with."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE_LIST = ROOT / "rtl" / "qlc.f"


def listed(file_list: Path = FILE_LIST) -> list[Path]:
    """The files of a list, in its order; its lines are comments or paths from where it lies."""
    lines = (line.strip() for line in file_list.read_text().splitlines())
    return [file_list.parent / line for line in lines if line and not line.startswith("//")]


RTL = listed()
# What harnesses that play packets are made of.
PLAYER = sorted((ROOT / "tb" / "qlc_tb" / "hdl").glob("*.v"))
BASELINE = sorted((ROOT / "rtl" / "baseline").glob("*.v"))


def module_file(name: str) -> Path:
    """The file of a module. Raises KeyError where there is none."""
    return {file.stem: file for file in (*RTL, *BASELINE)}[name]
