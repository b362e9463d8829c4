// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC exit map: finds where the codewords leave a unit of bits, for every place at which they may enter it.
 *
 * The entry offset is the number of bits from the unit's first one to the first codeword that begins there or
 * later. The exit offset is the next unit's entry offset. The true entry offset is not known yet, and not
 * needed here.
 *
 *   1          finds the length of a codeword at each of the unit's bits       qlc_codeword_length
 *   2, ...     finds exit offsets, from the last bit to the first. A cycle does as many places as four of
 *              the shortest codewords have bits
 */
module qlc_exit_map #
(
    // Bits of the unit
    parameter UNIT_BITS = 16,
    // Codeword lengths of a table at most; bits that tell them; shortest and longest
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 4,
    parameter LONGEST = 12
)
(
    input  wire                              clk,

    // Everything moves by one
    input  wire                              advance,

    // The unit and the KNOWN_BITS - 1 bits behind it, first bit most significant
    input  wire [UNIT_BITS+KNOWN_BITS-2:0]   bits,
    // Limits and lengths of the code: see qlc_codeword_length
    input  wire [(KNOWN_BITS+1)*LENGTHS-1:0] limits,
    input  wire [4*LENGTHS-1:0]              lengths,

    // Exit offsets by entry offset, 0 to LONGEST - 1, 1 + STEPS cycles later
    output wire [4*LONGEST-1:0]              exits
);

// Places in a cycle, and cycles
localparam PLACES = 4*SHORTEST < UNIT_BITS ? 4*SHORTEST : UNIT_BITS;
localparam STEPS = (UNIT_BITS + PLACES - 1)/PLACES;

/*
 * Lengths
 */
reg [4*UNIT_BITS-1:0] length_reg;

genvar k;

generate

    for (k = 0; k < UNIT_BITS; k = k + 1) begin : place
        wire [LENGTHS-1:0] is_length;

        qlc_codeword_length #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS)
        )
        length_inst (
            .bits(bits[UNIT_BITS+KNOWN_BITS-2-k -: KNOWN_BITS]),
            .limits(limits),
            .is_length(is_length)
        );

        reg [3:0] length;
        integer n;

        always @* begin
            length = 4'd0;

            for (n = 0; n < LENGTHS; n = n + 1) begin
                length = length | (lengths[4*n +: 4] & {4{is_length[n]}});
            end
        end

        always @(posedge clk) begin
            if (advance) begin
                length_reg[4*k +: 4] <= length;
            end
        end
    end

endgenerate

/*
 * Exits
 */
generate

    for (k = 0; k < STEPS; k = k + 1) begin : step
        // The places of this step
        localparam END = UNIT_BITS - k*PLACES;
        localparam BEGIN = END > PLACES ? END - PLACES : 0;

        wire [4*UNIT_BITS-1:0] length;
        // Of the places behind these
        wire [4*UNIT_BITS-1:0] behind;

        if (k == 0) begin : first
            assign length = length_reg;
            assign behind = 0;
        end else begin : next
            assign length = step[k-1].step_length_reg;
            assign behind = step[k-1].exit_reg;
        end

        reg [4*UNIT_BITS-1:0] exit;
        reg [3:0] found;
        integer p;
        integer n;

        always @* begin
            exit = behind;
            found = 4'd0;

            for (p = END - 1; p >= BEGIN; p = p - 1) begin
                found = 4'd0;

                for (n = SHORTEST; n <= LONGEST; n = n + 1) begin
                    if (length[4*p +: 4] == n[3:0]) begin
                        found = found
                            | (p + n < UNIT_BITS ? exit[4*((p + n) % UNIT_BITS) +: 4]
                                : p[3:0] + n[3:0] - UNIT_BITS[3:0]);
                    end
                end

                exit[4*p +: 4] = found;
            end
        end

        reg [4*UNIT_BITS-1:0] step_length_reg;
        reg [4*UNIT_BITS-1:0] exit_reg;

        always @(posedge clk) begin
            if (advance) begin
                step_length_reg <= length;
                exit_reg <= exit;
            end
        end

        wire unused = &{1'b0, step_length_reg, exit_reg};
    end

    for (k = 0; k < LONGEST; k = k + 1) begin : offset
        if (k < UNIT_BITS) begin : in_unit
            assign exits[4*k +: 4] = step[STEPS-1].exit_reg[4*k +: 4];
        end else begin : passed
            assign exits[4*k +: 4] = k - UNIT_BITS;
        end
    end

endgenerate

endmodule

`resetall
