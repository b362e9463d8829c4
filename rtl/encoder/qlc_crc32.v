// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Computes the CRC-32 (IEEE 802.3, reflected: zlib.crc32) of a sequence of beats, a beat a cycle.
 *
 *   state    of whole beats, the last one filled up with zeros            qlc_crc32_state
 *   unpad    takes these zeros back: 1, 2, 4, 8 and 16 of them, each in   qlc_crc32_zeros
 *            its own cycle
 *
 * All beats but the last are full. The last one holds `count` bytes, 0 to 32, from byte 0 on, and is 0
 * behind them. The CRC up to a beat is there for one cycle, 9 cycles after it.
 */
module qlc_crc32
(
    input  wire         clk,

    input  wire [255:0] data,
    input  wire [5:0]   count,
    input  wire         valid,
    input  wire         first,

    output wire [31:0]  crc
);

// Cycles to the state, and from there to the CRC
localparam STATE_STAGES = 4;
localparam UNPAD_STAGES = 5;

wire [31:0] state;

qlc_crc32_state #(
    .BYTES(32)
)
state_inst (
    .clk(clk),
    .data(data),
    // A beat without bytes changes nothing
    .valid(valid && count != 0),
    .first(first),
    .state(state)
);

reg [5*STATE_STAGES-1:0] zeros_wait_reg;

// A beat without bytes is not counted, so 32 zeros are never taken back
wire [4:0] zeros = -count[4:0];

always @(posedge clk) begin
    zeros_wait_reg <= {zeros_wait_reg[5*(STATE_STAGES-1)-1:0], zeros};
end

genvar n;

generate

    for (n = 0; n <= UNPAD_STAGES; n = n + 1) begin : unpad
        wire [31:0] value;
        wire [4:0] zeros_left;

        if (n == 0) begin : begins
            assign value = state;
            assign zeros_left = zeros_wait_reg[5*(STATE_STAGES-1) +: 5];
        end else begin : goes_on
            wire [31:0] value_next;

            qlc_crc32_zeros #(
                .BYTES(1 << (n-1)),
                .BACK(1)
            )
            zeros_inst (
                .from(unpad[n-1].value),
                .take(unpad[n-1].zeros_left[n-1]),
                .to(value_next)
            );

            reg [31:0] value_reg;
            reg [4:0] zeros_left_reg;

            always @(posedge clk) begin
                value_reg <= value_next;
                zeros_left_reg <= unpad[n-1].zeros_left;
            end

            assign value = value_reg;
            assign zeros_left = zeros_left_reg;
        end
    end

endgenerate

assign crc = ~unpad[UNPAD_STAGES].value;

wire unused = &{1'b0, unpad[UNPAD_STAGES].zeros_left};

endmodule

`resetall
