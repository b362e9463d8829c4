// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Tells whether one number is at least another. Combinational: a tree of two-bit comparisons, which is
 * small and fast. The carry chain of an adder, which tools make of ">=", is neither.
 */
module qlc_at_least #
(
    parameter WIDTH = 8
)
(
    // Where it is 0, so is the answer
    input  wire             valid,
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    output wire             at_least
);

localparam LEVELS = $clog2(WIDTH);
localparam LEAVES = 1 << LEVELS;

reg [LEAVES-1:0] greater;
reg [LEAVES-1:0] equal;

integer l, i;

always @* begin
    greater = 0;
    equal = {LEAVES{1'b1}};
    greater[WIDTH-1:0] = a & ~b;
    equal[WIDTH-1:0] = ~(a ^ b);
    // Put in here, it makes no path longer
    greater[WIDTH-1] = greater[WIDTH-1] & valid;
    equal[WIDTH-1] = equal[WIDTH-1] & valid;

    for (l = 0; l < LEVELS; l = l + 1) begin
        for (i = 0; i < LEAVES >> (l + 1); i = i + 1) begin
            greater[i] = greater[2*i+1] | (equal[2*i+1] & greater[2*i]);
            equal[i] = equal[2*i+1] & equal[2*i];
        end
    end
end

assign at_least = greater[0] | equal[0];

endmodule

`resetall
