"""A packet for a decoder core: its bytes, how many symbols it should hold, and what it gives."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from qlc import bitstream, reference
from qlc.errors import Error
from qlc.table import Table

# Symbols up to which the golden model's slow half is asked.
SHORT = 300


@dataclass(frozen=True)
class Payload:
    """A packet's bytes, and its count of symbols."""

    data: bytes
    count: int


class Outcome(NamedTuple):
    """What a decoder makes of a packet."""

    symbols: NDArray[np.uint8]
    error: Error


def outcome(payload: Payload, table: Table) -> Outcome:
    """The golden model's symbols and verdict."""
    decode = reference.decode if min(payload.count, 2 * len(payload.data)) <= SHORT else bitstream.decode
    return Outcome(*decode(payload.data, payload.count, table))


def damaged(payload: Payload, width: int, rng: random.Random) -> Payload:
    """A packet with one thing wrong, perhaps. ``width``: bytes of an input word."""
    data = payload.data
    count = payload.count
    bits = bytearray(data)
    match rng.randrange(9):
        case 0:
            return Payload(data[: rng.randrange(len(data) + 1)], count)
        case 1:
            return Payload(data + rng.randbytes(rng.randint(1, 2 * width)), count)
        case 2:
            return Payload(data + bytes(rng.choice([1, 2, width, 2 * width])), count)
        case 3 if bits:
            bits[-1] |= 1 << rng.randrange(8)
        case 4 if bits:
            bits[rng.randrange(len(bits))] ^= 1 << rng.randrange(8)
        case 5 if bits:
            start = rng.randrange(len(bits))
            bits[start : start + 4] = rng.choice([b"\xff", b"\xff\xff\xff\xff", rng.randbytes(4)])
        case 6:
            wrong = rng.choice([0, 1, count - 1, count + 1, count + 2, 2 * count])
            return Payload(data, max(0, wrong))
        case 7:
            # Less a word, or its last part.
            return Payload(data[: max(0, len(data) - rng.choice([1, width, len(data) % width]))], count)
        case _:
            return Payload(rng.randbytes(rng.randint(0, 4 * width)), rng.randint(0, 8 * width))
    return Payload(bytes(bits), count)
