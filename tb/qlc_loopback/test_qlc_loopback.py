"""Runs ``make sim``'s script as a user does, and the loopback harness with idle and stalled cycles."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from qlc.scheme import PRESETS
from qlc.table import calibrate
from qlc.table_files import write_table
from qlc_tb.simulation import ROOT, SIMULATORS

BENCH = Path(__file__).parent
both = pytest.mark.parametrize("simulator", SIMULATORS, indirect=True)


def sim(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "sim.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def tensors_in_data() -> set[str]:
    sys.path.insert(0, str(ROOT / "scripts"))
    from committed_data import samples

    return {sample.tensor.name for sample in samples()}


@both
def test_every_tensor(simulator: str, tmp_path: Path) -> None:
    done = sim("--sim", simulator, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    rows = results["tensors"]
    assert {row["tensor"] for row in rows} == tensors_in_data()
    for row in rows:
        assert row["mismatches"] == row["error"] == row["unstable"] == 0
        assert row["coded_bytes"] == -(-row["golden_bits"] // 8)
        assert row["encoder_rate"] == 32
        assert row["decoder_rate"] == 1
        assert row["decoder_latency"] == 3
    cases = ElementTree.parse(tmp_path / "results.xml").getroot().findall("testcase")
    assert len(cases) == len(rows)
    # One line a tensor, the titles and the summary.
    assert len(done.stdout.splitlines()) == len(rows) + 2


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize("scheme", PRESETS)
def test_scheme(simulator: str, scheme: str, tmp_path: Path) -> None:
    done = sim("--sim", simulator, "--scheme", scheme, "--tensor", "layers.12.*", "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


@both
def test_planted_fault_is_red(simulator: str, tmp_path: Path) -> None:
    done = sim(
        "--sim", simulator, "--plant-fault", "--tensor", "layers.12.attn.prob.scale", "--out", str(tmp_path)
    )
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("FAIL: ")
    assert json.loads((tmp_path / "results.json").read_text())["summary"]["mismatches"] > 0
    assert ElementTree.parse(tmp_path / "results.xml").getroot().find("testcase/failure") is not None


@both
def test_waves(simulator: str, tmp_path: Path) -> None:
    done = sim("--sim", simulator, "--waves", "--tensor", "layers.12.attn.key.scale", "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("waveforms: "))
    assert Path(line.removeprefix("waveforms: ")).stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tensor", "nothing"], "no tensor in data/ matches 'nothing'"),
        (["--scheme", "table9"], "--scheme table9"),
        (["--sim", "other"], "--sim"),
    ],
)
def test_usage(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = sim(*arguments, "--out", str(tmp_path))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@both
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
        sources=sorted(BENCH.glob("*.v")),
        control=BENCH / "public.vlt",
        parameters={"PREFIX_BITS": 3},
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
