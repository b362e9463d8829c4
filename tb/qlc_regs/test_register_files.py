"""What is made from the register description, or says the same in other words, agrees with it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from qlc_tb.registers import Register, RegisterMap

from scripts import registers

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "registers.md"
HEADER = ROOT / "include" / "qlc_regs.h"


def test_header_is_up_to_date() -> None:
    pytest.importorskip("peakrdl_cheader", reason="peakrdl-cheader: pip install -r requirements-docs.txt")
    command = [sys.executable, "-m", "scripts.registers", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_html(tmp_path: Path) -> None:
    pytest.importorskip("peakrdl_html", reason="peakrdl-html: pip install -r requirements-docs.txt")
    registers.html(tmp_path)
    assert "QLC registers" in (tmp_path / "index.html").read_text()


def arrays(registers: RegisterMap) -> Iterator[tuple[str, Register]]:
    """The registers, of each array the first under the name ``name[length]``."""
    for name, register in registers.items():
        stem = name.split("[")[0]
        if name == stem:
            yield name, register
        elif name == f"{stem}[0]":
            yield f"{stem}[{sum(other.startswith(f'{stem}[') for other in registers)}]", register


def access(register: Register) -> str:
    """How the guide's table names a register's access."""
    kind = "r" * register.readable + "w" * register.writable
    if any(field.write_one_clears for field in register.fields):
        kind += "1c"
    return kind if register.width == 32 else f"{kind}, {register.width} bits"


def test_guide_lists_every_register() -> None:
    rows = re.findall(r"^\| 0x([0-9A-F]+) \| `([^`]+)` \| ([^|]+) \|", GUIDE.read_text(), re.MULTILINE)
    listed = [(int(offset, 16), name, kind) for offset, name, kind in rows]
    assert listed == [(register.address, name, access(register)) for name, register in arrays(RegisterMap())]


def test_decoder_lacks_the_histogram_only() -> None:
    encoder, decoder = RegisterMap(), RegisterMap(DECODER=1)
    lacking = set(encoder) - set(decoder)
    assert lacking == {name for name in encoder if name.startswith("hist_")}
    assert not set(decoder) - set(encoder)
    assert all(encoder[name].address == decoder[name].address for name in decoder)


@pytest.mark.parametrize("standard", ["c11", "c17"])
def test_guide_compiles(tmp_path: Path, standard: str) -> None:
    """The guide's C tells what a build lacks; every register's offset in the header's structure."""
    if (compiler := shutil.which("cc") or shutil.which("gcc")) is None:
        pytest.skip("no C compiler: apt-get install gcc")
    (code,) = re.findall(r"^```c\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    checks = [
        f'static_assert(offsetof(qlc_regs_t, {name}) == {register.address}, "{name}");'
        for name, register in RegisterMap().items()
    ]
    # A table that fits, and one thing too much each.
    capability = RegisterMap(RAW_BITS=1, SHORTEST=2, LONGEST=11)["capability"].reset
    needs = [{"lengths": 4, "known_bits": 6, "shortest": 2, "longest": 11, "raw_bits": 1}]
    wrong = {"lengths": 5, "known_bits": 7, "shortest": 1, "longest": 12, "raw_bits": 0}
    needs += [needs[0] | {name: value} for name, value in wrong.items()]
    rows = ", ".join(f"{{{', '.join(map(str, each.values()))}}}" for each in needs)
    main = f"""
        #include <stdio.h>
        static uint32_t registers[1024];
        int main(void)
        {{
            static const struct qlc_needs needs[] = {{{rows}}};
            size_t n;
            (void)qlc_read64;
            (void)qlc_load_table;
            registers[{RegisterMap()["capability"].address // 4}] = {capability}u;
            for (n = 0; n < sizeof needs / sizeof needs[0]; n++) {{
                const char *lacks = qlc_lacks(registers, &needs[n]);
                puts(lacks ? lacks : "fits");
            }}
            return 0;
        }}
    """
    source = tmp_path / "guide.c"
    source.write_text("\n".join([code, *checks, main]))
    flags = [f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    command = [compiler, *flags, "-I", str(HEADER.parent), str(source), "-o", str(tmp_path / "guide")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([tmp_path / "guide"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["fits", *wrong]
