"""AXI4-Lite: cocotbext-axi's master with single accesses, and a monitor that is always on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from cocotbext.axi.constants import AxiProt

from qlc_tb.dut import Dut
from qlc_tb.pattern import PATTERNS
from qlc_tb.reset import Reset
from qlc_tb.stability import StabilityChecker

OKAY, SLVERR, DECERR = 0, 2, 3
ALL_BYTES = 0xF
CHANNELS = ("aw", "w", "b", "ar", "r")


class AxilMaster:
    """Single reads and writes with any strobe, each with its response."""

    def __init__(self, entity: Dut, name: str, rng: random.Random) -> None:
        """``name`` is the prefix of the signals."""
        bus = AxiLiteBus.from_prefix(entity, name)
        self._master = AxiLiteMaster(bus, entity.clk, entity.rst)
        for interface in (self._master.write_if, self._master.read_if):
            interface.log.setLevel("WARNING")
        self._rng = rng
        write, read = self._master.write_if, self._master.read_if
        self.channels = {
            "aw": write.aw_channel,
            "w": write.w_channel,
            "b": write.b_channel,
            "ar": read.ar_channel,
            "r": read.r_channel,
        }

    def stall(self, **patterns: str) -> None:
        """Sets the patterns of channels, by name: ``aw="bursts"``; those not named never stall."""
        for name, channel in self.channels.items():
            pattern = PATTERNS[patterns.get(name, "always")](self._rng)
            channel.set_pause_generator(not go for go in pattern)

    def run_freely(self) -> None:
        """Ends all stalls."""
        for channel in self.channels.values():
            channel.clear_pause_generator()
            channel.pause = False

    async def write(self, address: int, data: int, strobes: int = ALL_BYTES) -> int:
        """Writes a word; gives the response."""
        await self.post(address, data, strobes)
        return await self.response()

    async def post(self, address: int, data: int, strobes: int = ALL_BYTES) -> None:
        """Begins a write whose ``response`` is to be waited for, in order."""
        aw, w = self.channels["aw"], self.channels["w"]
        # Which protection is asked for must not matter.
        prot = AxiProt(self._rng.randrange(8))
        address_first = self._rng.random() < 0.5
        sends = [
            aw.send(aw._transaction_obj(awaddr=address, awprot=prot)),
            w.send(w._transaction_obj(wdata=data, wstrb=strobes)),
        ]
        for send in sends if address_first else reversed(sends):
            await send

    async def response(self) -> int:
        """The response to the oldest write."""
        return int((await self.channels["b"].recv()).bresp)

    async def read(self, address: int) -> tuple[int, int]:
        """Reads a word; gives it and the response."""
        await self.ask(address)
        return await self.answer()

    async def ask(self, address: int) -> None:
        """Begins a read whose ``answer`` is to be waited for, in order."""
        ar = self.channels["ar"]
        await ar.send(ar._transaction_obj(araddr=address, arprot=AxiProt(self._rng.randrange(8))))

    async def answer(self) -> tuple[int, int]:
        """The word and response of the oldest read."""
        beat = await self.channels["r"].recv()
        return int(beat.rdata), int(beat.rresp)


@dataclass
class _Channel:
    name: str
    valid: Any
    ready: Any
    payload: list[Any]
    stability: StabilityChecker
    transfers: int = 0


class AxilMonitor:
    """Checks all five channels of a slave in every cycle.

    The handshake's rules hold on each channel, nothing that is valid is unknown, and no response
    comes before what it answers: B after both AW and W, R after AR.
    """

    def __init__(self, entity: Dut, name: str, reset: Reset) -> None:
        """Begins at once."""
        payloads = {
            "aw": ["awaddr", "awprot"],
            "w": ["wdata", "wstrb"],
            "b": ["bresp"],
            "ar": ["araddr", "arprot"],
            "r": ["rdata", "rresp"],
        }
        self.channels = {
            channel: _Channel(
                f"{name}_{channel}",
                getattr(entity, f"{name}_{channel}valid"),
                getattr(entity, f"{name}_{channel}ready"),
                [getattr(entity, f"{name}_{signal}") for signal in signals],
                StabilityChecker(f"{name}_{channel}"),
            )
            for channel, signals in payloads.items()
        }
        self._reset = reset
        self._clock = entity.clk
        cocotb.start_soon(self._run())

    @property
    def idle(self) -> bool:
        """Whether everything taken has been answered."""
        count = {name: channel.transfers for name, channel in self.channels.items()}
        return count["aw"] == count["w"] == count["b"] and count["ar"] == count["r"]

    async def _run(self) -> None:
        while True:
            await RisingEdge(self._clock)
            if self._reset.active:
                for name, channel in self.channels.items():
                    channel.transfers = 0
                    # The bench's own master may be driving the others.
                    channel.stability.reset_cycle(str(channel.valid.value) if name in ("b", "r") else "0")
                continue
            before = {name: channel.transfers for name, channel in self.channels.items()}
            for channel in self.channels.values():
                self._cycle(channel)
            for response, requests in (("b", ("aw", "w")), ("r", ("ar",))):
                asked = min(before[name] for name in requests)
                given = before[response] + (str(self.channels[response].valid.value) == "1")
                assert given <= asked, f"{response}valid before what it answers"

    def _cycle(self, channel: _Channel) -> None:
        valid, ready = str(channel.valid.value), str(channel.ready.value)
        payload = [signal.value for signal in channel.payload] if valid == "1" else []
        for value in payload:
            assert value.is_resolvable, f"{channel.name}: {value} while valid"
        channel.stability.cycle(valid, ready, payload)
        channel.transfers += valid == ready == "1"
