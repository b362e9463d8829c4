// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Loopback of whole packets without software on any cycle: encoder core, a deep buffer, decoder
 * core.
 *
 * Loads encoder.hex and decoder.hex through the write ports, plays the packet in input.hex, and
 * writes coded.hex and decoded.hex: see play_control, table_writer, packet_player and
 * packet_monitor. All files are in the simulation's working directory.
 */
module qlc_loopback #
(
    // What tables there may be: see qlc_decoder_core
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
    output wire        hang,
    // Symbols in the packet
    input  wire [31:0] symbols,
    // Cycles of 256 in which the player idles, the collector of symbols stalls
    input  wire [7:0]  idle,
    input  wire [7:0]  stall,
    input  wire [31:0] seed,

    output wire [31:0] encoder_cycles,
    output wire [31:0] encoder_stalls,
    output wire [31:0] decoder_cycles,
    // From the beat that holds the first codeword to the first symbol
    output wire [31:0] decoder_latency,
    // Stability rules broken, on any stream
    output wire        unstable
);

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

/*
 * Control and tables
 */
wire open;
wire play;
wire close;
wire played;
wire go;
wire [1:0] loaded;
wire [3:0] transfer;
wire [31:0] sent;
wire [31:0] received;

wire encoder_we;
wire [8:0] encoder_addr;
wire [31:0] encoder_data;
wire decoder_we;
wire [8:0] decoder_addr;
wire [31:0] decoder_data;

wire [255:0] player_tdata;
wire [31:0] player_tkeep;
wire player_tvalid;
wire player_tready;
wire player_tlast;
wire player_tuser;

wire [255:0] coded_tdata;
wire [31:0] coded_tkeep;
wire coded_tvalid;
wire coded_tready;
wire coded_tlast;

wire [255:0] wide_tdata;
wire [31:0] wide_tkeep;
wire wide_tvalid;
wire wide_tready;
wire wide_tlast;

wire [31:0] narrow_tdata;
wire [3:0] narrow_tkeep;
wire narrow_tvalid;
wire narrow_tready;
wire narrow_tlast;

wire [7:0] decoded_tdata;
wire decoded_tkeep;
wire decoded_tvalid;
wire decoded_tready;
wire decoded_tlast;
wire [2:0] decoded_tuser;

play_control control_inst (
    .clk(clk),
    .rst(rst),
    .start(start),
    .done(done),
    .hang(hang),
    .open(open),
    .play(play),
    .close(close),
    .loaded(&loaded),
    .played(played),
    .sent(sent),
    .received(received),
    .moved(|transfer)
);

table_writer #(
    .FILE("encoder.hex")
)
encoder_writer_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .over(loaded[0]),
    .table_we(encoder_we),
    .table_addr(encoder_addr),
    .table_data(encoder_data)
);

table_writer #(
    .FILE("decoder.hex")
)
decoder_writer_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .over(loaded[1]),
    .table_we(decoder_we),
    .table_addr(decoder_addr),
    .table_data(decoder_data)
);

random_pace pace_inst (
    .clk(clk),
    .load(open),
    .seed(seed),
    .idle(idle),
    .stall(stall),
    .source_go(go),
    .sink_ready(decoded_tready)
);

/*
 * Streams: player - encoder - buffer - narrow - decoder - collector
 */
packet_player #(
    .BYTES(32),
    .USER_BITS(1)
)
player_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .go(play && go),
    .over(played),
    .m_axis_tdata(player_tdata),
    .m_axis_tkeep(player_tkeep),
    .m_axis_tvalid(player_tvalid),
    .m_axis_tready(player_tready),
    .m_axis_tlast(player_tlast),
    .m_axis_tuser(player_tuser)
);

qlc_encoder_core #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
encoder_inst (
    .clk(clk),
    .rst(rst),
    .table_we(encoder_we),
    .table_addr(encoder_addr),
    .table_data(encoder_data),
    .s_axis_tdata(player_tdata),
    .s_axis_tkeep(player_tkeep),
    .s_axis_tvalid(player_tvalid),
    .s_axis_tready(player_tready),
    .s_axis_tlast(player_tlast),
    .m_axis_tdata(coded_tdata),
    .m_axis_tkeep(coded_tkeep),
    .m_axis_tvalid(coded_tvalid),
    .m_axis_tready(coded_tready),
    .m_axis_tlast(coded_tlast)
);

qlc_fifo #(
    .WIDTH(289),
    .DEPTH(2048)
)
buffer_inst (
    .clk(clk),
    .rst(rst),
    .s_data({coded_tlast, coded_tkeep, coded_tdata}),
    .s_valid(coded_tvalid),
    .s_ready(coded_tready),
    .m_data({wide_tlast, wide_tkeep, wide_tdata}),
    .m_valid(wide_tvalid),
    .m_ready(wide_tready)
);

qlc_axis_narrow #(
    .S_BYTES(32),
    .M_BYTES(4)
)
narrow_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(wide_tdata),
    .s_axis_tkeep(wide_tkeep),
    .s_axis_tvalid(wide_tvalid),
    .s_axis_tready(wide_tready),
    .s_axis_tlast(wide_tlast),
    .m_axis_tdata(narrow_tdata),
    .m_axis_tkeep(narrow_tkeep),
    .m_axis_tvalid(narrow_tvalid),
    .m_axis_tready(narrow_tready),
    .m_axis_tlast(narrow_tlast)
);

qlc_decoder_core #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
decoder_inst (
    .clk(clk),
    .rst(rst),
    .table_we(decoder_we),
    .table_bank(1'b0),
    .table_addr(decoder_addr),
    .table_data(decoder_data),
    .s_axis_tdata(narrow_tdata),
    .s_axis_tkeep(narrow_tkeep),
    .s_axis_tvalid(narrow_tvalid),
    .s_axis_tready(narrow_tready),
    .s_axis_tlast(narrow_tlast),
    .s_axis_tuser(symbols),
    .s_axis_bank(1'b0),
    .m_axis_tdata(decoded_tdata),
    .m_axis_tkeep(decoded_tkeep),
    .m_axis_tvalid(decoded_tvalid),
    .m_axis_tready(decoded_tready),
    .m_axis_tlast(decoded_tlast),
    .m_axis_tuser(decoded_tuser)
);

/*
 * Monitors
 */
wire [31:0] narrow_first;
wire [31:0] decoded_first;
wire [3:0] broken;

assign decoder_latency = decoded_first - narrow_first;
assign unstable = |broken;

packet_monitor #(
    .BYTES(32),
    .USER_BITS(1),
    .PLAYED(1)
)
player_monitor_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .close(close),
    .tap_axis_tdata(player_tdata),
    .tap_axis_tkeep(player_tkeep),
    .tap_axis_tvalid(player_tvalid),
    .tap_axis_tready(player_tready),
    .tap_axis_tlast(player_tlast),
    .tap_axis_tuser(player_tuser),
    .first(),
    .last(),
    .cycles(encoder_cycles),
    .beats(),
    .packets(sent),
    .waits(encoder_stalls),
    .transfer(transfer[0]),
    .broken(broken[0])
);

packet_monitor #(
    .BYTES(32),
    .USER_BITS(1),
    .FILE("coded.hex")
)
coded_monitor_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .close(close),
    .tap_axis_tdata(coded_tdata),
    .tap_axis_tkeep(coded_tkeep),
    .tap_axis_tvalid(coded_tvalid),
    .tap_axis_tready(coded_tready),
    .tap_axis_tlast(coded_tlast),
    .tap_axis_tuser(1'b0),
    .first(),
    .last(),
    .cycles(),
    .beats(),
    .packets(),
    .waits(),
    .transfer(transfer[1]),
    .broken(broken[1])
);

packet_monitor #(
    .BYTES(4),
    .USER_BITS(1)
)
narrow_monitor_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .close(close),
    .tap_axis_tdata(narrow_tdata),
    .tap_axis_tkeep(narrow_tkeep),
    .tap_axis_tvalid(narrow_tvalid),
    .tap_axis_tready(narrow_tready),
    .tap_axis_tlast(narrow_tlast),
    .tap_axis_tuser(1'b0),
    .first(narrow_first),
    .last(),
    .cycles(),
    .beats(),
    .packets(),
    .waits(),
    .transfer(transfer[2]),
    .broken(broken[2])
);

packet_monitor #(
    .BYTES(1),
    .USER_BITS(3),
    .FILE("decoded.hex")
)
decoded_monitor_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .close(close),
    .tap_axis_tdata(decoded_tdata),
    .tap_axis_tkeep(decoded_tkeep),
    .tap_axis_tvalid(decoded_tvalid),
    .tap_axis_tready(decoded_tready),
    .tap_axis_tlast(decoded_tlast),
    .tap_axis_tuser(decoded_tuser),
    .first(decoded_first),
    .last(),
    .cycles(decoder_cycles),
    .beats(),
    .packets(received),
    .waits(),
    .transfer(transfer[3]),
    .broken(broken[3])
);

endmodule

`resetall
