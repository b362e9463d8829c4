// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Checks the CRC-32 (IEEE 802.3, reflected: zlib.crc32) of a sequence of beats, a beat a cycle.
 *
 *   state    of whole beats, the last one filled up with zeros                   qlc_crc32_state
 *   pad      adds these zeros to the expected CRC, while the last beat is on     qlc_crc32_zeros
 *            its way: 0 to 3 times 1, 4, 16 and 64 of them, each in its own cycle
 *
 * All beats but the last are full. The last one holds `count` bytes, 0 to BYTES, from byte 0 on, and is 0
 * behind them. `wrong` is there for one cycle, 6 cycles after a sequence's last beat.
 */
module qlc_crc32_check #
(
    // Bytes of a beat: 32, 64 or 128
    parameter BYTES = 32,
    // Not to be set: width of the count
    parameter COUNT_BITS = $clog2(BYTES + 1)
)
(
    input  wire                  clk,

    input  wire [8*BYTES-1:0]    data,
    input  wire [COUNT_BITS-1:0] count,
    input  wire                  valid,
    input  wire                  first,
    // With the last beat: what the CRC should be
    input  wire [31:0]           expected,

    output wire                  wrong
);

localparam [COUNT_BITS-1:0] FULL = BYTES[COUNT_BITS-1:0];

wire [31:0] state;

qlc_crc32_state #(
    .BYTES(BYTES)
)
state_inst (
    .clk(clk),
    .data(data),
    .valid(valid),
    .first(first),
    .state(state)
);

reg [31:0] found_reg;
reg wrong_reg;

assign wrong = wrong_reg;

always @(posedge clk) begin
    found_reg <= state;
    wrong_reg <= found_reg != pad[4].value_reg;
end

genvar n;

generate

    for (n = 0; n < 5; n = n + 1) begin : pad
        reg [31:0] value_reg;
        reg [COUNT_BITS-1:0] zeros_reg;

        if (n == 0) begin : begins
            always @(posedge clk) begin
                value_reg <= ~expected;
                zeros_reg <= FULL - count;
            end
        end else begin : goes_on
            // One of four counts of zeros, side by side
            localparam LOW = 2*n - 2;

            wire [31:0] from = pad[n-1].value_reg;
            wire [1:0] times = {
                LOW + 1 < COUNT_BITS && pad[n-1].zeros_reg[LOW + 1 < COUNT_BITS ? LOW+1 : 0],
                LOW < COUNT_BITS && pad[n-1].zeros_reg[LOW < COUNT_BITS ? LOW : 0]
            };
            wire [31:0] once;
            wire [31:0] twice;
            wire [31:0] thrice;

            qlc_crc32_zeros #(
                .BYTES(1 << LOW)
            )
            once_inst (
                .from(from),
                .take(1'b1),
                .to(once)
            );

            qlc_crc32_zeros #(
                .BYTES(2 << LOW)
            )
            twice_inst (
                .from(from),
                .take(1'b1),
                .to(twice)
            );

            qlc_crc32_zeros #(
                .BYTES(3 << LOW)
            )
            thrice_inst (
                .from(from),
                .take(1'b1),
                .to(thrice)
            );

            always @(posedge clk) begin
                value_reg <= times[1] ? (times[0] ? thrice : twice) : (times[0] ? once : from);
                zeros_reg <= pad[n-1].zeros_reg;
            end
        end
    end

endgenerate

wire unused = &{1'b0, pad[4].zeros_reg};

endmodule

`resetall
