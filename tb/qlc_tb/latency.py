"""Latencies that more than one bench knows."""

from __future__ import annotations


def wide_latency(word_bits: int, prefix_bits: int) -> int:
    """Cycles of the wide decoder from the transfer of a packet's only word to that of its only beat.

    With an empty decoder and a ready sink. Beside what every width has: two trees over the word's bytes, a
    cycle for each codeword of a byte, and at 8 bits a second word in view.
    """
    levels = (word_bits // 8).bit_length() - 1
    return 17 + 2 * levels + -(-8 // prefix_bits) + (word_bits == 8)
