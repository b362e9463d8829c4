// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC symbol limit: how many of a word's codewords are symbols of the packet, and the packet's
 * verdict with its last word.
 *
 *   1  codewords before the word's last byte
 *   2  what is left of the packet's symbols; this is the loop
 *   3  what was met first in the packet
 *
 *   3  illegal-codeword   an offset past the end of its area
 *   4  length-mismatch    the packet ends inside a codeword or before the last symbol, or 8 bits
 *                         or more are left behind it
 *   5  nonzero-padding    a bit behind the last codeword is 1
 *
 * Where codewords are left behind the last symbol, their first is where the padding begins: a
 * length-mismatch unless that is in the packet's last byte.
 */
module qlc_symbol_limit #
(
    // Width of the symbol count of a packet
    parameter SYMBOLS_BITS = 13,
    // Width of the count of a word's codewords, at most SYMBOLS_BITS
    parameter COUNT_BITS = 7,
    // Codewords that may begin in a byte, width of their count
    parameter BYTE_SLOTS = 3,
    parameter BYTE_COUNT_BITS = 2
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
    // before the last byte
    input  wire [COUNT_BITS-1:0]      s_count,
    input  wire                       s_illegal,
    input  wire                       s_cut,
    input  wire                       s_early,
    // Of the packet's last byte, as in qlc_byte_decoder
    input  wire [BYTE_COUNT_BITS-1:0] s_tail_count,
    input  wire [BYTE_SLOTS-1:0]      s_tail_full,
    input  wire [BYTE_SLOTS-1:0]      s_tail_ones,

    // 2 cycles later: how many of the codewords count
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
 * 1: codewords before the last byte
 */
reg valid_reg;
reg first_reg;
reg last_reg;
reg [LEFT_BITS-1:0] symbols_reg;
reg [LEFT_BITS-1:0] count_reg;
reg [LEFT_BITS-1:0] before_reg;
reg illegal_reg;
reg cut_reg;
reg early_reg;
reg [BYTE_SLOTS-1:0] tail_full_reg;
reg [BYTE_SLOTS-1:0] tail_ones_reg;

wire [COUNT_BITS-1:0] earlier =
    s_count - {{COUNT_BITS-BYTE_COUNT_BITS{1'b0}}, s_tail_count & {BYTE_COUNT_BITS{!s_early}}};

always @(posedge clk) begin
    if (advance) begin
        valid_reg <= s_valid;
        first_reg <= s_first;
        last_reg <= s_last;
        symbols_reg <= {1'b0, s_symbols};
        count_reg <= {{LEFT_BITS-COUNT_BITS{1'b0}}, s_count};
        before_reg <= {{LEFT_BITS-COUNT_BITS{1'b0}}, earlier};
        illegal_reg <= s_illegal;
        cut_reg <= s_cut;
        early_reg <= s_early;
        tail_full_reg <= s_tail_full;
        tail_ones_reg <= s_tail_ones;
    end

    if (rst) begin
        valid_reg <= 1'b0;
    end
end

/*
 * 2: symbols left, before the word and behind it
 */
reg [LEFT_BITS-1:0] left_reg;

wire [LEFT_BITS-1:0] left = first_reg ? symbols_reg : left_reg;
wire [LEFT_BITS-1:0] rest = left - count_reg;
wire [LEFT_BITS-1:0] tail = left - before_reg;
// More codewords than symbols left
wire over = rest[LEFT_BITS-1];

reg taken_valid_reg;
reg [COUNT_BITS-1:0] taken_reg;
reg taken_first_reg;
reg taken_last_reg;
reg taken_over_reg;
reg taken_rest_reg;
reg taken_illegal_reg;
reg taken_cut_reg;
reg taken_early_reg;
reg [LEFT_BITS-1:0] taken_tail_reg;
reg [BYTE_SLOTS-1:0] taken_full_reg;
reg [BYTE_SLOTS-1:0] taken_ones_reg;

assign m_count = taken_reg;
assign m_last = taken_last_reg;
assign m_valid = taken_valid_reg;

always @(posedge clk) begin
    if (advance) begin
        if (valid_reg) begin
            // An illegal codeword is the end
            left_reg <= rest & {LEFT_BITS{!over && !illegal_reg}};
        end

        taken_valid_reg <= valid_reg;
        taken_reg <= over ? left[COUNT_BITS-1:0] : count_reg[COUNT_BITS-1:0];
        taken_first_reg <= first_reg;
        taken_last_reg <= last_reg;
        taken_over_reg <= over;
        taken_rest_reg <= rest != 0;
        taken_illegal_reg <= illegal_reg;
        taken_cut_reg <= cut_reg;
        taken_early_reg <= early_reg;
        taken_tail_reg <= tail;
        taken_full_reg <= tail_full_reg;
        taken_ones_reg <= tail_ones_reg;
    end

    if (rst) begin
        taken_valid_reg <= 1'b0;
    end
end

/*
 * 3: error
 */
// Codewords are missing; are left
wire missing = taken_rest_reg && !taken_over_reg;
wire left_over = taken_over_reg || (!taken_rest_reg && (taken_illegal_reg || taken_cut_reg));
// The first of those is not in the last byte
wire far = !taken_last_reg || taken_early_reg || taken_tail_reg[LEFT_BITS-1];

function pick(input [BYTE_COUNT_BITS-1:0] slot, input [BYTE_SLOTS-1:0] flags);
    integer i;
    begin
        pick = 1'b0;

        for (i = 0; i < BYTE_SLOTS; i = i + 1) begin
            pick = pick | (flags[i] && slot == i[BYTE_COUNT_BITS-1:0]);
        end
    end
endfunction

// The last byte's slot in which it begins
wire [BYTE_COUNT_BITS-1:0] taken_tail = taken_tail_reg[BYTE_COUNT_BITS-1:0];

wire [2:0] word_error =
    missing && taken_illegal_reg ? ILLEGAL_CODEWORD
    : missing && taken_last_reg ? LENGTH_MISMATCH
    : !left_over ? GOOD
    : far || pick(taken_tail, taken_full_reg) ? LENGTH_MISMATCH
    : pick(taken_tail, taken_ones_reg) ? NONZERO_PADDING : GOOD;

reg [2:0] error_reg;

assign m_error = error_reg;

always @(posedge clk) begin
    if (advance && taken_valid_reg && (taken_first_reg || error_reg == GOOD)) begin
        error_reg <= word_error;
    end
end

endmodule

`resetall
