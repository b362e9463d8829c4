// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Wide Huffman decoder: a bitstream of canonical codewords of up to 16 bits per packet in, a word
 * every cycle, all its symbols out.
 *
 * What a good engineer would use instead of qlc_decoder_wide, and built the same way, of the same
 * parts where the code does not matter:
 *
 *   window      a word and what is behind it                       qlc_word_window
 *   exit maps   the length of a codeword at every bit; where the codewords leave a byte, by entry
 *               offset                                             huffman_exit_map
 *   exit tree   the same for all bytes up to each                   qlc_exit_tree
 *   entry       the true entry offset of the word, and so of each of its bytes: the loop, one
 *               look-up a word
 *   bytes       ranks of the codewords that begin in each byte      huffman_byte_decoder
 *   rank tree   those ranks without the gaps                        qlc_rank_tree
 *   limit       how many are the packet's; errors                   qlc_symbol_limit
 *   packer      full chunks of them                                 qlc_rank_packer
 *   lanes       beat by beat, their symbols                         qlc_symbol_lanes
 *
 * The code must be complete, and have no codeword shorter than SHORTEST: then, as in QLC, few
 * codewords begin in a byte. Up to the packer, all moves together as long as a chunk can be kept.
 *
 * s_axis_tuser of a packet's first beat is the number of symbols to decode. Every beat but a
 * packet's last must be full; the last one's used bytes are contiguous from byte 0, and may be
 * none. A packet of 0 symbols gives one beat without tkeep.
 *
 * m_axis_tuser of a packet's last beat is 0 or what was met first in stream order:
 *
 *   4  length-mismatch    the packet ends inside a codeword or before the last symbol, or
 *                         holds more bytes than its symbols need
 *   5  nonzero-padding    a bit after the last codeword is 1
 *
 * The packet's beats hold the symbols before an unfinished codeword. That last beat comes when
 * the packet's last beat has been taken, not before.
 *
 * The table may be written while no packet is inside the decoder.
 */
module huffman_decoder_wide #
(
    // Shortest codeword, 1..4
    parameter SHORTEST = 3,
    // Input width: 8, 16, 32, 64, 128, 256 or 512
    parameter WORD_BITS = 256,
    // Width of the symbol count, at least that of the codewords in a word
    parameter COUNT_BITS = 13,
    // Not to be set: symbols of an output beat
    parameter SYMBOLS = WORD_BITS/4
)
(
    input  wire                   clk,
    input  wire                   rst,

    /*
     * Table write port. Address 0..255: symbol of a rank, in the low 8 bits of data;
     * 255 + n: {base[7:0], limit[16:0]} of length n, 1..16
     */
    input  wire                   table_we,
    input  wire [8:0]             table_addr,
    input  wire [24:0]            table_data,

    /*
     * AXI4-Stream input, the bitstream
     */
    input  wire [WORD_BITS-1:0]   s_axis_tdata,
    input  wire [WORD_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire                   s_axis_tlast,
    input  wire [COUNT_BITS-1:0]  s_axis_tuser,

    /*
     * AXI4-Stream output, symbols
     */
    output wire [8*SYMBOLS-1:0]   m_axis_tdata,
    output wire [SYMBOLS-1:0]     m_axis_tkeep,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready,
    output wire                   m_axis_tlast,
    output wire [2:0]             m_axis_tuser
);

localparam BYTES = WORD_BITS/8;
localparam BYTE_BITS = $clog2(BYTES + 3);
// A word, and what a codeword that begins at its last bit has behind that
localparam VIEW_BITS = WORD_BITS + 15;
// Entry offsets, from 0 to a bit less than the longest codeword
localparam OFFSETS = 16;
localparam BYTE_SLOTS = (SHORTEST + 7)/SHORTEST;
localparam BYTE_COUNT_BITS = $clog2(BYTE_SLOTS + 1);
localparam SLOTS = (WORD_BITS + SHORTEST - 1)/SHORTEST;
localparam SLOT_BITS = $clog2(SLOTS + 1);
localparam CHUNK = 1 << SLOT_BITS;
localparam BEATS = CHUNK/SYMBOLS;

// Cycles of the exit maps and their tree; of the byte decoders; of the rank tree
localparam LEVELS = $clog2(BYTES);
localparam EXIT_CYCLES = 2 + LEVELS;
localparam BYTE_CYCLES = 2 + BYTE_SLOTS;

// check configuration
initial begin
    if (SHORTEST < 1 || SHORTEST > 4) begin
        $error("Error: SHORTEST must be 1..4 (instance %m)");
        $finish;
    end

    if (WORD_BITS < 8 || WORD_BITS > 512 || 8 << LEVELS != WORD_BITS) begin
        $error("Error: WORD_BITS must be 8, 16, 32, 64, 128, 256 or 512 (instance %m)");
        $finish;
    end

    if (COUNT_BITS < SLOT_BITS) begin
        $error("Error: COUNT_BITS must hold the codewords of a word (instance %m)");
        $finish;
    end
end

// Everything up to the packer moves by one
wire advance;

assign s_axis_tready = advance;

/*
 * Limits and bases, that of length n at place n - 1
 */
reg [17*16-1:0] limit_mem;
reg [8*16-1:0] base_mem;

genvar k;

generate

    for (k = 0; k < 16; k = k + 1) begin : length
        always @(posedge clk) begin
            if (table_we && table_addr[8] && table_addr[3:0] == k) begin
                limit_mem[17*k +: 17] <= table_data[16:0];
                base_mem[8*k +: 8] <= table_data[24:17];
            end
        end
    end

endgenerate

/*
 * Window
 */
// The word and the two bytes behind it
wire [WORD_BITS+15:0] window;
wire [VIEW_BITS-1:0] word = window[WORD_BITS+15 -: VIEW_BITS];
wire [BYTE_BITS-1:0] word_bytes;
wire word_first;
wire word_last;
wire [COUNT_BITS-1:0] word_symbols;
wire word_valid;
wire [COUNT_BITS-1:0] unused_symbols;

qlc_word_window #(
    .WORD_BITS(WORD_BITS),
    .INFO_BITS(COUNT_BITS)
)
window_inst (
    .clk(clk),
    .rst(rst),
    .advance(advance),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tlast(s_axis_tlast),
    .s_info(s_axis_tuser),
    .m_data(window),
    .m_bytes(word_bytes),
    .m_first(word_first),
    .m_last(word_last),
    .m_info(word_symbols),
    .m_valid(word_valid),
    .m_info_next(unused_symbols)
);

/*
 * What goes with the words: all of it to the entry offsets, then what is still needed
 */
wire [VIEW_BITS-1:0] exit_word;
wire [BYTE_BITS-1:0] exit_bytes;
wire exit_first;
wire exit_last;
wire [COUNT_BITS-1:0] exit_symbols;

qlc_delay #(
    .WIDTH(VIEW_BITS + BYTE_BITS + 2 + COUNT_BITS),
    .CYCLES(EXIT_CYCLES)
)
exit_inst (
    .clk(clk),
    .advance(advance),
    .s_data({word, word_bytes, word_first, word_last, word_symbols}),
    .m_data({exit_word, exit_bytes, exit_first, exit_last, exit_symbols})
);

reg [VIEW_BITS-1:0] entered_word_reg;
reg [BYTE_BITS-1:0] entered_bytes_reg;

always @(posedge clk) begin
    if (advance) begin
        entered_word_reg <= exit_word;
        entered_bytes_reg <= exit_bytes;
    end
end

wire [BYTE_BITS-1:0] decoded_bytes;

qlc_delay #(
    .WIDTH(BYTE_BITS),
    .CYCLES(BYTE_CYCLES)
)
bytes_inst (
    .clk(clk),
    .advance(advance),
    .s_data(entered_bytes_reg),
    .m_data(decoded_bytes)
);

wire limit_first;
wire limit_last;
wire [COUNT_BITS-1:0] limit_symbols;

qlc_delay #(
    .WIDTH(2 + COUNT_BITS),
    .CYCLES(1 + BYTE_CYCLES + LEVELS)
)
limit_inst (
    .clk(clk),
    .advance(advance),
    .s_data({exit_first, exit_last, exit_symbols}),
    .m_data({limit_first, limit_last, limit_symbols})
);

// valid[n]: n cycles after the window
localparam LIMIT_CYCLES = EXIT_CYCLES + 1 + BYTE_CYCLES + LEVELS;

reg [LIMIT_CYCLES:1] valid_reg;

wire [LIMIT_CYCLES:0] valid = {valid_reg, word_valid};

always @(posedge clk) begin
    if (advance) begin
        valid_reg <= valid[LIMIT_CYCLES-1:0];
    end

    if (rst) begin
        valid_reg <= 0;
    end
end

/*
 * Exit maps of bytes, then of all bytes up to each
 */
wire [4*OFFSETS*BYTES-1:0] maps;
wire [4*OFFSETS*BYTES-1:0] exits;
// Length less one of a codeword at every bit of the word
wire [4*WORD_BITS-1:0] lengths;
wire [4*WORD_BITS-1:0] entered_lengths;

generate

    for (k = 0; k < BYTES; k = k + 1) begin : map
        huffman_exit_map #(
            .SHORTEST(SHORTEST)
        )
        map_inst (
            .clk(clk),
            .advance(advance),
            .bits(word[VIEW_BITS-1-8*k -: 22]),
            .limits(limit_mem),
            .lengths(lengths[32*k +: 32]),
            .exits(maps[4*OFFSETS*k +: 4*OFFSETS])
        );
    end

endgenerate

qlc_delay #(
    .WIDTH(4*WORD_BITS),
    .CYCLES(EXIT_CYCLES)
)
lengths_inst (
    .clk(clk),
    .advance(advance),
    .s_data(lengths),
    .m_data(entered_lengths)
);

qlc_exit_tree #(
    .BYTES(BYTES),
    .OFFSETS(OFFSETS)
)
tree_inst (
    .clk(clk),
    .advance(advance),
    .maps(maps),
    .exits(exits)
);

/*
 * Entry offsets
 */
reg [3:0] entry_reg;
reg [4*BYTES-1:0] entries_reg;

wire [3:0] entry = exit_first ? 4'd0 : entry_reg;
wire [4*BYTES-1:0] entries;

assign entries[3:0] = entry;

generate

    for (k = 1; k < BYTES; k = k + 1) begin : entry_offset
        assign entries[4*k +: 4] = exits[4*OFFSETS*(k-1) + 4*entry +: 4];
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        if (valid[EXIT_CYCLES]) begin
            entry_reg <= exits[4*OFFSETS*(BYTES-1) + 4*entry +: 4];
        end

        entries_reg <= entries;
    end
end

/*
 * Ranks by byte
 */
wire [BYTES+1:0] entered_keep;
wire [8*BYTE_SLOTS*BYTES-1:0] byte_ranks;
wire [BYTE_COUNT_BITS*BYTES-1:0] byte_counts;
wire [BYTES-1:0] byte_cut;
wire [BYTE_SLOTS*BYTES-1:0] byte_full;
wire [BYTE_SLOTS*BYTES-1:0] byte_ones;

generate

    for (k = 0; k < BYTES + 2; k = k + 1) begin : keep
        assign entered_keep[BYTES+1-k] = entered_bytes_reg > k;
    end

    for (k = 0; k < BYTES; k = k + 1) begin : codewords
        huffman_byte_decoder #(
            .SHORTEST(SHORTEST)
        )
        byte_inst (
            .clk(clk),
            .advance(advance),
            .bits(entered_word_reg[VIEW_BITS-1-8*k -: 23]),
            .keep(entered_keep[BYTES+1-k -: 3]),
            .lengths(entered_lengths[32*k +: 32]),
            .entry(entries_reg[4*k +: 4]),
            .bases(base_mem),
            .ranks(byte_ranks[8*BYTE_SLOTS*k +: 8*BYTE_SLOTS]),
            .count(byte_counts[BYTE_COUNT_BITS*k +: BYTE_COUNT_BITS]),
            .cut(byte_cut[k]),
            .tail_full(byte_full[BYTE_SLOTS*k +: BYTE_SLOTS]),
            .tail_ones(byte_ones[BYTE_SLOTS*k +: BYTE_SLOTS])
        );
    end

endgenerate

/*
 * Ranks of the word, and what the limit wants to know of the last byte
 */
wire [8*SLOTS-1:0] ranks;
wire [SLOT_BITS-1:0] count;
wire cut;
// A complete code has no illegal codewords
wire unused_illegal;

qlc_rank_tree #(
    .BYTES(BYTES),
    .PREFIX_BITS(SHORTEST)
)
rank_tree_inst (
    .clk(clk),
    .advance(advance),
    .byte_ranks(byte_ranks),
    .byte_counts(byte_counts),
    .byte_illegal({BYTES{1'b0}}),
    .byte_cut(byte_cut),
    .ranks(ranks),
    .count(count),
    .illegal(unused_illegal),
    .cut(cut)
);

reg last_early;
reg [BYTE_COUNT_BITS-1:0] last_count;
reg [BYTE_SLOTS-1:0] last_full;
reg [BYTE_SLOTS-1:0] last_ones;

integer i;

always @* begin
    last_early = 1'b0;
    last_count = 0;
    last_full = 0;
    last_ones = 0;

    for (i = 0; i < BYTES; i = i + 1) begin
        if (decoded_bytes == i[BYTE_BITS-1:0] + 1'b1) begin
            last_count = last_count | byte_counts[BYTE_COUNT_BITS*i +: BYTE_COUNT_BITS];
            last_full = last_full | byte_full[BYTE_SLOTS*i +: BYTE_SLOTS];
            last_ones = last_ones | byte_ones[BYTE_SLOTS*i +: BYTE_SLOTS];
        end else begin
            last_early = last_early | byte_cut[i];
        end
    end
end

wire tail_early;
wire [BYTE_COUNT_BITS-1:0] tail_count;
wire [BYTE_SLOTS-1:0] tail_full;
wire [BYTE_SLOTS-1:0] tail_ones;

qlc_delay #(
    .WIDTH(1 + BYTE_COUNT_BITS + 2*BYTE_SLOTS),
    .CYCLES(LEVELS)
)
tail_inst (
    .clk(clk),
    .advance(advance),
    .s_data({last_early, last_count, last_full, last_ones}),
    .m_data({tail_early, tail_count, tail_full, tail_ones})
);

/*
 * Limit
 */
wire [SLOT_BITS-1:0] taken_count;
wire taken_last;
wire taken_valid;
wire [2:0] taken_error;

qlc_symbol_limit #(
    .SYMBOLS_BITS(COUNT_BITS),
    .COUNT_BITS(SLOT_BITS),
    .BYTE_SLOTS(BYTE_SLOTS),
    .BYTE_COUNT_BITS(BYTE_COUNT_BITS)
)
symbol_limit_inst (
    .clk(clk),
    .rst(rst),
    .advance(advance),
    .s_valid(valid[LIMIT_CYCLES]),
    .s_first(limit_first),
    .s_last(limit_last),
    .s_symbols(limit_symbols),
    .s_count(count),
    .s_illegal(1'b0),
    .s_cut(cut),
    .s_early(tail_early),
    .s_tail_count(tail_count),
    .s_tail_full(tail_full),
    .s_tail_ones(tail_ones),
    .m_count(taken_count),
    .m_last(taken_last),
    .m_valid(taken_valid),
    .m_error(taken_error)
);

wire [8*SLOTS-1:0] taken_ranks;

qlc_delay #(
    .WIDTH(8*SLOTS),
    .CYCLES(2)
)
ranks_inst (
    .clk(clk),
    .advance(advance),
    .s_data(ranks),
    .m_data(taken_ranks)
);

/*
 * Chunks
 */
wire [8*CHUNK-1:0] packed_ranks;
wire [SLOT_BITS:0] packed_count;
wire packed_last;
wire [2:0] packed_error;
wire packed_valid;

qlc_rank_packer #(
    .SLOTS(SLOTS),
    .COUNT_BITS(SLOT_BITS),
    .INFO_BITS(3)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .advance(advance),
    .s_ranks(taken_ranks),
    .s_count(taken_count),
    .s_last(taken_last),
    .s_valid(taken_valid),
    .s_info(taken_error),
    .m_ranks(packed_ranks),
    .m_count(packed_count),
    .m_last(packed_last),
    .m_info(packed_error),
    .m_valid(packed_valid)
);

wire [8*CHUNK-1:0] chunk_ranks;
wire [SLOT_BITS:0] chunk_count;
wire chunk_last;
wire [2:0] chunk_error;
wire chunk_valid;
wire chunk_ready;

// While the beats of a full chunk leave, each word may add a chunk of one beat
qlc_fifo #(
    .WIDTH(8*CHUNK + SLOT_BITS + 1 + 1 + 3),
    .DEPTH(2*BEATS)
)
chunk_inst (
    .clk(clk),
    .rst(rst),
    .s_data({packed_ranks, packed_count, packed_last, packed_error}),
    .s_valid(packed_valid),
    .s_ready(advance),
    .m_data({chunk_ranks, chunk_count, chunk_last, chunk_error}),
    .m_valid(chunk_valid),
    .m_ready(chunk_ready)
);

/*
 * Beats of a chunk
 */
localparam INDEX_BITS = $clog2(BEATS);

reg [INDEX_BITS-1:0] index_reg;

wire [8*SYMBOLS-1:0] beat_ranks = chunk_ranks[8*SYMBOLS*index_reg +: 8*SYMBOLS];
wire [SYMBOLS-1:0] beat_keep;
wire beat_ready;

// Ranks of the chunk before this beat, and with it
wire [SLOT_BITS:0] begins = {1'b0, index_reg, {SLOT_BITS-INDEX_BITS{1'b0}}};
wire [SLOT_BITS:0] ends = begins + SYMBOLS[SLOT_BITS:0];
wire beat_last = chunk_count <= ends;

generate

    for (k = 0; k < SYMBOLS; k = k + 1) begin : beat
        assign beat_keep[k] = chunk_count > begins + k;
    end

endgenerate

assign chunk_ready = beat_ready && beat_last;

always @(posedge clk) begin
    if (chunk_valid && beat_ready) begin
        index_reg <= beat_last ? {INDEX_BITS{1'b0}} : index_reg + 1'b1;
    end

    if (rst) begin
        index_reg <= 0;
    end
end

/*
 * Symbols
 */
qlc_symbol_lanes #(
    .LANES(SYMBOLS),
    .INFO_BITS(4)
)
lanes_inst (
    .clk(clk),
    .rst(rst),
    .table_we(table_we && !table_addr[8]),
    .table_bank(1'b0),
    .table_rank(table_addr[7:0]),
    .table_symbol(table_data[7:0]),
    .s_ranks(beat_ranks),
    .s_keep(beat_keep),
    .s_bank(1'b0),
    .s_info({chunk_last && beat_last, chunk_error & {3{chunk_last && beat_last}}}),
    .s_valid(chunk_valid),
    .s_ready(beat_ready),
    .m_symbols(m_axis_tdata),
    .m_keep(m_axis_tkeep),
    .m_info({m_axis_tlast, m_axis_tuser}),
    .m_valid(m_axis_tvalid),
    .m_ready(m_axis_tready)
);

wire unused = &{1'b0, unused_symbols, unused_illegal, window};

endmodule

`resetall
