// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC table banks: which bank holds the table of which id, for TABLES tables in TABLES + 1 banks.
 *
 * One bank is for staging and in nobody's use: it may be written at any time while busy is low.
 * A commit makes it the table of an id, and what was this id's bank is for staging from then on.
 * That happens when no packet is inside; until then busy is high, and hold keeps the next
 * packet's first beat waiting, so that it must happen. Commits while busy, and of ids that there
 * are not, are ignored.
 *
 * No table is loaded after a reset.
 */
module qlc_table_banks #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Most packets inside
    parameter PACKETS = 15,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(TABLES + 1)
)
(
    input  wire                        clk,
    input  wire                        rst,

    input  wire                        commit,
    input  wire [4:0]                  commit_id,
    output wire                        busy,

    // A packet's first beat is taken; the last use of a packet's tables is over
    input  wire                        enter,
    input  wire                        leave,
    output wire                        hold,
    // No packet is inside
    output wire                        idle,

    output wire [BANK_BITS-1:0]        staging,
    // By table id
    output wire [TABLES-1:0]           loaded,
    output wire [TABLES*BANK_BITS-1:0] banks
);

localparam INSIDE_BITS = $clog2(PACKETS + 1);

// check configuration
initial begin
    if (TABLES < 1 || TABLES > 32) begin
        $error("Error: TABLES must be 1..32 (instance %m)");
        $finish;
    end
end

reg [INSIDE_BITS-1:0] inside_reg;
reg busy_reg;
reg [4:0] id_reg;
reg [BANK_BITS-1:0] staging_reg;
reg [TABLES-1:0] loaded_reg;
reg [TABLES*BANK_BITS-1:0] banks_reg;

assign busy = busy_reg;
assign hold = busy_reg;
assign idle = inside_reg == 0;
assign staging = staging_reg;
assign loaded = loaded_reg;
assign banks = banks_reg;

integer i;

always @(posedge clk) begin
    if (enter && !leave) begin
        inside_reg <= inside_reg + 1;
    end else if (leave && !enter) begin
        inside_reg <= inside_reg - 1;
    end

    if (busy_reg && idle) begin
        busy_reg <= 1'b0;

        for (i = 0; i < TABLES; i = i + 1) begin
            if (id_reg == i[4:0]) begin
                loaded_reg[i] <= 1'b1;
                banks_reg[i*BANK_BITS +: BANK_BITS] <= staging_reg;
                staging_reg <= banks_reg[i*BANK_BITS +: BANK_BITS];
            end
        end
    end

    if (commit && !busy_reg && {27'd0, commit_id} < TABLES) begin
        busy_reg <= 1'b1;
        id_reg <= commit_id;
    end

    if (rst) begin
        inside_reg <= 0;
        busy_reg <= 1'b0;
        staging_reg <= TABLES[BANK_BITS-1:0];
        loaded_reg <= 0;

        for (i = 0; i < TABLES; i = i + 1) begin
            banks_reg[i*BANK_BITS +: BANK_BITS] <= i[BANK_BITS-1:0];
        end
    end
end

endmodule

`resetall
