"""The codes that the scripts set side by side, each with a build of the hardware that is made for it."""

from __future__ import annotations

from dataclasses import dataclass

from qlc.bounds import BUILDS, Bounds
from qlc.code import Code, CodeError
from qlc.table import SCHEMES, Table, calibrate

from scripts.committed_data import Histogram


@dataclass(frozen=True)
class Contender:
    """How a tensor's table is made, and for which of ``qlc.bounds.BUILDS``."""

    code: Code | str
    build: str
    raw_bits: int = 0
    shortest: int = 1

    @property
    def bounds(self) -> Bounds:
        """Those of the build."""
        return BUILDS[self.build]

    def table(self, histogram: Histogram, name: str) -> Table:
        """The table for a tensor, table 0."""
        longest = self.bounds.longest
        return calibrate(
            histogram.counts, histogram.dtype, self.code, name, 0, self.raw_bits, self.shortest, longest
        )


# The paper's static code; the best quad code, and with a raw mantissa; the best of any number of lengths.
CONTENDERS = {
    "table1": Contender("table1", "paper"),
    "auto": Contender("auto", "default"),
    "auto-raw": Contender("auto", "raw", 3, 4),
    "huffman": Contender("huffman", "any"),
    "auto-4": Contender("auto", "quad", 0, 4),
    "huffman-4": Contender("huffman", "huffman", 0, 4),
    "huffman-raw": Contender("huffman", "huffman_raw", 3, 4),
}
# What `make sim` plays when nothing is asked for.
SIDE_BY_SIDE = ("table1", "auto", "auto-raw", "huffman")


def contender(text: str) -> Contender:
    """A contender by name, or any other code, which the default build decodes or the one for any code.

    Raises ValueError for a text that is no code.
    """
    if text in CONTENDERS:
        return CONTENDERS[text]
    if text in SCHEMES:
        return Contender(text, "default")
    try:
        code = Code.parse(text)
    except CodeError as error:
        names = ", ".join(dict.fromkeys((*CONTENDERS, *SCHEMES)))
        raise ValueError(f"{error}; or one of {names}") from None
    return Contender(code, "default" if code.is_quad else "any")


def parameters(bounds: Bounds) -> dict[str, int]:
    """The elaboration parameters of a build."""
    return {
        "LENGTHS": bounds.lengths,
        "KNOWN_BITS": bounds.known_bits,
        "SHORTEST": bounds.shortest,
        "LONGEST": bounds.longest,
        "RAW_BITS": bounds.raw_bits,
    }
