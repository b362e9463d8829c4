"""What it takes to read a codeword of areas and one of free lengths, for ``scripts/study.py``.

Two modules of logic alone, no tables of symbols and no registers, synthesised by Yosys and counted in CMOS
transistors: a size without a cell library, good to compare and for nothing else.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

VERILOG = """
module area_length #(parameter P = 3) (
    input [11:0] bits, input [4*(1<<P)-1:0] extras, output [3:0] length
);
    assign length = extras[4*bits[11 -: P] +: 4];
endmodule

module area_rank #(parameter P = 3) (
    input [11:0] bits, input [4*(1<<P)-1:0] extras, input [8*(1<<P)-1:0] bases, output [7:0] rank
);
    wire [3:0] extra = extras[4*bits[11 -: P] +: 4];
    wire [7:0] base = bases[8*bits[11 -: P] +: 8];
    wire [11:0] after = bits << P;
    wire [11:0] offset = after >> (4'd12 - extra);
    assign rank = base + offset[7:0];
endmodule

module limit_length #(parameter P = 6) (
    input [11:0] bits, input [3*P-1:0] limits, input [15:0] lengths, output [1:0] which, output [3:0] length
);
    wire [P-1:0] head = bits[11 -: P];
    assign which = head >= limits[2*P +: P] ? 2'd3 : head >= limits[P +: P] ? 2'd2
        : head >= limits[0 +: P] ? 2'd1 : 2'd0;
    assign length = lengths[4*which +: 4];
endmodule

module limit_rank #(parameter P = 6) (
    input [11:0] bits, input [3*P-1:0] limits, input [15:0] lengths, input [31:0] adds, output [7:0] rank
);
    wire [1:0] which;
    wire [3:0] length;
    limit_length #(.P(P)) limit_length_inst (
        .bits(bits), .limits(limits), .lengths(lengths), .which(which), .length(length)
    );
    wire [11:0] codeword = bits >> (4'd12 - length);
    assign rank = codeword[7:0] + adds[8*which +: 8];  // first rank - first codeword, modulo 256
endmodule
"""

# Yosys has no command line in its wheel: a command a line.
YOSYS = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in sys.stdin:
    libyosys.run_pass(line.strip(), design)
"""

AREA_BITS = (3, 4, 5)
LIMIT_BITS = (5, 6, 12)
WHAT = ("length", "rank")


def transistors(top: str, bits: int) -> int:
    """The transistors of a module. Raises RuntimeError when Yosys does not tell."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "study_hardware.v"
        source.write_text(VERILOG)
        lines = [
            f"read_verilog {source}",
            f"chparam -set P {bits} {top}",
            f"synth -flatten -top {top}",
            "abc -g cmos4",
            "opt_clean",
            "stat -tech cmos",
        ]
        done = subprocess.run(
            [sys.executable, "-c", YOSYS], input="\n".join(lines), capture_output=True, text=True, check=False
        )
    found = re.findall(r"Estimated number of transistors:\s+(\d+)", done.stdout)
    if done.returncode or not found:
        raise RuntimeError(f"Yosys, {top} of {bits} bits: {(done.stderr or done.stdout).strip()[-200:]}")
    return int(found[-1])


def sizes() -> dict[str, dict[str, int]]:
    """Transistors to tell a codeword's length, and its rank, by the way and the bits it looks at."""
    return {
        way: {f"{bits} {what}": transistors(f"{way}_{what}", bits) for bits in choices for what in WHAT}
        for way, choices in {"area": AREA_BITS, "limit": LIMIT_BITS}.items()
    }
