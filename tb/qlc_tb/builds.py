"""The RTL's parameters in builds for a purpose, where they are not the default."""

from __future__ import annotations

PAPER = {"KNOWN_BITS": 3, "SHORTEST": 3, "LONGEST": 11}
QUAD = {"SHORTEST": 4}
# Classes of sign and exponent
RAW = {"SHORTEST": 4, "LONGEST": 12, "RAW_BITS": 3}
HUFFMAN = {"LENGTHS": 12, "KNOWN_BITS": 12}
