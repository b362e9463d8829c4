// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Delays data by some cycles. Only those count in which `advance` is high.
 */
module qlc_delay #
(
    parameter WIDTH = 8,
    // 0 and more
    parameter CYCLES = 1
)
(
    input  wire             clk,

    // All data move on by a cycle
    input  wire             advance,

    input  wire [WIDTH-1:0] s_data,
    output wire [WIDTH-1:0] m_data
);

generate

    if (CYCLES == 0) begin : none
        assign m_data = s_data;

        wire unused = &{1'b0, clk, advance};
    end else begin : some
        reg [WIDTH*CYCLES-1:0] data_reg;

        wire [WIDTH*CYCLES+WIDTH-1:0] data_next = {data_reg, s_data};

        assign m_data = data_next[WIDTH*CYCLES +: WIDTH];

        always @(posedge clk) begin
            if (advance) begin
                data_reg <= data_next[WIDTH*CYCLES-1:0];
            end
        end
    end

endgenerate

endmodule

`resetall
