"""Builds of the wide decoder to test: the named ones, and others in what its structure depends on."""

from __future__ import annotations

from dataclasses import asdict

from qlc.bounds import BUILDS, Bounds

# Shortest codeword with which the output takes as many symbols as words can hold.
RATE_BITS = 4
WORD_BITS = (8, 16, 32, 64, 128, 256, 512)
# Each number of codewords that may begin in a unit of 16 bits, each of raw bits, every longest codeword but
# that of 8 bits, with which all have as many; few and many lengths, known from few bits and many.
ODD_BUILDS = (
    Bounds(lengths=2, known_bits=3, shortest=1, longest=12),
    Bounds(lengths=4, known_bits=6, shortest=2, longest=12, raw_bits=1),
    Bounds(lengths=4, known_bits=6, shortest=3, longest=11, raw_bits=2),
    Bounds(lengths=4, known_bits=6, shortest=4, longest=10, raw_bits=3),
    Bounds(lengths=5, known_bits=8, shortest=4, longest=9),
    Bounds(lengths=4, known_bits=7, shortest=5, longest=10),
    Bounds(lengths=6, known_bits=9, shortest=6, longest=12, raw_bits=1),
    Bounds(lengths=3, known_bits=5, shortest=7, longest=11),
    Bounds(lengths=4, known_bits=6, shortest=8, longest=12),
    Bounds(lengths=12, known_bits=12, shortest=1, longest=12, raw_bits=2),
)

# Each named build at each width, but where twelve lengths make very much logic; the others here and there.
EVERY = [
    (build, word_bits)
    for row, build in enumerate((*BUILDS, *ODD_BUILDS))
    for column, word_bits in enumerate(WORD_BITS)
    if (build != "any" or word_bits <= 64) and (isinstance(build, str) or column % 3 == row % 3)
]
# Of these, for two benches: either has each named build and each width, and none of a pair is in both.
BENCH_PAIRS = [
    ("paper", 32), ("default", 16), ("huffman", 8), ("raw", 128), ("quad", 256), ("huffman_raw", 64),
    ("any", 32), ("raw", 512),
]  # fmt: skip
PLAYER_PAIRS = [
    ("raw", 256), ("default", 64), ("paper", 128), ("quad", 32), ("huffman", 16), ("huffman_raw", 8),
    ("any", 8), ("paper", 512),
]  # fmt: skip


def parameters(build: str | Bounds, word_bits: int, banks: int) -> dict[str, int]:
    """The RTL's parameters; ``build`` is a name of `qlc.bounds.BUILDS` or any bounds."""
    bounds = BUILDS[build] if isinstance(build, str) else build
    return {
        "WORD_BITS": word_bits,
        "BANKS": banks,
        **{name.upper(): value for name, value in asdict(bounds).items()},
    }


def build_label(value: object) -> str:
    """A pytest id for a build, or for anything else."""
    return (
        "-".join(str(number) for number in asdict(value).values())
        if isinstance(value, Bounds)
        else str(value)
    )
