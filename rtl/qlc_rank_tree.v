// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC rank tree: the ranks of a word's bytes without the gaps between them.
 *
 * Both halves are trees; the upper half's ranks move down to where the lower one's end. A cycle a
 * level. Where a half was stopped, those behind it do not count; of the ranks, only as many as
 * are counted mean anything.
 */
module qlc_rank_tree #
(
    // A power of two
    parameter BYTES = 32,
    // Prefix bits of the scheme, 1..4
    parameter PREFIX_BITS = 3,
    // Not to be set: codewords that may begin in a byte and in all, width of their counts
    parameter BYTE_SLOTS = (PREFIX_BITS + 7)/PREFIX_BITS,
    parameter BYTE_COUNT_BITS = $clog2(BYTE_SLOTS + 1),
    parameter SLOTS = (8*BYTES + PREFIX_BITS - 1)/PREFIX_BITS,
    parameter COUNT_BITS = $clog2(SLOTS + 1)
)
(
    input  wire                             clk,

    // Everything moves by one
    input  wire                             advance,

    // By byte: ranks, unused ones 0, their number, what stopped it
    input  wire [8*BYTE_SLOTS*BYTES-1:0]    byte_ranks,
    input  wire [BYTE_COUNT_BITS*BYTES-1:0] byte_counts,
    input  wire [BYTES-1:0]                 byte_illegal,
    input  wire [BYTES-1:0]                 byte_cut,

    // Of all, log2(BYTES) cycles later
    output wire [8*SLOTS-1:0]               ranks,
    output wire [COUNT_BITS-1:0]            count,
    output wire                             illegal,
    output wire                             cut
);

generate

    if (BYTES == 1) begin : leaf
        assign ranks = byte_ranks;
        assign count = byte_counts;
        assign illegal = byte_illegal;
        assign cut = byte_cut;

        wire unused = &{1'b0, clk, advance};
    end else begin : node
        localparam HALF = BYTES/2;
        localparam HALF_SLOTS = (8*HALF + PREFIX_BITS - 1)/PREFIX_BITS;
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
            .BYTES(HALF),
            .PREFIX_BITS(PREFIX_BITS)
        )
        lower_inst (
            .clk(clk),
            .advance(advance),
            .byte_ranks(byte_ranks[8*BYTE_SLOTS*HALF-1:0]),
            .byte_counts(byte_counts[BYTE_COUNT_BITS*HALF-1:0]),
            .byte_illegal(byte_illegal[HALF-1:0]),
            .byte_cut(byte_cut[HALF-1:0]),
            .ranks(lower_ranks),
            .count(lower_count),
            .illegal(lower_illegal),
            .cut(lower_cut)
        );

        qlc_rank_tree #(
            .BYTES(HALF),
            .PREFIX_BITS(PREFIX_BITS)
        )
        upper_inst (
            .clk(clk),
            .advance(advance),
            .byte_ranks(byte_ranks[8*BYTE_SLOTS*BYTES-1:8*BYTE_SLOTS*HALF]),
            .byte_counts(byte_counts[BYTE_COUNT_BITS*BYTES-1:BYTE_COUNT_BITS*HALF]),
            .byte_illegal(byte_illegal[BYTES-1:HALF]),
            .byte_cut(byte_cut[BYTES-1:HALF]),
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
