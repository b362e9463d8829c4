// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Huffman decoder core: one bitstream of canonical codewords of up to 16 bits per packet in, one
 * symbol a cycle out.
 *
 * What a good engineer would use instead of qlc_decoder_core, and built the same way:
 *
 *   1  the length of the codeword at the head of the window: for each length, whether the next
 *      bits are below the limit where the codewords of at most that length end
 *   2  the codeword plus the base of its length gives its rank, in canonical order
 *   3  the symbol table maps the rank to the symbol
 *
 * The length is compared in the cycle before, at every place where a head could be, before it is
 * known which it is. A symbol leaves 4 cycles after the input beat that completes its codeword
 * where the core was waiting for it, and one leaves every cycle while the packet lasts. Between two
 * packets two cycles pass without a symbol.
 *
 * s_axis_tuser of a packet's first beat is the number of symbols to decode. The used bytes of
 * an input beat must be contiguous from byte 0. A packet of 0 symbols gives one beat without
 * tkeep.
 *
 * m_axis_tuser of a packet's last beat is 0 or what was met first in stream order:
 *
 *   3  illegal-codeword   bits that no codeword begins with, which a complete code does not have
 *   4  length-mismatch    the packet ends inside a codeword or before the last symbol, or
 *                         holds more bytes than its symbols need
 *   5  nonzero-padding    a bit after the last codeword is 1
 *
 * A beat that ends a packet early carries no symbol and no tkeep. The rest of a bad packet is
 * dropped, and the next one is decoded.
 *
 * The table may be written while no packet is inside the core.
 */
module huffman_decoder_core #
(
    // Input width, a multiple of 8, at least 16 to sustain a symbol a cycle
    parameter DATA_BITS = 32,
    // Width of the symbol count
    parameter COUNT_BITS = 32,
    // $readmemh file of {base[7:0], limit[16:0]} by length, 1 first, "" for none
    parameter LENGTH_FILE = "",
    // $readmemh file of symbols by rank, "" for none
    parameter SYMBOL_FILE = ""
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
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire                   s_axis_tlast,
    input  wire [COUNT_BITS-1:0]  s_axis_tuser,

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

localparam MAX_LENGTH = 16;
localparam DATA_BYTES = DATA_BITS/8;
// The input is ready while this many bits or fewer wait: so two of the longest codewords are left
// when the next beat is in the window, and the one behind the head can be looked up
localparam ROOM_BITS = 3*MAX_LENGTH - 1;
localparam WINDOW_BITS = ROOM_BITS + DATA_BITS;
localparam FILL_BITS = $clog2(WINDOW_BITS + 1);

// check configuration
initial begin
    if (DATA_BITS < 16 || DATA_BITS % 8 != 0) begin
        $error("Error: DATA_BITS must be a multiple of 8, at least 16 (instance %m)");
        $finish;
    end
end

/*
 * Tables
 */
reg [24:0] length_mem[0:MAX_LENGTH-1];
reg [7:0] symbol_mem[0:255];

generate

    if (LENGTH_FILE != "") begin : init_length
        initial begin
            $readmemh(LENGTH_FILE, length_mem);
        end
    end

    if (SYMBOL_FILE != "") begin : init_symbol
        initial begin
            $readmemh(SYMBOL_FILE, symbol_mem);
        end
    end

endgenerate

always @(posedge clk) begin
    if (table_we && table_addr[8]) begin
        length_mem[table_addr[3:0]] <= table_data;
    end

    if (table_we && !table_addr[8]) begin
        symbol_mem[table_addr[7:0]] <= table_data[7:0];
    end
end

// Side by side, that of length n at place n - 1
wire [17*MAX_LENGTH-1:0] limits;
wire [8*MAX_LENGTH-1:0] bases;

genvar n;

generate

    for (n = 0; n < MAX_LENGTH; n = n + 1) begin : table_length
        assign limits[17*n +: 17] = length_mem[n][16:0];
        assign bases[8*n +: 8] = length_mem[n][24:17];
    end

endgenerate

// A limit's bits above its length and one are not looked at
wire unused = &{1'b0, limits};

/*
 * Input beat, first bit most significant, unused bytes 0
 */
wire [DATA_BITS-1:0] beat;
wire [FILL_BITS-1:0] beat_bits;

genvar k;

generate

    for (k = 0; k < DATA_BYTES; k = k + 1) begin : byte_order
        assign beat[DATA_BITS-1-8*k -: 8] = s_axis_tdata[8*k +: 8] & {8{s_axis_tkeep[k]}};
    end

endgenerate

function [FILL_BITS-1:0] used_bits(input [DATA_BYTES-1:0] keep);
    integer i;
    begin
        used_bits = 0;

        for (i = 0; i < DATA_BYTES; i = i + 1) begin
            if (keep[i]) begin
                used_bits = used_bits + 8;
            end
        end
    end
endfunction

assign beat_bits = used_bits(s_axis_tkeep);

/*
 * Stage 1: window, its head's length
 *
 * The loop is from the head's length to that of the next head. Lengths are one-hot, and looked up
 * in the window as it is before a beat comes in, so there are two counts of what is in the window.
 */
// A packet has begun; its last beat has been taken, and has been looked up; its rest is being dropped
reg active_reg;
reg ended_reg;
reg settled_reg;
reg drop_reg;
reg s_axis_tready_reg;
reg [COUNT_BITS-1:0] remaining_reg;
reg none_remaining_reg;
reg one_remaining_reg;
// First bit most significant, 0 behind the last; of no meaning between packets
reg [WINDOW_BITS-1:0] window_reg;
// Bits in the window, and the same bit by bit: there are more than i
reg [FILL_BITS-1:0] fill_reg;
reg [ROOM_BITS:0] more_reg;
// There were more than i when the head was looked up
reg [MAX_LENGTH-1:0] known_reg;
// The head's length is i where bit i is set; of no meaning while there are fewer bits
reg [MAX_LENGTH:1] length_reg;

assign s_axis_tready = s_axis_tready_reg;

wire take = s_axis_tvalid && s_axis_tready_reg;

// Stage 2 and 3 state that stage 1 looks at
wire stage2_ready;
wire stop;

// What is in the window with the beat that is taken. It goes to its place by bits, then by whole bytes:
// those as an AND-OR, which came out faster than one shift
wire [WINDOW_BITS-1:0] stepped = {beat, {ROOM_BITS{1'b0}}} >> fill_reg[2:0];
reg [WINDOW_BITS-1:0] inserted;

integer b;

always @* begin
    inserted = 0;

    for (b = 0; b <= ROOM_BITS/8; b = b + 1) begin
        inserted = inserted
            | (stepped >> 8*b & {WINDOW_BITS{take && fill_reg[FILL_BITS-1:3] == b[FILL_BITS-4:0]}});
    end
end

wire [WINDOW_BITS-1:0] window_filled = window_reg | inserted;
wire [FILL_BITS-1:0] fill_filled = fill_reg + (beat_bits & {FILL_BITS{take}});
wire [ROOM_BITS+MAX_LENGTH:0] more_filled;

generate

    for (k = 0; k <= ROOM_BITS + MAX_LENGTH; k = k + 1) begin : count
        assign more_filled[k] = fill_filled > k;
    end

endgenerate

/*
 * The length of the codeword at every place of the window where the next head may be. The longest
 * is that of all bits that begin no shorter codeword.
 */
wire [(MAX_LENGTH+1)*MAX_LENGTH-1:0] lengths;

generate

    for (k = 0; k <= MAX_LENGTH; k = k + 1) begin : place
        wire [MAX_LENGTH:0] below;

        assign below[0] = 1'b0;
        assign below[MAX_LENGTH] = 1'b1;

        for (n = 1; n < MAX_LENGTH; n = n + 1) begin : length
            assign below[n] = {1'b0, window_reg[WINDOW_BITS-1-k -: n]} < limits[17*(n-1) +: n+1];
        end

        assign lengths[MAX_LENGTH*k +: MAX_LENGTH] = below[MAX_LENGTH:1] & ~below[MAX_LENGTH-1:0];
    end

endgenerate

// The same behind the head, where the head leaves
reg complete;
reg rest_byte;
reg [4:0] length;
reg [WINDOW_BITS-1:0] window_shifted;
reg [MAX_LENGTH+6:0] padding;
reg [ROOM_BITS:0] more_shifted;
reg [MAX_LENGTH-1:0] known_shifted;
reg [MAX_LENGTH:1] length_shifted;

integer i;

always @* begin
    complete = 1'b0;
    rest_byte = 1'b0;
    length = 0;
    window_shifted = 0;
    padding = 0;
    more_shifted = 0;
    known_shifted = 0;
    length_shifted = 0;

    for (i = 1; i <= MAX_LENGTH; i = i + 1) begin
        complete = complete | (length_reg[i] & known_reg[i-1]);
        rest_byte = rest_byte | (length_reg[i] & more_reg[i+7]);
        length = length | (i[4:0] & {5{length_reg[i]}});
        window_shifted = window_shifted | (window_filled << i & {WINDOW_BITS{length_reg[i]}});
        // A last codeword's padding: at most 7 bits, so within the longest codeword and 7 bits
        padding = padding
            | (window_reg[WINDOW_BITS-1 -: MAX_LENGTH+7] << i & {MAX_LENGTH+7{length_reg[i]}});
        more_shifted = more_shifted | (more_filled[i +: ROOM_BITS+1] & {ROOM_BITS+1{length_reg[i]}});
        known_shifted = known_shifted | (more_reg[i +: MAX_LENGTH] & {MAX_LENGTH{length_reg[i]}});
        length_shifted = length_shifted | (lengths[MAX_LENGTH*i +: MAX_LENGTH] & {MAX_LENGTH{length_reg[i]}});
    end
end

// What can be said of the head: a symbol; a symbol that ends the packet; the end without one
wire head_symbol = active_reg && !none_remaining_reg && complete
    && (!one_remaining_reg || ended_reg || rest_byte);
wire head_cut = active_reg && !none_remaining_reg && !complete && settled_reg;
wire head_none = active_reg && none_remaining_reg && (ended_reg || more_reg[0]);
wire head_valid = head_symbol || head_cut || head_none;
wire head_last = one_remaining_reg || !head_symbol;

wire leave = head_valid && stage2_ready;
wire shift = head_symbol && stage2_ready;
// The packet is over for stage 1, decoded or not
wire finish = (leave && head_last) || stop;

wire [FILL_BITS-1:0] fill_shifted = fill_filled - {{FILL_BITS-5{1'b0}}, length};
wire [ROOM_BITS:0] more_next = shift ? more_shifted : more_filled[ROOM_BITS:0];

wire [2:0] head_error =
    head_symbol ? (!one_remaining_reg ? GOOD : rest_byte ? LENGTH_MISMATCH
        : padding != 0 ? NONZERO_PADDING : GOOD)
    : head_cut || more_reg[0] ? LENGTH_MISMATCH : GOOD;

wire ended_next = ended_reg || (take && s_axis_tlast);

always @(posedge clk) begin
    window_reg <= shift ? window_shifted : inserted | (window_reg & {WINDOW_BITS{active_reg}});
    fill_reg <= shift ? fill_shifted : fill_filled;
    more_reg <= more_next;
    known_reg <= shift ? known_shifted : more_reg[MAX_LENGTH-1:0];
    length_reg <= shift ? length_shifted : lengths[MAX_LENGTH-1:0];

    if (shift) begin
        remaining_reg <= remaining_reg - 1;
        one_remaining_reg <= remaining_reg == 2;
    end

    if (take && !active_reg && !drop_reg) begin
        active_reg <= 1'b1;
        remaining_reg <= s_axis_tuser;
        none_remaining_reg <= s_axis_tuser == 0;
        one_remaining_reg <= s_axis_tuser == 1;
    end

    ended_reg <= ended_next && !drop_reg;
    settled_reg <= ended_reg && !finish;
    drop_reg <= drop_reg && !ended_next;
    s_axis_tready_reg <= drop_reg || (!ended_next && !more_next[ROOM_BITS]);

    if (finish) begin
        active_reg <= 1'b0;
        ended_reg <= 1'b0;
        drop_reg <= !ended_next;
        s_axis_tready_reg <= 1'b1;
    end

    if (finish || drop_reg) begin
        fill_reg <= 0;
        more_reg <= 0;
    end

    if (rst) begin
        active_reg <= 1'b0;
        ended_reg <= 1'b0;
        settled_reg <= 1'b0;
        drop_reg <= 1'b0;
        s_axis_tready_reg <= 1'b0;
        fill_reg <= 0;
        more_reg <= 0;
    end
end

/*
 * Stage 2: codeword plus base is the rank
 */
wire illegal_head = {1'b0, window_reg[WINDOW_BITS-1 -: MAX_LENGTH]} >= limits[17*MAX_LENGTH-1 -: 17];
wire [MAX_LENGTH+6:0] head = {7'd0, window_reg[WINDOW_BITS-1 -: MAX_LENGTH]};
reg [7:0] codeword;
reg [7:0] base;

integer o;

always @* begin
    codeword = 0;
    base = 0;

    for (o = 1; o <= MAX_LENGTH; o = o + 1) begin
        // The low 8 of its bits are enough
        codeword = codeword | (head[MAX_LENGTH-o +: 8] & {8{length_reg[o]}});
        base = base | (bases[8*(o-1) +: 8] & {8{length_reg[o]}});
    end
end

reg [7:0] rank_reg;
reg rank_illegal_reg;
reg rank_symbol_reg;
reg rank_last_reg;
reg [2:0] rank_error_reg;
reg rank_valid_reg;

wire stage3_ready;

assign stage2_ready = !rank_valid_reg || stage3_ready;

// An illegal codeword ends the packet: what follows it in stage 1 goes, unless already the next packet
assign stop = rank_valid_reg && rank_illegal_reg && !rank_last_reg && stage3_ready;

always @(posedge clk) begin
    if (stage2_ready) begin
        rank_reg <= codeword + base;
        rank_illegal_reg <= illegal_head && !none_remaining_reg;
        rank_symbol_reg <= head_symbol;
        rank_last_reg <= head_last;
        rank_error_reg <= head_error;
        rank_valid_reg <= head_valid && !stop;
    end

    if (rst) begin
        rank_valid_reg <= 1'b0;
    end
end

/*
 * Stage 3: the rank's symbol
 */
reg [7:0] m_axis_tdata_reg;
reg m_axis_tkeep_reg;
reg m_axis_tvalid_reg;
reg m_axis_tlast_reg;
reg [2:0] m_axis_tuser_reg;

assign stage3_ready = !m_axis_tvalid_reg || m_axis_tready;

assign m_axis_tdata = m_axis_tdata_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;
assign m_axis_tuser = m_axis_tuser_reg;

always @(posedge clk) begin
    if (stage3_ready) begin
        m_axis_tdata_reg <= rank_symbol_reg && !rank_illegal_reg ? symbol_mem[rank_reg] : 8'd0;
        m_axis_tkeep_reg <= rank_symbol_reg && !rank_illegal_reg;
        m_axis_tlast_reg <= rank_last_reg || rank_illegal_reg;
        m_axis_tuser_reg <= rank_illegal_reg ? ILLEGAL_CODEWORD : rank_error_reg;
        m_axis_tvalid_reg <= rank_valid_reg;
    end

    if (rst) begin
        m_axis_tvalid_reg <= 1'b0;
    end
end

endmodule

`resetall
