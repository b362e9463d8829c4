// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC symbol limit: finds how many of a word's codewords are symbols of the packet, and gives the packet's
 * verdict with its last word.
 *
 *   1  counts down the packet's symbols: the loop
 *   2  finds what was met first in the packet
 *
 * The verdict is 0, or
 *
 *   3  illegal-codeword   bits that are no rank's codeword
 *   4  length-mismatch    the packet ends inside a codeword or before the last symbol, or 8 bits
 *                         or more are left behind it
 *   5  nonzero-padding    a bit behind the last codeword is 1
 *
 * Where codewords are left behind the last symbol, the padding begins at the first of them. That is a
 * length-mismatch, unless it begins in the packet's last unit and less than a byte is left there.
 */
module qlc_symbol_limit #
(
    // Width of the symbol count of a packet
    parameter SYMBOLS_BITS = 13,
    // Width of the count of a word's codewords, at most SYMBOLS_BITS
    parameter COUNT_BITS = 7,
    // Codewords that may begin in a unit, width of their count
    parameter UNIT_SLOTS = 4,
    parameter UNIT_COUNT_BITS = 3
)
(
    input  wire                       clk,
    input  wire                       rst,

    // Everything moves by one
    input  wire                       advance,

    // Words. Of the first: the packet's symbols
    input  wire                       s_valid,
    input  wire                       s_first,
    input  wire                       s_last,
    input  wire [SYMBOLS_BITS-1:0]    s_symbols,
    // Good codewords, and what stopped them, if anything; of the last word: whether that was
    // before the last unit
    input  wire [COUNT_BITS-1:0]      s_count,
    input  wire                       s_illegal,
    input  wire                       s_cut,
    input  wire                       s_early,
    // Of the packet's last unit, as in qlc_unit_decoder
    input  wire [UNIT_COUNT_BITS-1:0] s_tail_count,
    input  wire [UNIT_SLOTS-1:0]      s_tail_full,
    input  wire [UNIT_SLOTS-1:0]      s_tail_ones,

    // A cycle later: how many of the codewords count
    output wire [COUNT_BITS-1:0]      m_count,
    output wire                       m_last,
    output wire                       m_valid,
    // A cycle later than those, of the last word
    output wire [2:0]                 m_error
);

localparam [2:0]
    GOOD = 3'd0,
    ILLEGAL_CODEWORD = 3'd3,
    LENGTH_MISMATCH = 3'd4,
    NONZERO_PADDING = 3'd5;

localparam LEFT_BITS = SYMBOLS_BITS + 1;

/*
 * Symbols left, before the word and behind it
 */
reg [LEFT_BITS-1:0] left_reg;

wire [LEFT_BITS-1:0] left = s_first ? {1'b0, s_symbols} : left_reg;
wire [LEFT_BITS-1:0] rest = left - {{LEFT_BITS-COUNT_BITS{1'b0}}, s_count};
// More codewords than symbols left
wire over = rest[LEFT_BITS-1];

reg taken_valid_reg;
reg [COUNT_BITS-1:0] taken_reg;
reg taken_first_reg;
reg taken_last_reg;
reg [LEFT_BITS-1:0] taken_rest_reg;
reg taken_illegal_reg;
reg taken_cut_reg;
reg taken_early_reg;
reg [UNIT_COUNT_BITS-1:0] tail_count_reg;
reg [UNIT_SLOTS-1:0] tail_full_reg;
reg [UNIT_SLOTS-1:0] tail_ones_reg;

assign m_count = taken_reg;
assign m_last = taken_last_reg;
assign m_valid = taken_valid_reg;

always @(posedge clk) begin
    if (advance) begin
        if (s_valid) begin
            // An illegal codeword is the end
            left_reg <= rest & {LEFT_BITS{!over && !s_illegal}};
        end

        taken_valid_reg <= s_valid;
        taken_reg <= over ? left[COUNT_BITS-1:0] : s_count;
        taken_first_reg <= s_first;
        taken_last_reg <= s_last;
        taken_rest_reg <= rest;
        taken_illegal_reg <= s_illegal;
        taken_cut_reg <= s_cut;
        taken_early_reg <= s_early;
        tail_count_reg <= s_tail_count;
        tail_full_reg <= s_tail_full;
        tail_ones_reg <= s_tail_ones;
    end

    if (rst) begin
        taken_valid_reg <= 1'b0;
    end
end

/*
 * Error
 */
wire taken_over = taken_rest_reg[LEFT_BITS-1];
wire none_left = taken_rest_reg == 0;
// Symbols are left that have no codeword; codewords are left over
wire missing = !none_left && !taken_over;
wire left_over = taken_over || (none_left && (taken_illegal_reg || taken_cut_reg));
// The last unit's slot of the first codeword left over: the unit's good codewords less those left over
wire [LEFT_BITS-1:0] tail = taken_rest_reg + {{LEFT_BITS-UNIT_COUNT_BITS{1'b0}}, tail_count_reg};
// The first codeword left over is not in the last unit
wire far = !taken_last_reg || taken_early_reg || tail[LEFT_BITS-1];

function pick(input [UNIT_COUNT_BITS-1:0] slot, input [UNIT_SLOTS-1:0] flags);
    integer i;
    begin
        pick = 1'b0;

        for (i = 0; i < UNIT_SLOTS; i = i + 1) begin
            pick = pick | (flags[i] && slot == i[UNIT_COUNT_BITS-1:0]);
        end
    end
endfunction

wire [UNIT_COUNT_BITS-1:0] tail_slot = tail[UNIT_COUNT_BITS-1:0];

wire [2:0] word_error =
    missing && taken_illegal_reg ? ILLEGAL_CODEWORD
    : missing && taken_last_reg ? LENGTH_MISMATCH
    : !left_over ? GOOD
    : far || pick(tail_slot, tail_full_reg) ? LENGTH_MISMATCH
    : pick(tail_slot, tail_ones_reg) ? NONZERO_PADDING : GOOD;

reg [2:0] error_reg;

assign m_error = error_reg;

always @(posedge clk) begin
    if (advance && taken_valid_reg && (taken_first_reg || error_reg == GOOD)) begin
        error_reg <= word_error;
    end
end

endmodule

`resetall
