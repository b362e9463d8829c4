// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * AXI4-Stream wide to narrow: sends a beat in parts, lowest bytes first. No part is empty but the only one of
 * an empty beat. Used bytes must be contiguous from byte 0.
 *
 * The beat stays on the input until its last part has left, so s_axis_tready follows m_axis_tready. Put a
 * FIFO in front.
 */
module qlc_axis_narrow #
(
    // Input width in bytes, a multiple of M_BYTES
    parameter S_BYTES = 64,
    // Output width in bytes
    parameter M_BYTES = 32
)
(
    input  wire                 clk,
    input  wire                 rst,

    input  wire [8*S_BYTES-1:0] s_axis_tdata,
    input  wire [S_BYTES-1:0]   s_axis_tkeep,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire                 s_axis_tlast,

    output wire [8*M_BYTES-1:0] m_axis_tdata,
    output wire [M_BYTES-1:0]   m_axis_tkeep,
    output wire                 m_axis_tvalid,
    input  wire                 m_axis_tready,
    output wire                 m_axis_tlast
);

localparam PARTS = S_BYTES/M_BYTES;

// check configuration
initial begin
    if (PARTS*M_BYTES != S_BYTES) begin
        $error("Error: S_BYTES must be a multiple of M_BYTES (instance %m)");
        $finish;
    end
end

wire [8*M_BYTES-1:0] part_tdata;
wire [M_BYTES-1:0] part_tkeep;
wire part_last;

reg [8*M_BYTES-1:0] m_axis_tdata_reg;
reg [M_BYTES-1:0] m_axis_tkeep_reg;
reg m_axis_tvalid_reg;
reg m_axis_tlast_reg;

assign m_axis_tdata = m_axis_tdata_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;

wire load = !m_axis_tvalid_reg || m_axis_tready;

assign s_axis_tready = load && part_last;

generate

    if (PARTS > 1) begin : split
        localparam PART_BITS = $clog2(PARTS);

        reg [PART_BITS-1:0] part_reg;
        // First byte of every part; a part is the last when the next part's is not in use
        wire [PARTS:0] used;

        genvar p;

        for (p = 0; p < PARTS; p = p + 1) begin : first
            assign used[p] = s_axis_tkeep[p*M_BYTES];
        end

        assign used[PARTS] = 1'b0;

        assign part_tdata = s_axis_tdata[part_reg*8*M_BYTES +: 8*M_BYTES];
        assign part_tkeep = s_axis_tkeep[part_reg*M_BYTES +: M_BYTES];
        assign part_last = !used[part_reg + 1];

        always @(posedge clk) begin
            if (load && s_axis_tvalid) begin
                part_reg <= part_last ? 0 : part_reg + 1;
            end

            if (rst) begin
                part_reg <= 0;
            end
        end
    end else begin : through
        assign part_tdata = s_axis_tdata;
        assign part_tkeep = s_axis_tkeep;
        assign part_last = 1'b1;
    end

endgenerate

always @(posedge clk) begin
    if (load) begin
        m_axis_tvalid_reg <= s_axis_tvalid;
    end

    if (load && s_axis_tvalid) begin
        m_axis_tdata_reg <= part_tdata;
        m_axis_tkeep_reg <= part_tkeep;
        m_axis_tlast_reg <= s_axis_tlast && part_last;
    end

    if (rst) begin
        m_axis_tvalid_reg <= 1'b0;
    end
end

endmodule

`resetall
