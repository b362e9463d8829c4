// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * qlc_encoder into qlc_decoder: symbols in, the same symbols out, each with registers of its own.
 */
module qlc_pair #
(
    parameter BLOCK_SYMBOLS = 256,
    parameter TABLES = 4,
    // What tables there may be: see qlc_block_decoder
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    // Of the decoder, whose input is as wide as the encoder's output: 0 to 256
    parameter WORD_BITS = 0,
    parameter M_BYTES = WORD_BITS > 128 ? WORD_BITS/4 : 32
)
(
    input  wire         clk,
    input  wire         rst,
    input  wire [11:0]  enc_axil_awaddr,
    input  wire [2:0]   enc_axil_awprot,
    input  wire         enc_axil_awvalid,
    output wire         enc_axil_awready,
    input  wire [31:0]  enc_axil_wdata,
    input  wire [3:0]   enc_axil_wstrb,
    input  wire         enc_axil_wvalid,
    output wire         enc_axil_wready,
    output wire [1:0]   enc_axil_bresp,
    output wire         enc_axil_bvalid,
    input  wire         enc_axil_bready,
    input  wire [11:0]  enc_axil_araddr,
    input  wire [2:0]   enc_axil_arprot,
    input  wire         enc_axil_arvalid,
    output wire         enc_axil_arready,
    output wire [31:0]  enc_axil_rdata,
    output wire [1:0]   enc_axil_rresp,
    output wire         enc_axil_rvalid,
    input  wire         enc_axil_rready,
    input  wire [11:0]  dec_axil_awaddr,
    input  wire [2:0]   dec_axil_awprot,
    input  wire         dec_axil_awvalid,
    output wire         dec_axil_awready,
    input  wire [31:0]  dec_axil_wdata,
    input  wire [3:0]   dec_axil_wstrb,
    input  wire         dec_axil_wvalid,
    output wire         dec_axil_wready,
    output wire [1:0]   dec_axil_bresp,
    output wire         dec_axil_bvalid,
    input  wire         dec_axil_bready,
    input  wire [11:0]  dec_axil_araddr,
    input  wire [2:0]   dec_axil_arprot,
    input  wire         dec_axil_arvalid,
    output wire         dec_axil_arready,
    output wire [31:0]  dec_axil_rdata,
    output wire [1:0]   dec_axil_rresp,
    output wire         dec_axil_rvalid,
    input  wire         dec_axil_rready,
    input  wire [255:0] s_axis_tdata,
    input  wire [31:0]  s_axis_tkeep,
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,
    input  wire         s_axis_tlast,
    input  wire [4:0]   s_axis_tuser,
    output wire [8*M_BYTES-1:0] m_axis_tdata,
    output wire [M_BYTES-1:0] m_axis_tkeep,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,
    output wire         m_axis_tlast,
    output wire [3:0]   m_axis_tuser
);

wire [255:0] coded_tdata;
wire [31:0] coded_tkeep;
wire coded_tvalid;
wire coded_tready;
wire coded_tlast;

qlc_encoder #(
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS),
    .TABLES(TABLES),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
encoder_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tuser(s_axis_tuser),
    .m_axis_tdata(coded_tdata),
    .m_axis_tkeep(coded_tkeep),
    .m_axis_tvalid(coded_tvalid),
    .m_axis_tready(coded_tready),
    .m_axis_tlast(coded_tlast),
    .s_axil_awaddr(enc_axil_awaddr),
    .s_axil_awprot(enc_axil_awprot),
    .s_axil_awvalid(enc_axil_awvalid),
    .s_axil_awready(enc_axil_awready),
    .s_axil_wdata(enc_axil_wdata),
    .s_axil_wstrb(enc_axil_wstrb),
    .s_axil_wvalid(enc_axil_wvalid),
    .s_axil_wready(enc_axil_wready),
    .s_axil_bresp(enc_axil_bresp),
    .s_axil_bvalid(enc_axil_bvalid),
    .s_axil_bready(enc_axil_bready),
    .s_axil_araddr(enc_axil_araddr),
    .s_axil_arprot(enc_axil_arprot),
    .s_axil_arvalid(enc_axil_arvalid),
    .s_axil_arready(enc_axil_arready),
    .s_axil_rdata(enc_axil_rdata),
    .s_axil_rresp(enc_axil_rresp),
    .s_axil_rvalid(enc_axil_rvalid),
    .s_axil_rready(enc_axil_rready)
);

qlc_decoder #(
    .TABLES(TABLES),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .WORD_BITS(WORD_BITS)
)
decoder_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(coded_tdata),
    .s_axis_tkeep(coded_tkeep),
    .s_axis_tvalid(coded_tvalid),
    .s_axis_tready(coded_tready),
    .s_axis_tlast(coded_tlast),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tuser(m_axis_tuser),
    .s_axil_awaddr(dec_axil_awaddr),
    .s_axil_awprot(dec_axil_awprot),
    .s_axil_awvalid(dec_axil_awvalid),
    .s_axil_awready(dec_axil_awready),
    .s_axil_wdata(dec_axil_wdata),
    .s_axil_wstrb(dec_axil_wstrb),
    .s_axil_wvalid(dec_axil_wvalid),
    .s_axil_wready(dec_axil_wready),
    .s_axil_bresp(dec_axil_bresp),
    .s_axil_bvalid(dec_axil_bvalid),
    .s_axil_bready(dec_axil_bready),
    .s_axil_araddr(dec_axil_araddr),
    .s_axil_arprot(dec_axil_arprot),
    .s_axil_arvalid(dec_axil_arvalid),
    .s_axil_arready(dec_axil_arready),
    .s_axil_rdata(dec_axil_rdata),
    .s_axil_rresp(dec_axil_rresp),
    .s_axil_rvalid(dec_axil_rvalid),
    .s_axil_rready(dec_axil_rready)
);

endmodule

`resetall
