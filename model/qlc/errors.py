"""What can be wrong: a decoder's verdict on a stream, and input files that cannot be used."""

from enum import IntEnum


class Error(IntEnum):
    """A decoder's verdict: 0 good, else the first thing wrong in stream order."""

    GOOD = 0
    TRUNCATED = 1
    UNKNOWN_TABLE = 2
    ILLEGAL_CODEWORD = 3
    LENGTH_MISMATCH = 4
    NONZERO_PADDING = 5
    RAW_MISMATCH = 6
    CRC_MISMATCH = 7
    NO_CRC = 8
    AFTER_LAST = 9

    @property
    def label(self) -> str:
        """The name that messages and reports use, such as `illegal-codeword`."""
        return self.name.lower().replace("_", "-")


class InputError(Exception):
    """An input that cannot be used. Its text is one line: file, place if there is one, what is wrong."""

    def __init__(self, file: object, place: str, problem: str) -> None:
        """Take the file (path or name), the place in it ("" for the whole file) and the problem."""
        super().__init__(printable(": ".join(part for part in (str(file), place, problem) if part)))


def printable(text: str) -> str:
    """Give the text with line breaks, escapes and the like written as `\\n`, `\\x1b`: on one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
