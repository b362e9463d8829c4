"""What the benches of both tops have: registers, and packets that depend on what they hold."""

from __future__ import annotations

import dataclasses
import logging
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cocotb
import numpy as np
import pytest
from cocotb.triggers import ClockCycles
from cocotb.utils import get_sim_time
from qlc.block import Header
from qlc.bounds import HUFFMAN, PAPER, RAW_MANTISSA, Bounds
from qlc.code import PRESETS
from qlc.errors import Error
from qlc.packet import Policy, decode_packet, encode_packet
from qlc.ranking import SPECIAL_SYMBOLS
from qlc.table import Table, calibrate

from qlc_tb.axil import AxilMonitor
from qlc_tb.bench import Bench
from qlc_tb.blocks import ERROR_NAMES, NO_TABLE, PARTIAL_BEAT, REFUSED, headers_of, unmarked
from qlc_tb.dut import Dut
from qlc_tb.holes import spoiled, with_empty
from qlc_tb.host import COUNTERS, OKAY, Host, RefusedError, register_map
from qlc_tb.monitor import AxisMonitor
from qlc_tb.packet import Beat, Expected, Packet, Received, dense
from qlc_tb.scoreboard import PacketScoreboard, ScoreboardError
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import bounds_of, codes, decoder_words, encoder_words, random_table

WIDTH = 32
MODE_POLICY, MODE_RAW, MODE_CODED = range(3)
# min_saving that no block reaches
NEVER = 8191
# For packets that use none
_ANY_TABLE = calibrate(np.ones(256, dtype=np.int64), "uint8", PRESETS["table1"], "any", 0)
# Of the map's counters, where the hardware's own generate block keeps them
PLACES = {name: place for place, name in enumerate(COUNTERS[:5])}


@dataclass(frozen=True)
class State:
    """What a top's registers hold that packets depend on."""

    min_packet: int = 1024
    min_saving: int = 1
    mode: int = MODE_POLICY
    crc: int = 1
    require_crc: int = 1
    dtype: int = 0
    tables: Mapping[int, Table] = field(default_factory=dict)


@dataclass
class Version:
    """A state, and until when (in the simulator's steps) a packet may still begin with it."""

    state: State
    end: int | None = None


@dataclass(frozen=True)
class Choice:
    """What a packet may become: with which version, and what it adds to the counters."""

    version: int
    packet: Expected
    counts: Counter[str]


class OneOf(Expected):
    """A packet that must be one of several, according to when its first beat met a register write."""

    choices: tuple[Choice, ...]

    @classmethod
    def of(cls, choices: list[Choice]) -> OneOf:
        """A packet for these choices, at least one."""
        self = cls(*choices[0].packet)
        self.choices = tuple(choices)
        return self


class VersionScoreboard(PacketScoreboard):
    """Compares with all choices of a packet; from a version that was seen there is no way back."""

    def __init__(self, dut: Dut, monitor: AxisMonitor) -> None:
        """Compares all that ``monitor`` receives from now on."""
        super().__init__(dut, monitor)
        # Packets may be the same for two versions and add different counts, as where only the dtype was
        # written: every version that the last packet may have had, with the counts up to it.
        self.possible: list[tuple[int, Counter[str]]] = [(0, Counter())]

    @property
    def seen(self) -> int:
        """The first version that the last packet may have had."""
        return self.possible[0][0]

    @property
    def counts(self) -> Counter[str]:
        """What the packets added to the counters, if each had the first version that it may have had."""
        return self.possible[0][1]

    def clear_counts(self) -> None:
        """Counts from 0 again."""
        self.possible = [(self.seen, Counter())]

    def compare(self, got: Received, exp: Expected, log: logging.Logger, strict_type: bool = True) -> None:
        """Raises ScoreboardError when the packet is none of its choices, or of an earlier version."""
        assert isinstance(exp, OneOf)
        fitting = [choice for choice in exp.choices if (got.data, got.user) == choice.packet]
        first: dict[frozenset[tuple[str, int]], tuple[int, Counter[str]]] = {}
        for seen, counts in self.possible:
            for choice in fitting:
                if choice.version >= seen:
                    total = counts + choice.counts
                    key = frozenset(total.items())
                    # Of versions with the same counts the earliest leaves all that the others leave.
                    if key not in first or choice.version < first[key][0]:
                        first[key] = (choice.version, total)
        if first:
            self.compared += 1
            self.possible = sorted(first.values(), key=lambda possible: possible[0])
            return
        if fitting:
            raise ScoreboardError(
                f"packet {self.compared + 1} is as before a register write that an earlier one has obeyed"
            )
        super().compare(got, exp.choices[-1].packet, log, strict_type)


def block_counts(headers: list[Header]) -> dict[str, int]:
    """How the counters of blocks count these."""
    coded = sum(header.coded for header in headers)
    return {"blocks_coded": coded, "blocks_raw": len(headers) - coded}


class TopBench(Bench):
    """A top with its registers, and versions of what these hold.

    A packet's choices are those of the versions that a first beat may meet: while a write is under
    way, two. When the test ends, all counters must be what the golden model's packets give.
    """

    decoder = 0

    def __init__(self, dut: Dut) -> None:
        """Reads the parameters."""
        super().__init__(dut)
        self.ids = int(dut.TABLES.value)
        self.bounds = bounds_of(dut)
        self.block = 4096 if self.decoder else int(dut.BLOCK_SYMBOLS.value)
        self.host = Host(
            dut,
            "s_axil",
            self.rng,
            register_map(
                DECODER=self.decoder,
                TABLES=self.ids,
                BLOCK_SYMBOLS=self.block,
                BEAT=len(dut.m_axis_tkeep) if self.decoder else WIDTH,
                **{name.upper(): value for name, value in dataclasses.asdict(self.bounds).items()},
            ),
        )
        self.axil = AxilMonitor(dut, "s_axil", self.reset)
        # The first has illegal codewords.
        self.spare = [
            random_table(code, self.rng, self.bounds.raw_bits) for code in codes(self.bounds, self.rng)
        ]
        # In place of the exact comparison of other benches.
        self.output._callbacks.clear()
        self.scoreboard: VersionScoreboard = VersionScoreboard(dut, self.output)
        # What the counters held when the bench set them.
        self.base: Counter[str] = Counter()
        self._versions = [Version(State())]
        self._queue: deque[tuple[Any, int]] = deque()
        cocotb.start_soon(self._watch())

    @property
    def state(self) -> State:
        """What the registers hold, or will when a write under way is done."""
        return self._versions[-1].state

    @property
    def tables(self) -> list[Table]:
        """The tables loaded."""
        return list(self.state.tables.values())

    async def setup(self) -> None:
        """Loads the lowest two ids, if there are as many, and the highest."""
        for number, table_id in enumerate(sorted({0, min(1, self.ids - 1), self.ids - 1})):
            await self.load(table_id, self.spare[number % len(self.spare)])

    async def __aexit__(self, *error: Any) -> None:  # noqa: ANN401
        """Drains and checks, the counters also."""
        await super().__aexit__(*error)
        if error[0] is None:
            await self.check_counters()
            await ClockCycles(self.dut.clk, 4)
            assert self.axil.idle, "a request without response"

    async def check_counters(self) -> None:
        """Compares all counters with the golden model's; nothing may be under way."""
        counters = await self.host.counters()
        wrong: list[dict[str, tuple[int, int]]] = []
        for _, counts in self.scoreboard.possible:
            expected = counts + self.base
            wrong.append({n: (value, expected[n]) for n, value in counters.items() if value != expected[n]})
        assert {} in wrong, f"counters (read, expected): {wrong[0]}"

    async def check_unfit_tables(self) -> None:
        """Tables that the build cannot hold are refused, by name in software, and by the hardware alone."""
        loaded = await self.host.read("table_loaded")
        refused = 0
        for bounds in (HUFFMAN, RAW_MANTISSA, Bounds(), PAPER):
            for code in codes(bounds, self.rng):
                table = random_table(code, self.rng, bounds.raw_bits)
                if (problem := self.bounds.problem(table)) is None:
                    continue
                with pytest.raises(RefusedError, match=problem[:20]):
                    await self.host.load_table(0, table)
                assert await self.host.read("status") == 0
                words = decoder_words if self.decoder else encoder_words
                with pytest.raises(RefusedError, match="table_commit"):
                    await self.host.load(0, words(table, min(table.raw_bits, self.bounds.raw_bits)))
                assert await self.host.read("status") == self.host.map["status"]["table_unfit"].mask
                await self.host.set("status", table_unfit=1)
                refused += 1
                break
        assert refused or self.bounds == HUFFMAN
        assert await self.host.read("table_loaded") == loaded

    async def restart(self) -> None:
        """Resets; nothing is loaded, set or counted afterwards."""
        self._queue.clear()
        await super().restart()
        self._queue.clear()
        self._versions.append(Version(State()))
        self._versions[-2].end = 0
        self.scoreboard.clear_counts()
        self.base.clear()

    async def change(self, register: str, value: int, **state: Any) -> int:  # noqa: ANN401
        """Writes a register that packets depend on; gives the response.

        A packet that begins up to the cycle of the response may have been before the write.
        """
        before = self._versions[-1]
        self._versions.append(Version(dataclasses.replace(before.state, **state)))
        response = await self.host.write(register, value)
        if response == OKAY:
            before.end = get_sim_time("step")
        else:
            self._versions.append(Version(before.state))
            self._versions[-2].end = before.end = -1
        return response

    async def configure(self, **fields: int) -> None:
        """Sets fields of the control register; what is not given stays."""
        names = ("mode", "crc", "require_crc", "dtype")
        state = {name: getattr(self.state, name) for name in names} | fields
        word = self.host.map["control"].pack(**state)
        state["mode"] %= 3
        assert await self.change("control", word, **state) == OKAY

    async def policy(self, min_packet: int | None = None, min_saving: int | None = None) -> None:
        """Sets the policy's limits; what is not given stays."""
        if min_packet is not None:
            assert await self.change("min_packet", min_packet, min_packet=min_packet) == OKAY
        if min_saving is not None:
            assert await self.change("min_saving", min_saving, min_saving=max(1, min_saving)) == OKAY

    def words(self, table: Table) -> list[tuple[int, int]]:
        """A table as the window takes it."""
        return (decoder_words if self.decoder else encoder_words)(table, self.bounds.raw_bits)

    async def load(self, table_id: int, table: Table) -> None:
        """Loads a table as software does, with packets under way or not."""
        await self.host.not_busy()
        assert not any(await self.host.stage(self.words(table))), "a table word was refused"
        assert await self.commit(table_id, table) == OKAY

    async def commit(self, table_id: int, table: Table) -> int:
        """Commits the table that was written."""
        loaded = {**self.state.tables, table_id: dataclasses.replace(table, table_id=table_id)}
        return await self.change("table_commit", table_id, tables=loaded)

    async def wait_inside(self) -> None:
        """Waits until a packet is being sent."""
        before = self.input.transfers
        while self.input.transfers == before:
            await ClockCycles(self.dut.clk, 1)

    def put(self, item: Any, beats: list[Beat], user: int = 0) -> None:  # noqa: ANN401
        """Sends a packet; ``item`` is what ``choice`` needs to know of it."""
        self._queue.append((item, user))
        self.source.put(Packet(beats, user))

    def choice(self, item: Any, user: int, state: State) -> tuple[Expected, Counter[str]]:  # noqa: ANN401
        """What a packet that meets a state becomes, and what it adds to the counters."""
        raise NotImplementedError

    def count(
        self, symbols: Symbols, headers: list[Header], data: int, errors: list[int], dtype: int
    ) -> Counter[str]:
        """What a packet of ``symbols`` and ``data`` bytes out adds to the counters."""
        special = [*SPECIAL_SYMBOLS.values(), ()][dtype]
        counts: Counter[str] = Counter(
            packets=1,
            symbols=len(symbols),
            specials=int(np.isin(symbols, special).sum()),
            bytes=data,
            **block_counts(headers),
        )
        for error in errors:
            counts[f"err_{ERROR_NAMES[error]}"] = 1
        return counts

    async def _watch(self) -> None:
        dut = self.dut
        edge = dut.clk.rising_edge
        first = True
        while True:
            await edge
            if self.reset.active:
                first = True
            elif str(dut.s_axis_tvalid.value) == str(dut.s_axis_tready.value) == "1":
                if first:
                    self._begin()
                first = str(dut.s_axis_tlast.value) == "1"

    def _begin(self) -> None:
        item, user = self._queue.popleft()
        now = get_sim_time("step")
        choices = [
            Choice(number, *self.choice(item, user, version.state))
            for number, version in enumerate(self._versions)
            if version.end is None or version.end >= now
        ]
        self.scoreboard.expect(OneOf.of(choices))


@dataclass(frozen=True)
class Sent:
    """What of a packet comes before a partial beat, or all of it where there is none."""

    data: bytes
    spoiled: bool = False


class EncoderBench(TopBench):
    """qlc_encoder: symbols in, packets out."""

    def send(self, symbols: Symbols, table_id: int = 0, beats: list[Beat] | None = None) -> None:
        """Sends a packet of symbols, in beats of which some may be empty unless they are given."""
        data = symbols.tobytes()
        self.put(Sent(data), beats or with_empty(dense(data, WIDTH), self.rng), table_id)

    def send_spoiled(self, symbols: Symbols, table_id: int = 0) -> None:
        """Sends a packet of symbols with a partial beat somewhere."""
        beats, before = spoiled(dense(symbols.tobytes(), WIDTH), self.rng)
        self.put(Sent(before, True), beats, table_id)

    def choice(self, item: Sent, user: int, state: State) -> tuple[Expected, Counter[str]]:
        """What the golden model makes of a packet."""
        symbols = np.frombuffer(item.data, dtype=np.uint8)
        table = state.tables.get(user)
        data = encoded(symbols, table, state, self.block)
        headers = headers_of(data)
        errors = [NO_TABLE] if table is None and len(symbols) else []
        if item.spoiled:
            errors.append(PARTIAL_BEAT)
            data = unmarked(data)
            if len(symbols) % self.block == 0:
                data += REFUSED
        return Expected(data), self.count(symbols, headers, len(data), errors, state.dtype)


def encoded(symbols: Symbols, table: Table | None, state: State, block: int) -> bytes:
    """The golden model's packet; without a table all raw."""
    crc = bool(state.crc)
    if table is None or state.mode == MODE_RAW:
        policy = Policy(block, 0, NEVER, crc)
    elif state.mode == MODE_CODED:
        policy = Policy(block, 0, 1, crc)
    else:
        policy = Policy(block, state.min_packet, state.min_saving, crc)
    return encode_packet(symbols, table or _ANY_TABLE, policy)


class DecoderBench(TopBench):
    """qlc_decoder: packets in, symbols and verdict out."""

    decoder = 1

    def send(self, data: bytes) -> Error:
        """Sends a packet; gives the verdict by the registers as they are now."""
        self.put(Sent(data), with_empty(dense(data, self.source.width), self.rng))
        return decode_packet(data, self.state.tables, bool(self.state.require_crc)).error

    def send_spoiled(self, data: bytes) -> None:
        """Sends a packet with a partial beat somewhere."""
        beats, before = spoiled(dense(data, self.source.width), self.rng)
        self.put(Sent(before, True), beats)

    def choice(self, item: Sent, user: int, state: State) -> tuple[Expected, Counter[str]]:
        """What the golden model makes of a packet."""
        result = decode_packet(item.data, state.tables, bool(state.require_crc))
        error = int(result.error)
        if item.spoiled and result.error in (Error.GOOD, Error.TRUNCATED):
            error = PARTIAL_BEAT
        counts = self.count(
            result.symbols,
            headers_of(item.data[: result.start]),
            len(result.symbols),
            [error] if error else [],
            state.dtype,
        )
        return Expected(result.symbols.tobytes(), error), counts
