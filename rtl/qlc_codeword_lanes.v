// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC codeword lanes: the codeword of every rank of a beat, one cycle later: the rank plus its
 * area's step. A lane without an area passes its rank, so a byte may pass as its own codeword.
 *
 * This is much smaller than to look up whole codewords, since a look-up costs by the bits it gives.
 */
module qlc_codeword_lanes #
(
    // Lanes
    parameter SYMBOLS = 32,
    // Runs of ranks that share a step
    parameter AREAS = 8,
    // Longest codeword
    parameter MAX_LENGTH = 11,
    // Width of a length
    parameter LENGTH_BITS = 4
)
(
    input  wire                           clk,

    // By area, modulo 2^MAX_LENGTH
    input  wire [AREAS*MAX_LENGTH-1:0]    steps,

    input  wire                           enable,
    input  wire [SYMBOLS*8-1:0]           s_ranks,
    // One-hot, or 0
    input  wire [SYMBOLS*AREAS-1:0]       s_areas,
    input  wire [SYMBOLS*LENGTH_BITS-1:0] s_lengths,

    // Right-aligned, 0 above their length
    output wire [SYMBOLS*MAX_LENGTH-1:0]  m_codewords,
    output wire [SYMBOLS*LENGTH_BITS-1:0] m_lengths
);

reg [SYMBOLS*LENGTH_BITS-1:0] lengths_reg;

assign m_lengths = lengths_reg;

always @(posedge clk) begin
    if (enable) begin
        lengths_reg <= s_lengths;
    end
end

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        reg [MAX_LENGTH-1:0] step;

        integer a;

        always @* begin
            step = 0;

            for (a = 0; a < AREAS; a = a + 1) begin
                step = step | (steps[MAX_LENGTH*a +: MAX_LENGTH] & {MAX_LENGTH{s_areas[AREAS*n+a]}});
            end
        end

        reg [MAX_LENGTH-1:0] codeword_reg;

        always @(posedge clk) begin
            if (enable) begin
                codeword_reg <= {{MAX_LENGTH-8{1'b0}}, s_ranks[8*n +: 8]} + step;
            end
        end

        assign m_codewords[MAX_LENGTH*n +: MAX_LENGTH] = codeword_reg;
    end

endgenerate

endmodule

`resetall
