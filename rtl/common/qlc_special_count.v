// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Counts the special values (NaN or infinity) of a dtype among the symbols of a beat, four cycles later.
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
    // At least 2
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

// Groups of 8 are added up in a cycle, 4 groups each in the next, all in the last
localparam GROUPS = (SYMBOLS + 31)/32;

reg [32*GROUPS-1:0] special_reg;
reg [16*GROUPS-1:0] eight_reg;
reg [6*GROUPS-1:0] group_reg;
reg [COUNT_BITS-1:0] count_reg;
reg [COUNT_BITS+5:0] sum;

assign count = count_reg;

function [3:0] count_eight(input [7:0] bits);
    begin
        count_eight = ({3'd0, bits[0]} + {3'd0, bits[1]}) + ({3'd0, bits[2]} + {3'd0, bits[3]})
            + (({3'd0, bits[4]} + {3'd0, bits[5]}) + ({3'd0, bits[6]} + {3'd0, bits[7]}));
    end
endfunction

integer i;

always @* begin
    sum = 0;

    for (i = 0; i < GROUPS; i = i + 1) begin
        sum = sum + {{COUNT_BITS{1'b0}}, group_reg[6*i +: 6]};
    end
end

always @(posedge clk) begin
    special_reg <= 0;

    for (i = 0; i < SYMBOLS; i = i + 1) begin
        special_reg[i] <= keep[i]
            && ((by_mask && (symbols[8*i +: 7] & mask) == mask) || (by_80 && symbols[8*i +: 8] == 8'h80));
    end

    for (i = 0; i < 4*GROUPS; i = i + 1) begin
        eight_reg[4*i +: 4] <= count_eight(special_reg[8*i +: 8]);
    end

    for (i = 0; i < GROUPS; i = i + 1) begin
        group_reg[6*i +: 6] <= ({2'd0, eight_reg[16*i +: 4]} + {2'd0, eight_reg[16*i + 4 +: 4]})
            + ({2'd0, eight_reg[16*i + 8 +: 4]} + {2'd0, eight_reg[16*i + 12 +: 4]});
    end

    count_reg <= sum[COUNT_BITS-1:0];

    // What was under way must not be counted after a reset
    if (rst) begin
        special_reg <= 0;
        eight_reg <= 0;
        group_reg <= 0;
        count_reg <= 0;
    end
end

wire unused = &{1'b0, sum[COUNT_BITS+5:COUNT_BITS]};

endmodule

`resetall
