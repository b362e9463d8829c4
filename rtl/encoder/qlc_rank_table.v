// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC rank table: gives the class rank of every symbol of a beat, one cycle later. Raw bits are not looked
 * up: a class is the bits of a symbol above them. qlc_rank_banks holds several tables.
 *
 * It is one storage with a read port for each symbol. In flip-flops the storage is shared; in FPGA
 * memories the tools copy it.
 */
module qlc_rank_table #
(
    // Read ports
    parameter SYMBOLS = 32,
    // Low bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0,
    // $readmemh file of class ranks by class, "" for none
    parameter RANK_FILE = "",
    // Not to be set: width of a class, number of classes
    parameter CLASS_BITS = 8 - RAW_BITS,
    parameter CLASSES = 1 << CLASS_BITS
)
(
    input  wire                          clk,

    input  wire                          table_we,
    input  wire [CLASS_BITS-1:0]         table_addr,
    input  wire [CLASS_BITS-1:0]         table_data,

    input  wire                          enable,
    input  wire [SYMBOLS*8-1:0]          symbols,
    output wire [SYMBOLS*CLASS_BITS-1:0] ranks
);

reg [CLASS_BITS-1:0] rank_mem[0:CLASSES-1];

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
        reg [CLASS_BITS-1:0] rank_reg;

        always @(posedge clk) begin
            if (enable) begin
                rank_reg <= rank_mem[symbols[8*n + RAW_BITS +: CLASS_BITS]];
            end
        end

        assign ranks[CLASS_BITS*n +: CLASS_BITS] = rank_reg;
    end

endgenerate

wire unused = &{1'b0, symbols};

endmodule

`resetall
