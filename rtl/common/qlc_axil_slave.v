// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * AXI4-Lite slave: the handshakes of the bus, for registers of 32 bits in 4 KiB.
 *
 *   write   takes address and data in any order and holds one of each. When both are there and the
 *           response channel is free, `write` is high for a cycle, in which the registers give the
 *           response: at most every second cycle
 *   read    holds an address for two cycles. In the first, `fetch` is high, for what takes a cycle to
 *           be fetched. In the second, or later where the last answer still waits, the registers give
 *           data and response: at most every third cycle
 *
 * No output to the bus depends on an input in the same cycle. awprot and arprot are ignored, and so
 * are the two low address bits.
 */
module qlc_axil_slave
(
    input  wire        clk,
    input  wire        rst,

    /*
     * AXI4-Lite slave
     */
    input  wire [11:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    output wire [1:0]  s_axil_bresp,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    input  wire [11:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,

    // A word is written; its response in the same cycle
    output wire        write,
    output wire [9:0]  write_addr,
    output wire [31:0] write_data,
    output wire [3:0]  write_strb,
    input  wire [1:0]  write_resp,

    // A word is read: the cycle in which it is fetched; data and response from the cycle after on
    output wire        fetch,
    output wire [9:0]  read_addr,
    input  wire [31:0] read_data,
    input  wire [1:0]  read_resp
);

/*
 * Write channels: each holds one transfer until both have one
 */
reg awready_reg;
reg aw_held_reg;
reg [9:0] awaddr_reg;
reg wready_reg;
reg w_held_reg;
reg [31:0] wdata_reg;
reg [3:0] wstrb_reg;
reg bvalid_reg;
reg [1:0] bresp_reg;

assign s_axil_awready = awready_reg;
assign s_axil_wready = wready_reg;
assign s_axil_bvalid = bvalid_reg;
assign s_axil_bresp = bresp_reg;

assign write = aw_held_reg && w_held_reg && (!bvalid_reg || s_axil_bready);
assign write_addr = awaddr_reg;
assign write_data = wdata_reg;
assign write_strb = wstrb_reg;

always @(posedge clk) begin
    if (s_axil_awvalid && awready_reg) begin
        awaddr_reg <= s_axil_awaddr[11:2];
        awready_reg <= 1'b0;
        aw_held_reg <= 1'b1;
    end else if (write || !aw_held_reg) begin
        awready_reg <= 1'b1;
        aw_held_reg <= 1'b0;
    end

    if (s_axil_wvalid && wready_reg) begin
        wdata_reg <= s_axil_wdata;
        wstrb_reg <= s_axil_wstrb;
        wready_reg <= 1'b0;
        w_held_reg <= 1'b1;
    end else if (write || !w_held_reg) begin
        wready_reg <= 1'b1;
        w_held_reg <= 1'b0;
    end

    if (write) begin
        bvalid_reg <= 1'b1;
        bresp_reg <= write_resp;
    end else if (s_axil_bready) begin
        bvalid_reg <= 1'b0;
    end

    if (rst) begin
        awready_reg <= 1'b0;
        aw_held_reg <= 1'b0;
        wready_reg <= 1'b0;
        w_held_reg <= 1'b0;
        bvalid_reg <= 1'b0;
    end
end

/*
 * Read channels
 */
reg arready_reg;
reg ar_held_reg;
reg fetched_reg;
reg [9:0] araddr_reg;
reg rvalid_reg;
reg [1:0] rresp_reg;
reg [31:0] rdata_reg;

assign s_axil_arready = arready_reg;
assign s_axil_rvalid = rvalid_reg;
assign s_axil_rresp = rresp_reg;
assign s_axil_rdata = rdata_reg;

assign fetch = ar_held_reg;
assign read_addr = araddr_reg;

wire read = fetched_reg && (!rvalid_reg || s_axil_rready);

always @(posedge clk) begin
    if (s_axil_arvalid && arready_reg) begin
        araddr_reg <= s_axil_araddr[11:2];
        arready_reg <= 1'b0;
        ar_held_reg <= 1'b1;
    end else if (read || (!ar_held_reg && !fetched_reg)) begin
        arready_reg <= 1'b1;
    end

    if (ar_held_reg) begin
        ar_held_reg <= 1'b0;
        fetched_reg <= 1'b1;
    end else if (read) begin
        fetched_reg <= 1'b0;
    end

    if (read) begin
        rvalid_reg <= 1'b1;
        rresp_reg <= read_resp;
        rdata_reg <= read_data;
    end else if (s_axil_rready) begin
        rvalid_reg <= 1'b0;
    end

    if (rst) begin
        arready_reg <= 1'b0;
        ar_held_reg <= 1'b0;
        fetched_reg <= 1'b0;
        rvalid_reg <= 1'b0;
    end
end

wire unused = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0], s_axil_awprot, s_axil_arprot};

endmodule

`resetall
