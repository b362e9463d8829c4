// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC encoder core: symbols in, one continuous bitstream of codewords per packet out.
 *
 *   rank         looks up every symbol's class rank                    qlc_rank_table
 *   length       finds the rank's length                               qlc_length_lanes
 *   codeword     makes the codeword of rank and length                 qlc_codeword_lanes
 *   packer       joins the codewords, most significant bit first       qlc_codeword_packer
 *   sender       takes bursts of long codewords, gives output beats    qlc_beat_sender
 *
 * One beat is taken every cycle while the packed output fits the output bus. s_axis_tready
 * does not depend on m_axis_tready in the same cycle. Bytes without tkeep are dropped, wherever
 * they are, in any beat; a packet without any byte gives one beat without any byte. The last
 * byte of a packet is filled with 0 bits.
 *
 * The table may be written while no packet is inside the core. With a table that the build cannot
 * hold the bits are without meaning, but every packet still ends.
 *
 * Any code of the parameters' bounds: quad codes with the defaults, the paper's with KNOWN_BITS
 * 3, Huffman's of up to 12 bits with LENGTHS and KNOWN_BITS 12.
 */
module qlc_encoder_core #
(
    // Symbols per input beat, 1..32
    parameter SYMBOLS = 32,
    // Lengths of a code, 1..12
    parameter LENGTHS = 4,
    // Limits are multiples of 2^(12-KNOWN_BITS), 3..12
    parameter KNOWN_BITS = 6,
    // Bounds of a codeword's length, 1..8 and 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Low bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0,
    // Beats of burst storage between packer and output, a power of two, at least 4. With a ready sink, a
    // beat is taken every cycle while bursts exceed the output bus by up to 256*(FIFO_BEATS-3) bits
    parameter FIFO_BEATS = 4,
    // $readmemh files: class ranks by class, and {length[3:0], limit[15:0], step[11:0]} by length,
    // 12 lines; "" for none
    parameter RANK_FILE = "",
    parameter LENGTH_FILE = ""
)
(
    input  wire                 clk,
    input  wire                 rst,

    /*
     * Table write port: word c is the class rank of class c, word 256+i
     * {length[3:0], limit[15:0], step[11:0]} of length i, ascending, unused ones behind
     */
    input  wire                 table_we,
    input  wire [8:0]           table_addr,
    input  wire [31:0]          table_data,

    /*
     * AXI4-Stream input, one symbol a byte
     */
    input  wire [8*SYMBOLS-1:0] s_axis_tdata,
    input  wire [SYMBOLS-1:0]   s_axis_tkeep,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire                 s_axis_tlast,

    /*
     * AXI4-Stream output, the bitstream
     */
    output wire [255:0]         m_axis_tdata,
    output wire [31:0]          m_axis_tkeep,
    output wire                 m_axis_tvalid,
    input  wire                 m_axis_tready,
    output wire                 m_axis_tlast
);

localparam CLASS_BITS = 8 - RAW_BITS;
localparam HIGH_BITS = LONGEST - RAW_BITS;

// check configuration
initial begin
    if (SYMBOLS < 1 || SYMBOLS > 32) begin
        $error("Error: SYMBOLS must be 1..32 (instance %m)");
        $finish;
    end

    if (LENGTHS < 1 || LENGTHS > 12 || KNOWN_BITS < 3 || KNOWN_BITS > 12) begin
        $error("Error: LENGTHS must be 1..12, KNOWN_BITS 3..12 (instance %m)");
        $finish;
    end

    if (SHORTEST < 1 || SHORTEST > 8 || LONGEST < 8 || LONGEST > 12) begin
        $error("Error: SHORTEST must be 1..8, LONGEST 8..12 (instance %m)");
        $finish;
    end

    if (RAW_BITS < 0 || RAW_BITS > 3) begin
        $error("Error: RAW_BITS must be 0..3 (instance %m)");
        $finish;
    end
end

wire advance;

assign s_axis_tready = advance;

/*
 * Rank
 */
wire [SYMBOLS*CLASS_BITS-1:0] ranks;
// Builds with fewer raw bits have more classes: their words are ignored
wire rank_we = table_we && table_addr >> CLASS_BITS == 0;

qlc_rank_table #(
    .SYMBOLS(SYMBOLS),
    .RAW_BITS(RAW_BITS),
    .RANK_FILE(RANK_FILE)
)
rank_table_inst (
    .clk(clk),
    .table_we(rank_we),
    .table_addr(table_addr[CLASS_BITS-1:0]),
    .table_data(table_data[CLASS_BITS-1:0]),
    .enable(advance),
    .symbols(s_axis_tdata),
    .ranks(ranks)
);

reg rank_valid_reg;
reg rank_last_reg;
reg [SYMBOLS-1:0] rank_keep_reg;
reg [SYMBOLS*8-1:0] rank_symbols_reg;

always @(posedge clk) begin
    if (advance) begin
        rank_valid_reg <= s_axis_tvalid;
        rank_last_reg <= s_axis_tlast;
        rank_keep_reg <= s_axis_tkeep;
        rank_symbols_reg <= s_axis_tdata;
    end

    if (rst) begin
        rank_valid_reg <= 1'b0;
    end
end

/*
 * Length
 */
reg [31:0] length_mem[0:11];

generate

    if (LENGTH_FILE != "") begin : init
        initial begin
            $readmemh(LENGTH_FILE, length_mem);
        end
    end

endgenerate

always @(posedge clk) begin
    if (table_we && table_addr[8:4] == 5'h10 && table_addr[3:0] < 12) begin
        length_mem[table_addr[3:0]] <= table_data;
    end
end

wire [LENGTHS*32-1:0] length_words;
wire [LENGTHS-1:0] used;
wire [LENGTHS*CLASS_BITS-1:0] firsts;
wire [LENGTHS*HIGH_BITS-1:0] steps;
wire [LENGTHS*4-1:0] code_lengths;

genvar i, n;

generate

    for (i = 0; i < LENGTHS; i = i + 1) begin : length
        assign length_words[32*i +: 32] = length_mem[i];
    end

endgenerate

qlc_length_steps #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
length_steps_inst (
    .clk(clk),
    .enable(1'b1),
    .step_enable(1'b1),
    .words(length_words),
    .used(used),
    .firsts(firsts),
    .steps(steps),
    .lengths(code_lengths)
);

wire [SYMBOLS*LENGTHS-1:0] which;
wire [SYMBOLS*4-1:0] lengths;

qlc_length_lanes #(
    .SYMBOLS(SYMBOLS),
    .LENGTHS(LENGTHS),
    .CLASS_BITS(CLASS_BITS)
)
length_lanes_inst (
    .clk(clk),
    .used(used),
    .firsts(firsts),
    .code_lengths(code_lengths),
    .enable(advance),
    .s_ranks(ranks),
    .s_keep(rank_keep_reg),
    .m_which(which),
    .m_lengths(lengths)
);

reg length_valid_reg;
reg length_last_reg;
// {class rank, raw bits}, 0 without keep
reg [SYMBOLS*8-1:0] length_ranks_reg;

always @(posedge clk) begin
    if (advance) begin
        length_valid_reg <= rank_valid_reg;
        length_last_reg <= rank_last_reg;
    end

    if (rst) begin
        length_valid_reg <= 1'b0;
    end
end

generate

    for (n = 0; n < SYMBOLS; n = n + 1) begin : lane
        always @(posedge clk) begin
            if (advance) begin
                length_ranks_reg[8*n + RAW_BITS +: CLASS_BITS] <=
                    ranks[CLASS_BITS*n +: CLASS_BITS] & {CLASS_BITS{rank_keep_reg[n]}};
            end
        end

        if (RAW_BITS > 0) begin : raw
            always @(posedge clk) begin
                if (advance) begin
                    length_ranks_reg[8*n +: RAW_BITS] <=
                        rank_symbols_reg[8*n +: RAW_BITS] & {RAW_BITS{rank_keep_reg[n]}};
                end
            end
        end
    end

endgenerate

// Of symbols only the raw bits are needed
wire unused = &{1'b0, rank_symbols_reg};

/*
 * Codeword
 */
wire [SYMBOLS*LONGEST-1:0] codewords;

qlc_codeword_lanes #(
    .SYMBOLS(SYMBOLS),
    .LENGTHS(LENGTHS),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
codeword_lanes_inst (
    .clk(clk),
    .steps(steps),
    .enable(advance),
    .s_ranks(length_ranks_reg),
    .s_which(which),
    .m_codewords(codewords)
);

/*
 * Packer and sender
 */
wire [255:0] first_data;
wire first_last;
wire first_empty;
wire first_valid;
wire [255:0] second_data;
wire second_last;
wire second_valid;
wire [4:0] last_spare;
wire ready;

qlc_codeword_packer #(
    .SYMBOLS(SYMBOLS),
    .LONGEST(LONGEST)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .lengths(lengths),
    .valid(length_valid_reg),
    .last(length_last_reg),
    .fill_byte(1'b0),
    .head(1'b0),
    .head_words(2'd0),
    .advance(advance),
    .codewords(codewords),
    .first_data(first_data),
    .first_last(first_last),
    .first_empty(first_empty),
    .first_valid(first_valid),
    .second_data(second_data),
    .second_last(second_last),
    .second_valid(second_valid),
    .last_spare(last_spare),
    .ready(ready)
);

qlc_beat_sender #(
    .BEATS(FIFO_BEATS)
)
sender_inst (
    .clk(clk),
    .rst(rst),
    .first_data(first_data),
    .first_last(first_last),
    .first_empty(first_empty),
    .first_valid(first_valid),
    .second_data(second_data),
    .second_last(second_last),
    .second_valid(second_valid),
    .last_spare(last_spare),
    .ready(ready),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast)
);

endmodule

`resetall
