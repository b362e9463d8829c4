// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC wide parser: cuts packets into blocks and those into header, CRC and payload, each of them at
 * any byte, at a beat a cycle.
 *
 *   store     the last few beats                                       qlc_beat_store
 *   scanner   goes from header to header, ahead of the cutter          qlc_header_scanner
 *   cutter    takes the payloads                                       qlc_payload_cutter
 *
 * The scanner's cycles are hidden behind payloads of as many beats as the store has, so a block
 * takes one cycle beside its bytes: the beat in which one payload ends and the next begins is used
 * for each of them. A block takes 4 cycles at least.
 *
 * Three streams leave, in the order of the packet:
 *
 *   items     one for every block whose header is good and one for the packet's end. The end says
 *             what is wrong with the packet's outside, if anything:
 *
 *               1  truncated       the packet ends inside a header, CRC or payload, or without a
 *                                  block marked last; item_cut: in a payload, so of the last block
 *               2  unknown-table   a coded block names a table that is not loaded
 *               6  raw-mismatch    a raw block whose payload and symbol counts differ, or with a
 *                                  table id
 *               8  no-crc          a block without CRC, where one is required
 *               9  after-last      bytes behind the block marked last
 *              10  partial-beat    in place of 1, and of a good end, where a partial beat has ended
 *                                  the packet
 *
 *   jobs      one for every coded block whose header is good
 *
 *   payloads  in full beats, the last one perhaps shorter, or empty where the packet ends right
 *             before it. Unused bytes are 0
 *
 * What follows an error in a packet is dropped.
 */
module qlc_wide_parser #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Bytes of a beat, a power of two, 16..64
    parameter BYTES = 32,
    // Not to be set: widths of a bank's number, and of a count of bytes
    parameter BANK_BITS = $clog2(TABLES + 1),
    parameter COUNT_BITS = $clog2(BYTES + 1)
)
(
    input  wire                        clk,
    input  wire                        rst,

    // Tables that are loaded, and their banks, by table id
    input  wire [TABLES-1:0]           loaded,
    input  wire [TABLES*BANK_BITS-1:0] banks,
    // A block without CRC is wrong
    input  wire                        require_crc,

    // Beats, as qlc_beat_guard gives them
    input  wire [8*BYTES-1:0]          s_data,
    input  wire [COUNT_BITS-1:0]       s_bytes,
    input  wire                        s_last,
    input  wire                        s_partial,
    input  wire                        s_valid,
    output wire                        s_ready,

    /*
     * Items. Of a block: whether it is coded, and its CRC; of an end: the error
     */
    output wire                        item_end,
    output wire                        item_cut,
    output wire [3:0]                  item_error,
    output wire                        item_coded,
    output wire                        item_has_crc,
    output wire [31:0]                 item_crc,
    output wire                        item_valid,
    input  wire                        item_ready,

    /*
     * Jobs
     */
    output wire [12:0]                 job_symbols,
    output wire [BANK_BITS-1:0]        job_bank,
    output wire                        job_valid,
    input  wire                        job_ready,

    /*
     * Payloads
     */
    output wire [8*BYTES-1:0]          payload_data,
    output wire [COUNT_BITS-1:0]       payload_bytes,
    output wire                        payload_last,
    output wire                        payload_coded,
    output wire                        payload_valid,
    input  wire                        payload_ready
);

// Beats of the store: at a beat a cycle, a header is known after as many
localparam BEATS = 8;
// Blocks that wait for the cutter, and for their symbols
localparam CUTS = 4;
localparam ITEMS = 16;
// Positions are compared modulo their width: the longest payload and a store must be less than half
localparam POS_BITS = 14;
localparam INDEX_BITS = $clog2(BYTES);
localparam BEAT_BITS = POS_BITS - INDEX_BITS;

// check configuration
initial begin
    if (BYTES > 64) begin
        $error("Error: BYTES must be 16..64 (instance %m)");
        $finish;
    end
end

wire [BEAT_BITS-1:0] written;
wire [POS_BITS-1:0] end_at;
wire end_partial;
wire [BEAT_BITS-1:0] end_next;
wire end_valid;
wire end_ready;
wire [POS_BITS-1:0] look_at;
wire [127:0] look_data;
wire [8*BYTES-1:0] beat_data;
wire [INDEX_BITS:0] beat_bytes;
wire beat_last;
wire [BEAT_BITS-1:0] beat_number;
wire beat_valid;
wire beat_ready;

qlc_beat_store #(
    .BYTES(BYTES),
    .BEATS(BEATS),
    .POS_BITS(POS_BITS)
)
store_inst (
    .clk(clk),
    .rst(rst),
    .s_data(s_data),
    .s_bytes(s_bytes),
    .s_last(s_last),
    .s_partial(s_partial),
    .s_valid(s_valid),
    .s_ready(s_ready),
    .written(written),
    .end_at(end_at),
    .end_partial(end_partial),
    .end_next(end_next),
    .end_valid(end_valid),
    .end_ready(end_ready),
    .look_at(look_at),
    .look_data(look_data),
    .m_data(beat_data),
    .m_bytes(beat_bytes),
    .m_last(beat_last),
    .m_number(beat_number),
    .m_valid(beat_valid),
    .m_ready(beat_ready)
);

wire scan_cut_end;
wire scan_cut_coded;
wire [POS_BITS-1:0] scan_cut_first;
wire [BEAT_BITS-1:0] scan_cut_final;
wire [INDEX_BITS:0] scan_cut_bytes;
wire scan_cut_valid;
wire scan_cut_ready;
wire [12:0] scan_job_symbols;
wire [BANK_BITS-1:0] scan_job_bank;
wire scan_job_valid;
wire scan_job_ready;
wire scan_item_end;
wire scan_item_cut;
wire [3:0] scan_item_error;
wire scan_item_coded;
wire scan_item_has_crc;
wire [31:0] scan_item_crc;
wire scan_item_valid;
wire scan_item_ready;

qlc_header_scanner #(
    .TABLES(TABLES),
    .BYTES(BYTES),
    .POS_BITS(POS_BITS)
)
scanner_inst (
    .clk(clk),
    .rst(rst),
    .loaded(loaded),
    .banks(banks),
    .require_crc(require_crc),
    .written(written),
    .end_at(end_at),
    .end_partial(end_partial),
    .end_next(end_next),
    .end_valid(end_valid),
    .end_ready(end_ready),
    .look_at(look_at),
    .look_data(look_data),
    .cut_end(scan_cut_end),
    .cut_coded(scan_cut_coded),
    .cut_first(scan_cut_first),
    .cut_final(scan_cut_final),
    .cut_bytes(scan_cut_bytes),
    .cut_valid(scan_cut_valid),
    .cut_ready(scan_cut_ready),
    .job_symbols(scan_job_symbols),
    .job_bank(scan_job_bank),
    .job_valid(scan_job_valid),
    .job_ready(scan_job_ready),
    .item_end(scan_item_end),
    .item_cut(scan_item_cut),
    .item_error(scan_item_error),
    .item_coded(scan_item_coded),
    .item_has_crc(scan_item_has_crc),
    .item_crc(scan_item_crc),
    .item_valid(scan_item_valid),
    .item_ready(scan_item_ready)
);

wire cut_end;
wire cut_coded;
wire [POS_BITS-1:0] cut_first;
wire [BEAT_BITS-1:0] cut_final;
wire [INDEX_BITS:0] cut_bytes;
wire cut_valid;
wire cut_ready;

qlc_fifo #(
    .WIDTH(1 + 1 + POS_BITS + BEAT_BITS + INDEX_BITS + 1),
    .DEPTH(CUTS)
)
cut_inst (
    .clk(clk),
    .rst(rst),
    .s_data({scan_cut_end, scan_cut_coded, scan_cut_first, scan_cut_final, scan_cut_bytes}),
    .s_valid(scan_cut_valid),
    .s_ready(scan_cut_ready),
    .m_data({cut_end, cut_coded, cut_first, cut_final, cut_bytes}),
    .m_valid(cut_valid),
    .m_ready(cut_ready)
);

qlc_fifo #(
    .WIDTH(13 + BANK_BITS),
    .DEPTH(ITEMS)
)
job_inst (
    .clk(clk),
    .rst(rst),
    .s_data({scan_job_symbols, scan_job_bank}),
    .s_valid(scan_job_valid),
    .s_ready(scan_job_ready),
    .m_data({job_symbols, job_bank}),
    .m_valid(job_valid),
    .m_ready(job_ready)
);

qlc_fifo #(
    .WIDTH(1 + 1 + 4 + 1 + 1 + 32),
    .DEPTH(ITEMS)
)
item_inst (
    .clk(clk),
    .rst(rst),
    .s_data({
        scan_item_end, scan_item_cut, scan_item_error, scan_item_coded, scan_item_has_crc, scan_item_crc
    }),
    .s_valid(scan_item_valid),
    .s_ready(scan_item_ready),
    .m_data({item_end, item_cut, item_error, item_coded, item_has_crc, item_crc}),
    .m_valid(item_valid),
    .m_ready(item_ready)
);

wire [8*BYTES-1:0] cutter_data;
wire [INDEX_BITS:0] cutter_bytes;
wire cutter_last;
wire cutter_coded;
wire cutter_valid;
wire cutter_ready;

qlc_payload_cutter #(
    .BYTES(BYTES),
    .POS_BITS(POS_BITS)
)
cutter_inst (
    .clk(clk),
    .rst(rst),
    .cut_end(cut_end),
    .cut_coded(cut_coded),
    .cut_first(cut_first),
    .cut_final(cut_final),
    .cut_bytes(cut_bytes),
    .cut_valid(cut_valid),
    .cut_ready(cut_ready),
    .s_data(beat_data),
    .s_bytes(beat_bytes),
    .s_last(beat_last),
    .s_number(beat_number),
    .s_valid(beat_valid),
    .s_ready(beat_ready),
    .m_data(cutter_data),
    .m_bytes(cutter_bytes),
    .m_last(cutter_last),
    .m_coded(cutter_coded),
    .m_valid(cutter_valid),
    .m_ready(cutter_ready)
);

qlc_fifo #(
    .WIDTH(8*BYTES + COUNT_BITS + 1 + 1),
    .DEPTH(2)
)
payload_inst (
    .clk(clk),
    .rst(rst),
    .s_data({cutter_data, cutter_bytes, cutter_last, cutter_coded}),
    .s_valid(cutter_valid),
    .s_ready(cutter_ready),
    .m_data({payload_data, payload_bytes, payload_last, payload_coded}),
    .m_valid(payload_valid),
    .m_ready(payload_ready)
);

endmodule

`resetall
