// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block checker: the verdict on every block and packet, and no symbol behind the first error.
 *
 *   crc        the CRC-32 of the block's symbols so far
 *   verdict    the first thing wrong in the packet, in stream order
 *
 * What is wrong with a block's codewords or CRC is known before whether its payload was cut short.
 * A cut counts more than all of that but an illegal codeword, which is there in full. So a
 * block's error waits for what follows the block: another one, or the packet's end, which tells.
 */
module qlc_block_checker
(
    input  wire         clk,
    input  wire         rst,

    // In: parts of blocks, 0..32 symbols, unused bytes 0; or (s_end) a packet's end without any.
    // s_error is the end's, or that of the codewords with a block's last part; s_cut, of an end,
    // that the last block's payload was cut short
    input  wire [255:0] s_data,
    input  wire [5:0]   s_bytes,
    input  wire         s_last,
    input  wire         s_coded,
    input  wire         s_has_crc,
    input  wire [31:0]  s_crc,
    input  wire         s_end,
    input  wire         s_cut,
    input  wire [2:0]   s_error,
    input  wire         s_valid,
    output wire         s_ready,

    // Out: parts of packets; m_last and the verdict m_error come in a part of their own
    output wire [255:0] m_data,
    output wire [5:0]   m_bytes,
    output wire         m_last,
    output wire [2:0]   m_error,
    output wire         m_valid,
    input  wire         m_ready,

    // A good block of either kind is over
    output wire         ev_block_raw,
    output wire         ev_block_coded
);

localparam [2:0]
    GOOD = 3'd0,
    TRUNCATED = 3'd1,
    ILLEGAL_CODEWORD = 3'd3,
    CRC_MISMATCH = 3'd7;

/*
 * CRC
 */
function [31:0] crc_step(input [31:0] crc, input [7:0] symbol);
    integer i;
    begin
        crc_step = crc ^ {24'd0, symbol};

        for (i = 0; i < 8; i = i + 1) begin
            crc_step = {1'b0, crc_step[31:1]} ^ (32'hedb88320 & {32{crc_step[0]}});
        end
    end
endfunction

function [31:0] crc_steps(input [31:0] crc, input [255:0] data, input [5:0] bytes);
    integer i;
    begin
        crc_steps = crc;

        for (i = 0; i < 32; i = i + 1) begin
            if (bytes > i[5:0]) begin
                crc_steps = crc_step(crc_steps, data[8*i +: 8]);
            end
        end
    end
endfunction

reg [31:0] crc_reg;
// The next part begins a block
reg begin_reg;

reg [255:0] part_data_reg;
reg [5:0] part_bytes_reg;
reg part_last_reg;
reg part_coded_reg;
reg part_has_crc_reg;
reg [31:0] part_crc_reg;
reg part_end_reg;
reg part_cut_reg;
reg [2:0] part_error_reg;
reg part_valid_reg;

assign s_ready = !part_valid_reg || m_ready;

always @(posedge clk) begin
    if (s_ready) begin
        part_valid_reg <= s_valid;
    end

    if (s_ready && s_valid) begin
        part_data_reg <= s_data;
        part_bytes_reg <= s_bytes;
        part_last_reg <= s_last;
        part_coded_reg <= s_coded;
        part_has_crc_reg <= s_has_crc;
        part_crc_reg <= s_crc;
        part_end_reg <= s_end;
        part_cut_reg <= s_cut;
        part_error_reg <= s_error;
        crc_reg <= crc_steps(begin_reg ? 32'hffffffff : crc_reg, s_data, s_bytes);
        begin_reg <= s_end || s_last;
    end

    if (rst) begin
        begin_reg <= 1'b1;
        part_valid_reg <= 1'b0;
    end
end

/*
 * Verdict
 */
reg [2:0] error_reg;
// The error is the last block's
reg recent_reg;
// A block is over, good if nothing cut it short
reg over_raw_reg;
reg over_coded_reg;

reg ev_block_raw_reg;
reg ev_block_coded_reg;

assign ev_block_raw = ev_block_raw_reg;
assign ev_block_coded = ev_block_coded_reg;

wire [2:0] block_error = part_error_reg != GOOD ? part_error_reg
    : part_has_crc_reg && part_crc_reg != ~crc_reg ? CRC_MISMATCH : GOOD;
wire good = error_reg == GOOD;
wire block_good = part_last_reg && good && block_error == GOOD;
wire step = part_valid_reg && m_ready;

assign m_data = part_data_reg & {256{good}};
assign m_bytes = part_bytes_reg & {6{good}};
assign m_last = part_end_reg;
assign m_error = good ? part_error_reg
    : recent_reg && part_cut_reg && error_reg != ILLEGAL_CODEWORD ? TRUNCATED : error_reg;
assign m_valid = part_valid_reg;

always @(posedge clk) begin
    ev_block_raw_reg <= step && over_raw_reg && !(part_end_reg && part_cut_reg);
    ev_block_coded_reg <= step && over_coded_reg && !(part_end_reg && part_cut_reg);

    if (step && part_end_reg) begin
        error_reg <= GOOD;
        over_raw_reg <= 1'b0;
        over_coded_reg <= 1'b0;
    end else if (step) begin
        recent_reg <= 1'b0;
        over_raw_reg <= block_good && !part_coded_reg;
        over_coded_reg <= block_good && part_coded_reg;

        if (part_last_reg && good) begin
            error_reg <= block_error;
            recent_reg <= 1'b1;
        end
    end

    if (rst) begin
        error_reg <= GOOD;
        over_raw_reg <= 1'b0;
        over_coded_reg <= 1'b0;
        ev_block_raw_reg <= 1'b0;
        ev_block_coded_reg <= 1'b0;
    end
end

endmodule

`resetall
