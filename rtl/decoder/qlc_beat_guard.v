// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC beat guard: tells which beats of a stream are as they should be. It looks at the handshake only; the
 * data pass beside it.
 *
 * A beat should be full, and a packet's last one contiguous from byte 0. A beat without bytes carries
 * nothing: it is taken and not passed on, unless it is the packet's last. Any other beat is a partial one.
 * It becomes the packet's last, without bytes, and is marked; the rest of the packet is dropped.
 */
module qlc_beat_guard #
(
    // Bytes of a beat
    parameter BYTES = 32,
    // Not to be set: width of their count
    parameter COUNT_BITS = $clog2(BYTES + 1)
)
(
    input  wire                  clk,
    input  wire                  rst,

    /*
     * AXI4-Stream input, its data left out
     */
    input  wire [BYTES-1:0]      s_axis_tkeep,
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire                  s_axis_tlast,

    // Beats out: full ones, and a packet's last
    output wire [COUNT_BITS-1:0] m_bytes,
    output wire                  m_last,
    output wire                  m_partial,
    output wire                  m_valid,
    input  wire                  m_ready
);

// The packet has ended with a partial beat
reg drop_reg;

wire holes = |(s_axis_tkeep[BYTES-1:1] & ~s_axis_tkeep[BYTES-2:0]);
wire short = s_axis_tkeep[0] && !s_axis_tkeep[BYTES-1];
wire none = s_axis_tkeep == 0;
wire partial = holes || (short && !s_axis_tlast);
wire [COUNT_BITS-1:0] count;

qlc_keep_count #(
    .BYTES(BYTES)
)
count_inst (
    .keep(s_axis_tkeep),
    .count(count)
);

assign s_axis_tready = m_ready;
assign m_bytes = count & {COUNT_BITS{!partial}};
assign m_last = s_axis_tlast || partial;
assign m_partial = partial;
assign m_valid = s_axis_tvalid && !drop_reg && !(none && !s_axis_tlast);

always @(posedge clk) begin
    if (s_axis_tvalid && s_axis_tready) begin
        drop_reg <= !s_axis_tlast && (drop_reg || partial);
    end

    if (rst) begin
        drop_reg <= 1'b0;
    end
end

endmodule

`resetall
