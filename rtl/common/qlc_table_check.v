// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC table check: watches the words of a table while they are written, and tells whether the build
 * can hold it.
 *
 * The length words, address 256+i, must come in order; the one of address 256 begins anew. Those in use
 * have lengths and limits that go up, the lengths within SHORTEST and LONGEST, the limits multiples of
 * 2^(12-KNOWN_BITS) and of a codeword's part of the code space, and the last one is 4096; the words behind
 * are 01000000. There are LENGTHS at most. Every step is a multiple of 2^RAW_BITS. There are no more
 * classes than 2^(8-RAW_BITS). Words above the twelfth length word are ignored.
 *
 * Not looked at is whether the classes are all different, and whether the steps fit the limits.
 */
module qlc_table_check #
(
    // What tables there may be: see qlc_block_decoder
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0
)
(
    input  wire        clk,
    input  wire        rst,

    // A word is written, see qlc_decoder_core. The table's commit, whether it was done or not
    input  wire        we,
    input  wire [8:0]  addr,
    input  wire [31:0] data,
    input  wire        over,

    // A cycle after a word: what was written since the last commit is a table that fits
    output wire        fit
);

localparam [31:0] UNUSED = 32'h01000000;
localparam [3:0] MOST = LENGTHS[3:0];
localparam [12:0] ALL = 13'd4096;
localparam [3:0] FIRST_LENGTH = SHORTEST[3:0];
localparam [3:0] LAST_LENGTH = LONGEST[3:0];
localparam [8:0] CLASSES = 9'd256 >> RAW_BITS;
// Bits of limits and steps that are 0
localparam [15:0] LIMIT_ZEROS = (16'd1 << (12 - KNOWN_BITS)) - 16'd1;
localparam [11:0] STEP_ZEROS = (12'd1 << RAW_BITS) - 12'd1;

// check configuration
initial begin
    if (LENGTHS < 1 || LENGTHS > 12) begin
        $error("Error: LENGTHS must be 1..12 (instance %m)");
        $finish;
    end

    if (KNOWN_BITS < 3 || KNOWN_BITS > 12) begin
        $error("Error: KNOWN_BITS must be 3..12 (instance %m)");
        $finish;
    end

    if (SHORTEST < 1 || SHORTEST > 8 || LONGEST < 8 || LONGEST > 12) begin
        $error("Error: SHORTEST must be 1..8, LONGEST 8..12 (instance %m)");
        $finish;
    end

    if (RAW_BITS < 0 || RAW_BITS > 3) begin
        $error("Error: RAW_BITS must be 0..3 (instance %m)");
        $finish;
    end
end

wire [3:0] length = data[31:28];
wire [15:0] limit = data[27:12];
wire [11:0] step = data[11:0];

// The address of the length word that must come next; length and limit of the one before; whether the
// last length in use has come
reg [8:0] next_reg;
reg [3:0] length_reg;
reg [12:0] limit_reg;
reg done_reg;
// A length word does not fit; a class does not
reg bad_length_reg;
reg bad_class_reg;

assign fit = done_reg && !bad_length_reg && !bad_class_reg;

wire length_word = addr[8:4] == 5'h10 && addr[3:0] < 4'd12;
wire first = addr == 9'd256;
wire in_order = first || addr == next_reg;
wire done = done_reg && !first;
wire up = first || (length > length_reg && limit > {3'd0, limit_reg});
wire in_bounds = length >= FIRST_LENGTH && length <= LAST_LENGTH && limit <= {3'd0, ALL}
    && (limit & LIMIT_ZEROS) == 0 && (step & STEP_ZEROS) == 0;
// A codeword of n bits takes 2^(12-n) of the code space, so 12-n low bits of the limit are 0
wire [11:0] unit_zeros = 12'hfff >> length;
wire whole = (limit[11:0] & unit_zeros) == 0;
wire there = addr[3:0] < MOST;
wire good = in_order
    && (done || !there ? data == UNUSED : up && in_bounds && whole && limit != 0);

always @(posedge clk) begin
    if (we && length_word) begin
        next_reg <= addr + 9'd1;
        length_reg <= length;
        limit_reg <= limit[12:0];
        done_reg <= done || (there && limit == {3'd0, ALL});
        bad_length_reg <= !good || (bad_length_reg && !first);
    end

    if (we && addr >= CLASSES && !addr[8]) begin
        bad_class_reg <= 1'b1;
    end

    if (over || rst) begin
        done_reg <= 1'b0;
        bad_length_reg <= 1'b0;
        bad_class_reg <= 1'b0;
        next_reg <= 9'd256;
    end
end

endmodule

`resetall
