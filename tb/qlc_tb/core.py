"""What the benches of the cores have: a codec, tables to test with, and one that is loaded."""

from __future__ import annotations

import os
from pathlib import Path

from qlc_tb import stimulus
from qlc_tb.bench import Bench
from qlc_tb.codec import codec
from qlc_tb.dut import Dut
from qlc_tb.stimulus import AnyTable, Symbols
from qlc_tb.tables import TableWriter


class CoreBench(Bench):
    """A core with a table loaded."""

    def __init__(self, dut: Dut) -> None:
        """Reads the core's parameters."""
        super().__init__(dut)
        self.codec = codec(dut)
        self.tables = self.codec.tables(self.rng)
        self.table = self.tables[0]
        self._writer = TableWriter(dut, self.rng)

    async def setup(self) -> None:
        """Loads the table, unless the core has its own from files."""
        if path := os.environ.get("QLC_TABLE"):
            self.table = self.codec.read(Path(path))
        else:
            await self.load(self.table)

    async def load(self, table: AnyTable) -> None:
        """Loads a table; allowed while no packet is inside the core."""
        raise NotImplementedError

    def skewed(self, low: int, high: int) -> Symbols:
        """A random number of symbols, frequent ones often."""
        return stimulus.skewed(self.table, self.rng.randint(low, high), self.rng)
