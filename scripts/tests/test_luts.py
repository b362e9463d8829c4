"""The tables of every layer in data/: whole or not there."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from qlc import atomic
from qlc.atomic import Data
from qlc.bounds import BUILDS
from qlc.table_files import read_table

from scripts import luts
from scripts.committed_data import histograms


class Lut:
    """The script, on a few of the histograms."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.histograms = dict(list(histograms().items())[::150])
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(luts, "histograms", lambda: self.histograms)

    def __call__(self, *arguments: object) -> int:
        """Runs it with arguments; gives its status."""
        self.monkeypatch.setattr(sys, "argv", ["luts.py", *map(str, arguments)])
        return luts.main()


@pytest.fixture
def lut(monkeypatch: pytest.MonkeyPatch) -> Lut:
    return Lut(monkeypatch)


def test_a_table_a_layer(lut: Lut, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note").write_text("kept")
    assert lut("--out", tmp_path, "--scheme", "auto-raw") == 0
    assert capsys.readouterr().out == f"{len(lut.histograms)} tables in {tmp_path}\n"
    for name, histogram in lut.histograms.items():
        table = read_table(tmp_path / f"{name}.json")
        assert (table.table_id, table.dtype) == (histogram.layer, histogram.dtype)
        assert table.symbols_counted == np.sum(histogram.counts)
        assert BUILDS["raw"].problem(table) is None
    assert len(list(tmp_path.iterdir())) == 5 * len(lut.histograms) + 1


def test_a_folder_that_cannot_be(lut: Lut, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("kept")
    assert lut("--out", tmp_path / "file" / "luts", "--scheme", "table1") == 1
    assert capsys.readouterr().err == f"lut: {tmp_path / 'file' / 'luts'}: Not a directory\n"


@pytest.mark.parametrize(
    ("error", "status"), [(OSError(28, "No space left on device", "f"), 1), (KeyboardInterrupt, 130)]
)
def test_what_ends_in_its_middle_leaves_nothing(
    lut: Lut,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    status: int,
) -> None:
    real = atomic._write
    done: list[Path] = []

    def full(path: Path, data: Data, mode: str) -> None:
        if len(done) == 7:
            raise error
        done.append(path)
        real(path, data, mode)

    monkeypatch.setattr(atomic, "_write", full)
    assert lut("--out", tmp_path, "--scheme", "table1") == status
    assert len(done) == 7
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err.count("\n") == 1
