// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Registers and histogram as an encoder has them, without its data path.
 */
module qlc_regs_histogram
(
    input  wire         clk,
    input  wire         rst,

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
    input  wire         s_axil_rready,

    input  wire [255:0] tap_axis_tdata,
    input  wire [31:0]  tap_axis_tkeep,
    input  wire         tap_axis_tvalid,
    input  wire         tap_axis_tready,
    input  wire         tap_axis_tlast
);

wire hist_enable;
wire hist_clear;
wire [31:0] hist_freeze;
wire hist_frozen;
wire [31:0] hist_packets;
wire [63:0] hist_samples;
wire [7:0] hist_addr;
wire [31:0] hist_data;

qlc_regs #(
    .DECODER(0)
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
    .cfg_min_packet(),
    .cfg_min_saving(),
    .cfg_mode(),
    .cfg_crc(),
    .cfg_require_crc(),
    .cfg_dtype(),
    .table_we(),
    .table_addr(),
    .table_data(),
    .table_commit(),
    .table_id(),
    .table_busy(1'b0),
    .table_loaded(4'd0),
    .ev_packet(1'b0),
    .ev_block_raw(1'b0),
    .ev_block_coded(1'b0),
    .ev_symbols(6'd0),
    .ev_bytes(6'd0),
    .ev_special(6'd0),
    .ev_error(11'd0),
    .hist_enable(hist_enable),
    .hist_clear(hist_clear),
    .hist_freeze(hist_freeze),
    .hist_frozen(hist_frozen),
    .hist_packets(hist_packets),
    .hist_samples(hist_samples),
    .hist_addr(hist_addr),
    .hist_data(hist_data)
);

qlc_histogram #(
    .SYMBOLS(32),
    .COUNT_BITS(32)
)
histogram_inst (
    .clk(clk),
    .rst(rst),
    .tap_axis_tdata(tap_axis_tdata),
    .tap_axis_tkeep(tap_axis_tkeep),
    .tap_axis_tvalid(tap_axis_tvalid),
    .tap_axis_tready(tap_axis_tready),
    .tap_axis_tlast(tap_axis_tlast),
    .enable(hist_enable),
    .clear(hist_clear),
    .freeze_packets(hist_freeze),
    .frozen(hist_frozen),
    .packets(hist_packets),
    .samples(hist_samples),
    .read_addr(hist_addr),
    .read_data(hist_data)
);

endmodule

`resetall
