// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block header: splits a block's header into its fields, and tells what is wrong with them.
 * Combinational.
 */
module qlc_block_header #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(TABLES + 1)
)
(
    // First byte most significant
    input  wire [31:0]                 header,

    // Tables that are loaded, and their banks, by table id
    input  wire [TABLES-1:0]           loaded,
    input  wire [TABLES*BANK_BITS-1:0] banks,
    // A block without CRC is wrong
    input  wire                        require_crc,

    output wire                        coded,
    output wire                        has_crc,
    // The packet's last block
    output wire                        last,
    output wire [12:0]                 symbols,
    // One less than there are
    output wire [11:0]                 payload_less_1,
    output wire [BANK_BITS-1:0]        bank,
    // 0, or 8 no-crc, 2 unknown-table, 6 raw-mismatch
    output wire [3:0]                  error
);

localparam [3:0]
    GOOD = 4'd0,
    UNKNOWN_TABLE = 4'd2,
    RAW_MISMATCH = 4'd6,
    NO_CRC = 4'd8;

wire [4:0] id = header[28:24];
wire id_known;

qlc_bank_lookup #(
    .TABLES(TABLES)
)
lookup_inst (
    .loaded(loaded),
    .banks(banks),
    .id(id),
    .known(id_known),
    .bank(bank)
);

wire raw_good = header[23:12] == header[11:0] && id == 0;

assign coded = header[31];
assign has_crc = header[30];
assign last = header[29];
assign symbols = {1'b0, header[23:12]} + 13'd1;
assign payload_less_1 = header[11:0];
assign error = require_crc && !has_crc ? NO_CRC
    : coded ? (id_known ? GOOD : UNKNOWN_TABLE)
    : raw_good ? GOOD : RAW_MISMATCH;

endmodule

`resetall
