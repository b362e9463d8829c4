// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Plays the packets of a file, a beat a line: "tlast tuser tkeep tdata", in hexadecimal. What a
 * receiver must not look at is X: all while tvalid is low, bytes without tkeep, and tuser after a
 * packet's first beat.
 */
module packet_player #
(
    // Bytes of a beat
    parameter BYTES = 32,
    parameter USER_BITS = 1,
    parameter FILE = "input.hex"
)
(
    input  wire                 clk,
    input  wire                 rst,

    // Begins the file
    input  wire                 open,
    // A beat may be offered
    input  wire                 go,
    // All beats have been taken
    output reg                  over,

    output reg  [8*BYTES-1:0]   m_axis_tdata,
    output reg  [BYTES-1:0]     m_axis_tkeep,
    output reg                  m_axis_tvalid,
    input  wire                 m_axis_tready,
    output reg                  m_axis_tlast,
    output reg  [USER_BITS-1:0] m_axis_tuser
);

integer file;
integer fields;
integer i;

// Values read from a line
reg line_last;
reg [USER_BITS-1:0] line_user;
reg [BYTES-1:0] line_keep;
reg [8*BYTES-1:0] line_data;

reg first;

always @(posedge clk) begin
    if (!m_axis_tvalid || m_axis_tready) begin
        m_axis_tvalid <= 1'b0;
        m_axis_tdata <= {8*BYTES{1'bx}};
        m_axis_tkeep <= {BYTES{1'bx}};
        m_axis_tlast <= 1'bx;
        m_axis_tuser <= {USER_BITS{1'bx}};

        if (go && !over) begin
            fields = $fscanf(file, "%h %h %h %h\n", line_last, line_user, line_keep, line_data);

            if (fields == 4) begin
                for (i = 0; i < BYTES; i = i + 1) begin
                    if (!line_keep[i]) begin
                        line_data[8*i +: 8] = 8'hxx;
                    end
                end

                m_axis_tvalid <= 1'b1;
                m_axis_tdata <= line_data;
                m_axis_tkeep <= line_keep;
                m_axis_tlast <= line_last;

                if (first) begin
                    m_axis_tuser <= line_user;
                end

                first <= line_last;
            end else begin
                $fclose(file);
                over <= 1'b1;
            end
        end
    end

    if (open) begin
        file = $fopen(FILE, "r");
        first <= 1'b1;
        over <= 1'b0;
    end

    if (rst) begin
        m_axis_tvalid <= 1'b0;
        over <= 1'b1;
    end
end

endmodule

`resetall
