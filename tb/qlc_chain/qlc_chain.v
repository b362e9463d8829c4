// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Encoder core, 256 to 32 bits, decoder core: symbols in, the same symbols out.
 *
 * s_axis_tuser of a packet's first beat is its symbol count, which a bitstream does not carry; it
 * waits in a FIFO for the packet to reach the decoder.
 */
module qlc_chain #
(
    parameter SYMBOLS = 32,
    // What tables there may be: see qlc_decoder_core
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0
)
(
    input  wire                 clk,
    input  wire                 rst,

    input  wire                 rank_we,
    input  wire [8:0]           rank_addr,
    input  wire [31:0]          rank_data,

    input  wire                 table_we,
    input  wire [8:0]           table_addr,
    input  wire [31:0]          table_data,

    input  wire [8*SYMBOLS-1:0] s_axis_tdata,
    input  wire [SYMBOLS-1:0]   s_axis_tkeep,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire                 s_axis_tlast,
    input  wire [31:0]          s_axis_tuser,

    output wire [7:0]           m_axis_tdata,
    output wire                 m_axis_tkeep,
    output wire                 m_axis_tvalid,
    input  wire                 m_axis_tready,
    output wire                 m_axis_tlast,
    output wire [2:0]           m_axis_tuser
);

wire encoder_ready;
wire count_ready;
reg in_packet_reg;

wire open = in_packet_reg || count_ready;

assign s_axis_tready = encoder_ready && open;

always @(posedge clk) begin
    if (s_axis_tvalid && s_axis_tready) begin
        in_packet_reg <= !s_axis_tlast;
    end

    if (rst) begin
        in_packet_reg <= 1'b0;
    end
end

wire [255:0] wide_tdata;
wire [31:0] wide_tkeep;
wire wide_tvalid;
wire wide_tready;
wire wide_tlast;

qlc_encoder_core #(
    .SYMBOLS(SYMBOLS),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
encoder_inst (
    .clk(clk),
    .rst(rst),
    .table_we(rank_we),
    .table_addr(rank_addr),
    .table_data(rank_data),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid && open),
    .s_axis_tready(encoder_ready),
    .s_axis_tlast(s_axis_tlast),
    .m_axis_tdata(wide_tdata),
    .m_axis_tkeep(wide_tkeep),
    .m_axis_tvalid(wide_tvalid),
    .m_axis_tready(wide_tready),
    .m_axis_tlast(wide_tlast)
);

wire [31:0] narrow_tdata;
wire [3:0] narrow_tkeep;
wire narrow_tvalid;
wire narrow_tready;
wire narrow_tlast;

qlc_axis_narrow #(
    .S_BYTES(32),
    .M_BYTES(4)
)
narrow_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(wide_tdata),
    .s_axis_tkeep(wide_tkeep),
    .s_axis_tvalid(wide_tvalid),
    .s_axis_tready(wide_tready),
    .s_axis_tlast(wide_tlast),
    .m_axis_tdata(narrow_tdata),
    .m_axis_tkeep(narrow_tkeep),
    .m_axis_tvalid(narrow_tvalid),
    .m_axis_tready(narrow_tready),
    .m_axis_tlast(narrow_tlast)
);

wire [31:0] count;
wire count_valid;

qlc_fifo #(
    .WIDTH(32),
    .DEPTH(16)
)
count_inst (
    .clk(clk),
    .rst(rst),
    .s_data(s_axis_tuser),
    .s_valid(s_axis_tvalid && encoder_ready && !in_packet_reg),
    .s_ready(count_ready),
    .m_data(count),
    .m_valid(count_valid),
    .m_ready(narrow_tvalid && narrow_tready && narrow_tlast)
);

// A packet's count is always there before its bits
always @(posedge clk) begin
    if (!rst && narrow_tvalid && !count_valid) begin
        $display("Error: bits without a count (instance %m)");
        $finish;
    end
end

qlc_decoder_core #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .DATA_BITS(32)
)
decoder_inst (
    .clk(clk),
    .rst(rst),
    .table_we(table_we),
    .table_bank(1'b0),
    .table_addr(table_addr),
    .table_data(table_data),
    .s_axis_tdata(narrow_tdata),
    .s_axis_tkeep(narrow_tkeep),
    .s_axis_tvalid(narrow_tvalid),
    .s_axis_tready(narrow_tready),
    .s_axis_tlast(narrow_tlast),
    .s_axis_tuser(count),
    .s_axis_bank(1'b0),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tuser(m_axis_tuser)
);

endmodule

`resetall
