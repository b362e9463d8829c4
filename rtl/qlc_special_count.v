// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * How many symbols of a beat are special values (NaN or infinity) of a dtype, two cycles later.
 *
 *   dtype   values
 *   0       float8_e4m3fn: 7F FF
 *   1       float8_e4m3: 78-7F F8-FF
 *   2       float8_e5m2: 7C-7F FC-FF
 *   3..5    float8_e4m3fnuz, float8_e4m3b11fnuz, float8_e5m2fnuz: 80
 *   6, 7    uint8: none
 */
module qlc_special_count #
(
    // At least 4
    parameter SYMBOLS = 32,
    // Not to be set: width of the count
    parameter COUNT_BITS = $clog2(SYMBOLS + 1)
)
(
    input  wire                  clk,
    input  wire                  rst,

    input  wire [2:0]            dtype,
    input  wire [SYMBOLS*8-1:0]  symbols,
    input  wire [SYMBOLS-1:0]    keep,

    output wire [COUNT_BITS-1:0] count
);

// The special values are those with all bits of the mask set
wire [6:0] mask = dtype == 0 ? 7'h7f : dtype == 1 ? 7'h78 : 7'h7c;
wire by_mask = dtype <= 2;
wire by_80 = dtype >= 3 && dtype <= 5;

// Symbols counted in the first cycle, in groups; the last group may be shorter
localparam GROUP = 4;
localparam GROUPS = (SYMBOLS + GROUP - 1)/GROUP;

reg [SYMBOLS-1:0] special;
reg [3*GROUPS-1:0] group_sums;
reg [3*GROUPS-1:0] group_sums_reg;
reg [COUNT_BITS-1:0] sum;
reg [COUNT_BITS-1:0] count_reg;

assign count = count_reg;

integer i;

always @* begin
    group_sums = 0;
    sum = 0;

    for (i = 0; i < SYMBOLS; i = i + 1) begin
        special[i] = keep[i]
            && ((by_mask && (symbols[8*i +: 7] & mask) == mask) || (by_80 && symbols[8*i +: 8] == 8'h80));
        group_sums[3*(i/GROUP) +: 3] = group_sums[3*(i/GROUP) +: 3] + {2'd0, special[i]};
    end

    for (i = 0; i < GROUPS; i = i + 1) begin
        sum = sum + {{COUNT_BITS-3{1'b0}}, group_sums_reg[3*i +: 3]};
    end
end

always @(posedge clk) begin
    group_sums_reg <= group_sums;
    count_reg <= sum;

    // What was under way must not be counted after a reset
    if (rst) begin
        group_sums_reg <= 0;
        count_reg <= 0;
    end
end

endmodule

`resetall
