// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC length steps: prepares what the encoder needs to know of a code's lengths. First ranks and lengths
 * come one cycle later, steps two.
 *
 * The codewords of a length count up with the rank. So a codeword is its rank less the length's step, which
 * is the same for all ranks of that length. The first codeword is limit[i-1] * 2^length / 4096, so the
 * length's first rank is that plus the step.
 *
 * All are taken without the raw bits, which no step changes: class rank less step is the codeword's bits
 * above the raw ones.
 *
 * A length of 0 is not in use; such words are behind all others.
 */
module qlc_length_steps #
(
    // Lengths, 1..12
    parameter LENGTHS = 4,
    // Limits are multiples of 2^(12-KNOWN_BITS)
    parameter KNOWN_BITS = 6,
    // Longest codeword, 8..12
    parameter LONGEST = 12,
    // Low bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0,
    // Not to be set: width of a class, of a codeword without raw bits
    parameter CLASS_BITS = 8 - RAW_BITS,
    parameter HIGH_BITS = LONGEST - RAW_BITS
)
(
    input  wire                          clk,

    input  wire                          enable,
    // A cycle after enable
    input  wire                          step_enable,
    // {length[3:0], limit[15:0], step[11:0]} by length, ascending
    input  wire [LENGTHS*32-1:0]         words,

    // Of a length in use: its first class rank
    output wire [LENGTHS-1:0]            used,
    output wire [LENGTHS*CLASS_BITS-1:0] firsts,
    // The steps negated: class rank plus this is the codeword, modulo 2^HIGH_BITS
    output wire [LENGTHS*HIGH_BITS-1:0]  steps,
    output wire [LENGTHS*4-1:0]          lengths
);

genvar i;

generate

    for (i = 0; i < LENGTHS; i = i + 1) begin : length
        wire [3:0] bits = words[32*i + 28 +: 4];
        wire [HIGH_BITS-1:0] step = words[32*i + RAW_BITS +: HIGH_BITS];

        reg used_reg;
        reg [CLASS_BITS-1:0] first_reg;
        reg [3:0] length_reg;
        // Waits for the negation
        reg [HIGH_BITS-1:0] step_reg;
        reg [HIGH_BITS-1:0] minus_step_reg;

        if (i == 0) begin : begins
            always @(posedge clk) begin
                if (enable) begin
                    used_reg <= 1'b1;
                    first_reg <= 0;
                end
            end
        end else begin : follows
            // Limits go up to 4096, so one that has another above it is less and needs no 13th bit
            wire [KNOWN_BITS-1:0] known = words[32*(i-1) + 24 - KNOWN_BITS +: KNOWN_BITS];
            wire [23:0] codeword = {12'd0, known, {12-KNOWN_BITS{1'b0}}} << bits;

            always @(posedge clk) begin
                if (enable) begin
                    used_reg <= bits != 0;
                    first_reg <= codeword[12 + RAW_BITS +: CLASS_BITS] + step[CLASS_BITS-1:0];
                end
            end

            wire unused = &{1'b0, codeword};
        end

        always @(posedge clk) begin
            if (enable) begin
                length_reg <= bits;
                step_reg <= step;
            end

            if (step_enable) begin
                minus_step_reg <= -step_reg;
            end
        end

        assign used[i] = used_reg;
        assign firsts[CLASS_BITS*i +: CLASS_BITS] = first_reg;
        assign steps[HIGH_BITS*i +: HIGH_BITS] = minus_step_reg;
        assign lengths[4*i +: 4] = length_reg;
    end

endgenerate

// Bits that a code within the parameters does not need
wire unused = &{1'b0, words};

endmodule

`resetall
