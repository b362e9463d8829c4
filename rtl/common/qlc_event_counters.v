// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC event counters: counts each kind of event in 64 bits, a cycle late.
 *
 *   number   counts
 *   0        packets
 *   1, 2     raw blocks, coded blocks
 *   3, 4, 5  symbols, bytes, special values
 *   6, 7     nothing
 *   8..18    errors, by error code
 */
module qlc_event_counters #
(
    // Width of the events that are numbers
    parameter EVENT_BITS = 6
)
(
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  ev_packet,
    input  wire                  ev_block_raw,
    input  wire                  ev_block_coded,
    input  wire [EVENT_BITS-1:0] ev_symbols,
    input  wire [EVENT_BITS-1:0] ev_bytes,
    input  wire [EVENT_BITS-1:0] ev_special,
    input  wire [10:0]           ev_error,

    // The count of a number, in the same cycle
    input  wire [4:0]            number,
    output wire [63:0]           count
);

localparam ERRORS = 11;
localparam COUNTERS = 8 + ERRORS;

// The bits above an event of one bit; an event that never happens
localparam [EVENT_BITS-2:0] ABOVE = 0;
localparam [EVENT_BITS-1:0] NONE = 0;

wire [EVENT_BITS*COUNTERS-1:0] events;
wire [64*COUNTERS-1:0] counters;

assign events = {
    {ABOVE, ev_error[10]}, {ABOVE, ev_error[9]}, {ABOVE, ev_error[8]},
    {ABOVE, ev_error[7]}, {ABOVE, ev_error[6]}, {ABOVE, ev_error[5]}, {ABOVE, ev_error[4]},
    {ABOVE, ev_error[3]}, {ABOVE, ev_error[2]}, {ABOVE, ev_error[1]}, {ABOVE, ev_error[0]},
    NONE, NONE, ev_special, ev_bytes,
    ev_symbols, {ABOVE, ev_block_coded}, {ABOVE, ev_block_raw}, {ABOVE, ev_packet}
};

assign count = counters[64*number +: 64];

genvar n;

generate

    for (n = 0; n < COUNTERS; n = n + 1) begin : counter
        reg [EVENT_BITS-1:0] increment_reg;

        always @(posedge clk) begin
            increment_reg <= events[EVENT_BITS*n +: EVENT_BITS];

            if (rst) begin
                increment_reg <= 0;
            end
        end

        qlc_counter #(
            .STEP_BITS(EVENT_BITS)
        )
        counter_inst (
            .clk(clk),
            .rst(rst),
            .step(increment_reg),
            .count(counters[64*n +: 64])
        );
    end

endgenerate

endmodule

`resetall
