// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Packed words to AXI4-Stream beats: a FIFO for bursts, the order of bytes, and the split.
 */
module qlc_word_sender #
(
    // Packed word, a multiple of 256
    parameter PACKED_BITS = 512,
    // Words of storage, a power of two, at least 2
    parameter FIFO_WORDS = 4,
    // Not to be set: width of a byte count
    parameter COUNT_BITS = $clog2(PACKED_BITS/8 + 1)
)
(
    input  wire                   clk,
    input  wire                   rst,

    // Words, first bit of the stream first; packed_bytes counts the bytes in use
    input  wire [PACKED_BITS-1:0] packed_word,
    input  wire [COUNT_BITS-1:0]  packed_bytes,
    input  wire                   packed_last,
    input  wire                   packed_valid,
    output wire                   packed_ready,

    /*
     * AXI4-Stream output
     */
    output wire [255:0]           m_axis_tdata,
    output wire [31:0]            m_axis_tkeep,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready,
    output wire                   m_axis_tlast
);

localparam PACKED_BYTES = PACKED_BITS/8;

wire [PACKED_BITS-1:0] word;
wire [COUNT_BITS-1:0] word_bytes;
wire word_last;
wire word_valid;
wire word_ready;

qlc_fifo #(
    .WIDTH(PACKED_BITS + COUNT_BITS + 1),
    .DEPTH(FIFO_WORDS)
)
fifo_inst (
    .clk(clk),
    .rst(rst),
    .s_data({packed_last, packed_bytes, packed_word}),
    .s_valid(packed_valid),
    .s_ready(packed_ready),
    .m_data({word_last, word_bytes, word}),
    .m_valid(word_valid),
    .m_ready(word_ready)
);

// First bit of the stream is the word's most significant; on the bus, byte 0 comes first.
wire [PACKED_BITS-1:0] word_tdata;
wire [PACKED_BYTES-1:0] word_tkeep;

genvar k;

generate

    for (k = 0; k < PACKED_BYTES; k = k + 1) begin : byte_order
        assign word_tdata[8*k +: 8] = word[PACKED_BITS-1-8*k -: 8];
        assign word_tkeep[k] = word_bytes > k;
    end

endgenerate

qlc_axis_narrow #(
    .S_BYTES(PACKED_BYTES),
    .M_BYTES(32)
)
narrow_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(word_tdata),
    .s_axis_tkeep(word_tkeep),
    .s_axis_tvalid(word_valid),
    .s_axis_tready(word_ready),
    .s_axis_tlast(word_last),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast)
);

endmodule

`resetall
