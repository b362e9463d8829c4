// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC narrow symbols: packets of blocks in, the symbols of every block out, one a cycle where they are
 * coded.
 *
 *   parser     header, CRC and payload of every block             qlc_narrow_parser
 *   core       coded payloads, one symbol a cycle                 qlc_decoder_core
 *   gather     32 of its symbols to a part                        qlc_symbol_gather
 *   merge      raw payloads and the core's symbols, in order
 *
 * A coded block takes a cycle a symbol and one more, a raw one a cycle every 32 bytes and 3 more.
 */
module qlc_narrow_symbols #
(
    // What tables there may be: see qlc_block_decoder
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Not to be set: width of a bank's number
    parameter BANK_BITS = $clog2(TABLES + 1)
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
    input  wire [255:0]                s_data,
    input  wire [5:0]                  s_bytes,
    input  wire                        s_last,
    input  wire                        s_partial,
    input  wire                        s_valid,
    output wire                        s_ready,

    /*
     * Parts of blocks, and ends of packets: as qlc_block_checker takes them
     */
    output wire [255:0]                m_data,
    output wire [5:0]                  m_bytes,
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

// Bytes a cycle into the core: at most 12 bits leave it
localparam CORE_BYTES = 4;
localparam ITEMS = 4;

/*
 * Parser
 */
wire parsed_end;
wire parsed_cut;
wire [3:0] parsed_error;
wire parsed_coded;
wire parsed_has_crc;
wire [31:0] parsed_crc;
wire parsed_valid;
wire parsed_ready;

wire [255:0] payload_data;
wire [5:0] payload_bytes;
wire [CORE_BYTES-1:0] payload_keep;
wire payload_last;
wire payload_coded;
wire [12:0] payload_symbols;
wire [BANK_BITS-1:0] payload_bank;
wire payload_valid;
wire payload_ready;

qlc_narrow_parser #(
    .TABLES(TABLES),
    .CODED_BYTES(CORE_BYTES)
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
    .item_end(parsed_end),
    .item_cut(parsed_cut),
    .item_error(parsed_error),
    .item_coded(parsed_coded),
    .item_has_crc(parsed_has_crc),
    .item_crc(parsed_crc),
    .item_valid(parsed_valid),
    .item_ready(parsed_ready),
    .payload_data(payload_data),
    .payload_bytes(payload_bytes),
    .payload_keep(payload_keep),
    .payload_last(payload_last),
    .payload_coded(payload_coded),
    .payload_symbols(payload_symbols),
    .payload_bank(payload_bank),
    .payload_valid(payload_valid),
    .payload_ready(payload_ready)
);

// The block that merge is at, or a packet's end
wire item_end;
wire item_cut;
wire [3:0] item_error;
wire item_coded;
wire item_has_crc;
wire [31:0] item_crc;
wire item_valid;
wire item_ready;

qlc_fifo #(
    .WIDTH(1 + 1 + 4 + 1 + 1 + 32),
    .DEPTH(ITEMS)
)
item_inst (
    .clk(clk),
    .rst(rst),
    .s_data({parsed_end, parsed_cut, parsed_error, parsed_coded, parsed_has_crc, parsed_crc}),
    .s_valid(parsed_valid),
    .s_ready(parsed_ready),
    .m_data({item_end, item_cut, item_error, item_coded, item_has_crc, item_crc}),
    .m_valid(item_valid),
    .m_ready(item_ready)
);

/*
 * Core
 */
wire core_ready;
wire [7:0] symbol;
wire symbol_keep;
wire symbol_valid;
wire symbol_ready;
wire symbol_last;
wire [2:0] symbol_error;

qlc_decoder_core #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .DATA_BITS(8*CORE_BYTES),
    .COUNT_BITS(13),
    .BANKS(TABLES + 1)
)
core_inst (
    .clk(clk),
    .rst(rst),
    .table_we(table_we),
    .table_bank(table_bank),
    .table_addr(table_addr),
    .table_data(table_data),
    .s_axis_tdata(payload_data[8*CORE_BYTES-1:0]),
    .s_axis_tkeep(payload_keep),
    .s_axis_tvalid(payload_valid && payload_coded),
    .s_axis_tready(core_ready),
    .s_axis_tlast(payload_last),
    .s_axis_tuser(payload_symbols),
    .s_axis_bank(payload_bank),
    .m_axis_tdata(symbol),
    .m_axis_tkeep(symbol_keep),
    .m_axis_tvalid(symbol_valid),
    .m_axis_tready(symbol_ready),
    .m_axis_tlast(symbol_last),
    .m_axis_tuser(symbol_error)
);

wire [255:0] gathered_data;
wire [5:0] gathered_bytes;
wire gathered_last;
wire [2:0] gathered_error;
wire gathered_valid;
wire gathered_ready;

qlc_symbol_gather gather_inst (
    .clk(clk),
    .rst(rst),
    .s_data(symbol),
    .s_bytes(symbol_keep),
    .s_last(symbol_last),
    .s_error(symbol_error),
    .s_valid(symbol_valid),
    .s_ready(symbol_ready),
    .m_data(gathered_data),
    .m_bytes(gathered_bytes),
    .m_last(gathered_last),
    .m_error(gathered_error),
    .m_valid(gathered_valid),
    .m_ready(gathered_ready)
);

/*
 * Merge: what the item at hand asks for
 */
wire at_end = item_valid && item_end;
wire at_coded = item_valid && !item_end && item_coded;
wire at_raw = item_valid && !item_end && !item_coded;
wire raw_valid = at_raw && payload_valid && !payload_coded;

assign gathered_ready = at_coded && m_ready;
assign payload_ready = payload_coded ? core_ready : at_raw && m_ready;
assign item_ready = m_valid && m_ready && (at_end || m_last);

assign m_data = at_coded ? gathered_data : payload_data & {256{at_raw}};
assign m_bytes = at_coded ? gathered_bytes : payload_bytes & {6{at_raw}};
assign m_last = at_coded ? gathered_last : at_raw && payload_last;
assign m_coded = item_coded;
assign m_has_crc = item_has_crc;
assign m_crc = item_crc;
assign m_end = item_end;
assign m_cut = item_cut;
assign m_error = at_end ? item_error : {1'b0, gathered_error & {3{at_coded && gathered_last}}};
assign m_valid = at_end || (at_coded && gathered_valid) || raw_valid;

endmodule

`resetall
