"""When a source offers a beat or a sink is ready: endless iterators of bools, one a cycle."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

Pattern = Iterator[bool]


def always(rng: random.Random) -> Pattern:
    """Every cycle."""
    return itertools.repeat(True)


def alternating(rng: random.Random) -> Pattern:
    """Every second cycle."""
    return itertools.cycle([True, False])


def bursts(rng: random.Random) -> Pattern:
    """Runs of 1 to 4 cycles with breaks of 1 to 4."""
    while True:
        yield from itertools.repeat(True, rng.randint(1, 4))
        yield from itertools.repeat(False, rng.randint(1, 4))


def scattered(rng: random.Random) -> Pattern:
    """Every cycle with a probability that changes now and then."""
    while True:
        chance = rng.choice([0.1, 0.3, 0.5, 0.7, 0.9])
        for _ in range(32):
            yield rng.random() < chance


def long_stalls(rng: random.Random) -> Pattern:
    """Breaks of 20 to 60 cycles: longer than all storage lasts."""
    while True:
        yield from itertools.repeat(True, rng.randint(5, 40))
        yield from itertools.repeat(False, rng.randint(20, 60))


def only_first(cycles: int) -> Pattern:
    """All of the first cycles, then none."""
    return itertools.chain(itertools.repeat(True, cycles), itertools.repeat(False))


def not_first(cycles: int) -> Pattern:
    """None of the first cycles, then all behind them."""
    return itertools.chain(itertools.repeat(False, cycles), itertools.repeat(True))


PATTERNS: dict[str, Callable[[random.Random], Pattern]] = {
    "always": always,
    "alternating": alternating,
    "bursts": bursts,
    "scattered": scattered,
    "long_stalls": long_stalls,
}
