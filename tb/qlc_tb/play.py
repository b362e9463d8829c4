"""Plays whole tensors through a harness of encoder and decoder, and scores both streams.

The harness reads and writes whole packets, so there is no Python on most cycles. The packets and
their tables are in a file named by QLC_JOBS: a JSON list of
``{"tensor": NAME, "file": DATA FILE, "table": TABLE JSON}``, with ``"symbols"`` where only so many of the
tensor's are played. One line of JSON a packet goes to the file QLC_RESULTS as soon as the packet is over.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from cocotb.handle import LogicArrayObject
from cocotb.triggers import RisingEdge, SimTimeoutError, Timer, with_timeout
from cocotb_bus.monitors import Monitor
from cocotb_bus.scoreboard import Scoreboard
from numpy.typing import NDArray
from qlc.table import Table
from qlc.table_files import read_table
from qlc.tensors import read_tensors

from qlc_tb.dut import Dut

PERIOD_NS = 2
BYTES_PER_LINE = 32
HEX_DIGITS = frozenset("0123456789abcdef")


class HexMonitor(Monitor):  # type: ignore[misc]
    """Hands a whole packet to the scoreboard when the collector has written it."""

    def __init__(self, dut: Dut, file: str, length: LogicArrayObject) -> None:
        """``file`` is what the collector writes, ``length`` the signal that counts its bytes."""
        self.name = file
        self._dut = dut
        self.file = Path(file)
        self._length = length
        self.packet = b""
        super().__init__()

    async def _monitor_recv(self) -> None:
        while True:
            await RisingEdge(self._dut.done)
            lines = [line for line in self.file.read_text().splitlines() if not line.startswith("//")]
            # A packet with an X in it must not equal anything that could be expected.
            known = all(set(line) <= HEX_DIGITS for line in lines)
            beats = b"".join(bytes.fromhex(line)[::-1] for line in lines) if known else b""
            self.packet = beats[: int(self._length.value)]
            self.file.unlink()
            self._recv(self.packet)


class PacketScoreboard(Scoreboard):  # type: ignore[misc]
    """Says in one line where two packets differ, instead of printing both."""

    def compare(self, got: bytes, exp: bytes, log: logging.Logger, strict_type: bool = True) -> None:
        """Counts a packet that is not the expected one as an error."""
        if got != exp:
            self.errors += 1
            first = next((i for i, (a, b) in enumerate(zip(got, exp, strict=False)) if a != b), None)
            log.error(f"{len(got)} bytes, expected {len(exp)}; first difference at byte {first}")


def write_beats(symbols: NDArray[np.uint8], file: Path) -> None:
    """Writes symbols as the player reads them: 32 a line, as on the bus, so the first rightmost."""
    padded = np.zeros(-(-len(symbols) // BYTES_PER_LINE) * BYTES_PER_LINE, np.uint8)
    padded[: len(symbols)] = symbols
    file.write_text(
        "".join(line.tobytes().hex() + "\n" for line in padded.reshape(-1, BYTES_PER_LINE)[:, ::-1])
    )


def count_differences(got: bytes, expected: bytes) -> int:
    """Bytes in which two packets differ, each missing or surplus byte one."""
    common = min(len(got), len(expected))
    a, b = (np.frombuffer(data[:common], np.uint8) for data in (got, expected))
    return int(np.count_nonzero(a != b)) + abs(len(got) - len(expected))


async def play_jobs(
    dut: Dut, encode: Callable[[NDArray[np.uint8], Table], bytes], counters: Sequence[str]
) -> None:
    """Plays every packet of the job file.

    ``encode`` is the golden model's, ``counters`` the harness's outputs that go into the results.
    """
    jobs = json.loads(Path(os.environ["QLC_JOBS"]).read_text())
    assert jobs, "no packets"
    fault = os.environ.get("QLC_PLANT_FAULT") == "1"
    dut.rst.value = 1
    dut.start.value = 0
    dut.fault.value = int(fault)
    await Timer(10 * PERIOD_NS, "ns")
    await RisingEdge(dut.clk)
    dut.rst.value = 0

    coded = HexMonitor(dut, "coded.hex", dut.coded_bytes)
    decoded = HexMonitor(dut, "decoded.hex", dut.decoded_symbols)
    scoreboard = PacketScoreboard(dut, fail_immediately=False)
    expected_coded: list[bytes] = []
    expected_decoded: list[bytes] = []
    scoreboard.add_interface(coded, expected_coded)
    scoreboard.add_interface(decoded, expected_decoded)

    bad = 0
    files: dict[str, dict[str, NDArray[np.uint8]]] = {}
    with Path(os.environ["QLC_RESULTS"]).open("w") as out:
        for job in jobs:
            begin = time.monotonic()
            if job["file"] not in files:
                files[job["file"]] = {t.name: t.symbols for t in read_tensors(Path(job["file"]))}
            symbols = files[job["file"]][job["tensor"]][: job.get("symbols")]
            table_file = Path(job["table"])
            table = read_table(table_file)
            raw_bits = int(dut.RAW_BITS.value)
            for kind in ("rank", "symbol", "length"):
                shutil.copy(table_file.with_suffix(f".{kind}.hex"), f"{kind}.hex")
            if table.raw_bits != raw_bits:
                # The build has more classes than the files.
                for kind, words in (
                    ("rank", table.class_ranks(raw_bits)),
                    ("symbol", table.classes(raw_bits)),
                ):
                    Path(f"{kind}.hex").write_text("".join(f"{word:02x}\n" for word in words.tolist()))
            write_beats(symbols, Path("input.hex"))
            stream = encode(symbols, table)
            expected_coded.append(stream)
            expected_decoded.append(symbols.tobytes())

            dut.fault_symbol.value = int(symbols[len(symbols) // 2])
            dut.symbols.value = len(symbols)
            dut.start.value = 1
            # A symbol takes a cycle, a stalled one at most 256 on average.
            limit = 100 * len(symbols) + 100_000
            try:
                await with_timeout(RisingEdge(dut.done), limit * PERIOD_NS, "ns")
            except SimTimeoutError:
                raise AssertionError(f"{job['tensor']}: no end of packet within {limit} cycles") from None
            await RisingEdge(dut.clk)
            dut.start.value = 0
            mismatches = count_differences(coded.packet, stream)
            mismatches += count_differences(decoded.packet, symbols.tobytes())
            result = {
                "tensor": job["tensor"],
                "scheme": job.get("scheme", ""),
                "symbols": len(symbols),
                "mismatches": mismatches,
                "seconds": time.monotonic() - begin,
                **{name: int(getattr(dut, name).value) for name in counters},
            }
            bad += mismatches != 0 or result["error"] != 0 or result["unstable"] != 0
            out.write(json.dumps(result) + "\n")
            out.flush()
            while int(dut.done.value):
                await RisingEdge(dut.clk)
    assert not expected_coded, "packets expected and not seen"
    assert not expected_decoded, "packets expected and not seen"
    assert bad == 0, f"{bad} of {len(jobs)} packets are wrong"
    _ = scoreboard.result
