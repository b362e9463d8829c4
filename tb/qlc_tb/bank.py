"""Packets for a decoder core with several tables."""

from __future__ import annotations

from dataclasses import dataclass

from qlc_tb.packet import Beat, Packet
from qlc_tb.source import AxisSource
from qlc_tb.unknown import unknown


@dataclass(frozen=True)
class BankPacket(Packet):
    """A packet and the bank its first beat names."""

    bank: int = 0


class BankSource(AxisSource):
    """Drives ``s_axis_bank`` in a packet's first beat, unknown in all others and while idle."""

    _next_bank: int | None = None

    async def _driver_send(self, packet: Packet, sync: bool = True) -> None:
        assert isinstance(packet, BankPacket), "a packet without a bank"
        self._next_bank = packet.bank
        await super()._driver_send(packet, sync)

    def _offer(self, beat: Beat, last: bool) -> None:
        super()._offer(beat, last)
        self._drive_bank(self._next_bank)
        self._next_bank = None

    def _go_idle(self) -> None:
        super()._go_idle()
        self._drive_bank(None)

    def _drive_bank(self, bank: int | None) -> None:
        signal = self.entity.s_axis_bank
        # Not looked at where there is one bank.
        known = bank is not None and int(self.entity.BANKS.value) > 1
        signal.value = bank if known else unknown(len(signal), self._rng)
