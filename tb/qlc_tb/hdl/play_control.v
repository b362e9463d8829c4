// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Runs a harness: when start rises, files are opened and tables loaded, then packets played. done
 * rises when all have been sent, as many have come out and no transfer has followed for some
 * cycles, or, with hang, when there has been none for too long.
 */
module play_control #
(
    // Cycles from the tables' last word to the first beat
    parameter COMMIT_CYCLES = 0
)
(
    input  wire        clk,
    input  wire        rst,

    input  wire        start,
    output reg         done,
    output reg         hang,

    // The first cycle, the cycles of tables and packets, the last cycle
    output reg         open,
    output wire        play,
    output wire        close,

    // All tables are loaded, all packets sent
    input  wire        loaded,
    input  wire        played,
    // Packets on either side
    input  wire [31:0] sent,
    input  wire [31:0] received,
    // A transfer
    input  wire        moved
);

// Cycles without a transfer that are a hang, cycles watched after the last packet
localparam PATIENCE = 1000;
localparam SETTLE = 40;

localparam [1:0]
    STATE_IDLE = 2'd0,
    STATE_LOAD = 2'd1,
    STATE_PLAY = 2'd2;

reg [1:0] state_reg;
// Cycles since something happened
reg [31:0] quiet;

wire complete = played && received >= sent;

assign play = state_reg == STATE_PLAY;
assign close = play && quiet >= (complete ? SETTLE : PATIENCE);

always @(posedge clk) begin
    open <= 1'b0;
    quiet <= quiet + 1;

    case (state_reg)
        STATE_IDLE: begin
            if (start && !done) begin
                open <= 1'b1;
                state_reg <= STATE_LOAD;
            end

            if (!start) begin
                done <= 1'b0;
            end
        end
        STATE_LOAD: begin
            if (open || !loaded) begin
                quiet <= 0;
            end else if (quiet == COMMIT_CYCLES) begin
                quiet <= 0;
                state_reg <= STATE_PLAY;
            end
        end
        default: begin
            if (moved) begin
                quiet <= 0;
            end

            if (close) begin
                hang <= !complete;
                done <= 1'b1;
                state_reg <= STATE_IDLE;
            end
        end
    endcase

    if (rst) begin
        open <= 1'b0;
        done <= 1'b0;
        hang <= 1'b0;
        state_reg <= STATE_IDLE;
    end
end

endmodule

`resetall
