// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Bit-serial Huffman decoder: walks the code's tree by one bit of the bitstream a cycle.
 *
 * The plain decoder of a Huffman code, for any prefix code of up to 256 inner nodes, whatever the
 * lengths of its codewords. A codeword of n bits takes n cycles, and its symbol leaves n + 1 cycles
 * after the input beat that holds it. Between two packets one cycle passes without a bit.
 *
 * Ports and packets are as those of qlc_decoder_core, but for the table and its banks.
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
 * The tree may be written while no packet is inside the decoder.
 */
module huffman_decoder_serial #
(
    // Input width, a multiple of 8
    parameter DATA_BITS = 32,
    // Width of the symbol count
    parameter COUNT_BITS = 32,
    // $readmemh file of {child of 1 [8:0], child of 0 [8:0]} by node, "" for none
    parameter TREE_FILE = ""
)
(
    input  wire                   clk,
    input  wire                   rst,

    /*
     * Tree write port. Data {child of 1 [8:0], child of 0 [8:0]} of an inner node, 0 the root; a child
     * is {1, symbol} or {0, node}, or 0 where there is none
     */
    input  wire                   table_we,
    input  wire [7:0]             table_addr,
    input  wire [17:0]            table_data,

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

localparam DATA_BYTES = DATA_BITS/8;
localparam BYTE_BITS = $clog2(DATA_BYTES + 1);
// The input is ready while this many bits or fewer wait. A whole byte behind the last codeword tells
// that there are too many, so there must be room for it
localparam ROOM_BITS = 8;
localparam WINDOW_BITS = ROOM_BITS + DATA_BITS;
localparam FILL_BITS = $clog2(WINDOW_BITS + 1);

// check configuration
initial begin
    if (DATA_BITS < 8 || DATA_BITS % 8 != 0) begin
        $error("Error: DATA_BITS must be a multiple of 8, at least 8 (instance %m)");
        $finish;
    end
end

/*
 * Tree
 */
reg [17:0] tree_mem[0:255];

generate

    if (TREE_FILE != "") begin : init
        initial begin
            $readmemh(TREE_FILE, tree_mem);
        end
    end

endgenerate

always @(posedge clk) begin
    if (table_we) begin
        tree_mem[table_addr] <= table_data;
    end
end

/*
 * Input beat, first bit most significant, unused bytes 0
 */
wire [DATA_BITS-1:0] beat;

genvar k;

generate

    for (k = 0; k < DATA_BYTES; k = k + 1) begin : byte_order
        assign beat[DATA_BITS-1-8*k -: 8] = s_axis_tdata[8*k +: 8] & {8{s_axis_tkeep[k]}};
    end

endgenerate

wire [BYTE_BITS-1:0] beat_bytes;
wire [FILL_BITS-1:0] beat_bits = {{FILL_BITS-BYTE_BITS{1'b0}}, beat_bytes} << 3;

qlc_keep_count #(
    .BYTES(DATA_BYTES)
)
count_inst (
    .keep(s_axis_tkeep),
    .count(beat_bytes)
);

/*
 * Window: the next bit at its head
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
// Bits in the window; whether there is one, and a whole byte behind it
reg [FILL_BITS-1:0] fill_reg;
reg any_reg;
reg rest_byte_reg;
// Where in the tree the bits so far lead
reg [7:0] node_reg;

assign s_axis_tready = s_axis_tready_reg;

wire take = s_axis_tvalid && s_axis_tready_reg;
wire output_ready;

wire [17:0] children = tree_mem[node_reg];
wire [8:0] child = window_reg[WINDOW_BITS-1] ? children[17:9] : children[8:0];
wire leaf = child[8];

// The next bit leads to an inner node, to a symbol, or to nothing; or the packet is over
wire head_bit = active_reg && !none_remaining_reg && any_reg;
wire head_inner = head_bit && !leaf && child != 0;
wire head_symbol = head_bit && leaf && (!one_remaining_reg || ended_reg || rest_byte_reg);
wire head_illegal = head_bit && child == 0;
wire head_cut = active_reg && !none_remaining_reg && !any_reg && ended_reg;
wire head_none = active_reg && none_remaining_reg && (ended_reg || any_reg);
wire head_valid = head_symbol || head_illegal || head_cut || head_none;
wire head_last = one_remaining_reg || !head_symbol;

wire shift = head_inner || (head_symbol && output_ready);
// The packet is over, decoded or not
wire finish = head_valid && head_last && output_ready;

wire [2:0] head_error =
    head_symbol ? (!one_remaining_reg ? GOOD : rest_byte_reg ? LENGTH_MISMATCH
        : window_reg[WINDOW_BITS-2 -: 7] != 0 ? NONZERO_PADDING : GOOD)
    : head_illegal ? ILLEGAL_CODEWORD
    : head_cut || any_reg ? LENGTH_MISMATCH : GOOD;

wire [WINDOW_BITS-1:0] inserted = {WINDOW_BITS{take}} & ({beat, {ROOM_BITS{1'b0}}} >> fill_reg);
wire [WINDOW_BITS-1:0] window_filled = window_reg | inserted;
wire [FILL_BITS-1:0] fill_filled = fill_reg + (beat_bits & {FILL_BITS{take}});
wire ended_next = ended_reg || (take && s_axis_tlast);

always @(posedge clk) begin
    window_reg <= shift ? window_filled << 1 : inserted | (window_reg & {WINDOW_BITS{active_reg}});
    // Both cases are computed before it is known which it is
    fill_reg <= shift ? fill_filled - 1 : fill_filled;
    any_reg <= shift ? fill_filled > 1 : fill_filled != 0;
    rest_byte_reg <= shift ? fill_filled > 9 : fill_filled > 8;

    if (shift) begin
        node_reg <= leaf ? 8'd0 : child[7:0];
    end

    if (shift && leaf) begin
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
    s_axis_tready_reg <= drop_reg || (!ended_next && fill_filled <= ROOM_BITS);

    if (finish) begin
        active_reg <= 1'b0;
        ended_reg <= 1'b0;
        drop_reg <= !ended_next;
        s_axis_tready_reg <= 1'b1;
        node_reg <= 0;
    end

    if (finish || drop_reg) begin
        fill_reg <= 0;
        any_reg <= 1'b0;
        rest_byte_reg <= 1'b0;
    end

    if (rst) begin
        active_reg <= 1'b0;
        ended_reg <= 1'b0;
        drop_reg <= 1'b0;
        s_axis_tready_reg <= 1'b0;
        fill_reg <= 0;
        any_reg <= 1'b0;
        rest_byte_reg <= 1'b0;
        node_reg <= 0;
    end
end

/*
 * Output
 */
reg [7:0] m_axis_tdata_reg;
reg m_axis_tkeep_reg;
reg m_axis_tvalid_reg;
reg m_axis_tlast_reg;
reg [2:0] m_axis_tuser_reg;

assign output_ready = !m_axis_tvalid_reg || m_axis_tready;

assign m_axis_tdata = m_axis_tdata_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;
assign m_axis_tuser = m_axis_tuser_reg;

always @(posedge clk) begin
    if (output_ready) begin
        m_axis_tdata_reg <= child[7:0] & {8{head_symbol}};
        m_axis_tkeep_reg <= head_symbol;
        m_axis_tlast_reg <= head_last;
        m_axis_tuser_reg <= head_error;
        m_axis_tvalid_reg <= head_valid;
    end

    if (rst) begin
        m_axis_tvalid_reg <= 1'b0;
    end
end

endmodule

`resetall
