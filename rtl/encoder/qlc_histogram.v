// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC histogram: counts a sample of the symbols that pass on an AXI4-Stream it watches.
 *
 * One lane is looked at in every beat of a counted packet, lane 0 in the first; the next beat's
 * is one higher, and lane 0 follows the highest. The lane goes on from packet to packet. If
 * tkeep has the lane's byte, that symbol is counted, otherwise the beat gives no sample; the
 * lane moves on in either case.
 *
 * A packet is counted as a whole or not at all: it is when enable is 1 and frozen 0 at its
 * first beat. When freeze_packets (0: never) or more packets have been counted, the histogram
 * freezes: nothing is counted until a clear.
 *
 * clear sets all counts, samples, packets, frozen and the lane to 0 in one cycle. Nothing of a
 * packet that is under way then is counted, nor a beat that passes in that cycle.
 *
 * All outputs are as old as each other, so what is read while frozen is 1 is final. A count
 * stays at its largest value. read_data follows read_addr by a cycle.
 */
module qlc_histogram #
(
    // Bytes of a beat, 1..32
    parameter SYMBOLS = 32,
    // Width of a count, 1..32
    parameter COUNT_BITS = 32
)
(
    input  wire                  clk,
    input  wire                  rst,

    /*
     * AXI4-Stream to watch
     */
    input  wire [8*SYMBOLS-1:0]  tap_axis_tdata,
    input  wire [SYMBOLS-1:0]    tap_axis_tkeep,
    input  wire                  tap_axis_tvalid,
    input  wire                  tap_axis_tready,
    input  wire                  tap_axis_tlast,

    /*
     * Control
     */
    input  wire                  enable,
    input  wire                  clear,
    input  wire [31:0]           freeze_packets,

    /*
     * State since the last clear; packets stays at its largest value
     */
    output wire                  frozen,
    output wire [31:0]           packets,
    output wire [63:0]           samples,

    /*
     * Count of a symbol
     */
    input  wire [7:0]            read_addr,
    output wire [COUNT_BITS-1:0] read_data
);

localparam LANE_BITS = SYMBOLS > 1 ? $clog2(SYMBOLS) : 1;
localparam [31:0] LAST_LANE = SYMBOLS - 1;

// check configuration
initial begin
    if (SYMBOLS < 1 || SYMBOLS > 32) begin
        $error("Error: SYMBOLS must be 1..32 (instance %m)");
        $finish;
    end

    if (COUNT_BITS < 1 || COUNT_BITS > 32) begin
        $error("Error: COUNT_BITS must be 1..32 (instance %m)");
        $finish;
    end
end

/*
 * Which packets and which lane
 */
reg in_packet_reg;
reg counting_reg;
reg frozen_reg;
reg [31:0] packets_reg;
reg [LANE_BITS-1:0] lane_reg;

wire beat = tap_axis_tvalid && tap_axis_tready;
wire count_beat = beat && (in_packet_reg ? counting_reg : enable && !frozen_reg);
wire [31:0] packets_next = &packets_reg ? packets_reg : packets_reg + 32'd1;

always @(posedge clk) begin
    if (beat) begin
        in_packet_reg <= !tap_axis_tlast;
        counting_reg <= count_beat;
    end

    if (count_beat) begin
        lane_reg <= lane_reg == LAST_LANE[LANE_BITS-1:0] ? {LANE_BITS{1'b0}} : lane_reg + 1'b1;

        if (tap_axis_tlast) begin
            packets_reg <= packets_next;
            frozen_reg <= freeze_packets != 32'd0 && packets_next >= freeze_packets;
        end
    end

    if (rst || clear) begin
        counting_reg <= 1'b0;
        frozen_reg <= 1'b0;
        packets_reg <= 32'd0;
        lane_reg <= {LANE_BITS{1'b0}};
    end

    if (rst) begin
        in_packet_reg <= 1'b0;
    end
end

/*
 * Counting: the sample, its count, the count plus 1
 */
wire [7:0] sample;
wire sample_keep;

generate

    if (SYMBOLS > 1) begin : select
        assign sample = tap_axis_tdata[8*lane_reg +: 8];
        assign sample_keep = tap_axis_tkeep[lane_reg];
    end else begin : single
        assign sample = tap_axis_tdata;
        assign sample_keep = tap_axis_tkeep;
    end

endgenerate

reg [7:0] sample_reg;
reg sample_valid_reg;

reg [7:0] count_addr_reg;
reg count_valid_reg;
reg [COUNT_BITS-1:0] count_reg;
// count_reg has missed the last write; it is a count, and not what the memory held before a clear
reg forward_reg;
reg live_reg;
reg [COUNT_BITS-1:0] written_reg;

// Without reset: a count is 0 until live_reg has its bit.
reg [COUNT_BITS-1:0] count_mem[0:255];
reg [255:0] counted_reg;

wire [COUNT_BITS-1:0] count_old = forward_reg ? written_reg : count_reg & {COUNT_BITS{live_reg}};
wire [COUNT_BITS-1:0] count_new = &count_old ? count_old : count_old + 1'b1;

qlc_counter samples_inst (
    .clk(clk),
    .rst(rst || clear),
    .step(count_valid_reg),
    .count(samples)
);

always @(posedge clk) begin
    sample_reg <= sample;
    sample_valid_reg <= count_beat && sample_keep;

    count_addr_reg <= sample_reg;
    count_valid_reg <= sample_valid_reg;
    count_reg <= count_mem[sample_reg];
    live_reg <= counted_reg[sample_reg];
    forward_reg <= count_valid_reg && count_addr_reg == sample_reg;

    if (count_valid_reg) begin
        count_mem[count_addr_reg] <= count_new;
        written_reg <= count_new;
        counted_reg[count_addr_reg] <= 1'b1;
    end

    if (rst || clear) begin
        sample_valid_reg <= 1'b0;
        count_valid_reg <= 1'b0;
        counted_reg <= 256'd0;
    end
end

/*
 * What is seen from outside, as old as the counts
 */
reg [1:0] frozen_delay_reg;
reg [31:0] packets_delay_reg[0:1];
reg [COUNT_BITS-1:0] read_count_reg;
reg read_live_reg;

assign frozen = frozen_delay_reg[1];
assign packets = packets_delay_reg[1];
assign read_data = read_count_reg & {COUNT_BITS{read_live_reg}};

always @(posedge clk) begin
    frozen_delay_reg <= {frozen_delay_reg[0], frozen_reg};
    packets_delay_reg[0] <= packets_reg;
    packets_delay_reg[1] <= packets_delay_reg[0];
    read_count_reg <= count_mem[read_addr];
    read_live_reg <= counted_reg[read_addr];

    if (rst || clear) begin
        frozen_delay_reg <= 2'b00;
        packets_delay_reg[0] <= 32'd0;
        packets_delay_reg[1] <= 32'd0;
        read_live_reg <= 1'b0;
    end
end

endmodule

`resetall
