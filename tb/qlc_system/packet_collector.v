// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Watches a stream and writes the packet to a file when its last beat has passed, a beat a line
 * as on the bus (X shows as x), and counts bytes and cycles from the first beat to the last.
 */
module packet_collector #
(
    // Beats of the longest packet
    parameter BEATS = 2048,
    // Bytes of a beat
    parameter BYTES = 32,
    parameter FILE = "packet.hex"
)
(
    input  wire         clk,
    input  wire         rst,

    // Begins a new packet
    input  wire         clear,

    input  wire [8*BYTES-1:0] tap_axis_tdata,
    input  wire [BYTES-1:0] tap_axis_tkeep,
    input  wire         tap_axis_tvalid,
    input  wire         tap_axis_tready,
    input  wire         tap_axis_tlast,

    output reg  [31:0]  bytes,
    // First to last transfer, both included
    output reg  [31:0]  cycles,
    // Cycles in which a beat waited
    output reg  [31:0]  stalls,
    // The packet is over and its file is there
    output reg          over
);

reg [8*BYTES-1:0] mem[0:BEATS-1];
reg [31:0] beats;
reg [31:0] in_use;

integer i;

always @(posedge clk) begin
    if (beats != 0 && !over) begin
        cycles <= cycles + 1;
    end

    if (tap_axis_tvalid && !tap_axis_tready) begin
        stalls <= stalls + 1;
    end

    if (tap_axis_tvalid && tap_axis_tready) begin
        in_use = 0;

        for (i = 0; i < BYTES; i = i + 1) begin
            in_use = in_use + {31'd0, tap_axis_tkeep[i]};
        end

        mem[beats] = tap_axis_tdata;
        beats <= beats + 1;
        bytes <= bytes + in_use;
        cycles <= cycles + 1;

        if (tap_axis_tlast) begin
            $writememh(FILE, mem, 0, beats);
            over <= 1'b1;
        end
    end

    if (rst || clear) begin
        beats <= 0;
        bytes <= 0;
        cycles <= 0;
        stalls <= 0;
        over <= 1'b0;
    end
end

endmodule

`resetall
