// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block decoder: packets of blocks in, their symbols out.
 *
 *   parser     header, CRC and payload of every block             qlc_block_parser
 *   core       coded payloads, one symbol a cycle                 qlc_decoder_core
 *   gather     32 of its symbols to a part                        qlc_symbol_gather
 *   merge      raw payloads and the core's symbols, in order
 *   checker    CRC, and what is wrong first                       qlc_block_checker
 *   packer     joins the parts to full beats                      qlc_symbol_packer
 *
 * A coded block takes a cycle a symbol and one more, a raw one a cycle every 32 bytes and 3 more.
 * The shortest packet's symbols leave 12 (raw) or 16 (coded) cycles after its beat.
 *
 * Input: every beat but a packet's last must be full, and the last one's used bytes contiguous from
 * byte 0; a packet without bytes is one beat without tkeep, and gives one.
 *
 * m_axis_tuser of a packet's last beat is 0 or what was met first in stream order:
 *
 *   1  truncated          the packet ends inside a header, CRC or payload
 *   2  unknown-table      a coded block names a table that is not loaded
 *   3  illegal-codeword   an offset past the end of its area
 *   4  length-mismatch    the codewords do not end in the payload's last byte
 *   5  nonzero-padding    a padding bit is 1
 *   6  raw-mismatch       a raw block whose payload and symbol counts differ, or with a table id
 *   7  crc-mismatch       the CRC is there and wrong
 *
 * The packet's beats then hold the symbols before the error; of a block with a wrong CRC, all. The
 * rest of the packet is dropped, and the next one is decoded.
 *
 * Tables: table_we writes the staging bank, table_commit makes it the table of table_id from the
 * next packet on, and table_busy is high until then, in which time both are ignored. A packet is
 * decoded with the tables that were loaded at its first beat. No table is loaded after a reset.
 */
module qlc_block_decoder #
(
    // Prefix bits of all schemes, 1..4
    parameter PREFIX_BITS = 3,
    // Tables resident, 1..64
    parameter TABLES = 4
)
(
    input  wire              clk,
    input  wire              rst,

    /*
     * Tables. Address 0..255: symbol of a rank, in the low 8 bits of data;
     * 256 + a: {extra[3:0], base[11:0]} of area a
     */
    input  wire              table_we,
    input  wire [8:0]        table_addr,
    input  wire [15:0]       table_data,
    input  wire              table_commit,
    input  wire [5:0]        table_id,
    output wire              table_busy,
    output wire [TABLES-1:0] table_loaded,

    // Which symbols count as special: 0 float8_e4m3fn, 1 float8_e4m3, 2 float8_e5m2,
    // 3 to 5 the fnuz dtypes, else none
    input  wire [2:0]        cfg_dtype,

    /*
     * AXI4-Stream input, packets of blocks
     */
    input  wire [255:0]      s_axis_tdata,
    input  wire [31:0]       s_axis_tkeep,
    input  wire              s_axis_tvalid,
    output wire              s_axis_tready,
    input  wire              s_axis_tlast,

    /*
     * AXI4-Stream output, symbols
     */
    output wire [255:0]      m_axis_tdata,
    output wire [31:0]       m_axis_tkeep,
    output wire              m_axis_tvalid,
    input  wire              m_axis_tready,
    output wire              m_axis_tlast,
    output wire [2:0]        m_axis_tuser,

    /*
     * Events, one cycle each: a packet has left; a good block is over; symbols, bytes and special
     * values that have left; what was wrong with a packet, bit n for error n
     */
    output wire              ev_packet,
    output wire              ev_block_raw,
    output wire              ev_block_coded,
    output wire [5:0]        ev_symbols,
    output wire [5:0]        ev_bytes,
    output wire [5:0]        ev_special,
    output wire [7:0]        ev_error
);

localparam BANKS = TABLES + 1;
localparam BANK_BITS = $clog2(BANKS);
// Bytes a cycle into the core: at most 12 bits leave it
localparam CORE_BYTES = 4;
localparam ITEMS = 4;

/*
 * Tables
 */
wire [BANK_BITS-1:0] staging;
wire [TABLES*BANK_BITS-1:0] banks;
wire hold;
wire enter;
wire leave;

qlc_table_banks #(
    .TABLES(TABLES)
)
banks_inst (
    .clk(clk),
    .rst(rst),
    .commit(table_commit),
    .commit_id(table_id),
    .busy(table_busy),
    .enter(enter),
    .leave(leave),
    .hold(hold),
    .staging(staging),
    .loaded(table_loaded),
    .banks(banks)
);

/*
 * Parser; a packet's first beat waits while tables change
 */
reg in_packet_reg;

wire parser_ready;
wire open = in_packet_reg || !hold;

assign s_axis_tready = parser_ready && open;

wire take = s_axis_tvalid && s_axis_tready;

assign enter = take && !in_packet_reg;

always @(posedge clk) begin
    if (take) begin
        in_packet_reg <= !s_axis_tlast;
    end

    if (rst) begin
        in_packet_reg <= 1'b0;
    end
end

wire parsed_end;
wire parsed_cut;
wire [2:0] parsed_error;
wire parsed_coded;
wire parsed_has_crc;
wire [31:0] parsed_crc;
wire parsed_valid;
wire parsed_ready;

wire [255:0] payload_data;
wire [5:0] payload_bytes;
wire payload_last;
wire payload_coded;
wire [12:0] payload_symbols;
wire [BANK_BITS-1:0] payload_bank;
wire payload_valid;
wire payload_ready;

qlc_block_parser #(
    .TABLES(TABLES),
    .CODED_BYTES(CORE_BYTES)
)
parser_inst (
    .clk(clk),
    .rst(rst),
    .loaded(table_loaded),
    .banks(banks),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid && open),
    .s_axis_tready(parser_ready),
    .s_axis_tlast(s_axis_tlast),
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
wire [2:0] item_error;
wire item_coded;
wire item_has_crc;
wire [31:0] item_crc;
wire item_valid;
wire item_ready;

qlc_fifo #(
    .WIDTH(1 + 1 + 3 + 1 + 1 + 32),
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
wire [CORE_BYTES-1:0] core_keep;

genvar k;

generate

    for (k = 0; k < CORE_BYTES; k = k + 1) begin : keep
        assign core_keep[k] = payload_bytes > k;
    end

endgenerate

wire core_ready;
wire [7:0] symbol;
wire symbol_keep;
wire symbol_valid;
wire symbol_ready;
wire symbol_last;
wire [2:0] symbol_error;

qlc_decoder_core #(
    .PREFIX_BITS(PREFIX_BITS),
    .DATA_BITS(8*CORE_BYTES),
    .COUNT_BITS(13),
    .BANKS(BANKS)
)
core_inst (
    .clk(clk),
    .rst(rst),
    .table_we(table_we && !table_busy),
    .table_bank(staging),
    .table_addr(table_addr),
    .table_data(table_data),
    .s_axis_tdata(payload_data[8*CORE_BYTES-1:0]),
    .s_axis_tkeep(core_keep),
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
    .s_symbol(symbol),
    .s_keep(symbol_keep),
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
wire merge_ready;
wire at_end = item_valid && item_end;
wire at_coded = item_valid && !item_end && item_coded;
wire at_raw = item_valid && !item_end && !item_coded;
wire raw_valid = at_raw && payload_valid && !payload_coded;
wire merge_valid = at_end || (at_coded && gathered_valid) || raw_valid;
wire merge_last = at_coded ? gathered_last : at_raw && payload_last;

assign gathered_ready = at_coded && merge_ready;
assign payload_ready = payload_coded ? core_ready : at_raw && merge_ready;
assign item_ready = merge_valid && merge_ready && (at_end || merge_last);
assign leave = at_end && merge_ready;

wire [255:0] merge_data = at_coded ? gathered_data : payload_data & {256{at_raw}};
wire [5:0] merge_bytes = at_coded ? gathered_bytes : payload_bytes & {6{at_raw}};
wire [2:0] merge_error = at_end ? item_error : gathered_error & {3{at_coded && gathered_last}};

/*
 * Checker, packer
 */
wire [255:0] checked_data;
wire [5:0] checked_bytes;
wire checked_last;
wire [2:0] checked_error;
wire checked_valid;
wire checked_ready;

qlc_block_checker checker_inst (
    .clk(clk),
    .rst(rst),
    .s_data(merge_data),
    .s_bytes(merge_bytes),
    .s_last(merge_last),
    .s_coded(item_coded),
    .s_has_crc(item_has_crc),
    .s_crc(item_crc),
    .s_end(item_end),
    .s_cut(item_cut),
    .s_error(merge_error),
    .s_valid(merge_valid),
    .s_ready(merge_ready),
    .m_data(checked_data),
    .m_bytes(checked_bytes),
    .m_last(checked_last),
    .m_error(checked_error),
    .m_valid(checked_valid),
    .m_ready(checked_ready),
    .ev_block_raw(ev_block_raw),
    .ev_block_coded(ev_block_coded)
);

wire [5:0] m_bytes;

qlc_symbol_packer packer_inst (
    .clk(clk),
    .rst(rst),
    .s_data(checked_data),
    .s_bytes(checked_bytes),
    .s_last(checked_last),
    .s_user(checked_error),
    .s_valid(checked_valid),
    .s_ready(checked_ready),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tuser(m_axis_tuser),
    .m_bytes(m_bytes)
);

/*
 * Events of the output
 */
reg ev_packet_reg;
reg [5:0] ev_symbols_reg;
reg [7:0] ev_error_reg;

assign ev_packet = ev_packet_reg;
assign ev_symbols = ev_symbols_reg;
assign ev_bytes = ev_symbols_reg;
assign ev_error = ev_error_reg;

wire sent = m_axis_tvalid && m_axis_tready;
wire sent_last = sent && m_axis_tlast;

always @(posedge clk) begin
    ev_packet_reg <= sent_last;
    ev_symbols_reg <= m_bytes & {6{sent}};
    ev_error_reg <= (8'd1 << m_axis_tuser) & {{7{sent_last}}, 1'b0};

    if (rst) begin
        ev_packet_reg <= 1'b0;
        ev_symbols_reg <= 0;
        ev_error_reg <= 0;
    end
end

qlc_special_count special_inst (
    .clk(clk),
    .rst(rst),
    .dtype(cfg_dtype),
    .symbols(m_axis_tdata),
    .keep(m_axis_tkeep & {32{sent}}),
    .count(ev_special)
);

endmodule

`resetall
