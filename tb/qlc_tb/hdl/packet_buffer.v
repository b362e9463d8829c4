// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Keeps a packet of beats of 32 bytes until it is complete, then sends it without a gap, in beats
 * of M_BYTES. One packet at a time.
 */
module packet_buffer #
(
    // Beats of the longest packet
    parameter BEATS = 2048,
    // Bytes of a beat out, 32 or 64
    parameter M_BYTES = 32
)
(
    input  wire                 clk,
    input  wire                 rst,

    // Forgets what is kept
    input  wire                 clear,

    input  wire [255:0]         s_axis_tdata,
    input  wire [31:0]          s_axis_tkeep,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire                 s_axis_tlast,

    output reg  [8*M_BYTES-1:0] m_axis_tdata,
    output reg  [M_BYTES-1:0]   m_axis_tkeep,
    output reg                  m_axis_tvalid,
    input  wire                 m_axis_tready,
    output reg                  m_axis_tlast
);

localparam PARTS = M_BYTES/32;

reg [255:0] data_mem[0:BEATS-1];
reg [31:0] keep_mem[0:BEATS-1];
reg [31:0] kept;
reg [31:0] sent;
reg complete;

assign s_axis_tready = !complete;

integer i;

always @(posedge clk) begin
    if (s_axis_tvalid && s_axis_tready) begin
        data_mem[kept] <= s_axis_tdata;
        keep_mem[kept] <= s_axis_tkeep;
        kept <= kept + 1;
        complete <= s_axis_tlast;
    end

    if (m_axis_tready || !m_axis_tvalid) begin
        m_axis_tvalid <= complete && sent < kept;

        if (complete && sent < kept) begin
            for (i = 0; i < PARTS; i = i + 1) begin
                m_axis_tdata[256*i +: 256] <= sent + i < kept ? data_mem[sent + i] : 256'd0;
                m_axis_tkeep[32*i +: 32] <= sent + i < kept ? keep_mem[sent + i] : 32'd0;
            end

            m_axis_tlast <= sent + PARTS >= kept;
            sent <= sent + PARTS;
        end
    end

    if (rst || clear) begin
        kept <= 0;
        sent <= 0;
        complete <= 1'b0;
        m_axis_tvalid <= 1'b0;
    end
end

endmodule

`resetall
