"""Plays whole tensors through one of the decoders, in HDL, and reports what it took.

The packets are those of a job file (``play_jobs``), whose tables are a QLC table's ``.json`` or a Huffman
table's ``.code.hex``. The keys of a result are in ``docs/baseline.md``.
"""

from __future__ import annotations

from pathlib import Path

import cocotb
from qlc.bitstream import Code, encode
from qlc.huffman import read_table as read_huffman_table
from qlc.table_files import read_table
from qlc_tb.beats import read_beats, write_beats, write_words
from qlc_tb.dut import Dut
from qlc_tb.packet import Packet, dense
from qlc_tb.play import Result, play, play_jobs, reset
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import Words, decoder_words, with_fault

COUNTERS = ("latency", "cycles", "output_gaps", "input_waits")
# The harness's DECODER that has a Huffman table
SERIAL = 2


def load(dut: Dut, file: Path) -> tuple[Code, Words]:
    """A table, and the words that load it into the decoder."""
    if int(dut.DECODER.value) == SERIAL:
        tree = read_huffman_table(file)
        return tree, list(enumerate(tree.tree_file_words.tolist()))
    table = read_table(file)
    return table, decoder_words(table, int(dut.RAW_BITS.value))


@cocotb.test()
async def packets(dut: Dut) -> None:
    """Every packet of the job file."""
    await reset(dut)

    async def play_one(symbols: Symbols, table_file: Path) -> Result:
        table, words = load(dut, table_file)
        stream = encode(symbols, table)
        write_words(with_fault(words))
        write_beats([Packet(dense(stream, int(dut.WORD_BITS.value) // 8), user=len(symbols))])
        # A bit a cycle at least.
        await play(dut, 10_000 + 9 * len(stream))
        hang = int(dut.hang.value)
        packets = read_beats(len(dut.m_axis_tdata) // 8) if not hang else []
        result = {
            "bytes": len(stream),
            "right": [packet.data for packet in packets] == [symbols.tobytes()],
            **{name: int(getattr(dut, name).value) for name in COUNTERS},
            "error": packets[-1].user if packets else 0,
            "hang": hang,
        }
        return result, bool(result["right"] and result["error"] == 0)

    await play_jobs(play_one)
