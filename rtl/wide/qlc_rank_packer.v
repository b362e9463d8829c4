// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC rank packer: joins the ranks of words, any number in each, to full chunks.
 *
 *   1, 2     rotates the word's ranks to where they begin in the chunk; meanwhile finds where the next
 *            word's begin, which is the only loop
 *   3        collects them; what passes the chunk's end begins the next one
 *
 * A full chunk is kept until the next rank or the packet's end tells whether it is the last. So a word
 * completes one chunk at most, and a packet's first word none. What a packet's last word leaves goes out in
 * the cycle behind it, which is therefore free.
 *
 * qlc_byte_packer does the same behind a handshake of its own.
 */
module qlc_rank_packer #
(
    // Ranks of a chunk, a power of two, at least 2
    parameter CHUNK = 64,
    // Ranks of a word at most, CHUNK or fewer; width of their number
    parameter SLOTS = 64,
    parameter COUNT_BITS = 7,
    // What goes with a packet's last word
    parameter INFO_BITS = 1,
    // Not to be set: width of a place in a chunk
    parameter FILL_BITS = $clog2(CHUNK)
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

// Bits of a place that the first rotation looks at, and the second
localparam LOW_BITS = FILL_BITS/2;
localparam HIGH_BITS = FILL_BITS - LOW_BITS;
localparam [FILL_BITS+1:0] FULL = CHUNK[FILL_BITS+1:0];

// check configuration
initial begin
    if (CHUNK < 2 || CHUNK != 1 << FILL_BITS || SLOTS > CHUNK) begin
        $error("Error: CHUNK must be a power of two, at least 2 and SLOTS (instance %m)");
        $finish;
    end
end

/*
 * Where the word's ranks begin, 0 to CHUNK, and end
 */
reg [FILL_BITS:0] fill_reg;

wire [FILL_BITS+1:0] s_end = {1'b0, fill_reg} + {{FILL_BITS+2-COUNT_BITS{1'b0}}, s_count};
wire [FILL_BITS+1:0] s_rest = s_end - FULL;
wire s_over = s_end > FULL;
wire [FILL_BITS:0] s_fill = s_over ? s_rest[FILL_BITS:0] : s_end[FILL_BITS:0];

always @(posedge clk) begin
    if (advance && s_valid) begin
        fill_reg <= s_fill & {FILL_BITS+1{!s_last}};
    end

    if (rst) begin
        fill_reg <= 0;
    end
end

/*
 * Rotate, first by the low bits of the place, then by the high ones. Written as AND-OR, so that the
 * decoder of the bits serves all ranks
 */
function [8*CHUNK-1:0] rotate(input [8*CHUNK-1:0] ranks, input [FILL_BITS-1:0] turn, input integer unit,
    input integer turns);
    integer n;
    reg [16*CHUNK-1:0] turned;
    begin
        rotate = 0;

        for (n = 0; n < turns; n = n + 1) begin
            turned = {{8*CHUNK{1'b0}}, ranks} << 8*unit*n;
            rotate = rotate
                | ((turned[8*CHUNK-1:0] | turned[16*CHUNK-1:8*CHUNK]) & {8*CHUNK{turn == n[FILL_BITS-1:0]}});
        end
    end
endfunction

wire [8*CHUNK-1:0] s_padded;

generate

    if (SLOTS < CHUNK) begin : pad
        assign s_padded = {{8*(CHUNK-SLOTS){1'b0}}, s_ranks};
    end else begin : whole
        assign s_padded = s_ranks;
    end

endgenerate

reg [8*CHUNK-1:0] low_ranks_reg;
reg [FILL_BITS:0] low_begin_reg;
reg [FILL_BITS:0] low_fill_reg;
reg low_over_reg;
reg low_last_reg;
reg low_valid_reg;

reg [8*CHUNK-1:0] high_ranks_reg;
reg [CHUNK-1:0] high_mask_reg;
reg [FILL_BITS:0] high_fill_reg;
reg [INFO_BITS-1:0] high_info_reg;
reg high_over_reg;
reg high_last_reg;
reg high_valid_reg;

// The low bits of the place, for the first rotation; the high bits, for the second
wire [FILL_BITS-1:0] s_low;
wire [FILL_BITS-1:0] low_high = {{FILL_BITS-HIGH_BITS{1'b0}}, low_begin_reg[FILL_BITS-1 -: HIGH_BITS]};
// The chunk's places that take the word's ranks, from where the word begins
wire [CHUNK-1:0] mask;

genvar k;

generate

    if (LOW_BITS > 0) begin : low
        assign s_low = {{HIGH_BITS{1'b0}}, fill_reg[LOW_BITS-1:0]};
    end else begin : no_low
        assign s_low = 0;
    end

    for (k = 0; k < CHUNK; k = k + 1) begin : place
        assign mask[k] = low_begin_reg <= k;
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        low_ranks_reg <= rotate(s_padded, s_low, 1, 1 << LOW_BITS);
        low_begin_reg <= fill_reg;
        low_fill_reg <= s_fill;
        low_over_reg <= s_over;
        low_last_reg <= s_last;
        low_valid_reg <= s_valid;

        high_ranks_reg <= rotate(low_ranks_reg, low_high, 1 << LOW_BITS, 1 << HIGH_BITS);
        high_mask_reg <= mask;
        high_fill_reg <= low_fill_reg;
        high_info_reg <= s_info;
        high_over_reg <= low_over_reg;
        high_last_reg <= low_last_reg;
        high_valid_reg <= low_valid_reg;
    end

    if (rst) begin
        low_valid_reg <= 1'b0;
        high_valid_reg <= 1'b0;
    end
end

/*
 * Collect
 */
reg [8*CHUNK-1:0] chunk_reg;
// The chunk is a packet's last one, and goes out with what it holds, which may be nothing
reg flush_reg;
reg [FILL_BITS:0] flush_count_reg;
reg [INFO_BITS-1:0] flush_info_reg;

wire over = high_valid_reg && high_over_reg;
wire [8*CHUNK-1:0] chunk;

generate

    for (k = 0; k < CHUNK; k = k + 1) begin : slot
        assign chunk[8*k +: 8] = high_mask_reg[k] ? high_ranks_reg[8*k +: 8] : chunk_reg[8*k +: 8];
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        if (high_valid_reg) begin
            chunk_reg <= over ? high_ranks_reg : chunk;
        end

        flush_reg <= high_valid_reg && high_last_reg;
        flush_count_reg <= high_fill_reg;
        flush_info_reg <= high_info_reg;
    end

    if (rst) begin
        flush_reg <= 1'b0;
    end
end

assign m_ranks = flush_reg ? chunk_reg : chunk;
assign m_count = flush_reg ? flush_count_reg : FULL[FILL_BITS:0];
assign m_last = flush_reg;
assign m_info = flush_info_reg;
assign m_valid = flush_reg || over;

wire unused = &{1'b0, s_rest[FILL_BITS+1]};

endmodule

`resetall
