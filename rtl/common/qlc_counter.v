// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Counts in 64 bits, by 0 to 2^STEP_BITS - 1 a cycle. The count is whole in every cycle.
 *
 * Adding to 64 bits in one cycle would be the longest path of all. So the count is made of parts of 16 bits,
 * and only the lowest is added to. The next value of each part above is computed ahead, long before the part
 * below wraps.
 */
module qlc_counter #
(
    // Width of a step, 1..15, so that two steps in a row never wrap a part twice
    parameter STEP_BITS = 1
)
(
    input  wire                 clk,
    input  wire                 rst,

    input  wire [STEP_BITS-1:0] step,
    output wire [63:0]          count
);

// check configuration
initial begin
    if (STEP_BITS < 1 || STEP_BITS > 15) begin
        $error("Error: STEP_BITS must be 1..15 (instance %m)");
        $finish;
    end
end

reg [63:0] count_reg;
reg [15:0] next1_reg;
reg [15:0] next2_reg;
reg [15:0] next3_reg;
reg full1_reg;
reg full2_reg;

wire [16:0] low_next = {1'b0, count_reg[15:0]} + {{17-STEP_BITS{1'b0}}, step};

assign count = count_reg;

always @(posedge clk) begin
    count_reg[15:0] <= low_next[15:0];
    next1_reg <= count_reg[31:16] + 16'd1;
    next2_reg <= count_reg[47:32] + 16'd1;
    next3_reg <= count_reg[63:48] + 16'd1;
    full1_reg <= &count_reg[31:16];
    full2_reg <= &count_reg[47:32];

    if (low_next[16]) begin
        count_reg[31:16] <= next1_reg;
    end

    if (low_next[16] && full1_reg) begin
        count_reg[47:32] <= next2_reg;
    end

    if (low_next[16] && full1_reg && full2_reg) begin
        count_reg[63:48] <= next3_reg;
    end

    if (rst) begin
        count_reg <= 64'd0;
    end
end

endmodule

`resetall
