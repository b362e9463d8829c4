// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC encoder core: symbols in, one continuous bitstream of codewords per packet out.
 *
 *   rank         every symbol's rank, looked up                 qlc_rank_table
 *   area         the rank's area, and with it the length        qlc_area_lanes
 *   codeword     of rank and area                               qlc_codeword_lanes
 *   packer       joins the codewords, most significant bit first qlc_packer
 *   sender       takes bursts of long codewords, and cuts packed words into output beats
 *                                                                qlc_word_sender
 *
 * One beat is taken every cycle while the packed output fits the output bus. s_axis_tready
 * does not depend on m_axis_tready in the same cycle. Bytes without tkeep are dropped, wherever
 * they are; a packet without any byte gives one beat without any byte. The last byte of a
 * packet is filled with 0 bits.
 *
 * The table may be written while no packet is inside the core.
 */
module qlc_encoder_core #
(
    // Symbols per input beat, 1..32
    parameter SYMBOLS = 32,
    // Prefix bits of the scheme, 1..4
    parameter PREFIX_BITS = 3,
    // Words of burst storage between packer and output, a power of two, at least 2
    parameter FIFO_WORDS = 4,
    // $readmemh files: ranks by symbol, and {extra[3:0], base[11:0]} by area; "" for none
    parameter RANK_FILE = "",
    parameter AREA_FILE = ""
)
(
    input  wire                 clk,
    input  wire                 rst,

    /*
     * Table write port: word s is the rank of symbol s, word 256+a {extra[3:0], base[11:0]} of
     * area a
     */
    input  wire                 table_we,
    input  wire [8:0]           table_addr,
    input  wire [15:0]          table_data,

    /*
     * AXI4-Stream input, one symbol a byte
     */
    input  wire [8*SYMBOLS-1:0] s_axis_tdata,
    input  wire [SYMBOLS-1:0]   s_axis_tkeep,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire                 s_axis_tlast,

    /*
     * AXI4-Stream output, the bitstream
     */
    output wire [255:0]         m_axis_tdata,
    output wire [31:0]          m_axis_tkeep,
    output wire                 m_axis_tvalid,
    input  wire                 m_axis_tready,
    output wire                 m_axis_tlast
);

localparam AREAS = 1 << PREFIX_BITS;
localparam MAX_LENGTH = PREFIX_BITS + 8;
// The packer's last rotation works in steps of 32 bits, so a beat needs 31 bits of slack.
localparam PACKED_BITS = SYMBOLS*MAX_LENGTH + 31 <= 256 ? 256 : 512;
localparam COUNT_BITS = $clog2(PACKED_BITS/8 + 1);

// check configuration
initial begin
    if (SYMBOLS < 1 || SYMBOLS > 32) begin
        $error("Error: SYMBOLS must be 1..32 (instance %m)");
        $finish;
    end

    if (PREFIX_BITS < 1 || PREFIX_BITS > 4) begin
        $error("Error: PREFIX_BITS must be 1..4 (instance %m)");
        $finish;
    end
end

wire advance;

assign s_axis_tready = advance;

/*
 * Rank
 */
wire [SYMBOLS*8-1:0] ranks;

qlc_rank_table #(
    .SYMBOLS(SYMBOLS),
    .RANK_FILE(RANK_FILE)
)
rank_table_inst (
    .clk(clk),
    .table_we(table_we && !table_addr[8]),
    .table_addr(table_addr[7:0]),
    .table_data(table_data[7:0]),
    .enable(advance && s_axis_tvalid),
    .symbols(s_axis_tdata),
    .ranks(ranks)
);

reg rank_valid_reg;
reg rank_last_reg;
reg [SYMBOLS-1:0] rank_keep_reg;

always @(posedge clk) begin
    if (advance) begin
        rank_valid_reg <= s_axis_tvalid;
        rank_last_reg <= s_axis_tlast;
        rank_keep_reg <= s_axis_tkeep;
    end

    if (rst) begin
        rank_valid_reg <= 1'b0;
    end
end

/*
 * Area
 */
reg [15:0] area_mem[0:AREAS-1];

generate

    if (AREA_FILE != "") begin : init
        initial begin
            $readmemh(AREA_FILE, area_mem);
        end
    end

endgenerate

always @(posedge clk) begin
    if (table_we && table_addr[8]) begin
        area_mem[table_addr[PREFIX_BITS-1:0]] <= table_data;
    end
end

wire [AREAS*16-1:0] area_words;

genvar a;

generate

    for (a = 0; a < AREAS; a = a + 1) begin : area
        assign area_words[16*a +: 16] = area_mem[a];
    end

endgenerate

wire [AREAS*9-1:0] bases;
wire [AREAS*MAX_LENGTH-1:0] steps;
wire [AREAS*4-1:0] area_lengths;

qlc_area_codes #(
    .PREFIX_BITS(PREFIX_BITS)
)
area_codes_inst (
    .clk(clk),
    .enable(1'b1),
    .step_enable(1'b1),
    .words(area_words),
    .bases(bases),
    .steps(steps),
    .lengths(area_lengths)
);

wire [SYMBOLS*8-1:0] area_ranks;
wire [SYMBOLS*AREAS-1:0] areas;
wire [SYMBOLS*4-1:0] rank_lengths;

qlc_area_lanes #(
    .SYMBOLS(SYMBOLS),
    .AREAS(AREAS),
    .LENGTH_BITS(4)
)
area_lanes_inst (
    .clk(clk),
    .bases(bases),
    .area_lengths(area_lengths),
    .enable(advance && rank_valid_reg),
    .s_ranks(ranks),
    .s_keep(rank_keep_reg),
    .m_ranks(area_ranks),
    .m_areas(areas),
    .m_lengths(rank_lengths)
);

reg area_valid_reg;
reg area_last_reg;

always @(posedge clk) begin
    if (advance) begin
        area_valid_reg <= rank_valid_reg;
        area_last_reg <= rank_last_reg;
    end

    if (rst) begin
        area_valid_reg <= 1'b0;
    end
end

/*
 * Codeword
 */
wire [SYMBOLS*MAX_LENGTH-1:0] codewords;
wire [SYMBOLS*4-1:0] lengths;

qlc_codeword_lanes #(
    .SYMBOLS(SYMBOLS),
    .AREAS(AREAS),
    .MAX_LENGTH(MAX_LENGTH),
    .LENGTH_BITS(4)
)
codeword_lanes_inst (
    .clk(clk),
    .steps(steps),
    .enable(advance && area_valid_reg),
    .s_ranks(area_ranks),
    .s_areas(areas),
    .s_lengths(rank_lengths),
    .m_codewords(codewords),
    .m_lengths(lengths)
);

reg code_valid_reg;
reg code_last_reg;

always @(posedge clk) begin
    if (advance) begin
        code_valid_reg <= area_valid_reg;
        code_last_reg <= area_last_reg;
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
    .SYMBOLS(SYMBOLS),
    .MAX_LENGTH(MAX_LENGTH),
    .PACKED_BITS(PACKED_BITS)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .codewords(codewords),
    .lengths(lengths),
    .valid(code_valid_reg),
    .last(code_last_reg),
    .fill_byte(1'b0),
    .head(1'b0),
    .head_length(1'b0),
    .advance(advance),
    .packed_word(packed_word),
    .packed_bytes(packed_bytes),
    .packed_last(packed_last),
    .packed_valid(packed_valid),
    .packed_ready(packed_ready)
);

qlc_word_sender #(
    .PACKED_BITS(PACKED_BITS),
    .FIFO_WORDS(FIFO_WORDS)
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

endmodule

`resetall
