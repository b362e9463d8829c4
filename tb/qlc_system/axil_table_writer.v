// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Loads a table as software does: writes its words into the table window over AXI4-Lite, then
 * commits it as table 0. refused is high after a write that was not answered OKAY.
 */
module axil_table_writer #
(
    // Classes of the table, at the addresses from 0 on; the words of its lengths are at 256 and on
    parameter CLASSES = 256,
    parameter LENGTH_WORDS = 12,
    parameter AWADDR_TABLE = 12'h800,
    parameter AWADDR_COMMIT = 12'h020
)
(
    input  wire        clk,
    input  wire        rst,

    input  wire        start,
    output reg         done,
    output reg         refused,

    // The word at index, in the same cycle
    output reg  [8:0]  index,
    input  wire [31:0] word,

    output wire [11:0] m_axil_awaddr,
    output reg         m_axil_awvalid,
    input  wire        m_axil_awready,
    output wire [31:0] m_axil_wdata,
    output reg         m_axil_wvalid,
    input  wire        m_axil_wready,
    input  wire [1:0]  m_axil_bresp,
    input  wire        m_axil_bvalid,
    output wire        m_axil_bready
);

reg busy;

wire commit = {23'd0, index} == 256 + LENGTH_WORDS;

assign m_axil_awaddr = commit ? AWADDR_COMMIT : AWADDR_TABLE + {1'b0, index, 2'b00};
assign m_axil_wdata = commit ? 32'd0 : word;
assign m_axil_bready = 1'b1;

always @(posedge clk) begin
    if (m_axil_awready) begin
        m_axil_awvalid <= 1'b0;
    end

    if (m_axil_wready) begin
        m_axil_wvalid <= 1'b0;
    end

    if (start) begin
        index <= 0;
        busy <= 1'b1;
        done <= 1'b0;
        m_axil_awvalid <= 1'b1;
        m_axil_wvalid <= 1'b1;
    end else if (busy && m_axil_bvalid) begin
        refused <= refused || m_axil_bresp != 2'b00;

        if (commit) begin
            busy <= 1'b0;
            done <= 1'b1;
        end else begin
            index <= {23'd0, index} == CLASSES - 1 ? 9'd256 : index + 1;
            m_axil_awvalid <= 1'b1;
            m_axil_wvalid <= 1'b1;
        end
    end

    if (rst) begin
        index <= 0;
        busy <= 1'b0;
        done <= 1'b0;
        refused <= 1'b0;
        m_axil_awvalid <= 1'b0;
        m_axil_wvalid <= 1'b0;
    end
end

endmodule

`resetall
