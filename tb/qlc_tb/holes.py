"""Beats without bytes, and beats with holes, in the place of a packet's own."""

from __future__ import annotations

import random

from qlc_tb.packet import Beat


def with_empty(beats: list[Beat], rng: random.Random) -> list[Beat]:
    """The beats, now and then with some without bytes before, between or behind them.

    Not behind one that is not full: it would not be the packet's last any more.
    """
    width = len(beats[0].lanes)
    short = beats[-1].keep not in (0, (1 << width) - 1)
    found = list(beats)
    while not rng.randrange(4):
        found.insert(rng.randint(0, len(found) - short), Beat(bytes(width), 0))
    return found


def partial_keep(width: int, last: bool, rng: random.Random) -> int:
    """The lanes of a beat with holes; as a packet's last it would not be contiguous."""
    full = (1 << width) - 1
    while True:
        keep = rng.choice(
            [
                (1 << rng.randint(1, width - 1)) - 1,
                full ^ 1 << rng.randrange(width),
                full ^ (1 << rng.randint(1, width - 1)) - 1,
                1 << rng.randrange(width),
                rng.getrandbits(width),
            ]
        )
        if keep not in (0, full) and not (last and keep & (keep + 1) == 0):
            return keep


def spoiled(beats: list[Beat], rng: random.Random) -> tuple[list[Beat], bytes]:
    """The beats with one with holes among them or behind, and the bytes of those before it."""
    width = len(beats[0].lanes)
    # The last one may be short: nothing but another's holes comes behind it.
    place = rng.randrange(len(beats) if beats[-1].keep + 1 < 1 << width else len(beats) + 1)
    before = with_empty(beats[:place], rng) if place else []
    rest = [
        Beat(rng.randbytes(width), rng.choice([0, rng.getrandbits(width), (1 << width) - 1]))
        for _ in range(rng.choice([0, 0, 1, 2, 5]))
    ]
    rest = rng.choice([rest, [*beats[place + 1 :], *rest]])
    lanes = beats[place].lanes if place < len(beats) else rng.randbytes(width)
    beat = Beat(lanes, partial_keep(width, not rest, rng))
    return [*before, beat, *rest], b"".join(beat.lanes for beat in beats[:place])
