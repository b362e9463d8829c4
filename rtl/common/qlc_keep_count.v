// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Counts the bytes of a beat that are in use. They must be contiguous from byte 0. So nothing is added up:
 * the last byte in use, which has none in use behind it, gives the count.
 */
module qlc_keep_count #
(
    parameter BYTES = 32,
    // Not to be set: width of the count
    parameter COUNT_BITS = $clog2(BYTES + 1)
)
(
    input  wire [BYTES-1:0]      keep,
    output reg  [COUNT_BITS-1:0] count
);

integer i;

always @* begin
    count = keep[BYTES-1] ? BYTES[COUNT_BITS-1:0] : 0;

    for (i = 1; i < BYTES; i = i + 1) begin
        if (keep[i-1] && !keep[i]) begin
            count = count | i[COUNT_BITS-1:0];
        end
    end
end

endmodule

`resetall
