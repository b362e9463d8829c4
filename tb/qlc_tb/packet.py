"""Packets: what a source sends, what a monitor receives, what a scoreboard expects."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Beat(NamedTuple):
    """One beat: a byte for every lane, and the lanes in use."""

    lanes: bytes
    keep: int


@dataclass(frozen=True)
class Packet:
    """A packet to send. ``user`` is the first beat's tuser; later beats' tuser is unknown."""

    beats: Sequence[Beat]
    user: int = 0


class Expected(NamedTuple):
    """A packet that should be received: its bytes, and its last beat's tuser (0 without tuser)."""

    data: bytes
    user: int = 0


class _Anything(Expected):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple)

    __hash__ = Expected.__hash__


# Where nothing is expected but a packet's end.
ANYTHING = _Anything(b"")


@dataclass
class Received:
    """A packet that was received, with the cycle of every beat's transfer."""

    data: bytes
    user: int
    cycles: list[int] = field(default_factory=list)

    @property
    def gapless(self) -> bool:
        """Whether a beat was transferred in every cycle from the first to the last."""
        return self.cycles[-1] - self.cycles[0] == len(self.cycles) - 1


def dense(data: bytes, width: int) -> list[Beat]:
    """Full beats of ``width`` bytes and a partial last one; one beat without bytes for no data."""
    beats = []
    for start in range(0, max(len(data), 1), width):
        part = data[start : start + width]
        beats.append(Beat(part.ljust(width, b"\0"), (1 << len(part)) - 1))
    return beats


def ragged(data: bytes, width: int, rng: random.Random) -> list[Beat]:
    """Beats of a random number of bytes, contiguous from lane 0, some without any."""
    beats = []
    start = 0
    while start < len(data):
        count = min(rng.randint(0, width), len(data) - start)
        beats.append(Beat(data[start : start + count].ljust(width, b"\0"), (1 << count) - 1))
        start += count
    if not beats or not rng.randrange(4):
        beats.append(Beat(bytes(width), 0))
    return beats


def sparse(data: bytes, width: int, rng: random.Random) -> list[Beat]:
    """Beats with bytes in random lanes, some without any."""
    beats = []
    start = 0
    while start < len(data):
        keep = rng.choice([0, rng.getrandbits(width), rng.getrandbits(width), (1 << width) - 1])
        lanes = bytearray(width)
        for lane in range(width):
            if keep >> lane & 1 and start < len(data):
                lanes[lane] = data[start]
                start += 1
            else:
                keep &= ~(1 << lane)
        beats.append(Beat(bytes(lanes), keep))
    if not beats or not rng.randrange(4):
        beats.append(Beat(bytes(width), 0))
    return beats
