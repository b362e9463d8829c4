// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Finds which of a code's lengths a codeword has. Its first bits are compared with the code's limits: the
 * length is the first whose limit is above them, or the last one where they are below no other limit.
 * Combinational.
 *
 * Limits go up. Where they do not, more than one length may be given, but never none.
 */
module qlc_codeword_length #
(
    // Lengths of the code
    parameter LENGTHS = 4,
    // Bits that the limits are compared with
    parameter KNOWN_BITS = 6
)
(
    // The codeword's first bits, the first one most significant
    input  wire [KNOWN_BITS-1:0]             bits,
    // Limits side by side, the first one least significant, each in parts of 2^KNOWN_BITS of the
    // code space. The last one is not looked at
    input  wire [(KNOWN_BITS+1)*LENGTHS-1:0] limits,

    // One-hot
    output wire [LENGTHS-1:0]                is_length
);

// Whether the bits are below the limit. Written out, since FPGA tools make a carry chain of "<"
function below(input [KNOWN_BITS-1:0] value, input [KNOWN_BITS:0] limit);
    // From each bit up, for groups of 1, 2, 4, ... bits: whether they are less than the limit's, and
    // whether they differ. Whole vectors are quick to simulate; synthesis keeps what bit 0 needs
    reg [KNOWN_BITS-1:0] less;
    reg [KNOWN_BITS-1:0] other;
    integer size;
    begin
        less = limit[KNOWN_BITS-1:0] & ~value;
        other = limit[KNOWN_BITS-1:0] ^ value;

        for (size = 1; size < KNOWN_BITS; size = 2*size) begin
            less = less >> size | (less & ~(other >> size));
            other = other | other >> size;
        end

        below = limit[KNOWN_BITS] | less[0];
    end
endfunction

wire [LENGTHS:0] is_below;

genvar i;

generate

    assign is_below[0] = 1'b0;
    assign is_below[LENGTHS] = 1'b1;

    for (i = 1; i < LENGTHS; i = i + 1) begin : length
        assign is_below[i] = below(bits, limits[(KNOWN_BITS+1)*(i-1) +: KNOWN_BITS+1]);
    end

endgenerate

assign is_length = is_below[LENGTHS:1] & ~is_below[LENGTHS-1:0];

wire unused = &{1'b0, bits, limits};

endmodule

`resetall
