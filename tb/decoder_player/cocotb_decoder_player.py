"""Plays whole tensors through one of the decoders, in HDL, and reports what it took.

The packets are in a file named by QLC_JOBS: a JSON list of
``{"tensor": NAME, "file": DATA FILE, "table": TABLE FILE}``, a QLC table's ``.json`` or a Huffman table's
``.code.hex``. One line of JSON a packet goes to the file QLC_RESULTS; its keys are in ``docs/baseline.md``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import cocotb
import numpy as np
from cocotb.triggers import RisingEdge, SimTimeoutError, Timer, with_timeout
from numpy.typing import NDArray
from qlc.bitstream import Code, encode
from qlc.huffman import read_table as read_huffman_table
from qlc.table_files import read_table
from qlc.tensors import read_tensors
from qlc_tb.dut import Dut
from qlc_tb.tables import PLANT_FAULT, decoder_words

PERIOD_NS = 2
COUNTERS = ("latency", "cycles", "output_gaps", "input_waits", "error", "hang")
# The harness's DECODER that has a Huffman table
SERIAL = 2


def write_beats(data: bytes, width: int) -> None:
    """Writes a packet as the player reads it: ``width`` bytes a line, the first rightmost."""
    padded = data.ljust(-(-len(data) // width) * width, b"\0")
    lines = np.frombuffer(padded, np.uint8).reshape(-1, width)[:, ::-1]
    Path("input.hex").write_text("".join(line.tobytes().hex() + "\n" for line in lines))


def read_symbols() -> bytes:
    """The symbols that came out: the bytes that are kept; X gives none at all."""
    symbols = []
    for line in Path("output.hex").read_text().split("\n")[:-1]:
        keep, data = line.split()
        if "x" in line:
            return b""
        symbols.append(bytes.fromhex(data)[::-1][: int(keep, 16).bit_length()])
    return b"".join(symbols)


def load(dut: Dut, file: Path) -> tuple[Code, list[tuple[int, int]]]:
    """A table, and the words that load it into the decoder."""
    if int(dut.decoder.value) == SERIAL:
        tree = read_huffman_table(file)
        return tree, list(enumerate(tree.tree_file_words.tolist()))
    table = read_table(file)
    return table, decoder_words(table, int(dut.raw_bits.value))


@cocotb.test()
async def packets(dut: Dut) -> None:
    """Every packet of the job file."""
    jobs = json.loads(Path(os.environ["QLC_JOBS"]).read_text())
    assert jobs, "no packets"
    dut.rst.value = 1
    dut.start.value = 0
    await Timer(10 * PERIOD_NS, "ns")
    dut.rst.value = 0
    await Timer(PERIOD_NS, "ns")
    width = int(dut.word_bits.value) // 8
    files: dict[str, dict[str, NDArray[np.uint8]]] = {}
    bad = 0
    with Path(os.environ["QLC_RESULTS"]).open("w") as out:
        for job in jobs:
            if job["file"] not in files:
                files[job["file"]] = {t.name: t.symbols for t in read_tensors(Path(job["file"]))}
            symbols = files[job["file"]][job["tensor"]].reshape(-1)
            table, words = load(dut, Path(job["table"]))
            stream = encode(symbols, table)
            if os.environ.get(PLANT_FAULT) == "1":
                words[0] = (words[0][0], words[0][1] ^ 1)
            Path("table.hex").write_text("".join(f"{address:x} {data:x}\n" for address, data in words))
            write_beats(stream, width)
            dut.tables.value = len(words)
            dut.bytes.value = len(stream)
            dut.symbols.value = len(symbols)
            dut.start.value = 1
            # A bit a cycle at least.
            limit = 10_000 + 9 * len(stream)
            try:
                await with_timeout(RisingEdge(dut.done), limit * PERIOD_NS, "ns")
            except SimTimeoutError:
                raise AssertionError(f"{job['tensor']}: no end of packet within {limit} cycles") from None
            await Timer(PERIOD_NS, "ns")
            result = {
                "tensor": job["tensor"],
                "symbols": len(symbols),
                "bytes": len(stream),
                "right": read_symbols() == symbols.tobytes(),
                **{name: int(getattr(dut, name).value) for name in COUNTERS},
            }
            bad += not result["right"] or result["error"] != 0 or result["hang"] != 0
            out.write(json.dumps(result) + "\n")
            dut.start.value = 0
            while int(dut.done.value):
                await Timer(PERIOD_NS, "ns")
    assert bad == 0, f"{bad} of {len(jobs)} packets are wrong"
