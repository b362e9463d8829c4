// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC area lanes: the area of every rank of a beat, and with it its codeword's length, one cycle
 * later.
 *
 * A rank's area is the last one that begins at it or before it: a comparator for each area but
 * the first.
 */
module qlc_area_lanes #
(
    // Lanes
    parameter SYMBOLS = 32,
    // Runs of ranks with codewords of the same length
    parameter AREAS = 8,
    // Width of a length
    parameter LENGTH_BITS = 4
)
(
    input  wire                           clk,

    // First rank of each area, ascending, the first one 0; an area without ranks has the next one's, or 256
    input  wire [AREAS*9-1:0]             bases,
    input  wire [AREAS*LENGTH_BITS-1:0]   area_lengths,

    input  wire                           enable,
    input  wire [SYMBOLS*8-1:0]           s_ranks,
    input  wire [SYMBOLS-1:0]             s_keep,

    // Areas are one-hot; a rank without keep becomes 0, without an area, of length 0
    output wire [SYMBOLS*8-1:0]           m_ranks,
    output wire [SYMBOLS*AREAS-1:0]       m_areas,
    output wire [SYMBOLS*LENGTH_BITS-1:0] m_lengths
);

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        wire [7:0] rank = s_ranks[8*n +: 8];

        // The rank is in this area or a later one
        reg [AREAS:0] reached;
        reg [AREAS-1:0] area;
        reg [LENGTH_BITS-1:0] length;

        integer a;

        always @* begin
            reached[0] = 1'b1;
            reached[AREAS] = 1'b0;

            for (a = 1; a < AREAS; a = a + 1) begin
                reached[a] = {1'b0, rank} >= bases[9*a +: 9];
            end

            area = reached[AREAS-1:0] & ~reached[AREAS:1];
            length = 0;

            for (a = 0; a < AREAS; a = a + 1) begin
                length = length | (area_lengths[LENGTH_BITS*a +: LENGTH_BITS] & {LENGTH_BITS{area[a]}});
            end
        end

        reg [7:0] rank_reg;
        reg [AREAS-1:0] area_reg;
        reg [LENGTH_BITS-1:0] length_reg;

        always @(posedge clk) begin
            if (enable) begin
                rank_reg <= rank & {8{s_keep[n]}};
                area_reg <= area & {AREAS{s_keep[n]}};
                length_reg <= length & {LENGTH_BITS{s_keep[n]}};
            end
        end

        assign m_ranks[8*n +: 8] = rank_reg;
        assign m_areas[AREAS*n +: AREAS] = area_reg;
        assign m_lengths[LENGTH_BITS*n +: LENGTH_BITS] = length_reg;
    end

endgenerate

// The first area begins at rank 0
wire unused = &{1'b0, bases[8:0]};

endmodule

`resetall
