// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC rank packer: joins the ranks of words, any number in each, to full chunks.
 *
 *   1        where the word's ranks begin in the chunk; this is the loop
 *   2, 3     rotates them there
 *   4        collects them; what passes the chunk's end begins the next one
 *
 * A chunk is longer than a word's ranks can be: at most one is completed by a word, and none by a
 * packet's first, so that the cycle behind a packet's last word is free for what that one leaves.
 */
module qlc_rank_packer #
(
    // Ranks of a word at most, width of their number
    parameter SLOTS = 86,
    parameter COUNT_BITS = 7,
    // What goes with a packet's last word
    parameter INFO_BITS = 1,
    // Not to be set: ranks of a chunk, width of a place in it
    parameter FILL_BITS = $clog2(SLOTS + 1),
    parameter CHUNK = 1 << FILL_BITS
)
(
    input  wire                  clk,
    input  wire                  rst,

    // Everything moves by one
    input  wire                  advance,

    // Words; ranks from slot 0
    input  wire [8*SLOTS-1:0]    s_ranks,
    input  wire [COUNT_BITS-1:0] s_count,
    input  wire                  s_last,
    input  wire                  s_valid,
    // A cycle later, of the packet
    input  wire [INFO_BITS-1:0]  s_info,

    // Chunks, full but a packet's last one; when valid and all moves
    output wire [8*CHUNK-1:0]    m_ranks,
    output wire [FILL_BITS:0]    m_count,
    output wire                  m_last,
    output wire [INFO_BITS-1:0]  m_info,
    output wire                  m_valid
);

localparam LOW_BITS = FILL_BITS/2;
localparam HIGH_BITS = FILL_BITS - LOW_BITS;

/*
 * 1: where they begin
 */
reg [FILL_BITS-1:0] fill_reg;

wire [FILL_BITS:0] filled = {1'b0, fill_reg} + {{FILL_BITS+1-COUNT_BITS{1'b0}}, s_count};

reg [8*SLOTS-1:0] begin_ranks_reg;
reg [FILL_BITS-1:0] begin_reg;
reg [FILL_BITS:0] begin_filled_reg;
reg begin_last_reg;
reg begin_valid_reg;

always @(posedge clk) begin
    if (advance) begin
        if (s_valid) begin
            fill_reg <= filled[FILL_BITS-1:0] & {FILL_BITS{!s_last}};
        end

        begin_ranks_reg <= s_ranks;
        begin_reg <= fill_reg;
        begin_filled_reg <= filled;
        begin_last_reg <= s_last;
        begin_valid_reg <= s_valid;
    end

    if (rst) begin
        fill_reg <= 0;
        begin_valid_reg <= 1'b0;
    end
end

/*
 * 2, 3: rotate
 */
reg [8*CHUNK-1:0] low_ranks_reg;
reg [FILL_BITS-1:0] low_begin_reg;
reg [FILL_BITS:0] low_filled_reg;
reg [INFO_BITS-1:0] low_info_reg;
reg low_last_reg;
reg low_valid_reg;

reg [8*CHUNK-1:0] high_ranks_reg;
reg [CHUNK-1:0] high_mask_reg;
reg [FILL_BITS:0] high_filled_reg;
reg [INFO_BITS-1:0] high_info_reg;
reg high_last_reg;
reg high_valid_reg;

wire [8*CHUNK-1:0] low_ranks;
wire [8*CHUNK-1:0] low_wrapped;
wire [8*CHUNK-1:0] high_ranks;
wire [8*CHUNK-1:0] high_wrapped;

assign {low_wrapped, low_ranks} =
    {{8*CHUNK{1'b0}}, {8*(CHUNK-SLOTS){1'b0}}, begin_ranks_reg} << {begin_reg[LOW_BITS-1:0], 3'd0};
assign {high_wrapped, high_ranks} =
    {{8*CHUNK{1'b0}}, low_ranks_reg} << {low_begin_reg[FILL_BITS-1 -: HIGH_BITS], {LOW_BITS+3{1'b0}}};

// The chunk's ranks from here on are the word's
wire [CHUNK-1:0] mask = {CHUNK{1'b1}} << low_begin_reg;

always @(posedge clk) begin
    if (advance) begin
        low_ranks_reg <= low_ranks | low_wrapped;
        low_begin_reg <= begin_reg;
        low_filled_reg <= begin_filled_reg;
        low_info_reg <= s_info;
        low_last_reg <= begin_last_reg;
        low_valid_reg <= begin_valid_reg;

        high_ranks_reg <= high_ranks | high_wrapped;
        high_mask_reg <= mask;
        high_filled_reg <= low_filled_reg;
        high_info_reg <= low_info_reg;
        high_last_reg <= low_last_reg;
        high_valid_reg <= low_valid_reg;
    end

    if (rst) begin
        low_valid_reg <= 1'b0;
        high_valid_reg <= 1'b0;
    end
end

/*
 * 4: collect
 */
reg [8*CHUNK-1:0] chunk_reg;
// The chunk holds what a packet's last word left, or nothing of it
reg flush_reg;
reg [FILL_BITS-1:0] flush_count_reg;
reg [INFO_BITS-1:0] flush_info_reg;

wire full = high_valid_reg && high_filled_reg[FILL_BITS];
wire exact = high_filled_reg == CHUNK;
wire [8*CHUNK-1:0] chunk;

genvar k;

generate

    for (k = 0; k < CHUNK; k = k + 1) begin : slot
        assign chunk[8*k +: 8] = high_mask_reg[k] ? high_ranks_reg[8*k +: 8] : chunk_reg[8*k +: 8];
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        if (high_valid_reg) begin
            chunk_reg <= full ? high_ranks_reg : chunk;
        end

        flush_reg <= high_valid_reg && high_last_reg && !exact;
        flush_count_reg <= high_filled_reg[FILL_BITS-1:0];
        flush_info_reg <= high_info_reg;
    end

    if (rst) begin
        flush_reg <= 1'b0;
    end
end

assign m_ranks = flush_reg ? chunk_reg : chunk;
assign m_count = flush_reg ? {1'b0, flush_count_reg} : CHUNK;
assign m_last = flush_reg || high_last_reg && exact;
assign m_info = flush_reg ? flush_info_reg : high_info_reg;
assign m_valid = flush_reg || full;

endmodule

`resetall
