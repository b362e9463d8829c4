"""Names for pytest: of cocotb tests, so that none is left out by mistake, and of parameter sets."""

from __future__ import annotations

import ast
from pathlib import Path


def cocotb_tests(file: Path) -> list[str]:
    """Names of the cocotb tests in a file: its decorated coroutines, in order."""
    tree = ast.parse(file.read_text())
    return [node.name for node in tree.body if isinstance(node, ast.AsyncFunctionDef) and node.decorator_list]


def label(value: object) -> str:
    """A pytest id for a simulator or a set of Verilog parameters, fit for a command line."""
    if isinstance(value, dict):
        return "-".join(f"{key}-{item}" for key, item in value.items())
    return str(value)
