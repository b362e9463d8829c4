// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC area codes: what the encoder needs to know of a scheme's areas: bases and lengths one cycle
 * later, steps two.
 *
 * A codeword is the area's prefix, then the rank's offset in the area: (area << extra) + rank - base.
 * So it is the rank plus the area's step, (area << extra) - base, which is the same for all ranks.
 */
module qlc_area_codes #
(
    // Prefix bits of the scheme, 1..4
    parameter PREFIX_BITS = 3,
    // Not to be set: number of areas, longest codeword
    parameter AREAS = 1 << PREFIX_BITS,
    parameter MAX_LENGTH = PREFIX_BITS + 8
)
(
    input  wire                        clk,

    input  wire                        enable,
    // A cycle after enable
    input  wire                        step_enable,
    // {extra[3:0], base[11:0]} by area; an empty area's base is 256
    input  wire [AREAS*16-1:0]         words,

    // First rank, step modulo 2^MAX_LENGTH, length of the codewords
    output wire [AREAS*9-1:0]          bases,
    output wire [AREAS*MAX_LENGTH-1:0] steps,
    output wire [AREAS*4-1:0]          lengths
);

genvar a;

generate

    for (a = 0; a < AREAS; a = a + 1) begin : area
        localparam [MAX_LENGTH-1:0] PREFIX = a;

        reg [8:0] base_reg;
        reg [3:0] extra_reg;
        reg [3:0] length_reg;
        reg [MAX_LENGTH-1:0] step_reg;

        always @(posedge clk) begin
            if (enable) begin
                base_reg <= words[16*a +: 9];
                extra_reg <= words[16*a + 12 +: 4];
                length_reg <= words[16*a + 12 +: 4] + PREFIX_BITS[3:0];
            end

            if (step_enable) begin
                step_reg <= (PREFIX << extra_reg) - {{MAX_LENGTH-8{1'b0}}, base_reg[7:0]};
            end
        end

        assign bases[9*a +: 9] = base_reg;
        assign steps[MAX_LENGTH*a +: MAX_LENGTH] = step_reg;
        assign lengths[4*a +: 4] = length_reg;

        // Bases have 9 bits
        wire unused = &{1'b0, words[16*a + 9 +: 3]};
    end

endgenerate

endmodule

`resetall
