// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block checker: gives the verdict on every block and packet, and no symbol behind the first error.
 *
 *   crc        compares the CRC-32 of every block, while its parts wait    qlc_crc32_check
 *   verdict    finds what is wrong first in the packet, in stream order
 *
 * What is wrong with a block's codewords or CRC is known before it is known whether the packet ends inside
 * its payload. Such a cut is reported in place of all of that but an illegal codeword, which is there in
 * full. So a block's error waits for what follows the block, another one or the packet's end, which tells.
 */
module qlc_block_checker #
(
    // Symbols of a part: 32, 64 or 128
    parameter BYTES = 32,
    // Not to be set: width of their count
    parameter COUNT_BITS = $clog2(BYTES + 1)
)
(
    input  wire                  clk,
    input  wire                  rst,

    // Parts in: of blocks, full but a block's last one, unused bytes 0; or with s_end a packet's end,
    // without bytes. s_error is the end's, or with a block's last part that of its codewords. s_cut, of
    // an end: the last block's payload was cut short, as s_error then tells
    input  wire [8*BYTES-1:0]    s_data,
    input  wire [COUNT_BITS-1:0] s_bytes,
    input  wire                  s_last,
    input  wire                  s_coded,
    input  wire                  s_has_crc,
    input  wire [31:0]           s_crc,
    input  wire                  s_end,
    input  wire                  s_cut,
    input  wire [3:0]            s_error,
    input  wire                  s_valid,
    output wire                  s_ready,

    // Parts out: of packets. m_last and the verdict m_error come in a part of their own; before it
    // m_error is 0
    output wire [8*BYTES-1:0]    m_data,
    output wire [COUNT_BITS-1:0] m_bytes,
    output wire                  m_last,
    output wire [3:0]            m_error,
    output wire                  m_valid,
    input  wire                  m_ready,

    // A good block of either kind is over
    output wire                  ev_block_raw,
    output wire                  ev_block_coded
);

localparam [3:0]
    GOOD = 4'd0,
    ILLEGAL_CODEWORD = 4'd3,
    CRC_MISMATCH = 4'd7;

// Parts that wait for their block's CRC
localparam PARTS = 8;
// Cycles from a block's last part to its CRC
localparam CRC_LATENCY = 6;

/*
 * CRC
 */
// The next part begins a block
reg begin_reg;

wire take = s_valid && s_ready;
wire take_block = take && !s_end;
wire crc_wrong;

qlc_crc32_check #(
    .BYTES(BYTES)
)
crc_inst (
    .clk(clk),
    .data(s_data),
    .count(s_bytes),
    .valid(take_block),
    .first(begin_reg),
    .expected(s_crc),
    .wrong(crc_wrong)
);

reg [CRC_LATENCY-1:0] crc_valid_reg;

always @(posedge clk) begin
    crc_valid_reg <= {crc_valid_reg[CRC_LATENCY-2:0], take_block && s_last && s_has_crc};

    if (take_block) begin
        begin_reg <= s_last;
    end

    if (rst) begin
        begin_reg <= 1'b1;
        crc_valid_reg <= 0;
    end
end

wire [8*BYTES-1:0] part_data;
wire [COUNT_BITS-1:0] part_bytes;
wire part_last;
wire part_coded;
wire part_has_crc;
wire part_end;
wire part_cut;
wire [3:0] part_error;
wire part_valid;
wire part_ready;

qlc_fifo #(
    .WIDTH(8*BYTES + COUNT_BITS + 1 + 1 + 1 + 1 + 1 + 4),
    .DEPTH(PARTS)
)
part_inst (
    .clk(clk),
    .rst(rst),
    .s_data({s_data, s_bytes, s_last, s_coded, s_has_crc, s_end, s_cut, s_error}),
    .s_valid(s_valid),
    .s_ready(s_ready),
    .m_data({
        part_data, part_bytes, part_last, part_coded, part_has_crc, part_end,
        part_cut, part_error
    }),
    .m_valid(part_valid),
    .m_ready(part_ready)
);

wire found_wrong;
wire found_valid;
wire found_ready;
// There is room for the verdict on every part that waits
wire found_free;

qlc_fifo #(
    .WIDTH(1),
    .DEPTH(PARTS)
)
found_inst (
    .clk(clk),
    .rst(rst),
    .s_data(crc_wrong),
    .s_valid(crc_valid_reg[CRC_LATENCY-1]),
    .s_ready(found_free),
    .m_data(found_wrong),
    .m_valid(found_valid),
    .m_ready(found_ready)
);

wire unused = &{1'b0, found_free};

/*
 * Verdict
 */
reg [3:0] error_reg;
// The error is the last block's
reg recent_reg;
// A block is over, raw or coded, and good if nothing has cut it short
reg over_raw_reg;
reg over_coded_reg;

reg [8*BYTES-1:0] m_data_reg;
reg [COUNT_BITS-1:0] m_bytes_reg;
reg m_last_reg;
reg [3:0] m_error_reg;
reg m_valid_reg;

reg ev_block_raw_reg;
reg ev_block_coded_reg;

assign m_data = m_data_reg;
assign m_bytes = m_bytes_reg;
assign m_last = m_last_reg;
assign m_error = m_error_reg;
assign m_valid = m_valid_reg;
assign ev_block_raw = ev_block_raw_reg;
assign ev_block_coded = ev_block_coded_reg;

wire needs_crc = part_last && part_has_crc && !part_end;
wire [3:0] block_error = part_error != GOOD ? part_error
    : needs_crc && found_wrong ? CRC_MISMATCH : GOOD;
wire good = error_reg == GOOD;
wire block_good = part_last && good && block_error == GOOD;
wire free = !m_valid_reg || m_ready;
wire step = part_valid && (!needs_crc || found_valid) && free;

assign part_ready = (!needs_crc || found_valid) && free;
assign found_ready = part_valid && needs_crc && free;

always @(posedge clk) begin
    if (free) begin
        m_valid_reg <= step;
    end

    if (step) begin
        m_data_reg <= part_data & {8*BYTES{good}};
        m_bytes_reg <= part_bytes & {COUNT_BITS{good}};
        m_last_reg <= part_end;
        m_error_reg <= !part_end ? GOOD
            : good || (recent_reg && part_cut && error_reg != ILLEGAL_CODEWORD) ? part_error : error_reg;
    end

    ev_block_raw_reg <= step && over_raw_reg && !(part_end && part_cut);
    ev_block_coded_reg <= step && over_coded_reg && !(part_end && part_cut);

    if (step && part_end) begin
        error_reg <= GOOD;
        over_raw_reg <= 1'b0;
        over_coded_reg <= 1'b0;
    end else if (step) begin
        recent_reg <= 1'b0;
        over_raw_reg <= block_good && !part_coded;
        over_coded_reg <= block_good && part_coded;

        if (part_last && good) begin
            error_reg <= block_error;
            recent_reg <= 1'b1;
        end
    end

    if (rst) begin
        error_reg <= GOOD;
        over_raw_reg <= 1'b0;
        over_coded_reg <= 1'b0;
        m_valid_reg <= 1'b0;
        ev_block_raw_reg <= 1'b0;
        ev_block_coded_reg <= 1'b0;
    end
end

endmodule

`resetall
