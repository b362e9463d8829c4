"""Tables for benches, and the write ports of the cores."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable

import numpy as np
from qlc.scheme import PRESETS, Scheme, SchemeError
from qlc.table import Table, calibrate

from qlc_tb.dut import Dut
from qlc_tb.unknown import unknown

# Set to 1, one bit of each table loaded is wrong in the DUT, so every bench must fail.
PLANT_FAULT = "QLC_PLANT_FAULT"


def random_table(scheme: Scheme, rng: random.Random) -> Table:
    """A table with symbols ranked at random."""
    counts = np.arange(1, 257)
    rng.shuffle(counts)  # type: ignore[arg-type]
    return calibrate(counts, "uint8", scheme, "random", rng.randrange(64))


def random_scheme(prefix_bits: int, rng: random.Random) -> Scheme:
    """A valid scheme of random areas, often with empty ones."""
    while True:
        low = rng.randint(0, 8)
        extra = tuple(rng.randint(low, 8) for _ in range(1 << prefix_bits))
        try:
            return Scheme(prefix_bits, extra)
        except SchemeError:
            continue


def schemes(prefix_bits: int, rng: random.Random) -> list[Scheme]:
    """The presets with these prefix bits (P = 2 has none), the extremes and two random schemes."""
    areas = 1 << prefix_bits
    found = [scheme for scheme in PRESETS.values() if scheme.prefix_bits == prefix_bits]
    if prefix_bits == 2:
        found.append(Scheme(2, (1, 3, 4, 8)))
    # All areas but the last of one rank, then all but the first empty.
    found.append(Scheme(prefix_bits, (*[0] * (areas - 1), 8)))
    found.append(Scheme(prefix_bits, (8, *[0] * (areas - 1))))
    found.extend(random_scheme(prefix_bits, rng) for _ in range(2))
    return list(dict.fromkeys(found))


def encoder_words(table: Table) -> list[tuple[int, int]]:
    """Addresses and data for the encoder core's write port, most frequent symbol first."""
    ranks = [(symbol, rank) for rank, symbol in enumerate(table.rank_to_symbol.tolist())]
    return ranks + _area_words(table)


def decoder_words(table: Table) -> list[tuple[int, int]]:
    """Addresses and data for the decoder core's write port, most frequent symbol first."""
    return list(enumerate(table.rank_to_symbol.tolist())) + _area_words(table)


def _area_words(table: Table) -> list[tuple[int, int]]:
    return [(256 + area, word) for area, word in enumerate(table.area_words.tolist())]


class TableWriter:
    """Writes words to a port ``<prefix>_we``, ``<prefix>_addr``, ``<prefix>_data``.

    Also drives ``<prefix>_bank`` where there is one.
    """

    def __init__(self, dut: Dut, rng: random.Random, prefix: str = "table") -> None:
        """Drives the port idle."""
        self._edge = dut.clk.rising_edge
        self._we = getattr(dut, f"{prefix}_we")
        self._addr = getattr(dut, f"{prefix}_addr")
        self._data = getattr(dut, f"{prefix}_data")
        self._bank = getattr(dut, f"{prefix}_bank", None)
        self._rng = rng
        self._go_idle()

    async def write(self, words: Iterable[tuple[int, int]], bank: int | None = None) -> None:
        """Writes a word a cycle; None for the bank of a DUT that has only one."""
        fault = int(os.environ.get(PLANT_FAULT) == "1")
        await self._edge
        for address, data in words:
            self._we.value = 1
            self._addr.value = address
            self._data.value = data ^ fault
            if self._bank is not None and bank is not None:
                self._bank.value = bank
            fault = 0
            await self._edge
        self._go_idle()

    def _go_idle(self) -> None:
        self._we.value = 0
        self._addr.value = unknown(len(self._addr), self._rng)
        self._data.value = unknown(len(self._data), self._rng)
        if self._bank is not None:
            self._bank.value = unknown(len(self._bank), self._rng)
