// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Keeps the state of a CRC-32 (IEEE 802.3, reflected: zlib.crc32) over a sequence of beats, a beat a cycle.
 *
 *   data     what a beat's own bytes contribute: one fixed XOR matrix, in slices of 32 bytes, which are
 *            added up a cycle later
 *   state    what the beat makes of the 32 bits of state before it: the only loop
 *
 * Every beat counts as full. Zeros behind the bytes of a last beat so change the state, too: qlc_crc32_zeros
 * deals with them. The state is there 4 cycles after its beat, until the next one's.
 */
module qlc_crc32_state #
(
    // Bytes of a beat: 32, 64 or 128
    parameter BYTES = 32
)
(
    input  wire               clk,

    input  wire [8*BYTES-1:0] data,
    input  wire               valid,
    input  wire               first,

    output wire [31:0]        state
);

localparam [31:0] POLYNOMIAL = 32'hedb88320;
localparam SLICES = BYTES/32;

// check configuration
initial begin
    if (BYTES != 32 && BYTES != 64 && BYTES != 128) begin
        $error("Error: BYTES must be 32, 64 or 128 (instance %m)");
        $finish;
    end
end

/*
 * Which bits of `bits` bits of data (the first is bit 0) a bit of the CRC takes, from state 0.
 * For 32 bits and more, the first 32 bits of data do what the state does.
 */
function [8*BYTES-1:0] taken(input integer bits, input [4:0] crc_bit);
    integer i;
    reg [31:0] one;
    begin
        taken = 0;
        one = POLYNOMIAL;

        for (i = bits-1; i >= 0; i = i - 1) begin
            taken[i] = one[crc_bit];
            one = {1'b0, one[31:1]} ^ (one[0] ? POLYNOMIAL : 32'd0);
        end
    end
endfunction

reg [8*BYTES-1:0] data_reg;
reg valid_reg;
reg first_reg;

reg sliced_valid_reg;
reg sliced_first_reg;

reg [31:0] data_part_reg;
reg data_valid_reg;
reg data_first_reg;

reg [31:0] state_reg;

wire [31:0] state_before = state_reg | {32{data_first_reg}};

assign state = state_reg;

always @(posedge clk) begin
    data_reg <= data;
    valid_reg <= valid;
    first_reg <= first;

    sliced_valid_reg <= valid_reg;
    sliced_first_reg <= first_reg;

    data_valid_reg <= sliced_valid_reg;
    data_first_reg <= sliced_first_reg;
end

genvar b, s;

generate

    for (b = 0; b < 32; b = b + 1) begin : crc_bit
        localparam [8*BYTES-1:0] DATA_TAKEN = taken(8*BYTES, b[4:0]);
        localparam [31:0] STATE_TAKEN = DATA_TAKEN[31:0];

        reg [SLICES-1:0] slice_reg;

        for (s = 0; s < SLICES; s = s + 1) begin : slice
            localparam [255:0] SLICE_TAKEN = DATA_TAKEN[256*s +: 256];

            always @(posedge clk) begin
                slice_reg[s] <= ^(data_reg[256*s +: 256] & SLICE_TAKEN);
            end
        end

        always @(posedge clk) begin
            data_part_reg[b] <= ^slice_reg;

            if (data_valid_reg) begin
                state_reg[b] <= ^(state_before & STATE_TAKEN) ^ data_part_reg[b];
            end
        end
    end

endgenerate

endmodule

`resetall
