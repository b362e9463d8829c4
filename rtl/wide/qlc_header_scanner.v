// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC header scanner: goes from header to header through the packets in a beat store, ahead of the cutter,
 * which takes the payloads.
 *
 *   look     waits until the header's bytes are there, or the packet ends before
 *   judge    acts on which it is; meanwhile the bytes are fetched
 *   decode   aligns them
 *   jump     gives the header's verdict; the next header is behind the payload
 *
 * A block takes 4 cycles, whatever its length, and a packet's end 2.
 *
 * For every block whose header is good, and for every packet's end, an entry leaves on each of these. Only
 * coded blocks have a job.
 *
 *   cuts     where the payload is, for the cutter
 *   jobs     symbols and bank, for the decoder
 *   items    kind and CRC, for who puts the symbols in order. An end has its error, as in qlc_wide_parser;
 *            item_cut tells whether the packet ends in the last block's payload
 */
module qlc_header_scanner #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Bytes of a beat, a power of two, 16 or more
    parameter BYTES = 32,
    // Width of a position in the store
    parameter POS_BITS = 14,
    // Not to be set: widths of a bank's number, of a byte's place in a beat, of a beat's number
    parameter BANK_BITS = $clog2(TABLES + 1),
    parameter INDEX_BITS = $clog2(BYTES),
    parameter BEAT_BITS = POS_BITS - INDEX_BITS
)
(
    input  wire                        clk,
    input  wire                        rst,

    // Tables that are loaded, and their banks, by table id
    input  wire [TABLES-1:0]           loaded,
    input  wire [TABLES*BANK_BITS-1:0] banks,
    // A block without CRC is wrong
    input  wire                        require_crc,

    /*
     * The store
     */
    input  wire [BEAT_BITS-1:0]        written,
    input  wire [POS_BITS-1:0]         end_at,
    input  wire                        end_partial,
    input  wire [BEAT_BITS-1:0]        end_next,
    input  wire                        end_valid,
    output wire                        end_ready,
    output wire [POS_BITS-1:0]         look_at,
    input  wire [127:0]                look_data,

    /*
     * Entries. cut_first is the position of a payload's first byte, cut_final the beat of its last
     * one, of which it takes cut_bytes
     */
    output wire                        cut_end,
    output wire                        cut_coded,
    output wire [POS_BITS-1:0]         cut_first,
    output wire [BEAT_BITS-1:0]        cut_final,
    output wire [INDEX_BITS:0]         cut_bytes,
    output wire                        cut_valid,
    input  wire                        cut_ready,

    output wire [12:0]                 job_symbols,
    output wire [BANK_BITS-1:0]        job_bank,
    output wire                        job_valid,
    input  wire                        job_ready,

    output wire                        item_end,
    output wire                        item_cut,
    output wire [3:0]                  item_error,
    output wire                        item_coded,
    output wire                        item_has_crc,
    output wire [31:0]                 item_crc,
    output wire                        item_valid,
    input  wire                        item_ready
);

localparam [3:0]
    GOOD = 4'd0,
    TRUNCATED = 4'd1,
    AFTER_LAST = 4'd9,
    PARTIAL_BEAT = 4'd10;

localparam [2:0]
    STATE_LOOK = 3'd0,
    STATE_JUDGE = 3'd1,
    STATE_DECODE = 3'd2,
    STATE_JUMP = 3'd3,
    STATE_FAIL = 3'd4,
    STATE_DROP = 3'd5;

// A header and its CRC that begin before this byte of a beat end in the beat
localparam STRADDLES = BYTES - 8;

reg [2:0] state_reg;
// Where the header is
reg [POS_BITS-1:0] pos_reg;
// The header is the packet's first; it is behind the block marked last
reg first_reg;
reg behind_reg;

assign look_at = pos_reg;

/*
 * Look: what the store knows
 */
// Bytes from the header to the packet's end, negative where the end is before
wire [POS_BITS-1:0] left = end_at - pos_reg;
// Beats from the header's on, modulo 2^BEAT_BITS
wire [BEAT_BITS-1:0] here = written - pos_reg[POS_BITS-1:INDEX_BITS];

// The packet's end is known; it is before the header, at it, less than 4 or 8 bytes behind
reg known_reg;
reg partial_reg;
reg passed_reg;
reg none_reg;
reg below_4_reg;
reg below_8_reg;
// The header and its CRC are in the store
reg stored_reg;
// Where the payload is behind a header without CRC, and with
reg [POS_BITS-1:0] plain_reg;
reg [POS_BITS-1:0] behind_crc_reg;

always @(posedge clk) begin
    known_reg <= end_valid;
    partial_reg <= end_partial;
    passed_reg <= left[POS_BITS-1];
    none_reg <= left == 0;
    below_4_reg <= left[POS_BITS-1:2] == 0;
    below_8_reg <= left[POS_BITS-1:3] == 0;
    stored_reg <= !here[BEAT_BITS-1] && (here[BEAT_BITS-2:1] != 0
        || (here[0] && pos_reg[INDEX_BITS-1:0] < STRADDLES[INDEX_BITS-1:0]));
    plain_reg <= pos_reg + 4;
    behind_crc_reg <= pos_reg + 8;
end

/*
 * Decode
 */
wire [127:0] aligned = look_data >> {pos_reg[2:0], 3'd0};

reg [31:0] header_reg;
reg [31:0] crc_reg;

always @(posedge clk) begin
    if (state_reg == STATE_DECODE) begin
        header_reg <= {aligned[7:0], aligned[15:8], aligned[23:16], aligned[31:24]};
        crc_reg <= {aligned[39:32], aligned[47:40], aligned[55:48], aligned[63:56]};
    end
end

/*
 * Jump
 */
wire coded;
wire has_crc;
wire last_block;
wire [11:0] payload_less_1;
wire [3:0] header_error;

qlc_block_header #(
    .TABLES(TABLES)
)
header_inst (
    .header(header_reg),
    .loaded(loaded),
    .banks(banks),
    .require_crc(require_crc),
    .coded(coded),
    .has_crc(has_crc),
    .last(last_block),
    .symbols(job_symbols),
    .payload_less_1(payload_less_1),
    .bank(job_bank),
    .error(header_error)
);

wire [POS_BITS-1:0] first = has_crc ? behind_crc_reg : plain_reg;
// Positions of the payload's last byte, and of the byte behind it
wire [POS_BITS-1:0] last = first + {{POS_BITS-12{1'b0}}, payload_less_1};
wire [POS_BITS-1:0] next = first + {{POS_BITS-12{1'b0}}, payload_less_1} + 1;

/*
 * Steps
 */
wire free = cut_ready && job_ready && item_ready;
wire at_end = state_reg == STATE_JUDGE && known_reg && (passed_reg || below_4_reg);
wire crc_short = has_crc && known_reg && below_8_reg;
wire block = state_reg == STATE_JUMP && header_error == GOOD && !crc_short;
wire fail = state_reg == STATE_FAIL;

reg [3:0] error_reg;

wire [3:0] end_error = partial_reg ? PARTIAL_BEAT : TRUNCATED;
wire end_good = none_reg && !partial_reg && (first_reg || behind_reg);

// The packet is over for the scanner, and its end known
wire leave = (at_end && free) || (state_reg == STATE_DROP && end_valid);

assign end_ready = leave;

always @(posedge clk) begin
    case (state_reg)
        STATE_LOOK: begin
            state_reg <= STATE_JUDGE;
        end
        STATE_JUDGE: begin
            if (at_end) begin
                if (free) begin
                    state_reg <= STATE_LOOK;
                end
            end else if (known_reg || stored_reg) begin
                error_reg <= AFTER_LAST;
                state_reg <= behind_reg ? STATE_FAIL : STATE_DECODE;
            end
        end
        STATE_DECODE: begin
            state_reg <= STATE_JUMP;
        end
        STATE_JUMP: begin
            error_reg <= header_error != GOOD ? header_error : end_error;

            if (!block) begin
                state_reg <= STATE_FAIL;
            end else if (free) begin
                pos_reg <= next;
                first_reg <= 1'b0;
                behind_reg <= last_block;
                state_reg <= STATE_LOOK;
            end
        end
        STATE_FAIL: begin
            if (free) begin
                state_reg <= STATE_DROP;
            end
        end
        default: begin
            if (end_valid) begin
                state_reg <= STATE_LOOK;
            end
        end
    endcase

    if (leave) begin
        pos_reg <= {end_next, {INDEX_BITS{1'b0}}};
        first_reg <= 1'b1;
        behind_reg <= 1'b0;
    end

    if (rst) begin
        pos_reg <= 0;
        first_reg <= 1'b1;
        behind_reg <= 1'b0;
        state_reg <= STATE_LOOK;
    end
end

/*
 * Entries
 */
assign cut_end = !block;
assign cut_coded = coded;
assign cut_first = first;
assign cut_final = last[POS_BITS-1:INDEX_BITS];
assign cut_bytes = {next[INDEX_BITS-1:0] == 0, next[INDEX_BITS-1:0]};
assign cut_valid = (block || at_end || fail) && job_ready && item_ready;

assign job_valid = block && coded && cut_ready && item_ready;

assign item_end = !block;
assign item_cut = at_end && passed_reg;
assign item_error = fail ? error_reg
    : !at_end || end_good ? GOOD
    : behind_reg && !none_reg && !passed_reg ? AFTER_LAST : end_error;
assign item_coded = coded;
assign item_has_crc = has_crc && block;
assign item_crc = crc_reg;
assign item_valid = (block || at_end || fail) && cut_ready && job_ready;

wire unused = &{1'b0, aligned[127:64], last[INDEX_BITS-1:0]};

endmodule

`resetall
