// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Loopback of whole packets without software on any cycle: a player feeds the encoder, its
 * stream goes through a deep buffer to the decoder, a collector keeps what comes out.
 *
 * On start, reads rank.hex, symbol.hex and area.hex as exported, loads them through the write
 * ports, plays the packet in input.hex (a beat of 32 symbols a line, as on the bus: the first symbol
 * rightmost), and writes
 * coded.hex and decoded.hex likewise (X shows as x) before done.
 *
 * All files are in the simulation's working directory.
 */
module qlc_loopback #
(
    // What tables there may be: see qlc_decoder_core
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
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
    // Cycles of 256 in which the player idles, the collector of symbols stalls
    input  wire [7:0]  idle,
    input  wire [7:0]  stall,
    // Flips a bit of this symbol's codeword on its way into the encoder
    input  wire        fault,
    input  wire [7:0]  fault_symbol,

    // Counted cycles, first to last transfer, both included
    output reg  [31:0] encoder_cycles,
    output reg  [31:0] encoder_stalls,
    output reg  [31:0] decoder_cycles,
    // From the beat that holds the first codeword to the first symbol
    output reg  [31:0] decoder_latency,
    output reg  [31:0] coded_bytes,
    output reg  [31:0] decoded_symbols,
    output reg  [2:0]  error,
    // Stability rules broken, on any stream
    output wire        unstable
);

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

localparam CLASSES = 256 >> RAW_BITS;
localparam LENGTH_WORDS = 12;
// The longest codeword is 12 bits a symbol, so a packet may grow by half
localparam CODED_BEATS = BEATS + BEATS/2;

reg [255:0] input_mem[0:BEATS-1];
reg [7:0] rank_mem[0:CLASSES-1];
reg [7:0] symbol_mem[0:CLASSES-1];
reg [31:0] length_mem[0:LENGTH_WORDS-1];
reg [255:0] coded_mem[0:CODED_BEATS-1];
reg [255:0] decoded_mem[0:BEATS-1];

localparam [1:0]
    STATE_IDLE = 2'd0,
    STATE_LOAD = 2'd1,
    STATE_RUN = 2'd2;

reg [1:0] state_reg;
reg [31:0] cycle;
reg [31:0] load;
reg [31:0] beats;
reg [31:0] beat;
reg [31:0] coded_beats;
reg [31:0] encoder_first;
reg [31:0] decoder_first;
reg decoder_first_seen;
reg [255:0] symbols_beat;
// Bits to compare with idle and stall
reg [31:0] random;

integer i;

function [5:0] count_bytes(input [31:0] keep);
    begin
        count_bytes = 0;

        for (i = 0; i < 32; i = i + 1) begin
            count_bytes = count_bytes + {5'd0, keep[i]};
        end
    end
endfunction

/*
 * Streams: player - encoder - buffer - narrow - decoder - collector
 */
reg [255:0] player_tdata;
reg [31:0] player_tkeep;
reg player_tvalid;
wire player_tready;
reg player_tlast;

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

wire [7:0] symbol_tdata;
wire symbol_tkeep;
wire symbol_tvalid;
reg symbol_tready;
wire symbol_tlast;
wire [2:0] symbol_tuser;

wire loading = state_reg == STATE_LOAD;
wire load_here = load < CLASSES || (load >= 256 && load < 256 + LENGTH_WORDS);
wire fault_here = fault && load[7:0] == fault_symbol >> RAW_BITS;

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
    .table_we(loading && load_here),
    .table_addr(load[8:0]),
    .table_data(load < 256 ? {24'd0, rank_mem[load[7-RAW_BITS:0]] ^ {7'd0, fault_here}} : length_mem[load[3:0]]),
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
    .table_we(loading && load_here),
    .table_bank(1'b0),
    .table_addr(load[8:0]),
    .table_data(load < 256 ? {24'd0, symbol_mem[load[7-RAW_BITS:0]]} : length_mem[load[3:0]]),
    .s_axis_tdata(narrow_tdata),
    .s_axis_tkeep(narrow_tkeep),
    .s_axis_tvalid(narrow_tvalid),
    .s_axis_tready(narrow_tready),
    .s_axis_tlast(narrow_tlast),
    .s_axis_tuser(symbols),
    .s_axis_bank(1'b0),
    .m_axis_tdata(symbol_tdata),
    .m_axis_tkeep(symbol_tkeep),
    .m_axis_tvalid(symbol_tvalid),
    .m_axis_tready(symbol_tready),
    .m_axis_tlast(symbol_tlast),
    .m_axis_tuser(symbol_tuser)
);

/*
 * Checkers
 */
wire [3:0] broken;

axis_stability #(.WIDTH(289)) player_stability (
    .clk(clk), .rst(rst), .tvalid(player_tvalid), .tready(player_tready),
    .payload({player_tlast, player_tkeep, player_tdata}), .broken(broken[0])
);

axis_stability #(.WIDTH(289)) coded_stability (
    .clk(clk), .rst(rst), .tvalid(coded_tvalid), .tready(coded_tready),
    .payload({coded_tlast, coded_tkeep, coded_tdata}), .broken(broken[1])
);

axis_stability #(.WIDTH(37)) narrow_stability (
    .clk(clk), .rst(rst), .tvalid(narrow_tvalid), .tready(narrow_tready),
    .payload({narrow_tlast, narrow_tkeep, narrow_tdata}), .broken(broken[2])
);

axis_stability #(.WIDTH(13)) symbol_stability (
    .clk(clk), .rst(rst), .tvalid(symbol_tvalid), .tready(symbol_tready),
    .payload({symbol_tlast, symbol_tkeep, symbol_tuser, symbol_tdata}), .broken(broken[3])
);

assign unstable = |broken;

/*
 * Player, collectors, counters
 */
wire player_free = !player_tvalid || player_tready;
wire play = state_reg == STATE_RUN && player_free && beat < beats && random[7:0] >= idle;

always @(posedge clk) begin
    cycle <= cycle + 1;
    random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
    symbol_tready <= random[23:16] >= stall;

    case (state_reg)
        STATE_IDLE: begin
            if (start && !done) begin
                beats = (symbols + 31)/32;
                // Bytes past the last symbol are no X
                symbols_beat = 0;
                $readmemh("input.hex", input_mem, 0, beats - 1);
                $readmemh("rank.hex", rank_mem);
                $readmemh("symbol.hex", symbol_mem);
                $readmemh("length.hex", length_mem);
                load <= 0;
                beat <= 0;
                coded_beats <= 0;
                coded_bytes <= 0;
                decoded_symbols <= 0;
                encoder_stalls <= 0;
                decoder_first_seen <= 1'b0;
                state_reg <= STATE_LOAD;
            end

            if (!start) begin
                done <= 1'b0;
            end
        end
        STATE_LOAD: begin
            load <= load + 1;

            if (load == 256 + LENGTH_WORDS) begin
                state_reg <= STATE_RUN;
            end
        end
        default: begin
            if (symbol_tvalid && symbol_tready && symbol_tlast) begin
                state_reg <= STATE_IDLE;
            end
        end
    endcase

    if (player_free) begin
        player_tvalid <= play;
    end

    if (play) begin
        player_tlast <= beat == beats - 1;
        player_tkeep <= beat == beats - 1 && symbols % 32 != 0 ? ~(32'hffffffff << (symbols % 32)) : 32'hffffffff;
        player_tdata <= input_mem[beat];
        beat <= beat + 1;
    end

    if (player_tvalid && player_tready) begin
        if (beat == 1) begin
            encoder_first <= cycle;
        end

        encoder_cycles <= beat == 1 ? 1 : cycle - encoder_first + 1;
    end

    if (player_tvalid && !player_tready) begin
        encoder_stalls <= encoder_stalls + 1;
    end

    if (coded_tvalid && coded_tready) begin
        coded_mem[coded_beats] <= coded_tdata;
        coded_beats <= coded_beats + 1;
        coded_bytes <= coded_bytes + {26'd0, count_bytes(coded_tkeep)};
    end

    if (narrow_tvalid && narrow_tready && !decoder_first_seen) begin
        decoder_first <= cycle;
        decoder_first_seen <= 1'b1;
    end

    if (symbol_tvalid && symbol_tready) begin
        if (decoded_symbols == 0) begin
            decoder_latency <= cycle - decoder_first;
        end

        // Counts from the first symbol's cycle, which is the beat's plus the latency
        decoder_cycles <= decoded_symbols == 0 ? 1 : cycle - decoder_first - decoder_latency + 1;
        symbols_beat[8*decoded_symbols[4:0] +: 8] = symbol_tkeep ? symbol_tdata : 8'd0;
        decoded_symbols <= decoded_symbols + {31'd0, symbol_tkeep};
        error <= symbol_tuser;

        if (decoded_symbols % 32 == 31 || symbol_tlast) begin
            decoded_mem[decoded_symbols/32] = symbols_beat;
        end

        if (symbol_tlast) begin
            $writememh("coded.hex", coded_mem, 0, coded_beats - 1);
            $writememh("decoded.hex", decoded_mem, 0, decoded_symbols/32);
            done <= 1'b1;
        end
    end

    if (rst) begin
        cycle <= 0;
        random <= 32'h1;
        done <= 1'b0;
        player_tvalid <= 1'b0;
        beat <= 0;
        beats = 0;
        state_reg <= STATE_IDLE;
    end
end

endmodule

`resetall
