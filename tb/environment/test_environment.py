"""The environment tests itself: whatever goes wrong in a bench must turn its run red."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from qlc_tb import simulation
from qlc_tb.simulation import SimulationError
from qlc_tb.tables import PLANT_FAULT

HERE = Path(__file__).parent
MODULE = "environment.cocotb_environment"
SOURCES = [HERE / "faulty_stream.v"]

# By FAULT of faulty_stream: what the log must say.
FAULTS = {
    1: "StabilityError: m_axis: changed in a stall",
    2: "StabilityError: m_axis: tvalid dropped before tready",
    3: "PayloadError: m_axis: tdata is",
    4: "PayloadError: m_axis: tlast is X",
    5: "StabilityError: m_axis: tvalid is X after reset",
    6: "StabilityError: s_axis: tready is X after reset",
    7: "is not contiguous from lane 0",
    8: "is not 0 in the lanes that tkeep",
    9: "in a beat that is not the last",
    10: "hang:",
    11: "ScoreboardError: packet",
    12: "ScoreboardError: packet",
    13: "StabilityError: m_axis: tvalid is 1 in reset",
    14: "hang:",
    15: "hang:",
}
# Benches with tables: top, module, a test, parameters that the bench's own tests build too.
BENCHES = [
    (
        "qlc_encoder_core",
        "qlc_encoder_core.cocotb_qlc_encoder_core",
        "data_kinds",
        {"SYMBOLS": 5, "RAW_BITS": 1, "SHORTEST": 2, "LONGEST": 10},
    ),
    ("qlc_decoder_core", "qlc_decoder_core.cocotb_qlc_decoder_core", "data_kinds", {"DATA_BITS": 32}),
    (
        "qlc_decoder_wide",
        "qlc_decoder_wide.cocotb_qlc_decoder_wide",
        "data_kinds",
        {"WORD_BITS": 16, "BANKS": 2},
    ),
    (
        "qlc_chain",
        "qlc_chain.cocotb_qlc_chain",
        "data_kinds",
        {"SYMBOLS": 4, "LENGTHS": 12, "KNOWN_BITS": 12},
    ),
    ("qlc_encoder_core", "qlc_chain.cocotb_cocotbext_axi", "encoder", {"SYMBOLS": 32}),
    ("qlc_decoder_core", "qlc_chain.cocotb_cocotbext_axi", "decoder", {"DATA_BITS": 32}),
]

Simulate = Callable[..., Path]


def _log(error: SimulationError) -> str:
    # Every message ends with the log's path.
    return Path(str(error).rpartition("see ")[2]).read_text()


@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
def test_right_dut_passes(simulator: str, simulate: Simulate) -> None:
    simulate(simulator, "faulty_stream", MODULE, ["stream"], sources=SOURCES)


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_two_runs_of_a_bench_keep_apart(simulator: str, simulate: Simulate) -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = [
            pool.submit(simulate, simulator, "faulty_stream", MODULE, ["stream"], sources=SOURCES)
            for _ in range(4)
        ]
    assert len({run.result() for run in runs}) == 1


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_wrong_dut_fails(simulator: str, fault: int, simulate: Simulate) -> None:
    with pytest.raises(SimulationError) as caught:
        simulate(simulator, "faulty_stream", MODULE, ["stream"], sources=SOURCES, parameters={"FAULT": fault})
    assert FAULTS[fault] in _log(caught.value)


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("fails", "AssertionError: on purpose"),
        ("compares_nothing", "ScoreboardError: no packet was compared"),
        ("expects_too_much", "1 packets expected"),
        ("expects_too_little", "wasn't expecting anything"),
    ],
)
@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
def test_wrong_bench_fails(
    simulator: str,
    test: str,
    message: str,
    simulate: Simulate,
    seed: int,
    request: pytest.FixtureRequest,
) -> None:
    with pytest.raises(SimulationError) as caught:
        simulate(simulator, "faulty_stream", MODULE, ["stream", test], sources=SOURCES)
    log = _log(caught.value)
    assert message in log
    assert f'to run again: pytest "{request.node.nodeid}" --seed {seed}' in log


@pytest.mark.parametrize("tests", [["no_such_test"], ["stream", "no_such_test"]])
@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
def test_missing_test_fails(simulator: str, tests: list[str], simulate: Simulate) -> None:
    with pytest.raises(SimulationError):
        simulate(simulator, "faulty_stream", MODULE, tests, sources=SOURCES)


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_missing_module_fails(simulator: str, simulate: Simulate) -> None:
    with pytest.raises(SimulationError):
        simulate(simulator, "faulty_stream", "environment.no_such_module", ["stream"], sources=SOURCES)


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_broken_build_fails(simulator: str, simulate: Simulate, tmp_path: Path) -> None:
    (tmp_path / "broken.v").write_text("module broken(;")
    with pytest.raises(SimulationError, match="build failed"):
        simulate(simulator, "broken", MODULE, ["stream"], sources=[tmp_path / "broken.v"])


@pytest.mark.parametrize(("top", "module", "test", "parameters"), BENCHES)
@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_planted_fault_fails(
    simulator: str, top: str, module: str, test: str, parameters: dict[str, int], simulate: Simulate
) -> None:
    sources = [HERE.parent / "qlc_chain" / "qlc_chain.v"] if top == "qlc_chain" else []

    with pytest.raises(SimulationError) as caught:
        simulate(
            simulator, top, module, [test],
            sources=sources, parameters=parameters, environment={PLANT_FAULT: "1"},
        )  # fmt: skip
    log = _log(caught.value)
    assert "ScoreboardError: packet" in log or "AssertionError: packet" in log


HOSTILE = {
    "COCOTB_TESTCASE": "nothing",
    "COCOTB_TEST_FILTER": "nothing",
    "COCOTB_RANDOM_SEED": "nothing",
    "TESTCASE": "nothing",
    "MODULE": "nothing",
    "TOPLEVEL": "nothing",
    "GPI_EXTRA": "nothing",
    "GPI_USERS": "nothing",
    "PYGPI_USERS": "nothing",
    "PYTHONHOME": "/nowhere",
    "PYTHONOPTIMIZE": "2",
    "PYTHONPATH": "/nowhere",
    "IVERILOG_DUMPER": "none",
    "SIM_CMD_PREFIX": "false",
    "WAVES": "nothing",
    "GUI": "1",
    PLANT_FAULT: "1",
    "VERILATOR_ROOT": "/nowhere",
    "CXXFLAGS": "-nonsense",
    "LDFLAGS": "-nonsense",
    "MAKEFILES": "/nowhere",
    "CCACHE_LOGFILE": "/nowhere/log",
}


@pytest.fixture
def restored() -> Iterator[None]:
    """The environment is as before the test, whatever ran in it."""
    before = dict(os.environ)
    yield
    for name in set(os.environ) - set(before):
        del os.environ[name]
    os.environ.update(before)


@pytest.mark.parametrize("simulator", ["icarus", "verilator"], indirect=True)
@pytest.mark.usefixtures("restored")
def test_inherited_environment_changes_nothing(simulator: str, simulate: Simulate) -> None:
    os.environ.update(HOSTILE)
    simulate(simulator, "faulty_stream", MODULE, ["stream"], sources=SOURCES)
    left = {name for name, value in HOSTILE.items() if os.environ.get(name) == value}
    assert not left


@pytest.mark.usefixtures("restored")
@pytest.mark.skipif(shutil.which("ccache") is None, reason="ccache is not installed")
def test_ccache_is_left_out_where_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder, wrapper in ((tmp_path / "new", "ccache"), (tmp_path / "file" / "below", "")):
        os.environ["CCACHE_DIR"] = str(folder)
        simulation.prepare_environment()
        assert os.environ["OBJCACHE"] == wrapper


@pytest.mark.parametrize("name", ["a b", "a#b", "a$b", "a'b"])
def test_folder_that_make_cannot_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "ROOT", Path("/somewhere") / name)
    lack = simulation.missing("verilator")
    assert lack is not None
    assert f"/somewhere/{name}" in lack
    assert "\n" not in lack


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
@pytest.mark.usefixtures("restored")
def test_build_is_kept_as_what_it_is(
    simulator: str, simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "BUILD", tmp_path)
    for wanted, inherited in ((True, "0"), (False, "1"), (True, "")):
        os.environ["WAVES"] = inherited
        folder = simulate(simulator, "faulty_stream", MODULE, ["stream"], sources=SOURCES, waves=wanted)
        assert bool(list(folder.glob("dump.*"))) == wanted
    assert len([path for path in (tmp_path / "tb").iterdir() if path.is_dir()]) == 2


# Builds with a compiler that is killed half-way, and its caller with it.
KILLED = """
import os, sys
from pathlib import Path
from qlc_tb import simulation
simulation.BUILD = Path(sys.argv[1])
simulation.prepare_environment()
os.environ["PATH"] = sys.argv[2] + os.pathsep + os.environ["PATH"]
simulation.prepare_environment = lambda: None
simulation.run("icarus", "faulty_stream", "none", [], sources=[Path(sys.argv[3])], seed=1)
"""
COMPILER = """#!/bin/sh
[ "$1" = -V ] && exec "{iverilog}" -V
echo "half a build" > "$2"
kill -9 $PPID
"""


@pytest.mark.parametrize("before", [False, True], ids=["first", "again"])
@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_killed_build_is_not_taken_for_a_finished_one(
    simulator: str, simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    monkeypatch.setattr(simulation, "BUILD", tmp_path)
    source = tmp_path / "faulty_stream.v"
    shutil.copy(SOURCES[0], source)
    compiler = tmp_path / "programs" / "iverilog"
    compiler.parent.mkdir()
    compiler.write_text(COMPILER.format(iverilog=shutil.which("iverilog")))
    compiler.chmod(0o755)

    def play() -> None:
        simulate(simulator, "faulty_stream", MODULE, ["stream"], sources=[source])

    if before:
        play()
    # Newer than the build, and the same.
    source.touch()
    killed = [sys.executable, "-c", KILLED, str(tmp_path), str(compiler.parent), str(source)]
    subprocess.run(killed, capture_output=True, check=False)
    play()
    assert not list((tmp_path / "tb").glob("*.part-*"))
