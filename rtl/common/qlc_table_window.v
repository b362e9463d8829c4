// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC table window: takes what software writes to the words of the staging bank, and to its commit.
 *
 * Refused are words and commits while tables are busy, words of which only some bytes are written, and
 * commits of ids that there are not. A table that the build cannot hold is not committed: it is unfit
 * (qlc_table_check). Words that the build has no use for are taken and dropped.
 *
 * table_busy must be 1 at the latest in the second cycle after table_commit, and until the staging bank
 * may be written again. In the cycles up to then tables count as busy whatever it is.
 */
module qlc_table_window #
(
    // Lengths of a table's codewords, 1..12
    parameter LENGTHS = 4,
    // Bits of a codeword that tell its length, 3..12: limits are multiples of 2^(12-KNOWN_BITS)
    parameter KNOWN_BITS = 6,
    // Shortest codeword, 1..8, and longest, 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0,
    // Tables resident, 1..32
    parameter TABLES = 4
)
(
    input  wire        clk,
    input  wire        rst,

    // Software writes any register, in this cycle; it is a word of the window; it is the commit
    input  wire        write,
    input  wire        write_word,
    input  wire        write_commit,
    input  wire [8:0]  addr,
    input  wire [31:0] data,
    input  wire [3:0]  strb,
    // In the same cycle: the word or commit is refused; the table to be committed does not fit
    output wire        refused,
    output wire        unfit,
    output wire        busy,

    // Tables: words into the staging bank, and its commit as table table_id
    output wire        table_we,
    output wire [8:0]  table_addr,
    output wire [31:0] table_data,
    output wire        table_commit,
    output wire [4:0]  table_id,
    input  wire        table_busy
);

// Words that there is a use for: these, and those from 256 on
localparam CLASS_WORDS = 256 >> RAW_BITS;
localparam [31:0] CLASS_END = CLASS_WORDS;
localparam [31:0] LENGTH_END = LENGTHS;
localparam [31:0] TABLE_COUNT = TABLES;

reg table_word_reg;
reg table_we_reg;
reg table_over_reg;
reg [8:0] table_addr_reg;
reg [31:0] table_data_reg;
reg [4:0] table_id_reg;
reg table_commit_reg;
reg table_committed_reg;

assign table_we = table_we_reg;
assign table_addr = table_addr_reg;
assign table_data = table_data_reg;
assign table_commit = table_commit_reg;
assign table_id = table_id_reg;

assign busy = table_busy || table_commit_reg || table_committed_reg;

wire word_bad = busy || (strb != 4'b0000 && strb != 4'b1111);
wire commit_bad = busy || !strb[0] || {1'b0, data[4:0]} >= TABLE_COUNT[5:0];
wire fit;

assign refused = (write_word && word_bad) || (write_commit && commit_bad);
assign unfit = write_commit && !commit_bad && !fit;

wire word = write_word && !word_bad && strb[0];
wire commit = write_commit && !commit_bad && fit;

always @(posedge clk) begin
    table_word_reg <= word;
    table_we_reg <= word && (addr[8]
        ? {1'b0, addr[7:0]} < LENGTH_END[8:0] : {1'b0, addr[7:0]} < CLASS_END[8:0]);
    table_over_reg <= commit || unfit;
    table_commit_reg <= commit;
    table_committed_reg <= table_commit_reg;

    if (write) begin
        table_addr_reg <= addr;
        table_data_reg <= data;
    end

    if (commit) begin
        table_id_reg <= data[4:0];
    end

    if (rst) begin
        table_word_reg <= 1'b0;
        table_we_reg <= 1'b0;
        table_over_reg <= 1'b0;
        table_commit_reg <= 1'b0;
        table_committed_reg <= 1'b0;
    end
end

qlc_table_check #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
check_inst (
    .clk(clk),
    .rst(rst),
    .we(table_word_reg),
    .addr(table_addr_reg),
    .data(table_data_reg),
    .over(table_over_reg),
    .fit(fit)
);

endmodule

`resetall
