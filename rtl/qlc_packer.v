// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC packer: joins the codewords of a beat, and the beats of a packet, into full words.
 *
 *   merge      a tree: each node appends its right half to its left half; a register after
 *              every second level and after the last
 *   place      where in the word this beat begins and ends (the only loop: one short adder)
 *   align      rotates the beat to its place, in steps of 1, then of 32 bits
 *   collect    ORs it into the word; what passes the word's end begins the next one
 *
 * Words are most significant bit first. A packet's tail leaves with the packet: where its last
 * beat passes the end of a word, the tail follows one cycle later, beside the next packet's
 * first beat.
 */
module qlc_packer #
(
    // Codewords per beat
    parameter SYMBOLS = 32,
    // Longest codeword
    parameter MAX_LENGTH = 11,
    // Output word, a power of two, at least SYMBOLS*MAX_LENGTH + 31
    parameter PACKED_BITS = 512,
    // Not to be set: width of a byte count
    parameter COUNT_BITS = $clog2(PACKED_BITS/8 + 1)
)
(
    input  wire                          clk,
    input  wire                          rst,

    // Beats in; taken when advance is high
    input  wire [SYMBOLS*MAX_LENGTH-1:0] codewords,
    input  wire [SYMBOLS*4-1:0]          lengths,
    input  wire                          valid,
    input  wire                          last,
    output wire                          advance,

    // Words out; packed_bytes counts the bytes in use
    output wire [PACKED_BITS-1:0]        packed_word,
    output wire [COUNT_BITS-1:0]         packed_bytes,
    output wire                          packed_last,
    output wire                          packed_valid,
    input  wire                          packed_ready
);

localparam LEVELS = $clog2(SYMBOLS);
localparam LANES = 1 << LEVELS;
localparam BEAT_BITS = LANES*MAX_LENGTH;
localparam LENGTH_BITS = $clog2(SYMBOLS*MAX_LENGTH + 1);
localparam POSITION_BITS = $clog2(PACKED_BITS);
localparam MERGED_BITS = SYMBOLS*MAX_LENGTH;
localparam STEPPED_BITS = MERGED_BITS + 31;
// A full word's bytes
localparam [COUNT_BITS-1:0] FULL_BYTES = {1'b1, {COUNT_BITS-1{1'b0}}};
// Registers in the tree
localparam MERGE_STAGES = (LEVELS + 1)/2;

// check configuration
initial begin
    if (PACKED_BITS < STEPPED_BITS || PACKED_BITS != 1 << POSITION_BITS) begin
        $error("Error: PACKED_BITS must be a power of two and hold a beat and 31 bits (instance %m)");
        $finish;
    end
end

/*
 * Merge. Level l has LANES >> l nodes of MAX_LENGTH << l bits, right-aligned.
 */
// Beats in each register of the tree; stage 0 is its input
wire [MERGE_STAGES:0] stage_valid;
wire [MERGE_STAGES:0] stage_last;

assign stage_valid[0] = valid;
assign stage_last[0] = last;

genvar n, l;

generate

    for (l = 1; l <= MERGE_STAGES; l = l + 1) begin : stage
        reg valid_reg;
        reg last_reg;

        always @(posedge clk) begin
            if (advance) begin
                valid_reg <= stage_valid[l-1];
                last_reg <= stage_last[l-1];
            end

            if (rst) begin
                valid_reg <= 1'b0;
            end
        end

        assign stage_valid[l] = valid_reg;
        assign stage_last[l] = last_reg;
    end

    for (l = 0; l <= LEVELS; l = l + 1) begin : level
        localparam NODES = LANES >> l;
        localparam NODE_BITS = MAX_LENGTH << l;

        wire [BEAT_BITS-1:0] values;
        wire [NODES*LENGTH_BITS-1:0] value_lengths;

        if (l == 0) begin : leaves
            for (n = 0; n < LANES; n = n + 1) begin : leaf
                if (n < SYMBOLS) begin : used
                    assign values[MAX_LENGTH*n +: MAX_LENGTH] =
                        codewords[MAX_LENGTH*n +: MAX_LENGTH];
                    assign value_lengths[LENGTH_BITS*n +: LENGTH_BITS] =
                        {{LENGTH_BITS-4{1'b0}}, lengths[4*n +: 4]};
                end else begin : spare
                    assign values[MAX_LENGTH*n +: MAX_LENGTH] = 0;
                    assign value_lengths[LENGTH_BITS*n +: LENGTH_BITS] = 0;
                end
            end
        end else begin : nodes
            localparam HALF_BITS = NODE_BITS/2;
            localparam SHIFT_BITS = $clog2(HALF_BITS + 1);

            for (n = 0; n < NODES; n = n + 1) begin : node
                wire [HALF_BITS-1:0] left =
                    level[l-1].values[2*n*HALF_BITS +: HALF_BITS];
                wire [HALF_BITS-1:0] right =
                    level[l-1].values[(2*n+1)*HALF_BITS +: HALF_BITS];
                wire [LENGTH_BITS-1:0] left_length =
                    level[l-1].value_lengths[2*n*LENGTH_BITS +: LENGTH_BITS];
                wire [LENGTH_BITS-1:0] right_length =
                    level[l-1].value_lengths[(2*n+1)*LENGTH_BITS +: LENGTH_BITS];
                wire [NODE_BITS-1:0] joined =
                    ({{HALF_BITS{1'b0}}, left} << right_length[SHIFT_BITS-1:0])
                    | {{HALF_BITS{1'b0}}, right};
                wire [LENGTH_BITS-1:0] joined_length = left_length + right_length;

                if (l % 2 == 0 || l == LEVELS) begin : registered
                    reg [NODE_BITS-1:0] joined_reg;
                    reg [LENGTH_BITS-1:0] joined_length_reg;

                    always @(posedge clk) begin
                        if (advance && stage_valid[(l-1)/2]) begin
                            joined_reg <= joined;
                            joined_length_reg <= joined_length;
                        end
                    end

                    assign values[n*NODE_BITS +: NODE_BITS] = joined_reg;
                    assign value_lengths[n*LENGTH_BITS +: LENGTH_BITS] = joined_length_reg;
                end else begin : through
                    assign values[n*NODE_BITS +: NODE_BITS] = joined;
                    assign value_lengths[n*LENGTH_BITS +: LENGTH_BITS] = joined_length;
                end
            end
        end
    end

    if (SYMBOLS < LANES) begin : spare
        // Bits of lanes that SYMBOLS leaves out, always 0
        wire unused = &{1'b0, level[LEVELS].values[BEAT_BITS-1:MERGED_BITS]};
    end

endgenerate

wire [MERGED_BITS-1:0] merged = level[LEVELS].values[MERGED_BITS-1:0];
wire [LENGTH_BITS-1:0] merged_length = level[LEVELS].value_lengths;
wire merged_valid = stage_valid[MERGE_STAGES];
wire merged_last = stage_last[MERGE_STAGES];

/*
 * Place
 */
reg [POSITION_BITS-1:0] fill_reg;

wire [POSITION_BITS:0] merged_end =
    {1'b0, fill_reg} + {{POSITION_BITS+1-LENGTH_BITS{1'b0}}, merged_length};

reg [MERGED_BITS-1:0] placed_reg;
reg [POSITION_BITS-1:0] placed_begin_reg;
reg [POSITION_BITS:0] placed_end_reg;
reg placed_valid_reg;
reg placed_last_reg;

always @(posedge clk) begin
    if (advance) begin
        placed_valid_reg <= merged_valid;
    end

    if (advance && merged_valid) begin
        placed_reg <= merged;
        placed_begin_reg <= fill_reg;
        placed_end_reg <= merged_end;
        placed_last_reg <= merged_last;
        fill_reg <= merged_last ? {POSITION_BITS{1'b0}} : merged_end[POSITION_BITS-1:0];
    end

    if (rst) begin
        fill_reg <= 0;
        placed_valid_reg <= 1'b0;
    end
end

/*
 * Align: the beat's last bit goes to bit (-end) of the word
 */
wire [POSITION_BITS-1:0] rotation = -placed_end_reg[POSITION_BITS-1:0];

reg [STEPPED_BITS-1:0] stepped_reg;
reg [POSITION_BITS-6:0] rotation_reg;
reg [POSITION_BITS-1:0] stepped_begin_reg;
reg [POSITION_BITS:0] stepped_end_reg;
reg stepped_valid_reg;
reg stepped_last_reg;

wire [2*PACKED_BITS-1:0] turned =
    {{2*PACKED_BITS-STEPPED_BITS{1'b0}}, stepped_reg} << {rotation_reg, 5'd0};

reg [PACKED_BITS-1:0] aligned_reg;
reg [PACKED_BITS-1:0] mask_reg;
reg [POSITION_BITS:0] aligned_end_reg;
reg aligned_valid_reg;
reg aligned_last_reg;

always @(posedge clk) begin
    if (advance) begin
        stepped_valid_reg <= placed_valid_reg;
        aligned_valid_reg <= stepped_valid_reg;
    end

    if (advance && placed_valid_reg) begin
        stepped_reg <= {31'd0, placed_reg} << rotation[4:0];
        rotation_reg <= rotation[POSITION_BITS-1:5];
        stepped_begin_reg <= placed_begin_reg;
        stepped_end_reg <= placed_end_reg;
        stepped_last_reg <= placed_last_reg;
    end

    if (advance && stepped_valid_reg) begin
        aligned_reg <= turned[PACKED_BITS-1:0] | turned[2*PACKED_BITS-1:PACKED_BITS];
        mask_reg <= {PACKED_BITS{1'b1}} >> stepped_begin_reg;
        aligned_end_reg <= stepped_end_reg;
        aligned_last_reg <= stepped_last_reg;
    end

    if (rst) begin
        stepped_valid_reg <= 1'b0;
        aligned_valid_reg <= 1'b0;
    end
end

/*
 * Collect
 */
reg [PACKED_BITS-1:0] word_reg;
// The word holds a packet's tail, to be sent now
reg tail_reg;
reg [COUNT_BITS-1:0] tail_bytes_reg;

// Bytes in use up to a bit position
function [COUNT_BITS-1:0] bytes(input [POSITION_BITS:0] bits);
    bytes = bits[POSITION_BITS:3] + {{COUNT_BITS-1{1'b0}}, bits[2:0] != 0};
endfunction

wire full = aligned_end_reg[POSITION_BITS];
wire [POSITION_BITS-1:0] over = aligned_end_reg[POSITION_BITS-1:0];
wire [PACKED_BITS-1:0] word = (tail_reg ? {PACKED_BITS{1'b0}} : word_reg) | (aligned_reg & mask_reg);
wire beat_word = aligned_valid_reg && (full || aligned_last_reg);
// Both the tail and a packet of a single beat want to leave
wire conflict = tail_reg && beat_word;

assign packed_word = tail_reg ? word_reg : word;
assign packed_bytes = tail_reg ? tail_bytes_reg : full ? FULL_BYTES : bytes(aligned_end_reg);
assign packed_last = tail_reg || (aligned_last_reg && (!full || over == 0));
assign packed_valid = tail_reg || beat_word;
assign advance = packed_ready && !conflict;

always @(posedge clk) begin
    if (packed_ready) begin
        tail_reg <= 1'b0;
    end

    if (advance && aligned_valid_reg) begin
        word_reg <= full ? aligned_reg & ~mask_reg
            : aligned_last_reg ? {PACKED_BITS{1'b0}} : word;
        tail_reg <= aligned_last_reg && full && over != 0;
        tail_bytes_reg <= bytes({1'b0, over});
    end else if (packed_ready && tail_reg) begin
        word_reg <= 0;
    end

    if (rst) begin
        word_reg <= 0;
        tail_reg <= 1'b0;
    end
end

endmodule

`resetall
