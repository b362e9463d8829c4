"""How far long work is: one line on a terminal's standard error, nothing where that is no terminal."""

import shutil
import sys
import time

from qlc.errors import printable

_EVERY = 0.1
_QUIET = 0.5
"""Seconds at the start without a line: short work shows none."""


class Progress:
    """The line. Each text replaces the one before."""

    def __init__(self) -> None:
        """Begin now, with nothing shown."""
        self.shown = False
        self.begin()

    def begin(self) -> None:
        """Begin anew: what follows is other work."""
        self.next = time.monotonic() + _QUIET

    def show(self, text: str) -> None:
        """Show a text, of which the terminal's width is seen; skip it where the last is not old yet."""
        now = time.monotonic()
        if now < self.next or sys.stderr is None or not sys.stderr.isatty():
            return
        self.next = now + _EVERY
        self.shown = True
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r\x1b[K{printable(text)[:width]}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away, for something else to be printed."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False


def megabytes(size: int) -> str:
    """Give a number of bytes as `12.3 MB`."""
    return f"{size / 1e6:.1f} MB"
