// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC decoder core: one bitstream of codewords per packet in, one symbol a cycle out.
 *
 * Three stages, one register each:
 *
 *   1  the prefix at the head of the window gives its area, so the codeword's length
 *   2  offset plus the area's base gives the rank
 *   3  the symbol table maps the rank to the symbol
 *
 * so a symbol leaves 3 cycles after the input beat that completes its codeword. Between two
 * packets one cycle passes without a symbol.
 *
 * s_axis_tuser of a packet's first beat is the number of symbols to decode. The used bytes of
 * an input beat must be contiguous from byte 0. A packet of 0 symbols gives one beat without
 * tkeep.
 *
 * m_axis_tuser of a packet's last beat is 0 or what was met first in stream order:
 *
 *   3  illegal-codeword   an offset past the end of its area
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
    // Prefix bits of the scheme, 1..4
    parameter PREFIX_BITS = 3,
    // Input width, a multiple of 8, at least 16 to sustain a symbol a cycle
    parameter DATA_BITS = 32,
    // Width of the symbol count
    parameter COUNT_BITS = 32,
    // Tables resident
    parameter BANKS = 1,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1,
    // $readmemh file of bank 0: {extra[3:0], base[11:0]} by area, "" for none
    parameter AREA_FILE = "",
    // $readmemh file of bank 0: symbols by rank, "" for none
    parameter SYMBOL_FILE = ""
)
(
    input  wire                   clk,
    input  wire                   rst,

    /*
     * Table write port. Address 0..255: symbol of a rank, in the low 8 bits of data;
     * 256 + a: {extra[3:0], base[11:0]} of area a. Banks are not looked at where there is one
     */
    input  wire                   table_we,
    input  wire [BANK_BITS-1:0]   table_bank,
    input  wire [8:0]             table_addr,
    input  wire [15:0]            table_data,

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

localparam AREAS = 1 << PREFIX_BITS;
localparam DATA_BYTES = DATA_BITS/8;
// The input is ready while this many bits or fewer wait: two of the longest codewords, so that
// one is left when the next beat arrives
localparam ROOM_BITS = 24;
localparam WINDOW_BITS = ROOM_BITS + DATA_BITS;
localparam FILL_BITS = $clog2(WINDOW_BITS + 1);
localparam TAIL_BITS = PREFIX_BITS > 1 ? PREFIX_BITS - 1 : 1;

// check configuration
initial begin
    if (PREFIX_BITS < 1 || PREFIX_BITS > 4) begin
        $error("Error: PREFIX_BITS must be 1..4 (instance %m)");
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

reg [15:0] area_mem[0:BANKS*AREAS-1];
reg [7:0] symbol_mem[0:BANKS*256-1];

generate

    if (AREA_FILE != "") begin : init_area
        initial begin
            $readmemh(AREA_FILE, area_mem, 0, AREAS - 1);
        end
    end

    if (SYMBOL_FILE != "") begin : init_symbol
        initial begin
            $readmemh(SYMBOL_FILE, symbol_mem, 0, 255);
        end
    end

endgenerate

// Where a bank is written and its symbols are looked at
wire [BANK_INDEX_BITS+PREFIX_BITS-1:0] area_write_index;
wire [BANK_INDEX_BITS+7:0] symbol_write_index;
wire [BANK_INDEX_BITS+7:0] symbol_index;
// The areas' words in the bank of the packet inside, and in that of a packet that begins
wire [16*AREAS-1:0] areas;
wire [16*AREAS-1:0] first_areas;

always @(posedge clk) begin
    if (table_we && table_addr[8]) begin
        area_mem[area_write_index] <= table_data;
    end

    if (table_we && !table_addr[8]) begin
        symbol_mem[symbol_write_index] <= table_data[7:0];
    end
end

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
 * The loop is from the head's length to that of the next head, so it is kept short: lengths are
 * one-hot, and every place where the next head may be is looked up before it is known which.
 */
// A packet has begun; its last beat has been taken; its rest is being dropped
reg active_reg;
reg ended_reg;
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
// The last bits taken
reg [TAIL_BITS-1:0] tail_reg;
// The head's length is PREFIX_BITS + i where bit i is set; of no meaning while its prefix is not complete
reg [8:0] extra_reg;

assign s_axis_tready = s_axis_tready_reg;

wire take = s_axis_tvalid && s_axis_tready_reg;

// Stage 2 and 3 state that stage 1 looks at
wire stage2_ready;
wire stop;

// What is in the window with the beat that is taken
wire [WINDOW_BITS-1:0] inserted = {WINDOW_BITS{take}} & ({beat, {ROOM_BITS{1'b0}}} >> fill_reg);
wire [WINDOW_BITS-1:0] window_filled = window_reg | inserted;
wire [FILL_BITS-1:0] fill_filled = fill_reg + (beat_bits & {FILL_BITS{take}});
wire [ROOM_BITS+12:0] more_filled;

genvar e;

generate

    for (k = 0; k <= ROOM_BITS + 12; k = k + 1) begin : count
        assign more_filled[k] = fill_filled > k;
    end

endgenerate

// The same behind the head, where the head leaves
reg complete;
reg rest_byte;
reg [3:0] length;
reg [WINDOW_BITS-1:0] window_shifted;
reg [18:0] padding;
reg [ROOM_BITS:0] more_shifted;
// As many of the next prefix' bits are there, and the others are not; with and without the head
reg [PREFIX_BITS-1:0] few_shifted;
reg [PREFIX_BITS-1:0] few_held;

integer i, j;

always @* begin
    complete = 1'b0;
    rest_byte = 1'b0;
    length = 0;
    window_shifted = 0;
    padding = 0;
    more_shifted = 0;
    few_shifted = 0;

    for (i = 0; i <= 8; i = i + 1) begin
        complete = complete | (extra_reg[i] & more_reg[PREFIX_BITS+i-1]);
        rest_byte = rest_byte | (extra_reg[i] & more_reg[PREFIX_BITS+i+7]);
        length = length | (PREFIX_BITS[3:0] + i[3:0] & {4{extra_reg[i]}});
        window_shifted = window_shifted
            | (window_filled << (PREFIX_BITS + i) & {WINDOW_BITS{extra_reg[i]}});
        // A last codeword's padding: at most 7 bits, so within the longest codeword and 7 bits
        padding = padding | (window_reg[WINDOW_BITS-1 -: 19] << (PREFIX_BITS + i) & {19{extra_reg[i]}});
        more_shifted = more_shifted
            | (more_filled[PREFIX_BITS+i +: ROOM_BITS+1] & {ROOM_BITS+1{extra_reg[i]}});

        for (j = 0; j < PREFIX_BITS; j = j + 1) begin
            few_shifted[j] = few_shifted[j]
                | (extra_reg[i] & more_reg[PREFIX_BITS+i+j-1] & !more_reg[PREFIX_BITS+i+j]);
        end
    end

    few_held[0] = !more_reg[0];

    for (j = 1; j < PREFIX_BITS; j = j + 1) begin
        few_held[j] = more_reg[j-1] & !more_reg[j];
    end
end

// What can be said of the head: a symbol; a symbol that ends the packet; the end without one
wire head_symbol = active_reg && !none_remaining_reg && complete
    && (!one_remaining_reg || ended_reg || rest_byte);
wire head_cut = active_reg && !none_remaining_reg && !complete && ended_reg;
wire head_none = active_reg && none_remaining_reg && (ended_reg || more_reg[0]);
wire head_valid = head_symbol || head_cut || head_none;
wire head_last = one_remaining_reg || !head_symbol;

wire leave = head_valid && stage2_ready;
wire shift = head_symbol && stage2_ready;
// The packet is over for stage 1, decoded or not
wire finish = (leave && head_last) || stop;

wire [FILL_BITS-1:0] fill_shifted = fill_filled - {{FILL_BITS-4{1'b0}}, length};
wire [ROOM_BITS:0] more_next = shift ? more_shifted : more_filled[ROOM_BITS:0];

wire [2:0] head_error =
    head_symbol ? (!one_remaining_reg ? GOOD : rest_byte ? LENGTH_MISMATCH
        : padding != 0 ? NONZERO_PADDING : GOOD)
    : head_cut || more_reg[0] ? LENGTH_MISMATCH : GOOD;

wire ended_next = ended_reg || (take && s_axis_tlast);

// The next prefix where some of its bits come with the beat: it begins up to TAIL_BITS before it
wire [TAIL_BITS+PREFIX_BITS-1:0] seam = {tail_reg, beat[DATA_BITS-1 -: PREFIX_BITS]};
wire [8:0] extra_next;

integer t;

generate

    for (e = 0; e <= 8; e = e + 1) begin : extra
        // The areas of this length
        wire [AREAS-1:0] here;
        wire [AREAS-1:0] first_here;
        // By where the next head is: in the window behind this head; at the seam
        wire [8:0] behind;
        wire [PREFIX_BITS-1:0] at_seam;

        for (k = 0; k < AREAS; k = k + 1) begin : area
            assign here[k] = areas[16*k+12 +: 4] == e;
            assign first_here[k] = first_areas[16*k+12 +: 4] == e;
        end

        for (k = 0; k <= 8; k = k + 1) begin : window
            assign behind[k] = here[window_reg[WINDOW_BITS-1-PREFIX_BITS-k -: PREFIX_BITS]];
        end

        assign at_seam[0] = active_reg ? here[seam[PREFIX_BITS-1:0]] : first_here[seam[PREFIX_BITS-1:0]];

        for (k = 1; k < PREFIX_BITS; k = k + 1) begin : split
            assign at_seam[k] = here[seam[k +: PREFIX_BITS]];
        end

        wire shifted = |(few_shifted & at_seam) || (few_shifted == 0 && |(extra_reg & behind));
        wire held = |(few_held & at_seam) || (few_held == 0 && extra_reg[e]);

        assign extra_next[e] = shift ? shifted : held;
    end

    if (PREFIX_BITS == 1) begin : no_tail
        wire unused = &{1'b0, seam[TAIL_BITS+PREFIX_BITS-1]};
    end

endgenerate

always @(posedge clk) begin
    window_reg <= shift ? window_shifted : inserted | (window_reg & {WINDOW_BITS{active_reg}});
    fill_reg <= shift ? fill_shifted : fill_filled;
    more_reg <= more_next;
    extra_reg <= extra_next;

    for (t = 0; t < DATA_BYTES; t = t + 1) begin
        if (take && s_axis_tkeep[t]) begin
            tail_reg <= s_axis_tdata[8*t +: TAIL_BITS];
        end
    end

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
        drop_reg <= 1'b0;
        s_axis_tready_reg <= 1'b0;
        fill_reg <= 0;
        more_reg <= 0;
    end
end

/*
 * Stage 2: offset plus base is the rank
 */
wire [PREFIX_BITS-1:0] prefix = window_reg[WINDOW_BITS-1 -: PREFIX_BITS];
wire [8:0] base = areas[{prefix, 4'd0} +: 9];
reg [7:0] offset;

integer o;

always @* begin
    offset = 0;

    for (o = 1; o <= 8; o = o + 1) begin
        offset = offset | (window_reg[WINDOW_BITS-1-PREFIX_BITS -: 8] >> (8 - o) & {8{extra_reg[o]}});
    end
end

reg [8:0] rank_reg;
reg rank_symbol_reg;
reg rank_last_reg;
reg [2:0] rank_error_reg;
reg rank_valid_reg;

wire stage3_ready;

assign stage2_ready = !rank_valid_reg || stage3_ready;

wire illegal = rank_symbol_reg && rank_reg[8];

// An illegal codeword ends the packet: what follows it in stage 1 goes, unless already the next packet
assign stop = rank_valid_reg && illegal && !rank_last_reg && stage3_ready;

always @(posedge clk) begin
    if (stage2_ready) begin
        rank_reg <= base + {1'b0, offset};
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
        m_axis_tdata_reg <= rank_symbol_reg && !illegal ? symbol_mem[symbol_index] : 8'd0;
        m_axis_tkeep_reg <= rank_symbol_reg && !illegal;
        m_axis_tlast_reg <= rank_last_reg || illegal;
        m_axis_tuser_reg <= illegal ? ILLEGAL_CODEWORD : rank_error_reg;
        m_axis_tvalid_reg <= rank_valid_reg;
    end

    if (rst) begin
        m_axis_tvalid_reg <= 1'b0;
    end
end

/*
 * Banks: the areas of a packet's bank are kept while it is inside; its first beat looks its head
 * up before that
 */
generate

    if (BANKS > 1) begin : banks
        reg [16*AREAS-1:0] areas_reg;
        reg [BANK_BITS-1:0] bank_reg;
        reg [BANK_BITS-1:0] rank_bank_reg;

        for (k = 0; k < AREAS; k = k + 1) begin : area
            localparam [PREFIX_BITS-1:0] AREA = k;

            assign first_areas[16*k +: 16] = area_mem[{s_axis_bank, AREA}];
        end

        assign areas = areas_reg;
        assign area_write_index = {table_bank, table_addr[PREFIX_BITS-1:0]};
        assign symbol_write_index = {table_bank, table_addr[7:0]};
        assign symbol_index = {rank_bank_reg, rank_reg[7:0]};

        always @(posedge clk) begin
            if (!active_reg) begin
                areas_reg <= first_areas;
                bank_reg <= s_axis_bank;
            end

            if (stage2_ready) begin
                rank_bank_reg <= bank_reg;
            end
        end
    end else begin : bank
        for (k = 0; k < AREAS; k = k + 1) begin : area
            assign first_areas[16*k +: 16] = area_mem[k];
        end

        assign areas = first_areas;
        assign area_write_index = table_addr[PREFIX_BITS-1:0];
        assign symbol_write_index = table_addr[7:0];
        assign symbol_index = rank_reg[7:0];

        wire unused = &{1'b0, table_bank, s_axis_bank};
    end

endgenerate

endmodule

`resetall
