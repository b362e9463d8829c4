// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Loads tables as software does: writes each line of a file, "address data" in hexadecimal, over
 * AXI4-Lite, and waits for its response. refused stays high after one that was not OKAY.
 */
module register_writer #
(
    parameter FILE = "table.hex"
)
(
    input  wire        clk,
    input  wire        rst,

    // Begins the file
    input  wire        open,
    // All words have been answered
    output reg         over,
    output reg         refused,

    output reg  [11:0] m_axil_awaddr,
    output reg         m_axil_awvalid,
    input  wire        m_axil_awready,
    output reg  [31:0] m_axil_wdata,
    output reg         m_axil_wvalid,
    input  wire        m_axil_wready,
    input  wire [1:0]  m_axil_bresp,
    input  wire        m_axil_bvalid,
    output wire        m_axil_bready
);

integer file;
integer fields;

// Values read from a line
reg [11:0] line_addr;
reg [31:0] line_data;

assign m_axil_bready = 1'b1;

always @(posedge clk) begin
    if (m_axil_awready) begin
        m_axil_awvalid <= 1'b0;
    end

    if (m_axil_wready) begin
        m_axil_wvalid <= 1'b0;
    end

    if (open) begin
        file = $fopen(FILE, "r");
        over <= 1'b0;
    end

    if (open || (!over && m_axil_bvalid)) begin
        fields = $fscanf(file, "%h %h\n", line_addr, line_data);

        if (fields == 2) begin
            m_axil_awaddr <= line_addr;
            m_axil_awvalid <= 1'b1;
            m_axil_wdata <= line_data;
            m_axil_wvalid <= 1'b1;
        end else begin
            $fclose(file);
            over <= 1'b1;
        end
    end

    if (!over && m_axil_bvalid) begin
        refused <= refused || m_axil_bresp != 2'b00;
    end

    if (rst) begin
        over <= 1'b1;
        refused <= 1'b0;
        m_axil_awvalid <= 1'b0;
        m_axil_wvalid <= 1'b0;
    end
end

endmodule

`resetall
