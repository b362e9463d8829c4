// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block writer: sends decided blocks, header, CRC and payload, joined to output beats.
 *
 *   read         a beat of the block out of the ring
 *   length       of each class rank                                          qlc_length_lanes
 *   codeword     of class rank and length, or the symbol itself              qlc_codeword_lanes
 *   packer       joins header, CRC and payload                               qlc_codeword_packer
 *   sender       takes bursts of long codewords, gives output beats          qlc_beat_sender
 *
 * All stages up to the packer move together, when `advance` is high: when the sender has room for what
 * they give.
 */
module qlc_block_writer #
(
    // Bounds of the codes, see qlc_length_steps
    parameter LENGTHS = 4,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    // Banks of tables
    parameter BANKS = 5,
    // Output beats that the sender holds
    parameter SENDER_BEATS = 128,
    // Not to be set: width of a class, of a codeword without raw bits, of a bank's number
    parameter CLASS_BITS = 8 - RAW_BITS,
    parameter HIGH_BITS = LONGEST - RAW_BITS,
    parameter BANK_BITS = $clog2(BANKS)
)
(
    input  wire                          clk,
    input  wire                          rst,

    // Decided blocks, see qlc_block_decider
    input  wire [31:0]                   s_header,
    input  wire [31:0]                   s_crc,
    input  wire [BANK_BITS-1:0]          s_bank,
    input  wire                          s_packet_last,
    input  wire                          s_empty,
    input  wire                          s_refused,
    input  wire                          s_valid,
    output wire                          s_ready,

    // A beat is read from the ring, and is there in the next cycle
    output wire                          ring_read,
    input  wire [32*CLASS_BITS-1:0]      ring_ranks,
    input  wire [255:0]                  ring_symbols,

    // Lengths of a bank, and a cycle later steps: see qlc_rank_banks
    output wire                          code_enable,
    output wire                          step_enable,
    output wire [BANK_BITS-1:0]          code_bank,
    input  wire [LENGTHS-1:0]            code_used,
    input  wire [LENGTHS*CLASS_BITS-1:0] code_firsts,
    input  wire [LENGTHS*HIGH_BITS-1:0]  code_steps,
    input  wire [LENGTHS*4-1:0]          code_lengths,

    // A block's last beat is read; a packet uses its tables no more
    output wire                          block_read,
    output wire                          packet_coded,

    /*
     * AXI4-Stream output, packets of blocks
     */
    output wire [255:0]                  m_axis_tdata,
    output wire [31:0]                   m_axis_tkeep,
    output wire                          m_axis_tvalid,
    input  wire                          m_axis_tready,
    output wire                          m_axis_tlast,

    // Event: so many bytes have been sent
    output wire [5:0]                    ev_bytes
);

/*
 * Block: the one that is read, or comes next
 */
localparam BLOCK_BITS = 32 + 32 + BANK_BITS + 3;

reg [BLOCK_BITS-1:0] block_reg;
reg block_valid_reg;

wire [31:0] block_header;
wire [31:0] block_crc;
wire block_packet_last;
wire block_empty;
wire block_refused;

assign {block_header, block_crc, code_bank, block_packet_last, block_empty, block_refused} = block_reg;
assign s_ready = !block_valid_reg || block_read;

always @(posedge clk) begin
    if (s_ready) begin
        block_reg <= {s_header, s_crc, s_bank, s_packet_last, s_empty, s_refused};
        block_valid_reg <= s_valid;
    end

    if (rst) begin
        block_valid_reg <= 1'b0;
    end
end

/*
 * Read
 */
wire advance;

reg [6:0] read_beat_reg;

wire read_first = read_beat_reg == 0;
wire read_last = block_empty || read_beat_reg == block_header[23:17];

assign block_read = advance && block_valid_reg && read_last;
assign code_enable = advance && block_valid_reg;
assign ring_read = code_enable && !block_empty;

reg read_valid_reg;
reg read_coded_reg;
reg read_block_end_reg;
reg read_packet_last_reg;
reg [31:0] read_keep_reg;
reg [63:0] read_head_reg;
reg [1:0] read_head_words_reg;

wire read_head = read_first && (!block_empty || block_refused);
wire read_crc = block_header[30] && !block_refused;

integer i;

always @(posedge clk) begin
    if (advance) begin
        read_valid_reg <= block_valid_reg;
    end

    if (code_enable) begin
        read_beat_reg <= read_last ? 7'd0 : read_beat_reg + 1;
        read_coded_reg <= block_header[31];
        read_block_end_reg <= read_last;
        read_packet_last_reg <= read_last && block_packet_last;
        read_head_reg <= !read_head ? 64'd0
            : read_crc ? {block_header, block_crc} : {32'd0, block_header};
        read_head_words_reg <= !read_head ? 2'd0 : read_crc ? 2'd2 : 2'd1;

        for (i = 0; i < 32; i = i + 1) begin
            read_keep_reg[i] <= !block_empty && (!read_last || block_header[16:12] >= i[4:0]);
        end
    end

    if (rst) begin
        read_beat_reg <= 0;
        read_valid_reg <= 1'b0;
    end
end

assign step_enable = advance && read_valid_reg;
assign packet_coded = step_enable && read_packet_last_reg;

/*
 * Length of each class rank in a coded block; a raw block's symbols are codewords of 8 bits
 */
wire [32*LENGTHS-1:0] which;
wire [127:0] code_rank_lengths;

qlc_length_lanes #(
    .SYMBOLS(32),
    .LENGTHS(LENGTHS),
    .CLASS_BITS(CLASS_BITS)
)
length_lanes_inst (
    .clk(clk),
    .used(code_used),
    .firsts(code_firsts),
    .code_lengths(code_lengths),
    .enable(step_enable),
    .s_ranks(ring_ranks),
    .s_keep(read_keep_reg & {32{read_coded_reg}}),
    .m_which(which),
    .m_lengths(code_rank_lengths)
);

reg length_valid_reg;
reg length_block_end_reg;
reg length_packet_last_reg;
// Class ranks and raw bits, or symbols
reg [255:0] length_bytes_reg;
reg [31:0] length_raw_reg;
reg [63:0] length_head_reg;
reg [1:0] length_head_words_reg;

reg [255:0] bytes_next;

always @* begin
    bytes_next = ring_symbols;

    for (i = 0; i < 32; i = i + 1) begin
        if (read_coded_reg) begin
            bytes_next[8*i + RAW_BITS +: CLASS_BITS] = ring_ranks[CLASS_BITS*i +: CLASS_BITS];
        end

        bytes_next[8*i +: 8] = bytes_next[8*i +: 8] & {8{read_keep_reg[i]}};
    end
end

always @(posedge clk) begin
    if (advance) begin
        length_valid_reg <= read_valid_reg;
    end

    if (step_enable) begin
        length_block_end_reg <= read_block_end_reg;
        length_packet_last_reg <= read_packet_last_reg;
        length_head_reg <= read_head_reg;
        length_head_words_reg <= read_head_words_reg;
        length_bytes_reg <= bytes_next;
        length_raw_reg <= read_keep_reg & {32{!read_coded_reg}};
    end

    if (rst) begin
        length_valid_reg <= 1'b0;
    end
end

reg [127:0] lengths;

always @* begin
    for (i = 0; i < 32; i = i + 1) begin
        lengths[4*i +: 4] = code_rank_lengths[4*i +: 4] | {length_raw_reg[i], 3'd0};
    end
end

/*
 * Codeword
 */
wire [32*LONGEST-1:0] codewords;

qlc_codeword_lanes #(
    .SYMBOLS(32),
    .LENGTHS(LENGTHS),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
codeword_lanes_inst (
    .clk(clk),
    .steps(code_steps),
    .enable(advance),
    .s_ranks(length_bytes_reg),
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
    .SYMBOLS(32),
    .LONGEST(LONGEST),
    .SHORTEST(SHORTEST),
    .HEAD_WORDS(2)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .lengths(lengths),
    .valid(length_valid_reg),
    .last(length_packet_last_reg),
    .fill_byte(length_block_end_reg),
    .head(length_head_reg),
    .head_words(length_head_words_reg),
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
    .BEATS(SENDER_BEATS)
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

/*
 * Event
 */
wire [5:0] sent_bytes;
reg [5:0] ev_bytes_reg;

assign ev_bytes = ev_bytes_reg;

qlc_keep_count sent_count_inst (
    .keep(m_axis_tkeep),
    .count(sent_bytes)
);

always @(posedge clk) begin
    ev_bytes_reg <= m_axis_tvalid && m_axis_tready ? sent_bytes : 6'd0;

    if (rst) begin
        ev_bytes_reg <= 6'd0;
    end
end

endmodule

`resetall
