// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block framer: takes packets of beats, and marks where their blocks begin and end.
 *
 *   accept   takes, closes or refuses by tkeep and tlast; a packet's first beat brings its table id and
 *            configuration, which hold to its end
 *   hold     keeps the beat until the next one of its packet comes, since only that one tells whether
 *            the packet's last block has been. The packet's last beat goes on at once
 *   room     counts what is between here and the output; s_axis_tready comes from a register
 *
 * A beat without any byte is taken wherever it is, and carries nothing. A packet without any byte gives
 * one beat without any byte.
 *
 * Two kinds of beats are refused: one before the packet's last that is neither full nor empty, and any
 * whose bytes are not contiguous from byte 0. No byte of such a beat is taken, and nothing behind it up
 * to tlast. The block that was begun ends with the symbols before it; it is the packet's last, but not
 * marked so. Where no block was begun, a beat without bytes goes on, marked as refused.
 */
module qlc_block_framer #
(
    // Symbols in a full block, a power of two, 32..4096
    parameter BLOCK_SYMBOLS = 4096,
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Beats that the ring holds, blocks from their last beat taken to their last beat read
    parameter RING_BEATS = 256,
    parameter BLOCK_SLOTS = 256,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(TABLES + 1)
)
(
    input  wire                        clk,
    input  wire                        rst,

    input  wire [12:0]                 cfg_min_packet,
    input  wire [12:0]                 cfg_min_saving,
    input  wire [1:0]                  cfg_mode,
    input  wire                        cfg_crc,
    input  wire [2:0]                  cfg_dtype,

    // See qlc_bank_map
    input  wire [TABLES-1:0]           loaded,
    input  wire [TABLES*BANK_BITS-1:0] banks,

    /*
     * AXI4-Stream input, one symbol a byte; tuser of a packet's first beat is its table id
     */
    input  wire [255:0]                s_axis_tdata,
    input  wire [31:0]                 s_axis_tkeep,
    input  wire                        s_axis_tvalid,
    output wire                        s_axis_tready,
    input  wire                        s_axis_tlast,
    input  wire [4:0]                  s_axis_tuser,

    // A packet's first beat is taken
    output wire                        enter,

    // Beats out: used bytes from byte 0 on, all others 0
    output wire                        beat_valid,
    output wire [255:0]                beat_data,
    output wire [31:0]                 beat_keep,
    output wire [5:0]                  beat_count,
    // The beat is its block's first, its block's last, in its packet's first block
    output wire                        beat_block_begin,
    output wire                        beat_block_end,
    output wire                        beat_first_block,
    // The beat is its packet's last; its block is then to be marked as the packet's last; it stands in
    // for a refused beat, and has no block
    output wire                        beat_packet_last,
    output wire                        beat_marked,
    output wire                        beat_refused,
    // Of the beat's packet; known: its id has a table
    output wire [4:0]                  beat_id,
    output wire [BANK_BITS-1:0]        beat_bank,
    output wire                        beat_known,
    output wire [12:0]                 beat_min_packet,
    output wire [12:0]                 beat_min_saving,
    output wire [1:0]                  beat_mode,
    output wire                        beat_crc,

    // A beat is read from the ring, a block's last beat is read
    input  wire                        ring_read,
    input  wire                        block_read,

    // Events, see qlc_block_encoder
    output wire                        ev_packet,
    output wire [5:0]                  ev_symbols,
    output wire [5:0]                  ev_special,
    output wire                        ev_no_table,
    output wire                        ev_partial_beat
);

localparam BLOCK_BEATS = BLOCK_SYMBOLS/32;
localparam RING_BITS = $clog2(RING_BEATS + 1);
localparam BLOCK_SLOT_BITS = $clog2(BLOCK_SLOTS + 1);
localparam [6:0] LAST_BEAT = BLOCK_BEATS[6:0] - 7'd1;

wire [5:0] taken_bytes;

qlc_keep_count taken_count_inst (
    .keep(s_axis_tkeep),
    .count(taken_bytes)
);

/*
 * Accept
 */
reg ready_reg;
// The next beat begins a packet; what is left of the packet is dropped
reg packet_first_reg;
reg dropping_reg;
// The next beat's place in its block; its block is the packet's first
reg [6:0] block_beat_reg;
reg block_first_reg;

wire accept = s_axis_tvalid && ready_reg;
wire empty = s_axis_tkeep == 0;
wire scattered = (s_axis_tkeep[31:1] & ~s_axis_tkeep[30:0]) != 0;
wire partial = scattered || (!s_axis_tlast && s_axis_tkeep[0] && !s_axis_tkeep[31]);
wire take = accept && !dropping_reg && !partial && !empty;
wire refuse = accept && !dropping_reg && partial;
// An empty beat ends the packet
wire close = accept && !dropping_reg && s_axis_tlast && empty;
wire take_block_end = s_axis_tlast || block_beat_reg == LAST_BEAT;

assign s_axis_tready = ready_reg;
assign enter = accept && packet_first_reg;

/*
 * Hold
 */
// The beat taken last waits for the packet's next. A beat without symbols stands in for a packet that
// has none, and for a refused beat where no block is begun
reg held_reg;
reg held_block_end_reg;
reg held_packet_last_reg;
reg held_refused_reg;

// The held beat waits for the next one of its packet
wire open = held_reg && !held_packet_last_reg;
wire begin_refused = refuse && (!open || held_block_end_reg);
wire hold = take || begin_refused || (close && !open);

assign beat_valid = held_reg && (held_packet_last_reg || take || refuse || close);
assign beat_packet_last = held_packet_last_reg || close || (refuse && !held_block_end_reg);
assign beat_block_end = held_block_end_reg || beat_packet_last;
assign beat_marked = (held_packet_last_reg && !held_refused_reg) || close;
assign beat_refused = held_refused_reg;

always @(posedge clk) begin
    held_reg <= hold || (held_reg && !beat_valid);

    if (hold) begin
        held_block_end_reg <= !take || take_block_end;
        held_packet_last_reg <= !take || s_axis_tlast;
        held_refused_reg <= refuse;
    end

    if (accept) begin
        packet_first_reg <= s_axis_tlast;
        dropping_reg <= (dropping_reg || refuse) && !s_axis_tlast;
    end

    if (take || refuse || close) begin
        block_beat_reg <= !take || take_block_end ? 7'd0 : block_beat_reg + 1;
        block_first_reg <= !take || s_axis_tlast || (block_first_reg && !take_block_end);
    end

    if (rst) begin
        held_reg <= 1'b0;
        packet_first_reg <= 1'b1;
        dropping_reg <= 1'b0;
        block_beat_reg <= 0;
        block_first_reg <= 1'b1;
    end
end

reg [255:0] beat_data_reg;
reg [31:0] beat_keep_reg;
reg [5:0] beat_count_reg;
reg beat_block_begin_reg;
reg beat_block_first_reg;
// Of the packet
reg [4:0] beat_id_reg;
reg [BANK_BITS-1:0] beat_bank_reg;
reg beat_known_reg;
reg [12:0] beat_min_packet_reg;
reg [12:0] beat_min_saving_reg;
reg [1:0] beat_mode_reg;
reg beat_crc_reg;
reg [2:0] beat_dtype_reg;

wire id_known;
wire [BANK_BITS-1:0] id_bank;

qlc_bank_lookup #(
    .TABLES(TABLES)
)
lookup_inst (
    .loaded(loaded),
    .banks(banks),
    .id(s_axis_tuser),
    .known(id_known),
    .bank(id_bank)
);

assign beat_data = beat_data_reg;
assign beat_keep = beat_keep_reg;
assign beat_count = beat_count_reg;
assign beat_block_begin = beat_block_begin_reg;
assign beat_first_block = beat_block_first_reg;
assign beat_id = beat_id_reg;
assign beat_bank = beat_bank_reg;
assign beat_known = beat_known_reg;
assign beat_min_packet = beat_min_packet_reg;
assign beat_min_saving = beat_min_saving_reg;
assign beat_mode = beat_mode_reg;
assign beat_crc = beat_crc_reg;

integer i;

always @(posedge clk) begin
    if (hold) begin
        for (i = 0; i < 32; i = i + 1) begin
            beat_data_reg[8*i +: 8] <= s_axis_tdata[8*i +: 8] & {8{s_axis_tkeep[i] && take}};
        end

        beat_keep_reg <= s_axis_tkeep & {32{take}};
        beat_count_reg <= taken_bytes & {6{take}};
        beat_block_begin_reg <= !take || block_beat_reg == 0;
        beat_block_first_reg <= block_first_reg;
    end

    if (enter) begin
        beat_id_reg <= s_axis_tuser;
        // Bank 0 for all ids without a table
        beat_bank_reg <= id_bank & {BANK_BITS{id_known}};
        beat_known_reg <= id_known;
        beat_min_packet_reg <= cfg_min_packet;
        beat_min_saving_reg <= cfg_min_saving;
        beat_mode_reg <= cfg_mode;
        beat_crc_reg <= cfg_crc;
        beat_dtype_reg <= cfg_dtype;
    end
end

/*
 * Room: beats in the ring or on the way, blocks not read
 */
reg [RING_BITS-1:0] ring_beats_reg;
reg [BLOCK_SLOT_BITS-1:0] blocks_reg;

// The counts are of the cycle before: a beat that is taken in this one must fit, too, and what is read
// in this one is no room yet. The held beat may be one more block
wire ring_room = ring_beats_reg < RING_BEATS[RING_BITS-1:0] - 1;
wire blocks_room = blocks_reg < BLOCK_SLOTS[BLOCK_SLOT_BITS-1:0] - 2;

always @(posedge clk) begin
    ring_beats_reg <= ring_beats_reg + {{RING_BITS-1{1'b0}}, take}
        - {{RING_BITS-1{1'b0}}, ring_read};
    blocks_reg <= blocks_reg + {{BLOCK_SLOT_BITS-1{1'b0}}, beat_valid && beat_block_end}
        - {{BLOCK_SLOT_BITS-1{1'b0}}, block_read};
    ready_reg <= ring_room && blocks_room;

    if (rst) begin
        ring_beats_reg <= 0;
        blocks_reg <= 0;
        ready_reg <= 1'b0;
    end
end

/*
 * Events
 */
reg ev_packet_reg;
reg [5:0] ev_symbols_reg;
reg ev_no_table_reg;
reg ev_partial_beat_reg;

assign ev_packet = ev_packet_reg;
assign ev_symbols = ev_symbols_reg;
assign ev_no_table = ev_no_table_reg;
assign ev_partial_beat = ev_partial_beat_reg;

always @(posedge clk) begin
    ev_packet_reg <= beat_valid && beat_packet_last;
    ev_symbols_reg <= beat_valid ? beat_count_reg : 6'd0;
    ev_no_table_reg <= beat_valid && beat_block_first_reg && beat_block_begin_reg && beat_count_reg != 0
        && !beat_known_reg;
    ev_partial_beat_reg <= refuse;

    if (rst) begin
        ev_packet_reg <= 1'b0;
        ev_symbols_reg <= 6'd0;
        ev_no_table_reg <= 1'b0;
        ev_partial_beat_reg <= 1'b0;
    end
end

qlc_special_count #(
    .SYMBOLS(32)
)
special_count_inst (
    .clk(clk),
    .rst(rst),
    .dtype(beat_dtype_reg),
    .symbols(beat_data_reg),
    .keep(beat_keep_reg & {32{beat_valid}}),
    .count(ev_special)
);

endmodule

`resetall
