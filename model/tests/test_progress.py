"""How far long work is, on a terminal and elsewhere."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from qlc import progress
from qlc.progress import Progress

CODE = "import sys; from qlc import cli, progress\nprogress._EVERY = 0\ncli._progress.begin = lambda: None\n"
CODE += "cli._progress.next = 0\nsys.exit(cli.main(sys.argv[1:]))"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def on_a_terminal(folder, *arguments):
    """What the command prints on a terminal that is its standard error."""
    main, other = pty.openpty()
    command = [sys.executable, "-c", CODE, *arguments]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=other) as process:
        os.close(other)
        said = b""
        try:
            while part := os.read(main, 4096):
                said += part
        except OSError:  # how the end of a terminal is told
            pass
    os.close(main)
    assert process.returncode == 0
    return said.decode()


def test_every_long_command_shows_it_and_takes_it_away(tmp_path: Path) -> None:
    symbols = np.minimum(np.random.default_rng(1).exponential(9, size=9000), 255).astype(np.uint8)
    for name in ("a\x1b", "b"):
        np.save(tmp_path / f"{name}.npy", symbols)
    for line, shown in (
        ("calibrate . --out t --tables 1", "making tables: 1 of 2"),
        ("calibrate . --out t --tables 1", "sharing 1 tables, round 1"),
        ("calibrate b.npy --out t", "0 tensors, 0.0 MB; b.npy: b"),
        ("analyze .", "1 tensors, 0.0 MB; b.npy: b"),
        ("encode b.npy packet --table t/b.json", "encoding: 0.0 MB of 0.0 MB"),
        ("decode packet out --table t/b.json", "decoding packet: 0.0 MB"),
        ("verify packet --table t/b.json", "decoding packet: 0.0 MB"),
    ):
        said = on_a_terminal(tmp_path, *line.split())
        assert f"\r\x1b[K{shown}" in said
        assert said.endswith("\r\x1b[K")
        assert "\x1b" not in said.replace("\r\x1b[K", "")
        command = [sys.executable, "-c", CODE, *line.split()]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stderr == b""


def test_a_line_now_and_then_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    terminal = Terminal()
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "20")
    line = Progress()
    for now[0] in np.arange(0, 1.001, 0.05).tolist():
        line.show(f"{now[0]:.2f} " + "x\n" * 30)
    shown = terminal.getvalue().split("\r\x1b[K")[1:]
    assert [text[:4] for text in shown] == ["0.50", "0.60", "0.70", "0.80", "0.90", "1.00"]
    assert all(len(text) == 19 and "\n" not in text for text in shown)
    line.clear()
    line.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert terminal.getvalue().count("\r\x1b[K") == len(shown) + 1
