// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC rank table: the rank of every symbol of a beat, one cycle later.
 *
 * One storage with a read port for each symbol: in flip-flops the storage is shared, in FPGA
 * memories the tools copy it.
 */
module qlc_rank_table #
(
    // Read ports
    parameter SYMBOLS = 32,
    // $readmemh file of ranks by symbol, "" for none
    parameter RANK_FILE = ""
)
(
    input  wire                 clk,

    input  wire                 table_we,
    input  wire [7:0]           table_addr,
    input  wire [7:0]           table_data,

    input  wire                 enable,
    input  wire [SYMBOLS*8-1:0] symbols,
    output wire [SYMBOLS*8-1:0] ranks
);

reg [7:0] rank_mem[0:255];

generate

    if (RANK_FILE != "") begin : init
        initial begin
            $readmemh(RANK_FILE, rank_mem);
        end
    end

endgenerate

always @(posedge clk) begin
    if (table_we) begin
        rank_mem[table_addr] <= table_data;
    end
end

genvar n;

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        reg [7:0] rank_reg;

        always @(posedge clk) begin
            if (enable) begin
                rank_reg <= rank_mem[symbols[8*n +: 8]];
            end
        end

        assign ranks[8*n +: 8] = rank_reg;
    end

endgenerate

endmodule

`resetall
