// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC packer: joins the codewords of a beat, and the beats of a packet, into full words.
 *
 *   merge      a tree: each node joins four values, in the last stage two or four, with a
 *              register behind; how far each of the four is shifted was summed up before
 *   head       puts a head in front of the beat, where there are heads
 *   place      where in the word this beat begins and ends (the only loop: one short adder)
 *   align      rotates the beat to its place, in steps of 1, then of 32 bits
 *   collect    ORs it into the word; what passes the word's end begins the next one
 *
 * Words are most significant bit first. A packet's tail leaves with the packet: where its last
 * beat passes the end of a word, the tail follows one cycle later, beside the next packet's
 * first beat. Where that beat is a whole packet, it waits as a tail in turn, so a beat is taken
 * in every cycle in which words can leave.
 */
module qlc_packer #
(
    // Codewords per beat
    parameter SYMBOLS = 32,
    // Longest codeword
    parameter MAX_LENGTH = 11,
    // Output word, a power of two, at least SYMBOLS*MAX_LENGTH + HEAD_BITS + 31
    parameter PACKED_BITS = 512,
    // Longest head in front of a beat, 0 for no heads
    parameter HEAD_BITS = 0,
    // Not to be set: width of a codeword's length, of a byte count
    parameter SYMBOL_LENGTH_BITS = $clog2(MAX_LENGTH + 1),
    parameter COUNT_BITS = $clog2(PACKED_BITS/8 + 1),
    // Not to be set: widths of the head's ports
    parameter HEAD_PORT_BITS = HEAD_BITS > 0 ? HEAD_BITS : 1,
    parameter HEAD_LENGTH_BITS = $clog2(HEAD_PORT_BITS + 1)
)
(
    input  wire                                  clk,
    input  wire                                  rst,

    // Beats in; taken when advance is high
    input  wire [SYMBOLS*MAX_LENGTH-1:0]         codewords,
    input  wire [SYMBOLS*SYMBOL_LENGTH_BITS-1:0] lengths,
    input  wire                                  valid,
    input  wire                                  last,
    // The beat ends with 0 bits up to a whole byte of the packet
    input  wire                                  fill_byte,
    // In front of the beat's codewords: right-aligned, 0 above its length
    input  wire [HEAD_PORT_BITS-1:0]             head,
    input  wire [HEAD_LENGTH_BITS-1:0]           head_length,
    output wire                                  advance,

    // Words out; packed_bytes counts the bytes in use
    output wire [PACKED_BITS-1:0]                packed_word,
    output wire [COUNT_BITS-1:0]                 packed_bytes,
    output wire                                  packed_last,
    output wire                                  packed_valid,
    input  wire                                  packed_ready
);

localparam LEVELS = $clog2(SYMBOLS);
localparam LANES = 1 << LEVELS;
localparam BEAT_BITS = LANES*MAX_LENGTH;
localparam LENGTH_BITS = $clog2(SYMBOLS*MAX_LENGTH + 1);
localparam POSITION_BITS = $clog2(PACKED_BITS);
localparam MERGED_BITS = SYMBOLS*MAX_LENGTH;
// A beat with its head
localparam WHOLE_BITS = MERGED_BITS + HEAD_BITS;
localparam WHOLE_LENGTH_BITS = $clog2(WHOLE_BITS + 1);
localparam STEPPED_BITS = WHOLE_BITS + 31;
// A full word's bytes
localparam [COUNT_BITS-1:0] FULL_BYTES = {1'b1, {COUNT_BITS-1{1'b0}}};
// Low bits of a shift in the tree
localparam LOW_BITS = 3;
// Registers in the tree
localparam MERGE_STAGES = (LEVELS + 1)/2;

// check configuration
initial begin
    if (PACKED_BITS < STEPPED_BITS || PACKED_BITS != 1 << POSITION_BITS) begin
        $error("Error: PACKED_BITS must be a power of two and hold beat, head and 31 bits (instance %m)");
        $finish;
    end
end

/*
 * Merge. Stage l has LANES >> 2*l nodes, the last stage 1; values are right-aligned
 */
// Beats in each register of the tree; stage 0 is its input
wire [MERGE_STAGES:0] stage_valid;
wire [MERGE_STAGES:0] stage_last;
wire [MERGE_STAGES:0] stage_fill_byte;

assign stage_valid[0] = valid;
assign stage_last[0] = last;
assign stage_fill_byte[0] = fill_byte;

genvar n, l;

generate

    for (l = 1; l <= MERGE_STAGES; l = l + 1) begin : stage
        reg valid_reg;
        reg last_reg;
        reg fill_byte_reg;

        always @(posedge clk) begin
            if (advance) begin
                valid_reg <= stage_valid[l-1];
                last_reg <= stage_last[l-1];
                fill_byte_reg <= stage_fill_byte[l-1];
            end

            if (rst) begin
                valid_reg <= 1'b0;
            end
        end

        assign stage_valid[l] = valid_reg;
        assign stage_last[l] = last_reg;
        assign stage_fill_byte[l] = fill_byte_reg;
    end

    for (l = 0; l <= MERGE_STAGES; l = l + 1) begin : merge
        localparam NODES = 2*l < LEVELS ? LANES >> 2*l : 1;
        localparam NODE_BITS = BEAT_BITS/NODES;
        // Nodes that the next stage joins to one
        localparam GROUP = NODES < 4 ? NODES : 4;

        wire [BEAT_BITS-1:0] values;
        wire [NODES*LENGTH_BITS-1:0] value_lengths;
        // The lengths before the register
        wire [NODES*LENGTH_BITS-1:0] lengths_next;

        if (l == 0) begin : leaves
            for (n = 0; n < LANES; n = n + 1) begin : leaf
                if (n < SYMBOLS) begin : used
                    assign values[MAX_LENGTH*n +: MAX_LENGTH] =
                        codewords[MAX_LENGTH*n +: MAX_LENGTH];
                    assign lengths_next[LENGTH_BITS*n +: LENGTH_BITS] =
                        {{LENGTH_BITS-SYMBOL_LENGTH_BITS{1'b0}},
                            lengths[SYMBOL_LENGTH_BITS*n +: SYMBOL_LENGTH_BITS]};
                end else begin : spare
                    assign values[MAX_LENGTH*n +: MAX_LENGTH] = 0;
                    assign lengths_next[LENGTH_BITS*n +: LENGTH_BITS] = 0;
                end
            end

            assign value_lengths = lengths_next;
        end else begin : nodes
            localparam CHILDREN = 2*l <= LEVELS ? 4 : 2;
            localparam CHILD_BITS = NODE_BITS/CHILDREN;

            wire [BEAT_BITS-1:0] values_next;
            reg [BEAT_BITS-1:0] values_reg;
            reg [NODES*LENGTH_BITS-1:0] lengths_reg;

            for (n = 0; n < NODES; n = n + 1) begin : node
                reg [NODE_BITS-1:0] joined;
                reg [LENGTH_BITS-1:0] joined_length;

                integer c;

                always @* begin
                    joined = 0;
                    joined_length = 0;

                    for (c = n*CHILDREN; c < (n + 1)*CHILDREN; c = c + 1) begin
                        joined = joined
                            | ({{NODE_BITS-CHILD_BITS{1'b0}}, merge[l-1].values[CHILD_BITS*c +: CHILD_BITS]}
                                << merge[l-1].sums.behind[LENGTH_BITS*c +: LENGTH_BITS]);
                    end

                    // In pairs, for few adders in a row
                    for (c = n*CHILDREN; c < (n + 1)*CHILDREN; c = c + 2) begin
                        joined_length = joined_length
                            + (merge[l-1].value_lengths[LENGTH_BITS*c +: LENGTH_BITS]
                                + merge[l-1].value_lengths[LENGTH_BITS*(c+1) +: LENGTH_BITS]);
                    end
                end

                assign values_next[NODE_BITS*n +: NODE_BITS] = joined;
                assign lengths_next[LENGTH_BITS*n +: LENGTH_BITS] = joined_length;
            end

            always @(posedge clk) begin
                if (advance && stage_valid[l-1]) begin
                    values_reg <= values_next;
                    lengths_reg <= lengths_next;
                end
            end

            assign values = values_reg;
            assign value_lengths = lengths_reg;
        end

        // How many bits of its group are behind each value: those of the next value and those of the
        // others. Across the register the sum's high bits are added behind it: a shift needs them last
        if (l < MERGE_STAGES) begin : sums
            wire [NODES*LENGTH_BITS-1:0] behind;

            for (n = 0; n < NODES; n = n + 1) begin : node
                reg [LENGTH_BITS-1:0] next;
                reg [LENGTH_BITS-1:0] others;

                integer b;

                always @* begin
                    next = 0;
                    others = 0;

                    for (b = (n/GROUP + 1)*GROUP - 1; b > n; b = b - 1) begin
                        others = others + next;
                        next = lengths_next[LENGTH_BITS*b +: LENGTH_BITS];
                    end
                end

                if (l == 0) begin : through
                    assign behind[LENGTH_BITS*n +: LENGTH_BITS] = next + others;
                end else begin : registered
                    reg [LOW_BITS:0] low_reg;
                    reg [LENGTH_BITS-LOW_BITS-1:0] next_high_reg;
                    reg [LENGTH_BITS-LOW_BITS-1:0] others_high_reg;

                    always @(posedge clk) begin
                        if (advance && stage_valid[l-1]) begin
                            low_reg <= {1'b0, next[LOW_BITS-1:0]} + {1'b0, others[LOW_BITS-1:0]};
                            next_high_reg <= next[LENGTH_BITS-1:LOW_BITS];
                            others_high_reg <= others[LENGTH_BITS-1:LOW_BITS];
                        end
                    end

                    assign behind[LENGTH_BITS*n +: LENGTH_BITS] = {
                        next_high_reg + others_high_reg + {{LENGTH_BITS-LOW_BITS-1{1'b0}}, low_reg[LOW_BITS]},
                        low_reg[LOW_BITS-1:0]};
                end
            end
        end
    end

    if (SYMBOLS < LANES) begin : spare
        // Bits of lanes that SYMBOLS leaves out, always 0
        wire unused = &{1'b0, merge[MERGE_STAGES].values[BEAT_BITS-1:MERGED_BITS]};
    end

endgenerate

wire [MERGED_BITS-1:0] merged = merge[MERGE_STAGES].values[MERGED_BITS-1:0];
wire [LENGTH_BITS-1:0] merged_length = merge[MERGE_STAGES].value_lengths;
wire merged_valid = stage_valid[MERGE_STAGES];
wire merged_last = stage_last[MERGE_STAGES];
wire merged_fill_byte = stage_fill_byte[MERGE_STAGES];

/*
 * Head
 */
wire [WHOLE_BITS-1:0] whole;
wire [WHOLE_LENGTH_BITS-1:0] whole_length;
wire whole_valid;
wire whole_last;
wire whole_fill_byte;

generate

    if (HEAD_BITS > 0) begin : heads
        // Beside the beats of the tree
        wire [(MERGE_STAGES+1)*HEAD_BITS-1:0] waiting;
        wire [(MERGE_STAGES+1)*HEAD_LENGTH_BITS-1:0] waiting_lengths;

        assign waiting[0 +: HEAD_BITS] = head;
        assign waiting_lengths[0 +: HEAD_LENGTH_BITS] = head_length;

        for (l = 1; l <= MERGE_STAGES; l = l + 1) begin : stage
            reg [HEAD_BITS-1:0] head_reg;
            reg [HEAD_LENGTH_BITS-1:0] head_length_reg;

            always @(posedge clk) begin
                if (advance) begin
                    head_reg <= waiting[(l-1)*HEAD_BITS +: HEAD_BITS];
                    head_length_reg <= waiting_lengths[(l-1)*HEAD_LENGTH_BITS +: HEAD_LENGTH_BITS];
                end
            end

            assign waiting[l*HEAD_BITS +: HEAD_BITS] = head_reg;
            assign waiting_lengths[l*HEAD_LENGTH_BITS +: HEAD_LENGTH_BITS] = head_length_reg;
        end

        reg [WHOLE_BITS-1:0] whole_reg;
        reg [WHOLE_LENGTH_BITS-1:0] whole_length_reg;
        reg whole_valid_reg;
        reg whole_last_reg;
        reg whole_fill_byte_reg;

        always @(posedge clk) begin
            if (advance) begin
                whole_valid_reg <= merged_valid;
            end

            if (advance && merged_valid) begin
                whole_reg <= {{HEAD_BITS{1'b0}}, merged}
                    | ({{MERGED_BITS{1'b0}}, waiting[MERGE_STAGES*HEAD_BITS +: HEAD_BITS]} << merged_length);
                whole_length_reg <= {{WHOLE_LENGTH_BITS-LENGTH_BITS{1'b0}}, merged_length}
                    + {{WHOLE_LENGTH_BITS-HEAD_LENGTH_BITS{1'b0}},
                        waiting_lengths[MERGE_STAGES*HEAD_LENGTH_BITS +: HEAD_LENGTH_BITS]};
                whole_last_reg <= merged_last;
                whole_fill_byte_reg <= merged_fill_byte;
            end

            if (rst) begin
                whole_valid_reg <= 1'b0;
            end
        end

        assign whole = whole_reg;
        assign whole_length = whole_length_reg;
        assign whole_valid = whole_valid_reg;
        assign whole_last = whole_last_reg;
        assign whole_fill_byte = whole_fill_byte_reg;
    end else begin : no_heads
        assign whole = merged;
        assign whole_length = merged_length;
        assign whole_valid = merged_valid;
        assign whole_last = merged_last;
        assign whole_fill_byte = merged_fill_byte;

        wire unused = &{1'b0, head, head_length};
    end

endgenerate

/*
 * Place
 */
reg [POSITION_BITS-1:0] fill_reg;

wire [POSITION_BITS:0] whole_end =
    {1'b0, fill_reg} + {{POSITION_BITS+1-WHOLE_LENGTH_BITS{1'b0}}, whole_length};
wire [POSITION_BITS:0] whole_byte_end =
    ({1'b0, fill_reg} + {{POSITION_BITS+1-WHOLE_LENGTH_BITS{1'b0}}, whole_length} + 7)
    & ~{{POSITION_BITS-2{1'b0}}, 3'd7};
wire [POSITION_BITS:0] whole_next = whole_fill_byte ? whole_byte_end : whole_end;

reg [WHOLE_BITS-1:0] placed_reg;
reg [POSITION_BITS-1:0] placed_begin_reg;
// Of the codewords, and of the 0 bits behind them
reg [POSITION_BITS-1:0] placed_end_reg;
reg [POSITION_BITS:0] placed_next_reg;
reg placed_valid_reg;
reg placed_last_reg;

always @(posedge clk) begin
    if (advance) begin
        placed_valid_reg <= whole_valid;
    end

    if (advance && whole_valid) begin
        placed_reg <= whole;
        placed_begin_reg <= fill_reg;
        placed_end_reg <= whole_end[POSITION_BITS-1:0];
        placed_next_reg <= whole_next;
        placed_last_reg <= whole_last;
        fill_reg <= whole_last ? {POSITION_BITS{1'b0}} : whole_next[POSITION_BITS-1:0];
    end

    if (rst) begin
        fill_reg <= 0;
        placed_valid_reg <= 1'b0;
    end
end

/*
 * Align: the beat's last bit goes to bit (-end) of the word
 */
wire [POSITION_BITS-1:0] rotation = -placed_end_reg;

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
        stepped_end_reg <= placed_next_reg;
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
// A packet's only beat meets the tail before it; it begins a word and so never fills it
wire wait_as_tail = tail_reg && beat_word;

assign packed_word = tail_reg ? word_reg : word;
assign packed_bytes = tail_reg ? tail_bytes_reg : full ? FULL_BYTES : bytes(aligned_end_reg);
assign packed_last = tail_reg || (aligned_last_reg && (!full || over == 0));
assign packed_valid = tail_reg || beat_word;
assign advance = packed_ready;

always @(posedge clk) begin
    if (advance) begin
        tail_reg <= aligned_valid_reg && aligned_last_reg && (wait_as_tail || (full && over != 0));
        tail_bytes_reg <= bytes({1'b0, over});
    end

    if (advance && aligned_valid_reg) begin
        word_reg <= full ? aligned_reg & ~mask_reg
            : aligned_last_reg && !wait_as_tail ? {PACKED_BITS{1'b0}} : word;
    end else if (advance && tail_reg) begin
        word_reg <= 0;
    end

    if (rst) begin
        word_reg <= 0;
        tail_reg <= 1'b0;
    end
end

endmodule

`resetall
