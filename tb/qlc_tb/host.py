"""Software's side of a top: its registers by name, over AXI4-Lite."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Sequence
from functools import cache

import cocotb
from cocotb.triggers import Lock
from qlc.bounds import Bounds
from qlc.table import Table

from qlc_tb.axil import DECERR, OKAY, SLVERR, AxilMaster
from qlc_tb.dut import Dut
from qlc_tb.registers import RDL, RegisterMap
from qlc_tb.tables import decoder_words, encoder_words, with_fault

__all__ = ["COUNTERS", "DECERR", "OKAY", "SLVERR", "Host", "RefusedError", "register_map"]

COUNTERS = ("packets", "blocks_raw", "blocks_coded", "symbols", "bytes", "specials")
WINDOW = "table[0]"


class RefusedError(AssertionError):
    """An access that was not answered OKAY."""


@cache
def register_map(**parameters: int) -> RegisterMap:
    """The map of a top with these parameters."""
    return RegisterMap(RDL, **parameters)


class Host:
    """Reads and writes registers of one top; several tasks may do so at the same time."""

    def __init__(self, entity: Dut, prefix: str, rng: random.Random, registers: RegisterMap) -> None:
        """``prefix`` is that of the port's signals."""
        self.map = registers
        self.master = AxilMaster(entity, prefix, rng)
        self._reading = Lock()
        self._writing = Lock()
        self.error_counters = tuple(name for name in registers if name.startswith("err_"))

    async def write(self, name: str, value: int) -> int:
        """Writes a register; gives the response."""
        async with self._writing:
            return await self.master.write(self.map[name].address, value)

    async def set(self, name: str, **fields: int) -> None:
        """Writes a register's fields, 0 to the others; raises RefusedError unless it succeeds."""
        response = await self.write(name, self.map[name].pack(**fields))
        if response != OKAY:
            raise RefusedError(f"{name}: response {response} to a write of {fields}")

    async def read(self, name: str) -> int:
        """Reads a register, of 64 bits the low word first."""
        return (await self.read_all([name]))[0]

    async def fields(self, name: str) -> dict[str, int]:
        """Reads a register's fields."""
        return self.map[name].unpack(await self.read(name))

    async def read_all(self, names: Sequence[str]) -> list[int]:
        """Reads registers one after another, without a pause."""
        words = [(number, shift, address) for number, name in enumerate(names)
                 for shift, address in enumerate(self.map[name].words)]  # fmt: skip
        values = [0] * len(names)
        async with self._reading:

            async def ask() -> None:
                for _, _, address in words:
                    await self.master.ask(address)

            cocotb.start_soon(ask())
            for number, shift, _ in words:
                word, response = await self.master.answer()
                if response != OKAY:
                    raise RefusedError(f"{names[number]}: response {response} to a read")
                values[number] |= word << 32 * shift
        return values

    async def counters(self) -> dict[str, int]:
        """All counters by name."""
        names = [*COUNTERS, *self.error_counters]
        return dict(zip(names, await self.read_all(names), strict=True))

    async def histogram(self) -> list[int]:
        """The histogram's counts by symbol."""
        return await self.read_all([f"hist_count[{symbol}]" for symbol in range(256)])

    async def not_busy(self) -> None:
        """Waits until the table window may be written."""
        for _ in range(5000):
            if not await self.read("table_status"):
                return
        raise AssertionError("table_status.busy stays 1")

    async def stage(self, words: Iterable[tuple[int, int]]) -> list[int]:
        """Writes words to the table window, without a pause; gives the responses."""
        start = self.map[WINDOW].address
        posts = [(start + 4 * address, data) for address, data in with_fault(words)]
        async with self._writing:

            async def post() -> None:
                for address, data in posts:
                    await self.master.post(address, data)

            cocotb.start_soon(post())
            return [await self.master.response() for _ in posts]

    async def bounds(self) -> Bounds:
        """What tables the top can hold."""
        capability = await self.fields("capability")
        return Bounds(**{each.name: capability[each.name] for each in dataclasses.fields(Bounds)})

    async def load_table(self, table_id: int, table: Table) -> None:
        """Loads a table; raises RefusedError, with the reason, if it does not fit."""
        bounds = await self.bounds()
        if (problem := bounds.problem(table)) is not None:
            raise RefusedError(problem)
        decoder = (await self.fields("capability"))["decoder"]
        await self.load(table_id, (decoder_words if decoder else encoder_words)(table, bounds.raw_bits))

    async def load(self, table_id: int, words: Iterable[tuple[int, int]]) -> None:
        """Loads a table for all packets that begin from now on; raises RefusedError if it is refused."""
        await self.not_busy()
        if any(await self.stage(words)):
            raise RefusedError("a table word was refused")
        await self.set("table_commit", id=table_id)
