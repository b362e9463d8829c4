import os
from pathlib import Path

import pytest
from qlc.atomic import write_atomic


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for data in (b"one", b""):
        write_atomic(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_follows_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(path), "replace", full)
    with pytest.raises(OSError, match="No space left on device") as error:
        write_atomic(path, b"new")
    assert error.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomic(path, b"data")
        assert os.read(reader, 10) == b"data"
    finally:
        os.close(reader)
    assert path.is_fifo()


def test_a_device_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left on device") as error:
        write_atomic(Path("/dev/full"), b"data")
    assert error.value.filename == "/dev/full"
