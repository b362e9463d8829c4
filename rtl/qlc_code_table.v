// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC code table: the codeword and length of every symbol of a beat, one cycle later.
 *
 * One storage with a read port for each symbol: in flip-flops the storage is shared, in FPGA
 * memories the tools copy it.
 */
module qlc_code_table #
(
    // Read ports
    parameter SYMBOLS = 32,
    // Longest codeword, at most 12, or more than that and at most 16
    parameter MAX_LENGTH = 11,
    // $readmemh file of {length[3:0], codeword[11:0]} by symbol, or {length[4:0], codeword[15:0]}
    // where codewords are of more than 12 bits, "" for none
    parameter CODE_FILE = "",
    // Not to be set: the two fields
    parameter CODEWORD_BITS = MAX_LENGTH > 12 ? 16 : 12,
    parameter LENGTH_BITS = $clog2(MAX_LENGTH + 1)
)
(
    input  wire                                 clk,

    input  wire                                 table_we,
    input  wire [7:0]                           table_addr,
    input  wire [LENGTH_BITS+CODEWORD_BITS-1:0] table_data,

    // Symbols in; a byte without keep gets length 0
    input  wire                                 enable,
    input  wire [SYMBOLS*8-1:0]                 symbols,
    input  wire [SYMBOLS-1:0]                   keep,

    // Right-aligned codewords, 0 above their length
    output wire [SYMBOLS*MAX_LENGTH-1:0]        codewords,
    output wire [SYMBOLS*LENGTH_BITS-1:0]       lengths
);

// All bits of the file; those that MAX_LENGTH leaves unused go away in synthesis
reg [LENGTH_BITS+CODEWORD_BITS-1:0] code_mem[0:255];

generate

    if (CODE_FILE != "") begin : init
        initial begin
            $readmemh(CODE_FILE, code_mem);
        end
    end

endgenerate

always @(posedge clk) begin
    if (table_we) begin
        code_mem[table_addr] <= table_data;
    end
end

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        wire [7:0] symbol = symbols[8*n +: 8];
        reg [MAX_LENGTH-1:0] codeword_reg;
        reg [LENGTH_BITS-1:0] length_reg;

        always @(posedge clk) begin
            if (enable) begin
                codeword_reg <= code_mem[symbol][MAX_LENGTH-1:0] & {MAX_LENGTH{keep[n]}};
                length_reg <= code_mem[symbol][CODEWORD_BITS +: LENGTH_BITS] & {LENGTH_BITS{keep[n]}};
            end
        end

        assign codewords[MAX_LENGTH*n +: MAX_LENGTH] = codeword_reg;
        assign lengths[LENGTH_BITS*n +: LENGTH_BITS] = length_reg;
    end

endgenerate

endmodule

`resetall
