"""Runs the registers' bench on both simulators."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.discovery import cocotb_tests

HERE = Path(__file__).parent
MODULE = "qlc_regs.cocotb_qlc_regs"
TESTS = [
    "reset_values",
    "reset_values_again",
    "access_types",
    "only_its_own",
    "unmapped_addresses",
    "byte_addresses",
    "strobes",
    "configuration_ports",
    "names",
    "hardware_fields",
    "status_bits",
    "status_races",
    "counters",
    "atomic_reads",
    "wraps_around",
    "table_window",
    "table_commits",
    "writes_behind_a_commit",
    "histogram_clear",
    "random_traffic",
    "both_directions",
    "one_channel_waits",
    "resets",
    "rate",
]

CONFIGURATIONS = [
    ("icarus", {}),
    ("icarus", {"DECODER": 1, "PREFIX_BITS": 4, "TABLES": 64, "BLOCK_SYMBOLS": 32}),
    ("icarus", {"TABLES": 1, "SYMBOLS": 16, "BLOCK_SYMBOLS": 1024}),
    ("verilator", {}),
    ("verilator", {"DECODER": 1, "PREFIX_BITS": 1, "TABLES": 5}),
]


def test_no_test_is_left_out():
    assert cocotb_tests(HERE / "cocotb_qlc_regs.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_regs(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]):
    environment = {"QLC_REGS_PARAMETERS": json.dumps(parameters)}
    simulate(simulator, "qlc_regs", MODULE, TESTS, parameters=parameters, environment=environment)
