// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC bank map: keeps which bank holds the table of which id, for TABLES tables in TABLES + 1 banks.
 *
 * The bank that no id has is the staging bank, which may be written. A commit gives it to an id, from
 * the next cycle on, and the bank that the id had is the staging bank then. When that may happen, with
 * packets inside that use the tables, is decided outside: in the encoder by qlc_staging_guard, in the
 * decoder by qlc_packet_gate.
 *
 * No table is loaded after a reset.
 */
module qlc_bank_map #
(
    // Tables resident, 1..32; their ids are 0..TABLES-1
    parameter TABLES = 4,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(TABLES + 1)
)
(
    input  wire                        clk,
    input  wire                        rst,

    // Of an id below TABLES
    input  wire                        commit,
    input  wire [4:0]                  commit_id,

    output wire [BANK_BITS-1:0]        staging_bank,
    // By table id
    output wire [TABLES-1:0]           loaded,
    output wire [TABLES*BANK_BITS-1:0] banks
);

// check configuration
initial begin
    if (TABLES < 1 || TABLES > 32) begin
        $error("Error: TABLES must be 1..32 (instance %m)");
        $finish;
    end
end

reg [BANK_BITS-1:0] staging_reg;
reg [TABLES-1:0] loaded_reg;
reg [TABLES*BANK_BITS-1:0] banks_reg;

assign staging_bank = staging_reg;
assign loaded = loaded_reg;
assign banks = banks_reg;

integer i;

always @(posedge clk) begin
    for (i = 0; i < TABLES; i = i + 1) begin
        if (commit && commit_id == i[4:0]) begin
            loaded_reg[i] <= 1'b1;
            banks_reg[i*BANK_BITS +: BANK_BITS] <= staging_reg;
            staging_reg <= banks_reg[i*BANK_BITS +: BANK_BITS];
        end
    end

    if (rst) begin
        staging_reg <= TABLES[BANK_BITS-1:0];
        loaded_reg <= 0;

        for (i = 0; i < TABLES; i = i + 1) begin
            banks_reg[i*BANK_BITS +: BANK_BITS] <= i[BANK_BITS-1:0];
        end
    end
end

endmodule

`resetall
