// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC wide symbols: packets of blocks in, the symbols of every block out, a word of codewords a cycle
 * where they are coded.
 *
 *   parser     header, CRC and payload of every block             qlc_wide_parser
 *   narrow     coded payloads, where the bus is wider than a word qlc_axis_narrow
 *   wide       a word of them a cycle                             qlc_decoder_wide
 *   gather     its symbols, and raw payloads, where a part is more than a beat of them
 *                                                                 qlc_symbol_gather
 *   merge      both kinds, in order
 *
 * A coded block takes a cycle a word, a raw one a cycle a beat, and each one cycle more. Behind a
 * coded block, a raw one waits until all its symbols have left.
 */
module qlc_wide_symbols #
(
    // What tables there may be: see qlc_block_decoder
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Bits of codewords a cycle: 8, 16, 32, 64, 128, 256 or 512
    parameter WORD_BITS = 256,
    // Not to be set: bytes of an input beat, and of a part, and the widths of a bank's number and of
    // counts of their bytes
    parameter S_BYTES = WORD_BITS > 256 ? WORD_BITS/8 : 32,
    parameter M_BYTES = WORD_BITS > 128 ? WORD_BITS/4 : 32,
    parameter BANK_BITS = $clog2(TABLES + 1),
    parameter S_COUNT_BITS = $clog2(S_BYTES + 1),
    parameter COUNT_BITS = $clog2(M_BYTES + 1)
)
(
    input  wire                        clk,
    input  wire                        rst,

    // Tables that are loaded, and their banks, by table id
    input  wire [TABLES-1:0]           loaded,
    input  wire [TABLES*BANK_BITS-1:0] banks,
    // A block without CRC is wrong
    input  wire                        require_crc,

    // Table write port: see qlc_decoder_core
    input  wire                        table_we,
    input  wire [BANK_BITS-1:0]        table_bank,
    input  wire [8:0]                  table_addr,
    input  wire [31:0]                 table_data,

    // Beats, as qlc_beat_guard gives them
    input  wire [8*S_BYTES-1:0]        s_data,
    input  wire [S_COUNT_BITS-1:0]     s_bytes,
    input  wire                        s_last,
    input  wire                        s_partial,
    input  wire                        s_valid,
    output wire                        s_ready,

    /*
     * Parts of blocks, and ends of packets: as qlc_block_checker takes them
     */
    output wire [8*M_BYTES-1:0]        m_data,
    output wire [COUNT_BITS-1:0]       m_bytes,
    output wire                        m_last,
    output wire                        m_coded,
    output wire                        m_has_crc,
    output wire [31:0]                 m_crc,
    output wire                        m_end,
    output wire                        m_cut,
    output wire [3:0]                  m_error,
    output wire                        m_valid,
    input  wire                        m_ready
);

localparam CORE_BYTES = WORD_BITS/8;
// Symbols of a beat that leave the wide decoder
localparam SYMBOLS = WORD_BITS/4;
localparam SYMBOL_COUNT_BITS = $clog2(SYMBOLS + 1);

/*
 * Parser
 */
wire item_end;
wire item_cut;
wire [3:0] item_error;
wire item_coded;
wire item_has_crc;
wire [31:0] item_crc;
wire item_valid;
wire item_ready;

wire [12:0] job_symbols;
wire [BANK_BITS-1:0] job_bank;
wire job_valid;
wire job_ready;

wire [8*S_BYTES-1:0] payload_data;
wire [S_COUNT_BITS-1:0] payload_bytes;
wire payload_last;
wire payload_coded;
wire payload_valid;
wire payload_ready;

qlc_wide_parser #(
    .TABLES(TABLES),
    .BYTES(S_BYTES)
)
parser_inst (
    .clk(clk),
    .rst(rst),
    .loaded(loaded),
    .banks(banks),
    .require_crc(require_crc),
    .s_data(s_data),
    .s_bytes(s_bytes),
    .s_last(s_last),
    .s_partial(s_partial),
    .s_valid(s_valid),
    .s_ready(s_ready),
    .item_end(item_end),
    .item_cut(item_cut),
    .item_error(item_error),
    .item_coded(item_coded),
    .item_has_crc(item_has_crc),
    .item_crc(item_crc),
    .item_valid(item_valid),
    .item_ready(item_ready),
    .job_symbols(job_symbols),
    .job_bank(job_bank),
    .job_valid(job_valid),
    .job_ready(job_ready),
    .payload_data(payload_data),
    .payload_bytes(payload_bytes),
    .payload_last(payload_last),
    .payload_coded(payload_coded),
    .payload_valid(payload_valid),
    .payload_ready(payload_ready)
);

/*
 * Coded payloads
 */
wire [S_BYTES-1:0] payload_keep;

genvar k;

generate

    for (k = 0; k < S_BYTES; k = k + 1) begin : keep
        assign payload_keep[k] = payload_bytes > k;
    end

endgenerate

wire narrow_ready;
wire [8*CORE_BYTES-1:0] word;
wire [CORE_BYTES-1:0] word_keep;
wire word_last;
wire word_valid;
wire word_ready;

qlc_axis_narrow #(
    .S_BYTES(S_BYTES),
    .M_BYTES(CORE_BYTES)
)
narrow_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(payload_data),
    .s_axis_tkeep(payload_keep),
    .s_axis_tvalid(payload_valid && payload_coded),
    .s_axis_tready(narrow_ready),
    .s_axis_tlast(payload_last),
    .m_axis_tdata(word),
    .m_axis_tkeep(word_keep),
    .m_axis_tvalid(word_valid),
    .m_axis_tready(word_ready && job_valid),
    .m_axis_tlast(word_last)
);

assign job_ready = word_valid && word_ready && word_last;

wire [8*SYMBOLS-1:0] symbols;
wire [SYMBOLS-1:0] symbols_keep;
wire [SYMBOL_COUNT_BITS-1:0] symbols_bytes;
wire symbols_last;
wire [2:0] symbols_error;
wire symbols_valid;
wire symbols_ready;

qlc_decoder_wide #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .WORD_BITS(WORD_BITS),
    .COUNT_BITS(13),
    .BANKS(TABLES + 1)
)
wide_inst (
    .clk(clk),
    .rst(rst),
    .table_we(table_we),
    .table_bank(table_bank),
    .table_addr(table_addr),
    .table_data(table_data),
    .s_axis_tdata(word),
    .s_axis_tkeep(word_keep),
    .s_axis_tvalid(word_valid && job_valid),
    .s_axis_tready(word_ready),
    .s_axis_tlast(word_last),
    .s_axis_tuser(job_symbols),
    .s_axis_bank(job_bank),
    .m_axis_tdata(symbols),
    .m_axis_tkeep(symbols_keep),
    .m_axis_tvalid(symbols_valid),
    .m_axis_tready(symbols_ready),
    .m_axis_tlast(symbols_last),
    .m_axis_tuser(symbols_error)
);

qlc_keep_count #(
    .BYTES(SYMBOLS)
)
count_inst (
    .keep(symbols_keep),
    .count(symbols_bytes)
);

// So that the decoder need not wait for what depends on the merge
wire [8*SYMBOLS-1:0] kept;
wire [SYMBOL_COUNT_BITS-1:0] kept_bytes;
wire kept_last;
wire [2:0] kept_error;
wire kept_valid;
wire kept_ready;

qlc_fifo #(
    .WIDTH(8*SYMBOLS + SYMBOL_COUNT_BITS + 1 + 3),
    .DEPTH(2)
)
symbols_inst (
    .clk(clk),
    .rst(rst),
    .s_data({symbols, symbols_bytes, symbols_last, symbols_error}),
    .s_valid(symbols_valid),
    .s_ready(symbols_ready),
    .m_data({kept, kept_bytes, kept_last, kept_error}),
    .m_valid(kept_valid),
    .m_ready(kept_ready)
);

/*
 * Parts of both kinds
 */
wire [8*M_BYTES-1:0] coded_data;
wire [COUNT_BITS-1:0] coded_bytes;
wire coded_last;
wire [2:0] coded_error;
wire coded_valid;
wire coded_ready;

wire [8*M_BYTES-1:0] raw_data;
wire [COUNT_BITS-1:0] raw_bytes;
wire raw_last;
wire raw_valid;
wire raw_ready;
wire raw_free;

generate

    if (SYMBOLS < M_BYTES) begin : gather_coded
        qlc_symbol_gather #(
            .S_SYMBOLS(SYMBOLS),
            .M_SYMBOLS(M_BYTES)
        )
        gather_inst (
            .clk(clk),
            .rst(rst),
            .s_data(kept),
            .s_bytes(kept_bytes),
            .s_last(kept_last),
            .s_error(kept_error),
            .s_valid(kept_valid),
            .s_ready(kept_ready),
            .m_data(coded_data),
            .m_bytes(coded_bytes),
            .m_last(coded_last),
            .m_error(coded_error),
            .m_valid(coded_valid),
            .m_ready(coded_ready)
        );
    end else begin : pass_coded
        assign coded_data = kept;
        assign coded_bytes = kept_bytes;
        assign coded_last = kept_last;
        assign coded_error = kept_error;
        assign coded_valid = kept_valid;
        assign kept_ready = coded_ready;
    end

    if (S_BYTES < M_BYTES) begin : gather_raw
        wire [2:0] unused_error;

        qlc_symbol_gather #(
            .S_SYMBOLS(S_BYTES),
            .M_SYMBOLS(M_BYTES)
        )
        gather_inst (
            .clk(clk),
            .rst(rst),
            .s_data(payload_data),
            .s_bytes(payload_bytes),
            .s_last(payload_last),
            .s_error(3'd0),
            .s_valid(payload_valid && !payload_coded),
            .s_ready(raw_free),
            .m_data(raw_data),
            .m_bytes(raw_bytes),
            .m_last(raw_last),
            .m_error(unused_error),
            .m_valid(raw_valid),
            .m_ready(raw_ready)
        );
    end else begin : pass_raw
        assign raw_data = payload_data;
        assign raw_bytes = payload_bytes;
        assign raw_last = payload_last;
        assign raw_valid = payload_valid && !payload_coded;
        assign raw_free = raw_ready;
    end

endgenerate

assign payload_ready = payload_coded ? narrow_ready : raw_free;

/*
 * Merge: what the item at hand asks for
 */
reg now_end_reg;
reg now_cut_reg;
reg [3:0] now_error_reg;
reg now_coded_reg;
reg now_has_crc_reg;
reg [31:0] now_crc_reg;
// An item of each kind is at hand
reg at_end_reg;
reg at_coded_reg;
reg at_raw_reg;

reg [8*M_BYTES-1:0] m_data_reg;
reg [COUNT_BITS-1:0] m_bytes_reg;
reg m_last_reg;
reg m_coded_reg;
reg m_has_crc_reg;
reg [31:0] m_crc_reg;
reg m_end_reg;
reg m_cut_reg;
reg [3:0] m_error_reg;
reg m_valid_reg;

assign m_data = m_data_reg;
assign m_bytes = m_bytes_reg;
assign m_last = m_last_reg;
assign m_coded = m_coded_reg;
assign m_has_crc = m_has_crc_reg;
assign m_crc = m_crc_reg;
assign m_end = m_end_reg;
assign m_cut = m_cut_reg;
assign m_error = m_error_reg;
assign m_valid = m_valid_reg;

wire free = !m_valid_reg || m_ready;
wire merge = at_end_reg || (at_coded_reg && coded_valid) || (at_raw_reg && raw_valid);
wire merge_last = (at_coded_reg && coded_last) || (at_raw_reg && raw_last);
wire none = !at_end_reg && !at_coded_reg && !at_raw_reg;

assign coded_ready = at_coded_reg && free;
assign raw_ready = at_raw_reg && free;
assign item_ready = none || (free && merge && (at_end_reg || merge_last));

always @(posedge clk) begin
    if (item_ready) begin
        at_end_reg <= item_valid && item_end;
        at_coded_reg <= item_valid && !item_end && item_coded;
        at_raw_reg <= item_valid && !item_end && !item_coded;
        now_end_reg <= item_end;
        now_cut_reg <= item_cut;
        now_error_reg <= item_error;
        now_coded_reg <= item_coded;
        now_has_crc_reg <= item_has_crc;
        now_crc_reg <= item_crc;
    end

    if (free) begin
        m_valid_reg <= merge;
        m_data_reg <= (coded_data & {8*M_BYTES{at_coded_reg}}) | (raw_data & {8*M_BYTES{at_raw_reg}});
        m_bytes_reg <= (coded_bytes & {COUNT_BITS{at_coded_reg}}) | (raw_bytes & {COUNT_BITS{at_raw_reg}});
        m_last_reg <= merge_last;
        m_coded_reg <= now_coded_reg;
        m_has_crc_reg <= now_has_crc_reg;
        m_crc_reg <= now_crc_reg;
        m_end_reg <= now_end_reg;
        m_cut_reg <= now_cut_reg;
        m_error_reg <= at_end_reg ? now_error_reg : {1'b0, coded_error & {3{at_coded_reg && coded_last}}};
    end

    if (rst) begin
        at_end_reg <= 1'b0;
        at_coded_reg <= 1'b0;
        at_raw_reg <= 1'b0;
        m_valid_reg <= 1'b0;
    end
end

endmodule

`resetall
