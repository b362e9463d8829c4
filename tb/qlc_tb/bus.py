"""The signals of an AXI-Stream."""

from __future__ import annotations

from cocotb.handle import HierarchyObject
from cocotb_bus.bus import Bus

SIGNALS = ["tdata", "tvalid", "tready"]
OPTIONAL_SIGNALS = ["tkeep", "tlast", "tuser"]


class AxisBus(Bus):
    """The AXI-Stream of ``entity`` whose signals begin with ``name`` and an underscore."""

    def __init__(self, entity: HierarchyObject, name: str) -> None:
        """Finds the signals; tkeep, tlast and tuser may be absent."""
        super().__init__(entity, name, SIGNALS, optional_signals=OPTIONAL_SIGNALS)
