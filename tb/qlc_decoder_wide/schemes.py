"""Schemes for the wide decoder: presets, random ones, and those with extreme codewords."""

from __future__ import annotations

import random

from qlc.scheme import Scheme
from qlc_tb.tables import schemes

# Of 1-bit codewords; of prefixes only; of the longest codewords most often; of many empty areas; cut
# areas behind others of the same length; lengths next to each other.
_ODD = (
    "1:0,8",
    "1:7,7",
    "1:1,8",
    "2:0,0,0,8",
    "2:0,8,0,0",
    "2:1,2,7,8",
    "2:6,6,6,6",
    "3:0,1,1,2,2,3,4,8",
    "3:0,0,8,8,8,8,8,8",
    "3:0,1,2,3,4,5,6,8",
    "3:7,6,5,4,4,0,0,0",
    "3:5,5,5,5,5,5,5,5",
    "4:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8",
    "4:0,1,2,3,4,5,6,7,8,0,0,0,0,0,0,0",
    "4:8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
    "4:4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4",
    "4:0,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0",
)


def wide_schemes(prefix_bits: int, rng: random.Random) -> list[Scheme]:
    """The benches' schemes with these prefix bits, and odd ones."""
    odd = [Scheme.parse(text) for text in _ODD if text.startswith(f"{prefix_bits}:")]
    return list(dict.fromkeys([*schemes(prefix_bits, rng), *odd]))
