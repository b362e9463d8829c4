// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC symbol lanes: beats of ranks in, beats of symbols out, all looked up side by side. Raw bits pass;
 * the class rank above them is looked up.
 *
 * Of several tables, the one in use is copied to where all lanes read it. A beat of another table than the
 * one before waits a cycle for that.
 */
module qlc_symbol_lanes #
(
    // Symbols of a beat
    parameter LANES = 64,
    // Tables resident
    parameter BANKS = 1,
    // Raw bits of all tables at least
    parameter RAW_BITS = 0,
    // What goes with a beat
    parameter INFO_BITS = 1,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1,
    // Not to be set: bits of a class
    parameter CLASS_BITS = 8 - RAW_BITS
)
(
    input  wire                 clk,
    input  wire                 rst,

    // Table write port: the class of a class rank
    input  wire                 table_we,
    input  wire [BANK_BITS-1:0] table_bank,
    input  wire [CLASS_BITS-1:0] table_rank,
    input  wire [CLASS_BITS-1:0] table_class,

    // Ranks, and the table that they are of
    input  wire [8*LANES-1:0]   s_ranks,
    input  wire [LANES-1:0]     s_keep,
    input  wire [BANK_BITS-1:0] s_bank,
    input  wire [INFO_BITS-1:0] s_info,
    input  wire                 s_valid,
    output wire                 s_ready,

    // Symbols, unused ones 0
    output wire [8*LANES-1:0]   m_symbols,
    output wire [LANES-1:0]     m_keep,
    output wire [INFO_BITS-1:0] m_info,
    output wire                 m_valid,
    input  wire                 m_ready
);

localparam CLASSES = 1 << CLASS_BITS;
localparam TABLE_BITS = CLASSES*CLASS_BITS;
// A table is looked up by rows, then in the row
localparam ROW_BITS = CLASS_BITS > 5 ? CLASS_BITS/2 : 2;
localparam ROW = 1 << ROW_BITS;
localparam ROWS = CLASSES/ROW;

/*
 * Tables
 */
wire [TABLE_BITS-1:0] classes;
// The beat's table is the one that is looked up
wire here;
wire change;

wire [TABLE_BITS*BANKS-1:0] all_classes;

genvar k;
genvar r;

generate

    for (k = 0; k < BANKS; k = k + 1) begin : bank
        reg [TABLE_BITS-1:0] symbol_mem;

        for (r = 0; r < CLASSES; r = r + 1) begin : rank
            always @(posedge clk) begin
                if (table_we && (BANKS == 1 || table_bank == k) && table_rank == r) begin
                    symbol_mem[CLASS_BITS*r +: CLASS_BITS] <= table_class;
                end
            end
        end

        assign all_classes[TABLE_BITS*k +: TABLE_BITS] = symbol_mem;
    end

    if (BANKS > 1) begin : copy
        reg [TABLE_BITS-1:0] classes_reg;
        reg [BANK_BITS-1:0] bank_reg;
        reg here_reg;

        assign classes = classes_reg;
        assign here = here_reg && bank_reg == s_bank;

        always @(posedge clk) begin
            if (change) begin
                classes_reg <= all_classes[TABLE_BITS*s_bank +: TABLE_BITS];
                bank_reg <= s_bank;
                here_reg <= 1'b1;
            end

            if (rst || (table_we && table_bank == bank_reg)) begin
                here_reg <= 1'b0;
            end
        end
    end else begin : direct
        assign classes = all_classes;
        assign here = 1'b1;

        wire unused = &{1'b0, change, table_bank, s_bank};
    end

endgenerate

/*
 * Ranks
 */
reg [8*LANES-1:0] rank_reg;
reg [LANES-1:0] rank_keep_reg;
reg [INFO_BITS-1:0] rank_info_reg;
reg rank_valid_reg;

wire rank_ready;
wire rank_free = !rank_valid_reg || rank_ready;

assign s_ready = rank_free && here;
assign change = rank_free && s_valid && !here;

always @(posedge clk) begin
    if (rank_free) begin
        rank_valid_reg <= s_valid && here;
        rank_reg <= s_ranks;
        rank_keep_reg <= s_keep;
        rank_info_reg <= s_info;
    end

    if (rst) begin
        rank_valid_reg <= 1'b0;
    end
end

/*
 * Symbols
 */
reg [8*LANES-1:0] m_symbols_reg;
reg [LANES-1:0] m_keep_reg;
reg [INFO_BITS-1:0] m_info_reg;
reg m_valid_reg;

assign rank_ready = !m_valid_reg || m_ready;
assign m_symbols = m_symbols_reg;
assign m_keep = m_keep_reg;
assign m_info = m_info_reg;
assign m_valid = m_valid_reg;

// The table at a class rank, as two AND-ORs
function [CLASS_BITS-1:0] look_up(input [TABLE_BITS-1:0] words, input [CLASS_BITS-1:0] rank);
    integer n;
    reg [ROW*CLASS_BITS-1:0] row;
    begin
        row = 0;

        for (n = 0; n < ROWS; n = n + 1) begin
            row = row | (words[ROW*CLASS_BITS*n +: ROW*CLASS_BITS]
                & {ROW*CLASS_BITS{rank[CLASS_BITS-1:ROW_BITS] == n[CLASS_BITS-1-ROW_BITS:0]}});
        end

        look_up = 0;

        for (n = 0; n < ROW; n = n + 1) begin
            look_up = look_up
                | (row[CLASS_BITS*n +: CLASS_BITS] & {CLASS_BITS{rank[ROW_BITS-1:0] == n[ROW_BITS-1:0]}});
        end
    end
endfunction

reg [8*LANES-1:0] symbols_next;

integer i;

always @* begin
    symbols_next = rank_reg;

    for (i = 0; i < LANES; i = i + 1) begin
        symbols_next[8*i+RAW_BITS +: CLASS_BITS] = look_up(classes, rank_reg[8*i+RAW_BITS +: CLASS_BITS]);
        symbols_next[8*i +: 8] = symbols_next[8*i +: 8] & {8{rank_keep_reg[i]}};
    end
end

always @(posedge clk) begin
    if (rank_ready) begin
        m_valid_reg <= rank_valid_reg;
        m_keep_reg <= rank_keep_reg;
        m_info_reg <= rank_info_reg;

        m_symbols_reg <= symbols_next;
    end

    if (rst) begin
        m_valid_reg <= 1'b0;
    end
end

endmodule

`resetall
