"""The codes that the benches of the cores know: QLC, and Huffman's of the serial decoder as a baseline.

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
from qlc.huffman import HuffmanTable, huffman_table
from qlc.table import Table, calibrate
from qlc.table_files import read_table

from qlc_tb import reference, stimulus, tables
from qlc_tb.dut import Dut
from qlc_tb.packet import Expected
from qlc_tb.tables import Words

# What a decoder core can find wrong.
CORE_ERRORS = {Error.GOOD, Error.ILLEGAL_CODEWORD, Error.LENGTH_MISMATCH, Error.NONZERO_PADDING}


class QlcCodec:
    """Codes inside the bounds of a core."""

    # Cycles from the transfer of the input beat that completes a codeword to its symbol's transfer, with
    # an empty core and a ready sink; without a symbol between packets.
    decoder_latency = 3
    decoder_pause = 1
    encoded = staticmethod(reference.encoded)
    decoded = staticmethod(reference.decoded)
    read = staticmethod(read_table)

    def __init__(self, dut: Dut) -> None:
        """Reads the core's parameters."""
        self.bounds = tables.bounds_of(dut)

    def tables(self, rng: random.Random) -> list[Table]:
        """Tables to test with; the first has illegal codewords."""
        raw_bits = self.bounds.raw_bits
        return [tables.random_table(code, rng, raw_bits) for code in tables.codes(self.bounds, rng)]

    def encoder_words(self, table: Table) -> Words:
        """Addresses and data for the encoder core's write port."""
        return tables.encoder_words(table, self.bounds.raw_bits)

    def decoder_words(self, table: Table) -> Words:
        """Addresses and data for the decoder core's write port."""
        return tables.decoder_words(table, self.bounds.raw_bits)

    def table_for(self, symbols: NDArray[np.uint8], rng: random.Random) -> Table:
        """The best table for these symbols inside the bounds."""
        return tables.best_table(np.bincount(symbols, minlength=256), self.bounds, rng)

    def short(self, rng: random.Random) -> Table:
        """A table whose first ranks have codewords as short as can be."""
        counts = np.array([1 << max(0, 40 - 3 * rank) for rank in range(256)])
        return self._calibrated(
            counts, "huffman" if self.bounds.lengths == 12 else "auto", self.bounds.shortest
        )

    def _calibrated(self, counts: NDArray[np.int64], code: str, shortest: int) -> Table:
        bounds = self.bounds
        return calibrate(counts, "uint8", code, "best", 0, bounds.raw_bits, shortest, bounds.longest)

    def illegal_codewords(self, table: Table) -> list[str]:
        """Codewords that no symbol has, as texts of bits."""
        return stimulus.illegal_codewords(table.code)


class HuffmanSerialCodec:
    """Canonical Huffman codes of up to 16 bits, for the bit-serial decoder, whose table is a tree."""

    read = staticmethod(huffman.read_table)

    def tables(self, rng: random.Random) -> list[HuffmanTable]:
        """Tables to test with: incomplete codes, all lengths, one length, random ones."""
        return [
            self._incomplete(0.96, rng),
            self._table(0.5, rng),
            HuffmanTable(np.full(256, 8, dtype=np.uint8)),
            self._incomplete(0.9, rng),
            self._table(rng.uniform(0.9, 1), rng),
            self._table(0.97, rng),
        ]

    def _table(self, ratio: float, rng: random.Random) -> HuffmanTable:
        # For counts that fall by this ratio, of symbols in a random order.
        counts = (1e11 * ratio ** np.arange(256)).astype(np.int64) + 1
        rng.shuffle(counts)  # type: ignore[arg-type]
        return huffman_table(counts)

    def _incomplete(self, ratio: float, rng: random.Random) -> HuffmanTable:
        # One of the codewords is a bit longer.
        lengths = self._table(ratio, rng).lengths.copy()
        lengths[rng.choice(np.flatnonzero(lengths < huffman.MAX_LENGTH).tolist())] += 1
        return HuffmanTable(lengths)

    def table_for(self, symbols: NDArray[np.uint8], rng: random.Random) -> HuffmanTable:
        """The table made for these symbols."""
        return huffman_table(np.bincount(symbols, minlength=256))

    def decoder_words(self, table: HuffmanTable) -> Words:
        """Addresses and data for the serial decoder's write port."""
        return list(enumerate(table.tree_file_words.tolist()))

    def encoded(self, symbols: NDArray[np.uint8], table: HuffmanTable) -> Expected:
        """The payload of a packet of symbols."""
        return Expected(bitstream.encode(symbols, table))

    def decoded(self, payload: bytes, count: int, table: HuffmanTable) -> Expected:
        """What the decoder sends for a payload: symbols up to the first error, and its code."""
        symbols, error = huffman.decode(payload, count, table)
        return Expected(symbols.tobytes(), int(error))

    def illegal_codewords(self, table: HuffmanTable) -> list[str]:
        """The first and the last of 16 bits that begin no codeword, as texts of bits."""
        first = int(table.limits[-1])
        return [format(word, "016b") for word in sorted({first, 0xFFFF}) if word >= first]


def codec(dut: Dut) -> Any:  # noqa: ANN401, whichever has what the bench uses
    """The codec of a core, by its name."""
    return HuffmanSerialCodec() if dut._name == "huffman_decoder_serial" else QlcCodec(dut)
