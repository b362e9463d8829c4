"""An interrupt ends a script and all that it started, with one line and status 130 (SIGTERM 143)."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

SIGNALS = {
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "terminated",
    signal.SIGHUP: "the terminal is gone",
}


def descendants() -> set[int]:
    """The processes that this one started, and theirs; none where there is no ``/proc``."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # After the name, which may hold anything: state, parent, ...
            parent = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found: set[int] = set()
    rest = [os.getpid()]
    while rest:
        new = children.get(rest.pop(), [])
        found.update(new)
        rest += new
    return found


def end_descendants() -> None:
    """Kills them. They are stopped first: one that runs could start another meanwhile."""
    stopped: set[int] = set()
    while new := descendants() - stopped:
        for process in new:
            with suppress(OSError):
                os.kill(process, signal.SIGSTOP)
        stopped |= new
    for process in stopped:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)


def end_on_signals(script: str) -> None:
    """Makes signals end the program, which calls itself ``script``.

    Nothing is unwound: threads would wait for simulations, and start the next.
    """

    def end(number: int, _: FrameType | None) -> None:
        # The workers of a pool get the terminal's signals, too.
        if multiprocessing.parent_process() is None:
            with suppress(Exception):
                sys.stdout.flush()
            end_descendants()
            # A progress bar has hidden the cursor.
            before = "\n\x1b[?25h" if os.isatty(2) else ""
            with suppress(OSError):
                os.write(2, f"{before}{script}: {SIGNALS[signal.Signals(number)]}\n".encode())
        os._exit(128 + number)

    for one in SIGNALS:
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, end)
