// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC beat sender: sends the packer's output beats on AXI4-Stream.
 *
 * A FIFO takes bursts, up to two beats in a cycle. It is two memories that take turns, so each needs one
 * write and one read port only. The order of the bytes is turned round, since the stream's first bit is a
 * beat's most significant one, and the bus sends byte 0 first.
 */
module qlc_beat_sender #
(
    // Beats of storage, a power of two, at least 4
    parameter BEATS = 4
)
(
    input  wire         clk,
    input  wire         rst,

    // See qlc_codeword_packer
    input  wire [255:0] first_data,
    input  wire         first_last,
    input  wire         first_empty,
    input  wire         first_valid,
    input  wire [255:0] second_data,
    input  wire         second_last,
    input  wire         second_valid,
    input  wire [4:0]   last_spare,
    output wire         ready,

    /*
     * AXI4-Stream output
     */
    output wire [255:0] m_axis_tdata,
    output wire [31:0]  m_axis_tkeep,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,
    output wire         m_axis_tlast
);

localparam BEATS_BITS = $clog2(BEATS + 1);
localparam ADDR_BITS = $clog2(BEATS/2);
// Data, bytes not in use, none in use, last
localparam WIDTH = 256 + 5 + 1 + 1;

// check configuration
initial begin
    if (BEATS < 4 || BEATS != 1 << $clog2(BEATS)) begin
        $error("Error: BEATS must be a power of two, at least 4 (instance %m)");
        $finish;
    end
end

reg ready_reg;
reg [BEATS_BITS-1:0] beats_reg;
// Which memory comes next, and where
reg write_odd_reg;
reg [ADDR_BITS-1:0] write_addr_reg;
reg read_odd_reg;
reg [ADDR_BITS-1:0] read_addr_reg;

reg [WIDTH-1:0] evens[0:BEATS/2-1];
reg [WIDTH-1:0] odds[0:BEATS/2-1];

wire [WIDTH-1:0] first = {first_last, first_empty, last_spare & {5{first_last}}, first_data};
wire [WIDTH-1:0] second = {second_last, 1'b0, last_spare & {5{second_last}}, second_data};
wire write_first = ready_reg && first_valid;
wire write_second = ready_reg && second_valid;
wire [ADDR_BITS-1:0] write_addr_next = write_addr_reg + 1;

assign ready = ready_reg;

wire [WIDTH-1:0] next = read_odd_reg ? odds[read_addr_reg] : evens[read_addr_reg];

reg [255:0] m_axis_tdata_reg;
reg [31:0] m_axis_tkeep_reg;
reg m_axis_tvalid_reg;
reg m_axis_tlast_reg;

assign m_axis_tdata = m_axis_tdata_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;

reg some_reg;
wire load = !m_axis_tvalid_reg || m_axis_tready;
wire read = load && some_reg;

wire [BEATS_BITS-1:0] beats_next = beats_reg + {{BEATS_BITS-1{1'b0}}, write_first}
    + {{BEATS_BITS-1{1'b0}}, write_second} - {{BEATS_BITS-1{1'b0}}, read};

integer k;

always @(posedge clk) begin
    if (write_odd_reg ? write_second : write_first) begin
        evens[write_odd_reg ? write_addr_next : write_addr_reg] <= write_odd_reg ? second : first;
    end

    if (write_odd_reg ? write_first : write_second) begin
        odds[write_addr_reg] <= write_odd_reg ? first : second;
    end

    if (write_second || (write_first && write_odd_reg)) begin
        write_addr_reg <= write_addr_next;
    end

    write_odd_reg <= write_odd_reg ^ write_first ^ write_second;

    if (read) begin
        read_odd_reg <= !read_odd_reg;
        read_addr_reg <= read_addr_reg + {{ADDR_BITS-1{1'b0}}, read_odd_reg};
    end

    beats_reg <= beats_next;
    some_reg <= beats_next != 0;
    ready_reg <= beats_next <= BEATS[BEATS_BITS-1:0] - 2;

    if (load) begin
        m_axis_tvalid_reg <= some_reg;
    end

    if (read) begin
        // On the bus, byte 0 comes first
        for (k = 0; k < 32; k = k + 1) begin
            m_axis_tdata_reg[8*k +: 8] <= next[255-8*k -: 8];
        end

        m_axis_tkeep_reg <= ({32{1'b1}} >> next[260:256]) & {32{!next[261]}};
        m_axis_tlast_reg <= next[262];
    end

    if (rst) begin
        ready_reg <= 1'b0;
        beats_reg <= 0;
        some_reg <= 1'b0;
        write_odd_reg <= 1'b0;
        write_addr_reg <= 0;
        read_odd_reg <= 1'b0;
        read_addr_reg <= 0;
        m_axis_tvalid_reg <= 1'b0;
    end
end

endmodule

`resetall
