"""The codes that the benches of the cores know: QLC, and Huffman as its baseline.

A bench asks its codec for tables, for the words that load them, and for what to expect, so that the same
tests run on all cores.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qlc import bitstream, huffman
from qlc.errors import Error
from qlc.huffman import MAX_LENGTH, HuffmanTable, huffman_table
from qlc.scheme import Scheme
from qlc.table_files import read_table
from qlc_decoder_wide.schemes import wide_schemes

from qlc_tb import reference, stimulus, tables
from qlc_tb.dut import Dut
from qlc_tb.latency import wide_latency
from qlc_tb.packet import Expected

# What a decoder core can find wrong.
CORE_ERRORS = {Error.GOOD, Error.ILLEGAL_CODEWORD, Error.LENGTH_MISMATCH, Error.NONZERO_PADDING}
# A table of either code.
AnyTable = Any
Words = list[tuple[int, int]]


class QlcCodec:
    """QLC with the prefix bits of a core."""

    # Cycles from the transfer of the input beat that completes a codeword to its symbol's transfer, with
    # an empty core and a ready sink; without a symbol between packets.
    decoder_latency = 3
    decoder_pause = 1
    wide_errors = CORE_ERRORS
    encoder_words = staticmethod(tables.encoder_words)
    decoder_words = staticmethod(tables.decoder_words)
    encoded = staticmethod(reference.encoded)
    decoded = staticmethod(reference.decoded)
    read = staticmethod(read_table)

    def __init__(self, dut: Dut) -> None:
        """Reads the core's parameters."""
        self.prefix_bits = int(dut.PREFIX_BITS.value)

    def tables(self, rng: random.Random) -> list[AnyTable]:
        """Tables to test with; the first has illegal codewords."""
        return [tables.random_table(scheme, rng) for scheme in tables.schemes(self.prefix_bits, rng)]

    def wide_tables(self, rng: random.Random) -> list[AnyTable]:
        """Tables to test the wide decoder with."""
        return [tables.random_table(scheme, rng) for scheme in wide_schemes(self.prefix_bits, rng)]

    def wide_latency(self, word_bits: int) -> int:
        """Cycles of the wide decoder for a packet of a word."""
        return wide_latency(word_bits, self.prefix_bits)

    def table_for(self, symbols: NDArray[np.uint8], rng: random.Random) -> AnyTable | None:
        """The table made for these symbols; None for any table."""
        return None

    def short(self, rng: random.Random) -> AnyTable:
        """A table whose 15 first symbols are as short as can be."""
        return tables.random_table(Scheme(4, (*[0] * 15, 8)), rng)

    def illegal_codewords(self, table: AnyTable) -> list[str]:
        """Codewords that no symbol has, as texts of bits."""
        return stimulus.illegal_codewords(table.scheme)


class HuffmanCodec:
    """Canonical Huffman codes of up to 16 bits, or what a core takes."""

    decoder_latency = 4
    decoder_pause = 2
    read = staticmethod(huffman.read_table)

    def __init__(self, longest: int = MAX_LENGTH, shortest: int = 0) -> None:
        """Longest and shortest codewords in bits."""
        self._longest = longest
        self._shortest = shortest

    def tables(self, rng: random.Random) -> list[AnyTable]:
        """Tables to test with: incomplete codes, all lengths, the greatest step, one length, random ones."""
        return [
            self._incomplete(0.96, rng),
            self.short(rng),
            HuffmanTable(np.full(256, 8, dtype=np.uint8)),
            *self._large(),
            self._incomplete(0.9, rng),
            self._table(rng.uniform(0.9, 1), rng),
            self._table(0.97, rng),
        ]

    def _table(self, ratio: float, rng: random.Random) -> HuffmanTable:
        # For counts that fall by this ratio, of symbols in a random order.
        counts = (1e12 * ratio ** np.arange(256)).astype(np.int64) + 1
        rng.shuffle(counts)  # type: ignore[arg-type]
        return huffman_table(counts, self._longest, self._shortest)

    def _incomplete(self, ratio: float, rng: random.Random) -> HuffmanTable:
        # One of the codewords is a bit longer.
        lengths = self._table(ratio, rng).lengths.copy()
        lengths[rng.choice(np.flatnonzero(lengths < self._longest).tolist())] += 1
        return HuffmanTable(lengths)

    def _large(self) -> list[AnyTable]:
        # All codewords of the longest: nearly all bits are illegal.
        return [HuffmanTable(np.full(256, self._longest, dtype=np.uint8))]

    def table_for(self, symbols: NDArray[np.uint8], rng: random.Random) -> AnyTable | None:
        """The table made for these symbols."""
        return huffman_table(np.bincount(symbols, minlength=256), self._longest, self._shortest)

    def short(self, rng: random.Random) -> AnyTable:
        """A table with codewords of every length, one of each while they are short."""
        return self._table(0.5, rng)

    def encoder_words(self, table: AnyTable) -> Words:
        """Addresses and data for the encoder core's write port, shortest codeword first."""
        ranks = [(symbol, rank) for rank, symbol in enumerate(table.rank_to_symbol.tolist())]
        return ranks + [(256 + n, word) for n, word in enumerate(table.step_words.tolist())]

    def decoder_words(self, table: AnyTable) -> Words:
        """Addresses and data for the canonical decoder's write port."""
        symbols = list(enumerate(table.rank_to_symbol.tolist()))
        return symbols + [(256 + n, word) for n, word in enumerate(table.length_words.tolist())]

    def encoded(self, symbols: NDArray[np.uint8], table: AnyTable) -> Expected:
        """What the encoder core sends for a packet of symbols."""
        return Expected(bitstream.encode(symbols, table))

    def decoded(self, payload: bytes, count: int, table: AnyTable) -> Expected:
        """What a decoder sends for a payload: symbols up to the first error, and its code."""
        symbols, error = huffman.decode(payload, count, table)
        return Expected(symbols.tobytes(), int(error))

    def illegal_codewords(self, table: AnyTable) -> list[str]:
        """The first and the last of 16 bits that begin no codeword, as texts of bits."""
        first = int(table.limits[-1])
        return [format(word, "016b") for word in sorted({first, 0xFFFF}) if word >= first]


class HuffmanSerialCodec(HuffmanCodec):
    """The same for the bit-serial decoder, whose table is a tree."""

    def _large(self) -> list[AnyTable]:
        # Its tree has no room for more than one codeword that is missing.
        return []

    def decoder_words(self, table: AnyTable) -> Words:
        """Addresses and data for the serial decoder's write port."""
        return list(enumerate(table.tree_words.tolist()))


class HuffmanWideCodec(HuffmanCodec):
    """The same for the wide decoder, whose codes are complete and have no very short codewords."""

    wide_errors = CORE_ERRORS - {Error.ILLEGAL_CODEWORD}

    def __init__(self, shortest: int) -> None:
        """``shortest`` codeword in bits."""
        super().__init__(shortest=shortest)

    def wide_tables(self, rng: random.Random) -> list[AnyTable]:
        """Tables to test the wide decoder with."""
        return [
            self._table(0.96, rng),
            self.short(rng),
            HuffmanTable(np.full(256, 8, dtype=np.uint8)),
            *(self._table(rng.uniform(0.8, 1), rng) for _ in range(3)),
        ]

    def wide_latency(self, word_bits: int) -> int:
        """Cycles of the wide decoder for a packet of a word: nothing is shifted to a byte's front."""
        return wide_latency(word_bits, self._shortest) - 1


def codec(dut: Dut) -> Any:  # noqa: ANN401, whichever has what the bench uses
    """The codec of a core, by its name."""
    if dut._name == "huffman_decoder_serial":
        return HuffmanSerialCodec()
    if dut._name == "huffman_decoder_wide":
        return HuffmanWideCodec(int(dut.SHORTEST.value))
    if dut._name == "huffman_encoder_core":
        return HuffmanCodec(int(dut.MAX_LENGTH.value))
    return HuffmanCodec() if dut._name.startswith("huffman_") else QlcCodec(dut)
