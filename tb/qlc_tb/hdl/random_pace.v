// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Random pauses: an idle source and a sink that stalls, in so many cycles of 256.
 */
module random_pace
(
    input  wire        clk,

    // Begins with the seed
    input  wire        load,
    input  wire [31:0] seed,

    input  wire [7:0]  idle,
    input  wire [7:0]  stall,
    output wire        source_go,
    output reg         sink_ready
);

reg [31:0] random = 32'h1;
reg [31:0] random_next;

assign source_go = random[7:0] >= idle;

always @(posedge clk) begin
    random_next = random ^ (random << 13);
    random_next = random_next ^ (random_next >> 17);
    random <= random_next ^ (random_next << 5);
    sink_ready <= random[23:16] >= stall;

    if (load) begin
        // All zeros would stay
        random <= seed | 32'h1;
    end
end

endmodule

`resetall
