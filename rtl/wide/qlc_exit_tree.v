// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC exit tree: combines the exit maps of single units to those of the first 1, 2, 3, ... units.
 *
 * The exit map of two neighbours is the upper one's, looked up at the lower one's exits. This is a parallel
 * prefix tree (Sklansky): both halves are trees, and each map of the upper half is looked up at the exits of
 * the whole lower half. A level takes a cycle.
 */
module qlc_exit_tree #
(
    // A power of two
    parameter UNITS = 16,
    parameter OFFSETS = 12
)
(
    input  wire                         clk,

    // Everything moves by one
    input  wire                         advance,

    // Exit offset by unit and its own entry offset
    input  wire [4*OFFSETS*UNITS-1:0]   maps,
    // Exit offset by unit and the first unit's entry offset, log2(UNITS) cycles later
    output wire [4*OFFSETS*UNITS-1:0]   exits
);

localparam MAP_BITS = 4*OFFSETS;

generate

    if (UNITS == 1) begin : leaf
        assign exits = maps;

        wire unused = &{1'b0, clk, advance};
    end else begin : node
        localparam HALF = UNITS/2;

        wire [MAP_BITS*HALF-1:0] lower;
        wire [MAP_BITS*HALF-1:0] upper;

        qlc_exit_tree #(
            .UNITS(HALF),
            .OFFSETS(OFFSETS)
        )
        lower_inst (
            .clk(clk),
            .advance(advance),
            .maps(maps[MAP_BITS*HALF-1:0]),
            .exits(lower)
        );

        qlc_exit_tree #(
            .UNITS(HALF),
            .OFFSETS(OFFSETS)
        )
        upper_inst (
            .clk(clk),
            .advance(advance),
            .maps(maps[MAP_BITS*UNITS-1:MAP_BITS*HALF]),
            .exits(upper)
        );

        wire [MAP_BITS-1:0] through = lower[MAP_BITS*(HALF-1) +: MAP_BITS];

        // A map at an offset, as an AND-OR: the offset's decoder serves all units
        function [3:0] look_up(input [MAP_BITS-1:0] map, input [3:0] offset);
            integer n;
            begin
                look_up = 4'd0;

                for (n = 0; n < OFFSETS; n = n + 1) begin
                    look_up = look_up | (map[4*n +: 4] & {4{offset == n[3:0]}});
                end
            end
        endfunction

        reg [MAP_BITS*HALF-1:0] lower_reg;
        reg [MAP_BITS*HALF-1:0] upper_reg;

        assign exits = {upper_reg, lower_reg};

        integer i;
        integer k;

        always @(posedge clk) begin
            if (advance) begin
                lower_reg <= lower;

                for (i = 0; i < HALF; i = i + 1) begin
                    for (k = 0; k < OFFSETS; k = k + 1) begin
                        upper_reg[MAP_BITS*i + 4*k +: 4] <=
                            look_up(upper[MAP_BITS*i +: MAP_BITS], through[4*k +: 4]);
                    end
                end
            end
        end
    end

endgenerate

endmodule

`resetall
