// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Loads tables: writes each line of a file, "address data" in hexadecimal, to a write port, a word
 * a cycle.
 */
module table_writer #
(
    parameter ADDR_BITS = 9,
    parameter FILE = "table.hex"
)
(
    input  wire                 clk,
    input  wire                 rst,

    // Begins the file
    input  wire                 open,
    // All words have been written
    output reg                  over,

    output reg                  table_we,
    output reg  [ADDR_BITS-1:0] table_addr,
    output reg  [31:0]          table_data
);

integer file;
integer fields;

// Values read from a line
reg [ADDR_BITS-1:0] line_addr;
reg [31:0] line_data;

always @(posedge clk) begin
    table_we <= 1'b0;
    table_addr <= {ADDR_BITS{1'bx}};
    table_data <= {32{1'bx}};

    if (!over) begin
        fields = $fscanf(file, "%h %h\n", line_addr, line_data);

        if (fields == 2) begin
            table_we <= 1'b1;
            table_addr <= line_addr;
            table_data <= line_data;
        end else begin
            $fclose(file);
            over <= 1'b1;
        end
    end

    if (open) begin
        file = $fopen(FILE, "r");
        over <= 1'b0;
    end

    if (rst) begin
        table_we <= 1'b0;
        over <= 1'b1;
    end
end

endmodule

`resetall
