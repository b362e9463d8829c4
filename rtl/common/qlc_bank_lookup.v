// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC bank lookup: tells whether the table of an id is loaded, and in which bank. Combinational.
 */
module qlc_bank_lookup #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(TABLES + 1)
)
(
    // See qlc_bank_map
    input  wire [TABLES-1:0]           loaded,
    input  wire [TABLES*BANK_BITS-1:0] banks,

    input  wire [4:0]                  id,
    output reg                         known,
    // Without meaning where no table is loaded
    output reg  [BANK_BITS-1:0]        bank
);

integer i;

always @* begin
    known = 1'b0;
    bank = 0;

    for (i = 0; i < TABLES; i = i + 1) begin
        if (id == i[4:0]) begin
            known = loaded[i];
            bank = banks[i*BANK_BITS +: BANK_BITS];
        end
    end
end

endmodule

`resetall
