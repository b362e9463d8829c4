// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC rank tree: closes the gaps between the ranks of a word's units.
 *
 * Both halves are trees. The upper half's ranks move down to where the lower half's end. A level takes a
 * cycle. Where a unit of the lower half was stopped, the upper half does not count. Ranks behind those that
 * are counted have no meaning.
 */
module qlc_rank_tree #
(
    // A power of two
    parameter UNITS = 16,
    // Bits of a unit
    parameter UNIT_BITS = 16,
    // Shortest codeword
    parameter SHORTEST = 4,
    // Not to be set: codewords that may begin in a unit and in all, width of their counts
    parameter UNIT_SLOTS = (UNIT_BITS + SHORTEST - 1)/SHORTEST,
    parameter UNIT_COUNT_BITS = $clog2(UNIT_SLOTS + 1),
    parameter SLOTS = (UNIT_BITS*UNITS + SHORTEST - 1)/SHORTEST,
    parameter COUNT_BITS = $clog2(SLOTS + 1)
)
(
    input  wire                             clk,

    // Everything moves by one
    input  wire                             advance,

    // By unit: ranks, unused ones 0, their number, what stopped it
    input  wire [8*UNIT_SLOTS*UNITS-1:0]    unit_ranks,
    input  wire [UNIT_COUNT_BITS*UNITS-1:0] unit_counts,
    input  wire [UNITS-1:0]                 unit_illegal,
    input  wire [UNITS-1:0]                 unit_cut,

    // Of all, log2(UNITS) cycles later
    output wire [8*SLOTS-1:0]               ranks,
    output wire [COUNT_BITS-1:0]            count,
    output wire                             illegal,
    output wire                             cut
);

generate

    if (UNITS == 1) begin : leaf
        assign ranks = unit_ranks;
        assign count = unit_counts;
        assign illegal = unit_illegal;
        assign cut = unit_cut;

        wire unused = &{1'b0, clk, advance};
    end else begin : node
        localparam HALF = UNITS/2;
        localparam HALF_SLOTS = (UNIT_BITS*HALF + SHORTEST - 1)/SHORTEST;
        localparam HALF_COUNT_BITS = $clog2(HALF_SLOTS + 1);

        wire [8*HALF_SLOTS-1:0] lower_ranks;
        wire [HALF_COUNT_BITS-1:0] lower_count;
        wire lower_illegal;
        wire lower_cut;
        wire [8*HALF_SLOTS-1:0] upper_ranks;
        wire [HALF_COUNT_BITS-1:0] upper_count;
        wire upper_illegal;
        wire upper_cut;

        qlc_rank_tree #(
            .UNITS(HALF),
            .UNIT_BITS(UNIT_BITS),
            .SHORTEST(SHORTEST)
        )
        lower_inst (
            .clk(clk),
            .advance(advance),
            .unit_ranks(unit_ranks[8*UNIT_SLOTS*HALF-1:0]),
            .unit_counts(unit_counts[UNIT_COUNT_BITS*HALF-1:0]),
            .unit_illegal(unit_illegal[HALF-1:0]),
            .unit_cut(unit_cut[HALF-1:0]),
            .ranks(lower_ranks),
            .count(lower_count),
            .illegal(lower_illegal),
            .cut(lower_cut)
        );

        qlc_rank_tree #(
            .UNITS(HALF),
            .UNIT_BITS(UNIT_BITS),
            .SHORTEST(SHORTEST)
        )
        upper_inst (
            .clk(clk),
            .advance(advance),
            .unit_ranks(unit_ranks[8*UNIT_SLOTS*UNITS-1:8*UNIT_SLOTS*HALF]),
            .unit_counts(unit_counts[UNIT_COUNT_BITS*UNITS-1:UNIT_COUNT_BITS*HALF]),
            .unit_illegal(unit_illegal[UNITS-1:HALF]),
            .unit_cut(unit_cut[UNITS-1:HALF]),
            .ranks(upper_ranks),
            .count(upper_count),
            .illegal(upper_illegal),
            .cut(upper_cut)
        );

        wire [8*SLOTS-1:0] low = {{8*(SLOTS-HALF_SLOTS){1'b0}}, lower_ranks};
        wire [8*SLOTS-1:0] high = {{8*(SLOTS-HALF_SLOTS){1'b0}}, upper_ranks};
        wire stopped = lower_illegal || lower_cut;

        reg [8*SLOTS-1:0] ranks_reg;
        reg [COUNT_BITS-1:0] count_reg;
        reg illegal_reg;
        reg cut_reg;

        always @(posedge clk) begin
            if (advance) begin
                ranks_reg <= low | (high << {lower_count, 3'd0});
                count_reg <= {{COUNT_BITS-HALF_COUNT_BITS{1'b0}}, lower_count}
                    + {{COUNT_BITS-HALF_COUNT_BITS{1'b0}}, upper_count & {HALF_COUNT_BITS{!stopped}}};
                illegal_reg <= stopped ? lower_illegal : upper_illegal;
                cut_reg <= stopped ? lower_cut : upper_cut;
            end
        end

        assign ranks = ranks_reg;
        assign count = count_reg;
        assign illegal = illegal_reg;
        assign cut = cut_reg;
    end

endgenerate

endmodule

`resetall
