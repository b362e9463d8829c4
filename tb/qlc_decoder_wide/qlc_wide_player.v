// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Plays packets into the wide decoder without software on any cycle, and keeps what comes out.
 *
 * Loads table.hex through the write port, plays input.hex, and writes output.hex: see play_control,
 * table_writer, packet_player and packet_monitor. An address has the bank above its 9 bits, tuser
 * in input.hex the bank above the symbol count. All files are in the simulation's working
 * directory.
 */
module qlc_wide_player #
(
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    parameter WORD_BITS = 256,
    parameter COUNT_BITS = 13,
    parameter BANKS = 2
)
(
    input  wire        rst,

    input  wire        start,
    output wire        done,
    output wire        hang,
    // Cycles of 256 in which the player idles, the collector stalls
    input  wire [7:0]  idle,
    input  wire [7:0]  stall,
    input  wire [31:0] seed,

    // Cycles in which an input beat waited
    output wire [31:0] stalls,
    // Packets that came out
    output wire [31:0] received,
    // Stability rules broken, on either stream
    output wire        unstable
);

localparam BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1;
localparam WORD_BYTES = WORD_BITS/8;
localparam SYMBOLS = WORD_BITS/4;

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

/*
 * Decoder
 */
wire table_we;
wire [BANK_BITS-1:0] table_bank;
wire [8:0] table_addr;
wire [31:0] table_data;

wire [WORD_BITS-1:0] s_axis_tdata;
wire [WORD_BYTES-1:0] s_axis_tkeep;
wire s_axis_tvalid;
wire s_axis_tready;
wire s_axis_tlast;
wire [COUNT_BITS-1:0] s_axis_tuser;
wire [BANK_BITS-1:0] s_axis_bank;

wire [8*SYMBOLS-1:0] m_axis_tdata;
wire [SYMBOLS-1:0] m_axis_tkeep;
wire m_axis_tvalid;
wire m_axis_tready;
wire m_axis_tlast;
wire [2:0] m_axis_tuser;

qlc_decoder_wide #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .WORD_BITS(WORD_BITS),
    .COUNT_BITS(COUNT_BITS),
    .BANKS(BANKS)
)
decoder_inst (
    .clk(clk),
    .rst(rst),
    .table_we(table_we),
    .table_bank(table_bank),
    .table_addr(table_addr),
    .table_data(table_data),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tuser(s_axis_tuser),
    .s_axis_bank(s_axis_bank),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tuser(m_axis_tuser)
);

/*
 * Player, collector, counters
 */
wire open;
wire play;
wire close;
wire played;
wire go;
wire loaded;
wire [31:0] sent;
wire [1:0] transfer;
wire [1:0] broken;

assign unstable = |broken;

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
    .moved(|transfer)
);

table_writer #(
    .ADDR_BITS(BANK_BITS + 9)
)
writer_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .over(loaded),
    .table_we(table_we),
    .table_addr({table_bank, table_addr}),
    .table_data(table_data)
);

random_pace pace_inst (
    .clk(clk),
    .load(open),
    .seed(seed),
    .idle(idle),
    .stall(stall),
    .source_go(go),
    .sink_ready(m_axis_tready)
);

packet_player #(
    .BYTES(WORD_BYTES),
    .USER_BITS(BANK_BITS + COUNT_BITS)
)
player_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .go(play && go),
    .over(played),
    .m_axis_tdata(s_axis_tdata),
    .m_axis_tkeep(s_axis_tkeep),
    .m_axis_tvalid(s_axis_tvalid),
    .m_axis_tready(s_axis_tready),
    .m_axis_tlast(s_axis_tlast),
    .m_axis_tuser({s_axis_bank, s_axis_tuser})
);

packet_monitor #(
    .BYTES(WORD_BYTES),
    .USER_BITS(BANK_BITS + COUNT_BITS),
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
    .tap_axis_tuser({s_axis_bank, s_axis_tuser}),
    .first(),
    .last(),
    .cycles(),
    .beats(),
    .packets(sent),
    .waits(stalls),
    .transfer(transfer[0]),
    .broken(broken[0])
);

packet_monitor #(
    .BYTES(SYMBOLS),
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
    .tap_axis_tready(m_axis_tready),
    .tap_axis_tlast(m_axis_tlast),
    .tap_axis_tuser(m_axis_tuser),
    .first(),
    .last(),
    .cycles(),
    .beats(),
    .packets(received),
    .waits(),
    .transfer(transfer[1]),
    .broken(broken[1])
);

endmodule

`resetall
