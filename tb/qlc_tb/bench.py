"""What every bench has: clock, reset, one stream in, one stream out, a seed and an honest end."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, TypeVar

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from qlc.errors import Error

from qlc_tb.dut import Dut
from qlc_tb.monitor import AxisMonitor, AxisOutputMonitor
from qlc_tb.packet import Received
from qlc_tb.pattern import PATTERNS, always
from qlc_tb.reset import Reset
from qlc_tb.scoreboard import PacketScoreboard
from qlc_tb.seed import seeded
from qlc_tb.sink import AxisSink
from qlc_tb.source import AxisSource

# Cycles without any transfer after which a DUT hangs, if its bench does not say otherwise: longer than
# any stall of a pattern.
WATCHDOG = 500
# Cycles in which a beat too many would show itself after the last one expected.
SETTLE = 40

AnyBench = TypeVar("AnyBench", bound="Bench")


class Bench:
    """A source on ``s_axis``, a sink and a scoreboard on ``m_axis``, and monitors on both.

    Used as ``async with Bench(dut) as tb``, which begins with a reset and ends with everything
    drained and checked.
    """

    # For a DUT with more than a stream's signals on its input.
    source_type: type[AxisSource] = AxisSource
    watchdog = WATCHDOG

    def __init__(self, dut: Dut) -> None:
        """Builds the components and starts the clock."""
        self.dut = dut
        self.rng = seeded(dut)
        self.reset = Reset(dut.rst, dut.clk)
        self.source = self.source_type(dut, "s_axis", dut.clk, self.rng)
        self.sink = AxisSink(dut, "m_axis", dut.clk, self.rng)
        self.input = AxisMonitor(dut, "s_axis", dut.clk, self.reset)
        self.output = AxisOutputMonitor(dut, "m_axis", dut.clk, self.reset)
        self.scoreboard = PacketScoreboard(dut, self.output)
        self._sent_before = 0
        Clock(dut.clk, 10, "ns").start()

    async def __aenter__(self: AnyBench) -> AnyBench:
        """Resets and sets up."""
        await self.reset.begin()
        await self.reset.end(self.rng.randint(0, 2))
        await self.setup()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Drains and checks, unless the test has failed already."""
        if kind is None:
            await self.drain()
            self.scoreboard.finish()

    async def setup(self) -> None:
        """What a bench does after its first reset."""

    async def empty(self) -> None:
        """Waits for the transfer of the last expected packet's last beat.

        Raises AssertionError when nothing moves for too long.
        """
        await self.until(lambda: not self.scoreboard.pending and self.source.idle)

    async def until(self, done: Callable[[], bool]) -> None:
        """Waits until ``done`` says so.

        Raises AssertionError when nothing moves for too long.
        """
        quiet = 0
        seen = -1
        while not done():
            await ClockCycles(self.dut.clk, 1)
            moved = self.input.transfers + self.output.transfers
            quiet = quiet + 1 if moved == seen else 0
            seen = moved
            assert quiet < self.watchdog, f"hang: {self._state()}"

    async def drain(self) -> list[Received]:
        """Waits for all expected packets; gives those received since the last call.

        Raises AssertionError when nothing moves for too long or something is left over.
        """
        await self.empty()
        await ClockCycles(self.dut.clk, SETTLE)
        assert not self.output.in_packet, f"output stopped inside a packet: {self._state()}"
        received = self.output.packets[self._sent_before :]
        self._sent_before = len(self.output.packets)
        return received

    async def drain_errors(self) -> set[Error]:
        """Drains; gives the errors that were expected, and so received."""
        errors = {Error(packet.user) for packet in self.scoreboard.pending}
        await self.drain()
        return errors

    def _state(self) -> str:
        signals = ("s_axis_tvalid", "s_axis_tready", "m_axis_tvalid", "m_axis_tready")
        values = ", ".join(f"{name} {getattr(self.dut, name).value}" for name in signals)
        return (
            f"{values}; {len(self.scoreboard.pending)} packets expected, {self.input.transfers} beats"
            f" in, {self.output.transfers} out, cycle {self.output.cycle}"
        )

    async def restart(self) -> None:
        """Resets in the middle of whatever goes on; what was under way is no longer expected."""
        await self.reset.begin()
        # The DUT has seen a cycle of reset with whatever was on its input.
        self.source.abort()
        self.scoreboard.pending.clear()
        await self.reset.end(self.rng.randint(0, 2))
        self._sent_before = len(self.output.packets)

    async def fill(self) -> None:
        """Waits until the DUT, whose output is stalled, takes no more, and a few cycles longer."""
        transfers = -1
        while transfers != self.input.transfers:
            transfers = self.input.transfers
            await ClockCycles(self.dut.clk, 10 + self.rng.randrange(3))
        assert str(self.dut.s_axis_tready.value) == str(self.dut.m_axis_tready.value) == "0"
        assert str(self.dut.m_axis_tvalid.value) == "1", "m_axis_tvalid waits for m_axis_tready"

    def stall(self, source: str = "always", sink: str = "always") -> None:
        """Sets the patterns of both ends, by name."""
        self.source.pattern = PATTERNS[source](self.rng)
        self.sink.pattern = PATTERNS[sink](self.rng)

    def run_freely(self) -> None:
        """Ends all stalls."""
        self.source.pattern = always(self.rng)
        self.sink.pattern = always(self.rng)


# Anything that is built for a DUT, and used as ``async with``.
Tb = TypeVar("Tb", bound=AbstractAsyncContextManager[Any])


def bench_test(
    bench: Callable[[Dut], Tb], *, timeout_ms: int = 5
) -> Callable[[Callable[[Tb], Awaitable[None]]], Any]:
    """Makes a cocotb test of a function that takes a bench, which it then cannot forget to end."""

    def decorate(body: Callable[[Tb], Awaitable[None]]) -> Any:  # noqa: ANN401
        @functools.wraps(body)
        async def test(dut: Dut) -> None:
            async with bench(dut) as tb:
                await body(tb)

        return cocotb.test(timeout_time=timeout_ms, timeout_unit="ms")(test)

    return decorate
