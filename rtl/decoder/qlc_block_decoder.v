// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block decoder: packets of blocks in, their symbols out.
 *
 *   gate       lets packets in, between changes of tables and settings    qlc_packet_gate
 *   map        which bank holds the table of which id                     qlc_bank_map
 *   guard      refuses beats that are not as they should be               qlc_beat_guard
 *   symbols    of every block: of coded ones one a cycle                  qlc_narrow_symbols
 *              or those of a word of codewords a cycle                    qlc_wide_symbols
 *   checker    compares CRCs, finds what is wrong first                   qlc_block_checker
 *   packer     joins the parts to full beats                              qlc_byte_packer
 *
 * Without a word (WORD_BITS 0), a coded block takes a cycle a symbol and one more, a raw one a cycle
 * every 32 bytes and 3 more. The shortest packet's symbols leave 12 (raw) or 16 (coded) cycles after
 * its beat, 6 more with a CRC.
 *
 * With one, a coded block takes a cycle a word, a raw one a cycle a beat, and each one cycle more, at
 * least 4. The shortest packet's symbols leave up to 24 cycles (raw), or 26 more than the wide decoder
 * takes (coded), after its beat, 6 more with a CRC.
 *
 * Input: every beat but a packet's last should be full, and the last one's used bytes contiguous from
 * byte 0. A beat without bytes carries nothing, wherever it is; a packet without bytes gives one such
 * beat. Any other beat, a partial one, ends its packet with an error, and the rest of it is dropped.
 *
 * m_axis_tuser of a packet's last beat is 0 or what was met first in stream order:
 *
 *   1  truncated          the packet ends inside a header, CRC or payload, or without a block marked
 *                         last
 *   2  unknown-table      a coded block names a table that is not loaded
 *   3  illegal-codeword   a codeword behind that of rank 255
 *   4  length-mismatch    the codewords do not end in the payload's last byte
 *   5  nonzero-padding    a padding bit is 1
 *   6  raw-mismatch       a raw block whose payload and symbol counts differ, or with a table id
 *   7  crc-mismatch       the CRC is there and wrong
 *   8  no-crc             a block without CRC, where cfg_require_crc is 1
 *   9  after-last         bytes behind the block marked last
 *  10  partial-beat       a beat with bytes that is not full before the packet's last, or whose bytes
 *                         are not contiguous from byte 0
 *
 * The packet's beats then hold the symbols before the error; of a block with a wrong CRC, all. The
 * rest of the packet is dropped, and the next one is decoded.
 *
 * Tables: table_we writes the staging bank, table_commit makes it the table of table_id from the
 * next packet on, and table_busy is high until then, in which time both are ignored. A packet is
 * decoded with the tables that were loaded at its first beat. No table is loaded after a reset. A
 * table that the build cannot hold is decoded to anything, but every packet ends.
 *
 * cfg_require_crc and cfg_dtype hold for a packet as they are at its first beat: where they have
 * changed, it waits until the packets before it have left.
 */
module qlc_block_decoder #
(
    // Lengths of a table's codewords, 1..12
    parameter LENGTHS = 4,
    // Bits of a codeword that tell its length, 3..12: limits are multiples of 2^(12-KNOWN_BITS)
    parameter KNOWN_BITS = 6,
    // Shortest codeword, 1..8, and longest, 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0,
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Bits of codewords a cycle: 8, 16, 32, 64, 128, 256 or 512; 0: one symbol a cycle
    parameter WORD_BITS = 0,
    // Not to be set: bytes of a beat in and out, width of a count of the latter
    parameter S_BYTES = WORD_BITS > 256 ? WORD_BITS/8 : 32,
    parameter M_BYTES = WORD_BITS > 128 ? WORD_BITS/4 : 32,
    parameter EVENT_BITS = $clog2(M_BYTES + 1)
)
(
    input  wire                  clk,
    input  wire                  rst,

    /*
     * Tables: see qlc_decoder_core
     */
    input  wire                  table_we,
    input  wire [8:0]            table_addr,
    input  wire [31:0]           table_data,
    input  wire                  table_commit,
    input  wire [4:0]            table_id,
    output wire                  table_busy,
    output wire [TABLES-1:0]     table_loaded,

    // Which symbols count as special: 0 float8_e4m3fn, 1 float8_e4m3, 2 float8_e5m2,
    // 3 to 5 the fnuz dtypes, else none
    input  wire [2:0]            cfg_dtype,
    // A block without CRC is an error
    input  wire                  cfg_require_crc,

    /*
     * AXI4-Stream input, packets of blocks
     */
    input  wire [8*S_BYTES-1:0]  s_axis_tdata,
    input  wire [S_BYTES-1:0]    s_axis_tkeep,
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire                  s_axis_tlast,

    /*
     * AXI4-Stream output, symbols
     */
    output wire [8*M_BYTES-1:0]  m_axis_tdata,
    output wire [M_BYTES-1:0]    m_axis_tkeep,
    output wire                  m_axis_tvalid,
    input  wire                  m_axis_tready,
    output wire                  m_axis_tlast,
    output wire [3:0]            m_axis_tuser,

    /*
     * Events, one cycle each: a packet has left; a good block is over; symbols, bytes and special
     * values that have left; what was wrong with a packet, bit n for error n
     */
    output wire                  ev_packet,
    output wire                  ev_block_raw,
    output wire                  ev_block_coded,
    output wire [EVENT_BITS-1:0] ev_symbols,
    output wire [EVENT_BITS-1:0] ev_bytes,
    output wire [EVENT_BITS-1:0] ev_special,
    output wire [10:0]           ev_error
);

localparam BANKS = TABLES + 1;
localparam BANK_BITS = $clog2(BANKS);
localparam S_COUNT_BITS = $clog2(S_BYTES + 1);
// Packets that may be inside
localparam PACKETS = WORD_BITS == 0 ? 31 : 63;

// check configuration
initial begin
    if (WORD_BITS != 0 && (WORD_BITS < 8 || WORD_BITS > 512 || WORD_BITS != 1 << $clog2(WORD_BITS))) begin
        $error("Error: WORD_BITS must be 0, 8, 16, 32, 64, 128, 256 or 512 (instance %m)");
        $finish;
    end
end

/*
 * Gate and map
 */
wire [BANK_BITS-1:0] staging_bank;
wire [TABLES*BANK_BITS-1:0] banks;
wire map_commit;
wire [4:0] map_commit_id;
wire [2:0] dtype;
wire require_crc;
wire open;
wire guard_ready;
wire take = s_axis_tvalid && s_axis_tready;
wire leave;

assign s_axis_tready = guard_ready && open;

qlc_packet_gate #(
    .TABLES(TABLES),
    .PACKETS(PACKETS)
)
gate_inst (
    .clk(clk),
    .rst(rst),
    .open(open),
    .take(take),
    .take_last(s_axis_tlast),
    .leave(leave),
    .commit(table_commit),
    .commit_id(table_id),
    .busy(table_busy),
    .map_commit(map_commit),
    .map_commit_id(map_commit_id),
    .cfg_dtype(cfg_dtype),
    .cfg_require_crc(cfg_require_crc),
    .dtype(dtype),
    .require_crc(require_crc)
);

qlc_bank_map #(
    .TABLES(TABLES)
)
bank_map_inst (
    .clk(clk),
    .rst(rst),
    .commit(map_commit),
    .commit_id(map_commit_id),
    .staging_bank(staging_bank),
    .loaded(table_loaded),
    .banks(banks)
);

/*
 * Guard
 */
wire [S_COUNT_BITS-1:0] beat_bytes;
wire beat_last;
wire beat_partial;
wire beat_valid;
wire beat_ready;

qlc_beat_guard #(
    .BYTES(S_BYTES)
)
guard_inst (
    .clk(clk),
    .rst(rst),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid && open),
    .s_axis_tready(guard_ready),
    .s_axis_tlast(s_axis_tlast),
    .m_bytes(beat_bytes),
    .m_last(beat_last),
    .m_partial(beat_partial),
    .m_valid(beat_valid),
    .m_ready(beat_ready)
);

/*
 * Symbols of the blocks
 */
wire [8*M_BYTES-1:0] part_data;
wire [EVENT_BITS-1:0] part_bytes;
wire part_last;
wire part_coded;
wire part_has_crc;
wire [31:0] part_crc;
wire part_end;
wire part_cut;
wire [3:0] part_error;
wire part_valid;
wire part_ready;

generate

    if (WORD_BITS == 0) begin : narrow
        qlc_narrow_symbols #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST),
            .RAW_BITS(RAW_BITS),
            .TABLES(TABLES)
        )
        symbols_inst (
            .clk(clk),
            .rst(rst),
            .loaded(table_loaded),
            .banks(banks),
            .require_crc(require_crc),
            .table_we(table_we && !table_busy),
            .table_bank(staging_bank),
            .table_addr(table_addr),
            .table_data(table_data),
            .s_data(s_axis_tdata),
            .s_bytes(beat_bytes),
            .s_last(beat_last),
            .s_partial(beat_partial),
            .s_valid(beat_valid),
            .s_ready(beat_ready),
            .m_data(part_data),
            .m_bytes(part_bytes),
            .m_last(part_last),
            .m_coded(part_coded),
            .m_has_crc(part_has_crc),
            .m_crc(part_crc),
            .m_end(part_end),
            .m_cut(part_cut),
            .m_error(part_error),
            .m_valid(part_valid),
            .m_ready(part_ready)
        );
    end else begin : wide
        qlc_wide_symbols #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST),
            .RAW_BITS(RAW_BITS),
            .TABLES(TABLES),
            .WORD_BITS(WORD_BITS)
        )
        symbols_inst (
            .clk(clk),
            .rst(rst),
            .loaded(table_loaded),
            .banks(banks),
            .require_crc(require_crc),
            .table_we(table_we && !table_busy),
            .table_bank(staging_bank),
            .table_addr(table_addr),
            .table_data(table_data),
            .s_data(s_axis_tdata),
            .s_bytes(beat_bytes),
            .s_last(beat_last),
            .s_partial(beat_partial),
            .s_valid(beat_valid),
            .s_ready(beat_ready),
            .m_data(part_data),
            .m_bytes(part_bytes),
            .m_last(part_last),
            .m_coded(part_coded),
            .m_has_crc(part_has_crc),
            .m_crc(part_crc),
            .m_end(part_end),
            .m_cut(part_cut),
            .m_error(part_error),
            .m_valid(part_valid),
            .m_ready(part_ready)
        );
    end

endgenerate

/*
 * Checker
 */
wire [8*M_BYTES-1:0] checked_data;
wire [EVENT_BITS-1:0] checked_bytes;
wire checked_last;
wire [3:0] checked_error;
wire checked_valid;
wire checked_ready;

qlc_block_checker #(
    .BYTES(M_BYTES)
)
checker_inst (
    .clk(clk),
    .rst(rst),
    .s_data(part_data),
    .s_bytes(part_bytes),
    .s_last(part_last),
    .s_coded(part_coded),
    .s_has_crc(part_has_crc),
    .s_crc(part_crc),
    .s_end(part_end),
    .s_cut(part_cut),
    .s_error(part_error),
    .s_valid(part_valid),
    .s_ready(part_ready),
    .m_data(checked_data),
    .m_bytes(checked_bytes),
    .m_last(checked_last),
    .m_error(checked_error),
    .m_valid(checked_valid),
    .m_ready(checked_ready),
    .ev_block_raw(ev_block_raw),
    .ev_block_coded(ev_block_coded)
);

/*
 * Packer; where much depends on its being free, a FIFO tells so early
 */
wire [8*M_BYTES-1:0] packed_data;
wire [M_BYTES-1:0] packed_keep;
wire packed_last;
wire [3:0] packed_error;
wire [EVENT_BITS-1:0] packed_bytes;
wire packed_valid;
wire packed_ready;
wire [EVENT_BITS-1:0] m_bytes;

qlc_byte_packer #(
    .BYTES(M_BYTES),
    .STEPS(WORD_BITS == 0 ? 1 : 2),
    .USER_BITS(4)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .s_data(checked_data),
    .s_first({EVENT_BITS-1{1'b0}}),
    .s_bytes(checked_bytes),
    .s_last(checked_last),
    .s_user(checked_error),
    .s_valid(checked_valid),
    .s_ready(checked_ready),
    .m_axis_tdata(packed_data),
    .m_axis_tkeep(packed_keep),
    .m_axis_tvalid(packed_valid),
    .m_axis_tready(packed_ready),
    .m_axis_tlast(packed_last),
    .m_axis_tuser(packed_error),
    .m_bytes(packed_bytes)
);

generate

    if (WORD_BITS == 0) begin : direct
        assign m_axis_tdata = packed_data;
        assign m_axis_tkeep = packed_keep;
        assign m_axis_tlast = packed_last;
        assign m_axis_tuser = packed_error;
        assign m_bytes = packed_bytes;
        assign m_axis_tvalid = packed_valid;
        assign packed_ready = m_axis_tready;
    end else begin : buffered
        qlc_fifo #(
            .WIDTH(9*M_BYTES + 1 + 4 + EVENT_BITS),
            .DEPTH(2)
        )
        output_inst (
            .clk(clk),
            .rst(rst),
            .s_data({packed_data, packed_keep, packed_last, packed_error, packed_bytes}),
            .s_valid(packed_valid),
            .s_ready(packed_ready),
            .m_data({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser, m_bytes}),
            .m_valid(m_axis_tvalid),
            .m_ready(m_axis_tready)
        );
    end

endgenerate

/*
 * Events of the output
 */
reg ev_packet_reg;
reg [EVENT_BITS-1:0] ev_symbols_reg;
reg [10:0] ev_error_reg;

assign ev_packet = ev_packet_reg;
assign ev_symbols = ev_symbols_reg;
assign ev_bytes = ev_symbols_reg;
assign ev_error = ev_error_reg;

wire sent = m_axis_tvalid && m_axis_tready;
wire sent_last = sent && m_axis_tlast;

assign leave = sent_last;

always @(posedge clk) begin
    ev_packet_reg <= sent_last;
    ev_symbols_reg <= m_bytes & {EVENT_BITS{sent}};
    ev_error_reg <= (11'd1 << m_axis_tuser) & {{10{sent_last}}, 1'b0};

    if (rst) begin
        ev_packet_reg <= 1'b0;
        ev_symbols_reg <= 0;
        ev_error_reg <= 0;
    end
end

qlc_special_count #(
    .SYMBOLS(M_BYTES)
)
special_inst (
    .clk(clk),
    .rst(rst),
    .dtype(dtype),
    .symbols(m_axis_tdata),
    .keep(m_axis_tkeep & {M_BYTES{sent}}),
    .count(ev_special)
);

endmodule

`resetall
