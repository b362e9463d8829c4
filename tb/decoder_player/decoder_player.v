// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Plays one packet at a time into any of the decoders, without software on any cycle, and counts
 * cycles. The input always has a beat, the output always takes one.
 *
 * Loads table.hex through the write port, plays input.hex, and writes output.hex: see play_control,
 * table_writer, packet_player and packet_monitor. All files are in the simulation's working
 * directory.
 */
module decoder_player #
(
    // 0 qlc_decoder_core, 1 qlc_decoder_wide, 2 huffman_decoder_serial
    parameter DECODER = 0,
    // Bits of an input beat
    parameter WORD_BITS = 32,
    // The tables that QLC's decoders can hold
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0
)
(
    input  wire        rst,

    input  wire        start,
    output wire        done,
    // Nothing came out for too long
    output wire        hang,

    // First input beat to first output beat
    output wire [31:0] latency,
    // First output beat to last, both included, and those of them without a beat
    output wire [31:0] cycles,
    output wire [31:0] output_gaps,
    // Cycles in which an input beat waited
    output wire [31:0] input_waits
);

localparam WORD_BYTES = WORD_BITS/8;
localparam LANES = DECODER == 1 ? WORD_BITS/4 : 1;
localparam COUNT_BITS = 32;

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

/*
 * Decoder
 */
wire table_we;
wire [8:0] table_addr;
wire [31:0] table_data;

wire [WORD_BITS-1:0] s_axis_tdata;
wire [WORD_BYTES-1:0] s_axis_tkeep;
wire s_axis_tvalid;
wire s_axis_tready;
wire s_axis_tlast;
wire [COUNT_BITS-1:0] s_axis_tuser;

wire [8*LANES-1:0] m_axis_tdata;
wire [LANES-1:0] m_axis_tkeep;
wire m_axis_tvalid;
wire m_axis_tlast;
wire [2:0] m_axis_tuser;

generate

    if (DECODER == 0) begin : qlc_core
        qlc_decoder_core #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST),
            .RAW_BITS(RAW_BITS),
            .DATA_BITS(WORD_BITS),
            .COUNT_BITS(COUNT_BITS)
        )
        decoder_inst (
            .clk(clk),
            .rst(rst),
            .table_we(table_we),
            .table_bank(1'b0),
            .table_addr(table_addr),
            .table_data(table_data),
            .s_axis_tdata(s_axis_tdata),
            .s_axis_tkeep(s_axis_tkeep),
            .s_axis_tvalid(s_axis_tvalid),
            .s_axis_tready(s_axis_tready),
            .s_axis_tlast(s_axis_tlast),
            .s_axis_tuser(s_axis_tuser),
            .s_axis_bank(1'b0),
            .m_axis_tdata(m_axis_tdata),
            .m_axis_tkeep(m_axis_tkeep),
            .m_axis_tvalid(m_axis_tvalid),
            .m_axis_tready(1'b1),
            .m_axis_tlast(m_axis_tlast),
            .m_axis_tuser(m_axis_tuser)
        );
    end else if (DECODER == 1) begin : qlc_wide
        qlc_decoder_wide #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST),
            .RAW_BITS(RAW_BITS),
            .WORD_BITS(WORD_BITS),
            .COUNT_BITS(COUNT_BITS)
        )
        decoder_inst (
            .clk(clk),
            .rst(rst),
            .table_we(table_we),
            .table_bank(1'b0),
            .table_addr(table_addr),
            .table_data(table_data),
            .s_axis_tdata(s_axis_tdata),
            .s_axis_tkeep(s_axis_tkeep),
            .s_axis_tvalid(s_axis_tvalid),
            .s_axis_tready(s_axis_tready),
            .s_axis_tlast(s_axis_tlast),
            .s_axis_tuser(s_axis_tuser),
            .s_axis_bank(1'b0),
            .m_axis_tdata(m_axis_tdata),
            .m_axis_tkeep(m_axis_tkeep),
            .m_axis_tvalid(m_axis_tvalid),
            .m_axis_tready(1'b1),
            .m_axis_tlast(m_axis_tlast),
            .m_axis_tuser(m_axis_tuser)
        );
    end else begin : huffman_serial
        huffman_decoder_serial #(
            .DATA_BITS(WORD_BITS),
            .COUNT_BITS(COUNT_BITS)
        )
        decoder_inst (
            .clk(clk),
            .rst(rst),
            .table_we(table_we),
            .table_addr(table_addr[7:0]),
            .table_data(table_data[17:0]),
            .s_axis_tdata(s_axis_tdata),
            .s_axis_tkeep(s_axis_tkeep),
            .s_axis_tvalid(s_axis_tvalid),
            .s_axis_tready(s_axis_tready),
            .s_axis_tlast(s_axis_tlast),
            .s_axis_tuser(s_axis_tuser),
            .m_axis_tdata(m_axis_tdata),
            .m_axis_tkeep(m_axis_tkeep),
            .m_axis_tvalid(m_axis_tvalid),
            .m_axis_tready(1'b1),
            .m_axis_tlast(m_axis_tlast),
            .m_axis_tuser(m_axis_tuser)
        );
    end

endgenerate

/*
 * Player, collector, counters
 */
wire open;
wire play;
wire close;
wire played;
wire loaded;
wire transfer;
wire [31:0] sent;
wire [31:0] received;
wire [31:0] input_first;
wire [31:0] output_first;
wire [31:0] output_beats;

assign latency = output_first - input_first;
assign output_gaps = cycles - output_beats;

play_control control_inst (
    .clk(clk),
    .rst(rst),
    .start(start),
    .done(done),
    .hang(hang),
    .open(open),
    .play(play),
    .close(close),
    .loaded(loaded),
    .played(played),
    .sent(sent),
    .received(received),
    .moved(transfer)
);

table_writer writer_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .over(loaded),
    .table_we(table_we),
    .table_addr(table_addr),
    .table_data(table_data)
);

packet_player #(
    .BYTES(WORD_BYTES),
    .USER_BITS(COUNT_BITS)
)
player_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .go(play),
    .over(played),
    .m_axis_tdata(s_axis_tdata),
    .m_axis_tkeep(s_axis_tkeep),
    .m_axis_tvalid(s_axis_tvalid),
    .m_axis_tready(s_axis_tready),
    .m_axis_tlast(s_axis_tlast),
    .m_axis_tuser(s_axis_tuser)
);

packet_monitor #(
    .BYTES(WORD_BYTES),
    .USER_BITS(COUNT_BITS),
    .PLAYED(1)
)
input_monitor_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .close(close),
    .tap_axis_tdata(s_axis_tdata),
    .tap_axis_tkeep(s_axis_tkeep),
    .tap_axis_tvalid(s_axis_tvalid),
    .tap_axis_tready(s_axis_tready),
    .tap_axis_tlast(s_axis_tlast),
    .tap_axis_tuser(s_axis_tuser),
    .first(input_first),
    .last(),
    .cycles(),
    .beats(),
    .packets(sent),
    .waits(input_waits),
    .transfer(),
    .broken()
);

packet_monitor #(
    .BYTES(LANES),
    .USER_BITS(3),
    .FILE("output.hex")
)
output_monitor_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .close(close),
    .tap_axis_tdata(m_axis_tdata),
    .tap_axis_tkeep(m_axis_tkeep),
    .tap_axis_tvalid(m_axis_tvalid),
    .tap_axis_tready(1'b1),
    .tap_axis_tlast(m_axis_tlast),
    .tap_axis_tuser(m_axis_tuser),
    .first(output_first),
    .last(),
    .cycles(cycles),
    .beats(output_beats),
    .packets(received),
    .waits(),
    .transfer(transfer),
    .broken()
);

endmodule

`resetall
