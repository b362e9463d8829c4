// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC word window: gives every word of a packet together with the two bytes behind it, since a codeword that
 * begins in a word may end there.
 *
 * Every beat but a packet's last must be full. The last one's used bytes are contiguous from byte 0. There
 * may be none: then the word before it is the last. A word leaves as soon as what is behind it is there.
 */
module qlc_word_window #
(
    // Input width, a multiple of 8
    parameter WORD_BITS = 256,
    // What is said of a packet at its first beat
    parameter INFO_BITS = 1,
    // Not to be set: bytes of a word, width of a number of bytes
    parameter BYTES = WORD_BITS/8,
    parameter BYTE_BITS = $clog2(BYTES + 3)
)
(
    input  wire                 clk,
    input  wire                 rst,

    // Everything moves by one
    input  wire                 advance,

    /*
     * AXI4-Stream input, ready whenever all moves
     */
    input  wire [WORD_BITS-1:0] s_axis_tdata,
    input  wire [BYTES-1:0]     s_axis_tkeep,
    input  wire                 s_axis_tvalid,
    input  wire                 s_axis_tlast,
    input  wire [INFO_BITS-1:0] s_info,

    // Word and what is behind it, first bit most significant, unused bytes 0; how many bytes are
    // used; the packet's info
    output wire [8*BYTES+15:0]  m_data,
    output wire [BYTE_BITS-1:0] m_bytes,
    output wire                 m_first,
    output wire                 m_last,
    output wire [INFO_BITS-1:0] m_info,
    output wire                 m_valid,
    // The info that m_info will have
    output wire [INFO_BITS-1:0] m_info_next
);

// Words that wait for what is behind them
localparam HELD = WORD_BITS == 8 ? 2 : 1;
// Bytes that are in view beside the oldest word's
localparam VIEW = HELD*BYTES;

/*
 * Input, in bit order
 */
wire [WORD_BITS-1:0] beat;

genvar k;

generate

    for (k = 0; k < BYTES; k = k + 1) begin : byte_order
        assign beat[WORD_BITS-1-8*k -: 8] = s_axis_tdata[8*k +: 8] & {8{s_axis_tkeep[k]}};
    end

endgenerate

/*
 * Words held, the oldest most significant
 */
reg [HELD*WORD_BITS-1:0] data_reg;
// Bytes in use, the word's first byte most significant
reg [HELD*BYTES-1:0] keep_reg;
reg [HELD-1:0] first_reg;
reg [HELD-1:0] last_reg;
reg [HELD-1:0] valid_reg;
reg [HELD*INFO_BITS-1:0] info_reg;

// The packet of the newest word goes on
wire open = valid_reg[0] && !last_reg[0];
// It has just ended, without more bytes
wire ended = open && s_axis_tvalid && s_axis_tlast && !s_axis_tkeep[0];
wire shift = advance && (s_axis_tvalid || !open);
// The oldest word leaves. The last word of a packet waits for nothing behind it
wire leave = shift || (advance && last_reg[HELD-1]);

wire [BYTES-1:0] beat_keep;

generate

    for (k = 0; k < BYTES; k = k + 1) begin : keep_order
        assign beat_keep[BYTES-1-k] = s_axis_tkeep[k];
    end

endgenerate

// What is held, and comes: oldest word first
wire [HELD*WORD_BITS+WORD_BITS-1:0] all_data = {data_reg, beat};
wire [HELD*BYTES+BYTES-1:0] all_keep = {keep_reg, beat_keep};
wire [HELD:0] all_first = {first_reg, !open};
wire [HELD:0] all_last = {last_reg, s_axis_tlast} | {{HELD-1{1'b0}}, ended, 1'b0};
wire [HELD:0] all_valid = {valid_reg, s_axis_tvalid && !ended};
wire [HELD*INFO_BITS+INFO_BITS-1:0] all_info =
    {info_reg, open ? info_reg[INFO_BITS-1:0] : s_info};

always @(posedge clk) begin
    if (shift) begin
        data_reg <= all_data[HELD*WORD_BITS-1:0];
        keep_reg <= all_keep[HELD*BYTES-1:0];
        first_reg <= all_first[HELD-1:0];
        last_reg <= all_last[HELD-1:0];
        valid_reg <= all_valid[HELD-1:0];
        info_reg <= all_info[HELD*INFO_BITS-1:0];
    end else if (leave) begin
        valid_reg[HELD-1] <= 1'b0;
    end

    if (rst) begin
        valid_reg <= 0;
    end
end

/*
 * The oldest word leaves with what is behind it in its packet
 */
reg [8*BYTES+15:0] m_data_reg;
reg [BYTE_BITS-1:0] m_bytes_reg;
reg m_first_reg;
reg m_last_reg;
reg [INFO_BITS-1:0] m_info_reg;
reg m_valid_reg;

assign m_data = m_data_reg;
assign m_bytes = m_bytes_reg;
assign m_first = m_first_reg;
assign m_last = m_last_reg;
assign m_info = m_info_reg;
assign m_valid = m_valid_reg;
assign m_info_next = info_reg[HELD*INFO_BITS-1 -: INFO_BITS];

// The bytes behind the word are of its packet
wire [VIEW-1:0] behind;

generate

    for (k = 0; k < HELD; k = k + 1) begin : word
        assign behind[BYTES*(HELD-1-k) +: BYTES] = {BYTES{!(|last_reg[HELD-1 -: k+1])}};
    end

endgenerate

wire [BYTES+VIEW-1:0] keep = all_keep & {{BYTES{1'b1}}, behind};

wire [BYTES+1:0] window_keep;
wire [BYTE_BITS-1:0] window_bytes;

generate

    for (k = 0; k < BYTES + 2; k = k + 1) begin : window_order
        assign window_keep[k] = keep[BYTES+VIEW-1-k];
    end

endgenerate

qlc_keep_count #(
    .BYTES(BYTES + 2)
)
count_inst (
    .keep(window_keep),
    .count(window_bytes)
);

wire [8*BYTES+15:0] data_next;

generate

    for (k = 0; k < BYTES + 2; k = k + 1) begin : window
        assign data_next[8*(BYTES+1-k) +: 8] =
            all_data[HELD*WORD_BITS+WORD_BITS-1-8*k -: 8] & {8{window_keep[k]}};
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        m_valid_reg <= leave && valid_reg[HELD-1];
        m_data_reg <= data_next;
        m_bytes_reg <= window_bytes;
        m_first_reg <= first_reg[HELD-1];
        m_last_reg <= all_last[HELD];
        m_info_reg <= m_info_next;
    end

    if (rst) begin
        m_valid_reg <= 1'b0;
    end
end

wire unused = &{
    1'b0, all_first[HELD], all_valid[HELD], all_info[HELD*INFO_BITS +: INFO_BITS]
};

endmodule

`resetall
