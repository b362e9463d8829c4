"""Set-up, make's options, and that a checkout runs its own files: with stand-ins, nothing is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import ROOT

MAKE = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
# Of an outer make, whose options would be this one's.
OUTER = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "PYTHON", "PYTHONPATH")

# A Python of which venv and pip only say that they ran.
PYTHON = """#!/bin/sh
echo "$(basename "$0") $1 $2 PYTHONPATH=${PYTHONPATH-}" >> "$LOG"
case "$*" in
    --version) echo "Python %(version)s" ;;
    "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    "-m pip "*) ;;
    *base_prefix*) echo "/usr %(version)s" ;;
    *"version_info <"*) exit %(old)d ;;
esac
"""


class Checkout:
    """A checkout that can only be set up, and what was run in it."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.programs = programs
        self.log = programs / "log"
        (folder / "scripts").mkdir(parents=True)
        programs.mkdir(exist_ok=True)
        for name in ("Makefile", "pyproject.toml", "requirements.txt", "scripts/setup.sh"):
            shutil.copy(ROOT / name, folder / name)
        for program in ("iverilog", "g++", "perl", "ccache"):
            self.program(program, "#!/bin/sh\n")
        self.python("python3", "3.11.2")

    def program(self, name: str, text: str) -> None:
        """Puts a program on PATH."""
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def python(self, name: str, version: str, old: bool = False) -> None:
        """Puts a Python on PATH."""
        self.program(name, PYTHON % {"version": version, "old": old})

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs a command; the log is of this one alone."""
        self.log.unlink(missing_ok=True)
        own = {name: value for name, value in os.environ.items() if name not in OUTER}
        path = os.pathsep.join([str(self.programs), os.environ["PATH"]])
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            env={**own, "PATH": path, "LOG": str(self.log), **environment},
        )

    def made(self, *command: str, **environment: str) -> list[str]:
        """Runs a command that must succeed; gives the Pythons that made an environment."""
        done = self.run(*(command or ("scripts/setup.sh", "icarus")), **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line.split()[0] for line in lines if " -m venv " in line]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout", tmp_path / "programs")


class TestEnvironment:
    def test_is_made_once(self, checkout: Checkout) -> None:
        assert checkout.made() == ["python3"]
        assert checkout.made() == []

    def test_of_a_copied_checkout_is_made_anew(self, checkout: Checkout, tmp_path: Path) -> None:
        checkout.made()
        kept = (checkout.folder / ".venv" / "ready").read_text()
        shutil.copytree(checkout.folder, tmp_path / "copy", symlinks=True)
        checkout.folder = tmp_path / "copy"
        assert checkout.made() == ["python3"]
        assert checkout.made() == []
        assert (tmp_path / "checkout" / ".venv" / "ready").read_text() == kept

    def test_of_a_link_to_another_is_made_anew_and_the_other_kept(
        self, checkout: Checkout, tmp_path: Path
    ) -> None:
        checkout.made()
        other = checkout.folder / ".venv"
        other.rename(tmp_path / "other")
        other.symlink_to(tmp_path / "other")
        (tmp_path / "other" / "ready").write_text("/another/folder /usr 3.11.2\n")
        assert checkout.made() == ["python3"]
        assert not other.is_symlink()
        assert (tmp_path / "other" / "ready").exists()

    def test_of_a_python_that_is_gone_or_replaced_is_made_anew(self, checkout: Checkout) -> None:
        checkout.made()
        (checkout.folder / ".venv" / "bin" / "python").unlink()
        assert checkout.made() == ["python3"]
        checkout.python(str(checkout.folder / ".venv" / "bin" / "python"), "3.12.1")
        assert checkout.made() == ["python3"]

    def test_that_was_not_finished_is_made_anew(self, checkout: Checkout) -> None:
        checkout.made()
        (checkout.folder / ".venv" / "ready").unlink()
        assert checkout.made() == ["python3"]

    def test_of_the_python_that_was_asked_for_stays(self, checkout: Checkout) -> None:
        checkout.python("python3.12", "3.12.1")
        checkout.made()
        assert checkout.made(PYTHON="python3.12") == ["python3.12"]
        assert checkout.made() == []

    def test_takes_no_packages_of_others(self, checkout: Checkout) -> None:
        checkout.made(PYTHONPATH="/elsewhere")
        pip = [line for line in checkout.log.read_text().splitlines() if " -m pip " in line]
        assert pip
        assert all(line.endswith("PYTHONPATH=") for line in pip)

    def test_a_copy_of_it_finds_its_own_model(self, checkout: Checkout) -> None:
        link = checkout.folder / ".venv/lib/python3.11/site-packages/__editable__.qlc-0.1.0.pth"
        checkout.made()
        link.parent.mkdir(parents=True)
        link.write_text("/the/original/model")
        (checkout.folder / "requirements.txt").touch()
        os.utime(checkout.folder / ".venv" / "ready", (0, 0))
        assert checkout.made() == []
        found = [(link.parent / line).resolve() for line in link.read_text().splitlines()]
        assert found == [checkout.folder / "model", checkout.folder / "tb"]


class TestRefusals:
    def test_old_python_is_one_line(self, checkout: Checkout) -> None:
        checkout.python("python3", "3.9.18", old=True)
        done = checkout.run("scripts/setup.sh", "icarus")
        assert done.returncode == 1
        assert done.stderr.startswith("setup: Python 3.9.18 is too old; Python 3.10 or newer is needed")
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)
        assert not (checkout.folder / ".venv").exists()

    def test_no_python_is_one_line(self, checkout: Checkout) -> None:
        done = checkout.run("scripts/setup.sh", "icarus", PYTHON="python3.99")
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "python3.99 not found" in done.stderr

    @pytest.mark.parametrize("name", ["a b", "a'b", "a#b", "a$b", "a:b"])
    def test_folder_that_make_cannot_name(self, tmp_path: Path, name: str) -> None:
        checkout = Checkout(tmp_path / name, tmp_path / "programs")
        done = checkout.run("scripts/setup.sh", "verilator", "icarus")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert done.stderr.startswith(f"setup: {tmp_path / name}: ")
        assert checkout.made() == ["python3"]


@MAKE
class TestOptions:
    def test_are_not_taken_from_the_environment(self, checkout: Checkout) -> None:
        names = "SIM TENSOR DATA SCHEME SEED WAVES CORES WORD_BITS PYTHON TARGET LIB FPGA SEEDS EXTENT OURS"
        hostile = dict.fromkeys(names.split(), "7")
        for target in ("sim", "waves", "bench", "test", "lut", "synth", "setup"):
            command = ("make", "-n", target)
            assert checkout.run(*command, **hostile).stdout == checkout.run(*command).stdout

    def test_are_taken_from_the_command_line(self, checkout: Checkout) -> None:
        said = checkout.run("make", "-n", "sim", "SIM=icarus", "SEED=3", "WAVES=1", "CORES=1").stdout
        for option in ("--sim icarus", "--seed 3", "--waves", "--cores"):
            assert option in said

    def test_zero_is_off(self, checkout: Checkout) -> None:
        assert (
            checkout.run("make", "-n", "sim", "WAVES=0", "CORES=0").stdout
            == checkout.run("make", "-n", "sim").stdout
        )

    def test_python_makes_the_environment_and_nothing_else(self, checkout: Checkout) -> None:
        checkout.python("python3.12", "3.12.1")
        assert checkout.made("make", "setup", "PYTHON=python3.12") == ["python3.12"]
        assert checkout.made("make", "setup", PYTHON="/nowhere") == []
        said = checkout.run("make", "-n", "sim", "PYTHON=x").stdout
        assert "\n.venv/bin/python -m scripts.sim" in said

    def test_what_would_change_python_and_pytest_is_dropped(self, checkout: Checkout) -> None:
        hostile = {
            "PYTHONPATH": "x",
            "PYTHONHOME": "x",
            "PYTHONOPTIMIZE": "2",
            "PYTEST_ADDOPTS": "-k nothing",
        }
        done = checkout.run("make", "--eval", "show: ; @env", "show", **hostile)
        assert done.returncode == 0
        found = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        assert not {name: value for name, value in found.items() if hostile.get(name) == value}
        assert found["PYTHONPATH"].split(os.pathsep) == [
            str(checkout.folder / name) for name in (".", "model", "tb")
        ]


SCRIPTS = [
    "bench", "compare", "core_file", "figures", "lint", "luts", "modules", "registers", "sim", "study",
    "synth", "warmup", "waves",
]  # fmt: skip


class TestOwnTree:
    @pytest.fixture(scope="class")
    def copy(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        """A copy of the checkout whose golden model is broken."""
        folder = tmp_path_factory.mktemp("copy")
        for name in ("Makefile", "conftest.py", "pyproject.toml", "rtl", "scripts", "tb"):
            place = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            place(ROOT / name, folder / name)
        (folder / "model" / "qlc").mkdir(parents=True)
        (folder / "model" / "qlc" / "__init__.py").write_text("raise SystemExit('the copy ran its own')\n")
        return folder

    @MAKE
    @pytest.mark.parametrize("script", sorted({*SCRIPTS} - {"modules", "registers", "waves"}))
    def test_scripts_run_their_own_golden_model(self, copy: Path, script: str) -> None:
        rule = f"own: ; @{sys.executable} -m scripts.{script} --help"
        done = subprocess.run(
            ["make", "--eval", rule, "own"],
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "model")},
        )
        assert done.stderr.startswith("the copy ran its own\n")

    @pytest.mark.parametrize("folder", ["model", "tb"])
    @pytest.mark.parametrize(
        "imports", ["import qlc", "subprocess.run([sys.executable, '-c', 'import qlc'])"]
    )
    def test_tests_run_their_own_golden_model(self, copy: Path, folder: str, imports: str) -> None:
        test = copy / folder / "test_own.py"
        test.write_text(f"import subprocess, sys\ndef test():\n    {imports}\n")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-s", str(test)],
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "model")},
        )
        assert "the copy ran its own" in done.stdout + done.stderr

    def test_command_of_a_copied_environment_says_so(self, tmp_path: Path) -> None:
        command = tmp_path / ".venv" / "bin" / "qlc"
        command.parent.mkdir(parents=True)
        command.write_text("import sys\nfrom qlc.cli import main\nsys.exit(main())\n")
        (tmp_path / ".venv" / "pyvenv.cfg").touch()
        done = subprocess.run(
            [sys.executable, str(command), "--help"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert f"{tmp_path / '.venv'} is a copy of {sys.prefix}" in done.stderr


def test_signals_end_every_script() -> None:
    found = []
    scripts = ROOT / "scripts"
    for file in (*scripts.glob("*.py"), *scripts.glob("*/__main__.py")):
        text = file.read_text()
        if 'if __name__ == "__main__":' in text and file.stem != "capture":
            assert re.search(r'\n    end_on_signals\("[a-z_-]+"\)\n    sys\.exit\(main\(\)\)\n\Z', text), file
            found.append(file.parent.name if file.stem == "__main__" else file.stem)
    assert sorted(found) == SCRIPTS
