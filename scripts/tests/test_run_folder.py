"""Folders that scripts write to: nothing of others is lost in them, and two runs keep apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.run_folder import run_folder

# Says that it is inside, and leaves when told.
INSIDE = """
import sys
from pathlib import Path
from scripts.run_folder import run_folder
with run_folder("second", Path(sys.argv[1])):
    print("inside", flush=True)
    sys.stdin.readline()
"""


def second(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INSIDE, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_folder_of_others_is_refused(tmp_path: Path) -> None:
    note = tmp_path / "results.json"
    note.write_text("mine")
    with pytest.raises(OSError, match="new folder"), run_folder("sim", tmp_path, ("results.json",)):
        pass
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_later_run_leaves_what_it_did_not_make(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with run_folder("sim", folder, ("results.json",)):
        (folder / "results.json").write_text("{}")
    (folder / "note").write_text("mine")
    with run_folder("sim", folder, ("results.json", "results.xml")):
        assert not (folder / "results.json").exists()
    assert (folder / "note").read_text() == "mine"


def test_second_run_waits_with_a_line(tmp_path: Path) -> None:
    with run_folder("first", tmp_path):
        waiting = second(tmp_path)
        assert waiting.stderr is not None
        assert waiting.stderr.readline() == f"second: waits for another run in {tmp_path}\n"
        assert waiting.poll() is None
    out, err = waiting.communicate("\n", timeout=60)
    assert (out, err, waiting.returncode) == ("inside\n", "", 0)


def test_a_killed_run_holds_nobody_up(tmp_path: Path) -> None:
    first = second(tmp_path)
    assert first.stdout is not None
    assert first.stdout.readline() == "inside\n"
    first.kill()
    first.communicate()
    with run_folder("next", tmp_path):
        pass


@pytest.mark.parametrize("script", ["sim", "warmup", "compare", "bench"])
def test_scripts_refuse_a_folder_of_others(script: str, tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine")
    command = [sys.executable, "-m", f"scripts.{script}", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"--out {tmp_path}: holds files" in line
    assert [path.name for path in tmp_path.iterdir()] == ["note"]
