// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC codeword packer: joins the codewords of a beat, and the beats of a packet, into output beats of
 * 256 bits. The stream's first bit is the most significant one.
 *
 *   sum        adds up the bits of each group of four lanes, while its codewords are made. The head's
 *              bits count in the first group
 *   pair       joins two codewords each; meanwhile adds up the bits of two groups each
 *   group      joins two pairs each; meanwhile finds where each group ends in the beat
 *   shift      shifts each group by less than 32 bits, so that it ends with a block of 32, and tells
 *              which block that is. Also finds where the next beat begins: this short adder is the
 *              only loop
 *   collect    ORs all groups into up to three output beats
 *   send       ORs what is left of the beats before into the first of them
 *
 * A register follows each stage but the last. Each group goes to its place on its own: joining the
 * groups to a whole beat first would need wider shifts and more registers.
 *
 * Up to two output beats leave in a cycle. A packet's tail leaves with the packet. Where the tail is a
 * third beat, it leaves a cycle later, and no beat is taken in that cycle. That costs no rate, since
 * a beat that gives a third one has more bits than an output beat.
 *
 * Places are counted from the right. Where a beat ends E bits behind the begin of the output beat, the
 * low bits of -E are the distance to the block's end, and clearing the lowest three rounds E up to
 * whole bytes.
 */
module qlc_codeword_packer #
(
    // Codewords per beat, 1..32
    parameter SYMBOLS = 32,
    // Longest codeword, 8..12
    parameter LONGEST = 12,
    // Shortest codeword where empty lanes are behind all others; 0 where they may be anywhere
    parameter SHORTEST = 0,
    // Words of 32 bits in the longest head in front of a beat, 0..2. Heads begin at a whole byte
    parameter HEAD_WORDS = 0,
    // Not to be set: width of a head's port
    parameter HEAD_BITS = HEAD_WORDS > 0 ? 32*HEAD_WORDS : 1
)
(
    input  wire                       clk,
    input  wire                       rst,

    // Beats in; taken when advance is high. A length of 0 is an empty lane
    input  wire [SYMBOLS*4-1:0]       lengths,
    input  wire                       valid,
    input  wire                       last,
    // The beat ends with 0 bits up to a whole byte of the packet
    input  wire                       fill_byte,
    // In front of the beat's codewords: right-aligned, 0 above its length
    input  wire [HEAD_BITS-1:0]       head,
    input  wire [1:0]                 head_words,
    output wire                       advance,

    // Codewords of the beat taken last, right-aligned, 0 above their length
    input  wire [SYMBOLS*LONGEST-1:0] codewords,

    // Output beats, none, the first or both; of a packet's last one 32 - spare bytes are in use,
    // or none where it is empty
    output wire [255:0]               first_data,
    output wire                       first_last,
    output wire                       first_empty,
    output wire                       first_valid,
    output wire [255:0]               second_data,
    output wire                       second_last,
    output wire                       second_valid,
    output wire [4:0]                 last_spare,
    // Room for two
    input  wire                       ready
);

localparam GROUPS = (SYMBOLS + 3)/4;
localparam PAIR_BITS = 2*LONGEST;
localparam GROUP_BITS = 4*LONGEST;
// With the shift
localparam PLACED_BITS = GROUP_BITS + 31;
localparam GROUP_BLOCKS = (PLACED_BITS + 31)/32;
localparam PLACED_BLOCKS = GROUP_BLOCKS > HEAD_WORDS + 1 ? GROUP_BLOCKS : HEAD_WORDS + 1;
// Where a beat can end, and its blocks of 32 bits, which its groups end with
localparam BLOCKS = (255 + 32*HEAD_WORDS + SYMBOLS*LONGEST + 31)/32;
localparam COLLECTED_BLOCKS = BLOCKS > 16 ? 24 : 16;

// check configuration
initial begin
    if (SYMBOLS < 1 || SYMBOLS > 32 || LONGEST < 8 || LONGEST > 12 || HEAD_WORDS < 0 || HEAD_WORDS > 2) begin
        $error("Error: SYMBOLS must be 1..32, LONGEST 8..12, HEAD_WORDS 0..2 (instance %m)");
        $finish;
    end

    if (SHORTEST < 0 || SHORTEST > LONGEST) begin
        $error("Error: SHORTEST must be 0..LONGEST (instance %m)");
        $finish;
    end
end

genvar g, b;

/*
 * Sum
 */
// Lanes up to four a group
wire [GROUPS*16-1:0] lane_lengths;
wire [GROUPS*GROUP_BITS-1:0] lane_codewords;

generate

    if (SYMBOLS < 4*GROUPS) begin : spare_lanes
        assign lane_lengths = {{4*(4*GROUPS-SYMBOLS){1'b0}}, lengths};
        assign lane_codewords = {{LONGEST*(4*GROUPS-SYMBOLS){1'b0}}, codewords};
    end else begin : all_lanes
        assign lane_lengths = lengths;
        assign lane_codewords = codewords;
    end

endgenerate

reg sum_valid_reg;
reg sum_last_reg;
reg sum_fill_byte_reg;
// Of the second lane, of the last, of the last two, of all four and the head
reg [GROUPS*4-1:0] second_reg;
reg [GROUPS*4-1:0] fourth_reg;
reg [GROUPS*5-1:0] behind_reg;
reg [GROUPS*7-1:0] sum_reg;

integer i;

always @(posedge clk) begin
    if (advance) begin
        sum_valid_reg <= valid;
        sum_last_reg <= last;
        sum_fill_byte_reg <= fill_byte;

        for (i = 0; i < GROUPS; i = i + 1) begin
            second_reg[4*i +: 4] <= lane_lengths[16*i + 4 +: 4];
            fourth_reg[4*i +: 4] <= lane_lengths[16*i + 12 +: 4];
            behind_reg[5*i +: 5] <=
                {1'b0, lane_lengths[16*i + 8 +: 4]} + {1'b0, lane_lengths[16*i + 12 +: 4]};
            sum_reg[7*i +: 7] <= {3'd0, lane_lengths[16*i +: 4]} + {3'd0, lane_lengths[16*i + 4 +: 4]}
                + {3'd0, lane_lengths[16*i + 8 +: 4]} + {3'd0, lane_lengths[16*i + 12 +: 4]}
                + {i == 0 && HEAD_WORDS > 0 ? head_words : 2'd0, 5'd0};
        end
    end

    if (rst) begin
        sum_valid_reg <= 1'b0;
    end
end

/*
 * Pair
 */
reg pair_valid_reg;
reg pair_last_reg;
reg pair_fill_byte_reg;
reg [2*GROUPS*PAIR_BITS-1:0] pair_reg;
reg [GROUPS*5-1:0] pair_behind_reg;
// Of each group, of each two, of the first four
reg [GROUPS*7-1:0] pair_sum_reg;
reg [(GROUPS+1)*4-1:0] pair_sums_reg;
reg [9:0] pair_half_reg;

reg [9:0] half;

always @* begin
    half = 0;

    for (i = 0; i < GROUPS && i < 4; i = i + 1) begin
        half = half + {3'd0, sum_reg[7*i +: 7]};
    end
end

always @(posedge clk) begin
    if (advance) begin
        pair_valid_reg <= sum_valid_reg;
        pair_last_reg <= sum_last_reg;
        pair_fill_byte_reg <= sum_fill_byte_reg;
        pair_behind_reg <= behind_reg;
        pair_sum_reg <= sum_reg;
        pair_sums_reg <= 0;
        pair_half_reg <= half;

        for (i = 0; i + 1 < GROUPS; i = i + 2) begin
            pair_sums_reg[4*i +: 8] <= {1'b0, sum_reg[7*i +: 7]} + {1'b0, sum_reg[7*i + 7 +: 7]};
        end
    end

    if (rst) begin
        pair_valid_reg <= 1'b0;
    end
end

generate

    for (g = 0; g < GROUPS; g = g + 1) begin : pair
        wire [GROUP_BITS-1:0] four = lane_codewords[GROUP_BITS*g +: GROUP_BITS];

        always @(posedge clk) begin
            if (advance) begin
                pair_reg[2*PAIR_BITS*g +: PAIR_BITS] <= {{LONGEST{1'b0}}, four[LONGEST +: LONGEST]}
                    | ({{LONGEST{1'b0}}, four[0 +: LONGEST]} << second_reg[4*g +: 4]);
                pair_reg[2*PAIR_BITS*g + PAIR_BITS +: PAIR_BITS] <=
                    {{LONGEST{1'b0}}, four[3*LONGEST +: LONGEST]}
                    | ({{LONGEST{1'b0}}, four[2*LONGEST +: LONGEST]} << fourth_reg[4*g +: 4]);
            end
        end
    end

endgenerate

/*
 * Group
 */
// Behind the begin of the beat
reg [GROUPS*10-1:0] ends;

always @* begin
    for (i = 0; i < GROUPS; i = i + 1) begin
        ends[10*i +: 10] = i % 2 != 0 ? {2'd0, pair_sums_reg[4*(i-1) +: 8]} : {3'd0, pair_sum_reg[7*i +: 7]};

        if (i % 4 >= 2) begin
            ends[10*i +: 10] = ends[10*i +: 10] + {2'd0, pair_sums_reg[16*(i/4) +: 8]};
        end

        if (i >= 4) begin
            ends[10*i +: 10] = ends[10*i +: 10] + pair_half_reg;
        end
    end
end

reg group_valid_reg;
reg group_last_reg;
reg group_fill_byte_reg;
reg [GROUPS*10-1:0] end_reg;
reg [GROUPS*GROUP_BITS-1:0] group_reg;

always @(posedge clk) begin
    if (advance) begin
        group_valid_reg <= pair_valid_reg;
        group_last_reg <= pair_last_reg;
        group_fill_byte_reg <= pair_fill_byte_reg;
        end_reg <= ends;

        for (i = 0; i < GROUPS; i = i + 1) begin
            group_reg[GROUP_BITS*i +: GROUP_BITS] <=
                {{PAIR_BITS{1'b0}}, pair_reg[2*PAIR_BITS*i + PAIR_BITS +: PAIR_BITS]}
                | ({{PAIR_BITS{1'b0}}, pair_reg[2*PAIR_BITS*i +: PAIR_BITS]} << pair_behind_reg[5*i +: 5]);
        end
    end

    if (rst) begin
        group_valid_reg <= 1'b0;
    end
end

/*
 * Shift
 */
// The number of bits of the output beat that are filled, negated, modulo 256; whether there are any
reg [7:0] fill_reg;
reg filled_reg;
wire [9:0] fill = {{2{filled_reg}}, fill_reg};

wire [9:0] whole_end = fill - end_reg[10*(GROUPS-1) +: 10];
wire [9:0] next_begin = {whole_end[9:3], whole_end[2:0] & {3{!group_fill_byte_reg}}};

reg shift_valid_reg;
reg shift_last_reg;
reg [9:0] shift_end_reg;

always @(posedge clk) begin
    if (advance) begin
        shift_valid_reg <= group_valid_reg;
        shift_last_reg <= group_last_reg;
        shift_end_reg <= next_begin;
    end

    if (advance && group_valid_reg) begin
        fill_reg <= next_begin[7:0] & {8{!group_last_reg}};
        filled_reg <= next_begin[7:0] != 0 && !group_last_reg;
    end

    if (rst) begin
        shift_valid_reg <= 1'b0;
        fill_reg <= 0;
        filled_reg <= 1'b0;
    end
end

// By group, and of the head behind them: bits, and the block that they end with, one-hot
wire [(GROUPS+1)*32*PLACED_BLOCKS-1:0] placed;
wire [(GROUPS+1)*BLOCKS-1:0] places;

generate

    for (g = 0; g < GROUPS; g = g + 1) begin : shift
        // The blocks that the group can end with
        localparam LANES = 4*(g + 1) < SYMBOLS ? 4*(g + 1) : SYMBOLS;
        localparam FIRST_PLACE = (4*g*SHORTEST)/32;
        localparam PLACES = (255 + 32*HEAD_WORDS + LANES*LONGEST + 31)/32;

        // The low bits, with their borrow, and the high ones without it
        wire [5:0] low = {1'b0, fill[4:0]} - {1'b0, end_reg[10*g +: 5]};
        wire [4:0] high = fill[9:5] - end_reg[10*g + 5 +: 5];
        wire [31:0] at = 32'd1 << high;

        reg [PLACED_BITS-1:0] placed_reg;

        always @(posedge clk) begin
            if (advance) begin
                placed_reg <= {31'd0, group_reg[GROUP_BITS*g +: GROUP_BITS]} << low[4:0];
            end
        end

        assign placed[32*PLACED_BLOCKS*g +: 32*PLACED_BLOCKS] =
            {{32*PLACED_BLOCKS-PLACED_BITS{1'b0}}, placed_reg};

        for (b = 0; b < BLOCKS; b = b + 1) begin : place
            if (b >= FIRST_PLACE && b < PLACES) begin : possible
                reg place_reg;

                always @(posedge clk) begin
                    if (advance) begin
                        place_reg <= low[5] ? at[(32-b)%32] : at[31-b];
                    end
                end

                assign places[BLOCKS*g + b] = place_reg;
            end else begin : impossible
                assign places[BLOCKS*g + b] = 1'b0;
            end
        end

        // Places behind the last
        wire unused = &{1'b0, at};
    end

    if (HEAD_WORDS > 0) begin : heads
        reg [HEAD_BITS-1:0] sum_head_reg;
        reg [1:0] sum_head_words_reg;
        reg [HEAD_BITS-1:0] pair_head_reg;
        reg [1:0] pair_head_words_reg;
        reg [HEAD_BITS-1:0] group_head_reg;
        reg [1:0] group_head_words_reg;
        reg [HEAD_BITS+23:0] placed_reg;

        wire [4:0] high = fill[9:5] - {3'd0, group_head_words_reg};

        always @(posedge clk) begin
            if (advance) begin
                sum_head_reg <= head;
                sum_head_words_reg <= head_words;
                pair_head_reg <= sum_head_reg;
                pair_head_words_reg <= sum_head_words_reg;
                group_head_reg <= pair_head_reg;
                group_head_words_reg <= pair_head_words_reg;
                placed_reg <= {24'd0, group_head_reg} << {fill[4:3], 3'd0};
            end
        end

        assign placed[32*PLACED_BLOCKS*GROUPS +: 32*PLACED_BLOCKS] =
            {{32*PLACED_BLOCKS-HEAD_BITS-24{1'b0}}, placed_reg};

        for (b = 0; b < BLOCKS; b = b + 1) begin : place
            localparam [4:0] PLACE = ~b;

            if (b < 8 + HEAD_WORDS) begin : possible
                reg place_reg;

                always @(posedge clk) begin
                    if (advance) begin
                        place_reg <= high == PLACE;
                    end
                end

                assign places[BLOCKS*GROUPS + b] = place_reg;
            end else begin : impossible
                assign places[BLOCKS*GROUPS + b] = 1'b0;
            end
        end
    end else begin : no_heads
        assign placed[32*PLACED_BLOCKS*GROUPS +: 32*PLACED_BLOCKS] = 0;
        assign places[BLOCKS*GROUPS +: BLOCKS] = 0;

        wire unused = &{1'b0, head, head_words};
    end

endgenerate

/*
 * Collect
 */
wire [32*COLLECTED_BLOCKS-1:0] collected;

generate

    for (b = 0; b < COLLECTED_BLOCKS; b = b + 1) begin : block
        if (b < BLOCKS) begin : used
            reg [31:0] data;

            integer n, k;

            always @* begin
                data = 0;

                for (n = 0; n <= GROUPS; n = n + 1) begin
                    // The last of them is the group's last block
                    for (k = 0; k < PLACED_BLOCKS; k = k + 1) begin
                        if (b + k < BLOCKS) begin
                            data = data | (placed[32*(PLACED_BLOCKS*n + k) +: 32]
                                & {32{places[BLOCKS*n + b + k]}});
                        end
                    end
                end
            end

            reg [31:0] data_reg;

            always @(posedge clk) begin
                if (advance) begin
                    data_reg <= data;
                end
            end

            assign collected[32*(COLLECTED_BLOCKS-1-b) +: 32] = data_reg;
        end else begin : spare
            assign collected[32*(COLLECTED_BLOCKS-1-b) +: 32] = 32'd0;
        end
    end

endgenerate

reg valid_reg;
reg first_valid_reg;
reg first_last_reg;
reg first_empty_reg;
reg second_valid_reg;
reg second_last_reg;
reg [4:0] spare_reg;
reg [2:0] begun_reg;
// A third output beat is left over. It is the beat that has been begun, and leaves now, alone
reg third_reg;
reg tail_reg;

// How many output beats there are with the begun one, and without it where it is not full
wire [1:0] beats_begun = -shift_end_reg[9:8];
wire [1:0] beats_full = ~shift_end_reg[9:8] + {1'b0, shift_end_reg[7:0] == 0};

assign advance = ready && !third_reg;

always @(posedge clk) begin
    if (ready) begin
        valid_reg <= shift_valid_reg || third_reg;
        first_valid_reg <= (shift_valid_reg && (shift_last_reg || beats_full != 0)) || third_reg;
        first_last_reg <= (shift_last_reg && beats_begun <= 1) || third_reg;
        first_empty_reg <= beats_begun == 0 && !third_reg;
        second_valid_reg <= shift_valid_reg && (shift_last_reg ? beats_begun[1] : beats_full[1])
            && !third_reg;
        second_last_reg <= shift_last_reg && beats_begun == 2;
        third_reg <= shift_valid_reg && shift_last_reg && beats_begun == 3 && !third_reg;
        tail_reg <= third_reg;
        begun_reg <= {beats_full[1], beats_full == 1, beats_full == 0}
            & {beats_begun == 3 || !shift_last_reg, {2{!shift_last_reg}}} & {3{!third_reg}};
    end

    if (advance) begin
        spare_reg <= shift_end_reg[7:3];
    end

    if (rst) begin
        valid_reg <= 1'b0;
        first_valid_reg <= 1'b0;
        second_valid_reg <= 1'b0;
        third_reg <= 1'b0;
    end
end

/*
 * Send
 */
reg [255:0] begun_data_reg;

assign first_data = (collected[32*COLLECTED_BLOCKS-1 -: 256] & {256{!tail_reg}}) | begun_data_reg;
assign first_last = first_last_reg;
assign first_empty = first_empty_reg;
assign first_valid = first_valid_reg;
assign second_data = collected[32*COLLECTED_BLOCKS-257 -: 256];
assign second_last = second_last_reg;
assign second_valid = second_valid_reg;
assign last_spare = spare_reg;

wire [255:0] third_data;

generate

    if (COLLECTED_BLOCKS > 16) begin : three
        assign third_data = collected[255:0];
    end else begin : two
        assign third_data = 256'd0;
    end

endgenerate

always @(posedge clk) begin
    if (ready && valid_reg) begin
        begun_data_reg <= (first_data & {256{begun_reg[0]}}) | (second_data & {256{begun_reg[1]}})
            | (third_data & {256{begun_reg[2]}});
    end

    if (rst) begin
        begun_data_reg <= 0;
    end
end

endmodule

`resetall
