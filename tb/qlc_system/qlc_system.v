// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * A system of qlc_encoder, a buffer that keeps the coded packet until it is complete, and
 * qlc_decoder. Plays whole packets without software on any cycle.
 *
 * Loads encoder.hex and decoder.hex over AXI4-Lite, plays the packet in input.hex, and writes
 * coded.hex and decoded.hex: see play_control, register_writer, packet_player and
 * packet_monitor. All files are in the simulation's working directory.
 */
module qlc_system #
(
    // What tables there may be: see qlc_block_decoder
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    parameter BLOCK_SYMBOLS = 4096,
    // Of the decoder
    parameter WORD_BITS = 0,
    // Beats of the longest coded packet
    parameter BEATS = 2048
)
(
    input  wire        rst,

    input  wire        start,
    output wire        done,
    output wire        hang,

    output wire [31:0] encoder_cycles,
    output wire [31:0] encoder_stalls,
    // From the decoder's first beat in to its last beat out; from its first beat out
    output wire [31:0] decoder_cycles,
    output wire [31:0] decoder_out_cycles,
    // From its first beat in to its first beat out
    output wire [31:0] decoder_latency,
    output reg  [31:0] blocks_raw,
    output reg  [31:0] blocks_coded,
    // Stability rules broken, on any stream, or a register write refused
    output wire        unstable
);

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

// A commit is over long before
localparam COMMIT_CYCLES = 64;
// Bytes of the decoder's beats
localparam IN_BYTES = WORD_BITS > 256 ? WORD_BITS/8 : 32;
localparam OUT_BYTES = WORD_BITS > 128 ? WORD_BITS/4 : 32;

/*
 * Control and tables
 */
wire open;
wire play;
wire close;
wire played;
wire [1:0] loaded;
wire [1:0] refused;
wire [3:0] transfer;
wire [31:0] sent;
wire [31:0] received;

wire [255:0] player_tdata;
wire [31:0] player_tkeep;
wire player_tvalid;
wire player_tready;
wire player_tlast;
wire [4:0] player_tuser;

wire [255:0] coded_tdata;
wire [31:0] coded_tkeep;
wire coded_tvalid;
wire coded_tready;
wire coded_tlast;

wire [8*IN_BYTES-1:0] buffer_tdata;
wire [IN_BYTES-1:0] buffer_tkeep;
wire buffer_tvalid;
wire buffer_tready;
wire buffer_tlast;

wire [8*OUT_BYTES-1:0] decoded_tdata;
wire [OUT_BYTES-1:0] decoded_tkeep;
wire decoded_tvalid;
wire decoded_tlast;
wire [3:0] decoded_tuser;

wire [11:0] encoder_awaddr;
wire encoder_awvalid;
wire encoder_awready;
wire [31:0] encoder_wdata;
wire encoder_wvalid;
wire encoder_wready;
wire [1:0] encoder_bresp;
wire encoder_bvalid;
wire encoder_bready;
wire [11:0] decoder_awaddr;
wire decoder_awvalid;
wire decoder_awready;
wire [31:0] decoder_wdata;
wire decoder_wvalid;
wire decoder_wready;
wire [1:0] decoder_bresp;
wire decoder_bvalid;
wire decoder_bready;

play_control #(
    .COMMIT_CYCLES(COMMIT_CYCLES)
)
control_inst (
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

register_writer #(
    .FILE("encoder.hex")
)
encoder_writer_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .over(loaded[0]),
    .refused(refused[0]),
    .m_axil_awaddr(encoder_awaddr),
    .m_axil_awvalid(encoder_awvalid),
    .m_axil_awready(encoder_awready),
    .m_axil_wdata(encoder_wdata),
    .m_axil_wvalid(encoder_wvalid),
    .m_axil_wready(encoder_wready),
    .m_axil_bresp(encoder_bresp),
    .m_axil_bvalid(encoder_bvalid),
    .m_axil_bready(encoder_bready)
);

register_writer #(
    .FILE("decoder.hex")
)
decoder_writer_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .over(loaded[1]),
    .refused(refused[1]),
    .m_axil_awaddr(decoder_awaddr),
    .m_axil_awvalid(decoder_awvalid),
    .m_axil_awready(decoder_awready),
    .m_axil_wdata(decoder_wdata),
    .m_axil_wvalid(decoder_wvalid),
    .m_axil_wready(decoder_wready),
    .m_axil_bresp(decoder_bresp),
    .m_axil_bvalid(decoder_bvalid),
    .m_axil_bready(decoder_bready)
);

/*
 * Streams: player - encoder - buffer - decoder - collector
 */
packet_player #(
    .BYTES(32),
    .USER_BITS(5)
)
player_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .go(play),
    .over(played),
    .m_axis_tdata(player_tdata),
    .m_axis_tkeep(player_tkeep),
    .m_axis_tvalid(player_tvalid),
    .m_axis_tready(player_tready),
    .m_axis_tlast(player_tlast),
    .m_axis_tuser(player_tuser)
);

qlc_encoder #(
    .BLOCK_SYMBOLS(BLOCK_SYMBOLS),
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
encoder_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(player_tdata),
    .s_axis_tkeep(player_tkeep),
    .s_axis_tvalid(player_tvalid),
    .s_axis_tready(player_tready),
    .s_axis_tlast(player_tlast),
    .s_axis_tuser(player_tuser),
    .m_axis_tdata(coded_tdata),
    .m_axis_tkeep(coded_tkeep),
    .m_axis_tvalid(coded_tvalid),
    .m_axis_tready(coded_tready),
    .m_axis_tlast(coded_tlast),
    .s_axil_awaddr(encoder_awaddr),
    .s_axil_awprot(3'd0),
    .s_axil_awvalid(encoder_awvalid),
    .s_axil_awready(encoder_awready),
    .s_axil_wdata(encoder_wdata),
    .s_axil_wstrb(4'b1111),
    .s_axil_wvalid(encoder_wvalid),
    .s_axil_wready(encoder_wready),
    .s_axil_bresp(encoder_bresp),
    .s_axil_bvalid(encoder_bvalid),
    .s_axil_bready(encoder_bready),
    .s_axil_araddr(12'd0),
    .s_axil_arprot(3'd0),
    .s_axil_arvalid(1'b0),
    .s_axil_arready(),
    .s_axil_rdata(),
    .s_axil_rresp(),
    .s_axil_rvalid(),
    .s_axil_rready(1'b0)
);

packet_buffer #(
    .BEATS(BEATS),
    .M_BYTES(IN_BYTES)
)
buffer_inst (
    .clk(clk),
    .rst(rst),
    .clear(open),
    .s_axis_tdata(coded_tdata),
    .s_axis_tkeep(coded_tkeep),
    .s_axis_tvalid(coded_tvalid),
    .s_axis_tready(coded_tready),
    .s_axis_tlast(coded_tlast),
    .m_axis_tdata(buffer_tdata),
    .m_axis_tkeep(buffer_tkeep),
    .m_axis_tvalid(buffer_tvalid),
    .m_axis_tready(buffer_tready),
    .m_axis_tlast(buffer_tlast)
);

qlc_decoder #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .WORD_BITS(WORD_BITS)
)
decoder_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(buffer_tdata),
    .s_axis_tkeep(buffer_tkeep),
    .s_axis_tvalid(buffer_tvalid),
    .s_axis_tready(buffer_tready),
    .s_axis_tlast(buffer_tlast),
    .m_axis_tdata(decoded_tdata),
    .m_axis_tkeep(decoded_tkeep),
    .m_axis_tvalid(decoded_tvalid),
    .m_axis_tready(1'b1),
    .m_axis_tlast(decoded_tlast),
    .m_axis_tuser(decoded_tuser),
    .s_axil_awaddr(decoder_awaddr),
    .s_axil_awprot(3'd0),
    .s_axil_awvalid(decoder_awvalid),
    .s_axil_awready(decoder_awready),
    .s_axil_wdata(decoder_wdata),
    .s_axil_wstrb(4'b1111),
    .s_axil_wvalid(decoder_wvalid),
    .s_axil_wready(decoder_wready),
    .s_axil_bresp(decoder_bresp),
    .s_axil_bvalid(decoder_bvalid),
    .s_axil_bready(decoder_bready),
    .s_axil_araddr(12'd0),
    .s_axil_arprot(3'd0),
    .s_axil_arvalid(1'b0),
    .s_axil_arready(),
    .s_axil_rdata(),
    .s_axil_rresp(),
    .s_axil_rvalid(),
    .s_axil_rready(1'b0)
);

/*
 * Monitors and counters
 */
wire [31:0] buffer_first;
wire [31:0] decoded_first;
wire [31:0] decoded_last;
wire [3:0] broken;

assign decoder_cycles = decoded_last - buffer_first + 1;
assign decoder_latency = decoded_first - buffer_first;
assign unstable = |broken || |refused;

packet_monitor #(
    .BYTES(32),
    .USER_BITS(5),
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
    .BYTES(IN_BYTES),
    .USER_BITS(1)
)
buffer_monitor_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .close(close),
    .tap_axis_tdata(buffer_tdata),
    .tap_axis_tkeep(buffer_tkeep),
    .tap_axis_tvalid(buffer_tvalid),
    .tap_axis_tready(buffer_tready),
    .tap_axis_tlast(buffer_tlast),
    .tap_axis_tuser(1'b0),
    .first(buffer_first),
    .last(),
    .cycles(),
    .beats(),
    .packets(),
    .waits(),
    .transfer(transfer[2]),
    .broken(broken[2])
);

packet_monitor #(
    .BYTES(OUT_BYTES),
    .USER_BITS(4),
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
    .tap_axis_tready(1'b1),
    .tap_axis_tlast(decoded_tlast),
    .tap_axis_tuser(decoded_tuser),
    .first(decoded_first),
    .last(decoded_last),
    .cycles(decoder_out_cycles),
    .beats(),
    .packets(received),
    .waits(),
    .transfer(transfer[3]),
    .broken(broken[3])
);

always @(posedge clk) begin
    blocks_raw <= blocks_raw + {31'd0, encoder_inst.ev_block_raw};
    blocks_coded <= blocks_coded + {31'd0, encoder_inst.ev_block_coded};

    if (open) begin
        blocks_raw <= 0;
        blocks_coded <= 0;
    end
end

endmodule

`resetall
