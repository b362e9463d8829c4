// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC block policy: adds up a block's codeword lengths as it fills, and decides raw or coded.
 *
 *   policy    raw if the packet has fewer symbols than min_packet and than a full block; coded
 *             if that saves at least min_saving bytes, and at least one
 *   all raw   always raw
 *   all coded coded wherever that saves a byte
 *
 * A block without table is raw in every mode. The answer comes 10 cycles after the block's last
 * beat; a beat is taken in every cycle.
 */
module qlc_block_policy #
(
    // Symbols in a full block, 32..4096
    parameter BLOCK_SYMBOLS = 4096
)
(
    input  wire         clk,
    input  wire         rst,

    // Beats, and what was true of their packet when it began
    input  wire         valid,
    input  wire         first,
    input  wire         last,
    input  wire [5:0]   count,
    // The block is its packet's first; the packet has a table
    input  wire         first_block,
    input  wire         known,
    input  wire [1:0]   cfg_mode,
    input  wire [12:0]  cfg_min_packet,
    input  wire [12:0]  cfg_min_saving,

    // Codeword lengths of the beat, two cycles later
    input  wire [127:0] lengths,

    // Decisions, a cycle each; counts less 1, without meaning for a block without symbols
    output wire         decided,
    output wire         coded,
    output wire [11:0]  symbols_less_1,
    output wire [11:0]  payload_less_1
);

localparam [1:0]
    MODE_RAW = 2'd1,
    MODE_CODED = 2'd2;

localparam SIDE_BITS = 13 + 13 + 2 + 1 + 1 + 6 + 1;
// Stages to the sum of a beat: ranks, lengths, sums of 4, of 16, of the beat
localparam SIDE_STAGES = 5;

genvar g;

/*
 * Sums: of 4 lanes, of 16, of the beat, of the block
 */
wire [8*6-1:0] fours;
wire [2*8-1:0] sixteens;
reg [8:0] beat_bits_reg;

generate

    for (g = 0; g < 8; g = g + 1) begin : four
        reg [5:0] sum_reg;

        always @(posedge clk) begin
            sum_reg <= ({2'd0, lengths[16*g +: 4]} + {2'd0, lengths[16*g + 4 +: 4]})
                + ({2'd0, lengths[16*g + 8 +: 4]} + {2'd0, lengths[16*g + 12 +: 4]});
        end

        assign fours[6*g +: 6] = sum_reg;
    end

    for (g = 0; g < 2; g = g + 1) begin : sixteen
        reg [7:0] sum_reg;

        always @(posedge clk) begin
            sum_reg <= ({2'd0, fours[24*g +: 6]} + {2'd0, fours[24*g + 6 +: 6]})
                + ({2'd0, fours[24*g + 12 +: 6]} + {2'd0, fours[24*g + 18 +: 6]});
        end

        assign sixteens[8*g +: 8] = sum_reg;
    end

endgenerate

always @(posedge clk) begin
    beat_bits_reg <= {1'b0, sixteens[0 +: 8]} + {1'b0, sixteens[8 +: 8]};
end

reg [SIDE_STAGES*SIDE_BITS-1:0] side_reg;
reg [SIDE_STAGES-1:0] side_valid_reg;
reg [SIDE_STAGES-1:0] side_last_reg;

always @(posedge clk) begin
    side_reg <= {side_reg[(SIDE_STAGES-1)*SIDE_BITS-1:0],
        cfg_min_packet, cfg_min_saving, cfg_mode, known, first_block, count, first};
    side_valid_reg <= {side_valid_reg[SIDE_STAGES-2:0], valid};
    side_last_reg <= {side_last_reg[SIDE_STAGES-2:0], last};

    if (rst) begin
        side_valid_reg <= 0;
    end
end

wire [12:0] beat_min_packet;
wire [12:0] beat_min_saving;
wire [1:0] beat_mode;
wire beat_known;
wire beat_first_block;
wire [5:0] beat_count;
wire beat_first;

assign {beat_min_packet, beat_min_saving, beat_mode, beat_known, beat_first_block, beat_count, beat_first} =
    side_reg[(SIDE_STAGES-1)*SIDE_BITS +: SIDE_BITS];

wire beat_valid = side_valid_reg[SIDE_STAGES-1];
wire beat_last = side_last_reg[SIDE_STAGES-1];

// The block's size in bits: the 8 low bits of the sum, and a cycle later those above
reg [7:0] low_reg;
reg [1:0] carry_reg;
reg [12:0] symbols_reg;
reg added_valid_reg;
reg added_first_reg;
reg added_last_reg;
reg [12:0] added_min_packet_reg;
reg [12:0] added_min_saving_reg;
reg [1:0] added_mode_reg;
reg added_known_reg;
reg added_first_block_reg;

always @(posedge clk) begin
    added_valid_reg <= beat_valid;
    added_first_reg <= beat_first;
    added_last_reg <= beat_last;
    added_min_packet_reg <= beat_min_packet;
    added_min_saving_reg <= beat_min_saving;
    added_mode_reg <= beat_mode;
    added_known_reg <= beat_known;
    added_first_block_reg <= beat_first_block;

    if (beat_valid) begin
        {carry_reg, low_reg} <= {2'd0, low_reg & {8{!beat_first}}} + {1'b0, beat_bits_reg};
        symbols_reg <= (symbols_reg & {13{!beat_first}}) + {7'd0, beat_count};
    end

    if (rst) begin
        added_valid_reg <= 1'b0;
    end
end

reg [15:0] total_bits_reg;
reg [12:0] total_symbols_reg;
reg total_valid_reg;
reg [12:0] total_min_packet_reg;
reg [12:0] total_min_saving_reg;
reg [1:0] total_mode_reg;
reg total_known_reg;
reg total_first_block_reg;

always @(posedge clk) begin
    total_valid_reg <= added_valid_reg && added_last_reg;
    total_symbols_reg <= symbols_reg;
    total_min_packet_reg <= added_min_packet_reg;
    total_min_saving_reg <= added_min_saving_reg;
    total_mode_reg <= added_mode_reg;
    total_known_reg <= added_known_reg;
    total_first_block_reg <= added_first_block_reg;

    if (added_valid_reg) begin
        total_bits_reg <= {(total_bits_reg[15:8] & {8{!added_first_reg}}) + {6'd0, carry_reg}, low_reg};
    end

    if (rst) begin
        total_valid_reg <= 1'b0;
    end
end

/*
 * Size in bytes, and the first rule
 */
reg compared_valid_reg;
reg [12:0] compared_symbols_reg;
reg [12:0] compared_bytes_reg;
reg compared_may_code_reg;
reg compared_small_packet_reg;
reg [12:0] compared_min_saving_reg;

wire by_size = total_mode_reg == MODE_CODED;

always @(posedge clk) begin
    compared_valid_reg <= total_valid_reg;
    compared_symbols_reg <= total_symbols_reg;
    compared_bytes_reg <= total_bits_reg[15:3] + {12'd0, total_bits_reg[2:0] != 0};
    compared_may_code_reg <= total_known_reg && total_mode_reg != MODE_RAW;
    compared_small_packet_reg <= !by_size && total_first_block_reg
        && total_symbols_reg < BLOCK_SYMBOLS[12:0] && total_symbols_reg < total_min_packet_reg;
    compared_min_saving_reg <= by_size || total_min_saving_reg == 0 ? 13'd1 : total_min_saving_reg;

    if (rst) begin
        compared_valid_reg <= 1'b0;
    end
end

/*
 * How many symbols it takes for coded to save enough
 */
reg needed_valid_reg;
reg [13:0] needed_reg;
reg [12:0] needed_symbols_reg;
reg [11:0] symbols_less_reg;
reg [11:0] bytes_less_reg;
reg may_code_reg;

wire [12:0] symbols_less = compared_symbols_reg - 1;
wire [12:0] bytes_less = compared_bytes_reg - 1;

always @(posedge clk) begin
    needed_valid_reg <= compared_valid_reg;
    needed_reg <= {1'b0, compared_bytes_reg} + {1'b0, compared_min_saving_reg};
    needed_symbols_reg <= compared_symbols_reg;
    symbols_less_reg <= symbols_less[11:0];
    bytes_less_reg <= bytes_less[11:0];
    may_code_reg <= compared_may_code_reg && !compared_small_packet_reg;

    if (rst) begin
        needed_valid_reg <= 1'b0;
    end
end

/*
 * Decision
 */
reg decided_reg;
reg coded_reg;
reg [11:0] symbols_less_1_reg;
reg [11:0] payload_less_1_reg;

wire code = may_code_reg && {1'b0, needed_symbols_reg} >= needed_reg;

assign decided = decided_reg;
assign coded = coded_reg;
assign symbols_less_1 = symbols_less_1_reg;
assign payload_less_1 = payload_less_1_reg;

always @(posedge clk) begin
    decided_reg <= needed_valid_reg;
    coded_reg <= code;
    symbols_less_1_reg <= symbols_less_reg;
    payload_less_1_reg <= code ? bytes_less_reg : symbols_less_reg;

    if (rst) begin
        decided_reg <= 1'b0;
    end
end

wire unused = &{1'b0, symbols_less[12], bytes_less[12]};

endmodule

`resetall
