"""Runs ``make sim``'s script on the bare cores, and their harness with idle and stalled cycles."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from qlc.code import PRESETS
from qlc.table import calibrate
from qlc.table_files import write_table
from qlc_tb.cases import long, sweep
from qlc_tb.script import planted_fault_is_red, sim, tensors_pass
from qlc_tb.simulation import SIMULATORS
from qlc_tb.sources import PLAYER

BENCH = Path(__file__).parent
both = pytest.mark.parametrize("simulator", SIMULATORS, indirect=True)


@pytest.mark.parametrize(
    ("simulator", "tensors", "schemes"),
    [
        ("verilator", "layers.12.*", "table1 auto auto-raw"),
        long("verilator", "*", None),
        sweep("icarus", "*", None),
    ],
    indirect=["simulator"],
)
def test_tensors(simulator: str, tensors: str, schemes: str | None, tmp_path: Path) -> None:
    chosen = ["--scheme", *schemes.split()] if schemes else []
    rows = tensors_pass(tensors, tmp_path, "--cores", "--sim", simulator, *chosen)
    for row in rows:
        assert row["coded_bytes"] == -(-row["golden_bits"] // 8)
        assert row["encoder_rate"] == 32
        assert row["decoder_rate"] == 1
        assert row["decoder_latency"] == 3


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_some_tensors(simulator: str, tmp_path: Path) -> None:
    # All of them take Icarus many minutes, and long ones are played by `make regression`.
    arguments = ["--tensor", "layers.12.ffn_up.act.scale", "--scheme", "auto-raw", "--out", str(tmp_path)]
    done = sim("--cores", "--sim", simulator, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize("scheme", ["dual", *(long(name) for name in PRESETS if name != "dual")])
def test_scheme(simulator: str, scheme: str, tmp_path: Path) -> None:
    done = sim(
        "--cores", "--sim", simulator, "--scheme", scheme, "--tensor", "layers.12.*", "--out", str(tmp_path)
    )
    assert done.returncode == 0, done.stdout + done.stderr


@both
def test_planted_fault_is_red(simulator: str, tmp_path: Path) -> None:
    planted_fault_is_red(tmp_path, "--cores", "--sim", simulator, "--scheme", "auto-raw")


@pytest.mark.parametrize("simulator", ["verilator", long("icarus")], indirect=True)
@pytest.mark.parametrize(("idle", "stall"), [(128, 0), (0, 128), (64, 200)])
def test_idle_and_stalled(
    simulator: str, idle: int, stall: int, simulate: Callable[..., Path], tmp_path: Path
) -> None:
    rng = np.random.default_rng(idle + stall)
    jobs = []
    for length in (1, 31, 32, 33, 1000, 3000):
        symbols = rng.geometric(0.05, length).clip(1, 256).astype(np.int64) - 1
        name = f"random-{length}"
        file = tmp_path / name
        file.write_bytes(symbols.astype(np.uint8).tobytes())
        write_table(calibrate(np.bincount(symbols, minlength=256), "uint8", "auto", name, 0), tmp_path)
        jobs.append({"tensor": name, "file": str(file), "table": str(tmp_path / f"{name}.json")})
    job_file = tmp_path / "jobs.json"
    job_file.write_text(json.dumps(jobs))
    results = tmp_path / "results.jsonl"
    simulate(
        simulator,
        "qlc_loopback",
        "qlc_loopback.cocotb_qlc_loopback",
        ["packets"],
        sources=[*PLAYER, BENCH / "qlc_loopback.v"],
        control=BENCH / "public.vlt",
        environment={
            "QLC_JOBS": str(job_file),
            "QLC_RESULTS": str(results),
            "QLC_IDLE": str(idle),
            "QLC_STALL": str(stall),
        },
    )
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(rows) == len(jobs)
    # The pattern was really there.
    assert any(row["decoder_cycles"] > row["symbols"] for row in rows) == (stall > 0)
