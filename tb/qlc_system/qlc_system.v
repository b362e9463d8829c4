// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * A system of qlc_encoder, a buffer that keeps the coded packet until it is complete, and
 * qlc_decoder. Plays whole packets without software on any cycle.
 *
 * On start, reads rank.hex, symbol.hex and length.hex as exported, loads them into both tops over
 * AXI4-Lite as table 0, plays the packet in input.hex with that table, and writes coded.hex
 * and decoded.hex before done. All files are in the simulation's working directory.
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
    // Beats of the longest packet
    parameter BEATS = 1024
)
(
    input  wire        rst,

    // A packet begins when start rises, and is over when done rises
    input  wire        start,
    output reg         done,
    // Symbols in the packet, 1..32*BEATS
    input  wire [31:0] symbols,
    // Flips a bit of this symbol's codeword on its way into the encoder
    input  wire        fault,
    input  wire [7:0]  fault_symbol,

    output wire [31:0] encoder_cycles,
    output wire [31:0] encoder_stalls,
    // From the decoder's first beat in to its last beat out; from its first beat out
    output reg  [31:0] decoder_cycles,
    output wire [31:0] decoder_out_cycles,
    // From its first beat in to its first beat out
    output reg  [31:0] decoder_latency,
    output wire [31:0] coded_bytes,
    output wire [31:0] decoded_symbols,
    output reg  [31:0] blocks_raw,
    output reg  [31:0] blocks_coded,
    output reg  [3:0]  error,
    output wire        unstable
);

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

localparam CLASSES = 256 >> RAW_BITS;
localparam LENGTH_WORDS = 12;
// Bytes of the decoder's beats
localparam IN_BYTES = WORD_BITS > 256 ? WORD_BITS/8 : 32;
localparam OUT_BYTES = WORD_BITS > 128 ? WORD_BITS/4 : 32;

reg [7:0] rank_mem[0:CLASSES-1];
reg [7:0] symbol_mem[0:CLASSES-1];
reg [31:0] length_mem[0:LENGTH_WORDS-1];

/*
 * Sequence: idle, tables, packet
 */
localparam [1:0]
    STATE_IDLE = 2'd0,
    STATE_TABLES = 2'd1,
    STATE_PACKET = 2'd2;

// A commit is over long before
localparam COMMIT_CYCLES = 64;

reg [1:0] state_reg;
reg [31:0] wait_reg;
reg load_reg;
reg play_reg;

wire encoder_loaded;
wire decoder_loaded;
wire [1:0] refused;
wire input_over;
wire coded_over;
wire decoded_over;

always @(posedge clk) begin
    load_reg <= 1'b0;
    play_reg <= 1'b0;

    case (state_reg)
        STATE_IDLE: begin
            if (start && !done) begin
                $readmemh("rank.hex", rank_mem);
                $readmemh("symbol.hex", symbol_mem);
                $readmemh("length.hex", length_mem);
                load_reg <= 1'b1;
                wait_reg <= 0;
                state_reg <= STATE_TABLES;
            end

            if (!start) begin
                done <= 1'b0;
            end
        end
        STATE_TABLES: begin
            if (encoder_loaded && decoder_loaded && !load_reg) begin
                wait_reg <= wait_reg + 1;
            end

            if (wait_reg == COMMIT_CYCLES) begin
                play_reg <= 1'b1;
                state_reg <= STATE_PACKET;
            end
        end
        default: begin
            if (decoded_over && !play_reg) begin
                done <= 1'b1;
                state_reg <= STATE_IDLE;
            end
        end
    endcase

    if (rst) begin
        state_reg <= STATE_IDLE;
        done <= 1'b0;
    end
end

/*
 * Streams: player - encoder - buffer - decoder - collector
 */
wire [255:0] player_tdata;
wire [31:0] player_tkeep;
wire player_tvalid;
wire player_tready;
wire player_tlast;

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
wire unused_encoder_arready;
wire [31:0] unused_encoder_rdata;
wire [1:0] unused_encoder_rresp;
wire unused_encoder_rvalid;
wire [11:0] decoder_awaddr;
wire decoder_awvalid;
wire decoder_awready;
wire [31:0] decoder_wdata;
wire decoder_wvalid;
wire decoder_wready;
wire [1:0] decoder_bresp;
wire decoder_bvalid;
wire decoder_bready;
wire unused_decoder_arready;
wire [31:0] unused_decoder_rdata;
wire [1:0] unused_decoder_rresp;
wire unused_decoder_rvalid;

packet_player #(
    .BEATS(BEATS)
)
player_inst (
    .clk(clk),
    .rst(rst),
    .load(play_reg),
    .symbols(symbols),
    .m_axis_tdata(player_tdata),
    .m_axis_tkeep(player_tkeep),
    .m_axis_tvalid(player_tvalid),
    .m_axis_tready(player_tready),
    .m_axis_tlast(player_tlast)
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
    .s_axis_tuser(5'd0),
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
    .s_axil_arready(unused_encoder_arready),
    .s_axil_rdata(unused_encoder_rdata),
    .s_axil_rresp(unused_encoder_rresp),
    .s_axil_rvalid(unused_encoder_rvalid),
    .s_axil_rready(1'b0)
);

packet_buffer #(
    .BEATS(2*BEATS),
    .M_BYTES(IN_BYTES)
)
buffer_inst (
    .clk(clk),
    .rst(rst),
    .clear(play_reg),
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
    .s_axil_arready(unused_decoder_arready),
    .s_axil_rdata(unused_decoder_rdata),
    .s_axil_rresp(unused_decoder_rresp),
    .s_axil_rvalid(unused_decoder_rvalid),
    .s_axil_rready(1'b0)
);

/*
 * Tables
 */
wire [8:0] encoder_index;
wire [8:0] decoder_index;
wire fault_here = fault && encoder_index[7:0] == fault_symbol >> RAW_BITS;
wire [31:0] encoder_word = encoder_index < 256 ? {24'd0, rank_mem[encoder_index[7-RAW_BITS:0]] ^ {7'd0, fault_here}}
    : length_mem[encoder_index[3:0]];
wire [31:0] decoder_word = decoder_index < 256 ? {24'd0, symbol_mem[decoder_index[7-RAW_BITS:0]]}
    : length_mem[decoder_index[3:0]];

axil_table_writer #(
    .CLASSES(CLASSES),
    .LENGTH_WORDS(LENGTH_WORDS)
)
encoder_writer_inst (
    .clk(clk),
    .rst(rst),
    .start(load_reg),
    .done(encoder_loaded),
    .refused(refused[0]),
    .index(encoder_index),
    .word(encoder_word),
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

axil_table_writer #(
    .CLASSES(CLASSES),
    .LENGTH_WORDS(LENGTH_WORDS)
)
decoder_writer_inst (
    .clk(clk),
    .rst(rst),
    .start(load_reg),
    .done(decoder_loaded),
    .refused(refused[1]),
    .index(decoder_index),
    .word(decoder_word),
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
 * Collectors and checkers
 */
wire [31:0] unused_input_bytes;
wire [31:0] unused_coded_cycles;
wire [31:0] unused_coded_stalls;
wire [31:0] unused_decoded_stalls;
wire [2:0] broken;

packet_collector #(
    .BEATS(BEATS),
    .FILE("played.hex")
)
input_collector_inst (
    .clk(clk),
    .rst(rst),
    .clear(play_reg),
    .tap_axis_tdata(player_tdata),
    .tap_axis_tkeep(player_tkeep),
    .tap_axis_tvalid(player_tvalid),
    .tap_axis_tready(player_tready),
    .tap_axis_tlast(player_tlast),
    .bytes(unused_input_bytes),
    .cycles(encoder_cycles),
    .stalls(encoder_stalls),
    .over(input_over)
);

axis_stability #(
    .WIDTH(289)
)
input_stability_inst (
    .clk(clk),
    .rst(rst),
    .tvalid(player_tvalid),
    .tready(player_tready),
    .payload({player_tlast, player_tkeep, player_tdata}),
    .broken(broken[0])
);

packet_collector #(
    .BEATS(2*BEATS),
    .FILE("coded.hex")
)
coded_collector_inst (
    .clk(clk),
    .rst(rst),
    .clear(play_reg),
    .tap_axis_tdata(coded_tdata),
    .tap_axis_tkeep(coded_tkeep),
    .tap_axis_tvalid(coded_tvalid),
    .tap_axis_tready(coded_tready),
    .tap_axis_tlast(coded_tlast),
    .bytes(coded_bytes),
    .cycles(unused_coded_cycles),
    .stalls(unused_coded_stalls),
    .over(coded_over)
);

axis_stability #(
    .WIDTH(289)
)
coded_stability_inst (
    .clk(clk),
    .rst(rst),
    .tvalid(coded_tvalid),
    .tready(coded_tready),
    .payload({coded_tlast, coded_tkeep, coded_tdata}),
    .broken(broken[1])
);

packet_collector #(
    .BEATS(BEATS),
    .BYTES(OUT_BYTES),
    .FILE("decoded.hex")
)
decoded_collector_inst (
    .clk(clk),
    .rst(rst),
    .clear(play_reg),
    .tap_axis_tdata(decoded_tdata),
    .tap_axis_tkeep(decoded_tkeep),
    .tap_axis_tvalid(decoded_tvalid),
    .tap_axis_tready(1'b1),
    .tap_axis_tlast(decoded_tlast),
    .bytes(decoded_symbols),
    .cycles(decoder_out_cycles),
    .stalls(unused_decoded_stalls),
    .over(decoded_over)
);

axis_stability #(
    .WIDTH(9*OUT_BYTES + 5)
)
decoded_stability_inst (
    .clk(clk),
    .rst(rst),
    .tvalid(decoded_tvalid),
    .tready(1'b1),
    .payload({decoded_tuser, decoded_tlast, decoded_tkeep, decoded_tdata}),
    .broken(broken[2])
);


assign unstable = |broken || |refused;

reg decoding_reg;
reg decoded_reg;

always @(posedge clk) begin
    if (decoding_reg && !decoded_over) begin
        decoder_cycles <= decoder_cycles + 1;
    end

    if (decoding_reg && !decoded_reg) begin
        decoder_latency <= decoder_latency + 1;
    end

    if (buffer_tvalid && buffer_tready && !decoded_over) begin
        decoding_reg <= 1'b1;
    end

    if (decoded_tvalid) begin
        decoded_reg <= 1'b1;
    end

    if (decoded_tvalid && decoded_tlast) begin
        error <= decoded_tuser;
        decoding_reg <= 1'b0;
    end

    blocks_raw <= blocks_raw + {31'd0, encoder_inst.ev_block_raw};
    blocks_coded <= blocks_coded + {31'd0, encoder_inst.ev_block_coded};

    if (rst || play_reg) begin
        decoder_cycles <= 1;
        decoder_latency <= 0;
        decoding_reg <= 1'b0;
        decoded_reg <= 1'b0;
        blocks_raw <= 0;
        blocks_coded <= 0;
    end
end

endmodule

`resetall
