// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Checks the CRC-32 (IEEE 802.3, reflected: zlib.crc32) of a sequence of beats, a beat a cycle.
 *
 *   data     what the beat's own bytes contribute: one fixed XOR matrix, in slices of 32 bytes that
 *            are added up a cycle later
 *   state    the loop: only what a beat makes of 32 bits of state
 *   pad      the zeros behind the last beat's bytes are part of the state then, so they go into
 *            the expected CRC, too: two lengths of them a cycle, while the last beat is on its way
 *
 * All beats but the last are full; the last holds `count` bytes, from byte 0 on, 0 to BYTES, and
 * is 0 behind. `wrong` is there, for one cycle, 6 cycles after a sequence's last beat.
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

localparam [31:0] POLYNOMIAL = 32'hedb88320;
localparam SLICES = BYTES/32;
localparam [COUNT_BITS-1:0] FULL = BYTES[COUNT_BITS-1:0];

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
    reg [31:0] state;
    begin
        taken = 0;
        state = POLYNOMIAL;

        for (i = bits-1; i >= 0; i = i - 1) begin
            taken[i] = state[crc_bit];
            state = {1'b0, state[31:1]} ^ (state[0] ? POLYNOMIAL : 32'd0);
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
reg [31:0] found_reg;
reg wrong_reg;

wire [31:0] state_before = state_reg | {32{data_first_reg}};

assign wrong = wrong_reg;

always @(posedge clk) begin
    data_reg <= data;
    valid_reg <= valid;
    first_reg <= first;

    sliced_valid_reg <= valid_reg;
    sliced_first_reg <= first_reg;

    data_valid_reg <= sliced_valid_reg;
    data_first_reg <= sliced_first_reg;

    found_reg <= state_reg;
    wrong_reg <= found_reg != pad[4].value_reg;
end

genvar b, n, s;

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

    for (n = 0; n < 5; n = n + 1) begin : pad
        reg [31:0] value_reg;
        reg [COUNT_BITS-1:0] zeros_reg;

        if (n == 0) begin : begins
            always @(posedge clk) begin
                value_reg <= ~expected;
                zeros_reg <= FULL - count;
            end
        end else begin : goes_on
            localparam LOW = 2*n - 2;

            wire [31:0] half;
            wire [31:0] whole;

            if (LOW < COUNT_BITS) begin : once
                qlc_crc32_zeros #(
                    .BYTES(1 << LOW)
                )
                zeros_inst (
                    .from(pad[n-1].value_reg),
                    .take(pad[n-1].zeros_reg[LOW]),
                    .to(half)
                );
            end else begin : not_once
                assign half = pad[n-1].value_reg;
            end

            if (LOW + 1 < COUNT_BITS) begin : twice
                qlc_crc32_zeros #(
                    .BYTES(2 << LOW)
                )
                zeros_inst (
                    .from(half),
                    .take(pad[n-1].zeros_reg[LOW+1]),
                    .to(whole)
                );
            end else begin : not_twice
                assign whole = half;
            end

            always @(posedge clk) begin
                value_reg <= whole;
                zeros_reg <= pad[n-1].zeros_reg;
            end
        end
    end

endgenerate

wire unused = &{1'b0, pad[4].zeros_reg};

endmodule

`resetall
