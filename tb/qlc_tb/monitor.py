"""AXI-Stream monitors: receive packets and check every cycle."""

from __future__ import annotations

from typing import Any

from cocotb.handle import LogicObject
from cocotb_bus.monitors import BusMonitor

from qlc_tb.bus import OPTIONAL_SIGNALS, SIGNALS
from qlc_tb.dut import Dut
from qlc_tb.packet import Received
from qlc_tb.reset import Reset
from qlc_tb.stability import StabilityChecker


class PayloadError(AssertionError):
    """A beat that a receiver cannot use."""


class AxisMonitor(BusMonitor):  # type: ignore[misc]  # untyped base
    """Counts a stream's transfers and packets by cycle, and checks its handshake.

    Looks at no payload but tlast, so it suits a stream that the bench drives.
    """

    _signals = SIGNALS
    _optional_signals = OPTIONAL_SIGNALS

    def __init__(self, entity: Dut, name: str, clock: LogicObject, reset: Reset) -> None:
        """Begins at once. Monitors made in the same time step count the same cycles."""
        self.cycle = 0
        self.transfers = 0
        self.packets: list[Received] = []
        self._partial = Received(b"", 0)
        self._reset_state = reset
        self._stability = StabilityChecker(name)
        self._edge = clock.rising_edge
        super().__init__(entity, name, clock)
        self._payload = [
            signal
            for key in ("tdata", "tkeep", "tlast", "tuser")
            if (signal := getattr(self.bus, key, None)) is not None
        ]
        self._keys = [key for key in ("tdata", "tkeep", "tlast", "tuser") if hasattr(self.bus, key)]

    @property
    def in_packet(self) -> bool:
        """Whether a packet has begun and not ended."""
        return bool(self._partial.cycles)

    async def _monitor_recv(self) -> None:
        # The one place per stream with work in every cycle: keep it short.
        edge = self._edge
        tvalid = self.bus.tvalid
        tready = self.bus.tready
        while True:
            await edge
            self.cycle += 1
            valid = str(tvalid.value)
            if self._reset_state.active:
                self._stability.reset_cycle(valid)
                self._partial = Received(b"", 0)
                continue
            ready = str(tready.value)
            payload = [signal.value for signal in self._payload] if valid == "1" else []
            self._stability.cycle(valid, ready, payload)
            if valid == ready == "1":
                self.transfers += 1
                self._partial.cycles.append(self.cycle)
                if self._beat(dict(zip(self._keys, payload, strict=True))):
                    packet, self._partial = self._partial, Received(b"", 0)
                    self.packets.append(packet)
                    self._recv(packet)

    def _beat(self, beat: dict[str, Any]) -> bool:
        """Takes a beat into the packet; tells whether it is the last."""
        return int(beat["tlast"]) == 1


class AxisOutputMonitor(AxisMonitor):
    """Also receives the bytes, and checks all of every beat; for a stream that the DUT drives.

    No bit may be unknown, bytes must be contiguous from lane 0 and masked ones 0, and only the
    last beat may have fewer than all.
    """

    def _beat(self, beat: dict[str, Any]) -> bool:
        for key, value in beat.items():
            if not value.is_resolvable:
                raise PayloadError(f"{self.name}: {key} is {value} in a valid beat")
        width = len(self.bus.tdata) // 8
        data = int(beat["tdata"])
        keep = int(beat["tkeep"])
        last = int(beat["tlast"]) == 1
        if keep & (keep + 1):
            raise PayloadError(f"{self.name}: tkeep {keep:b} is not contiguous from lane 0")
        count = keep.bit_length()
        if data >> 8 * count:
            raise PayloadError(f"{self.name}: tdata {data:x} is not 0 in the lanes that tkeep {keep:b} masks")
        if count < width and not last:
            raise PayloadError(f"{self.name}: tkeep {keep:b} in a beat that is not the last")
        self._partial.data += data.to_bytes(width, "little")[:count]
        if last and "tuser" in beat:
            self._partial.user = int(beat["tuser"])
        return last
