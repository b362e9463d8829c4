"""Whole tensors through the bare cores."""

from __future__ import annotations

import os

import cocotb
from cocotb.handle import HierarchyObject
from qlc.reference import encode
from qlc_tb.play import play_jobs

COUNTERS = (
    "coded_bytes",
    "encoder_cycles",
    "encoder_stalls",
    "decoder_cycles",
    "decoder_latency",
    "error",
    "unstable",
)


@cocotb.test()
async def packets(dut: HierarchyObject) -> None:
    """Every packet of the job file, with idle and stalled cycles where the environment says so."""
    dut.idle.value = int(os.environ.get("QLC_IDLE", "0"))
    dut.stall.value = int(os.environ.get("QLC_STALL", "0"))
    await play_jobs(dut, encode, COUNTERS)
