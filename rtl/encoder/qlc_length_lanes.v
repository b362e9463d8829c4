// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC length lanes: finds the length of every class rank of a beat, one cycle later.
 *
 * It is the last length whose first rank is not above the class rank. This takes a comparator for each
 * length but the first.
 */
module qlc_length_lanes #
(
    // Lanes
    parameter SYMBOLS = 32,
    // Lengths of the code
    parameter LENGTHS = 4,
    // Width of a class rank
    parameter CLASS_BITS = 8
)
(
    input  wire                          clk,

    // Lengths in use, before those that are not, with their first class ranks, ascending
    input  wire [LENGTHS-1:0]            used,
    input  wire [LENGTHS*CLASS_BITS-1:0] firsts,
    input  wire [LENGTHS*4-1:0]          code_lengths,

    input  wire                          enable,
    input  wire [SYMBOLS*CLASS_BITS-1:0] s_ranks,
    input  wire [SYMBOLS-1:0]            s_keep,

    // Which of the lengths, one-hot, and how many bits; both 0 without keep
    output wire [SYMBOLS*LENGTHS-1:0]    m_which,
    output wire [SYMBOLS*4-1:0]          m_lengths
);

genvar n, i;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        // The rank has this length or a later one
        wire [LENGTHS:0] reached;

        assign reached[0] = 1'b1;
        assign reached[LENGTHS] = 1'b0;

        for (i = 1; i < LENGTHS; i = i + 1) begin : later
            qlc_at_least #(
                .WIDTH(CLASS_BITS)
            )
            at_least_inst (
                .valid(used[i]),
                .a(s_ranks[CLASS_BITS*n +: CLASS_BITS]),
                .b(firsts[CLASS_BITS*i +: CLASS_BITS]),
                .at_least(reached[i])
            );
        end

        wire [LENGTHS-1:0] which = reached[LENGTHS-1:0] & ~reached[LENGTHS:1];
        reg [3:0] length;

        integer l;

        always @* begin
            length = 0;

            for (l = 0; l < LENGTHS; l = l + 1) begin
                length = length | (code_lengths[4*l +: 4] & {4{which[l]}});
            end
        end

        reg [LENGTHS-1:0] which_reg;
        reg [3:0] length_reg;

        always @(posedge clk) begin
            if (enable) begin
                which_reg <= which & {LENGTHS{s_keep[n]}};
                length_reg <= length & {4{s_keep[n]}};
            end
        end

        assign m_which[LENGTHS*n +: LENGTHS] = which_reg;
        assign m_lengths[4*n +: 4] = length_reg;
    end

endgenerate

// The first length begins at rank 0, and is the only one of LENGTHS 1
wire unused = &{1'b0, used[0], firsts[CLASS_BITS-1:0], s_ranks};

endmodule

`resetall
