"""Compares received packets with expected ones."""

from __future__ import annotations

import logging
from typing import Protocol

from cocotb_bus.scoreboard import Scoreboard

from qlc_tb.dut import Dut
from qlc_tb.monitor import AxisMonitor
from qlc_tb.packet import Expected, Received


class ScoreboardError(AssertionError):
    """A packet that differs, is missing or was not expected, or a bench that compared nothing."""


class _Packet(Protocol):
    """`Received`, or what a harness has written."""

    @property
    def data(self) -> bytes: ...
    @property
    def user(self) -> int: ...


def difference(got: _Packet, expected: Expected) -> str | None:
    """Where two packets differ first, None when they are the same."""
    if (got.data, got.user) == expected:
        return None
    place = next(
        (i for i, (a, b) in enumerate(zip(got.data, expected.data, strict=False)) if a != b),
        min(len(got.data), len(expected.data)),
    )
    return (
        f"{len(got.data)} bytes, tuser {got.user}, expected {len(expected.data)} bytes, tuser "
        f"{expected.user}; first difference at byte {place}: {got.data[place : place + 8].hex()} instead of "
        f"{expected.data[place : place + 8].hex()}"
    )


class PacketScoreboard(Scoreboard):  # type: ignore[misc]  # untyped base
    """Expects packets on one stream, in order."""

    def __init__(self, dut: Dut, monitor: AxisMonitor) -> None:
        """Compares all that ``monitor`` receives from now on."""
        super().__init__(dut)
        self.compared = 0
        self.pending: list[Expected] = []
        self.add_interface(monitor, self.pending, strict_type=False)

    def expect(self, packet: Expected) -> None:
        """Adds the packet that should come after all others expected so far."""
        self.pending.append(packet)

    def compare(self, got: Received, exp: Expected, log: logging.Logger, strict_type: bool = True) -> None:
        """Raises ScoreboardError, saying where they differ first."""
        self.compared += 1
        if (wrong := difference(got, exp)) is not None:
            raise ScoreboardError(f"packet {self.compared}: {wrong}")

    def finish(self) -> None:
        """Raises ScoreboardError when a packet is still expected or none was ever compared."""
        if self.pending:
            raise ScoreboardError(f"{len(self.pending)} packets still expected after {self.compared}")
        if not self.compared:
            raise ScoreboardError("no packet was compared")
