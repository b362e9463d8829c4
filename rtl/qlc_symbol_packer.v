// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC symbol packer: joins parts of 0..32 symbols into full beats, a packet's last one perhaps not
 * full.
 *
 *   align      rotates a part to where it begins in the beat
 *   collect    ORs it into the beat; what passes the beat's end begins the next one
 *
 * A full beat is kept until the next symbol or the packet's end tells whether it is the last.
 */
module qlc_symbol_packer
(
    input  wire         clk,
    input  wire         rst,

    // Parts in; symbols from byte 0, unused bytes 0. last and user are the packet's
    input  wire [255:0] s_data,
    input  wire [5:0]   s_bytes,
    input  wire         s_last,
    input  wire [2:0]   s_user,
    input  wire         s_valid,
    output wire         s_ready,

    /*
     * AXI4-Stream output, symbols; tuser is 0 but on a packet's last beat. m_bytes counts the
     * bytes in use
     */
    output wire [255:0] m_axis_tdata,
    output wire [31:0]  m_axis_tkeep,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,
    output wire         m_axis_tlast,
    output wire [2:0]   m_axis_tuser,
    output wire [5:0]   m_bytes
);

/*
 * Align
 */
reg [4:0] fill_reg;
reg [255:0] part_reg;
reg [5:0] part_bytes_reg;
reg part_last_reg;
reg [2:0] part_user_reg;
reg part_valid_reg;

wire [255:0] turned;
wire [255:0] wrapped;

assign {wrapped, turned} = {256'd0, s_data} << {fill_reg, 3'd0};

wire part_ready;

assign s_ready = !part_valid_reg || part_ready;

always @(posedge clk) begin
    if (s_ready) begin
        part_valid_reg <= s_valid;
    end

    if (s_ready && s_valid) begin
        part_reg <= turned | wrapped;
        part_bytes_reg <= s_bytes;
        part_last_reg <= s_last;
        part_user_reg <= s_user;
        fill_reg <= s_last ? 5'd0 : fill_reg + s_bytes[4:0];
    end

    if (rst) begin
        fill_reg <= 0;
        part_valid_reg <= 1'b0;
    end
end

/*
 * Collect
 */
reg [255:0] beat_reg;
reg [5:0] beat_bytes_reg;
// The beat is a packet's last, to be sent now
reg flush_reg;
reg [2:0] user_reg;

reg [255:0] m_axis_tdata_reg;
reg [31:0] m_axis_tkeep_reg;
reg m_axis_tvalid_reg;
reg m_axis_tlast_reg;
reg [2:0] m_axis_tuser_reg;
reg [5:0] m_bytes_reg;

assign m_axis_tdata = m_axis_tdata_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;
assign m_axis_tuser = m_axis_tuser_reg;
assign m_bytes = m_bytes_reg;

// Where the part begins in the beat, and ends
wire [5:0] begin_bytes = flush_reg ? 6'd0 : beat_bytes_reg;
wire [6:0] end_bytes = {1'b0, begin_bytes} + {1'b0, part_bytes_reg};
wire [6:0] over_bytes = end_bytes - 7'd32;
wire over = part_valid_reg && end_bytes > 32;
wire send = flush_reg || over;
wire send_ready = !m_axis_tvalid_reg || m_axis_tready;

assign part_ready = !send || send_ready;

// Bytes of the part that are of this beat; the others are of the next
wire [255:0] mask;
wire [31:0] flush_keep;

genvar k;

generate

    for (k = 0; k < 32; k = k + 1) begin : lane
        assign mask[8*k +: 8] = {8{begin_bytes <= k}};
        assign flush_keep[k] = beat_bytes_reg > k;
    end

endgenerate

wire [255:0] beat = flush_reg ? 256'd0 : beat_reg;

always @(posedge clk) begin
    if (send_ready) begin
        m_axis_tvalid_reg <= send;
    end

    if (send_ready && send) begin
        m_axis_tdata_reg <= flush_reg ? beat_reg : beat_reg | (part_reg & mask);
        m_axis_tkeep_reg <= flush_reg ? flush_keep : {32{1'b1}};
        m_axis_tlast_reg <= flush_reg;
        m_axis_tuser_reg <= flush_reg ? user_reg : 3'd0;
        m_bytes_reg <= flush_reg ? beat_bytes_reg : 6'd32;
    end

    if (part_ready && part_valid_reg) begin
        beat_reg <= over ? part_reg & ~mask : beat | part_reg;
        beat_bytes_reg <= over ? over_bytes[5:0] : end_bytes[5:0];
        flush_reg <= part_last_reg;
        user_reg <= part_user_reg;
    end else if (part_ready && flush_reg) begin
        beat_reg <= 0;
        beat_bytes_reg <= 0;
        flush_reg <= 1'b0;
    end

    if (rst) begin
        beat_reg <= 0;
        beat_bytes_reg <= 0;
        flush_reg <= 1'b0;
        m_axis_tvalid_reg <= 1'b0;
    end
end

wire unused = &{1'b0, over_bytes[6]};

endmodule

`resetall
