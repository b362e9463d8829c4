// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC staging guard: tells when the encoder's staging bank may be written, and a table committed.
 *
 * A commit takes effect at once: packets that enter from then on use the new table. Packets that
 * entered before may still read the bank that the id had, which is the staging bank now, so it is busy
 * until they have left. A commit while busy, and one of an id that there is not, is ignored.
 *
 * The decoder does it the other way round (qlc_packet_gate): a block's header names its table in the
 * middle of a packet, so a table can change only between packets.
 */
module qlc_staging_guard #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Width of a count of packets inside
    parameter PACKETS_BITS = 6
)
(
    input  wire              clk,
    input  wire              rst,

    // A commit as it is asked for, and whether it takes effect in this cycle
    input  wire              commit,
    input  wire [4:0]        commit_id,
    output wire              accepted,
    output wire              busy,

    // See qlc_bank_map
    input  wire [TABLES-1:0] loaded,

    // A packet enters; the oldest one reads no more
    input  wire              enter,
    input  wire              leave
);

// Packets inside, and those of them that entered before the last commit
reg [PACKETS_BITS-1:0] inside_reg;
reg [PACKETS_BITS-1:0] before_reg;
reg busy_reg;

assign busy = busy_reg;
assign accepted = commit && !busy_reg && {27'd0, commit_id} < TABLES;

wire [PACKETS_BITS-1:0] inside_next =
    inside_reg + {{PACKETS_BITS-1{1'b0}}, enter} - {{PACKETS_BITS-1{1'b0}}, leave};
wire [PACKETS_BITS-1:0] before_next = before_reg - {{PACKETS_BITS-1{1'b0}}, leave};

// All 32 ids, so that every id finds an answer
wire [31:0] all_loaded = {{32-TABLES{1'b0}}, loaded};

always @(posedge clk) begin
    inside_reg <= inside_next;

    if (accepted) begin
        // No packet reads the bank of an id that had no table
        busy_reg <= all_loaded[commit_id] && inside_next != 0;
        before_reg <= inside_next;
    end else if (busy_reg) begin
        busy_reg <= before_next != 0;
        before_reg <= before_next;
    end

    if (rst) begin
        inside_reg <= 0;
        busy_reg <= 1'b0;
    end
end

endmodule

`resetall
