// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC wide decoder: a bitstream of codewords per packet in, a word every cycle, all its symbols
 * out.
 *
 *   window      a word and what is behind it                       qlc_word_window
 *   exit maps   where the codewords leave a unit of 16 bits, by entry offset   qlc_exit_map
 *   exit tree   the same for all units up to each                   qlc_exit_tree
 *   entry       the true entry offset of the word, and so of each of its units: the loop, one
 *               look-up a word
 *   units       ranks of the codewords that begin in each unit      qlc_unit_decoder
 *   rank tree   those ranks without the gaps                        qlc_rank_tree
 *   limit       how many are the packet's; errors                   qlc_symbol_limit
 *   packer      full chunks of them                                 qlc_rank_packer
 *   lanes       beat by beat, their symbols                         qlc_symbol_lanes
 *
 * Up to the packer, all moves together as long as a chunk can be kept. Codewords of 4 bits and more never
 * wait for the output.
 *
 * s_axis_tuser of a packet's first beat is the number of symbols to decode. Every beat but a
 * packet's last must be full; the last one's used bytes are contiguous from byte 0, and may be
 * none. A packet of 0 symbols gives one beat without tkeep.
 *
 * m_axis_tuser of a packet's last beat is 0 or what was met first in stream order:
 *
 *   3  illegal-codeword   bits that are no rank's codeword
 *   4  length-mismatch    the packet ends inside a codeword or before the last symbol, or
 *                         holds more bytes than its symbols need
 *   5  nonzero-padding    a bit after the last codeword is 1
 *
 * The packet's beats hold the symbols before an illegal or unfinished codeword. That last beat
 * comes when the packet's last beat has been taken, not before.
 *
 * BANKS tables are resident; s_axis_bank of a packet's first beat tells which of them decodes it.
 * A bank may be written while no packet of it is inside the decoder. With a table outside the parameters'
 * bounds, symbols are of no meaning, but every packet ends.
 */
module qlc_decoder_wide #
(
    // Codeword lengths of a table at most, 1..12
    parameter LENGTHS = 4,
    // Bits that tell a codeword's length, 3..12: limits are multiples of 2^(12-KNOWN_BITS)
    parameter KNOWN_BITS = 6,
    // Shortest and longest codeword, 1..8 and 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Raw bits of all tables at least, 0..3
    parameter RAW_BITS = 0,
    // Input width: 8, 16, 32, 64, 128, 256 or 512
    parameter WORD_BITS = 256,
    // Width of the symbol count, at least that of the codewords in a word
    parameter COUNT_BITS = 13,
    // Tables resident
    parameter BANKS = 1,
    // Not to be set: width of a bank's number; symbols of an output beat
    parameter BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1,
    parameter SYMBOLS = WORD_BITS/4
)
(
    input  wire                   clk,
    input  wire                   rst,

    /*
     * Table write port. From address 0 on: the class of a class rank, symbol >> RAW_BITS, in the low bits;
     * 256 + i: length i, {length[3:0], limit[15:0], step[11:0]}. Banks are not looked at where there is one
     */
    input  wire                   table_we,
    input  wire [BANK_BITS-1:0]   table_bank,
    input  wire [8:0]             table_addr,
    input  wire [31:0]            table_data,

    /*
     * AXI4-Stream input, the bitstream
     */
    input  wire [WORD_BITS-1:0]   s_axis_tdata,
    input  wire [WORD_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire                   s_axis_tlast,
    input  wire [COUNT_BITS-1:0]  s_axis_tuser,
    input  wire [BANK_BITS-1:0]   s_axis_bank,

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
// A word and the bits behind it, up to the end of a codeword that begins at the word's last bit
localparam VIEW_BITS = WORD_BITS + LONGEST - 1;
localparam UNIT_BITS = WORD_BITS < 16 ? 8 : 16;
localparam UNITS = WORD_BITS/UNIT_BITS;
localparam UNIT_BYTES = UNIT_BITS/8;
localparam UNIT_SLOTS = (UNIT_BITS + SHORTEST - 1)/SHORTEST;
localparam UNIT_COUNT_BITS = $clog2(UNIT_SLOTS + 1);
localparam SLOTS = (WORD_BITS + SHORTEST - 1)/SHORTEST;
localparam SLOT_BITS = $clog2(SLOTS + 1);
localparam CLASS_BITS = 8 - RAW_BITS;
// A chunk is a beat, or as many as hold a word's codewords
localparam CHUNK_BITS = SLOTS > SYMBOLS ? $clog2(SLOTS) : $clog2(SYMBOLS);
localparam CHUNK = 1 << CHUNK_BITS;
localparam BEATS = CHUNK/SYMBOLS;

// Cycles of the exit maps and their tree; of the unit decoders; of the rank tree
localparam LEVELS = $clog2(UNITS);
localparam MAP_STEPS = 4*SHORTEST < UNIT_BITS ? (UNIT_BITS + 4*SHORTEST - 1)/(4*SHORTEST) : 1;
localparam EXIT_CYCLES = 1 + MAP_STEPS + LEVELS;
localparam UNIT_CYCLES = UNIT_SLOTS + 2;

// check configuration
initial begin
    if (LENGTHS < 1 || LENGTHS > 12 || KNOWN_BITS < 3 || KNOWN_BITS > 12) begin
        $error("Error: LENGTHS must be 1..12 and KNOWN_BITS 3..12 (instance %m)");
        $finish;
    end

    if (SHORTEST < 1 || SHORTEST > 8 || LONGEST < 8 || LONGEST > 12) begin
        $error("Error: SHORTEST must be 1..8 and LONGEST 8..12 (instance %m)");
        $finish;
    end

    if (RAW_BITS < 0 || RAW_BITS > 3) begin
        $error("Error: RAW_BITS must be 0..3 (instance %m)");
        $finish;
    end

    if (WORD_BITS < 8 || WORD_BITS > 512 || UNIT_BITS << LEVELS != WORD_BITS) begin
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
 * Lengths, limits and steps, by bank
 */
localparam LIMIT_BITS = KNOWN_BITS + 1;
localparam LIMITS_BITS = LIMIT_BITS*LENGTHS;
localparam CODE_BITS = LIMITS_BITS + 4*LENGTHS;

wire [CODE_BITS*BANKS-1:0] all_codes;
wire [12*LENGTHS*BANKS-1:0] all_steps;

genvar k;
genvar a;

generate

    for (k = 0; k < BANKS; k = k + 1) begin : bank
        reg [LIMITS_BITS-1:0] limit_mem;
        reg [4*LENGTHS-1:0] length_mem;
        reg [12*LENGTHS-1:0] step_mem;

        for (a = 0; a < LENGTHS; a = a + 1) begin : length
            always @(posedge clk) begin
                if (table_we && (BANKS == 1 || table_bank == k) && table_addr == 256 + a) begin
                    length_mem[4*a +: 4] <= table_data[31:28];
                    limit_mem[LIMIT_BITS*a +: LIMIT_BITS] <= table_data[24 -: LIMIT_BITS];
                    step_mem[12*a +: 12] <= table_data[11:0];
                end
            end
        end

        assign all_codes[CODE_BITS*k +: CODE_BITS] = {length_mem, limit_mem};
        assign all_steps[12*LENGTHS*k +: 12*LENGTHS] = step_mem;
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
wire [BANK_BITS-1:0] word_bank;
wire word_valid;
wire [COUNT_BITS-1:0] unused_symbols;
wire [BANK_BITS-1:0] word_bank_next;

qlc_word_window #(
    .WORD_BITS(WORD_BITS),
    .INFO_BITS(COUNT_BITS + BANK_BITS)
)
window_inst (
    .clk(clk),
    .rst(rst),
    .advance(advance),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tlast(s_axis_tlast),
    // Not looked at where there is one bank, so it may be anything
    .s_info({s_axis_tuser, BANKS > 1 ? s_axis_bank : {BANK_BITS{1'b0}}}),
    .m_data(window),
    .m_bytes(word_bytes),
    .m_first(word_first),
    .m_last(word_last),
    .m_info({word_symbols, word_bank}),
    .m_valid(word_valid),
    .m_info_next({unused_symbols, word_bank_next})
);

/*
 * What goes with the words: all of it to the entry offsets, then what is still needed
 */
wire [VIEW_BITS-1:0] exit_word;
wire [BYTE_BITS-1:0] exit_bytes;
wire exit_first;
wire exit_last;
wire [COUNT_BITS-1:0] exit_symbols;
wire [BANK_BITS-1:0] exit_bank;

qlc_delay #(
    .WIDTH(VIEW_BITS + BYTE_BITS + 2 + COUNT_BITS + BANK_BITS),
    .CYCLES(EXIT_CYCLES)
)
exit_inst (
    .clk(clk),
    .advance(advance),
    .s_data({word, word_bytes, word_first, word_last, word_symbols, word_bank}),
    .m_data({exit_word, exit_bytes, exit_first, exit_last, exit_symbols, exit_bank})
);

reg [VIEW_BITS-1:0] entered_word_reg;
reg [BYTE_BITS-1:0] entered_bytes_reg;
reg [BANK_BITS-1:0] entered_bank_reg;

always @(posedge clk) begin
    if (advance) begin
        entered_word_reg <= exit_word;
        entered_bytes_reg <= exit_bytes;
        entered_bank_reg <= exit_bank;
    end
end

wire [BYTE_BITS-1:0] decoded_bytes;

qlc_delay #(
    .WIDTH(BYTE_BITS),
    .CYCLES(UNIT_CYCLES)
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
    .CYCLES(1 + UNIT_CYCLES + LEVELS)
)
limit_inst (
    .clk(clk),
    .advance(advance),
    .s_data({exit_first, exit_last, exit_symbols}),
    .m_data({limit_first, limit_last, limit_symbols})
);

// The bank reaches the packer when the packet's info is taken: a cycle behind the limit's answer
wire [BANK_BITS-1:0] packer_bank;

qlc_delay #(
    .WIDTH(BANK_BITS),
    .CYCLES(UNIT_CYCLES + LEVELS + 2)
)
packer_bank_inst (
    .clk(clk),
    .advance(advance),
    .s_data(entered_bank_reg),
    .m_data(packer_bank)
);

// valid[n]: n cycles after the window
localparam LIMIT_CYCLES = EXIT_CYCLES + 1 + UNIT_CYCLES + LEVELS;

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
 * Exit maps of units, then of all units up to each
 */
reg [CODE_BITS-1:0] map_code_reg;

always @(posedge clk) begin
    if (advance) begin
        map_code_reg <= all_codes[CODE_BITS*word_bank_next +: CODE_BITS];
    end
end

// The bits behind the word's last codeword may be looked at, but do not change the answer
wire [VIEW_BITS+11:0] seen = {word, 12'd0};
wire [4*LONGEST*UNITS-1:0] maps;
wire [4*LONGEST*UNITS-1:0] exits;

generate

    for (k = 0; k < UNITS; k = k + 1) begin : exit_map
        qlc_exit_map #(
            .UNIT_BITS(UNIT_BITS),
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST)
        )
        map_inst (
            .clk(clk),
            .advance(advance),
            .bits(seen[VIEW_BITS+11-UNIT_BITS*k -: UNIT_BITS+KNOWN_BITS-1]),
            .limits(map_code_reg[LIMITS_BITS-1:0]),
            .lengths(map_code_reg[CODE_BITS-1:LIMITS_BITS]),
            .exits(maps[4*LONGEST*k +: 4*LONGEST])
        );
    end

endgenerate

qlc_exit_tree #(
    .UNITS(UNITS),
    .OFFSETS(LONGEST)
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
// The entry offset of each unit, one-hot, since the unit decoders' shift by it is a long path already
reg [LONGEST*UNITS-1:0] entries_reg;

wire [3:0] entry = exit_first ? 4'd0 : entry_reg;
wire [LONGEST*UNITS-1:0] entries;
wire [3:0] entry_next;

function [3:0] look_up(input [4*LONGEST-1:0] map, input [3:0] offset);
    integer n;
    begin
        look_up = 4'd0;

        for (n = 0; n < LONGEST; n = n + 1) begin
            look_up = look_up | (map[4*n +: 4] & {4{offset == n[3:0]}});
        end
    end
endfunction

function [LONGEST-1:0] one_hot(input [3:0] offset);
    integer n;
    begin
        for (n = 0; n < LONGEST; n = n + 1) begin
            one_hot[n] = offset == n[3:0];
        end
    end
endfunction

assign entries[LONGEST-1:0] = one_hot(entry);
assign entry_next = look_up(exits[4*LONGEST*(UNITS-1) +: 4*LONGEST], entry);

generate

    for (k = 1; k < UNITS; k = k + 1) begin : entry_offset
        assign entries[LONGEST*k +: LONGEST] =
            one_hot(look_up(exits[4*LONGEST*(k-1) +: 4*LONGEST], entry));
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        if (valid[EXIT_CYCLES]) begin
            entry_reg <= entry_next;
        end

        entries_reg <= entries;
    end
end

/*
 * The code again, for each slot in its cycle
 */
reg [CODE_BITS*UNIT_SLOTS-1:0] slot_codes_reg;

wire [CODE_BITS*UNIT_SLOTS+CODE_BITS-1:0] slot_codes_next =
    {slot_codes_reg, all_codes[CODE_BITS*exit_bank +: CODE_BITS]};
wire [LIMITS_BITS*UNIT_SLOTS-1:0] slot_limits;
wire [4*LENGTHS*UNIT_SLOTS-1:0] slot_lengths;

generate

    for (k = 0; k < UNIT_SLOTS; k = k + 1) begin : slot_code
        assign {slot_lengths[4*LENGTHS*k +: 4*LENGTHS], slot_limits[LIMITS_BITS*k +: LIMITS_BITS]} =
            slot_codes_reg[CODE_BITS*k +: CODE_BITS];
    end

endgenerate

// By length, what is added to a codeword to give its rank; and the first illegal codeword, left-aligned
localparam STEPS_BITS = CLASS_BITS*(LONGEST+1);

wire [4*LENGTHS-1:0] entered_lengths = slot_codes_reg[LIMITS_BITS +: 4*LENGTHS];
wire [12*LENGTHS-1:0] entered_steps = all_steps[12*LENGTHS*entered_bank_reg +: 12*LENGTHS];

reg [STEPS_BITS-1:0] steps;
reg [3:0] last_length;
reg [11:0] first_illegal;
reg [12:0] illegal_limit;

integer i;
integer n;

always @* begin
    steps = 0;
    last_length = 4'd0;
    first_illegal = 12'd0;

    for (i = 0; i < LENGTHS; i = i + 1) begin
        for (n = SHORTEST; n <= LONGEST; n = n + 1) begin
            if (entered_lengths[4*i +: 4] == n[3:0]) begin
                steps[CLASS_BITS*n +: CLASS_BITS] =
                    steps[CLASS_BITS*n +: CLASS_BITS] | entered_steps[12*i+RAW_BITS +: CLASS_BITS];
            end
        end

        // Lengths that are not used come behind
        if (entered_lengths[4*i +: 4] != 4'd0) begin
            last_length = entered_lengths[4*i +: 4];
            first_illegal = 12'd256 - entered_steps[12*i +: 12];
        end
    end

    // Where all codewords of 12 bits are legal, rank 256 would have codeword 4096
    illegal_limit = {first_illegal == 0, first_illegal} << (4'd12 - last_length);
end

// A cycle each: as the slots' cycles, and the ranks' a cycle later
reg [(LONGEST+1)*UNIT_SLOTS-1:0] slot_illegal_reg;
reg [STEPS_BITS*(UNIT_SLOTS+1)-1:0] slot_steps_reg;

wire [(LONGEST+1)*UNIT_SLOTS+LONGEST:0] slot_illegal_next =
    {slot_illegal_reg, illegal_limit[12 -: LONGEST+1]};
wire [STEPS_BITS*(UNIT_SLOTS+2)-1:0] slot_steps_next = {slot_steps_reg, steps};

always @(posedge clk) begin
    if (advance) begin
        slot_codes_reg <= slot_codes_next[CODE_BITS*UNIT_SLOTS-1:0];
        slot_illegal_reg <= slot_illegal_next[(LONGEST+1)*UNIT_SLOTS-1:0];
        slot_steps_reg <= slot_steps_next[STEPS_BITS*(UNIT_SLOTS+1)-1:0];
    end
end

/*
 * Ranks by unit
 */
wire [BYTES+1:0] entered_keep;
wire [8*UNIT_SLOTS*UNITS-1:0] unit_ranks;
wire [UNIT_COUNT_BITS*UNITS-1:0] unit_counts;
wire [UNITS-1:0] unit_illegal;
wire [UNITS-1:0] unit_cut;
wire [UNIT_SLOTS*UNITS-1:0] unit_full;
wire [UNIT_SLOTS*UNITS-1:0] unit_ones;

generate

    for (k = 0; k < BYTES + 2; k = k + 1) begin : keep
        assign entered_keep[BYTES+1-k] = entered_bytes_reg > k;
    end

    for (k = 0; k < UNITS; k = k + 1) begin : codewords
        qlc_unit_decoder #(
            .UNIT_BITS(UNIT_BITS),
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST),
            .RAW_BITS(RAW_BITS)
        )
        unit_inst (
            .clk(clk),
            .advance(advance),
            .bits(entered_word_reg[VIEW_BITS-1-UNIT_BITS*k -: UNIT_BITS+LONGEST-1]),
            .keep(entered_keep[BYTES+1-UNIT_BYTES*k -: UNIT_BYTES+2]),
            .entry(entries_reg[LONGEST*k +: LONGEST]),
            .limits(slot_limits),
            .lengths(slot_lengths),
            .illegal_limits(slot_illegal_reg),
            .steps(slot_steps_reg[STEPS_BITS +: STEPS_BITS*UNIT_SLOTS]),
            .ranks(unit_ranks[8*UNIT_SLOTS*k +: 8*UNIT_SLOTS]),
            .count(unit_counts[UNIT_COUNT_BITS*k +: UNIT_COUNT_BITS]),
            .illegal(unit_illegal[k]),
            .cut(unit_cut[k]),
            .tail_full(unit_full[UNIT_SLOTS*k +: UNIT_SLOTS]),
            .tail_ones(unit_ones[UNIT_SLOTS*k +: UNIT_SLOTS])
        );
    end

endgenerate

/*
 * Ranks of the word, and what the limit wants to know of the last unit
 */
wire [8*SLOTS-1:0] ranks;
wire [SLOT_BITS-1:0] count;
wire illegal;
wire cut;

qlc_rank_tree #(
    .UNITS(UNITS),
    .UNIT_BITS(UNIT_BITS),
    .SHORTEST(SHORTEST)
)
rank_tree_inst (
    .clk(clk),
    .advance(advance),
    .unit_ranks(unit_ranks),
    .unit_counts(unit_counts),
    .unit_illegal(unit_illegal),
    .unit_cut(unit_cut),
    .ranks(ranks),
    .count(count),
    .illegal(illegal),
    .cut(cut)
);

wire [BYTE_BITS-1:0] last_byte = decoded_bytes - 1;
wire [BYTE_BITS-1:0] last_unit = last_byte >> $clog2(UNIT_BYTES);

reg last_early;
reg [UNIT_COUNT_BITS-1:0] last_count;
reg [UNIT_SLOTS-1:0] last_full;
reg [UNIT_SLOTS-1:0] last_ones;

always @* begin
    last_early = 1'b0;
    last_count = 0;
    last_full = 0;
    last_ones = 0;

    for (i = 0; i < UNITS; i = i + 1) begin
        if (last_unit == i[BYTE_BITS-1:0]) begin
            last_count = last_count | unit_counts[UNIT_COUNT_BITS*i +: UNIT_COUNT_BITS];
            last_full = last_full | unit_full[UNIT_SLOTS*i +: UNIT_SLOTS];
            last_ones = last_ones | unit_ones[UNIT_SLOTS*i +: UNIT_SLOTS];
        end else begin
            last_early = last_early | unit_illegal[i] | unit_cut[i];
        end
    end
end

wire tail_early;
wire [UNIT_COUNT_BITS-1:0] tail_count;
wire [UNIT_SLOTS-1:0] tail_full;
wire [UNIT_SLOTS-1:0] tail_ones;

qlc_delay #(
    .WIDTH(1 + UNIT_COUNT_BITS + 2*UNIT_SLOTS),
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
    .UNIT_SLOTS(UNIT_SLOTS),
    .UNIT_COUNT_BITS(UNIT_COUNT_BITS)
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
    .s_illegal(illegal),
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
    .CYCLES(1)
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
wire [CHUNK_BITS:0] packed_count;
wire packed_last;
wire [2:0] packed_error;
wire [BANK_BITS-1:0] packed_bank;
wire packed_valid;

qlc_rank_packer #(
    .CHUNK(CHUNK),
    .SLOTS(SLOTS),
    .COUNT_BITS(SLOT_BITS),
    .INFO_BITS(3 + BANK_BITS)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .advance(advance),
    .s_ranks(taken_ranks),
    .s_count(taken_count),
    .s_last(taken_last),
    .s_valid(taken_valid),
    .s_info({taken_error, packer_bank}),
    .m_ranks(packed_ranks),
    .m_count(packed_count),
    .m_last(packed_last),
    .m_info({packed_error, packed_bank}),
    .m_valid(packed_valid)
);

wire [8*CHUNK-1:0] chunk_ranks;
wire [CHUNK_BITS:0] chunk_count;
wire chunk_last;
wire [2:0] chunk_error;
wire [BANK_BITS-1:0] chunk_bank;
wire chunk_valid;
wire chunk_ready;

// While the beats of a full chunk leave, each word may add a chunk of one beat
qlc_fifo #(
    .WIDTH(8*CHUNK + CHUNK_BITS + 1 + 1 + 3 + BANK_BITS),
    .DEPTH(2*BEATS)
)
chunk_inst (
    .clk(clk),
    .rst(rst),
    .s_data({packed_ranks, packed_count, packed_last, packed_error, packed_bank}),
    .s_valid(packed_valid),
    .s_ready(advance),
    .m_data({chunk_ranks, chunk_count, chunk_last, chunk_error, chunk_bank}),
    .m_valid(chunk_valid),
    .m_ready(chunk_ready)
);

/*
 * Beats of a chunk
 */
wire [8*SYMBOLS-1:0] beat_ranks;
wire [SYMBOLS-1:0] beat_keep;
wire beat_last;
wire beat_ready;

// Ranks of the chunk before this beat
wire [CHUNK_BITS:0] begins;

generate

    if (BEATS > 1) begin : beats
        localparam INDEX_BITS = $clog2(BEATS);

        reg [INDEX_BITS-1:0] index_reg;

        assign begins = {1'b0, index_reg, {CHUNK_BITS-INDEX_BITS{1'b0}}};
        assign beat_ranks = chunk_ranks[8*SYMBOLS*index_reg +: 8*SYMBOLS];
        assign beat_last = chunk_count <= begins + SYMBOLS[CHUNK_BITS:0];

        always @(posedge clk) begin
            if (chunk_valid && beat_ready) begin
                index_reg <= beat_last ? {INDEX_BITS{1'b0}} : index_reg + 1'b1;
            end

            if (rst) begin
                index_reg <= 0;
            end
        end
    end else begin : beat
        assign begins = 0;
        assign beat_ranks = chunk_ranks;
        assign beat_last = 1'b1;
    end

    for (k = 0; k < SYMBOLS; k = k + 1) begin : lane
        assign beat_keep[k] = chunk_count > begins + k;
    end

endgenerate

assign chunk_ready = beat_ready && beat_last;

/*
 * Symbols
 */
// Builds with fewer raw bits have more classes: their words are ignored
wire class_we = table_we && table_addr >> CLASS_BITS == 0;

qlc_symbol_lanes #(
    .LANES(SYMBOLS),
    .BANKS(BANKS),
    .RAW_BITS(RAW_BITS),
    .INFO_BITS(4)
)
lanes_inst (
    .clk(clk),
    .rst(rst),
    .table_we(class_we),
    .table_bank(table_bank),
    .table_rank(table_addr[CLASS_BITS-1:0]),
    .table_class(table_data[CLASS_BITS-1:0]),
    .s_ranks(beat_ranks),
    .s_keep(beat_keep),
    .s_bank(chunk_bank),
    .s_info({chunk_last && beat_last, chunk_error & {3{chunk_last && beat_last}}}),
    .s_valid(chunk_valid),
    .s_ready(beat_ready),
    .m_symbols(m_axis_tdata),
    .m_keep(m_axis_tkeep),
    .m_info({m_axis_tlast, m_axis_tuser}),
    .m_valid(m_axis_tvalid),
    .m_ready(m_axis_tready)
);

wire unused = &{
    1'b0, unused_symbols, window, seen, table_addr, table_data, illegal_limit, entered_steps,
    slot_codes_next[CODE_BITS*UNIT_SLOTS +: CODE_BITS],
    slot_illegal_next[(LONGEST+1)*UNIT_SLOTS +: LONGEST+1],
    slot_steps_next[STEPS_BITS*(UNIT_SLOTS+1) +: STEPS_BITS], slot_steps_reg[STEPS_BITS-1:0]
};

endmodule

`resetall
