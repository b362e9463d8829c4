// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block encoder: packets of symbols in, packets of blocks out, each block raw or coded.
 *
 *   map          the packet's bank, when its first beat is taken          qlc_bank_map
 *   rank         every symbol's class rank, looked up                     qlc_rank_banks
 *   fill         symbols and class ranks into the ring; meanwhile their CRC, and their
 *                size when coded, until the block is full or its packet ends and the
 *                policy decides   qlc_block_buffer, qlc_crc32, qlc_length_lanes, qlc_block_policy
 *   blocks       the decided blocks                                        qlc_fifo
 *   length       of each class rank out of the ring                        qlc_length_lanes
 *   codeword     of class rank and length, or the symbol itself           qlc_codeword_lanes
 *   packer       header, CRC and payload joined                            qlc_codeword_packer
 *   sender       takes bursts of long codewords, gives output beats        qlc_beat_sender
 *
 * One beat is taken every cycle while the output bus can take what the blocks become: the ring
 * holds two blocks, the sender one. s_axis_tready comes from a register. The configuration and the
 * table are those of the moment in which the packet's first beat is taken; where its table id
 * (tuser) has no table, the packet goes raw.
 *
 * A beat goes on when the next one of its packet comes, since only that tells whether the packet's last
 * block has been; the packet's last beat goes on at once.
 *
 * Beats with holes: a beat without any byte is taken wherever it is, and carries nothing; a packet
 * without any byte gives one beat without any byte. A beat before the packet's last that is neither
 * full nor empty, and any beat whose bytes are not contiguous from byte 0, is refused: event
 * partial-beat. No byte of it, and nothing behind it up to tlast, is taken. The block that was
 * begun is sent with the symbols before it, but not marked as the packet's last; where none was begun, a
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
     * Tables: word c, the class rank of class c, and word 256+i, {length[3:0], limit[15:0],
     * step[11:0]} of length i, go into the staging bank; a commit gives it to an id. While busy, both
     * do nothing. With a table that the build cannot hold, what is sent has no meaning, but every
     * packet still ends
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
     * Events, a cycle each: a packet was taken, with so many symbols and special values a beat;
     * a block was decided; so many bytes were sent; a packet with symbols has no table (bit 0), a
     * beat was refused (bit 10)
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
// Packets from first beat taken to last beat coded: those of the blocks, one before, two behind
localparam PACKETS_BITS = $clog2(BLOCK_SLOTS + 4);
// As many bytes as a block has: what codewords longer than 8 bits can put off within two blocks
localparam SENDER_BEATS = BLOCK_BEATS > 4 ? BLOCK_BEATS : 4;

// Raw, with CRC, 4096 symbols, not the last
localparam [31:0] REFUSED_HEADER = 32'h40ffffff;
localparam [6:0] LAST_BEAT = BLOCK_BEATS[6:0] - 7'd1;

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

wire [5:0] taken_bytes;
wire [5:0] sent_bytes;

qlc_keep_count taken_count_inst (
    .keep(s_axis_tkeep),
    .count(taken_bytes)
);

qlc_keep_count sent_count_inst (
    .keep(m_axis_tkeep),
    .count(sent_bytes)
);

/*
 * Input: where blocks and packets begin and end
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

// The beat taken last, which waits for the packet's next; in its place one without symbols, of a
// packet without any, or that is refused where no block is begun
reg held_reg;
reg held_block_end_reg;
reg held_packet_last_reg;
reg held_refused_reg;

// A packet whose next beat tells what this one is
wire open = held_reg && !held_packet_last_reg;
wire begin_refused = refuse && (!open || held_block_end_reg);
wire hold = take || begin_refused || (close && !open);
wire beat_valid = held_reg && (held_packet_last_reg || take || refuse || close);
wire beat_packet_last = held_packet_last_reg || close || (refuse && !held_block_end_reg);
wire beat_block_end = held_block_end_reg || beat_packet_last;
wire beat_marked = (held_packet_last_reg && !held_refused_reg) || close;

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
end

wire beat_empty = beat_count_reg == 0;

/*
 * Rank
 */
wire [32*CLASS_BITS-1:0] ranks;
wire [LENGTHS-1:0] rank_used;
wire [LENGTHS*CLASS_BITS-1:0] rank_firsts;
wire [LENGTHS*4-1:0] rank_lengths;
wire read_enable;
wire length_enable;
wire [BANK_BITS-1:0] block_bank;
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
    .rank_used(rank_used),
    .rank_firsts(rank_firsts),
    .rank_lengths(rank_lengths),
    .code_enable(read_enable),
    .step_enable(length_enable),
    .code_bank(block_bank),
    .code_used(code_used),
    .code_firsts(code_firsts),
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
    rank_valid_reg <= beat_valid;
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
wire [32*CLASS_BITS-1:0] ring_ranks;
wire [255:0] ring_symbols;

qlc_block_buffer #(
    .WIDTH(32*CLASS_BITS + 256),
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
    .valid(beat_valid),
    .first(beat_block_begin_reg),
    .last(beat_block_end),
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
localparam SIDE_BITS = 5 + BANK_BITS + 5;

reg [DECISION_STAGES*SIDE_BITS-1:0] side_reg;

wire [4:0] decided_id;
wire [BANK_BITS-1:0] decided_bank;
wire decided_crc_on;
wire decided_packet_last;
wire decided_marked;
wire decided_empty;
wire decided_refused;

assign {decided_id, decided_bank, decided_crc_on, decided_packet_last, decided_marked, decided_empty,
    decided_refused} = side_reg[(DECISION_STAGES-1)*SIDE_BITS +: SIDE_BITS];

always @(posedge clk) begin
    side_reg <= {side_reg[(DECISION_STAGES-1)*SIDE_BITS-1:0],
        beat_id_reg, beat_bank_reg, beat_crc_reg, beat_packet_last, beat_marked,
        beat_block_begin_reg && beat_empty, held_refused_reg};
end

/*
 * Blocks
 */
localparam BLOCK_BITS = 32 + 32 + BANK_BITS + 3;

wire [31:0] decided_header = decided_refused ? REFUSED_HEADER
    : {decided_coded, decided_crc_on, decided_marked, decided_coded ? decided_id : 5'd0,
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
wire block_refused;

assign {block_header, block_crc, block_bank, block_packet_last, block_empty, block_refused} = block_reg;

qlc_fifo #(
    .WIDTH(BLOCK_BITS),
    .DEPTH(BLOCK_SLOTS)
)
blocks_inst (
    .clk(clk),
    .rst(rst),
    .s_data({decided_header, decided_crc, decided_bank, decided_packet_last, decided_empty,
        decided_refused}),
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

// What is taken in this cycle still fits, what is read in it does not count yet; of the blocks, nor
// does the beat that is held
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
reg [1:0] read_head_words_reg;

wire read_head = read_first && (!block_empty || block_refused);
wire read_crc = block_header[30] && !block_refused;

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
            : read_crc ? {block_header, block_crc} : {32'd0, block_header};
        read_head_words_reg <= !read_head ? 2'd0 : read_crc ? 2'd2 : 2'd1;

        for (i = 0; i < 32; i = i + 1) begin
            read_keep_reg[i] <= !block_empty && (!read_last || block_header[16:12] >= i[4:0]);
        end
    end

    if (rst) begin
        read_beat_reg <= 0;
        read_valid_reg <= 1'b0;
    end
end

assign length_enable = advance && read_valid_reg;
assign packet_coded = length_enable && read_packet_last_reg;

/*
 * Length: of each class rank in a coded block; a raw block's symbols are codewords of 8 bits
 */
wire [32*LENGTHS-1:0] which;
wire [127:0] code_rank_lengths;

qlc_length_lanes #(
    .SYMBOLS(32),
    .LENGTHS(LENGTHS),
    .CLASS_BITS(CLASS_BITS)
)
length_lanes_inst (
    .clk(clk),
    .used(code_used),
    .firsts(code_firsts),
    .code_lengths(code_lengths),
    .enable(length_enable),
    .s_ranks(ring_ranks),
    .s_keep(read_keep_reg & {32{read_coded_reg}}),
    .m_which(which),
    .m_lengths(code_rank_lengths)
);

reg length_valid_reg;
reg length_block_end_reg;
reg length_packet_last_reg;
// Class ranks and raw bits, or symbols
reg [255:0] length_bytes_reg;
reg [31:0] length_raw_reg;
reg [63:0] length_head_reg;
reg [1:0] length_head_words_reg;

reg [255:0] bytes_next;

always @* begin
    bytes_next = ring_symbols;

    for (i = 0; i < 32; i = i + 1) begin
        if (read_coded_reg) begin
            bytes_next[8*i + RAW_BITS +: CLASS_BITS] = ring_ranks[CLASS_BITS*i +: CLASS_BITS];
        end

        bytes_next[8*i +: 8] = bytes_next[8*i +: 8] & {8{read_keep_reg[i]}};
    end
end

always @(posedge clk) begin
    if (advance) begin
        length_valid_reg <= read_valid_reg;
    end

    if (length_enable) begin
        length_block_end_reg <= read_block_end_reg;
        length_packet_last_reg <= read_packet_last_reg;
        length_head_reg <= read_head_reg;
        length_head_words_reg <= read_head_words_reg;
        length_bytes_reg <= bytes_next;
        length_raw_reg <= read_keep_reg & {32{!read_coded_reg}};
    end

    if (rst) begin
        length_valid_reg <= 1'b0;
    end
end

reg [127:0] lengths;

always @* begin
    for (i = 0; i < 32; i = i + 1) begin
        lengths[4*i +: 4] = code_rank_lengths[4*i +: 4] | {length_raw_reg[i], 3'd0};
    end
end

/*
 * Codeword
 */
wire [32*LONGEST-1:0] codewords;

qlc_codeword_lanes #(
    .SYMBOLS(32),
    .LENGTHS(LENGTHS),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
codeword_lanes_inst (
    .clk(clk),
    .steps(code_steps),
    .enable(advance),
    .s_ranks(length_bytes_reg),
    .s_which(which),
    .m_codewords(codewords)
);

/*
 * Packer and sender
 */
wire [255:0] first_data;
wire first_last;
wire first_empty;
wire first_valid;
wire [255:0] second_data;
wire second_last;
wire second_valid;
wire [4:0] last_spare;
wire ready;

qlc_codeword_packer #(
    .SYMBOLS(32),
    .LONGEST(LONGEST),
    .SHORTEST(SHORTEST),
    .HEAD_WORDS(2)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .lengths(lengths),
    .valid(length_valid_reg),
    .last(length_packet_last_reg),
    .fill_byte(length_block_end_reg),
    .head(length_head_reg),
    .head_words(length_head_words_reg),
    .advance(advance),
    .codewords(codewords),
    .first_data(first_data),
    .first_last(first_last),
    .first_empty(first_empty),
    .first_valid(first_valid),
    .second_data(second_data),
    .second_last(second_last),
    .second_valid(second_valid),
    .last_spare(last_spare),
    .ready(ready)
);

qlc_beat_sender #(
    .BEATS(SENDER_BEATS)
)
sender_inst (
    .clk(clk),
    .rst(rst),
    .first_data(first_data),
    .first_last(first_last),
    .first_empty(first_empty),
    .first_valid(first_valid),
    .second_data(second_data),
    .second_last(second_last),
    .second_valid(second_valid),
    .last_spare(last_spare),
    .ready(ready),
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
reg ev_partial_beat_reg;

assign ev_packet = ev_packet_reg;
assign ev_symbols = ev_symbols_reg;
assign ev_block_raw = ev_block_raw_reg;
assign ev_block_coded = ev_block_coded_reg;
assign ev_bytes = ev_bytes_reg;
assign ev_error = {ev_partial_beat_reg, 9'd0, ev_no_table_reg};

always @(posedge clk) begin
    ev_packet_reg <= beat_valid && beat_packet_last;
    ev_symbols_reg <= beat_valid ? beat_count_reg : 6'd0;
    ev_block_raw_reg <= decided && !decided_empty && !decided_coded;
    ev_block_coded_reg <= decided && decided_coded;
    ev_bytes_reg <= m_axis_tvalid && m_axis_tready ? sent_bytes : 6'd0;
    ev_no_table_reg <= beat_valid && beat_block_first_reg && beat_block_begin_reg && !beat_empty
        && !beat_known_reg;
    ev_partial_beat_reg <= refuse;

    if (rst) begin
        ev_packet_reg <= 1'b0;
        ev_symbols_reg <= 6'd0;
        ev_block_raw_reg <= 1'b0;
        ev_block_coded_reg <= 1'b0;
        ev_bytes_reg <= 6'd0;
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
