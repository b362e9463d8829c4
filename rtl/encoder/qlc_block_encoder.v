// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block encoder: packets of symbols in, packets of blocks out, each block raw or coded.
 *
 *   map       which bank holds the table of which id              qlc_bank_map, qlc_staging_guard
 *   framer    marks where the blocks of a packet begin and end    qlc_block_framer
 *   rank      looks up every symbol's class rank                  qlc_rank_banks
 *   decider   learns a block's size when coded, and decides       qlc_block_decider
 *   ring      keeps symbols and class ranks until then            qlc_ring_buffer
 *   blocks    keeps the decided blocks                            qlc_fifo
 *   writer    reads a block, codes it, sends it                   qlc_block_writer
 *
 * One beat is taken every cycle while the output bus can take what the blocks become: the ring
 * holds two blocks, the writer one. s_axis_tready comes from a register. The configuration and the
 * table are those of the moment in which the packet's first beat is taken. Where its table id (tuser)
 * has no table, the packet goes raw.
 *
 * qlc_block_framer says which beats are refused, event partial-beat. The block that was begun is then
 * sent with the symbols before that beat, but not marked as the packet's last. Where none was begun, a
 * header without block is sent (raw, with CRC, 4096 symbols). So every decoder finds that packet
 * truncated. The next packet is as good as any.
 */
module qlc_block_encoder #
(
    // Symbols in a full block, a power of two, 32..4096
    parameter BLOCK_SYMBOLS = 4096,
    // Tables, 1..32; ids from 0
    parameter TABLES = 4,
    // Lengths of a code, 1..12
    parameter LENGTHS = 4,
    // Limits are multiples of 2^(12-KNOWN_BITS), 3..12
    parameter KNOWN_BITS = 6,
    // Bounds of a codeword's length, 1..8 and 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Low bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0
)
(
    input  wire              clk,
    input  wire              rst,

    /*
     * Configuration: modes are 0 policy, 1 all raw, 2 coded wherever that is shorter
     */
    input  wire [12:0]       cfg_min_packet,
    input  wire [12:0]       cfg_min_saving,
    input  wire [1:0]        cfg_mode,
    input  wire              cfg_crc,
    // Which special values are counted, see qlc_special_count
    input  wire [2:0]        cfg_dtype,

    /*
     * Tables: words go into the staging bank, and a commit gives it to an id. Word c is the class rank
     * of class c, word 256+i is {length[3:0], limit[15:0], step[11:0]} of length i. While busy, words
     * and commits are ignored. With a table that the build cannot hold, what is sent has no meaning,
     * but every packet still ends
     */
    input  wire              table_we,
    input  wire [8:0]        table_addr,
    input  wire [31:0]       table_data,
    input  wire              table_commit,
    input  wire [4:0]        table_id,
    output wire              table_busy,
    output wire [TABLES-1:0] table_loaded,

    /*
     * AXI4-Stream input, one symbol a byte; tuser of a packet's first beat is its table id
     */
    input  wire [255:0]      s_axis_tdata,
    input  wire [31:0]       s_axis_tkeep,
    input  wire              s_axis_tvalid,
    output wire              s_axis_tready,
    input  wire              s_axis_tlast,
    input  wire [4:0]        s_axis_tuser,

    /*
     * AXI4-Stream output, packets of blocks
     */
    output wire [255:0]      m_axis_tdata,
    output wire [31:0]       m_axis_tkeep,
    output wire              m_axis_tvalid,
    input  wire              m_axis_tready,
    output wire              m_axis_tlast,

    /*
     * Events, a cycle each: a packet was taken; so many symbols and special values were taken; a
     * block was decided; so many bytes were sent; errors are a packet with symbols and without table
     * (bit 0), and a refused beat (bit 10)
     */
    output wire              ev_packet,
    output wire [5:0]        ev_symbols,
    output wire [5:0]        ev_special,
    output wire              ev_block_raw,
    output wire              ev_block_coded,
    output wire [5:0]        ev_bytes,
    output wire [10:0]       ev_error
);

localparam CLASS_BITS = 8 - RAW_BITS;
localparam HIGH_BITS = LONGEST - RAW_BITS;
localparam BLOCK_BEATS = BLOCK_SYMBOLS/32;
localparam BANKS = TABLES + 1;
localparam BANK_BITS = $clog2(BANKS);
// Cycles of policy and CRC
localparam DECISION_STAGES = 10;
// Cycles from taking a block's last beat to reading its first one: the beat's register, the decision,
// the FIFO of blocks and the writer's register
localparam READ_LAG = DECISION_STAGES + 3;
// Beats in the ring: two blocks; for short ones, a block and what comes until it is read
localparam RING_NEED = BLOCK_BEATS > READ_LAG + 1 ? 2*BLOCK_BEATS : BLOCK_BEATS + READ_LAG + 1;
localparam RING_BEATS = 1 << $clog2(RING_NEED);
// Blocks that are taken whole and not yet read whole. Behind a long one each beat may be a block
localparam BLOCK_SLOTS = RING_BEATS;
// Packets from their first beat taken to their last beat coded: one a block, one whose first block is
// not yet whole, two behind the ring
localparam PACKETS_BITS = $clog2(BLOCK_SLOTS + 4);
// Output beats in the sender: a block's bytes. Two blocks whose codewords are longer than 8 bits cannot
// put off more
localparam SENDER_BEATS = BLOCK_BEATS > 4 ? BLOCK_BEATS : 4;

// check configuration
initial begin
    if (BLOCK_SYMBOLS < 32 || BLOCK_SYMBOLS > 4096 || BLOCK_SYMBOLS != 1 << $clog2(BLOCK_SYMBOLS)) begin
        $error("Error: BLOCK_SYMBOLS must be a power of two, 32..4096 (instance %m)");
        $finish;
    end

    if (TABLES < 1 || TABLES > 32) begin
        $error("Error: TABLES must be 1..32 (instance %m)");
        $finish;
    end

    if (LENGTHS < 1 || LENGTHS > 12 || KNOWN_BITS < 3 || KNOWN_BITS > 12) begin
        $error("Error: LENGTHS must be 1..12, KNOWN_BITS 3..12 (instance %m)");
        $finish;
    end

    if (SHORTEST < 1 || SHORTEST > 8 || LONGEST < 8 || LONGEST > 12) begin
        $error("Error: SHORTEST must be 1..8, LONGEST 8..12 (instance %m)");
        $finish;
    end

    if (RAW_BITS < 0 || RAW_BITS > 3) begin
        $error("Error: RAW_BITS must be 0..3 (instance %m)");
        $finish;
    end
end

/*
 * Map
 */
wire [BANK_BITS-1:0] staging_bank;
wire [TABLES*BANK_BITS-1:0] banks;
wire commit;
wire enter;
wire packet_coded;

qlc_staging_guard #(
    .TABLES(TABLES),
    .PACKETS_BITS(PACKETS_BITS)
)
staging_guard_inst (
    .clk(clk),
    .rst(rst),
    .commit(table_commit),
    .commit_id(table_id),
    .accepted(commit),
    .busy(table_busy),
    .loaded(table_loaded),
    .enter(enter),
    .leave(packet_coded)
);

qlc_bank_map #(
    .TABLES(TABLES)
)
bank_map_inst (
    .clk(clk),
    .rst(rst),
    .commit(commit),
    .commit_id(table_id),
    .staging_bank(staging_bank),
    .loaded(table_loaded),
    .banks(banks)
);

/*
 * Framer
 */
wire beat_valid;
wire [255:0] beat_data;
wire [31:0] beat_keep;
wire [5:0] beat_count;
wire beat_block_begin;
wire beat_block_end;
wire beat_first_block;
wire beat_packet_last;
wire beat_marked;
wire beat_refused;
wire [4:0] beat_id;
wire [BANK_BITS-1:0] beat_bank;
wire beat_known;
wire [12:0] beat_min_packet;
wire [12:0] beat_min_saving;
wire [1:0] beat_mode;
wire beat_crc;
wire ring_read;
wire block_read;

qlc_block_framer #(
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS),
    .TABLES(TABLES),
    .RING_BEATS(RING_BEATS),
    .BLOCK_SLOTS(BLOCK_SLOTS)
)
framer_inst (
    .clk(clk),
    .rst(rst),
    .cfg_min_packet(cfg_min_packet),
    .cfg_min_saving(cfg_min_saving),
    .cfg_mode(cfg_mode),
    .cfg_crc(cfg_crc),
    .cfg_dtype(cfg_dtype),
    .loaded(table_loaded),
    .banks(banks),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tuser(s_axis_tuser),
    .enter(enter),
    .beat_valid(beat_valid),
    .beat_data(beat_data),
    .beat_keep(beat_keep),
    .beat_count(beat_count),
    .beat_block_begin(beat_block_begin),
    .beat_block_end(beat_block_end),
    .beat_first_block(beat_first_block),
    .beat_packet_last(beat_packet_last),
    .beat_marked(beat_marked),
    .beat_refused(beat_refused),
    .beat_id(beat_id),
    .beat_bank(beat_bank),
    .beat_known(beat_known),
    .beat_min_packet(beat_min_packet),
    .beat_min_saving(beat_min_saving),
    .beat_mode(beat_mode),
    .beat_crc(beat_crc),
    .ring_read(ring_read),
    .block_read(block_read),
    .ev_packet(ev_packet),
    .ev_symbols(ev_symbols),
    .ev_special(ev_special),
    .ev_no_table(ev_error[0]),
    .ev_partial_beat(ev_error[10])
);

assign ev_error[9:1] = 9'd0;

/*
 * Rank, and what the writer needs of a bank
 */
wire [32*CLASS_BITS-1:0] ranks;
wire [LENGTHS-1:0] rank_used;
wire [LENGTHS*CLASS_BITS-1:0] rank_firsts;
wire [LENGTHS*4-1:0] rank_lengths;
wire code_enable;
wire step_enable;
wire [BANK_BITS-1:0] code_bank;
wire [LENGTHS-1:0] code_used;
wire [LENGTHS*CLASS_BITS-1:0] code_firsts;
wire [LENGTHS*HIGH_BITS-1:0] code_steps;
wire [LENGTHS*4-1:0] code_lengths;

qlc_rank_banks #(
    .SYMBOLS(32),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .BANKS(BANKS)
)
rank_banks_inst (
    .clk(clk),
    .table_we(table_we && !table_busy),
    .table_bank(staging_bank),
    .table_addr(table_addr),
    .table_data(table_data),
    .rank_bank(beat_bank),
    .symbols(beat_data),
    .ranks(ranks),
    .rank_used(rank_used),
    .rank_firsts(rank_firsts),
    .rank_lengths(rank_lengths),
    .code_enable(code_enable),
    .step_enable(step_enable),
    .code_bank(code_bank),
    .code_used(code_used),
    .code_firsts(code_firsts),
    .code_steps(code_steps),
    .code_lengths(code_lengths)
);

/*
 * Decider
 */
wire filled_write;
wire [32*CLASS_BITS-1:0] filled_ranks;
wire [255:0] filled_symbols;
wire decided;
wire decided_empty;
wire [31:0] decided_header;
wire [31:0] decided_crc;
wire [BANK_BITS-1:0] decided_bank;
wire decided_packet_last;
wire decided_refused;

qlc_block_decider #(
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS),
    .LENGTHS(LENGTHS),
    .RAW_BITS(RAW_BITS),
    .BANKS(BANKS),
    .DECISION_STAGES(DECISION_STAGES)
)
decider_inst (
    .clk(clk),
    .rst(rst),
    .beat_valid(beat_valid),
    .beat_data(beat_data),
    .beat_keep(beat_keep),
    .beat_count(beat_count),
    .beat_block_begin(beat_block_begin),
    .beat_block_end(beat_block_end),
    .beat_first_block(beat_first_block),
    .beat_packet_last(beat_packet_last),
    .beat_marked(beat_marked),
    .beat_refused(beat_refused),
    .beat_id(beat_id),
    .beat_bank(beat_bank),
    .beat_known(beat_known),
    .beat_min_packet(beat_min_packet),
    .beat_min_saving(beat_min_saving),
    .beat_mode(beat_mode),
    .beat_crc(beat_crc),
    .ranks(ranks),
    .rank_used(rank_used),
    .rank_firsts(rank_firsts),
    .rank_lengths(rank_lengths),
    .ring_write(filled_write),
    .ring_ranks(filled_ranks),
    .ring_symbols(filled_symbols),
    .block_valid(decided),
    .block_header(decided_header),
    .block_crc(decided_crc),
    .block_bank(decided_bank),
    .block_packet_last(decided_packet_last),
    .block_empty(decided_empty),
    .block_refused(decided_refused),
    .ev_block_raw(ev_block_raw),
    .ev_block_coded(ev_block_coded)
);

/*
 * Ring and blocks
 */
wire [32*CLASS_BITS-1:0] ring_ranks;
wire [255:0] ring_symbols;

qlc_ring_buffer #(
    .WIDTH(32*CLASS_BITS + 256),
    .DEPTH(RING_BEATS)
)
ring_inst (
    .clk(clk),
    .rst(rst),
    .write(filled_write),
    .write_data({filled_ranks, filled_symbols}),
    .read(ring_read),
    .read_data({ring_ranks, ring_symbols})
);

wire block_room;
wire [31:0] block_header;
wire [31:0] block_crc;
wire [BANK_BITS-1:0] block_bank;
wire block_packet_last;
wire block_empty;
wire block_refused;
wire block_valid;
wire block_ready;

qlc_fifo #(
    .WIDTH(32 + 32 + BANK_BITS + 3),
    .DEPTH(BLOCK_SLOTS)
)
blocks_inst (
    .clk(clk),
    .rst(rst),
    .s_data({decided_header, decided_crc, decided_bank, decided_packet_last, decided_empty,
        decided_refused}),
    .s_valid(decided),
    .s_ready(block_room),
    .m_data({block_header, block_crc, block_bank, block_packet_last, block_empty, block_refused}),
    .m_valid(block_valid),
    .m_ready(block_ready)
);

// The framer counts, so there is always room
wire unused = block_room;

/*
 * Writer
 */
qlc_block_writer #(
    .LENGTHS(LENGTHS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .BANKS(BANKS),
    .SENDER_BEATS(SENDER_BEATS)
)
writer_inst (
    .clk(clk),
    .rst(rst),
    .s_header(block_header),
    .s_crc(block_crc),
    .s_bank(block_bank),
    .s_packet_last(block_packet_last),
    .s_empty(block_empty),
    .s_refused(block_refused),
    .s_valid(block_valid),
    .s_ready(block_ready),
    .ring_read(ring_read),
    .ring_ranks(ring_ranks),
    .ring_symbols(ring_symbols),
    .code_enable(code_enable),
    .step_enable(step_enable),
    .code_bank(code_bank),
    .code_used(code_used),
    .code_firsts(code_firsts),
    .code_steps(code_steps),
    .code_lengths(code_lengths),
    .block_read(block_read),
    .packet_coded(packet_coded),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .ev_bytes(ev_bytes)
);

endmodule

`resetall
