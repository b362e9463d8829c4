// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC encoder: packets of symbols in, packets of raw and coded blocks out, behind registers.
 *
 *   block encoder   the data path                                  qlc_block_encoder
 *   histogram       a sample of the symbols that come in           qlc_histogram
 *   registers       configuration, tables, counters, histogram     qlc_regs
 *
 * s_axis_tuser of a packet's first beat is its table id. The registers are in qlc_regs.rdl.
 *
 * Every beat but a packet's last should be full, and the last one's used bytes contiguous from byte 0. A
 * beat without bytes carries nothing, wherever it is. Any other beat is refused, status bit and
 * counter partial_beat, and so is the rest of its packet: what came before it is sent without a last
 * block, so that a decoder finds the packet truncated. The histogram sees all that comes in.
 */
module qlc_encoder #
(
    // Symbols in a full block, a power of two, 32..4096
    parameter BLOCK_SYMBOLS = 4096,
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Lengths of a table's codewords, 1..12
    parameter LENGTHS = 4,
    // Bits of a codeword that tell its length, 3..12: limits are multiples of 2^(12-KNOWN_BITS)
    parameter KNOWN_BITS = 6,
    // Shortest codeword, 1..8, and longest, 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0
)
(
    input  wire         clk,
    input  wire         rst,

    /*
     * AXI4-Stream input, 32 symbols a beat
     */
    input  wire [255:0] s_axis_tdata,
    input  wire [31:0]  s_axis_tkeep,
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,
    input  wire         s_axis_tlast,
    input  wire [4:0]   s_axis_tuser,

    /*
     * AXI4-Stream output, packets of blocks
     */
    output wire [255:0] m_axis_tdata,
    output wire [31:0]  m_axis_tkeep,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,
    output wire         m_axis_tlast,

    /*
     * AXI4-Lite registers
     */
    input  wire [11:0]  s_axil_awaddr,
    input  wire [2:0]   s_axil_awprot,
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire [31:0]  s_axil_wdata,
    input  wire [3:0]   s_axil_wstrb,
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    output wire [1:0]   s_axil_bresp,
    output wire         s_axil_bvalid,
    input  wire         s_axil_bready,
    input  wire [11:0]  s_axil_araddr,
    input  wire [2:0]   s_axil_arprot,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    output wire [31:0]  s_axil_rdata,
    output wire [1:0]   s_axil_rresp,
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready
);

wire [12:0] cfg_min_packet;
wire [12:0] cfg_min_saving;
wire [1:0] cfg_mode;
wire cfg_crc;
wire [2:0] cfg_dtype;

wire table_we;
wire [8:0] table_addr;
wire [31:0] table_data;
wire table_commit;
wire [4:0] table_id;
wire table_busy;
wire [TABLES-1:0] table_loaded;

wire ev_packet;
wire ev_block_raw;
wire ev_block_coded;
wire [5:0] ev_symbols;
wire [5:0] ev_bytes;
wire [5:0] ev_special;
wire [10:0] ev_error;

wire hist_enable;
wire hist_clear;
wire [31:0] hist_freeze;
wire hist_frozen;
wire [31:0] hist_packets;
wire [63:0] hist_samples;
wire [7:0] hist_addr;
wire [31:0] hist_data;

// What only a decoder has
wire unused_cfg_require_crc;

qlc_regs #(
    .DECODER(0),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .TABLES(TABLES),
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS)
)
regs_inst (
    .clk(clk),
    .rst(rst),
    .s_axil_awaddr(s_axil_awaddr),
    .s_axil_awprot(s_axil_awprot),
    .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata),
    .s_axil_wstrb(s_axil_wstrb),
    .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready),
    .s_axil_bresp(s_axil_bresp),
    .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready),
    .s_axil_araddr(s_axil_araddr),
    .s_axil_arprot(s_axil_arprot),
    .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready),
    .s_axil_rdata(s_axil_rdata),
    .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid),
    .s_axil_rready(s_axil_rready),
    .cfg_min_packet(cfg_min_packet),
    .cfg_min_saving(cfg_min_saving),
    .cfg_mode(cfg_mode),
    .cfg_crc(cfg_crc),
    .cfg_require_crc(unused_cfg_require_crc),
    .cfg_dtype(cfg_dtype),
    .table_we(table_we),
    .table_addr(table_addr),
    .table_data(table_data),
    .table_commit(table_commit),
    .table_id(table_id),
    .table_busy(table_busy),
    .table_loaded(table_loaded),
    .ev_packet(ev_packet),
    .ev_block_raw(ev_block_raw),
    .ev_block_coded(ev_block_coded),
    .ev_symbols(ev_symbols),
    .ev_bytes(ev_bytes),
    .ev_special(ev_special),
    .ev_error(ev_error),
    .hist_enable(hist_enable),
    .hist_clear(hist_clear),
    .hist_freeze(hist_freeze),
    .hist_frozen(hist_frozen),
    .hist_packets(hist_packets),
    .hist_samples(hist_samples),
    .hist_addr(hist_addr),
    .hist_data(hist_data)
);

qlc_histogram histogram_inst (
    .clk(clk),
    .rst(rst),
    .tap_axis_tdata(s_axis_tdata),
    .tap_axis_tkeep(s_axis_tkeep),
    .tap_axis_tvalid(s_axis_tvalid),
    .tap_axis_tready(s_axis_tready),
    .tap_axis_tlast(s_axis_tlast),
    .enable(hist_enable),
    .clear(hist_clear),
    .freeze_packets(hist_freeze),
    .frozen(hist_frozen),
    .packets(hist_packets),
    .samples(hist_samples),
    .read_addr(hist_addr),
    .read_data(hist_data)
);

qlc_block_encoder #(
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS),
    .TABLES(TABLES),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
block_encoder_inst (
    .clk(clk),
    .rst(rst),
    .cfg_min_packet(cfg_min_packet),
    .cfg_min_saving(cfg_min_saving),
    .cfg_mode(cfg_mode),
    .cfg_crc(cfg_crc),
    .cfg_dtype(cfg_dtype),
    .table_we(table_we),
    .table_addr(table_addr),
    .table_data(table_data),
    .table_commit(table_commit),
    .table_id(table_id),
    .table_busy(table_busy),
    .table_loaded(table_loaded),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tuser(s_axis_tuser),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .ev_packet(ev_packet),
    .ev_block_raw(ev_block_raw),
    .ev_block_coded(ev_block_coded),
    .ev_symbols(ev_symbols),
    .ev_bytes(ev_bytes),
    .ev_special(ev_special),
    .ev_error(ev_error)
);

endmodule

`resetall
