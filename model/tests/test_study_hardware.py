"""The modules whose size the study compares read every codeword right; needs Icarus Verilog."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from qlc.free_lengths import free_quad_lengths
from qlc.scheme import PRESETS

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import study_hardware  # noqa: E402, needs the path

COUNTS = np.sort(np.random.default_rng(1).geometric(0.02, size=256))[::-1]

needs_icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


def packed(values, width):
    """A Verilog constant with value i at bit i * width."""
    word = sum(int(value) % (1 << width) << (i * width) for i, value in enumerate(values))
    return f"{len(values) * width}'h{word:x}"


def play(folder, kind, bits, ports, rank_ports, codewords, lengths):
    """Lengths and ranks that the modules read at each codeword, followed by random bits."""
    rng = np.random.default_rng(2)
    words = [
        (int(c) << (12 - int(n))) | int(rng.integers(1 << (12 - int(n))))
        for c, n in zip(codewords, lengths, strict=True)
    ]
    which = "wire [1:0] which;" if kind == "limit" else ""
    which_port = ".which(which)," if kind == "limit" else ""
    plays = "\n".join(f'bits = 12\'d{word}; #1 $display("%d %d", length, rank);' for word in words)
    bench = f"""
module bench;
    reg [11:0] bits; wire [3:0] length; wire [7:0] rank; {which}
    {kind}_length #(.P({bits})) a (.bits(bits), {ports}, {which_port} .length(length));
    {kind}_rank #(.P({bits})) b (.bits(bits), {ports}, {rank_ports}, .rank(rank));
    initial begin
        {plays}
    end
endmodule
"""
    source = folder / "bench.v"
    source.write_text(study_hardware.VERILOG + bench)
    subprocess.run(["iverilog", "-g2005", "-s", "bench", "-o", folder / "bench", source], check=True)
    said = subprocess.run(["vvp", folder / "bench"], check=True, capture_output=True, text=True).stdout
    return np.array([line.split() for line in said.splitlines()], dtype=int).T


@needs_icarus
@pytest.mark.parametrize("name", ["table1", "quad16"])
def test_areas(tmp_path, name):
    scheme = PRESETS[name]
    ports = f".extras({packed(scheme.extra_bits, 4)})"
    bases = f".bases({packed(scheme.base, 8)})"
    extra, rank = play(tmp_path, "area", scheme.prefix_bits, ports, bases, scheme.codewords, scheme.lengths)
    assert np.array_equal(extra + scheme.prefix_bits, scheme.lengths)
    assert np.array_equal(rank, np.arange(256))


@needs_icarus
@pytest.mark.parametrize("known_from", [5, 6, 12])
def test_free_lengths(tmp_path, known_from):
    lengths = free_quad_lengths(COUNTS, known_from=known_from)
    starts = np.concatenate(([0], np.cumsum(1 << (12 - lengths))))[:-1]  # canonical, in 2^-12
    used, first_rank = np.unique(lengths, return_index=True)
    assert len(used) == 4
    limits = starts[first_rank[1:]] >> (12 - known_from)
    first_codeword = starts[first_rank] >> (12 - used)
    ports = f".limits({packed(limits, known_from)}), .lengths({packed(used, 4)})"
    adds = f".adds({packed(first_rank - first_codeword, 8)})"
    length, rank = play(tmp_path, "limit", known_from, ports, adds, starts >> (12 - lengths), lengths)
    assert np.array_equal(length, lengths)
    assert np.array_equal(rank, np.arange(256))


def test_more_bits_take_more_logic():
    pytest.importorskip("pyosys")
    small, large = (study_hardware.transistors("area_length", bits) for bits in (3, 4))
    assert 0 < small < large
