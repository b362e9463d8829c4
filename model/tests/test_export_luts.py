"""The tables of every layer in data/: whole or not there."""

import sys
from pathlib import Path

import numpy as np
import pytest
from qlc.bounds import BUILDS
from qlc.table_files import read_table

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def lut(monkeypatch):
    """The script, and how to run it with arguments, on a few of the histograms."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import export_luts

    some = dict(list(export_luts.histograms().items())[::150])
    monkeypatch.setattr(export_luts, "histograms", lambda: some)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["export_luts.py", *map(str, arguments)])
        return export_luts.main()

    run.module, run.histograms = export_luts, some
    return run


def test_a_table_a_layer(lut, tmp_path, capsys):
    (tmp_path / "note").write_text("kept")
    assert lut("--out", tmp_path, "--scheme", "auto-raw") == 0
    assert capsys.readouterr().out == f"{len(lut.histograms)} tables in {tmp_path}\n"
    for name, histogram in lut.histograms.items():
        table = read_table(tmp_path / f"{name}.json")
        assert (table.table_id, table.dtype) == (histogram.layer, histogram.dtype)
        assert table.symbols_counted == np.sum(histogram.counts)
        assert BUILDS["raw"].problem(table) is None
    assert len(list(tmp_path.iterdir())) == 5 * len(lut.histograms) + 1


def test_a_folder_that_cannot_be(lut, tmp_path, capsys):
    (tmp_path / "file").write_text("kept")
    assert lut("--out", tmp_path / "file" / "luts", "--scheme", "table1") == 1
    assert capsys.readouterr().err == f"lut: {tmp_path / 'file' / 'luts'}: Not a directory\n"


@pytest.mark.parametrize(
    ("error", "status"), [(OSError(28, "No space left on device", "f"), 1), (KeyboardInterrupt, 130)]
)
def test_what_ends_in_its_middle_leaves_nothing(lut, tmp_path, monkeypatch, capsys, error, status):
    from qlc import atomic

    real, done = atomic._write, []

    def full(path, data, mode):
        if len(done) == 7:
            raise error
        done.append(path)
        real(path, data, mode)

    monkeypatch.setattr(atomic, "_write", full)
    assert lut("--out", tmp_path, "--scheme", "table1") == status
    assert len(done) == 7
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err.count("\n") == 1
