// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * A ring of words in a memory with one write and one read port. Neither port looks at how full it is: its
 * user counts. Where both sides wait for each other, use qlc_fifo.
 */
module qlc_ring_buffer #
(
    parameter WIDTH = 256,
    // A power of two, at least 2
    parameter DEPTH = 256
)
(
    input  wire             clk,
    input  wire             rst,

    input  wire             write,
    input  wire [WIDTH-1:0] write_data,

    // The word is there in the next cycle, and stays until the next read
    input  wire             read,
    output wire [WIDTH-1:0] read_data
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
reg [ADDR_BITS-1:0] write_addr_reg;
reg [ADDR_BITS-1:0] read_addr_reg;
reg [WIDTH-1:0] read_data_reg;

assign read_data = read_data_reg;

always @(posedge clk) begin
    if (write) begin
        mem[write_addr_reg] <= write_data;
        write_addr_reg <= write_addr_reg + 1;
    end

    if (read) begin
        read_data_reg <= mem[read_addr_reg];
        read_addr_reg <= read_addr_reg + 1;
    end

    if (rst) begin
        write_addr_reg <= 0;
        read_addr_reg <= 0;
    end
end

endmodule

`resetall
