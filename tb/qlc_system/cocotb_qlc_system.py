"""Whole tensors through the tops, as packets of blocks."""

from __future__ import annotations

import cocotb
from cocotb.handle import HierarchyObject
from qlc.packet import encode_packet
from qlc_tb.play import play_jobs

COUNTERS = (
    "coded_bytes",
    "blocks_raw",
    "blocks_coded",
    "encoder_cycles",
    "encoder_stalls",
    "decoder_cycles",
    "decoder_out_cycles",
    "decoder_latency",
    "error",
    "unstable",
)


@cocotb.test()
async def packets(dut: HierarchyObject) -> None:
    """Every packet of the job file."""
    await play_jobs(dut, encode_packet, COUNTERS)
