// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC byte decoder: the ranks of the codewords that begin in one byte of a word.
 *
 *   1           the first of them to the front
 *   2, 3, ...   slots: of one codeword its area and extra bits, and the next one to the front
 *   then        their bases and offsets
 *   last        their ranks
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
    // By area: extra bits, for each slot in its cycle; bases, in the cycle behind the slots
    input  wire [4*(1<<PREFIX_BITS)*SLOTS-1:0] extras,
    input  wire [9*(1<<PREFIX_BITS)-1:0] bases,

    // SLOTS + 3 cycles later: ranks, 0 where there is no codeword; the number of good ones; what
    // stopped it, if anything
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
// What is kept of a slot: whether there is a codeword, and if it is complete; tail; area, extra bits,
// and the 8 bits behind the prefix
localparam SLOT_BITS = 4 + PREFIX_BITS + 4 + 8;

/*
 * Align
 */
reg [REST_BITS-1:0] align_rest_reg;
reg [3:0] align_position_reg;
reg [2:0] align_kept_reg;

always @(posedge clk) begin
    if (advance) begin
        align_rest_reg <= bits << entry[2:0];
        align_position_reg <= entry;
        align_kept_reg <= keep;
    end
end

/*
 * Slots
 */
// Before each slot, and after the last: the next codeword and what is behind it, where it begins
wire [REST_BITS*(SLOTS+1)-1:0] rest;
wire [5*(SLOTS+1)-1:0] position;
wire [3*(SLOTS+1)-1:0] kept;
// The slots so far, the latest least significant
wire [SLOT_BITS*SLOTS*(SLOTS+1)-1:0] found;

assign rest[REST_BITS-1:0] = align_rest_reg;
assign position[4:0] = {1'b0, align_position_reg};
assign kept[2:0] = align_kept_reg;
assign found[SLOT_BITS*SLOTS-1:0] = 0;

genvar k;

generate

    for (k = 0; k < SLOTS; k = k + 1) begin : slot
        wire [REST_BITS-1:0] head = rest[REST_BITS*k +: REST_BITS];
        wire [4:0] begins = position[5*k +: 5];
        wire [2:0] have = kept[3*k +: 3];
        wire [SLOT_BITS*SLOTS-1:0] before_slot = found[SLOT_BITS*SLOTS*k +: SLOT_BITS*SLOTS];

        wire [PREFIX_BITS-1:0] area = head[REST_BITS-1 -: PREFIX_BITS];
        wire [3:0] extra = extras[4*AREAS*k + 4*area +: 4];
        wire [7:0] behind = head[REST_BITS-1-PREFIX_BITS -: 8];
        wire [4:0] ends = begins + {1'b0, extra} + PREFIX_BITS[4:0];

        wire here = begins < 8 && have[2];
        wire complete = ends <= 8 || (ends <= 16 ? have[1] : have[0]);

        // Bits of the head that are the byte's
        wire [7:0] of_byte = 8'hff << begins[2:0];
        wire full = begins[2:0] == 0;
        wire ones = (head[REST_BITS-1 -: 8] & of_byte) != 0;

        reg [REST_BITS-1:0] rest_reg;
        reg [4:0] position_reg;
        reg [2:0] kept_reg;
        reg [SLOT_BITS*SLOTS-1:0] found_reg;

        always @(posedge clk) begin
            if (advance) begin
                rest_reg <= head << PREFIX_BITS << extra;
                position_reg <= begins < 8 ? ends : begins;
                kept_reg <= have;
                found_reg <= {
                    before_slot[SLOT_BITS*(SLOTS-1)-1:0],
                    here, complete, full, ones, area, extra, behind
                };
            end
        end

        assign rest[REST_BITS*(k+1) +: REST_BITS] = rest_reg;
        assign position[5*(k+1) +: 5] = position_reg;
        assign kept[3*(k+1) +: 3] = kept_reg;
        assign found[SLOT_BITS*SLOTS*(k+1) +: SLOT_BITS*SLOTS] = found_reg;

        wire unused = &{1'b0, before_slot};
    end

endgenerate

/*
 * Bases and offsets
 */
reg [SLOTS-1:0] based_here_reg;
reg [SLOTS-1:0] based_complete_reg;
reg [SLOTS-1:0] based_full_reg;
reg [SLOTS-1:0] based_ones_reg;
reg [9*SLOTS-1:0] base_reg;
reg [8*SLOTS-1:0] offset_reg;

wire [SLOTS-1:0] is_here;
wire [SLOTS-1:0] is_complete;
wire [SLOTS-1:0] is_full;
wire [SLOTS-1:0] is_ones;
wire [9*SLOTS-1:0] base;
wire [8*SLOTS-1:0] offset;

generate

    for (k = 0; k < SLOTS; k = k + 1) begin : based
        wire [PREFIX_BITS-1:0] area;
        wire [3:0] extra;
        wire [7:0] behind;

        assign {is_here[k], is_complete[k], is_full[k], is_ones[k], area, extra, behind} =
            found[SLOT_BITS*(SLOTS*SLOTS+SLOTS-1-k) +: SLOT_BITS];
        assign base[9*k +: 9] = bases[9*area +: 9];
        assign offset[8*k +: 8] = behind >> (4'd8 - extra);
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        based_here_reg <= is_here;
        based_complete_reg <= is_complete;
        based_full_reg <= is_full;
        based_ones_reg <= is_ones;
        base_reg <= base;
        offset_reg <= offset;
    end
end

/*
 * Ranks
 */
wire [8*SLOTS-1:0] ranks_next;
wire [SLOTS-1:0] is_illegal;

generate

    for (k = 0; k < SLOTS; k = k + 1) begin : rank
        wire [8:0] sum = base_reg[9*k +: 9] + {1'b0, offset_reg[8*k +: 8]};

        assign ranks_next[8*k +: 8] = sum[7:0] & {8{based_here_reg[k]}};
        assign is_illegal[k] = based_here_reg[k] && based_complete_reg[k] && sum[8];
    end

endgenerate

reg [8*SLOTS-1:0] ranks_reg;
reg [SLOTS-1:0] here_reg;
reg [SLOTS-1:0] complete_reg;
reg [SLOTS-1:0] illegal_reg;
reg [SLOTS-1:0] tail_full_reg;
reg [SLOTS-1:0] tail_ones_reg;

always @(posedge clk) begin
    if (advance) begin
        ranks_reg <= ranks_next;
        here_reg <= based_here_reg;
        complete_reg <= based_here_reg & based_complete_reg;
        illegal_reg <= is_illegal;
        tail_full_reg <= based_full_reg;
        tail_ones_reg <= based_ones_reg;
    end
end

function [COUNT_BITS-1:0] count_good(input [SLOTS-1:0] complete, input [SLOTS-1:0] bad);
    integer i;
    reg stopped;
    begin
        count_good = 0;
        stopped = 1'b0;

        for (i = 0; i < SLOTS; i = i + 1) begin
            stopped = stopped || !complete[i] || bad[i];
            count_good = count_good + {{COUNT_BITS-1{1'b0}}, !stopped};
        end
    end
endfunction

assign ranks = ranks_reg;
assign count = count_good(complete_reg, illegal_reg);
assign illegal = illegal_reg != 0;
assign cut = here_reg != complete_reg && !illegal;
assign tail_full = tail_full_reg;
assign tail_ones = tail_ones_reg;

wire unused = &{
    1'b0, rest[REST_BITS*SLOTS +: REST_BITS], position[5*SLOTS +: 5], kept[3*SLOTS +: 3]
};

endmodule

`resetall
