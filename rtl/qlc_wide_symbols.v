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
    // Prefix bits of all schemes, 1..4
    parameter PREFIX_BITS = 3,
    // Tables resident, 1..64
    parameter TABLES = 4,
    // Bits of codewords a cycle: 8, 16, 32, 64, 128, 256 or 512
    parameter WORD_BITS = 256,
    // Not to be set: bytes of an input beat, and of a part, and the widths of a bank's number and of
    // a count of a part's bytes
    parameter S_BYTES = WORD_BITS > 256 ? WORD_BITS/8 : 32,
    parameter M_BYTES = WORD_BITS > 128 ? WORD_BITS/4 : 32,
    parameter BANK_BITS = $clog2(TABLES + 1),
    parameter COUNT_BITS = $clog2(M_BYTES + 1)
)
(
    input  wire                        clk,
    input  wire                        rst,

    // Tables that are loaded, and their banks, by table id
    input  wire [TABLES-1:0]           loaded,
    input  wire [TABLES*BANK_BITS-1:0] banks,

    // Table write port: see qlc_decoder_core
    input  wire                        table_we,
    input  wire [BANK_BITS-1:0]        table_bank,
    input  wire [8:0]                  table_addr,
    input  wire [15:0]                 table_data,

    /*
     * AXI4-Stream input, packets of blocks
     */
    input  wire [8*S_BYTES-1:0]        s_axis_tdata,
    input  wire [S_BYTES-1:0]          s_axis_tkeep,
    input  wire                        s_axis_tvalid,
    output wire                        s_axis_tready,
    input  wire                        s_axis_tlast,

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
    output wire [2:0]                  m_error,
    output wire                        m_valid,
    input  wire                        m_ready
);

localparam CORE_BYTES = WORD_BITS/8;
// Symbols of a beat that leave the wide decoder
localparam SYMBOLS = WORD_BITS/4;
localparam S_COUNT_BITS = $clog2(S_BYTES + 1);
localparam SYMBOL_COUNT_BITS = $clog2(SYMBOLS + 1);

/*
 * Parser
 */
wire item_end;
wire item_cut;
wire [2:0] item_error;
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
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tlast(s_axis_tlast),
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
    .PREFIX_BITS(PREFIX_BITS),
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

/*
 * The bytes in use are contiguous from byte 0
 */
function [SYMBOL_COUNT_BITS-1:0] count_bytes(input [SYMBOLS-1:0] used);
    integer i;
    begin
        count_bytes = used[SYMBOLS-1] ? SYMBOLS[SYMBOL_COUNT_BITS-1:0] : 0;

        for (i = 1; i < SYMBOLS; i = i + 1) begin
            if (used[i-1] && !used[i]) begin
                count_bytes = count_bytes | i[SYMBOL_COUNT_BITS-1:0];
            end
        end
    end
endfunction

assign symbols_bytes = count_bytes(symbols_keep);

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
            .s_data(symbols),
            .s_bytes(symbols_bytes),
            .s_last(symbols_last),
            .s_error(symbols_error),
            .s_valid(symbols_valid),
            .s_ready(symbols_ready),
            .m_data(coded_data),
            .m_bytes(coded_bytes),
            .m_last(coded_last),
            .m_error(coded_error),
            .m_valid(coded_valid),
            .m_ready(coded_ready)
        );
    end else begin : pass_coded
        assign coded_data = symbols;
        assign coded_bytes = symbols_bytes;
        assign coded_last = symbols_last;
        assign coded_error = symbols_error;
        assign coded_valid = symbols_valid;
        assign symbols_ready = coded_ready;
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
wire at_end = item_valid && item_end;
wire at_coded = item_valid && !item_end && item_coded;
wire at_raw = item_valid && !item_end && !item_coded;

assign coded_ready = at_coded && m_ready;
assign raw_ready = at_raw && m_ready;
assign item_ready = m_valid && m_ready && (at_end || m_last);

assign m_data = at_coded ? coded_data : raw_data & {8*M_BYTES{at_raw}};
assign m_bytes = at_coded ? coded_bytes : raw_bytes & {COUNT_BITS{at_raw}};
assign m_last = at_coded ? coded_last : at_raw && raw_last;
assign m_coded = item_coded;
assign m_has_crc = item_has_crc;
assign m_crc = item_crc;
assign m_end = item_end;
assign m_cut = item_cut;
assign m_error = at_end ? item_error : coded_error & {3{at_coded && coded_last}};
assign m_valid = at_end || (at_coded && coded_valid) || (at_raw && raw_valid);

endmodule

`resetall
