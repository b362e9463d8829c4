// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * CRC-32 (IEEE 802.3, reflected: zlib.crc32) of a sequence of beats, a beat a cycle.
 *
 *   shift   moves a last beat's bytes up to lane 31, so that it counts as one with zeros before it
 *   data    what the beat's own bytes contribute: one fixed XOR matrix
 *   state   the loop: only what 32 bytes make of 32 bits of state
 *   result  the same for the bytes of the last beat
 *
 * All beats but the last are full; the last holds `count` bytes, from lane 0 on, 0 to 32.
 * The result of a sequence is there, for one cycle, 4 cycles after its last beat.
 */
module qlc_crc32
(
    input  wire         clk,

    input  wire [255:0] data,
    input  wire [5:0]   count,
    input  wire         valid,
    input  wire         first,
    input  wire         last,

    output wire [31:0]  crc
);

localparam [31:0] POLYNOMIAL = 32'hedb88320;

/*
 * Which bits of `bits` bits of data (the first is bit 0) a bit of the CRC takes, from state 0.
 * For 32 bits and more, the first 32 bits of data do what the state does.
 */
function [255:0] taken(input integer bits, input [4:0] crc_bit);
    integer i;
    reg [31:0] state;
    begin
        taken = 256'd0;
        state = POLYNOMIAL;

        for (i = bits-1; i >= 0; i = i - 1) begin
            taken[i] = state[crc_bit];
            state = {1'b0, state[31:1]} ^ (state[0] ? POLYNOMIAL : 32'd0);
        end
    end
endfunction

// shift
wire [4:0] empty_lanes = -count[4:0];

reg [255:0] shifted_reg;
reg [5:0] shifted_count_reg;
reg shifted_valid_reg;
reg shifted_first_reg;

always @(posedge clk) begin
    shifted_valid_reg <= valid;

    if (valid) begin
        shifted_reg <= !last ? data : count == 0 ? 256'd0 : data << {empty_lanes, 3'd0};
        shifted_count_reg <= last ? count : 6'd32;
        shifted_first_reg <= first;
    end
end

// data
reg [31:0] data_part_reg;
reg [5:0] data_count_reg;
reg data_valid_reg;
reg data_first_reg;

// state
reg [31:0] state_reg;

wire [31:0] state_before = data_first_reg ? 32'hffffffff : state_reg;

reg [31:0] last_before_reg;
reg [31:0] last_data_part_reg;
reg [5:0] last_count_reg;

// result: 16, 8, 4, 2, 1 bytes as the count says, or 32
wire [31:0] whole_step;

reg [31:0] crc_reg;

assign crc = crc_reg;

always @(posedge clk) begin
    data_valid_reg <= shifted_valid_reg;
    data_count_reg <= shifted_count_reg;
    data_first_reg <= shifted_first_reg;

    last_before_reg <= state_before;
    last_data_part_reg <= data_part_reg;
    last_count_reg <= data_count_reg;

    crc_reg <= ~((last_count_reg[5] ? whole_step : step[4].result) ^ last_data_part_reg);
end

genvar b, n;

generate

    for (b = 0; b < 32; b = b + 1) begin : crc_bit
        localparam [255:0] DATA_TAKEN = taken(256, b[4:0]);
        localparam [31:0] STATE_TAKEN = DATA_TAKEN[31:0];

        always @(posedge clk) begin
            data_part_reg[b] <= ^(shifted_reg & DATA_TAKEN);

            if (data_valid_reg) begin
                state_reg[b] <= ^(state_before & STATE_TAKEN) ^ data_part_reg[b];
            end
        end

        assign whole_step[b] = ^(last_before_reg & STATE_TAKEN);
    end

    for (n = 0; n < 5; n = n + 1) begin : step
        // Bytes of this step: 16 first
        localparam BYTES = 16 >> n;

        wire [31:0] from;
        wire [31:0] stepped;
        wire [31:0] result = last_count_reg[4-n] ? stepped : from;

        if (n == 0) begin : begins
            assign from = last_before_reg;
        end else begin : goes_on
            assign from = step[n-1].result;
        end

        for (b = 0; b < 32; b = b + 1) begin : crc_bit
            // Bits of the state that pass no step are shifted through
            localparam [31:0] SHIFTED = b + 8*BYTES < 32 ? 32'd1 << (b + 8*BYTES) : 32'd0;
            localparam [255:0] DATA_TAKEN = taken(8*BYTES, b[4:0]);
            localparam [31:0] STATE_TAKEN = DATA_TAKEN[31:0] | SHIFTED;

            assign stepped[b] = ^(from & STATE_TAKEN);
        end
    end

endgenerate

endmodule

`resetall
