"""include/qlc_regs.h compiles as what its users have: C of 1999 and since, and C++."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HEADER = (Path(__file__).resolve().parents[2] / "include" / "qlc_regs.h").read_text()
LANGUAGES = {"c99": "c", "c11": "c", "c++11": "c++"}

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None and "CI" not in os.environ, reason="gcc is not there"
)


def compiles(folder: Path, text: str, standard: str) -> str:
    """What the strictest compiler says of a program with that header."""
    (folder / "qlc_regs.h").write_text(text)
    (folder / "main.c").write_text(
        '#include "qlc_regs.h"\nint main(void) { return sizeof(qlc_regs_t) == 0; }\n'
    )
    command = [
        "gcc",
        "-x",
        LANGUAGES[standard],
        f"-std={standard}",
        "-pedantic",
        "-Wall",
        "-Wextra",
        "-Werror",
    ]
    done = subprocess.run(
        [*command, "-fsyntax-only", "main.c"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stderr


@pytest.mark.parametrize("standard", LANGUAGES)
def test_compiles(tmp_path: Path, standard: str) -> None:
    if LANGUAGES[standard] == "c++" and shutil.which("g++") is None:
        pytest.skip("g++ is not there")
    assert compiles(tmp_path, HEADER, standard) == ""


def test_a_structure_of_another_size_does_not(tmp_path: Path) -> None:
    damaged = re.sub(r"    uint32_t version;\n", "", HEADER)
    assert damaged != HEADER
    assert "qlc_regs_have_no_gaps" in compiles(tmp_path, damaged, "c99")
