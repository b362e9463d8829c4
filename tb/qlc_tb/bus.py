"""The signals of an AXI-Stream."""

from __future__ import annotations

from cocotb_bus.bus import Bus

from qlc_tb.dut import Dut

SIGNALS = ["tdata", "tvalid", "tready"]
OPTIONAL_SIGNALS = ["tkeep", "tlast", "tuser"]


class AxisBus(Bus):  # type: ignore[misc]  # untyped base
    """The AXI-Stream of ``entity`` whose signals begin with ``name`` and an underscore."""

    def __init__(self, entity: Dut, name: str) -> None:
        """Finds the signals; tkeep, tlast and tuser may be absent."""
        super().__init__(entity, name, SIGNALS, optional_signals=OPTIONAL_SIGNALS)
