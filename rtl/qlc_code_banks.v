// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Code tables in banks, read twice for every beat: the lengths first, to learn a block's size,
 * and later the codewords, to send it. Each side reads one bank a cycle, any of them, and has
 * its answer one cycle later.
 */
module qlc_code_banks #
(
    // Read ports on each side
    parameter SYMBOLS = 32,
    // Longest codeword, at most 12
    parameter MAX_LENGTH = 11,
    // Banks, at least 2
    parameter BANKS = 5,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(BANKS)
)
(
    input  wire                          clk,

    input  wire                          table_we,
    input  wire [BANK_BITS-1:0]          table_bank,
    input  wire [7:0]                    table_addr,
    input  wire [15:0]                   table_data,

    // A symbol without keep gets length 0
    input  wire [BANK_BITS-1:0]          size_bank,
    input  wire [SYMBOLS*8-1:0]          size_symbols,
    input  wire [SYMBOLS-1:0]            size_keep,
    output wire [SYMBOLS*4-1:0]          size_lengths,

    // Right-aligned codewords, 0 above their length
    input  wire                          code_enable,
    input  wire [BANK_BITS-1:0]          code_bank,
    input  wire [SYMBOLS*8-1:0]          code_symbols,
    output wire [SYMBOLS*MAX_LENGTH-1:0] codewords,
    output wire [SYMBOLS*4-1:0]          lengths
);

// 16 bits as in the file; bits that MAX_LENGTH leaves unused go away in synthesis
reg [15:0] code_mem[0:BANKS*256-1];

always @(posedge clk) begin
    if (table_we) begin
        code_mem[{table_bank, table_addr}] <= table_data;
    end
end

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        wire [BANK_BITS+7:0] size_addr = {size_bank, size_symbols[8*n +: 8]};
        wire [BANK_BITS+7:0] code_addr = {code_bank, code_symbols[8*n +: 8]};

        reg [3:0] size_length_reg;
        reg [MAX_LENGTH-1:0] codeword_reg;
        reg [3:0] length_reg;

        always @(posedge clk) begin
            size_length_reg <= code_mem[size_addr][15:12] & {4{size_keep[n]}};

            if (code_enable) begin
                codeword_reg <= code_mem[code_addr][MAX_LENGTH-1:0];
                length_reg <= code_mem[code_addr][15:12];
            end
        end

        assign size_lengths[4*n +: 4] = size_length_reg;
        assign codewords[MAX_LENGTH*n +: MAX_LENGTH] = codeword_reg;
        assign lengths[4*n +: 4] = length_reg;
    end

endgenerate

endmodule

`resetall
