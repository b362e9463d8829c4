// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC rank banks: holds the encoder's tables, each in a bank of its own. qlc_rank_table is the storage of an
 * encoder with one table.
 *
 *   ranks     class ranks by class, read once, when a beat comes in
 *   lengths   read twice: of the bank of the beat that comes in, to learn a block's size, and later of the
 *             bank of the block that is sent
 *
 * Every answer but the steps comes one cycle later.
 */
module qlc_rank_banks #
(
    // Read ports of the ranks
    parameter SYMBOLS = 32,
    // Bounds of the codes, see qlc_length_steps
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    // Banks, at least 2
    parameter BANKS = 5,
    // Not to be set: width of a class, of a codeword without raw bits, of a bank's number
    parameter CLASS_BITS = 8 - RAW_BITS,
    parameter HIGH_BITS = LONGEST - RAW_BITS,
    parameter BANK_BITS = $clog2(BANKS)
)
(
    input  wire                          clk,

    // Class ranks by class, and from 256 on {length[3:0], limit[15:0], step[11:0]} by length
    input  wire                          table_we,
    input  wire [BANK_BITS-1:0]          table_bank,
    input  wire [8:0]                    table_addr,
    input  wire [31:0]                   table_data,

    input  wire [BANK_BITS-1:0]          rank_bank,
    input  wire [SYMBOLS*8-1:0]          symbols,
    output wire [SYMBOLS*CLASS_BITS-1:0] ranks,
    // Lengths of the same bank
    output wire [LENGTHS-1:0]            rank_used,
    output wire [LENGTHS*CLASS_BITS-1:0] rank_firsts,
    output wire [LENGTHS*4-1:0]          rank_lengths,

    // See qlc_length_steps: steps come a cycle after firsts and lengths, where step_enable is high
    input  wire                          code_enable,
    input  wire                          step_enable,
    input  wire [BANK_BITS-1:0]          code_bank,
    output wire [LENGTHS-1:0]            code_used,
    output wire [LENGTHS*CLASS_BITS-1:0] code_firsts,
    output wire [LENGTHS*HIGH_BITS-1:0]  code_steps,
    output wire [LENGTHS*4-1:0]          code_lengths
);

// A bank has a power of two of words, so bank and class side by side are the address
reg [CLASS_BITS-1:0] rank_mem[0:(BANKS<<CLASS_BITS)-1];

// Builds with fewer raw bits have more classes: their words are ignored
always @(posedge clk) begin
    if (table_we && table_addr >> CLASS_BITS == 0) begin
        rank_mem[{table_bank, table_addr[CLASS_BITS-1:0]}] <= table_data[CLASS_BITS-1:0];
    end
end

wire [LENGTHS*32-1:0] rank_words;
wire [LENGTHS*32-1:0] code_words;

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        reg [CLASS_BITS-1:0] rank_reg;

        always @(posedge clk) begin
            rank_reg <= rank_mem[{rank_bank, symbols[8*n + RAW_BITS +: CLASS_BITS]}];
        end

        assign ranks[CLASS_BITS*n +: CLASS_BITS] = rank_reg;
    end

    // All lengths of a bank are read at once
    for (n = 0; n < LENGTHS; n = n + 1) begin : length
        reg [31:0] length_mem[0:BANKS-1];

        always @(posedge clk) begin
            if (table_we && table_addr[8:4] == 5'h10 && table_addr[3:0] == n) begin
                length_mem[table_bank] <= table_data;
            end
        end

        assign rank_words[32*n +: 32] = length_mem[rank_bank];
        assign code_words[32*n +: 32] = length_mem[code_bank];
    end

endgenerate

// A block's size needs lengths, not steps
wire [LENGTHS*HIGH_BITS-1:0] rank_steps;
wire unused = &{1'b0, rank_steps, symbols};

qlc_length_steps #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
rank_lengths_inst (
    .clk(clk),
    .enable(1'b1),
    .step_enable(1'b0),
    .words(rank_words),
    .used(rank_used),
    .firsts(rank_firsts),
    .steps(rank_steps),
    .lengths(rank_lengths)
);

qlc_length_steps #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
code_lengths_inst (
    .clk(clk),
    .enable(code_enable),
    .step_enable(step_enable),
    .words(code_words),
    .used(code_used),
    .firsts(code_firsts),
    .steps(code_steps),
    .lengths(code_lengths)
);

endmodule

`resetall
