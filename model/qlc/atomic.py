"""Writing a file, or several, so that they are there whole or not at all."""

import errno
import os
import re
import signal
import stat
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

STDOUT = Path("-")
_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` beside `path`, then rename it there. Raises `OSError`, leaving nothing behind.

    `-` is standard output. It, /dev/stdout and the like, devices and pipes are written to as they are.
    """
    write_all_atomic({path: data})


def write_all_atomic(files: Mapping[Path, bytes]) -> None:
    """Write files as `write_atomic` does, renaming the first once all are written.

    Files keep their modes. Raises `OSError`. Nothing is left behind, also by an interrupt or SIGTERM, unless
    a rename fails, and then the files that were not there before are removed again.
    """
    temporaries: dict[Path, Path] = {}
    made: list[Path] = []
    path = Path()
    try:
        try:
            for number, (path, data) in enumerate(files.items()):
                if _write_as_it_is(path, data):
                    continue
                target = _resolved(path)
                temporaries[path] = target.with_name(f".qlc-{os.getpid()}-{number}")
                temporaries[path].write_bytes(data)
                if target.exists():
                    temporaries[path].chmod(stat.S_IMODE(target.stat().st_mode))
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


def overwritten(output: Path, inputs: Iterable[Path]) -> Path | None:
    """Give the one of the input files that writing to `output` would change, under whatever name."""
    descriptor = _descriptor(output)
    for path in inputs:
        try:
            found = path.stat()
            target = output.stat() if descriptor is None else os.fstat(descriptor)
        except OSError:
            continue
        if stat.S_ISREG(target.st_mode) and os.path.samestat(found, target):
            return path
    return None


def _write_as_it_is(path: Path, data: bytes) -> bool:
    """Write to what is no file of its own; False where a file is to be written."""
    descriptor = _descriptor(path)
    if descriptor is not None:
        # A second opening of the same file would begin at its start, over what is there already.
        if descriptor == 1:
            sys.stdout.flush()
        with open(os.dup(descriptor), "wb") as stream:
            stream.write(data)
        return True
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a device or pipe must not be replaced by a file
        return True
    return False


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
def _signals_wait() -> Iterator[None]:
    """Let an interrupt or SIGTERM wait: half a set of files would be left."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are handled in the main thread only
        return
    waiting: list[int] = []
    # Blocking them would not do: another thread, such as one of numpy's, would take them.
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda n, _: waiting.append(n)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for caught in waiting[:1]:
            signal.raise_signal(caught)
