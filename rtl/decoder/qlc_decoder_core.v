// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC decoder core: one bitstream of codewords per packet in, one symbol a cycle out.
 *
 * The paper's three stages, one register each:
 *
 *   1  the window takes the input; its head is the next codeword
 *   2  the head's first bits give its length, codeword plus the length's step gives the rank
 *   3  the symbol table maps the rank to the symbol
 *
 * so a symbol leaves 3 cycles after the input beat that completes its codeword. Behind a good packet
 * one cycle passes without a symbol; behind an error the packet's rest is dropped first.
 *
 * Every code within the bounds of the build is decoded. LENGTHS 12 and KNOWN_BITS 12 take all
 * Huffman codes of up to 12 bits. LENGTHS 4 and KNOWN_BITS 3 are the paper's design: the known bits
 * are its prefix, a limit is where areas of one length end, and codeword plus step is offset plus
 * base. A table out of bounds gives wrong symbols, but every packet ends.
 *
 * s_axis_tuser of a packet's first beat is the number of symbols to decode. The used bytes of
 * an input beat must be contiguous from byte 0. A packet of 0 symbols gives one beat without
 * tkeep.
 *
 * m_axis_tuser of a packet's last beat is 0 or what was met first in stream order:
 *
 *   3  illegal-codeword   a codeword behind that of the last rank
 *   4  length-mismatch    the packet ends inside a codeword or before the last symbol, or
 *                         holds more bytes than its symbols need
 *   5  nonzero-padding    a bit after the last codeword is 1
 *
 * A beat that ends a packet early carries no symbol and no tkeep. The rest of a bad packet is
 * dropped, and the next one is decoded.
 *
 * BANKS tables are resident; s_axis_bank of a packet's first beat tells which of them decodes it.
 * A bank may be written while no packet of it is inside the core.
 */
module qlc_decoder_core #
(
    // Lengths that a code has, 1..12
    parameter LENGTHS = 4,
    // First bits of a codeword that tell its length, 3..12: limits are multiples of 2^(12-KNOWN_BITS)
    parameter KNOWN_BITS = 6,
    // Bits of the shortest codeword, 1..8, and of the longest, 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Raw bits of a symbol, 0..3: its low bits, which its codeword ends with
    parameter RAW_BITS = 0,
    // Input width, a multiple of 8, at least 16 to sustain a symbol a cycle
    parameter DATA_BITS = 32,
    // Width of the symbol count, at least 4
    parameter COUNT_BITS = 32,
    // Tables resident
    parameter BANKS = 1,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1,
    // $readmemh file of bank 0: length words, "" for none
    parameter LENGTH_FILE = "",
    // $readmemh file of bank 0: classes by class rank, "" for none
    parameter SYMBOL_FILE = ""
)
(
    input  wire                   clk,
    input  wire                   rst,

    /*
     * Table write port. Address 0..255: class of a class rank, in the low bits of data; 256 + i:
     * {length[3:0], limit[15:0], step[11:0]} of the code's length i. What the build has no room for
     * is not stored. Banks are not looked at where there is one
     */
    input  wire                   table_we,
    input  wire [BANK_BITS-1:0]   table_bank,
    input  wire [8:0]             table_addr,
    input  wire [31:0]            table_data,

    /*
     * AXI4-Stream input, the bitstream
     */
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire                   s_axis_tlast,
    input  wire [COUNT_BITS-1:0]  s_axis_tuser,
    input  wire [BANK_BITS-1:0]   s_axis_bank,

    /*
     * AXI4-Stream output, one symbol a beat
     */
    output wire [7:0]             m_axis_tdata,
    output wire                   m_axis_tkeep,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready,
    output wire                   m_axis_tlast,
    output wire [2:0]             m_axis_tuser
);

localparam [2:0]
    GOOD = 3'd0,
    ILLEGAL_CODEWORD = 3'd3,
    LENGTH_MISMATCH = 3'd4,
    NONZERO_PADDING = 3'd5;

localparam CLASS_BITS = 8 - RAW_BITS;
localparam CLASSES = 1 << CLASS_BITS;
localparam DATA_BYTES = DATA_BITS/8;
// The input is ready while this many bytes or fewer wait, the head's first one included. One more
// holds two of the longest codewords, so that one is left when the next beat arrives
localparam ROOM_BYTES = (2*LONGEST + 7)/8;
localparam WINDOW_BYTES = ROOM_BYTES + DATA_BYTES;
localparam WINDOW_BITS = 8*WINDOW_BYTES;
// The head ends at most this many bytes behind the one that it begins in
localparam PASSED_BYTES = (LONGEST + 7)/8;
localparam LIMIT_BITS = KNOWN_BITS + 1;
localparam STEP_BITS = LONGEST - RAW_BITS;
// The low bits of a length that tell it from the others
localparam LENGTH_BITS = LONGEST - SHORTEST < 8 ? 3 : 4;

// check configuration
initial begin
    if (LENGTHS < 1 || LENGTHS > 12) begin
        $error("Error: LENGTHS must be 1..12 (instance %m)");
        $finish;
    end

    if (KNOWN_BITS < 3 || KNOWN_BITS > 12) begin
        $error("Error: KNOWN_BITS must be 3..12 (instance %m)");
        $finish;
    end

    if (SHORTEST < 1 || SHORTEST > 8) begin
        $error("Error: SHORTEST must be 1..8 (instance %m)");
        $finish;
    end

    if (LONGEST < 8 || LONGEST > 12) begin
        $error("Error: LONGEST must be 8..12 (instance %m)");
        $finish;
    end

    if (RAW_BITS < 0 || RAW_BITS > 3) begin
        $error("Error: RAW_BITS must be 0..3 (instance %m)");
        $finish;
    end

    if (COUNT_BITS < 4) begin
        $error("Error: COUNT_BITS must be at least 4 (instance %m)");
        $finish;
    end

    if (DATA_BITS < 16 || DATA_BITS % 8 != 0) begin
        $error("Error: DATA_BITS must be a multiple of 8, at least 16 (instance %m)");
        $finish;
    end
end

/*
 * Tables
 */
localparam BANK_INDEX_BITS = BANKS > 1 ? BANK_BITS : 0;

// A bank has 16 words. The first LENGTHS are used, all of them in every cycle, so they are in registers:
// no memory has that many ports
(* ram_style = "registers" *)
reg [31:0] length_mem[0:16*BANKS-1];
reg [CLASS_BITS-1:0] symbol_mem[0:CLASSES*BANKS-1];

generate

    if (LENGTH_FILE != "") begin : init_length
        initial begin
            $readmemh(LENGTH_FILE, length_mem, 0, 11);
        end
    end

    if (SYMBOL_FILE != "") begin : init_symbol
        initial begin
            $readmemh(SYMBOL_FILE, symbol_mem, 0, CLASSES - 1);
        end
    end

endgenerate

// Where a bank is written and its classes are looked at
wire [BANK_INDEX_BITS+3:0] length_write_index;
wire [BANK_INDEX_BITS+CLASS_BITS-1:0] class_write_index;
wire [BANK_INDEX_BITS+CLASS_BITS-1:0] class_index;
// The length words in the bank of the packet inside, and in that of a packet that begins
wire [32*LENGTHS-1:0] words;
wire [32*LENGTHS-1:0] first_words;

always @(posedge clk) begin
    if (table_we && table_addr[8] && table_addr[7:4] == 0) begin
        length_mem[length_write_index] <= table_data;
    end

    if (table_we && {1'b0, table_addr} >> CLASS_BITS == 0) begin
        symbol_mem[class_write_index] <= table_data[CLASS_BITS-1:0];
    end
end

// By length: its limit and step, and its bits
wire [LIMIT_BITS*LENGTHS-1:0] limits;
wire [LIMIT_BITS*LENGTHS-1:0] first_limits;
wire [STEP_BITS*LENGTHS-1:0] steps;
wire [LENGTH_BITS*LENGTHS-1:0] lengths;

genvar i;

generate

    for (i = 0; i < LENGTHS; i = i + 1) begin : word
        assign limits[LIMIT_BITS*i +: LIMIT_BITS] = words[32*i+24 -: LIMIT_BITS];
        assign first_limits[LIMIT_BITS*i +: LIMIT_BITS] = first_words[32*i+24 -: LIMIT_BITS];
        assign steps[STEP_BITS*i +: STEP_BITS] = words[32*i+RAW_BITS +: STEP_BITS];
        assign lengths[LENGTH_BITS*i +: LENGTH_BITS] = words[32*i+28 +: LENGTH_BITS];
    end

endgenerate

wire unused_words = &{1'b0, words, first_words};

/*
 * Stage 1: window
 *
 * It moves by bytes: the head begins in its first byte, behind the bits that are gone. There always
 * is a first byte; where nothing waits, all of it is gone.
 */
// A packet has begun; its last beat has been taken; its rest is being dropped
reg active_reg;
reg ended_reg;
reg drop_reg;
reg s_axis_tready_reg;
reg [COUNT_BITS-1:0] remaining_reg;
// Fewer than 4 remain, or remained before the last symbol
reg few_remaining_reg;
// First bit most significant
reg [WINDOW_BITS-1:0] window_reg;
// There are more than k bytes where bit k is set
reg [WINDOW_BYTES-1:1] more_reg;
// As many bytes wait and the input is ready, one-hot
reg [ROOM_BYTES:1] waiting_reg;
// The last bit of the first byte that is gone, as a number and one-hot
reg [2:0] gone_reg;
reg [7:0] is_gone_reg;
// Which length the head has, one-hot; of no meaning while not all of the head is there
reg [LENGTHS-1:0] is_length_reg;

assign s_axis_tready = s_axis_tready_reg;

wire take = s_axis_tvalid && s_axis_tready_reg;
wire load = take && !active_reg && !drop_reg;

// Stages 2 and 3 move; an illegal codeword ends the packet
wire advance;
wire stop;

// The window with the beat that is taken
reg [WINDOW_BITS-1:0] filled;
reg [WINDOW_BYTES-1:1] more_filled;
reg comes;

integer b, p;

always @* begin
    filled = window_reg;
    more_filled = more_reg;

    for (b = 1; b < WINDOW_BYTES; b = b + 1) begin
        filled[WINDOW_BITS-1-8*b -: 8] = window_reg[WINDOW_BITS-1-8*b -: 8] & {8{more_reg[b]}};
    end

    for (p = 1; p <= ROOM_BYTES; p = p + 1) begin
        for (b = 0; b < DATA_BYTES; b = b + 1) begin
            comes = s_axis_tvalid && waiting_reg[p] && s_axis_tkeep[b];
            filled[WINDOW_BITS-1-8*(p+b) -: 8] = filled[WINDOW_BITS-1-8*(p+b) -: 8]
                | (s_axis_tdata[8*b +: 8] & {8{comes}});
            more_filled[p+b] = more_filled[p+b] | comes;
        end
    end
end

/*
 * What the head does to the window, found for each length before it is selected: its last bit in its
 * byte; as many bytes end with it or before, one-hot; all of it is there; a whole byte is behind it
 */
wire [3*LENGTHS-1:0] gone_by_length;
wire [(PASSED_BYTES+1)*LENGTHS-1:0] passed_by_length;
wire [LENGTHS-1:0] complete_by_length;
wire [LENGTHS-1:0] rest_by_length;

reg [STEP_BITS-1:0] step;
reg [LONGEST:SHORTEST] is_bits;
reg [2:0] gone;
reg [PASSED_BYTES:0] passed;
reg complete;
reg rest;

// Bit 3 of a length by its low bits, where these tell it
localparam [7:0] LENGTH_BIT_3 = (1 << SHORTEST) - 1;

// Written out, since FPGA tools make a carry chain of "+"
function [3:0] sum(input [2:0] x, input [2:0] y);
    reg carry_0, carry_1, carry_2;
    begin
        carry_0 = x[0] & y[0];
        carry_1 = (x[1] & y[1]) | ((x[1] | y[1]) & carry_0);
        carry_2 = (x[2] & y[2]) | ((x[2] | y[2]) & carry_1);
        sum = {carry_2, x[2] ^ y[2] ^ carry_1, x[1] ^ y[1] ^ carry_0, x[0] ^ y[0]};
    end
endfunction

generate

    for (i = 0; i < LENGTHS; i = i + 1) begin : by_length
        wire [LENGTH_BITS-1:0] bits = lengths[LENGTH_BITS*i +: LENGTH_BITS];
        wire bit_3 = LENGTH_BITS == 3 ? LENGTH_BIT_3[bits[2:0]] : bits[LENGTH_BITS-1];
        wire [3:0] last = sum(gone_reg, bits[2:0]);
        wire [2:0] ends = {last[3] & bit_3, last[3] ^ bit_3, !(last[3] | bit_3)};

        assign gone_by_length[3*i +: 3] = last[2:0];
        assign passed_by_length[(PASSED_BYTES+1)*i +: PASSED_BYTES+1] = ends[PASSED_BYTES:0];
        assign complete_by_length[i] = |(ends[PASSED_BYTES:0] & {more_reg[PASSED_BYTES:1], 1'b1});
        assign rest_by_length[i] = |(ends[PASSED_BYTES:0] & more_reg[PASSED_BYTES+1:1]);

        if (PASSED_BYTES == 1) begin : short
            wire unused = &{1'b0, ends[2]};
        end
    end

endgenerate

integer l, m;

always @* begin
    step = 0;
    is_bits = 0;
    gone = 0;
    passed = 0;
    complete = 1'b0;
    rest = 1'b0;

    for (l = 0; l < LENGTHS; l = l + 1) begin
        step = step | (steps[STEP_BITS*l +: STEP_BITS] & {STEP_BITS{is_length_reg[l]}});
        gone = gone | (gone_by_length[3*l +: 3] & {3{is_length_reg[l]}});
        passed = passed
            | (passed_by_length[(PASSED_BYTES+1)*l +: PASSED_BYTES+1] & {PASSED_BYTES+1{is_length_reg[l]}});
        complete = complete | (complete_by_length[l] & is_length_reg[l]);
        rest = rest | (rest_by_length[l] & is_length_reg[l]);

        for (m = SHORTEST; m <= LONGEST; m = m + 1) begin
            is_bits[m] = is_bits[m]
                | (is_length_reg[l] & lengths[LENGTH_BITS*l +: LENGTH_BITS] == m[LENGTH_BITS-1:0]);
        end
    end
end

// What is left of the byte that the head ends in
reg [7:0] end_byte;
wire [6:0] padding = end_byte[6:0] & (7'h7F >> gone);
wire unused_end = &{1'b0, end_byte[7]};

always @* begin
    end_byte = 0;

    for (l = 0; l <= PASSED_BYTES; l = l + 1) begin
        end_byte = end_byte | (window_reg[WINDOW_BITS-1-8*l -: 8] & {8{passed[l]}});
    end
end

/*
 * What can be said of the head: a symbol, also one that ends the packet; the end without one
 */
wire none_remaining = few_remaining_reg && remaining_reg[1:0] == 0;
wire one_remaining = few_remaining_reg && remaining_reg[1:0] == 1;
wire many_remaining = !none_remaining && !one_remaining;
wire head_whole = rest || (complete && (many_remaining || ended_reg));
wire head_symbol = !none_remaining && head_whole;
wire head_valid = active_reg
    && (ended_reg || rest || (many_remaining && complete) || (none_remaining && more_reg[1]));
wire head_last = !many_remaining || !complete;
wire head_long = head_symbol ? one_remaining && rest : !none_remaining || more_reg[1];
wire head_padded = one_remaining && padding != 0;

wire shift = active_reg && advance && head_whole;
// The packet is over for stage 1, decoded or not
wire finish = stop || (active_reg && advance
    && (many_remaining ? ended_reg && !complete : ended_reg || rest || (none_remaining && more_reg[1])));
wire clear = finish || drop_reg || rst;
wire ended_next = ended_reg || (take && s_axis_tlast);

reg [WINDOW_BITS-1:0] window_next;
reg [WINDOW_BYTES-1:1] more_next;
reg [WINDOW_BYTES-1:1] more_behind;
reg [ROOM_BYTES:1] waiting_next;

function [ROOM_BYTES:1] one_hot(input [ROOM_BYTES:1] more);
    one_hot = ~more & {more[ROOM_BYTES-1:1], 1'b1};
endfunction

always @* begin
    window_next = filled & {WINDOW_BITS{!shift || passed[0]}};
    more_next = more_filled & {WINDOW_BYTES-1{!clear && (!shift || passed[0])}};
    waiting_next = one_hot(more_filled[ROOM_BYTES:1]) & {ROOM_BYTES{!ended_next && (!shift || passed[0])}};

    for (l = 1; l <= PASSED_BYTES; l = l + 1) begin
        window_next = window_next | (filled << 8*l & {WINDOW_BITS{shift && passed[l]}});
        more_behind = more_filled >> l;
        more_next = more_next | (more_behind & {WINDOW_BYTES-1{!clear && shift && passed[l]}});
        waiting_next = waiting_next
            | (one_hot(more_behind[ROOM_BYTES:1]) & {ROOM_BYTES{!ended_next && shift && passed[l]}});
    end

    if (clear) begin
        waiting_next = 1;
    end
end

/*
 * The next head's length: of the bits behind the head, or of the head where it stays. Looked up with
 * the beat that is taken, so that the length is there with the codeword. Of bits that are not there
 * yet, the length does not depend, or they are missing to its codeword, too
 */
// A head begins in a byte of the window; so far its known bits reach into the beat
localparam LOOKED_LANES = (KNOWN_BITS + 7)/8;
localparam VIEW_BITS = LONGEST + KNOWN_BITS;
localparam LOOKED_BYTES = (VIEW_BITS + 15)/8;

reg [8*LOOKED_BYTES-1:0] looked;
reg [VIEW_BITS-1:0] view;
reg [KNOWN_BITS-1:0] known_behind;

always @* begin
    looked = window_reg[WINDOW_BITS-1 -: 8*LOOKED_BYTES];

    for (l = 1; l < LOOKED_BYTES; l = l + 1) begin
        looked[8*(LOOKED_BYTES-l)-1 -: 8] = looked[8*(LOOKED_BYTES-l)-1 -: 8] & {8{more_reg[l]}};
    end

    for (l = 1; l <= ROOM_BYTES; l = l + 1) begin
        for (m = 0; m < LOOKED_LANES; m = m + 1) begin
            if (l + m < LOOKED_BYTES) begin
                looked[8*(LOOKED_BYTES-l-m)-1 -: 8] = looked[8*(LOOKED_BYTES-l-m)-1 -: 8]
                    | (s_axis_tdata[8*m +: 8] & {8{s_axis_tvalid && s_axis_tkeep[m]}} & {8{waiting_reg[l]}});
            end
        end
    end

    view = 0;

    for (l = 0; l < 8; l = l + 1) begin
        view = view | (looked[8*LOOKED_BYTES-2-l -: VIEW_BITS] & {VIEW_BITS{is_gone_reg[l]}});
    end

    known_behind = 0;

    for (l = SHORTEST; l <= LONGEST; l = l + 1) begin
        known_behind = known_behind | (view[VIEW_BITS-1-l -: KNOWN_BITS] & {KNOWN_BITS{is_bits[l]}});
    end
end

wire unused_looked = &{1'b0, looked};

wire [LENGTHS-1:0] is_length_held;
wire [LENGTHS-1:0] is_length_behind;

qlc_codeword_length #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS)
)
held_inst (
    .bits(view[VIEW_BITS-1 -: KNOWN_BITS]),
    .limits(active_reg ? limits : first_limits),
    .is_length(is_length_held)
);

qlc_codeword_length #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS)
)
behind_inst (
    .bits(known_behind),
    .limits(limits),
    .is_length(is_length_behind)
);

always @(posedge clk) begin
    window_reg <= window_next;
    more_reg <= more_next;
    waiting_reg <= waiting_next;
    is_length_reg <= shift ? is_length_behind : is_length_held;

    if (shift) begin
        gone_reg <= gone;
        is_gone_reg <= 8'd1 << gone;
        few_remaining_reg <= remaining_reg[COUNT_BITS-1:2] == 0;
    end

    if (load) begin
        active_reg <= 1'b1;
        few_remaining_reg <= s_axis_tuser[COUNT_BITS-1:2] == 0;
    end

    ended_reg <= ended_next && !drop_reg;
    drop_reg <= drop_reg && !ended_next;
    s_axis_tready_reg <= waiting_next != 0;

    if (finish) begin
        active_reg <= 1'b0;
        ended_reg <= 1'b0;
        drop_reg <= !ended_next;
    end

    if (clear) begin
        gone_reg <= 3'd7;
        is_gone_reg <= 8'h80;
    end

    if (rst) begin
        active_reg <= 1'b0;
        ended_reg <= 1'b0;
        drop_reg <= 1'b0;
        s_axis_tready_reg <= 1'b0;
        waiting_reg <= 0;
    end
end

/*
 * Symbols that remain, in parts: one counts when all before it are 0
 */
localparam PART_BITS = 8;
localparam PARTS = (COUNT_BITS + PART_BITS - 1)/PART_BITS;

reg [PARTS-1:0] zero_before;

always @* begin
    for (p = 0; p < PARTS; p = p + 1) begin
        zero_before[p] = (remaining_reg & ~({COUNT_BITS{1'b1}} << PART_BITS*p)) == 0;
    end
end

generate

    for (i = 0; i < PARTS; i = i + 1) begin : part
        localparam FIRST = PART_BITS*i;
        localparam BITS = COUNT_BITS - FIRST < PART_BITS ? COUNT_BITS - FIRST : PART_BITS;

        always @(posedge clk) begin
            if (shift && zero_before[i]) begin
                remaining_reg[FIRST +: BITS] <= remaining_reg[FIRST +: BITS] - 1;
            end

            if (load) begin
                remaining_reg[FIRST +: BITS] <= s_axis_tuser[FIRST +: BITS];
            end
        end
    end

endgenerate

/*
 * Stage 2: codeword plus step is the rank
 */
reg [LONGEST-1:0] head;
reg [LONGEST-1:0] codeword;
// The low bits of the rank without raw bits, and a carry; the high ones must be 0
wire [CLASS_BITS:0] rank = {1'b0, codeword[7:RAW_BITS]} + {1'b0, step[CLASS_BITS-1:0]};

always @* begin
    codeword = 0;

    for (m = SHORTEST; m <= LONGEST; m = m + 1) begin
        codeword = codeword | (head >> (LONGEST - m) & {LONGEST{is_bits[m]}});
    end
end

always @* begin
    head = 0;

    for (l = 0; l < 8; l = l + 1) begin
        head = head | (window_reg[WINDOW_BITS-2-l -: LONGEST] & {LONGEST{is_gone_reg[l]}});
    end
end

reg [CLASS_BITS-1:0] rank_reg;
reg rank_symbol_reg;
reg rank_last_reg;
reg rank_long_reg;
reg rank_padded_reg;
reg rank_valid_reg;

wire rank_illegal;
wire illegal = rank_symbol_reg && rank_illegal;

// What follows an illegal codeword in stage 1 goes, unless it is the next packet already
assign stop = rank_valid_reg && illegal && !rank_last_reg && advance;

always @(posedge clk) begin
    if (advance) begin
        rank_reg <= rank[CLASS_BITS-1:0];
        rank_symbol_reg <= head_symbol;
        rank_last_reg <= head_last;
        rank_long_reg <= head_long;
        rank_padded_reg <= head_padded;
        rank_valid_reg <= head_valid && !stop;
    end

    if (rst) begin
        rank_valid_reg <= 1'b0;
    end
end

/*
 * Stage 3: the rank's symbol
 */
reg [CLASS_BITS-1:0] class_reg;
reg m_axis_tkeep_reg;
reg m_axis_tvalid_reg;
reg m_axis_tlast_reg;
reg [2:0] m_axis_tuser_reg;

assign advance = !m_axis_tvalid_reg || m_axis_tready;

assign m_axis_tdata[7:RAW_BITS] = class_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;
assign m_axis_tuser = m_axis_tuser_reg;

always @(posedge clk) begin
    if (advance) begin
        class_reg <= rank_symbol_reg && !rank_illegal ? symbol_mem[class_index] : {CLASS_BITS{1'b0}};
        m_axis_tkeep_reg <= rank_symbol_reg && !rank_illegal;
        m_axis_tlast_reg <= rank_last_reg || illegal;
        m_axis_tuser_reg <= illegal ? ILLEGAL_CODEWORD : rank_long_reg ? LENGTH_MISMATCH
            : rank_padded_reg ? NONZERO_PADDING : GOOD;
        m_axis_tvalid_reg <= rank_valid_reg;
    end

    if (rst) begin
        m_axis_tvalid_reg <= 1'b0;
    end
end

// Whether the high bits of a sum are 0, without a carry through them: each bit is taken with the carry
// that it has if all bits of the sum behind it are 0
localparam HIGH_BITS = LONGEST - 8;

generate

    if (HIGH_BITS > 0) begin : high
        wire [HIGH_BITS-1:0] x = codeword[LONGEST-1:8];
        wire [HIGH_BITS-1:0] y = step[STEP_BITS-1:CLASS_BITS];
        wire [HIGH_BITS:0] carries = {x | y, rank[CLASS_BITS]};
        reg [HIGH_BITS-1:0] sum_reg;
        reg [HIGH_BITS-1:0] carries_reg;

        assign rank_illegal = sum_reg != carries_reg;

        always @(posedge clk) begin
            if (advance) begin
                sum_reg <= x ^ y;
                carries_reg <= carries[HIGH_BITS-1:0];
            end
        end

        wire unused = &{1'b0, carries[HIGH_BITS]};
    end else begin : no_high
        wire unused = &{1'b0, rank[CLASS_BITS]};

        assign rank_illegal = 1'b0;
    end

    if (RAW_BITS > 0) begin : raw
        reg [RAW_BITS-1:0] rank_raw_reg;
        reg [RAW_BITS-1:0] raw_reg;

        assign m_axis_tdata[RAW_BITS-1:0] = raw_reg;

        always @(posedge clk) begin
            if (advance) begin
                rank_raw_reg <= codeword[RAW_BITS-1:0];
                raw_reg <= rank_symbol_reg && !rank_illegal ? rank_raw_reg : {RAW_BITS{1'b0}};
            end
        end
    end

endgenerate

/*
 * Banks: the length words of a packet's bank are kept while it is inside; its first beat looks its
 * head up before that
 */
generate

    if (BANKS > 1) begin : banks
        reg [32*LENGTHS-1:0] words_reg;
        reg [BANK_BITS-1:0] bank_reg;
        reg [BANK_BITS-1:0] rank_bank_reg;

        for (i = 0; i < LENGTHS; i = i + 1) begin : word
            localparam [3:0] INDEX = i;

            assign first_words[32*i +: 32] = length_mem[{s_axis_bank, INDEX}];
        end

        assign words = words_reg;
        assign length_write_index = {table_bank, table_addr[3:0]};
        assign class_write_index = {table_bank, table_addr[CLASS_BITS-1:0]};
        assign class_index = {rank_bank_reg, rank_reg};

        always @(posedge clk) begin
            if (!active_reg) begin
                words_reg <= first_words;
                bank_reg <= s_axis_bank;
            end

            if (advance) begin
                rank_bank_reg <= bank_reg;
            end
        end
    end else begin : bank
        for (i = 0; i < LENGTHS; i = i + 1) begin : word
            assign first_words[32*i +: 32] = length_mem[i];
        end

        assign words = first_words;
        assign length_write_index = table_addr[3:0];
        assign class_write_index = table_addr[CLASS_BITS-1:0];
        assign class_index = rank_reg;

        wire unused = &{1'b0, table_bank, s_axis_bank};
    end

endgenerate

endmodule

`resetall
