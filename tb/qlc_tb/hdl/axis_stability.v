// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * AXI4-Stream rule: once tvalid is high it stays, and nothing changes, until tready. Also no X
 * in what a valid beat must have. broken stays high from the first break on.
 */
module axis_stability #
(
    // tdata, tkeep, tlast and tuser side by side
    parameter WIDTH = 8,
    // Bits of it, from the right, that are no X
    parameter KNOWN = WIDTH
)
(
    input  wire             clk,
    input  wire             rst,
    input  wire             tvalid,
    input  wire             tready,
    input  wire [WIDTH-1:0] payload,
    output reg              broken
);

reg stalled_reg;
reg [WIDTH-1:0] payload_reg;

always @(posedge clk) begin
    stalled_reg <= tvalid && !tready;
    payload_reg <= payload;

    if (stalled_reg && (tvalid !== 1'b1 || payload !== payload_reg)) begin
        broken <= 1'b1;
    end

    if (tvalid !== 1'b0 && (^{tvalid, tready, payload[KNOWN-1:0]} === 1'bx)) begin
        broken <= 1'b1;
    end

    if (rst) begin
        stalled_reg <= 1'b0;
        broken <= 1'b0;
    end
end

endmodule

`resetall
