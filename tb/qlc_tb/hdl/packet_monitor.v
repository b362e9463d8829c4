// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Watches a stream: counts its cycles, checks that it is stable, and writes its beats to a file, a
 * line each: "tlast tuser tkeep tdata", in hexadecimal, X as x.
 */
module packet_monitor #
(
    // Bytes of a beat
    parameter BYTES = 32,
    parameter USER_BITS = 1,
    // 1: a packet_player's, which has X where it may
    parameter PLAYED = 0,
    // "": writes none
    parameter FILE = ""
)
(
    input  wire                 clk,
    input  wire                 rst,

    // Begins the file, and counts from 0 again
    input  wire                 open,
    // Ends the file
    input  wire                 close,

    input  wire [8*BYTES-1:0]   tap_axis_tdata,
    input  wire [BYTES-1:0]     tap_axis_tkeep,
    input  wire                 tap_axis_tvalid,
    input  wire                 tap_axis_tready,
    input  wire                 tap_axis_tlast,
    input  wire [USER_BITS-1:0] tap_axis_tuser,

    // When the first transfer was, in cycles from open on, and the last
    output reg  [31:0]          first,
    output reg  [31:0]          last,
    // From the one to the other, both included
    output wire [31:0]          cycles,
    output reg  [31:0]          beats,
    output reg  [31:0]          packets,
    // Cycles in which a beat waited
    output reg  [31:0]          waits,
    output wire                 transfer,
    // A stability rule has been broken
    output wire                 broken
);

localparam WIDTH = 9*BYTES + 1 + USER_BITS;

integer file;
reg is_open;
reg [31:0] cycle;

assign cycles = beats == 0 ? 0 : last - first + 1;
assign transfer = tap_axis_tvalid && tap_axis_tready;

axis_stability #(
    .WIDTH(WIDTH),
    .KNOWN(PLAYED ? BYTES + 1 : WIDTH)
)
stability_inst (
    .clk(clk),
    .rst(rst),
    .tvalid(tap_axis_tvalid),
    .tready(tap_axis_tready),
    .payload({tap_axis_tuser, tap_axis_tdata, tap_axis_tlast, tap_axis_tkeep}),
    .broken(broken)
);

always @(posedge clk) begin
    cycle <= cycle + 1;

    if (transfer) begin
        if (beats == 0) begin
            first <= cycle;
        end

        last <= cycle;
        beats <= beats + 1;
        packets <= packets + {31'd0, tap_axis_tlast};

        if (is_open) begin
            $fwrite(file, "%h %h %h %h\n", tap_axis_tlast, tap_axis_tuser, tap_axis_tkeep, tap_axis_tdata);
        end
    end

    if (tap_axis_tvalid && !tap_axis_tready) begin
        waits <= waits + 1;
    end

    if (open) begin
        cycle <= 0;
        first <= 0;
        last <= 0;
        beats <= 0;
        packets <= 0;
        waits <= 0;

        if (FILE != "") begin
            file = $fopen(FILE, "w");
            is_open <= 1'b1;
        end
    end

    if (close && is_open) begin
        $fclose(file);
        is_open <= 1'b0;
    end

    if (rst) begin
        is_open <= 1'b0;
    end
end

endmodule

`resetall
