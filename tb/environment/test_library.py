"""The library that the benches share needs none of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TB = Path(__file__).resolve().parents[1]
LIBRARY = TB / "qlc_tb"
BENCHES = {folder.name for folder in TB.iterdir() if folder.is_dir() and folder != LIBRARY}


def imports(file: Path) -> set[str]:
    """The top-level packages that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("file", sorted(LIBRARY.rglob("*.py")), ids=lambda file: file.stem)
def test_library_imports_no_bench(file: Path) -> None:
    assert not imports(file) & BENCHES


def test_imports_of_benches_are_seen() -> None:
    assert "qlc_tb" in imports(Path(__file__).with_name("test_environment.py"))
    assert "qlc_decoder_core" in imports(TB / "huffman_decoder_serial" / "test_huffman_decoder_serial.py")
