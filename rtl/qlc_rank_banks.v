// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * The encoder's tables in banks. Ranks are looked up once, when a beat comes in; areas are read
 * twice, of the bank of the beat that comes in, to learn a block's size, and later of the bank of
 * the block that is sent. Every answer but the steps comes one cycle later.
 */
module qlc_rank_banks #
(
    // Read ports of the ranks
    parameter SYMBOLS = 32,
    // Prefix bits of the longest scheme, 1..4
    parameter PREFIX_BITS = 3,
    // Banks, at least 2
    parameter BANKS = 5,
    // Not to be set: number of areas, longest codeword, width of a bank's number
    parameter AREAS = 1 << PREFIX_BITS,
    parameter MAX_LENGTH = PREFIX_BITS + 8,
    parameter BANK_BITS = $clog2(BANKS)
)
(
    input  wire                        clk,

    // Ranks by symbol, and from 256 on {extra[3:0], base[11:0]} by area
    input  wire                        table_we,
    input  wire [BANK_BITS-1:0]        table_bank,
    input  wire [8:0]                  table_addr,
    input  wire [15:0]                 table_data,

    input  wire [BANK_BITS-1:0]        rank_bank,
    input  wire [SYMBOLS*8-1:0]        symbols,
    output wire [SYMBOLS*8-1:0]        ranks,
    // Of the same bank
    output wire [AREAS*9-1:0]          rank_bases,
    output wire [AREAS*4-1:0]          rank_lengths,

    // See qlc_area_codes: steps come a cycle after bases and lengths, where step_enable is high
    input  wire                        code_enable,
    input  wire                        step_enable,
    input  wire [BANK_BITS-1:0]        code_bank,
    output wire [AREAS*9-1:0]          code_bases,
    output wire [AREAS*MAX_LENGTH-1:0] code_steps,
    output wire [AREAS*4-1:0]          code_lengths
);

reg [7:0] rank_mem[0:BANKS*256-1];

always @(posedge clk) begin
    if (table_we && !table_addr[8]) begin
        rank_mem[{table_bank, table_addr[7:0]}] <= table_data[7:0];
    end
end

wire [AREAS*16-1:0] rank_words;
wire [AREAS*16-1:0] code_words;

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        reg [7:0] rank_reg;

        always @(posedge clk) begin
            rank_reg <= rank_mem[{rank_bank, symbols[8*n +: 8]}];
        end

        assign ranks[8*n +: 8] = rank_reg;
    end

    // All areas of a bank are read at once
    for (n = 0; n < AREAS; n = n + 1) begin : area
        reg [15:0] area_mem[0:BANKS-1];

        always @(posedge clk) begin
            if (table_we && table_addr[8] && table_addr[PREFIX_BITS-1:0] == n) begin
                area_mem[table_bank] <= table_data;
            end
        end

        assign rank_words[16*n +: 16] = area_mem[rank_bank];
        assign code_words[16*n +: 16] = area_mem[code_bank];
    end

endgenerate

// Sizes need lengths only
wire [AREAS*MAX_LENGTH-1:0] rank_steps;
wire unused = &{1'b0, rank_steps};

qlc_area_codes #(
    .PREFIX_BITS(PREFIX_BITS)
)
rank_codes_inst (
    .clk(clk),
    .enable(1'b1),
    .step_enable(1'b0),
    .words(rank_words),
    .bases(rank_bases),
    .steps(rank_steps),
    .lengths(rank_lengths)
);

qlc_area_codes #(
    .PREFIX_BITS(PREFIX_BITS)
)
code_codes_inst (
    .clk(clk),
    .enable(code_enable),
    .step_enable(step_enable),
    .words(code_words),
    .bases(code_bases),
    .steps(code_steps),
    .lengths(code_lengths)
);

endmodule

`resetall
