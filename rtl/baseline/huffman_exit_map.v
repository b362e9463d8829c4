// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Huffman exit map: where the codewords leave a byte, for every place at which they may enter it.
 * As qlc_exit_map, with canonical codewords of up to 16 bits: their length is not in a prefix, so each
 * bit of the byte has a comparator for every length.
 *
 *   1  the length of a codeword at each of the byte's bits
 *   2  exit offsets, from the last bit to the first
 */
module huffman_exit_map #
(
    // Shortest codeword, 1..8
    parameter SHORTEST = 3
)
(
    input  wire         clk,

    // Everything moves by one
    input  wire         advance,

    // The byte and the 14 bits behind it, first bit most significant
    input  wire [21:0]  bits,
    // Where the codewords of at most each length end: that of length n in n + 1 bits at 17*(n - 1)
    input  wire [271:0] limits,

    // Length less one of a codeword at each bit, the first bit least significant, a cycle later
    output wire [31:0]  lengths,
    // Exit offsets by entry offset, 2 cycles later
    output wire [63:0]  exits
);

wire [31:0] lengths_next;

reg [31:0] length_reg;
reg [31:0] exit_reg;

genvar k, n;

generate

    for (k = 0; k < 8; k = k + 1) begin : place
        // A codeword here has at most n bits
        wire [16:0] below;

        for (n = 0; n <= 16; n = n + 1) begin : length
            if (n < SHORTEST) begin : never
                assign below[n] = 1'b0;
            end else if (n < 16) begin : compare
                assign below[n] = {1'b0, bits[21-k -: n]} < limits[17*(n-1) +: n+1];
            end else begin : always_so
                assign below[n] = 1'b1;
            end
        end

        wire [16:0] here = below & ~{below[15:0], 1'b0};
        reg [3:0] coded;

        integer i;

        always @* begin
            coded = 4'd0;

            for (i = SHORTEST; i <= 16; i = i + 1) begin
                coded = coded | (i[3:0] - 4'd1 & {4{here[i]}});
            end
        end

        assign lengths_next[4*k +: 4] = coded;

        wire unused = &{1'b0, here};
    end

endgenerate

function [31:0] exit_offsets(input [31:0] length);
    integer entry;
    integer next;
    reg [3:0] exit;
    begin
        exit_offsets = 0;

        for (entry = 7; entry >= 0; entry = entry - 1) begin
            exit = length[4*entry +: 4] + entry[3:0] + 4'd1 - 4'd8;

            for (next = entry + SHORTEST; next < 8; next = next + 1) begin
                if ({28'd0, length[4*entry +: 4]} == next - entry - 1) begin
                    exit = exit_offsets[4*next +: 4];
                end
            end

            exit_offsets[4*entry +: 4] = exit;
        end
    end
endfunction

always @(posedge clk) begin
    if (advance) begin
        length_reg <= lengths_next;
        exit_reg <= exit_offsets(length_reg);
    end
end

assign lengths = length_reg;

generate

    for (k = 0; k < 16; k = k + 1) begin : offset
        if (k < 8) begin : in_byte
            assign exits[4*k +: 4] = exit_reg[4*k +: 4];
        end else begin : behind
            assign exits[4*k +: 4] = k - 8;
        end
    end

endgenerate

// A limit's bits above its length and one are not looked at
wire unused = &{1'b0, limits};

endmodule

`resetall
