"""Whole tensors through the tops, as packets of blocks."""

from __future__ import annotations

import cocotb
from qlc.packet import encode_packet
from qlc_tb.beats import write_words
from qlc_tb.dut import Dut
from qlc_tb.play import encode_and_decode
from qlc_tb.registers import RegisterMap
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import Words

COUNTERS = (
    "blocks_raw",
    "blocks_coded",
    "encoder_cycles",
    "encoder_stalls",
    "decoder_cycles",
    "decoder_out_cycles",
    "decoder_latency",
)


@cocotb.test()
async def packets(dut: Dut) -> None:
    """Every packet of the job file, with table 0."""
    registers = RegisterMap()
    window, commit = (registers[name].address for name in ("table[0]", "table_commit"))

    def prepare(symbols: Symbols, to_encoder: Words, to_decoder: Words) -> None:
        for words, file in ((to_encoder, "encoder.hex"), (to_decoder, "decoder.hex")):
            write_words([*((window + 4 * address, data) for address, data in words), (commit, 0)], file)

    await encode_and_decode(dut, encode_packet, prepare, COUNTERS)
