// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block encoder: packets of symbols in, packets of blocks out, each block raw or coded.
 *
 *   map          the packet's bank, when its first beat is taken          qlc_bank_map
 *   rank         every symbol's rank, looked up                           qlc_rank_banks
 *   fill         symbols and ranks into the ring; meanwhile their CRC, and their
 *                size when coded, until the block is full or its packet ends and the
 *                policy decides   qlc_block_buffer, qlc_crc32, qlc_area_lanes, qlc_block_policy
 *   blocks       the decided blocks                                        qlc_fifo
 *   area         of each rank out of the ring, with the codeword's length   qlc_area_lanes
 *   codeword     of rank and area, or the symbol itself                 qlc_codeword_lanes
 *   packer       header, CRC and payload joined                            qlc_packer
 *   sender       takes bursts of long codewords, cuts words into beats     qlc_word_sender
 *
 * One beat is taken every cycle while the output bus can take what the blocks become: the ring
 * holds two blocks, the sender one. s_axis_tready comes from a register.
 *
 * Every beat but a packet's last is full; the last one's bytes are contiguous from byte 0, and
 * tkeep is looked at there only. A packet without any byte, one beat, gives one beat without any
 * byte. The configuration and the table are those of the moment in which the packet's first
 * beat is taken; where its table id (tuser) has no table, the packet goes raw.
 */
module qlc_block_encoder #
(
    // Symbols in a full block, a power of two, 32..4096
    parameter BLOCK_SYMBOLS = 4096,
    // Tables, 1..64; ids from 0
    parameter TABLES = 4,
    // Prefix bits of the longest scheme, 1..4
    parameter PREFIX_BITS = 3
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
     * Tables: word s, the rank of symbol s, and word 256+a, {extra[3:0], base[11:0]} of area a, go
     * into the staging bank; a commit gives it to an id. While busy, both do nothing
     */
    input  wire              table_we,
    input  wire [8:0]        table_addr,
    input  wire [15:0]       table_data,
    input  wire              table_commit,
    input  wire [5:0]        table_id,
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
    input  wire [5:0]        s_axis_tuser,

    /*
     * AXI4-Stream output, packets of blocks
     */
    output wire [255:0]      m_axis_tdata,
    output wire [31:0]       m_axis_tkeep,
    output wire              m_axis_tvalid,
    input  wire              m_axis_tready,
    output wire              m_axis_tlast,

    /*
     * Events, a cycle each: a packet was taken, with so many symbols and special values a beat;
     * a block was decided; so many bytes were sent; a packet with symbols has no table (bit 0)
     */
    output wire              ev_packet,
    output wire [5:0]        ev_symbols,
    output wire [5:0]        ev_special,
    output wire              ev_block_raw,
    output wire              ev_block_coded,
    output wire [5:0]        ev_bytes,
    output wire [7:0]        ev_error
);

localparam AREAS = 1 << PREFIX_BITS;
localparam MAX_LENGTH = PREFIX_BITS + 8;
localparam PACKED_BITS = 512;
localparam COUNT_BITS = $clog2(PACKED_BITS/8 + 1);
localparam BLOCK_BEATS = BLOCK_SYMBOLS/32;
localparam BANK_BITS = $clog2(TABLES + 1);
// Cycles of policy and CRC, from the beat's register on
localparam DECISION_STAGES = 10;
// Cycles from a block's last beat taken to its first beat read: register, decision, FIFO, its register
localparam READ_LAG = DECISION_STAGES + 3;
// Beats: two blocks, and no less than one and what comes until that is read
localparam RING_NEED = BLOCK_BEATS > READ_LAG + 1 ? 2*BLOCK_BEATS : BLOCK_BEATS + READ_LAG + 1;
localparam RING_BEATS = 1 << $clog2(RING_NEED);
localparam RING_BITS = $clog2(RING_BEATS + 1);
// Blocks from their last beat taken to their last beat read: every beat behind a long one may be one
localparam BLOCK_SLOTS = RING_BEATS;
localparam BLOCK_SLOT_BITS = $clog2(BLOCK_SLOTS + 1);
// Packets from first beat taken to last beat coded: those of the blocks, one before, one behind
localparam PACKETS_BITS = $clog2(BLOCK_SLOTS + 3);
// As many bytes as a block has: what codewords longer than 8 bits can put off within two blocks
localparam SENDER_WORDS = BLOCK_SYMBOLS/64 > 4 ? BLOCK_SYMBOLS/64 : 4;

localparam [5:0] BEAT_SYMBOLS = 6'd32;
localparam [6:0] LAST_BEAT = BLOCK_BEATS[6:0] - 7'd1;

// check configuration
initial begin
    if (BLOCK_SYMBOLS < 32 || BLOCK_SYMBOLS > 4096 || BLOCK_SYMBOLS != 1 << $clog2(BLOCK_SYMBOLS)) begin
        $error("Error: BLOCK_SYMBOLS must be a power of two, 32..4096 (instance %m)");
        $finish;
    end

    if (TABLES < 1 || TABLES > 64) begin
        $error("Error: TABLES must be 1..64 (instance %m)");
        $finish;
    end

    if (PREFIX_BITS < 1 || PREFIX_BITS > 4) begin
        $error("Error: PREFIX_BITS must be 1..4 (instance %m)");
        $finish;
    end
end

wire [5:0] last_bytes;
wire [5:0] sent_bytes;

qlc_keep_count last_count_inst (
    .keep(s_axis_tkeep),
    .count(last_bytes)
);

qlc_keep_count sent_count_inst (
    .keep(m_axis_tkeep),
    .count(sent_bytes)
);

/*
 * Input: where blocks and packets begin and end
 */
reg ready_reg;
// The next beat begins a packet; its place in its block; its block is the packet's first
reg packet_first_reg;
reg [6:0] block_beat_reg;
reg block_first_reg;

wire accept = s_axis_tvalid && ready_reg;
wire [31:0] keep = s_axis_tlast ? s_axis_tkeep : {32{1'b1}};
wire accept_block_end = s_axis_tlast || block_beat_reg == LAST_BEAT;

assign s_axis_tready = ready_reg;

always @(posedge clk) begin
    if (accept) begin
        packet_first_reg <= s_axis_tlast;
        block_beat_reg <= accept_block_end ? 7'd0 : block_beat_reg + 1;
        block_first_reg <= s_axis_tlast || (block_first_reg && !accept_block_end);
    end

    if (rst) begin
        packet_first_reg <= 1'b1;
        block_beat_reg <= 0;
        block_first_reg <= 1'b1;
    end
end

/*
 * Map
 */
wire id_known;
wire [BANK_BITS-1:0] id_bank;
wire [BANK_BITS-1:0] staging_bank;
wire packet_coded;

qlc_bank_map #(
    .TABLES(TABLES),
    .PACKETS_BITS(PACKETS_BITS)
)
bank_map_inst (
    .clk(clk),
    .rst(rst),
    .commit(table_commit),
    .commit_id(table_id),
    .busy(table_busy),
    .staging_bank(staging_bank),
    .loaded(table_loaded),
    .id(s_axis_tuser),
    .known(id_known),
    .bank(id_bank),
    .enter(accept && packet_first_reg),
    .leave(packet_coded)
);

/*
 * Fill
 */
reg beat_valid_reg;
reg [255:0] beat_data_reg;
reg [31:0] beat_keep_reg;
reg [5:0] beat_count_reg;
reg beat_block_begin_reg;
reg beat_block_end_reg;
reg beat_block_first_reg;
reg beat_packet_first_reg;
reg beat_packet_last_reg;
// Of the packet
reg [5:0] beat_id_reg;
reg [BANK_BITS-1:0] beat_bank_reg;
reg beat_known_reg;
reg [12:0] beat_min_packet_reg;
reg [12:0] beat_min_saving_reg;
reg [1:0] beat_mode_reg;
reg beat_crc_reg;
reg [2:0] beat_dtype_reg;

integer i;

always @(posedge clk) begin
    beat_valid_reg <= accept;

    if (accept) begin
        for (i = 0; i < 32; i = i + 1) begin
            beat_data_reg[8*i +: 8] <= s_axis_tdata[8*i +: 8] & {8{keep[i]}};
        end

        beat_keep_reg <= keep;
        beat_count_reg <= s_axis_tlast ? last_bytes : BEAT_SYMBOLS;
        beat_block_begin_reg <= block_beat_reg == 0;
        beat_block_end_reg <= accept_block_end;
        beat_block_first_reg <= block_first_reg;
        beat_packet_first_reg <= packet_first_reg;
        beat_packet_last_reg <= s_axis_tlast;
    end

    if (accept && packet_first_reg) begin
        beat_id_reg <= s_axis_tuser;
        beat_bank_reg <= id_bank;
        beat_known_reg <= id_known;
        beat_min_packet_reg <= cfg_min_packet;
        beat_min_saving_reg <= cfg_min_saving;
        beat_mode_reg <= cfg_mode;
        beat_crc_reg <= cfg_crc;
        beat_dtype_reg <= cfg_dtype;
    end

    if (rst) begin
        beat_valid_reg <= 1'b0;
    end
end

wire beat_empty = beat_count_reg == 0;

/*
 * Rank
 */
wire [255:0] ranks;
wire [AREAS*9-1:0] rank_bases;
wire [AREAS*4-1:0] rank_lengths;
wire read_enable;
wire area_enable;
wire [BANK_BITS-1:0] block_bank;
wire [AREAS*9-1:0] code_bases;
wire [AREAS*MAX_LENGTH-1:0] code_steps;
wire [AREAS*4-1:0] code_lengths;

qlc_rank_banks #(
    .SYMBOLS(32),
    .PREFIX_BITS(PREFIX_BITS),
    .BANKS(TABLES + 1)
)
rank_banks_inst (
    .clk(clk),
    .table_we(table_we && !table_busy),
    .table_bank(staging_bank),
    .table_addr(table_addr),
    .table_data(table_data),
    .rank_bank(beat_bank_reg),
    .symbols(beat_data_reg),
    .ranks(ranks),
    .rank_bases(rank_bases),
    .rank_lengths(rank_lengths),
    .code_enable(read_enable),
    .step_enable(area_enable),
    .code_bank(block_bank),
    .code_bases(code_bases),
    .code_steps(code_steps),
    .code_lengths(code_lengths)
);

reg rank_valid_reg;
reg rank_first_reg;
reg [5:0] rank_count_reg;
reg [255:0] rank_symbols_reg;
// Without a table a block has no size
reg [31:0] rank_keep_reg;

always @(posedge clk) begin
    rank_valid_reg <= beat_valid_reg;
    rank_first_reg <= beat_block_begin_reg;
    rank_count_reg <= beat_count_reg;
    rank_symbols_reg <= beat_data_reg;
    rank_keep_reg <= beat_keep_reg & {32{beat_known_reg}};

    if (rst) begin
        rank_valid_reg <= 1'b0;
    end
end

wire [31:0] decided_crc;

qlc_crc32 crc32_inst (
    .clk(clk),
    .data(rank_symbols_reg),
    .count(rank_count_reg),
    .valid(rank_valid_reg),
    .first(rank_first_reg),
    .crc(decided_crc)
);

// Beats without symbols take no room
wire ring_write = rank_valid_reg && rank_count_reg != 0;
wire ring_read;
wire [255:0] ring_ranks;
wire [255:0] ring_symbols;

qlc_block_buffer #(
    .WIDTH(512),
    .DEPTH(RING_BEATS)
)
ring_inst (
    .clk(clk),
    .rst(rst),
    .write(ring_write),
    .write_data({ranks, rank_symbols_reg}),
    .read(ring_read),
    .read_data({ring_ranks, ring_symbols})
);

/*
 * Size
 */
wire [127:0] size_lengths;
wire [255:0] size_ranks;
wire [32*AREAS-1:0] size_areas;
wire unused_size = &{1'b0, size_ranks, size_areas};

qlc_area_lanes #(
    .SYMBOLS(32),
    .AREAS(AREAS)
)
size_lanes_inst (
    .clk(clk),
    .bases(rank_bases),
    .area_lengths(rank_lengths),
    .enable(1'b1),
    .s_ranks(ranks),
    .s_keep(rank_keep_reg),
    .m_ranks(size_ranks),
    .m_areas(size_areas),
    .m_lengths(size_lengths)
);

wire decided;
wire decided_coded;
wire [11:0] decided_symbols_less_1;
wire [11:0] decided_payload_less_1;

qlc_block_policy #(
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS)
)
policy_inst (
    .clk(clk),
    .rst(rst),
    .valid(beat_valid_reg),
    .first(beat_block_begin_reg),
    .last(beat_block_end_reg),
    .count(beat_count_reg),
    .first_block(beat_block_first_reg),
    .known(beat_known_reg),
    .cfg_mode(beat_mode_reg),
    .cfg_min_packet(beat_min_packet_reg),
    .cfg_min_saving(beat_min_saving_reg),
    .lengths(size_lengths),
    .decided(decided),
    .coded(decided_coded),
    .symbols_less_1(decided_symbols_less_1),
    .payload_less_1(decided_payload_less_1)
);

// What else the block needs, beside its decision
localparam SIDE_BITS = 6 + BANK_BITS + 3;

reg [DECISION_STAGES*SIDE_BITS-1:0] side_reg;

wire [5:0] decided_id;
wire [BANK_BITS-1:0] decided_bank;
wire decided_crc_on;
wire decided_packet_last;
wire decided_empty;

assign {decided_id, decided_bank, decided_crc_on, decided_packet_last, decided_empty} =
    side_reg[(DECISION_STAGES-1)*SIDE_BITS +: SIDE_BITS];

always @(posedge clk) begin
    side_reg <= {side_reg[(DECISION_STAGES-1)*SIDE_BITS-1:0],
        beat_id_reg, beat_bank_reg, beat_crc_reg, beat_packet_last_reg, beat_block_begin_reg && beat_empty};
end

/*
 * Blocks
 */
localparam BLOCK_BITS = 32 + 32 + BANK_BITS + 2;

wire [31:0] decided_header = {decided_coded, decided_crc_on, decided_coded ? decided_id : 6'd0,
    decided_symbols_less_1, decided_payload_less_1};

wire block_ready;
wire [BLOCK_BITS-1:0] next_block;
wire next_valid;
wire block_read;

// The block that is read, or comes next
reg [BLOCK_BITS-1:0] block_reg;
reg block_valid_reg;

wire block_load = !block_valid_reg || block_read;

wire block_valid = block_valid_reg;
wire [31:0] block_header;
wire [31:0] block_crc;
wire block_packet_last;
wire block_empty;

assign {block_header, block_crc, block_bank, block_packet_last, block_empty} = block_reg;

qlc_fifo #(
    .WIDTH(BLOCK_BITS),
    .DEPTH(BLOCK_SLOTS)
)
blocks_inst (
    .clk(clk),
    .rst(rst),
    .s_data({decided_header, decided_crc, decided_bank, decided_packet_last, decided_empty}),
    .s_valid(decided),
    .s_ready(block_ready),
    .m_data(next_block),
    .m_valid(next_valid),
    .m_ready(block_load)
);

always @(posedge clk) begin
    if (block_load) begin
        block_reg <= next_block;
        block_valid_reg <= next_valid;
    end

    if (rst) begin
        block_valid_reg <= 1'b0;
    end
end

// There is always room: the input counts
wire unused = block_ready;

/*
 * Room: beats in the ring or on the way, blocks not read
 */
reg [RING_BITS-1:0] ring_beats_reg;
reg [BLOCK_SLOT_BITS-1:0] blocks_reg;

// What is taken in this cycle still fits, what is read in it does not count yet
wire ring_room = ring_beats_reg < RING_BEATS[RING_BITS-1:0] - 1;
wire blocks_room = blocks_reg < BLOCK_SLOTS[BLOCK_SLOT_BITS-1:0] - 1;

always @(posedge clk) begin
    ring_beats_reg <= ring_beats_reg + {{RING_BITS-1{1'b0}}, accept && keep[0]}
        - {{RING_BITS-1{1'b0}}, ring_read};
    blocks_reg <= blocks_reg + {{BLOCK_SLOT_BITS-1{1'b0}}, accept && accept_block_end}
        - {{BLOCK_SLOT_BITS-1{1'b0}}, block_read};
    ready_reg <= ring_room && blocks_room;

    if (rst) begin
        ring_beats_reg <= 0;
        blocks_reg <= 0;
        ready_reg <= 1'b0;
    end
end

/*
 * Code: a beat out of the ring, then its codewords
 */
wire advance;

reg [6:0] read_beat_reg;

wire read_first = read_beat_reg == 0;
wire read_last = block_empty || read_beat_reg == block_header[23:17];

assign block_read = advance && block_valid && read_last;
assign read_enable = advance && block_valid;
assign ring_read = read_enable && !block_empty;

reg read_valid_reg;
reg read_coded_reg;
reg read_block_end_reg;
reg read_packet_last_reg;
reg [31:0] read_keep_reg;
reg [63:0] read_head_reg;
reg [6:0] read_head_length_reg;

wire read_head = read_first && !block_empty;

always @(posedge clk) begin
    if (advance) begin
        read_valid_reg <= block_valid;
    end

    if (read_enable) begin
        read_beat_reg <= read_last ? 7'd0 : read_beat_reg + 1;
        read_coded_reg <= block_header[31];
        read_block_end_reg <= read_last;
        read_packet_last_reg <= read_last && block_packet_last;
        read_head_reg <= !read_head ? 64'd0
            : block_header[30] ? {block_header, block_crc} : {32'd0, block_header};
        read_head_length_reg <= !read_head ? 7'd0 : block_header[30] ? 7'd64 : 7'd32;

        for (i = 0; i < 32; i = i + 1) begin
            read_keep_reg[i] <= !block_empty && (!read_last || block_header[16:12] >= i[4:0]);
        end
    end

    if (rst) begin
        read_beat_reg <= 0;
        read_valid_reg <= 1'b0;
    end
end

assign area_enable = advance && read_valid_reg;
assign packet_coded = area_enable && read_packet_last_reg;

/*
 * Area: of each rank in a coded block; a raw block's symbols are codewords of 8 bits
 */
wire [255:0] area_ranks;
wire [32*AREAS-1:0] areas;
wire [127:0] area_lengths;
wire unused_ranks = &{1'b0, area_ranks};

qlc_area_lanes #(
    .SYMBOLS(32),
    .AREAS(AREAS)
)
area_lanes_inst (
    .clk(clk),
    .bases(code_bases),
    .area_lengths(code_lengths),
    .enable(area_enable),
    .s_ranks(ring_ranks),
    .s_keep(read_keep_reg & {32{read_coded_reg}}),
    .m_ranks(area_ranks),
    .m_areas(areas),
    .m_lengths(area_lengths)
);

reg area_valid_reg;
reg area_block_end_reg;
reg area_packet_last_reg;
// Ranks or symbols
reg [255:0] area_bytes_reg;
reg [31:0] area_raw_reg;
reg [63:0] area_head_reg;
reg [6:0] area_head_length_reg;

always @(posedge clk) begin
    if (advance) begin
        area_valid_reg <= read_valid_reg;
    end

    if (area_enable) begin
        area_block_end_reg <= read_block_end_reg;
        area_packet_last_reg <= read_packet_last_reg;
        area_head_reg <= read_head_reg;
        area_head_length_reg <= read_head_length_reg;

        for (i = 0; i < 32; i = i + 1) begin
            area_bytes_reg[8*i +: 8] <= {8{read_keep_reg[i]}}
                & (read_coded_reg ? ring_ranks[8*i +: 8] : ring_symbols[8*i +: 8]);
            area_raw_reg[i] <= read_keep_reg[i] && !read_coded_reg;
        end
    end

    if (rst) begin
        area_valid_reg <= 1'b0;
    end
end

/*
 * Codeword
 */
reg [127:0] lengths_next;

always @* begin
    for (i = 0; i < 32; i = i + 1) begin
        lengths_next[4*i +: 4] = area_lengths[4*i +: 4] | {area_raw_reg[i], 3'd0};
    end
end

wire [32*MAX_LENGTH-1:0] codewords;
wire [127:0] lengths;

qlc_codeword_lanes #(
    .SYMBOLS(32),
    .AREAS(AREAS),
    .MAX_LENGTH(MAX_LENGTH)
)
codeword_lanes_inst (
    .clk(clk),
    .steps(code_steps),
    .enable(advance && area_valid_reg),
    .s_ranks(area_bytes_reg),
    .s_areas(areas),
    .s_lengths(lengths_next),
    .m_codewords(codewords),
    .m_lengths(lengths)
);

reg code_valid_reg;
reg code_block_end_reg;
reg code_packet_last_reg;
reg [63:0] code_head_reg;
reg [6:0] code_head_length_reg;

always @(posedge clk) begin
    if (advance) begin
        code_valid_reg <= area_valid_reg;
    end

    if (advance && area_valid_reg) begin
        code_block_end_reg <= area_block_end_reg;
        code_packet_last_reg <= area_packet_last_reg;
        code_head_reg <= area_head_reg;
        code_head_length_reg <= area_head_length_reg;
    end

    if (rst) begin
        code_valid_reg <= 1'b0;
    end
end

/*
 * Packer and sender
 */
wire [PACKED_BITS-1:0] packed_word;
wire [COUNT_BITS-1:0] packed_bytes;
wire packed_last;
wire packed_valid;
wire packed_ready;

qlc_packer #(
    .SYMBOLS(32),
    .MAX_LENGTH(MAX_LENGTH),
    .PACKED_BITS(PACKED_BITS),
    .HEAD_BITS(64)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .codewords(codewords),
    .lengths(lengths),
    .valid(code_valid_reg),
    .last(code_packet_last_reg),
    .fill_byte(code_block_end_reg),
    .head(code_head_reg),
    .head_length(code_head_length_reg),
    .advance(advance),
    .packed_word(packed_word),
    .packed_bytes(packed_bytes),
    .packed_last(packed_last),
    .packed_valid(packed_valid),
    .packed_ready(packed_ready)
);

qlc_word_sender #(
    .PACKED_BITS(PACKED_BITS),
    .FIFO_WORDS(SENDER_WORDS)
)
sender_inst (
    .clk(clk),
    .rst(rst),
    .packed_word(packed_word),
    .packed_bytes(packed_bytes),
    .packed_last(packed_last),
    .packed_valid(packed_valid),
    .packed_ready(packed_ready),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast)
);

/*
 * Events
 */
reg ev_packet_reg;
reg [5:0] ev_symbols_reg;
reg ev_block_raw_reg;
reg ev_block_coded_reg;
reg [5:0] ev_bytes_reg;
reg ev_no_table_reg;

assign ev_packet = ev_packet_reg;
assign ev_symbols = ev_symbols_reg;
assign ev_block_raw = ev_block_raw_reg;
assign ev_block_coded = ev_block_coded_reg;
assign ev_bytes = ev_bytes_reg;
assign ev_error = {7'd0, ev_no_table_reg};

always @(posedge clk) begin
    ev_packet_reg <= beat_valid_reg && beat_packet_last_reg;
    ev_symbols_reg <= beat_valid_reg ? beat_count_reg : 6'd0;
    ev_block_raw_reg <= decided && !decided_empty && !decided_coded;
    ev_block_coded_reg <= decided && decided_coded;
    ev_bytes_reg <= m_axis_tvalid && m_axis_tready ? sent_bytes : 6'd0;
    ev_no_table_reg <= beat_valid_reg && beat_packet_first_reg && !beat_empty && !beat_known_reg;

    if (rst) begin
        ev_packet_reg <= 1'b0;
        ev_symbols_reg <= 6'd0;
        ev_block_raw_reg <= 1'b0;
        ev_block_coded_reg <= 1'b0;
        ev_bytes_reg <= 6'd0;
        ev_no_table_reg <= 1'b0;
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
    .keep(beat_keep_reg & {32{beat_valid_reg}}),
    .count(ev_special)
);

endmodule

`resetall
