"""What an input carries when its value must not matter."""

from __future__ import annotations

import random
from functools import cache

import cocotb
from cocotb.types import LogicArray


@cache
def _all_x(width: int) -> LogicArray:
    return LogicArray("X" * width)


def has_x() -> bool:
    """Whether the simulator knows X: Verilator does not, and writes 0 for it."""
    return "verilator" not in cocotb.SIM_NAME.lower()


def unknown(width: int, rng: random.Random) -> LogicArray | int:
    """X in every bit, or random bits on a simulator without X."""
    return _all_x(width) if has_x() else rng.getrandbits(width)


def masked(lanes: bytes, keep: int, rng: random.Random) -> LogicArray | int:
    """Bytes for a bus, unknown in the lanes that ``keep`` masks."""
    width = len(lanes)
    if keep == (1 << width) - 1:
        return int.from_bytes(lanes, "little")
    if has_x():
        bits = [f"{byte:08b}" if keep >> lane & 1 else "X" * 8 for lane, byte in enumerate(lanes)]
        return LogicArray("".join(reversed(bits)))
    mixed = bytes(byte if keep >> lane & 1 else rng.getrandbits(8) for lane, byte in enumerate(lanes))
    return int.from_bytes(mixed, "little")
