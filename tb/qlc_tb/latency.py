"""Latencies that more than one bench knows."""

from __future__ import annotations

from qlc.bounds import Bounds


def wide_latency(word_bits: int, bounds: Bounds) -> int:
    """Cycles of the wide decoder from the transfer of a packet's only word to that of its only beat.

    With an empty decoder and a ready sink. Beside what every width has: two trees over the word's units of 16
    bits, a cycle for each codeword that may begin in a unit, one for every four of them in the exit map, and
    at 8 bits a second word in view.
    """
    unit_bits = min(word_bits, 16)
    levels = (word_bits // unit_bits).bit_length() - 1
    slots = -(-unit_bits // bounds.shortest)
    map_steps = -(-unit_bits // (4 * bounds.shortest))
    return 13 + 2 * levels + slots + map_steps + (word_bits == 8)
