"""Runs the registers' bench on both simulators."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from qlc_tb.cases import long
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
    "tables_that_do_not_fit",
    "writes_behind_a_commit",
    "histogram_clear",
    "random_traffic",
    "both_directions",
    "one_channel_waits",
    "resets",
    "rate",
]

CONFIGURATIONS = [
    ("icarus", {"DECODER": 1, "RAW_BITS": 3, "SHORTEST": 4, "LONGEST": 11, "TABLES": 32}),
    ("verilator", {}),
    long("verilator", {"DECODER": 1, "LENGTHS": 12, "KNOWN_BITS": 12, "TABLES": 5, "BEAT": 64}),
    long("verilator", {"KNOWN_BITS": 3, "SHORTEST": 3, "TABLES": 1, "BLOCK_SYMBOLS": 32, "BEAT": 16}),
]


def test_no_test_is_left_out() -> None:
    assert cocotb_tests(HERE / "cocotb_qlc_regs.py") == TESTS


@pytest.mark.parametrize(("simulator", "parameters"), CONFIGURATIONS, indirect=["simulator"], ids=str)
def test_regs(simulator: str, parameters: dict[str, int], simulate: Callable[..., Path]) -> None:
    environment = {"QLC_REGS_PARAMETERS": json.dumps(parameters)}
    simulate(simulator, "qlc_regs", MODULE, TESTS, parameters=parameters, environment=environment)
