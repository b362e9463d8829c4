// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC packet gate: lets a packet into the decoder when tables and configuration are those that it is to
 * be decoded with.
 *
 *   commit          takes effect when no packet is inside. Until then it is busy, and the next packet's
 *                   first beat waits, so that this moment comes. A commit while busy, and one of an id
 *                   that there is not, is ignored
 *   configuration   holds for the packets inside. Where it has changed, the next packet's first beat
 *                   waits until they have left
 */
module qlc_packet_gate #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Most packets inside
    parameter PACKETS = 15
)
(
    input  wire       clk,
    input  wire       rst,

    // A beat may be taken; one is taken, and is its packet's last
    output wire       open,
    input  wire       take,
    input  wire       take_last,
    // A packet has left
    input  wire       leave,

    // A commit as it is asked for, and as it takes effect
    input  wire       commit,
    input  wire [4:0] commit_id,
    output wire       busy,
    output wire       map_commit,
    output wire [4:0] map_commit_id,

    // Configuration as it is, and that of the packets inside
    input  wire [2:0] cfg_dtype,
    input  wire       cfg_require_crc,
    output wire [2:0] dtype,
    output wire       require_crc
);

localparam INSIDE_BITS = $clog2(PACKETS + 1);

reg in_packet_reg;
reg [INSIDE_BITS-1:0] inside_reg;
reg busy_reg;
reg [4:0] id_reg;
reg [2:0] dtype_reg;
reg require_crc_reg;

wire idle = inside_reg == 0;
wire changed = cfg_dtype != dtype_reg || cfg_require_crc != require_crc_reg;
wire enter = take && !in_packet_reg;

assign open = in_packet_reg || !(busy_reg || changed);
assign busy = busy_reg;
assign map_commit = busy_reg && idle;
assign map_commit_id = id_reg;
assign dtype = dtype_reg;
assign require_crc = require_crc_reg;

always @(posedge clk) begin
    if (take) begin
        in_packet_reg <= !take_last;
    end

    if (enter && !leave) begin
        inside_reg <= inside_reg + 1;
    end else if (leave && !enter) begin
        inside_reg <= inside_reg - 1;
    end

    if (map_commit) begin
        busy_reg <= 1'b0;
    end

    if (commit && !busy_reg && {27'd0, commit_id} < TABLES) begin
        busy_reg <= 1'b1;
        id_reg <= commit_id;
    end

    if (idle || rst) begin
        dtype_reg <= cfg_dtype;
        require_crc_reg <= cfg_require_crc;
    end

    if (rst) begin
        in_packet_reg <= 1'b0;
        inside_reg <= 0;
        busy_reg <= 1'b0;
    end
end

endmodule

`resetall
