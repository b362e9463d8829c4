// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC symbol gather: collects the symbols of a block, S_SYMBOLS a cycle, into parts of M_SYMBOLS. A
 * block's last part may have fewer, or none, and carries the block's error.
 */
module qlc_symbol_gather #
(
    // Symbols in, a power of two
    parameter S_SYMBOLS = 1,
    // Symbols out, a power of two, more than S_SYMBOLS
    parameter M_SYMBOLS = 32,
    // Not to be set: widths of the counts
    parameter S_BITS = $clog2(S_SYMBOLS + 1),
    parameter M_BITS = $clog2(M_SYMBOLS + 1)
)
(
    input  wire                   clk,
    input  wire                   rst,

    // Symbols in, unused bytes 0; fewer than S_SYMBOLS with a block's last only
    input  wire [8*S_SYMBOLS-1:0] s_data,
    input  wire [S_BITS-1:0]      s_bytes,
    input  wire                   s_last,
    input  wire [2:0]             s_error,
    input  wire                   s_valid,
    output wire                   s_ready,

    // Parts out, unused bytes 0
    output wire [8*M_SYMBOLS-1:0] m_data,
    output wire [M_BITS-1:0]      m_bytes,
    output wire                   m_last,
    output wire [2:0]             m_error,
    output wire                   m_valid,
    input  wire                   m_ready
);

localparam SLOTS = M_SYMBOLS/S_SYMBOLS;
localparam SLOT_BITS = $clog2(SLOTS);
localparam LAST_SLOT = SLOTS - 1;

// check configuration
initial begin
    if (SLOTS < 2 || S_SYMBOLS << SLOT_BITS != M_SYMBOLS || S_SYMBOLS != 1 << $clog2(S_SYMBOLS)) begin
        $error("Error: S_SYMBOLS and M_SYMBOLS must be powers of two, M_SYMBOLS larger (instance %m)");
        $finish;
    end
end

reg [8*M_SYMBOLS-1:0] data_reg;
reg [SLOT_BITS-1:0] slot_reg;
reg [M_BITS-1:0] bytes_reg;
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
wire [M_BITS-1:0] begin_bytes = {{M_BITS-SLOT_BITS{1'b0}}, slot_reg} << $clog2(S_SYMBOLS);
wire fill = s_last || slot_reg == LAST_SLOT[SLOT_BITS-1:0];

genvar k;

generate

    for (k = 0; k < SLOTS; k = k + 1) begin : slot
        always @(posedge clk) begin
            if (take && slot_reg == k) begin
                data_reg[8*S_SYMBOLS*k +: 8*S_SYMBOLS] <= s_data;
            end else if (take && slot_reg == 0) begin
                data_reg[8*S_SYMBOLS*k +: 8*S_SYMBOLS] <= 0;
            end
        end
    end

endgenerate

always @(posedge clk) begin
    if (take) begin
        slot_reg <= fill ? 0 : slot_reg + 1;
        bytes_reg <= begin_bytes + {{M_BITS-S_BITS{1'b0}}, s_bytes};
        last_reg <= s_last;
        error_reg <= s_error;
        full_reg <= fill;
    end else if (m_ready) begin
        full_reg <= 1'b0;
    end

    if (rst) begin
        slot_reg <= 0;
        full_reg <= 1'b0;
    end
end

endmodule

`resetall
