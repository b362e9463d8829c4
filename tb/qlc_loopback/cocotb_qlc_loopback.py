"""Whole tensors through the bare cores."""

from __future__ import annotations

import os

import cocotb
from qlc.reference import encode
from qlc_tb.beats import write_words
from qlc_tb.dut import Dut
from qlc_tb.play import encode_and_decode
from qlc_tb.seed import seeded
from qlc_tb.stimulus import Symbols
from qlc_tb.tables import Words

COUNTERS = ("encoder_cycles", "encoder_stalls", "decoder_cycles", "decoder_latency")


@cocotb.test()
async def packets(dut: Dut) -> None:
    """Every packet of the job file, with idle and stalled cycles where the environment says so."""
    dut.idle.value = int(os.environ.get("QLC_IDLE", "0"))
    dut.stall.value = int(os.environ.get("QLC_STALL", "0"))
    rng = seeded(dut)

    def prepare(symbols: Symbols, to_encoder: Words, to_decoder: Words) -> None:
        dut.symbols.value = len(symbols)
        dut.seed.value = rng.getrandbits(32)
        write_words(to_encoder, "encoder.hex")
        write_words(to_decoder, "decoder.hex")

    await encode_and_decode(dut, encode, prepare, COUNTERS)
