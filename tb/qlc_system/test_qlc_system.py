"""Runs ``make sim``'s script on the tops."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from qlc_tb.cases import long
from qlc_tb.script import planted_fault_is_red, sim, tensors_pass
from qlc_tb.simulation import SIMULATORS
from qlc_tb.sources import ROOT

both = pytest.mark.parametrize("simulator", SIMULATORS, indirect=True)


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize(
    ("tensors", "schemes", "word_bits"),
    # The codes that one build holds; all of them, and every tensor: `make sim`.
    [
        ("layers.12.*", "table1 auto auto-raw", 64),
        *(long("*", None, word_bits) for word_bits in (64, 0, 256)),
    ],
)
def test_tensors(simulator: str, tensors: str, schemes: str | None, word_bits: int, tmp_path: Path) -> None:
    chosen = ["--word-bits", str(word_bits), *(["--scheme", *schemes.split()] if schemes else [])]
    rows = tensors_pass(tensors, tmp_path, "--sim", simulator, *chosen)
    for row in rows:
        assert row["encoder_rate"] == 32
        assert row["blocks_raw"] + row["blocks_coded"] == -(-row["symbols"] // 4096)


@pytest.mark.parametrize("simulator", ["icarus"], indirect=True)
def test_some_tensors(simulator: str, tmp_path: Path) -> None:
    # All of them take Icarus many minutes: `make sim SIM=icarus`.
    arguments = ["--tensor", "layers.12.ffn_up.act.scale", "--word-bits", "0", "--scheme", "auto-raw"]
    done = sim("--sim", simulator, *arguments, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("simulator", ["verilator"], indirect=True)
@pytest.mark.parametrize("scheme", ["dual", long("quad16")])
def test_scheme(simulator: str, scheme: str, tmp_path: Path) -> None:
    # dual makes some blocks of the smaller tensors longer: they go raw.
    arguments = ["--scheme", scheme, "--tensor", "layers.29.*"]
    done = sim("--sim", simulator, *arguments, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


@both
def test_planted_fault_is_red(simulator: str, tmp_path: Path) -> None:
    # On Verilator the build of the tests above, on Icarus what is fastest
    word_bits = "64" if simulator == "verilator" else "0"
    planted_fault_is_red(tmp_path, "--sim", simulator, "--word-bits", word_bits, "--scheme", "auto-raw")


@pytest.mark.parametrize(
    ("simulator", "hardware", "builds"),
    # Verilator takes long to compile a dump of the tops.
    [
        ("icarus", ["--word-bits", "0", "--scheme", "auto"], 1),
        long("verilator", ["--cores", "--scheme", "auto"], 1),
        long("icarus", ["--word-bits", "0"], 2),
    ],
    indirect=["simulator"],
)
def test_waves(simulator: str, hardware: list[str], builds: int, tmp_path: Path) -> None:
    arguments = ["--waves", "--tensor", "layers.12.attn.key.scale", *hardware]
    done = sim("--sim", simulator, *arguments, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    dumps = [line for line in done.stdout.splitlines() if line.startswith("waveforms: ")]
    assert len(dumps) == builds
    assert all(Path(line.removeprefix("waveforms: ")).stat().st_size > 1000 for line in dumps)


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_damaged_data_is_red(damage: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for folder in ("data", "scripts", "tb"):
        shutil.copytree(ROOT / folder, copy / folder)
    file = copy / "data" / "layers.12.safetensors"
    if damage == "missing":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    done = subprocess.run(
        [sys.executable, "-m", "scripts.sim", "--tensor", "layers.00.*"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert str(file) in done.stderr


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
