"""Finds cocotb tests without running them, so that none is left out by mistake."""

from __future__ import annotations

import ast
from pathlib import Path


def cocotb_tests(file: Path) -> list[str]:
    """Names of the cocotb tests in a file: its decorated coroutines, in order."""
    tree = ast.parse(file.read_text())
    return [node.name for node in tree.body if isinstance(node, ast.AsyncFunctionDef) and node.decorator_list]
