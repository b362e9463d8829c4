// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC codeword lanes: gives the codeword of every symbol of a beat, one cycle later. It is the class rank
 * plus its length's step, then the raw bits. A lane without a length passes what it has, so a byte may
 * pass as its own codeword.
 *
 * Looking up whole codewords would be much larger: the size of a look-up grows with the bits that it gives.
 */
module qlc_codeword_lanes #
(
    // Lanes
    parameter SYMBOLS = 32,
    // Lengths of the code
    parameter LENGTHS = 4,
    // Longest codeword, 8..12
    parameter LONGEST = 12,
    // Low bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0,
    // Not to be set: width of a class rank, of a codeword without raw bits
    parameter CLASS_BITS = 8 - RAW_BITS,
    parameter HIGH_BITS = LONGEST - RAW_BITS
)
(
    input  wire                         clk,

    // By length, modulo 2^HIGH_BITS
    input  wire [LENGTHS*HIGH_BITS-1:0] steps,

    input  wire                         enable,
    // {class rank, raw bits}
    input  wire [SYMBOLS*8-1:0]         s_ranks,
    // One-hot, or 0
    input  wire [SYMBOLS*LENGTHS-1:0]   s_which,

    // Right-aligned, 0 above their length
    output wire [SYMBOLS*LONGEST-1:0]   m_codewords
);

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        wire [CLASS_BITS-1:0] rank = s_ranks[8*n + RAW_BITS +: CLASS_BITS];

        reg [HIGH_BITS-1:0] step;

        integer i;

        always @* begin
            step = 0;

            for (i = 0; i < LENGTHS; i = i + 1) begin
                step = step | (steps[HIGH_BITS*i +: HIGH_BITS] & {HIGH_BITS{s_which[LENGTHS*n+i]}});
            end
        end

        wire [CLASS_BITS:0] low = {1'b0, rank} + {1'b0, step[CLASS_BITS-1:0]};
        wire [HIGH_BITS-1:0] high;

        // Above the rank the sum has only a carry
        if (HIGH_BITS > CLASS_BITS) begin : above
            wire [HIGH_BITS-CLASS_BITS-1:0] top = step[HIGH_BITS-1:CLASS_BITS];
            wire [HIGH_BITS-CLASS_BITS-1:0] top_next = top + 1;

            assign high = {low[CLASS_BITS] ? top_next : top, low[CLASS_BITS-1:0]};
        end else begin : none
            assign high = low[CLASS_BITS-1:0];

            wire unused = &{1'b0, low[CLASS_BITS]};
        end

        reg [HIGH_BITS-1:0] high_reg;

        always @(posedge clk) begin
            if (enable) begin
                high_reg <= high;
            end
        end

        assign m_codewords[LONGEST*n + RAW_BITS +: HIGH_BITS] = high_reg;

        if (RAW_BITS > 0) begin : raw
            reg [RAW_BITS-1:0] raw_reg;

            always @(posedge clk) begin
                if (enable) begin
                    raw_reg <= s_ranks[8*n +: RAW_BITS];
                end
            end

            assign m_codewords[LONGEST*n +: RAW_BITS] = raw_reg;
        end
    end

endgenerate

endmodule

`resetall
