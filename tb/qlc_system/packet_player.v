// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Plays a packet from input.hex: a beat of 32 symbols a line, as on the bus, so the first symbol
 * rightmost. load reads the file; then the packet goes out beat after beat.
 */
module packet_player #
(
    // Beats of the longest packet
    parameter BEATS = 1024
)
(
    input  wire         clk,
    input  wire         rst,

    input  wire         load,
    // Symbols in the packet, 1..32*BEATS
    input  wire [31:0]  symbols,

    output reg  [255:0] m_axis_tdata,
    output reg  [31:0]  m_axis_tkeep,
    output reg          m_axis_tvalid,
    input  wire         m_axis_tready,
    output reg          m_axis_tlast
);

reg [255:0] mem[0:BEATS-1];
reg [31:0] beats;
reg [31:0] beat;

wire [31:0] tail = symbols % 32;
wire last = beat + 1 == beats;
wire free = !m_axis_tvalid || m_axis_tready;

always @(posedge clk) begin
    if (load) begin
        beats = (symbols + 31)/32;
        $readmemh("input.hex", mem, 0, beats - 1);
        beat <= 0;
    end else if (free) begin
        m_axis_tvalid <= beat != beats;

        if (beat != beats) begin
            m_axis_tdata <= mem[beat];
            m_axis_tkeep <= last && tail != 0 ? ~(32'hffffffff << tail) : 32'hffffffff;
            m_axis_tlast <= last;
            beat <= beat + 1;
        end
    end

    if (rst) begin
        m_axis_tvalid <= 1'b0;
        beats = 0;
        beat <= 0;
    end
end

endmodule

`resetall
