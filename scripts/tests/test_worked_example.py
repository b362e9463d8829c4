"""The worked example does what it shows: its files and commands, run in a folder like the project's."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from qlc.table import calibrate
from qlc.table_files import read_table, write_table
from qlc_tb.simulation import missing

from scripts import ROOT

GUIDE = ROOT / "docs" / "worked-example.md"
NAME = "layers.12.down_proj.weight"
BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "-- end of block --"


@dataclass
class Section:
    """The files that a section shows, and its commands with the output shown below them."""

    files: dict[str, str] = field(default_factory=dict)
    commands: list[tuple[str, str]] = field(default_factory=list)


def sections() -> list[Section]:
    """The introduction and the numbered sections."""
    result = []
    for text in re.split(r"^## ", GUIDE.read_text(), flags=re.MULTILINE):
        section = Section()
        for file, kind, body in BLOCK.findall(text):
            if file:
                section.files[file] = body
            elif kind == "sh":
                section.commands.append((body, ""))
            else:
                assert kind == "text", f"a block that is neither file, command nor output: {body}"
                command, _ = section.commands[-1]
                section.commands[-1] = (command, body)
        result.append(section)
    return result


INTRODUCTION, SOFTWARE, REGISTERS, SIMULATION = sections()


def without_times(text: str) -> str:
    """A command's output without the progress bar and without what differs from run to run."""
    lines = [line for line in text.splitlines() if "━" not in line]
    text = "".join(f"{line}\n" for line in lines)
    text = re.sub(r"(?<= )\d+\.\d\d$", "SECONDS", text, flags=re.MULTILINE)
    return re.sub(r"Verilator [\d.]+, [\d.]+ s \([\d.]+ M symbols/s\)", "Verilator", text)


def play(folder: Path, section: Section) -> list[tuple[str, str]]:
    """Write a section's files and run its commands: what they said, and what the guide says they do."""
    for file, text in section.files.items():
        (folder / file).write_text(text)
    lines = ["exec 2>&1"]
    for command, _ in [*INTRODUCTION.commands, *section.commands]:
        # As `make sim` does, but the results of the project's own last run stay what they are.
        simulation = ".venv/bin/python -m scripts.sim --out build/example/sim"
        command = re.sub(
            r"^make sim DATA=(\S+) TENSOR=(\S+) SCHEME='(.*)'$",
            rf"{simulation} --data \1 --tensor \2 --scheme \3",
            command,
            flags=re.MULTILINE,
        )
        lines += [command.replace("build/sim/", "build/example/sim/")]
        lines += [f"echo '{MARK}'"]
    done = subprocess.run(
        ["sh", "-eu", "-c", "\n".join(lines)], cwd=folder, stdout=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    _, *outputs, _ = done.stdout.split(f"{MARK}\n")
    shown = [text for _, text in section.commands]
    return [(without_times(a), without_times(b)) for a, b in zip(outputs, shown, strict=True)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like the project's, after the first section."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("data", "include", "scripts", "tb"):
        (folder / name).symlink_to(ROOT / name)
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, arguments in (("python", ""), ("qlc", "-m qlc ")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        program.chmod(0o755)
    (folder / "build" / "example").mkdir(parents=True)
    for said, shown in play(folder, SOFTWARE):
        assert said == shown
    return folder


@pytest.fixture(scope="module")
def fake(project: Path) -> Path:
    """The registers that are an array, after the second section."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc not found (apt-get install gcc)")
    for said, shown in play(project, REGISTERS):
        assert said == shown
    return project / "build" / "example" / "fake"


def writes(fake: Path, *arguments: object) -> tuple[int, list[tuple[int, int]]]:
    """What the C wrote, as (offset, value), and the program's exit status."""
    done = subprocess.run([fake, *map(str, arguments)], capture_output=True, text=True, check=False)
    log = [line.split() for line in done.stdout.splitlines()]
    return done.returncode, [(int(offset, 16), int(value, 16)) for offset, value in log]


def test_software(project: Path) -> None:
    example = project / "build" / "example"
    assert len(list((example / "tables").iterdir())) == 4 * 5
    assert (example / "original.bin").read_bytes() == (example / "restored.bin").read_bytes()


@pytest.mark.parametrize("top", ["encoder", "decoder"])
@pytest.mark.parametrize(("name", "table_id"), [(NAME, 0), ("layers.12.up_proj.weight.scale", 3)])
def test_words(project: Path, fake: Path, top: str, name: str, table_id: int) -> None:
    path = project / "build" / "example" / "tables" / name
    table = read_table(path.with_name(f"{name}.json"))
    by_address = table.symbol_to_rank if top == "encoder" else table.rank_to_symbol
    status, log = writes(fake, top, path, table_id)
    assert status == 0
    assert log[0] == (0x01C, 0x30000)
    assert log[1:257] == [(0x800 + 4 * index, word) for index, word in enumerate(by_address)]
    assert log[257:-1] == [(0xC00 + 4 * i, word) for i, word in enumerate(table.code.length_words())]
    assert log[-1] == (0x020, table_id) == (0x020, table.table_id)


@pytest.mark.parametrize("top", ["encoder", "decoder"])
@pytest.mark.parametrize(("table_bits", "hardware_bits"), [(3, 3), (3, 0), (2, 1), (1, 1)])
def test_raw_bits(fake: Path, tmp_path: Path, top: str, table_bits: int, hardware_bits: int) -> None:
    table = calibrate(np.arange(256), "uint8", "auto", "t", 0, table_bits)
    write_table(table, tmp_path)
    status, log = writes(fake, top, tmp_path / "t", 0, hardware_bits)
    words = (table.class_ranks if top == "encoder" else table.classes)(hardware_bits)
    assert status == 0
    assert log[1 : 1 + len(words)] == [(0x800 + 4 * i, word) for i, word in enumerate(words)]
    assert log[1 + len(words)][0] == 0xC00


def test_too_few_raw_bits(project: Path, fake: Path) -> None:
    path = project / "build" / "example" / "tables" / NAME
    assert writes(fake, "encoder", path, 0, 3) == (1, [])


def test_comments_are_no_words(project: Path, fake: Path, tmp_path: Path) -> None:
    source = project / "build" / "example" / "tables"
    text = (source / f"{NAME}.rank.hex").read_text()
    (tmp_path / "t.rank.hex").write_text(f"// a table, 0123\n{text}")
    shutil.copy(source / f"{NAME}.length.hex", tmp_path / "t.length.hex")
    assert writes(fake, "encoder", tmp_path / "t", 0) == writes(fake, "encoder", source / NAME, 0)


def test_not_loaded(project: Path, fake: Path, tmp_path: Path) -> None:
    path = project / "build" / "example" / "tables" / NAME
    status, log = writes(fake, "encoder", path, 4)
    assert (status, log[-1]) == (1, (0x020, 4))
    # A file is missing, or too short: nothing is committed.
    status, log = writes(fake, "encoder", tmp_path / "none", 0)
    assert (status, log) == (1, [])
    shutil.copy(path.with_name(f"{NAME}.symbol.hex"), tmp_path / "t.symbol.hex")
    (tmp_path / "t.length.hex").write_text("01000000\n")
    status, log = writes(fake, "decoder", tmp_path / "t", 0)
    assert status == 1
    assert 0x020 not in dict(log)


def test_simulation(project: Path) -> None:
    if (lack := missing("verilator")) is not None:
        pytest.skip(lack)
    for said, shown in play(project, SIMULATION):
        assert said == shown
    packet = project / "build" / "example" / "packet.qlc"
    assert f'"coded_bytes": {packet.stat().st_size},\n' in SIMULATION.commands[1][1]
