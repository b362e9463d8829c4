// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC beat store: holds the last few beats of the input for two readers. One looks for headers, at any byte
 * of any beat. The other takes beat by beat, a little later.
 *
 * Bytes are numbered as they come, modulo 2^POS_BITS, as if every beat were full: a position is {number of
 * the beat, byte}. The positions at which packets end are given out in order.
 */
module qlc_beat_store #
(
    // Bytes of a beat, a power of two, 16 or more
    parameter BYTES = 32,
    // Beats that fit, a power of two
    parameter BEATS = 8,
    // Width of a position
    parameter POS_BITS = 14,
    // Not to be set: widths of a byte's place in a beat, and of a beat's number
    parameter INDEX_BITS = $clog2(BYTES),
    parameter BEAT_BITS = POS_BITS - INDEX_BITS
)
(
    input  wire                 clk,
    input  wire                 rst,

    // Beats, as qlc_beat_guard gives them
    input  wire [8*BYTES-1:0]   s_data,
    input  wire [INDEX_BITS:0]  s_bytes,
    input  wire                 s_last,
    input  wire                 s_partial,
    input  wire                 s_valid,
    output wire                 s_ready,

    // The number of the beat that comes next
    output wire [BEAT_BITS-1:0] written,

    // Ends of packets: the position behind the last byte, whether it was a partial beat that ended the
    // packet, and the next packet's first beat
    output wire [POS_BITS-1:0]  end_at,
    output wire                 end_partial,
    output wire [BEAT_BITS-1:0] end_next,
    output wire                 end_valid,
    input  wire                 end_ready,

    // The 16 bytes from a position on, from its multiple of 8: two cycles after it
    input  wire [POS_BITS-1:0]  look_at,
    output wire [127:0]         look_data,

    // The oldest beat, its number, and the bytes in use, of which last tells whether they are all
    // of the packet's
    output wire [8*BYTES-1:0]   m_data,
    output wire [INDEX_BITS:0]  m_bytes,
    output wire                 m_last,
    output wire [BEAT_BITS-1:0] m_number,
    output wire                 m_valid,
    input  wire                 m_ready
);

localparam ADDR_BITS = $clog2(BEATS);
// Words of 8 bytes
localparam WORDS = BYTES/8;
localparam WORD_BITS = $clog2(WORDS);
localparam [INDEX_BITS:0] FULL = BYTES[INDEX_BITS:0];

// check configuration
initial begin
    if (BYTES < 16 || BYTES != 1 << INDEX_BITS) begin
        $error("Error: BYTES must be a power of two, 16 or more (instance %m)");
        $finish;
    end

    if (BEATS < 2 || BEATS != 1 << ADDR_BITS || ADDR_BITS >= BEAT_BITS) begin
        $error("Error: BEATS must be a power of two, at least 2 (instance %m)");
        $finish;
    end
end

reg [BEAT_BITS-1:0] written_reg;
reg [BEAT_BITS-1:0] read_reg;
reg full_reg;
reg empty_reg;

wire [BEAT_BITS-1:0] written_next = written_reg + 1;
wire [BEAT_BITS-1:0] read_next = read_reg + 1;
wire [ADDR_BITS-1:0] write_addr = written_reg[ADDR_BITS-1:0];
wire [ADDR_BITS-1:0] read_addr = read_reg[ADDR_BITS-1:0];
wire write = s_valid && s_ready;
wire read = m_valid && m_ready;

assign s_ready = !full_reg;
assign written = written_reg;
assign m_number = read_reg;
assign m_valid = !empty_reg;

always @(posedge clk) begin
    if (write) begin
        written_reg <= written_next;
    end

    if (read) begin
        read_reg <= read_next;
    end

    if (write && !read) begin
        full_reg <= written_next[ADDR_BITS-1:0] == read_addr;
        empty_reg <= 1'b0;
    end else if (read && !write) begin
        full_reg <= 1'b0;
        empty_reg <= read_next == written_reg;
    end

    if (rst) begin
        written_reg <= 0;
        read_reg <= 0;
        full_reg <= 1'b0;
        empty_reg <= 1'b1;
    end
end

/*
 * Bytes in use
 */
reg [INDEX_BITS+1:0] info_mem[0:BEATS-1];

assign {m_last, m_bytes} = info_mem[read_addr];

always @(posedge clk) begin
    if (write) begin
        info_mem[write_addr] <= {s_last, s_bytes};
    end
end

wire [BEAT_BITS-1:0] end_beat = s_bytes == FULL ? written_next : written_reg;
wire end_free;

// There are never more ends than beats
qlc_fifo #(
    .WIDTH(POS_BITS + 1 + BEAT_BITS),
    .DEPTH(BEATS)
)
end_inst (
    .clk(clk),
    .rst(rst),
    .s_data({written_next, s_partial, end_beat, s_bytes[INDEX_BITS-1:0]}),
    .s_valid(write && s_last),
    .s_ready(end_free),
    .m_data({end_next, end_partial, end_at}),
    .m_valid(end_valid),
    .m_ready(end_ready)
);

/*
 * Words: column by column. Of those before the position's word it is the next beat's that count
 */
reg [ADDR_BITS-1:0] look_addr_reg;
reg [ADDR_BITS-1:0] look_next_reg;
reg [WORD_BITS-1:0] look_word_reg;
reg [127:0] look_data_reg;

wire [64*WORDS-1:0] look_words;
wire [WORD_BITS-1:0] look_word_next = look_word_reg + 1;

assign look_data = look_data_reg;

always @(posedge clk) begin
    look_addr_reg <= look_at[INDEX_BITS +: ADDR_BITS];
    look_next_reg <= look_at[INDEX_BITS +: ADDR_BITS] + 1;
    look_word_reg <= look_at[3 +: WORD_BITS];
    look_data_reg <= {look_words[64*look_word_next +: 64], look_words[64*look_word_reg +: 64]};
end

genvar w;

generate

    for (w = 0; w < WORDS; w = w + 1) begin : word
        reg [63:0] mem[0:BEATS-1];

        always @(posedge clk) begin
            if (write) begin
                mem[write_addr] <= s_data[64*w +: 64];
            end
        end

        assign m_data[64*w +: 64] = mem[read_addr];
        assign look_words[64*w +: 64] = mem[w < look_word_reg ? look_next_reg : look_addr_reg];
    end

endgenerate

wire unused = &{1'b0, look_at[2:0], look_at[POS_BITS-1:INDEX_BITS+ADDR_BITS], end_free};

endmodule

`resetall
