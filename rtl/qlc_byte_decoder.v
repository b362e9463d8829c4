// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC byte decoder: the ranks of the codewords that begin in one byte of a word.
 *
 *   1           the first of them to the front
 *   2, 3, ...   one codeword each, and the next one to the front
 *
 * A codeword that is illegal, or goes past the packet's end, stops it: neither that one nor those
 * behind it count.
 */
module qlc_byte_decoder #
(
    // Prefix bits of the scheme, 1..4
    parameter PREFIX_BITS = 3,
    // Not to be set: codewords that may begin in a byte, width of their count
    parameter SLOTS = (PREFIX_BITS + 7)/PREFIX_BITS,
    parameter COUNT_BITS = $clog2(SLOTS + 1)
)
(
    input  wire                  clk,

    // Everything moves by one
    input  wire                  advance,

    // The byte and what is behind it, first bit most significant; which of the three bytes are the
    // packet's
    input  wire [PREFIX_BITS+14:0] bits,
    input  wire [2:0]            keep,
    // Where the first codeword begins, 8 and more: in another byte
    input  wire [3:0]            entry,
    // Extra bits and bases by area, for each slot in its cycle
    input  wire [4*(1<<PREFIX_BITS)*SLOTS-1:0] extras,
    input  wire [9*(1<<PREFIX_BITS)*SLOTS-1:0] bases,

    // SLOTS + 1 cycles later: ranks, unused ones 0; their number; what stopped it, if anything
    output wire [8*SLOTS-1:0]    ranks,
    output wire [COUNT_BITS-1:0] count,
    output wire                  illegal,
    output wire                  cut,
    // If the packet ended with this byte and a slot's codeword were padding: it is a byte or more;
    // one of its bits is 1
    output wire [SLOTS-1:0]      tail_full,
    output wire [SLOTS-1:0]      tail_ones
);

localparam AREAS = 1 << PREFIX_BITS;
// From the byte's first bit to the end of a codeword that begins at its last bit
localparam REST_BITS = PREFIX_BITS + 15;

// Before each slot, and after the last: the next codeword and what is behind it, where it begins
wire [REST_BITS*(SLOTS+1)-1:0] rest;
wire [5*(SLOTS+1)-1:0] position;
wire [3*(SLOTS+1)-1:0] kept;
wire [8*SLOTS*(SLOTS+1)-1:0] found;
wire [COUNT_BITS*(SLOTS+1)-1:0] number;
wire [SLOTS:0] is_illegal;
wire [SLOTS:0] is_cut;
wire [SLOTS*(SLOTS+1)-1:0] is_full;
wire [SLOTS*(SLOTS+1)-1:0] is_ones;

/*
 * Align
 */
reg [REST_BITS-1:0] align_rest_reg;
reg [3:0] align_position_reg;
reg [2:0] align_kept_reg;

wire [REST_BITS-1:0] aligned = bits << entry[2:0];

always @(posedge clk) begin
    if (advance) begin
        align_rest_reg <= aligned;
        align_position_reg <= entry;
        align_kept_reg <= keep;
    end
end

assign rest[REST_BITS-1:0] = align_rest_reg;
assign position[4:0] = {1'b0, align_position_reg};
assign kept[2:0] = align_kept_reg;
assign found[8*SLOTS-1:0] = 0;
assign number[COUNT_BITS-1:0] = 0;
assign is_illegal[0] = 1'b0;
assign is_cut[0] = 1'b0;
assign is_full[SLOTS-1:0] = 0;
assign is_ones[SLOTS-1:0] = 0;

/*
 * Slots
 */
genvar k;

generate

    for (k = 0; k < SLOTS; k = k + 1) begin : slot
        wire [REST_BITS-1:0] head = rest[REST_BITS*k +: REST_BITS];
        wire [4:0] begins = position[5*k +: 5];
        wire [2:0] have = kept[3*k +: 3];

        wire [PREFIX_BITS-1:0] area = head[REST_BITS-1 -: PREFIX_BITS];
        wire [3:0] extra = extras[4*AREAS*k + 4*area +: 4];
        wire [8:0] base = bases[9*AREAS*k + 9*area +: 9];
        wire [7:0] offset = head[REST_BITS-1-PREFIX_BITS -: 8] >> (4'd8 - extra);
        wire [8:0] rank = base + {1'b0, offset};
        wire [4:0] ends = begins + {1'b0, extra} + PREFIX_BITS[4:0];

        wire here = begins < 8 && have[2] && !is_illegal[k] && !is_cut[k];
        wire complete = ends <= 8 || (ends <= 16 ? have[1] : have[0]);
        wire good = here && complete && !rank[8];

        // Bits of the head that are the byte's
        wire [7:0] of_byte = 8'hff << begins[2:0];

        reg [REST_BITS-1:0] rest_reg;
        reg [4:0] position_reg;
        reg [2:0] kept_reg;
        reg [8*SLOTS-1:0] found_reg;
        reg [COUNT_BITS-1:0] number_reg;
        reg illegal_reg;
        reg cut_reg;
        reg [SLOTS-1:0] full_reg;
        reg [SLOTS-1:0] ones_reg;

        always @(posedge clk) begin
            if (advance) begin
                rest_reg <= head << (extra + PREFIX_BITS[3:0]);
                position_reg <= begins < 8 ? ends : begins;
                kept_reg <= have;
                found_reg <= found[8*SLOTS*k +: 8*SLOTS];
                found_reg[8*k +: 8] <= rank[7:0] & {8{good}};
                number_reg <= number[COUNT_BITS*k +: COUNT_BITS] + {{COUNT_BITS-1{1'b0}}, good};
                illegal_reg <= is_illegal[k] || (here && complete && rank[8]);
                cut_reg <= is_cut[k] || (here && !complete);
                full_reg <= is_full[SLOTS*k +: SLOTS];
                full_reg[k] <= begins[2:0] == 0;
                ones_reg <= is_ones[SLOTS*k +: SLOTS];
                ones_reg[k] <= (head[REST_BITS-1 -: 8] & of_byte) != 0;
            end
        end

        assign rest[REST_BITS*(k+1) +: REST_BITS] = rest_reg;
        assign position[5*(k+1) +: 5] = position_reg;
        assign kept[3*(k+1) +: 3] = kept_reg;
        assign found[8*SLOTS*(k+1) +: 8*SLOTS] = found_reg;
        assign number[COUNT_BITS*(k+1) +: COUNT_BITS] = number_reg;
        assign is_illegal[k+1] = illegal_reg;
        assign is_cut[k+1] = cut_reg;
        assign is_full[SLOTS*(k+1) +: SLOTS] = full_reg;
        assign is_ones[SLOTS*(k+1) +: SLOTS] = ones_reg;
    end

endgenerate

assign ranks = found[8*SLOTS*SLOTS +: 8*SLOTS];
assign count = number[COUNT_BITS*SLOTS +: COUNT_BITS];
assign illegal = is_illegal[SLOTS];
assign cut = is_cut[SLOTS];
assign tail_full = is_full[SLOTS*SLOTS +: SLOTS];
assign tail_ones = is_ones[SLOTS*SLOTS +: SLOTS];

wire unused = &{
    1'b0, rest[REST_BITS*SLOTS +: REST_BITS], position[5*SLOTS +: 5], kept[3*SLOTS +: 3]
};

endmodule

`resetall
