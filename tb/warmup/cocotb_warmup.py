"""Warm-up in a closed loop: the encoder counts what passes, software makes tables of it.

QLC_WARMUP names a JSON file with what to do (``scripts.warmup.Job``), QLC_RESULTS the one
to write: a row for each window of packets. The host side, ``Software``, knows nothing of the tensors: it
reads registers between windows, and loads tables while packets flow.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cocotb
import numpy as np
from cocotb.task import Task
from cocotb.triggers import ClockCycles
from qlc.sampling import SampledHistogram
from qlc.table import Table, calibrate
from qlc.table_files import read_table
from qlc.tensors import read_tensors
from qlc_tb.bench import bench_test
from qlc_tb.dut import Dut
from qlc_tb.holes import with_empty
from qlc_tb.packet import Beat, dense
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import bounds_of
from qlc_tb.top import WIDTH, EncoderBench, State, encoded

COUNTED = ("packets", "symbols", "bytes", "blocks_coded")
TABLE_ID = 0
# Of a block, its CRC included
HEADER_BYTES = 8


class Tb(EncoderBench):
    """The encoder without a table."""

    def __init__(self, dut: Dut) -> None:
        """Has sent nothing."""
        super().__init__(dut)
        self.sent: list[list[Beat]] = []

    async def setup(self) -> None:
        """Loads none: that is what software is for."""

    def send(self, symbols: Symbols, table_id: int = 0, beats: list[Beat] | None = None) -> None:
        """Sends a packet of symbols, and keeps its beats, of which some are empty unless they are given."""
        self.sent.append(beats or with_empty(dense(symbols.tobytes(), WIDTH), self.rng))
        super().send(symbols, table_id, self.sent[-1])


class Software:
    """Makes a table when the histogram is full, and again when the counters say that it no longer fits."""

    def __init__(self, tb: Tb, job: dict[str, Any]) -> None:
        """Takes the settings it may know: ``warmup`` packets, ``tolerance`` in points."""
        self.tb = tb
        self.host = tb.host
        self.warmup: int = job["warmup"]
        self.tolerance: float = job["tolerance"]
        self.packet_bytes: int = job["packet"]
        self.forget_clear: bool = job["forget_clear"]
        self.counting = False
        self.expected = 0.0
        self._skip = 0
        self._before = dict.fromkeys(COUNTED, 0)
        self._loading: Task[None] | None = None
        self.counts: list[int] = []

    async def begin(self) -> None:
        """Begins to count, before any packet."""
        await self.host.set("hist_freeze", packets=self.warmup)
        await self.count()

    async def count(self) -> None:
        """Lets the histogram count from the next packet on."""
        again = self.counting or self.expected > 0
        await self.host.set("hist_control", enable=1, clear=int(not (self.forget_clear and again)))
        self.counting = True

    async def window(self) -> tuple[dict[str, int], str]:
        """Looks at the registers; gives what the counters have counted since, and what it has done."""
        await self.finish()
        values = await self.host.read_all(COUNTED)
        now = dict(zip(COUNTED, values, strict=True))
        window = {name: now[name] - self._before[name] for name in COUNTED}
        self._before = now
        saving = 100 * (1 - window["bytes"] / window["symbols"])
        if self.counting:
            if (await self.host.fields("hist_status"))["frozen"]:
                self.counts = await self.host.histogram()
                self.counting = False
                await self.host.set("hist_control", enable=0)
                self._load(self._table())
                return window, "table"
        elif self._skip:
            # The table came in this one.
            self._skip -= 1
        elif saving < self.expected - self.tolerance:
            await self.count()
            return window, "drift"
        return window, ""

    def _table(self) -> Table:
        """The best table that the encoder can hold, for what was counted."""
        bounds = bounds_of(self.tb.dut)
        limits = (bounds.raw_bits, bounds.shortest, bounds.longest)
        return calibrate(self.counts, "float8_e4m3fn", "auto", "warmup", TABLE_ID, *limits)

    async def finish(self) -> None:
        """Waits for the table that is being loaded, if any."""
        if self._loading is not None:
            await self._loading
            self._loading = None

    def _load(self, table: Table) -> None:
        # Runs while the next window's packets flow.
        self.expected = 100 * (1 - table.expected_bits / 8 - HEADER_BYTES / self.packet_bytes)
        self._skip = 1
        self._loading = cocotb.start_soon(self.tb.load(TABLE_ID, table))


def cycled(symbols: Symbols, count: int) -> Iterator[Symbols]:
    """Packets of ``count`` symbols, endless, from the first symbol again after the last."""
    start = 0
    while True:
        yield symbols[(start + np.arange(count)) % len(symbols)]
        start += count


@bench_test(Tb)
async def warmup(tb: Tb) -> None:
    """Raw, then compressed; other data, noticed and compressed again."""
    job = json.loads(Path(os.environ["QLC_WARMUP"]).read_text())
    tensors = []
    for source in job["tensors"]:
        by_name = {t.name: t.symbols.reshape(-1) for t in read_tensors(Path(source["file"]))}
        offline = read_table(Path(source["table"]))
        tensors.append((cycled(by_name[source["tensor"]], job["packet"]), offline))
    software = Software(tb, job)
    await software.begin()

    rows = []
    model = SampledHistogram(freeze_packets=job["warmup"])
    number = 0
    # Packets of the first tensor, and the ones after; never in whole windows.
    change = job["change"]
    sent = 0
    while sent < job["packets"]:
        tb.sent.clear()
        offline_bytes = 0
        for _ in range(job["window"]):
            number = int(sent >= change)
            source, offline = tensors[number]
            symbols = next(source)
            tb.send(symbols, TABLE_ID)
            state = State(tables={TABLE_ID: offline})
            offline_bytes += len(encoded(symbols, offline, state, tb.block))
            sent += 1
        await tb.drain()
        await ClockCycles(tb.dut.clk, 20)
        counting = software.counting
        if counting:
            for beats in tb.sent:
                lanes = np.array([list(beat.lanes) for beat in beats], dtype=np.uint8)
                keep = np.array([[beat.keep >> lane & 1 for lane in range(WIDTH)] for beat in beats])
                model.beats(lanes, keep.astype(bool))
        window, action = await software.window()
        if action == "table":
            assert software.counts == model.counts.tolist() or job["forget_clear"], "not the model's counts"
        elif action == "drift":
            model.clear()
        total = job["window"] * job["packet"]
        assert (window["packets"], window["symbols"]) == (job["window"], total)
        rows.append(
            {
                "packets": sent,
                "tensor": number,
                "saving": 100 * (1 - window["bytes"] / window["symbols"]),
                "offline": 100 * (1 - offline_bytes / total),
                "expected": software.expected,
                "coded": window["blocks_coded"],
                "counting": counting,
                "action": action,
                "samples": int(sum(software.counts)) if action == "table" else 0,
            }
        )
    await software.finish()
    Path(os.environ["QLC_RESULTS"]).write_text(json.dumps(rows))
