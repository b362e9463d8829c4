// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Adds BYTES zeros to the state of a CRC-32 (reflected), or with BACK takes them back: one fixed XOR matrix.
 * Where `take` is 0 the state passes as it is.
 */
module qlc_crc32_zeros #
(
    parameter BYTES = 1,
    // 0: adds zeros; 1: takes them back
    parameter BACK = 0
)
(
    input  wire [31:0] from,
    input  wire        take,
    output wire [31:0] to
);

localparam [31:0] POLYNOMIAL = 32'hedb88320;

/*
 * Which bits of the state a bit of the next takes. A state of a single bit is the one of the bit above
 * it a zero bit later, so only the top bit's is passed through all zeros.
 */
function [31:0] taken(input [4:0] state_bit);
    integer i;
    reg [31:0] one;
    begin
        one = 32'h80000000;

        for (i = 0; i < 8*BYTES; i = i + 1) begin
            // The polynomial's top bit is 1, so the state's top bit tells whether it was added
            one = BACK != 0 ? {one[30:0] ^ (one[31] ? POLYNOMIAL[30:0] : 31'd0), one[31]}
                : {1'b0, one[31:1]} ^ (one[0] ? POLYNOMIAL : 32'd0);
        end

        for (i = 31; i >= 0; i = i - 1) begin
            taken[i] = one[state_bit];
            one = {1'b0, one[31:1]} ^ (one[0] ? POLYNOMIAL : 32'd0);
        end
    end
endfunction

genvar b;

generate

    for (b = 0; b < 32; b = b + 1) begin : state_bit
        localparam [31:0] TAKEN = taken(b[4:0]);

        assign to[b] = take ? ^(from & TAKEN) : from[b];
    end

endgenerate

endmodule

`resetall
