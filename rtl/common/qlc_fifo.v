// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Synchronous FIFO; s_ready and m_valid come from registers.
 */
module qlc_fifo #
(
    parameter WIDTH = 8,
    // A power of two, at least 2
    parameter DEPTH = 4
)
(
    input  wire             clk,
    input  wire             rst,

    input  wire [WIDTH-1:0] s_data,
    input  wire             s_valid,
    output wire             s_ready,

    output wire [WIDTH-1:0] m_data,
    output wire             m_valid,
    input  wire             m_ready
);

localparam ADDR_BITS = $clog2(DEPTH);

// check configuration
initial begin
    if (DEPTH < 2 || DEPTH != 1 << ADDR_BITS) begin
        $error("Error: DEPTH must be a power of two, at least 2 (instance %m)");
        $finish;
    end
end

reg [WIDTH-1:0] mem[0:DEPTH-1];
reg [ADDR_BITS-1:0] write_reg;
reg [ADDR_BITS-1:0] read_reg;
reg full_reg;
reg empty_reg;

wire [ADDR_BITS-1:0] write_next = write_reg + 1;
wire [ADDR_BITS-1:0] read_next = read_reg + 1;
wire write = s_valid && s_ready;
wire read = m_valid && m_ready;

assign s_ready = !full_reg;
assign m_valid = !empty_reg;
assign m_data = mem[read_reg];

always @(posedge clk) begin
    if (write) begin
        mem[write_reg] <= s_data;
        write_reg <= write_next;
    end

    if (read) begin
        read_reg <= read_next;
    end

    if (write && !read) begin
        full_reg <= write_next == read_reg;
        empty_reg <= 1'b0;
    end else if (read && !write) begin
        full_reg <= 1'b0;
        empty_reg <= read_next == write_reg;
    end

    if (rst) begin
        write_reg <= 0;
        read_reg <= 0;
        full_reg <= 1'b0;
        empty_reg <= 1'b1;
    end
end

endmodule

`resetall
