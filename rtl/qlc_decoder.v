// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC decoder: packets of raw and coded blocks in, their symbols out, behind registers.
 *
 *   block decoder   the data path                      qlc_block_decoder
 *   registers       tables, counters                   qlc_regs
 *
 * m_axis_tuser of a packet's last beat is its error code, 0 good; see qlc_block_decoder. The
 * registers are in qlc_regs.rdl.
 *
 * Every beat but a packet's last should be full, and the last one's used bytes contiguous from byte 0. A
 * beat without bytes carries nothing, wherever it is. Any other beat ends its packet with error 10,
 * status bit and counter partial_beat, and the rest of the packet is dropped.
 */
module qlc_decoder #
(
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
    parameter RAW_BITS = 0,
    // Bits of codewords a cycle: 8, 16, 32, 64, 128, 256 or 512; 0: one symbol a cycle
    parameter WORD_BITS = 0,
    // Not to be set: bytes of a beat in and out
    parameter S_BYTES = WORD_BITS > 256 ? WORD_BITS/8 : 32,
    parameter M_BYTES = WORD_BITS > 128 ? WORD_BITS/4 : 32
)
(
    input  wire                 clk,
    input  wire                 rst,

    /*
     * AXI4-Stream input, packets of blocks
     */
    input  wire [8*S_BYTES-1:0] s_axis_tdata,
    input  wire [S_BYTES-1:0]   s_axis_tkeep,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire                 s_axis_tlast,

    /*
     * AXI4-Stream output, symbols
     */
    output wire [8*M_BYTES-1:0] m_axis_tdata,
    output wire [M_BYTES-1:0]   m_axis_tkeep,
    output wire                 m_axis_tvalid,
    input  wire                 m_axis_tready,
    output wire                 m_axis_tlast,
    output wire [3:0]           m_axis_tuser,

    /*
     * AXI4-Lite registers
     */
    input  wire [11:0]          s_axil_awaddr,
    input  wire [2:0]           s_axil_awprot,
    input  wire                 s_axil_awvalid,
    output wire                 s_axil_awready,
    input  wire [31:0]          s_axil_wdata,
    input  wire [3:0]           s_axil_wstrb,
    input  wire                 s_axil_wvalid,
    output wire                 s_axil_wready,
    output wire [1:0]           s_axil_bresp,
    output wire                 s_axil_bvalid,
    input  wire                 s_axil_bready,
    input  wire [11:0]          s_axil_araddr,
    input  wire [2:0]           s_axil_arprot,
    input  wire                 s_axil_arvalid,
    output wire                 s_axil_arready,
    output wire [31:0]          s_axil_rdata,
    output wire [1:0]           s_axil_rresp,
    output wire                 s_axil_rvalid,
    input  wire                 s_axil_rready
);

localparam EVENT_BITS = $clog2(M_BYTES + 1);

wire [2:0] cfg_dtype;
wire cfg_require_crc;

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
wire [EVENT_BITS-1:0] ev_symbols;
wire [EVENT_BITS-1:0] ev_bytes;
wire [EVENT_BITS-1:0] ev_special;
wire [10:0] ev_error;

// What only an encoder has
wire [12:0] unused_cfg_min_packet;
wire [12:0] unused_cfg_min_saving;
wire [1:0] unused_cfg_mode;
wire unused_cfg_crc;
wire unused_hist_enable;
wire unused_hist_clear;
wire [31:0] unused_hist_freeze;
wire [7:0] unused_hist_addr;

qlc_regs #(
    .DECODER(1),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .TABLES(TABLES),
    .BEAT(M_BYTES),
    .EVENT_BITS(EVENT_BITS)
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
    .cfg_min_packet(unused_cfg_min_packet),
    .cfg_min_saving(unused_cfg_min_saving),
    .cfg_mode(unused_cfg_mode),
    .cfg_crc(unused_cfg_crc),
    .cfg_require_crc(cfg_require_crc),
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
    .hist_enable(unused_hist_enable),
    .hist_clear(unused_hist_clear),
    .hist_freeze(unused_hist_freeze),
    .hist_frozen(1'b0),
    .hist_packets(32'd0),
    .hist_samples(64'd0),
    .hist_addr(unused_hist_addr),
    .hist_data(32'd0)
);

qlc_block_decoder #(
    .TABLES(TABLES),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .WORD_BITS(WORD_BITS)
)
block_decoder_inst (
    .clk(clk),
    .rst(rst),
    .cfg_dtype(cfg_dtype),
    .cfg_require_crc(cfg_require_crc),
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
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tuser(m_axis_tuser),
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
