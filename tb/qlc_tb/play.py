"""Plays packets through a harness of the parts in ``hdl``: without Python on any cycle."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from cocotb.triggers import FallingEdge, RisingEdge, SimTimeoutError, Timer, with_timeout
from qlc.table import Table
from qlc.table_files import read_table
from qlc.tensors import read_tensors

from qlc_tb.beats import read_beats, write_beats
from qlc_tb.dut import Dut
from qlc_tb.packet import Packet, dense
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import Words, decoder_words, encoder_words, with_fault

PERIOD_NS = 2
BEAT_BYTES = 32


async def reset(dut: Dut) -> None:
    """Resets the harness."""
    dut.rst.value = 1
    dut.start.value = 0
    await Timer(10 * PERIOD_NS, "ns")
    dut.rst.value = 0
    await Timer(PERIOD_NS, "ns")


async def play(dut: Dut, limit: int) -> None:
    """Plays what has been written. Raises AssertionError when it takes more than ``limit`` cycles."""
    dut.start.value = 1
    try:
        await with_timeout(RisingEdge(dut.done), limit * PERIOD_NS, "ns")
    except SimTimeoutError:
        raise AssertionError(f"no end within {limit} cycles") from None
    dut.start.value = 0
    await FallingEdge(dut.done)


# What a packet of a job file took, by name, and whether all of it is right.
Result = tuple[dict[str, Any], bool]


async def play_jobs(play_one: Callable[[Symbols, Path], Awaitable[Result]]) -> None:
    """Plays the packets of the file that QLC_JOBS names.

    It is a JSON list of ``{"tensor": NAME, "file": DATA FILE, "table": TABLE FILE}``, with ``"symbols"``
    where only so many of the tensor's are played. ``play_one`` takes a packet's symbols and its table's
    file. One line of JSON a packet goes to the file QLC_RESULTS as soon as the packet is over.
    """
    jobs = json.loads(Path(os.environ["QLC_JOBS"]).read_text())
    assert jobs, "no packets"
    files: dict[str, dict[str, Symbols]] = {}
    bad = 0
    with Path(os.environ["QLC_RESULTS"]).open("w") as out:
        for job in jobs:
            if job["file"] not in files:
                files[job["file"]] = {t.name: t.symbols.reshape(-1) for t in read_tensors(Path(job["file"]))}
            symbols = files[job["file"]][job["tensor"]][: job.get("symbols")]
            try:
                result, right = await play_one(symbols, Path(job["table"]))
            except AssertionError as error:
                raise AssertionError(f"{job['tensor']}: {error}") from error
            named = {key: job[key] for key in ("tensor", "scheme") if key in job}
            out.write(json.dumps({**named, "symbols": len(symbols), **result}) + "\n")
            out.flush()
            bad += not right
    assert bad == 0, f"{bad} of {len(jobs)} packets are wrong"


def count_differences(got: bytes, expected: bytes) -> int:
    """Bytes in which two packets differ, each missing or surplus byte one."""
    common = min(len(got), len(expected))
    a, b = (np.frombuffer(data[:common], np.uint8) for data in (got, expected))
    return int(np.count_nonzero(a != b)) + abs(len(got) - len(expected))


async def encode_and_decode(
    dut: Dut,
    encode: Callable[[Symbols, Table], bytes],
    prepare: Callable[[Symbols, Words, Words], None],
    counters: Sequence[str],
) -> None:
    """Plays every packet of the job file through encoder and decoder, and scores both streams.

    ``encode`` is the golden model's; ``prepare`` takes a packet and the words of its table for encoder and
    decoder, and hands them to the harness; ``counters`` are the harness's outputs that go into the results.
    """
    await reset(dut)
    raw_bits = int(dut.RAW_BITS.value)

    async def play_one(symbols: Symbols, table_file: Path) -> Result:
        begin = time.monotonic()
        table = read_table(table_file)
        # The fault is in a codeword that is needed.
        faulty = int(symbols[len(symbols) // 2]) >> raw_bits
        prepare(symbols, with_fault(encoder_words(table, raw_bits), faulty), decoder_words(table, raw_bits))
        write_beats([Packet(dense(symbols.tobytes(), BEAT_BYTES))])
        # A symbol takes a cycle, a stalled one at most 256 on average.
        await play(dut, 100 * len(symbols) + 100_000)
        assert not int(dut.hang.value), "hang"
        (coded,) = read_beats(BEAT_BYTES, "coded.hex")
        (decoded,) = read_beats(len(dut.decoded_tdata) // 8, "decoded.hex")
        mismatches = count_differences(coded.data, encode(symbols, table))
        mismatches += count_differences(decoded.data, symbols.tobytes())
        unstable = int(dut.unstable.value)
        result = {
            "mismatches": mismatches,
            "seconds": time.monotonic() - begin,
            "coded_bytes": len(coded.data),
            **{name: int(getattr(dut, name).value) for name in counters},
            "error": decoded.user,
            "unstable": unstable,
        }
        return result, not (mismatches or decoded.user or unstable)

    await play_jobs(play_one)
