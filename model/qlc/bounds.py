"""The bounds of a hardware build: which tables it can hold. By name, the RTL's elaboration parameters."""

from dataclasses import dataclass

from qlc.code import LONGEST, QUAD_KNOWN_BITS, QUAD_LENGTHS, SPACE
from qlc.ranking import MAX_RAW_BITS
from qlc.table import Table


@dataclass(frozen=True)
class Bounds:
    """What the tables of a build have in common. Raises `ValueError` when a bound is out of range."""

    lengths: int = QUAD_LENGTHS
    """Codeword lengths at most, 1 to 12."""
    known_bits: int = QUAD_KNOWN_BITS
    """The length is known from so many bits, 3 to 12: limits are multiples of 2^(12 - known_bits)."""
    shortest: int = 1
    """Bits of the shortest codeword, 1 to 8."""
    longest: int = LONGEST
    """Bits of the longest codeword, 8 to 12."""
    raw_bits: int = 0
    """Raw bits of a table at least, 0 to 3."""

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, low, high in (
            ("lengths", 1, LONGEST),
            ("known_bits", 3, LONGEST),
            ("shortest", 1, 8),
            ("longest", 8, LONGEST),
            ("raw_bits", 0, MAX_RAW_BITS),
        ):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} {getattr(self, name)}: must be {low} to {high}")

    def problem(self, table: Table) -> str | None:
        """Say in one line why a build of these bounds cannot hold a table; None where it can."""
        code = table.code
        unit = SPACE >> self.known_bits
        odd_limits = [limit for limit in code.limits if limit % unit]
        if len(code.lengths) > self.lengths:
            problem = f"{len(code.lengths)} codeword lengths: this build takes at most {self.lengths}"
        elif code.lengths[0] < self.shortest:
            problem = f"codewords of {code.lengths[0]} bits: this build takes {self.shortest} and more"
        elif code.lengths[-1] > self.longest:
            problem = f"codewords of {code.lengths[-1]} bits: this build takes {self.longest} and fewer"
        elif odd_limits:
            problem = f"limit {odd_limits[0]}: this build takes multiples of {unit}"
        elif table.raw_bits < self.raw_bits:
            problem = f"{table.raw_bits} raw bits: this build takes {self.raw_bits} and more"
        else:
            return None
        return f"table {table.name}: {problem}"


DEFAULT_BOUNDS = Bounds()
"""Those of a build without any parameter set: every table that `qlc calibrate` makes by default fits."""
PAPER = Bounds(known_bits=3, shortest=3, longest=11)
"""Those of the paper's design: 8 areas, a prefix of 3 bits."""
QUAD = Bounds(shortest=4)
"""Quad codes without very short codewords, which cost a wide decoder most."""
RAW_MANTISSA = Bounds(shortest=4, raw_bits=3)
"""The small builds for e4m3: the three mantissa bits are raw, no codeword is shorter than 4 bits."""
HUFFMAN = Bounds(lengths=LONGEST, known_bits=LONGEST)
"""Any code of up to 12 bits."""
HUFFMAN_4 = Bounds(lengths=LONGEST, known_bits=LONGEST, shortest=4)
"""Any code of 4 to 12 bits: as `QUAD`, of any number of lengths."""
HUFFMAN_RAW = Bounds(lengths=LONGEST, known_bits=LONGEST, shortest=4, raw_bits=3)
"""As `RAW_MANTISSA`, of any number of lengths."""

BUILDS: dict[str, Bounds] = {
    "default": DEFAULT_BOUNDS,
    "paper": PAPER,
    "quad": QUAD,
    "raw": RAW_MANTISSA,
    "huffman": HUFFMAN_4,
    "huffman_raw": HUFFMAN_RAW,
    "any": HUFFMAN,
}
"""The builds that the documents and figures name."""
