// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block encoder: packets of symbols in, packets of blocks out, each block raw or coded.
 *
 *   map          the packet's bank, when its first beat is taken          qlc_bank_map
 *   fill         symbols into the ring; meanwhile their CRC, and their
 *                size when coded, until the block is full or its packet
 *                ends and the policy decides     qlc_block_buffer, qlc_crc32, qlc_block_policy
 *   blocks       the decided blocks                                        qlc_fifo
 *   code         symbols out of the ring, as codewords or, a cycle later,
 *                as they are                                               qlc_code_banks
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
     * Tables: words {length[3:0], codeword[11:0]} by symbol go into the staging bank; a commit
     * gives it to an id. While busy, both do nothing
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

localparam MAX_LENGTH = PREFIX_BITS + 8;
localparam PACKED_BITS = 512;
localparam COUNT_BITS = $clog2(PACKED_BITS/8 + 1);
localparam BLOCK_BEATS = BLOCK_SYMBOLS/32;
localparam BANK_BITS = $clog2(TABLES + 1);
// Cycles of policy and CRC, from the beat's register on
localparam DECISION_STAGES = 9;
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
    end

    if (rst) begin
        beat_valid_reg <= 1'b0;
    end
end

wire beat_empty = beat_count_reg == 0;
// Beats without symbols take no room
wire ring_write = beat_valid_reg && !beat_empty;
wire ring_read;
wire [255:0] ring_data;

qlc_block_buffer #(
    .WIDTH(256),
    .DEPTH(RING_BEATS)
)
ring_inst (
    .clk(clk),
    .rst(rst),
    .write(ring_write),
    .write_data(beat_data_reg),
    .read(ring_read),
    .read_data(ring_data)
);

wire [31:0] decided_crc;

qlc_crc32 crc32_inst (
    .clk(clk),
    .data(beat_data_reg),
    .count(beat_count_reg),
    .valid(beat_valid_reg),
    .first(beat_block_begin_reg),
    .crc(decided_crc)
);

wire [127:0] size_lengths;
wire code_enable;
wire [BANK_BITS-1:0] code_bank;
wire [32*MAX_LENGTH-1:0] codewords;
wire [127:0] lengths;

qlc_code_banks #(
    .SYMBOLS(32),
    .MAX_LENGTH(MAX_LENGTH),
    .BANKS(TABLES + 1)
)
code_banks_inst (
    .clk(clk),
    .table_we(table_we && !table_busy && !table_addr[8]),
    .table_bank(staging_bank),
    .table_addr(table_addr[7:0]),
    .table_data(table_data),
    .size_bank(beat_bank_reg),
    .size_symbols(beat_data_reg),
    .size_keep(beat_keep_reg & {32{beat_known_reg}}),
    .size_lengths(size_lengths),
    .code_enable(code_enable),
    .code_bank(code_bank),
    .code_symbols(ring_data),
    .codewords(codewords),
    .lengths(lengths)
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
wire [BANK_BITS-1:0] block_bank;
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
assign ring_read = advance && block_valid && !block_empty;

reg read_valid_reg;
reg read_coded_reg;
reg read_block_end_reg;
reg read_packet_last_reg;
reg [31:0] read_keep_reg;
reg [BANK_BITS-1:0] read_bank_reg;
reg [63:0] read_head_reg;
reg [6:0] read_head_length_reg;

wire read_head = read_first && !block_empty;

always @(posedge clk) begin
    if (advance) begin
        read_valid_reg <= block_valid;
    end

    if (advance && block_valid) begin
        read_beat_reg <= read_last ? 7'd0 : read_beat_reg + 1;
        read_coded_reg <= block_header[31];
        read_block_end_reg <= read_last;
        read_packet_last_reg <= read_last && block_packet_last;
        read_bank_reg <= block_bank;
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

assign code_enable = advance && read_valid_reg;
assign code_bank = read_bank_reg;
assign packet_coded = code_enable && read_packet_last_reg;

reg code_valid_reg;
reg code_coded_reg;
reg code_block_end_reg;
reg code_packet_last_reg;
reg [31:0] code_keep_reg;
reg [255:0] code_symbols_reg;
reg [63:0] code_head_reg;
reg [6:0] code_head_length_reg;

always @(posedge clk) begin
    if (advance) begin
        code_valid_reg <= read_valid_reg;
    end

    if (code_enable) begin
        code_coded_reg <= read_coded_reg;
        code_block_end_reg <= read_block_end_reg;
        code_packet_last_reg <= read_packet_last_reg;
        code_keep_reg <= read_keep_reg;
        code_symbols_reg <= ring_data;
        code_head_reg <= read_head_reg;
        code_head_length_reg <= read_head_length_reg;
    end

    if (rst) begin
        code_valid_reg <= 1'b0;
    end
end

/*
 * Send: the codewords, or a raw block's symbols as codewords of 8 bits
 */
reg sent_valid_reg;
reg sent_block_end_reg;
reg sent_packet_last_reg;
reg [32*MAX_LENGTH-1:0] sent_codewords_reg;
reg [127:0] sent_lengths_reg;
reg [63:0] sent_head_reg;
reg [6:0] sent_head_length_reg;

always @(posedge clk) begin
    if (advance) begin
        sent_valid_reg <= code_valid_reg;
    end

    if (advance && code_valid_reg) begin
        sent_block_end_reg <= code_block_end_reg;
        sent_packet_last_reg <= code_packet_last_reg;
        sent_head_reg <= code_head_reg;
        sent_head_length_reg <= code_head_length_reg;

        for (i = 0; i < 32; i = i + 1) begin
            sent_codewords_reg[MAX_LENGTH*i +: MAX_LENGTH] <= {MAX_LENGTH{code_keep_reg[i]}}
                & (code_coded_reg ? codewords[MAX_LENGTH*i +: MAX_LENGTH]
                    : {{MAX_LENGTH-8{1'b0}}, code_symbols_reg[8*i +: 8]});
            sent_lengths_reg[4*i +: 4] <= {4{code_keep_reg[i]}}
                & (code_coded_reg ? lengths[4*i +: 4] : 4'd8);
        end
    end

    if (rst) begin
        sent_valid_reg <= 1'b0;
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
    .codewords(sent_codewords_reg),
    .lengths(sent_lengths_reg),
    .valid(sent_valid_reg),
    .last(sent_packet_last_reg),
    .fill_byte(sent_block_end_reg),
    .head(sent_head_reg),
    .head_length(sent_head_length_reg),
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
    .dtype(cfg_dtype),
    .symbols(beat_data_reg),
    .keep(beat_keep_reg & {32{beat_valid_reg}}),
    .count(ev_special)
);

endmodule

`resetall
