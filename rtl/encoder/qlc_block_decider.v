// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block decider: decides how each block is sent, raw or coded, while its beats go into the ring.
 *
 *   rank     a beat's class ranks come from outside; both go into the ring
 *   CRC      of the block's symbols                                         qlc_crc32
 *   size     finds the length of each symbol's codeword                     qlc_length_lanes
 *   policy   adds the lengths up, and decides when the block is complete    qlc_block_policy
 *   block    makes the header; what else the block needs waits beside
 */
module qlc_block_decider #
(
    // Symbols in a full block, a power of two, 32..4096
    parameter BLOCK_SYMBOLS = 4096,
    // Bounds of the codes, see qlc_length_steps
    parameter LENGTHS = 4,
    parameter RAW_BITS = 0,
    // Banks of tables
    parameter BANKS = 5,
    // Cycles from a block's last beat to its decision: not a choice, but what policy and CRC take
    parameter DECISION_STAGES = 10,
    // Not to be set: width of a class, of a bank's number
    parameter CLASS_BITS = 8 - RAW_BITS,
    parameter BANK_BITS = $clog2(BANKS)
)
(
    input  wire                          clk,
    input  wire                          rst,

    // Beats in, see qlc_block_framer
    input  wire                          beat_valid,
    input  wire [255:0]                  beat_data,
    input  wire [31:0]                   beat_keep,
    input  wire [5:0]                    beat_count,
    input  wire                          beat_block_begin,
    input  wire                          beat_block_end,
    input  wire                          beat_first_block,
    input  wire                          beat_packet_last,
    input  wire                          beat_marked,
    input  wire                          beat_refused,
    input  wire [4:0]                    beat_id,
    input  wire [BANK_BITS-1:0]          beat_bank,
    input  wire                          beat_known,
    input  wire [12:0]                   beat_min_packet,
    input  wire [12:0]                   beat_min_saving,
    input  wire [1:0]                    beat_mode,
    input  wire                          beat_crc,

    // A cycle later: the beat's class ranks, and the lengths of its table
    input  wire [32*CLASS_BITS-1:0]      ranks,
    input  wire [LENGTHS-1:0]            rank_used,
    input  wire [LENGTHS*CLASS_BITS-1:0] rank_firsts,
    input  wire [LENGTHS*4-1:0]          rank_lengths,

    // Beats into the ring, all that have symbols
    output wire                          ring_write,
    output wire [32*CLASS_BITS-1:0]      ring_ranks,
    output wire [255:0]                  ring_symbols,

    // Decided blocks, with the bank of their table. packet_last: the packet ends here. empty: there are
    // no symbols. refused: it stands in for a refused beat, and only its header is sent
    output wire                          block_valid,
    output wire [31:0]                   block_header,
    output wire [31:0]                   block_crc,
    output wire [BANK_BITS-1:0]          block_bank,
    output wire                          block_packet_last,
    output wire                          block_empty,
    output wire                          block_refused,

    // Events: a block with symbols is decided
    output wire                          ev_block_raw,
    output wire                          ev_block_coded
);

// Raw, with CRC, 4096 symbols, not the last
localparam [31:0] REFUSED_HEADER = 32'h40ffffff;

/*
 * Rank
 */
reg rank_valid_reg;
reg rank_first_reg;
reg [5:0] rank_count_reg;
reg [255:0] rank_symbols_reg;
// Without a table a block has no size
reg [31:0] rank_keep_reg;

always @(posedge clk) begin
    rank_valid_reg <= beat_valid;
    rank_first_reg <= beat_block_begin;
    rank_count_reg <= beat_count;
    rank_symbols_reg <= beat_data;
    rank_keep_reg <= beat_keep & {32{beat_known}};

    if (rst) begin
        rank_valid_reg <= 1'b0;
    end
end

// Beats without symbols take no room
assign ring_write = rank_valid_reg && rank_count_reg != 0;
assign ring_ranks = ranks;
assign ring_symbols = rank_symbols_reg;

/*
 * CRC
 */
qlc_crc32 crc32_inst (
    .clk(clk),
    .data(rank_symbols_reg),
    .count(rank_count_reg),
    .valid(rank_valid_reg),
    .first(rank_first_reg),
    .crc(block_crc)
);

/*
 * Size
 */
wire [127:0] size_lengths;
wire [32*LENGTHS-1:0] size_which;
wire unused_size = &{1'b0, size_which};

qlc_length_lanes #(
    .SYMBOLS(32),
    .LENGTHS(LENGTHS),
    .CLASS_BITS(CLASS_BITS)
)
size_lanes_inst (
    .clk(clk),
    .used(rank_used),
    .firsts(rank_firsts),
    .code_lengths(rank_lengths),
    .enable(1'b1),
    .s_ranks(ranks),
    .s_keep(rank_keep_reg),
    .m_which(size_which),
    .m_lengths(size_lengths)
);

/*
 * Policy
 */
wire coded;
wire [11:0] symbols_less_1;
wire [11:0] payload_less_1;

qlc_block_policy #(
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS)
)
policy_inst (
    .clk(clk),
    .rst(rst),
    .valid(beat_valid),
    .first(beat_block_begin),
    .last(beat_block_end),
    .count(beat_count),
    .first_block(beat_first_block),
    .known(beat_known),
    .cfg_mode(beat_mode),
    .cfg_min_packet(beat_min_packet),
    .cfg_min_saving(beat_min_saving),
    .lengths(size_lengths),
    .decided(block_valid),
    .coded(coded),
    .symbols_less_1(symbols_less_1),
    .payload_less_1(payload_less_1)
);

/*
 * Block
 */
// What else a block needs, until it is decided
localparam SIDE_BITS = 5 + BANK_BITS + 5;

reg [DECISION_STAGES*SIDE_BITS-1:0] side_reg;

wire [4:0] id;
wire crc_on;
wire marked;

assign {id, block_bank, crc_on, block_packet_last, marked, block_empty, block_refused} =
    side_reg[(DECISION_STAGES-1)*SIDE_BITS +: SIDE_BITS];

assign block_header = block_refused ? REFUSED_HEADER
    : {coded, crc_on, marked, coded ? id : 5'd0, symbols_less_1, payload_less_1};

always @(posedge clk) begin
    side_reg <= {side_reg[(DECISION_STAGES-1)*SIDE_BITS-1:0],
        beat_id, beat_bank, beat_crc, beat_packet_last, beat_marked,
        beat_block_begin && beat_count == 0, beat_refused};
end

/*
 * Events
 */
reg ev_block_raw_reg;
reg ev_block_coded_reg;

assign ev_block_raw = ev_block_raw_reg;
assign ev_block_coded = ev_block_coded_reg;

always @(posedge clk) begin
    ev_block_raw_reg <= block_valid && !block_empty && !coded;
    ev_block_coded_reg <= block_valid && coded;

    if (rst) begin
        ev_block_raw_reg <= 1'b0;
        ev_block_coded_reg <= 1'b0;
    end
end

endmodule

`resetall
