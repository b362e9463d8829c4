// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC exit map: where the codewords leave a byte, for every place at which they may enter it.
 *
 * An entry offset is the number of bits from the byte's first one to the first codeword that
 * begins there or later; the exit offset is the next byte's entry offset. What is not known yet,
 * the true entry offset, is not needed here.
 *
 *   1  the extra bits of a codeword at each of the byte's bits
 *   2  exit offsets, from the last bit to the first
 */
module qlc_exit_map #
(
    // Prefix bits of the scheme, 1..4
    parameter PREFIX_BITS = 3,
    // Not to be set: entry offsets, from 0 to a bit less than the longest codeword
    parameter OFFSETS = PREFIX_BITS + 8
)
(
    input  wire                      clk,

    // Everything moves by one
    input  wire                      advance,

    // The byte and the PREFIX_BITS - 1 bits behind it, first bit most significant
    input  wire [PREFIX_BITS+6:0]    bits,
    // Extra bits by area
    input  wire [4*(1<<PREFIX_BITS)-1:0] extras,

    // Exit offsets by entry offset, 2 cycles later
    output wire [4*OFFSETS-1:0]      exits
);

reg [31:0] extra_reg;
reg [31:0] exit_reg;

function [31:0] exit_offsets(input [31:0] extra);
    integer entry;
    integer next;
    reg [3:0] exit;
    begin
        exit_offsets = 0;

        for (entry = 7; entry >= 0; entry = entry - 1) begin
            exit = extra[4*entry +: 4] + entry[3:0] + PREFIX_BITS[3:0] - 4'd8;

            for (next = entry + PREFIX_BITS; next < 8; next = next + 1) begin
                if ({28'd0, extra[4*entry +: 4]} == next - PREFIX_BITS - entry) begin
                    exit = exit_offsets[4*next +: 4];
                end
            end

            exit_offsets[4*entry +: 4] = exit;
        end
    end
endfunction

integer i;

always @(posedge clk) begin
    if (advance) begin
        for (i = 0; i < 8; i = i + 1) begin
            extra_reg[4*i +: 4] <= extras[4*bits[PREFIX_BITS+6-i -: PREFIX_BITS] +: 4];
        end

        exit_reg <= exit_offsets(extra_reg);
    end
end

genvar k;

generate

    for (k = 0; k < OFFSETS; k = k + 1) begin : offset
        if (k < 8) begin : in_byte
            assign exits[4*k +: 4] = exit_reg[4*k +: 4];
        end else begin : behind
            assign exits[4*k +: 4] = k - 8;
        end
    end

endgenerate

endmodule

`resetall
