"""A simulation that takes for ever, as what is interrupted."""

from __future__ import annotations

import os
from pathlib import Path

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def sleeps(_: object) -> None:
    """Says which process it is, and goes on."""
    (Path.cwd() / "process").write_text(f"{os.getpid()}\n")
    while True:
        await Timer(1, "us")
