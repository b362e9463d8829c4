// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * One register between two AXI4-Streams, right or wrong in one way, to show that benches notice.
 */
module faulty_stream #
(
    parameter FAULT = 0
)
(
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire        s_axis_tlast,

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire        m_axis_tlast
);

localparam
    NONE = 0,
    CHANGES_IN_STALL = 1,
    DROPS_VALID = 2,
    X_DATA = 3,
    X_LAST = 4,
    X_VALID = 5,
    X_READY = 6,
    KEEP_HOLE = 7,
    MASKED_BYTE = 8,
    PARTIAL_IN_PACKET = 9,
    LOSES_PACKET = 10,
    EXTRA_BEAT = 11,
    FLIPS_BIT = 12,
    VALID_IN_RESET = 13,
    HANGS = 14,
    KEEPS_LAST_BEAT = 15;

reg [31:0] data_reg;
reg [3:0] keep_reg;
reg valid_reg;
reg last_reg;
// Transfers at the input, the fault begins at the 10th
reg [15:0] count_reg;
reg stalled_reg;

wire fault = count_reg >= 10;
wire load = !valid_reg || (m_axis_tready && m_axis_tvalid);

function [31:0] masked(input [31:0] data, input [3:0] keep);
    masked = data & {{8{keep[3]}}, {8{keep[2]}}, {8{keep[1]}}, {8{keep[0]}}};
endfunction

assign s_axis_tready =
    FAULT == X_READY && fault ? 1'bx
    : load && !(FAULT == HANGS && fault);
assign m_axis_tdata =
    FAULT == X_DATA && fault ? {data_reg[31:1], 1'bx}
    : FAULT == FLIPS_BIT && fault ? data_reg ^ 1
    : FAULT == CHANGES_IN_STALL && fault && stalled_reg ? data_reg ^ 1
    : FAULT == MASKED_BYTE && fault && !keep_reg[3] ? data_reg | 32'h01000000
    : FAULT == PARTIAL_IN_PACKET ? masked(data_reg, m_axis_tkeep)
    : data_reg;
assign m_axis_tkeep =
    FAULT == KEEP_HOLE && fault ? keep_reg & 4'b1101
    : FAULT == PARTIAL_IN_PACKET && fault && !last_reg ? 4'b0001
    : keep_reg;
assign m_axis_tvalid =
    FAULT == X_VALID && fault ? (valid_reg ? 1'b1 : 1'bx)
    : FAULT == DROPS_VALID && fault && stalled_reg ? 1'b0
    : FAULT == VALID_IN_RESET ? valid_reg || rst
    : FAULT == KEEPS_LAST_BEAT ? valid_reg && (!last_reg || s_axis_tvalid)
    : valid_reg;
assign m_axis_tlast = FAULT == X_LAST && fault ? 1'bx : last_reg;

always @(posedge clk) begin
    stalled_reg <= m_axis_tvalid && !m_axis_tready;

    if (load) begin
        data_reg <= masked(s_axis_tdata, s_axis_tkeep);
        keep_reg <= s_axis_tkeep;
        last_reg <= s_axis_tlast;
        valid_reg <= s_axis_tvalid && !(FAULT == LOSES_PACKET && fault)
            && !(FAULT == HANGS && fault);

        // Sends a packet's last beat again
        if (FAULT == EXTRA_BEAT && fault && !s_axis_tvalid && valid_reg) begin
            data_reg <= data_reg;
            keep_reg <= keep_reg;
            last_reg <= last_reg;
            valid_reg <= 1'b1;
        end
    end

    if (s_axis_tvalid && s_axis_tready) begin
        count_reg <= count_reg + 1;
    end

    if (rst) begin
        valid_reg <= 1'b0;
        stalled_reg <= 1'b0;
        count_reg <= 0;
    end
end

endmodule

`resetall
