// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Which bank holds the table of an id, and which one is free to be written.
 *
 * There is one bank more than ids: the staging bank. A commit gives it to an id, and makes the
 * bank that the id had the next staging bank. Packets that entered before may still read that
 * one, so the port stays busy until they have left. A write or a commit while busy, and a commit
 * of an id that is not there, does nothing.
 *
 * After reset no id has a table.
 */
module qlc_bank_map #
(
    // Ids, 1..32
    parameter TABLES = 4,
    // Width of a count of packets inside
    parameter PACKETS_BITS = 6,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(TABLES + 1)
)
(
    input  wire                 clk,
    input  wire                 rst,

    input  wire                 commit,
    input  wire [4:0]           commit_id,
    output wire                 busy,
    output wire [BANK_BITS-1:0] staging_bank,
    output wire [TABLES-1:0]    loaded,

    // The bank of an id, in the same cycle, 0 where there is none
    input  wire [4:0]           id,
    output wire                 known,
    output wire [BANK_BITS-1:0] bank,

    // A packet enters, with the answer of this cycle; the oldest packet reads no more
    input  wire                 enter,
    input  wire                 leave
);

// check configuration
initial begin
    if (TABLES < 1 || TABLES > 32) begin
        $error("Error: TABLES must be 1..32 (instance %m)");
        $finish;
    end
end

reg [TABLES-1:0] loaded_reg;
reg [TABLES*BANK_BITS-1:0] bank_reg;
reg [BANK_BITS-1:0] staging_reg;
// Packets inside, and those of them that entered before the last commit
reg [PACKETS_BITS-1:0] inside_reg;
reg [PACKETS_BITS-1:0] before_reg;
reg busy_reg;

// All 32 ids, so that every id finds an answer
wire [31:0] all_loaded = {{32-TABLES{1'b0}}, loaded_reg};
wire [32*BANK_BITS-1:0] all_banks = {{(32-TABLES)*BANK_BITS{1'b0}}, bank_reg};
wire [31:0] present = {{32-TABLES{1'b0}}, {TABLES{1'b1}}};

assign busy = busy_reg;
assign staging_bank = staging_reg;
assign loaded = loaded_reg;
assign known = all_loaded[id];
assign bank = all_loaded[id] ? all_banks[BANK_BITS*id +: BANK_BITS] : {BANK_BITS{1'b0}};

wire accepted = commit && !busy_reg && present[commit_id];
wire [PACKETS_BITS-1:0] inside_next =
    inside_reg + {{PACKETS_BITS-1{1'b0}}, enter} - {{PACKETS_BITS-1{1'b0}}, leave};
wire [PACKETS_BITS-1:0] before_next = before_reg - {{PACKETS_BITS-1{1'b0}}, leave};

integer i;

always @(posedge clk) begin
    inside_reg <= inside_next;

    if (accepted) begin
        staging_reg <= all_banks[BANK_BITS*commit_id +: BANK_BITS];
        // The bank of an id without a table is not in use
        busy_reg <= all_loaded[commit_id] && inside_next != 0;
        before_reg <= inside_next;
    end else if (busy_reg) begin
        busy_reg <= before_next != 0;
        before_reg <= before_next;
    end

    for (i = 0; i < TABLES; i = i + 1) begin
        if (accepted && commit_id == i[4:0]) begin
            loaded_reg[i] <= 1'b1;
            bank_reg[BANK_BITS*i +: BANK_BITS] <= staging_reg;
        end
    end

    if (rst) begin
        loaded_reg <= 0;
        staging_reg <= TABLES[BANK_BITS-1:0];
        inside_reg <= 0;
        busy_reg <= 1'b0;

        for (i = 0; i < TABLES; i = i + 1) begin
            bank_reg[BANK_BITS*i +: BANK_BITS] <= i[BANK_BITS-1:0];
        end
    end
end

endmodule

`resetall
