// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

/*
 * How make synth maps a table to a cell library: words in flip-flops, looked up by two AND-ORs,
 * a row of 16 words and a word of it, which is smaller than the tree of multiplexers that Yosys
 * makes of a memory. Takes one write port and reads that are not registered.
 */
(* techmap_celltype = "$mem_v2" *)
module table_registers (
    RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA
);

parameter MEMID = "";
parameter SIZE = 256;
parameter OFFSET = 0;
parameter ABITS = 8;
parameter WIDTH = 8;
parameter INIT = 0;
parameter RD_PORTS = 1;
parameter RD_CLK_ENABLE = 0;
parameter WR_PORTS = 1;
parameter WR_CLK_ENABLE = 1;
parameter WR_CLK_POLARITY = 1;
// Of no meaning here
parameter RD_CLK_POLARITY = 0;
parameter RD_TRANSPARENCY_MASK = 0;
parameter RD_COLLISION_X_MASK = 0;
parameter RD_WIDE_CONTINUATION = 0;
parameter RD_CE_OVER_SRST = 0;
parameter RD_ARST_VALUE = 0;
parameter RD_SRST_VALUE = 0;
parameter RD_INIT_VALUE = 0;
parameter WR_PRIORITY_MASK = 0;
parameter WR_WIDE_CONTINUATION = 0;

input [RD_PORTS-1:0] RD_CLK;
input [RD_PORTS-1:0] RD_EN;
input [RD_PORTS-1:0] RD_ARST;
input [RD_PORTS-1:0] RD_SRST;
input [RD_PORTS*ABITS-1:0] RD_ADDR;
output [RD_PORTS*WIDTH-1:0] RD_DATA;
input [WR_PORTS-1:0] WR_CLK;
input [WR_PORTS*WIDTH-1:0] WR_EN;
input [WR_PORTS*ABITS-1:0] WR_ADDR;
input [WR_PORTS*WIDTH-1:0] WR_DATA;

localparam ROWS = SIZE/16;
localparam ROW_BITS = 16*WIDTH;

wire _TECHMAP_FAIL_ = RD_CLK_ENABLE != 0 || WR_PORTS != 1 || WR_CLK_ENABLE != 1
    || WR_CLK_POLARITY != 1 || OFFSET != 0 || SIZE % 16 != 0;

reg [SIZE*WIDTH-1:0] words;

genvar b, p, w;

generate

    for (w = 0; w < SIZE; w = w + 1) begin : word
        for (b = 0; b < WIDTH; b = b + 1) begin : bits
            always @(posedge WR_CLK) begin
                if (WR_EN[b] && WR_ADDR == w) begin
                    words[WIDTH*w + b] <= WR_DATA[b];
                end
            end
        end
    end

    for (p = 0; p < RD_PORTS; p = p + 1) begin : port
        wire [ABITS-1:0] addr = RD_ADDR[ABITS*p +: ABITS];

        reg [ROW_BITS-1:0] row;
        reg [WIDTH-1:0] found;
        integer n;

        always @* begin
            row = 0;

            for (n = 0; n < ROWS; n = n + 1) begin
                row = row | (words[ROW_BITS*n +: ROW_BITS] & {ROW_BITS{addr >> 4 == n}});
            end

            found = 0;

            for (n = 0; n < 16; n = n + 1) begin
                found = found | (row[WIDTH*n +: WIDTH] & {WIDTH{addr[3:0] == n}});
            end
        end

        assign RD_DATA[WIDTH*p +: WIDTH] = found;
    end

endgenerate

endmodule
