"""The folder that a script's run writes to: it is the run's own, and nothing of others is lost in it."""

from __future__ import annotations

import errno
import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts import ROOT

# What says that a folder is of earlier runs; runs in the same folder wait for it.
MARK = ".qlc-run"


@contextmanager
def run_folder(script: str, folder: Path, outputs: tuple[str, ...] = ()) -> Iterator[None]:
    """Makes a folder and keeps other runs out of it; waits, with a line, for one that is inside.

    Takes only a folder that is new, empty, of an earlier run, or in the checkout's ``build``. In it removes
    the earlier run's files of the names ``outputs``, so that none of them is taken for this run's, and leaves
    everything else.

    Raises OSError when the folder cannot be made or written to, or holds what no run has made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / MARK
    ours = mark.exists() or ROOT / "build" in folder.parents
    if not ours and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "holds files that are not of an earlier run; name a new folder")
    with mark.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{script}: waits for another run in {folder}", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        for name in outputs:
            (folder / name).unlink(missing_ok=True)
        yield
