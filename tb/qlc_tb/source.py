"""AXI-Stream source."""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import LogicObject
from cocotb.task import Task
from cocotb_bus.drivers import BusDriver

from qlc_tb.bus import OPTIONAL_SIGNALS, SIGNALS
from qlc_tb.dut import Dut
from qlc_tb.packet import Beat, Packet
from qlc_tb.pattern import Pattern, always
from qlc_tb.unknown import masked, unknown


class AxisSource(BusDriver):  # type: ignore[misc]  # untyped base
    """Sends packets, a beat in each cycle that ``pattern`` allows.

    All that the receiver must not look at is unknown: everything while tvalid is 0, bytes without
    tkeep, tuser after a packet's first beat.
    """

    _signals = SIGNALS
    _optional_signals = OPTIONAL_SIGNALS

    def __init__(self, entity: Dut, name: str, clock: LogicObject, rng: random.Random) -> None:
        """Drives idle values from the start."""
        super().__init__(entity, name, clock)
        self.pattern: Pattern = always(rng)
        # False: bytes without tkeep, and tkeep while idle, are 0; for a DUT that passes them on.
        self.unknown_bytes = True
        self._rng = rng
        self._unsent = 0
        self._edge = clock.rising_edge
        self._unknown = [
            (signal, len(signal))
            for key in ("tdata", "tkeep", "tlast", "tuser")
            if (signal := getattr(self.bus, key, None)) is not None
        ]
        self.width = len(self.bus.tdata) // 8
        self._tuser = getattr(self.bus, "tuser", None)
        self._go_idle()

    @property
    def idle(self) -> bool:
        """Whether all packets have been sent."""
        return self._unsent == 0

    def put(self, packet: Packet) -> None:
        """Queues a packet."""
        self._unsent += 1
        self.append(packet)

    def abort(self) -> None:
        """Drops the packet being sent and all that wait, at once; allowed in reset only."""
        thread: Task[None] = self._thread
        thread.cancel()
        self.clear()
        self._unsent = 0
        self._go_idle()
        self._thread: Task[None] = cocotb.start_soon(self._send_thread())

    async def _driver_send(self, packet: Packet, sync: bool = True) -> None:
        edge = self._edge
        tready = self.bus.tready
        if sync:
            await edge
        last = len(packet.beats) - 1
        for number, beat in enumerate(packet.beats):
            while not next(self.pattern):
                self._go_idle()
                await edge
            self._offer(beat, number == last)
            if self._tuser is not None:
                self._tuser.value = unknown(len(self._tuser), self._rng) if number else packet.user
            await edge
            while str(tready.value) != "1":
                await edge
        self._unsent -= 1
        # Overwritten in the same time step when the next packet begins at once.
        self._go_idle()

    def _offer(self, beat: Beat, last: bool) -> None:
        bus = self.bus
        bus.tvalid.value = 1
        bus.tdata.value = (
            masked(beat.lanes, beat.keep, self._rng)
            if self.unknown_bytes
            else int.from_bytes(beat.lanes, "little")
        )
        bus.tkeep.value = beat.keep
        bus.tlast.value = int(last)

    def _go_idle(self) -> None:
        self.bus.tvalid.value = 0
        for signal, width in self._unknown:
            signal.value = unknown(width, self._rng)
        if not self.unknown_bytes:
            self.bus.tkeep.value = 0
