"""The latencies in docs/architecture.md are those that the benches assert."""

from __future__ import annotations

import ast

import pytest

from scripts import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text()


def constants(bench: str) -> dict[str, int]:
    """The numbers at the top of a bench."""
    tree = ast.parse((ROOT / "tb" / bench / f"cocotb_{bench}.py").read_text())
    return {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, int)
    }


DECODER = constants("qlc_block_decoder")


@pytest.mark.parametrize(
    ("widths", "wider_out", "part_of_beat"),
    [("8 to 64", False, True), ("128", False, False), ("256, 512", True, False)],
)
def test_latencies_with_words(widths: str, wider_out: bool, part_of_beat: bool) -> None:
    raw = DECODER["WIDE_RAW_LATENCY"] + wider_out
    coded = DECODER["WIDE_CODED_LATENCY"] + part_of_beat
    assert f"| `WORD_BITS` {widths} | {raw} | {coded} + that of the wide decoder |\n" in PAGE


def test_latencies_without_words() -> None:
    assert f"| `WORD_BITS` 0 | {DECODER['RAW_LATENCY']} | {DECODER['CODED_LATENCY']} |\n" in PAGE
    assert f"A CRC adds {DECODER['CRC_LATENCY']} cycles." in PAGE


def test_latencies_of_encoders() -> None:
    core = constants("qlc_encoder_core")["LATENCY"]
    assert f"that beat leaves {core} cycles after" in PAGE
    whole = constants("qlc_block_encoder")["LATENCY"]
    assert f"the beat\nleaves {whole} cycles after" in PAGE
