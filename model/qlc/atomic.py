"""Writing a file, or several, so that they are there whole or not at all."""

import errno
import os
import re
import secrets
import signal
import stat
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import BinaryIO

STDOUT = Path("-")
Data = bytes | bytearray | Iterable[bytes]
"""What a file will hold: as a whole, or in pieces, one after another."""
STDIN = STDOUT  # as an input
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals, beside an interrupt, by which a program is asked to end."""
_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def write_atomic(path: Path, data: Data) -> None:
    """Write `data` beside `path`, then rename it there. Raises `OSError`, leaving nothing behind.

    `-` is standard output. It, /dev/stdout and the like, devices and pipes are written to as they are.
    """
    write_all_atomic({path: data})


def write_all_atomic(files: Mapping[Path, Data]) -> None:
    """Write files as `write_atomic` does, renaming the first once all are written.

    Files keep their modes, and those that may not be written to are left alone. Raises `OSError`. Nothing is
    left behind, also by an interrupt or SIGTERM, unless a rename fails, and then the files that were not
    there before are removed again.
    """
    temporaries: dict[Path, Path] = {}
    made: list[Path] = []
    path = Path()
    try:
        try:
            for path, data in files.items():
                if _write_as_it_is(path, data):
                    continue
                target = _resolved(path)
                if target.exists() and not os.access(target, os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
                # A name that nobody else has, also in another container with the same process ids.
                temporary = target.with_name(f".qlc-{secrets.token_hex(8)}")
                temporaries[path] = temporary
                try:
                    _write(temporary, data, "xb")
                except FileExistsError:
                    del temporaries[path]
                    raise
                if target.exists():
                    temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            with _signals_wait():
                for path, temporary in temporaries.items():
                    target = _resolved(path)
                    new = not target.exists()
                    temporary.replace(target)
                    if new:
                        made.append(target)
        except OSError:
            for target in made:
                target.unlink(missing_ok=True)
            raise
        finally:
            for temporary in temporaries.values():
                temporary.unlink(missing_ok=True)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None  # not the temporary's name


def standard_input() -> BinaryIO:
    """Give standard input. Raises `OSError` where it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer


def overwritten(output: Path, inputs: Iterable[Path]) -> Path | None:
    """Give the one of the input files that writing to `output` would change, under whatever name."""
    descriptor = _descriptor(output)
    for path in inputs:
        try:
            found = os.fstat(0) if path == STDIN else path.stat()
            target = output.stat() if descriptor is None else os.fstat(descriptor)
        except OSError:
            continue
        if stat.S_ISREG(target.st_mode) and os.path.samestat(found, target):
            return path
    return None


def _write_as_it_is(path: Path, data: Data) -> bool:
    """Write to what is no file of its own; False where a file is to be written."""
    descriptor = _descriptor(path)
    if descriptor is not None:
        # A second opening of the same file would begin at its start, over what is there already.
        if descriptor == 1 and sys.stdout is not None:
            sys.stdout.flush()
        _write(os.dup(descriptor), data)
        return True
    if path.exists() and not path.is_file():
        _write(path, data)  # a device or pipe must not be replaced by a file
        return True
    return False


def _write(file: Path | int, data: Data, mode: str = "wb") -> None:
    with open(file, mode) as stream:
        stream.writelines((data,) if isinstance(data, bytes | bytearray) else data)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # what Python before 3.13 makes of a loop of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _descriptor(path: Path) -> int | None:
    """The open file that a path such as `-` or /dev/stdout stands for."""
    if path == STDOUT:
        return 1
    text = str(path)
    numbered = re.fullmatch(r"/(?:dev|proc/self)/fd/(\d{1,9})", text)
    return int(numbered[1]) if numbered else _STREAMS.get(text)


@contextmanager
def signals_unwind() -> Iterator[None]:
    """Let the signals that end a program do so by an exception, so that no temporary file stays."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # What is ignored, as by nohup, stays so.
    heard = [number for number in ENDING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Let an interrupt or SIGTERM wait: half a set of files would be left."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are handled in the main thread only
        return
    waiting: list[int] = []
    # Blocking them would not do: another thread, such as one of numpy's, would take them.
    numbers = (signal.SIGINT, *ENDING)
    before = {number: signal.signal(number, lambda n, _: waiting.append(n)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for caught in waiting[:1]:
            signal.raise_signal(caught)
