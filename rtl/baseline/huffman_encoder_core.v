// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Huffman encoder core: symbols in, one continuous bitstream of codewords per packet out. Any
 * prefix code of codewords of up to MAX_LENGTH bits.
 *
 * qlc_encoder_core with wider codewords, and of the same parts:
 *
 *   code table   every symbol's codeword, in one cycle          qlc_code_table
 *   packer       joins the codewords, most significant bit first qlc_packer
 *   sender       takes bursts of long codewords, and cuts packed words into output beats
 *                                                                qlc_word_sender
 *
 * One beat is taken every cycle while the packed output fits the output bus. s_axis_tready
 * does not depend on m_axis_tready in the same cycle. Bytes without tkeep are dropped, wherever
 * they are; a packet without any byte gives one beat without any byte. The last byte of a
 * packet is filled with 0 bits.
 *
 * The table may be written while no packet is inside the core.
 */
module huffman_encoder_core #
(
    // Symbols per input beat, 1..32
    parameter SYMBOLS = 32,
    // Longest codeword, 13..16. 32 symbols of 16 bits need packed words of 1024 bits, of 15 bits 512
    parameter MAX_LENGTH = 16,
    // Words of burst storage between packer and output, a power of two, at least 2
    parameter FIFO_WORDS = 4,
    // $readmemh file of {length, codeword[15:0]} by symbol, "" for none
    parameter CODE_FILE = ""
)
(
    input  wire                 clk,
    input  wire                 rst,

    /*
     * Code table write port: address is the symbol, data {length, codeword[15:0]}
     */
    input  wire                 table_we,
    input  wire [7:0]           table_addr,
    input  wire [20:0]          table_data,

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

// The packer's last rotation works in steps of 32 bits, so a beat needs 31 bits of slack.
localparam STEPPED_BITS = SYMBOLS*MAX_LENGTH + 31;
localparam PACKED_BITS = STEPPED_BITS <= 256 ? 256 : STEPPED_BITS <= 512 ? 512 : 1024;
localparam LENGTH_BITS = $clog2(MAX_LENGTH + 1);
localparam COUNT_BITS = $clog2(PACKED_BITS/8 + 1);

// check configuration
initial begin
    if (SYMBOLS < 1 || SYMBOLS > 32) begin
        $error("Error: SYMBOLS must be 1..32 (instance %m)");
        $finish;
    end

    if (MAX_LENGTH < 13 || MAX_LENGTH > 16) begin
        $error("Error: MAX_LENGTH must be 13..16 (instance %m)");
        $finish;
    end
end

wire advance;
wire unused = &{1'b0, table_data};

assign s_axis_tready = advance;

wire [SYMBOLS*MAX_LENGTH-1:0] codewords;
wire [SYMBOLS*LENGTH_BITS-1:0] lengths;

qlc_code_table #(
    .SYMBOLS(SYMBOLS),
    .MAX_LENGTH(MAX_LENGTH),
    .CODE_FILE(CODE_FILE)
)
code_table_inst (
    .clk(clk),
    .table_we(table_we),
    .table_addr(table_addr),
    .table_data(table_data[LENGTH_BITS+15:0]),
    .enable(advance && s_axis_tvalid),
    .symbols(s_axis_tdata),
    .keep(s_axis_tkeep),
    .codewords(codewords),
    .lengths(lengths)
);

reg valid_reg;
reg last_reg;

always @(posedge clk) begin
    if (advance) begin
        valid_reg <= s_axis_tvalid;
        last_reg <= s_axis_tlast;
    end

    if (rst) begin
        valid_reg <= 1'b0;
    end
end

wire [PACKED_BITS-1:0] packed_word;
wire [COUNT_BITS-1:0] packed_bytes;
wire packed_last;
wire packed_valid;
wire packed_ready;

qlc_packer #(
    .SYMBOLS(SYMBOLS),
    .MAX_LENGTH(MAX_LENGTH),
    .PACKED_BITS(PACKED_BITS)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .codewords(codewords),
    .lengths(lengths),
    .valid(valid_reg),
    .last(last_reg),
    .fill_byte(1'b0),
    .head(1'b0),
    .head_length(1'b0),
    .advance(advance),
    .packed_word(packed_word),
    .packed_bytes(packed_bytes),
    .packed_last(packed_last),
    .packed_valid(packed_valid),
    .packed_ready(packed_ready)
);

qlc_word_sender #(
    .PACKED_BITS(PACKED_BITS),
    .FIFO_WORDS(FIFO_WORDS)
)
sender_inst (
    .clk(clk),
    .rst(rst),
    .packed_word(packed_word),
    .packed_bytes(packed_bytes),
    .packed_last(packed_last),
    .packed_valid(packed_valid),
    .packed_ready(packed_ready),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast)
);

endmodule

`resetall
