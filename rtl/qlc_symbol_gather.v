// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC symbol gather: collects the symbols of a block, one a cycle, into parts of 32. A block's last
 * part may have fewer, or none, and carries the block's error.
 */
module qlc_symbol_gather
(
    input  wire         clk,
    input  wire         rst,

    // Symbols in; keep may be low with a block's last only
    input  wire [7:0]   s_symbol,
    input  wire         s_keep,
    input  wire         s_last,
    input  wire [2:0]   s_error,
    input  wire         s_valid,
    output wire         s_ready,

    // Parts out, unused bytes 0
    output wire [255:0] m_data,
    output wire [5:0]   m_bytes,
    output wire         m_last,
    output wire [2:0]   m_error,
    output wire         m_valid,
    input  wire         m_ready
);

reg [255:0] data_reg;
reg [5:0] bytes_reg;
reg last_reg;
reg [2:0] error_reg;
// The part is to be sent
reg full_reg;

assign m_data = data_reg;
assign m_bytes = bytes_reg;
assign m_last = last_reg;
assign m_error = error_reg;
assign m_valid = full_reg;
assign s_ready = !full_reg || m_ready;

wire take = s_valid && s_ready;
wire [4:0] index = full_reg ? 5'd0 : bytes_reg[4:0];
wire [5:0] bytes_next = {1'b0, index} + {5'd0, s_keep};

genvar k;

generate

    for (k = 0; k < 32; k = k + 1) begin : lane
        always @(posedge clk) begin
            if (take && index == k) begin
                data_reg[8*k +: 8] <= s_symbol & {8{s_keep}};
            end else if (take && index == 0) begin
                data_reg[8*k +: 8] <= 8'd0;
            end
        end
    end

endgenerate

always @(posedge clk) begin
    if (take) begin
        bytes_reg <= bytes_next;
        last_reg <= s_last;
        error_reg <= s_error;
        full_reg <= s_last || bytes_next[5];
    end else if (m_ready && full_reg) begin
        bytes_reg <= 0;
        full_reg <= 1'b0;
    end

    if (rst) begin
        bytes_reg <= 0;
        full_reg <= 1'b0;
    end
end

endmodule

`resetall
