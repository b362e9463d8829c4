// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC narrow parser: cuts packets, beats of 32 bytes, into blocks and those into header, CRC and
 * payload, each of them at any byte.
 *
 * Two streams leave, in the order of the packet:
 *
 *   items     one for every block whose header is good, before its payload, and one for the
 *             packet's end. The end says what is wrong with the packet's outside, if anything:
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
 *   payloads  in parts of 32 bytes (raw) or CODED_BYTES (coded), the last part perhaps shorter,
 *             or empty where the packet ends right before it. Unused bytes are 0.
 *
 * What follows an error in a packet is dropped. A block takes 3 cycles beside its payload.
 */
module qlc_narrow_parser #
(
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Bytes of a part of a coded payload, 1..32
    parameter CODED_BYTES = 4,
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

    // Beats, as qlc_beat_guard gives them
    input  wire [255:0]                s_data,
    input  wire [5:0]                  s_bytes,
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
     * Payloads. Symbols and bank are those of the block; keep tells a coded part's bytes in use
     */
    output wire [255:0]                payload_data,
    output wire [5:0]                  payload_bytes,
    output wire [CODED_BYTES-1:0]      payload_keep,
    output wire                        payload_last,
    output wire                        payload_coded,
    output wire [12:0]                 payload_symbols,
    output wire [BANK_BITS-1:0]        payload_bank,
    output wire                        payload_valid,
    input  wire                        payload_ready
);

localparam [3:0]
    GOOD = 4'd0,
    TRUNCATED = 4'd1,
    AFTER_LAST = 4'd9,
    PARTIAL_BEAT = 4'd10;

localparam [2:0]
    STATE_HEADER = 3'd0,
    STATE_CHECK = 3'd1,
    STATE_BEGIN = 3'd2,
    STATE_PAYLOAD = 3'd3,
    STATE_BEHIND = 3'd4,
    STATE_FAIL = 3'd5,
    STATE_DROP = 3'd6;

localparam [5:0] WORD = 6'd4;
localparam [12:0] RAW_STEP = 13'd32;
localparam [12:0] CODED_STEP = CODED_BYTES;

// check configuration
initial begin
    if (TABLES < 1 || TABLES > 32) begin
        $error("Error: TABLES must be 1..32 (instance %m)");
        $finish;
    end

    if (CODED_BYTES < 1 || CODED_BYTES > 32) begin
        $error("Error: CODED_BYTES must be 1..32 (instance %m)");
        $finish;
    end
end

/*
 * Input: two beats in view, the current one and the head of a FIFO
 */
wire [255:0] next_data;
wire [5:0] next_bytes;
wire next_last;
wire next_partial;
wire next_valid;
wire next_ready;

qlc_fifo #(
    .WIDTH(256 + 6 + 1 + 1),
    .DEPTH(2)
)
input_inst (
    .clk(clk),
    .rst(rst),
    .s_data({s_partial, s_last, s_bytes, s_data}),
    .s_valid(s_valid),
    .s_ready(s_ready),
    .m_data({next_partial, next_last, next_bytes, next_data}),
    .m_valid(next_valid),
    .m_ready(next_ready)
);

reg [255:0] current_data_reg;
reg [5:0] current_bytes_reg;
reg current_last_reg;
reg current_partial_reg;
reg current_valid_reg;

// Where the parser is: a byte of the current beat; 32 is the end of a packet's full last beat
reg [5:0] position_reg;
// Bytes that it wants next, and where they end
reg [5:0] want_reg;
reg [6:0] goal_reg;

reg [2:0] state_reg;
// No block of the packet has begun
reg first_reg;
reg [31:0] header_reg;
reg [31:0] crc_reg;
reg [3:0] error_reg;
reg cut_reg;
reg [BANK_BITS-1:0] bank_reg;
// Payload bytes to come, from the wanted ones on; those are the last
reg [12:0] remaining_reg;
reg final_reg;

/*
 * What is in view from the position on
 */
wire [255:0] view;
wire [255:0] view_rest;

assign {view_rest, view} = {next_data, current_data_reg} >> {position_reg[4:0], 3'd0};

// 4 bytes, the first of them most significant
wire [31:0] word = {view[7:0], view[15:8], view[23:16], view[31:24]};

// Behind the last byte in view, counted as the goal is
wire [6:0] view_end = current_last_reg ? {1'b0, current_bytes_reg}
    : 7'd32 + (next_valid ? {1'b0, next_bytes} : 7'd0);
wire [6:0] view_bytes = view_end - {1'b0, position_reg};
// The view goes to the end of the packet
wire view_ends = current_last_reg || (next_valid && next_last);
wire view_partial = current_last_reg ? current_partial_reg : next_partial;
wire [3:0] end_error = view_partial ? PARTIAL_BEAT : TRUNCATED;

/*
 * Header
 */
wire header_coded;
wire header_has_crc;
wire header_last;
wire [12:0] header_symbols;
wire [11:0] header_payload_less_1;
wire [12:0] header_payload = {1'b0, header_payload_less_1} + 13'd1;
wire [BANK_BITS-1:0] header_bank;
wire [3:0] header_error;

qlc_block_header #(
    .TABLES(TABLES)
)
header_inst (
    .header(header_reg),
    .loaded(loaded),
    .banks(banks),
    .require_crc(require_crc),
    .coded(header_coded),
    .has_crc(header_has_crc),
    .last(header_last),
    .symbols(header_symbols),
    .payload_less_1(header_payload_less_1),
    .bank(header_bank),
    .error(header_error)
);

/*
 * Steps. What the next one wants is known a step ahead, so that taking it is a comparison
 */
wire enough = current_valid_reg
    && (current_last_reg ? goal_reg <= {1'b0, current_bytes_reg}
        : goal_reg <= 32 || (next_valid && goal_reg <= {1'b0, next_bytes} + 7'd32));
// The packet ends before that
wire short = current_valid_reg && view_ends && !enough;
wire finished = current_valid_reg && current_last_reg && current_bytes_reg == position_reg;

wire payload_free = !payload_valid || payload_ready;

wire take_header = state_reg == STATE_HEADER && enough;
wire take_crc = state_reg == STATE_CHECK && header_error == GOOD && header_has_crc && enough;
wire take_payload = state_reg == STATE_PAYLOAD && enough && payload_free;
wire take_short = state_reg == STATE_PAYLOAD && short && payload_free;
wire take = take_header || take_crc || take_payload;

wire end_good = finished && !current_partial_reg
    && (state_reg == STATE_BEHIND || (state_reg == STATE_HEADER && first_reg));

wire pass = take && !current_last_reg && goal_reg >= 32;
// The packet is over for the parser when its last beat goes
wire drop = (end_good && item_ready) || (state_reg == STATE_DROP && current_valid_reg);
wire current_free = !current_valid_reg || pass || drop;

assign next_ready = current_free;

// Parts: the first of a payload, and the one behind the wanted one
wire [12:0] step = header_coded ? CODED_STEP : RAW_STEP;
wire [12:0] remaining_next = remaining_reg - step;
wire begin_final = remaining_reg <= step;
wire next_final = remaining_reg <= step << 1;
wire [5:0] begin_part = begin_final ? remaining_reg[5:0] : step[5:0];
wire [5:0] next_part = next_final ? remaining_next[5:0] : step[5:0];

wire [5:0] position_next = {current_last_reg && goal_reg[5], goal_reg[4:0]};
wire [5:0] want_next = state_reg == STATE_PAYLOAD && !final_reg ? next_part : WORD;

always @(posedge clk) begin
    if (current_free) begin
        current_valid_reg <= next_valid;
    end

    if (current_free && next_valid) begin
        current_data_reg <= next_data;
        current_bytes_reg <= next_bytes;
        current_last_reg <= next_last;
        current_partial_reg <= next_partial;
    end

    if (take) begin
        position_reg <= position_next;
        want_reg <= want_next;
        goal_reg <= {1'b0, position_next} + {1'b0, want_next};
    end else if (state_reg == STATE_BEGIN) begin
        want_reg <= begin_part;
        goal_reg <= {1'b0, position_reg} + {1'b0, begin_part};
    end

    if (drop) begin
        position_reg <= 0;
        want_reg <= WORD;
        goal_reg <= {1'b0, WORD};
    end

    // Of meaning when taken
    if (state_reg == STATE_HEADER) begin
        header_reg <= word;
    end

    if (state_reg == STATE_CHECK) begin
        crc_reg <= word;
    end

    case (state_reg)
        STATE_HEADER: begin
            error_reg <= end_error;
            cut_reg <= 1'b0;

            if (enough) begin
                state_reg <= STATE_CHECK;
            end else if (short && !end_good) begin
                state_reg <= STATE_FAIL;
            end
        end
        STATE_CHECK: begin
            remaining_reg <= header_payload;
            bank_reg <= header_bank;
            first_reg <= 1'b0;
            error_reg <= header_error != GOOD ? header_error : end_error;

            if (header_error != GOOD) begin
                state_reg <= STATE_FAIL;
            end else if (!header_has_crc || enough) begin
                state_reg <= STATE_BEGIN;
            end else if (short) begin
                state_reg <= STATE_FAIL;
            end
        end
        STATE_BEGIN: begin
            final_reg <= begin_final;

            if (item_ready) begin
                state_reg <= STATE_PAYLOAD;
            end
        end
        STATE_PAYLOAD: begin
            error_reg <= end_error;
            cut_reg <= take_short;

            if (take_payload) begin
                remaining_reg <= remaining_next;
                final_reg <= next_final;

                if (final_reg) begin
                    state_reg <= header_last ? STATE_BEHIND : STATE_HEADER;
                end
            end else if (take_short) begin
                state_reg <= STATE_FAIL;
            end
        end
        STATE_BEHIND: begin
            error_reg <= finished ? PARTIAL_BEAT : AFTER_LAST;
            cut_reg <= 1'b0;

            if (current_valid_reg && !end_good) begin
                state_reg <= STATE_FAIL;
            end
        end
        STATE_FAIL: begin
            if (item_ready) begin
                state_reg <= STATE_DROP;
            end
        end
        default: begin
        end
    endcase

    // The next packet begins
    if (drop && current_last_reg) begin
        state_reg <= STATE_HEADER;
        first_reg <= 1'b1;
    end

    if (rst) begin
        current_valid_reg <= 1'b0;
        position_reg <= 0;
        want_reg <= WORD;
        goal_reg <= {1'b0, WORD};
        state_reg <= STATE_HEADER;
        first_reg <= 1'b1;
    end
end

/*
 * Items
 */
assign item_end = state_reg != STATE_BEGIN;
assign item_cut = item_end && cut_reg && !end_good;
assign item_error = item_end && !end_good ? error_reg : GOOD;
assign item_coded = header_coded;
assign item_has_crc = header_has_crc && !item_end;
assign item_crc = crc_reg;
assign item_valid = state_reg == STATE_BEGIN || state_reg == STATE_FAIL || end_good;

/*
 * Payloads
 */
reg [255:0] payload_data_reg;
reg [5:0] payload_bytes_reg;
reg [CODED_BYTES-1:0] payload_keep_reg;
reg payload_last_reg;
reg payload_coded_reg;
reg [12:0] payload_symbols_reg;
reg [BANK_BITS-1:0] payload_bank_reg;
reg payload_valid_reg;

assign payload_data = payload_data_reg;
assign payload_bytes = payload_bytes_reg;
assign payload_keep = payload_keep_reg;
assign payload_last = payload_last_reg;
assign payload_coded = payload_coded_reg;
assign payload_symbols = payload_symbols_reg;
assign payload_bank = payload_bank_reg;
assign payload_valid = payload_valid_reg;

wire [5:0] payload_bytes_next = enough ? want_reg : view_bytes[5:0];
wire [31:0] payload_keep_next;
wire [255:0] payload_data_next;

genvar k;

generate

    for (k = 0; k < 32; k = k + 1) begin : payload
        assign payload_keep_next[k] = want_reg > k && view_bytes > k;
        assign payload_data_next[8*k +: 8] = view[8*k +: 8] & {8{payload_keep_next[k]}};
    end

endgenerate

always @(posedge clk) begin
    if (payload_free) begin
        payload_valid_reg <= take_payload || take_short;
        payload_data_reg <= payload_data_next;
        payload_bytes_reg <= payload_bytes_next;
        payload_keep_reg <= payload_keep_next[CODED_BYTES-1:0];
        payload_last_reg <= final_reg || !enough;
        payload_coded_reg <= header_coded;
        payload_symbols_reg <= header_symbols;
        payload_bank_reg <= bank_reg;
    end

    if (rst) begin
        payload_valid_reg <= 1'b0;
    end
end

wire unused = &{1'b0, view_rest, view_bytes[6]};

endmodule

`resetall
