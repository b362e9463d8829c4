"""AXI-Stream sink: drives tready. A monitor beside it receives the packets."""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import LogicObject

from qlc_tb.bus import AxisBus
from qlc_tb.dut import Dut
from qlc_tb.pattern import Pattern, always


class AxisSink:
    """Ready in each cycle that ``pattern`` allows."""

    def __init__(self, entity: Dut, name: str, clock: LogicObject, rng: random.Random) -> None:
        """Begins ready in every cycle."""
        self.pattern: Pattern = always(rng)
        self._tready = AxisBus(entity, name).tready
        self._tready.value = 0
        self._edge = clock.rising_edge
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        shown = False
        while True:
            await self._edge
            ready = next(self.pattern)
            if ready != shown:
                self._tready.value = int(ready)
                shown = ready
