"""The reset, and whether it is on."""

from __future__ import annotations

from cocotb.handle import LogicObject
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge


class Reset:
    """Synchronous, active high. Monitors look at ``active`` instead of the signal."""

    def __init__(self, signal: LogicObject, clock: LogicObject) -> None:
        """Begins active, as at power-up."""
        self._signal = signal
        self._clock = clock
        self.active = True
        signal.value = 1

    async def begin(self) -> None:
        """Activates it and waits for its first rising edge."""
        # Between two rising edges, so that all components see it begin in the same cycle.
        await FallingEdge(self._clock)
        self._signal.value = 1
        self.active = True
        await RisingEdge(self._clock)

    async def end(self, cycles: int = 0) -> None:
        """Releases it, after some more rising edges: one is enough for a DUT."""
        if cycles:
            await ClockCycles(self._clock, cycles)
        await FallingEdge(self._clock)
        self._signal.value = 0
        self.active = False
