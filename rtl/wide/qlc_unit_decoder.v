// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC unit decoder: finds the ranks of the codewords that begin in one unit of a word's bits.
 *
 *   1          moves the first codeword to the front, and finds its length
 *   2, 3, ...  takes one codeword off a cycle, a slot each, and finds the length of the next one
 *   then       adds the length's step to a codeword, which gives its rank. Each slot does so in its own
 *              cycle, so the last slot's rank comes last
 *
 * A codeword that is illegal, or goes past the packet's end, stops the unit: neither that one nor those
 * behind it count.
 */
module qlc_unit_decoder #
(
    // Bits of the unit, a multiple of 8
    parameter UNIT_BITS = 16,
    // Codeword lengths of a table at most; bits that tell them; shortest and longest
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 4,
    parameter LONGEST = 12,
    // Raw bits of all tables at least
    parameter RAW_BITS = 0,
    // Not to be set: codewords that may begin in a unit, width of their count; bytes of the unit, and in view
    parameter SLOTS = (UNIT_BITS + SHORTEST - 1)/SHORTEST,
    parameter COUNT_BITS = $clog2(SLOTS + 1),
    parameter KEEP = UNIT_BITS/8 + 2
)
(
    input  wire                          clk,

    // Everything moves by one
    input  wire                          advance,

    // The unit and what is behind it, first bit most significant; which bytes of it are the packet's
    input  wire [UNIT_BITS+LONGEST-2:0]  bits,
    input  wire [KEEP-1:0]               keep,
    // Where the first codeword begins, one-hot; UNIT_BITS and more: in another unit
    input  wire [LONGEST-1:0]            entry,
    // Limits and lengths of the code, for each cycle from the first on: see qlc_codeword_length
    input  wire [(KNOWN_BITS+1)*LENGTHS*SLOTS-1:0] limits,
    input  wire [4*LENGTHS*SLOTS-1:0]    lengths,
    // For each slot in its cycle: the first illegal codeword, left-aligned, LONGEST bits and one above
    input  wire [(LONGEST+1)*SLOTS-1:0]  illegal_limits,
    // For each slot in the cycle behind: by length, what a codeword is added to, without the raw bits
    input  wire [(8-RAW_BITS)*(LONGEST+1)*SLOTS-1:0] steps,

    // SLOTS + 2 cycles later: ranks, 0 where there is no codeword; the number of good ones; what stopped it, if anything
    output wire [8*SLOTS-1:0]            ranks,
    output wire [COUNT_BITS-1:0]         count,
    output wire                          illegal,
    output wire                          cut,
    // By slot, if the packet ended with this unit and all from the slot's codeword on were padding: the
    // padding is a byte or more; one of its bits is 1
    output wire [SLOTS-1:0]              tail_full,
    output wire [SLOTS-1:0]              tail_ones
);

// From the unit's first bit to the end of a codeword that begins at its last bit
localparam VIEW_BITS = UNIT_BITS + LONGEST - 1;
// Of a place in the view, and one above
localparam POSITION_BITS = $clog2(VIEW_BITS + LONGEST + 1);
localparam CLASS_BITS = 8 - RAW_BITS;

// Before each slot: the next codeword and what is behind it, its length, where it begins, and which
// bytes are the packet's
wire [VIEW_BITS*SLOTS-1:0] rest;
wire [4*SLOTS-1:0] length;
wire [POSITION_BITS*SLOTS-1:0] position;
wire [KEEP*SLOTS-1:0] kept;

wire [SLOTS-1:0] slot_here;
wire [SLOTS-1:0] slot_complete;
wire [SLOTS-1:0] slot_illegal;

genvar k;

generate

    /*
     * To the front, and what the next codeword's length is
     */
    for (k = 0; k < SLOTS; k = k + 1) begin : front
        wire [VIEW_BITS-1:0] moved;
        wire [POSITION_BITS-1:0] begins;
        wire [KEEP-1:0] have;

        if (k == 0) begin : first
            reg [VIEW_BITS-1:0] first_moved;
            reg [POSITION_BITS-1:0] first_begins;
            integer e;

            always @* begin
                first_moved = 0;
                first_begins = 0;

                for (e = 0; e < LONGEST; e = e + 1) begin
                    first_moved = first_moved | (bits << e & {VIEW_BITS{entry[e]}});
                    first_begins = first_begins | (e[POSITION_BITS-1:0] & {POSITION_BITS{entry[e]}});
                end
            end

            assign moved = first_moved;
            assign begins = first_begins;
            assign have = keep;
        end else begin : next
            assign moved = slot[k-1].moved[VIEW_BITS-1:0];
            assign begins = slot[k-1].here_unit ? slot[k-1].ends : slot[k-1].begins;
            assign have = slot[k-1].have;
        end

        // No codeword that is left begins before this place, so the view has fewer bits
        localparam LEFT_BITS = VIEW_BITS - k*SHORTEST;

        wire [LENGTHS-1:0] is_length;

        qlc_codeword_length #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS)
        )
        length_inst (
            .bits(moved[VIEW_BITS-1 -: KNOWN_BITS]),
            .limits(limits[(KNOWN_BITS+1)*LENGTHS*k +: (KNOWN_BITS+1)*LENGTHS]),
            .is_length(is_length)
        );

        reg [3:0] found;
        integer n;

        always @* begin
            found = 4'd0;

            for (n = 0; n < LENGTHS; n = n + 1) begin
                found = found | (lengths[4*LENGTHS*k + 4*n +: 4] & {4{is_length[n]}});
            end
        end

        reg [LEFT_BITS-1:0] rest_reg;
        reg [3:0] length_reg;
        reg [POSITION_BITS-1:0] position_reg;
        reg [KEEP-1:0] kept_reg;

        always @(posedge clk) begin
            if (advance) begin
                rest_reg <= moved[VIEW_BITS-1 -: LEFT_BITS];
                length_reg <= found;
                position_reg <= begins;
                kept_reg <= have;
            end
        end

        if (k == 0) begin : whole
            assign rest[VIEW_BITS-1:0] = rest_reg;
        end else begin : part
            assign rest[VIEW_BITS*k +: VIEW_BITS] = {rest_reg, {k*SHORTEST{1'b0}}};
        end

        wire unused = &{1'b0, moved};

        assign length[4*k +: 4] = length_reg;
        assign position[POSITION_BITS*k +: POSITION_BITS] = position_reg;
        assign kept[KEEP*k +: KEEP] = kept_reg;
    end

    /*
     * Slots
     */
    for (k = 0; k < SLOTS; k = k + 1) begin : slot
        wire [VIEW_BITS-1:0] head = rest[VIEW_BITS*k +: VIEW_BITS];
        wire [3:0] head_length = length[4*k +: 4];
        wire [POSITION_BITS-1:0] begins = position[POSITION_BITS*k +: POSITION_BITS];
        wire [KEEP-1:0] have = kept[KEEP*k +: KEEP];

        // The codeword's last 8 bits then stand before the next one
        reg [VIEW_BITS+7:0] moved;
        reg begins_kept;
        reg ends_kept;
        integer n;

        wire [POSITION_BITS-1:0] ends = begins + {{POSITION_BITS-4{1'b0}}, head_length};
        wire [POSITION_BITS-1:0] last_bit = ends - 1;
        wire here_unit = begins < UNIT_BITS;

        always @* begin
            moved = 0;
            begins_kept = 1'b0;
            ends_kept = 1'b0;

            for (n = SHORTEST; n <= LONGEST; n = n + 1) begin
                moved = moved | ({8'd0, head} << n & {VIEW_BITS+8{head_length == n[3:0]}});
            end

            for (n = 0; n < KEEP; n = n + 1) begin
                begins_kept = begins_kept
                    | (have[KEEP-1-n] && begins[POSITION_BITS-1:3] == n[POSITION_BITS-4:0]);
                ends_kept = ends_kept
                    | (have[KEEP-1-n] && last_bit[POSITION_BITS-1:3] == n[POSITION_BITS-4:0]);
            end
        end

        // The last byte in use of the unit is its n-th, so a byte or more is left up to there
        reg full;
        integer b;

        always @* begin
            full = begins == 0;

            for (b = 1; b < UNIT_BITS/8; b = b + 1) begin
                full = full || (have[KEEP-1-b] && begins <= {b[POSITION_BITS-4:0], 3'd0});
            end
        end

        wire [LONGEST:0] first_illegal = illegal_limits[(LONGEST+1)*k +: LONGEST+1];

        reg here_reg;
        reg complete_reg;
        reg illegal_reg;
        reg full_reg;
        reg ones_reg;
        reg [3:0] found_length_reg;
        reg [7:0] codeword_reg;

        always @(posedge clk) begin
            if (advance) begin
                here_reg <= here_unit && begins_kept;
                complete_reg <= here_unit && begins_kept && ends_kept;
                illegal_reg <= {1'b0, head[VIEW_BITS-1 -: LONGEST]} >= first_illegal;
                full_reg <= full;
                ones_reg <= head[VIEW_BITS-1 -: 8] != 0;
                found_length_reg <= head_length;
                codeword_reg <= moved[VIEW_BITS+7 -: 8];
            end
        end

        wire unused = &{1'b0, moved[SHORTEST-1:0], last_bit[2:0]};

        /*
         * Rank
         */
        reg [CLASS_BITS-1:0] step;

        always @* begin
            step = 0;

            for (n = SHORTEST; n <= LONGEST; n = n + 1) begin
                step = step | (steps[CLASS_BITS*((LONGEST+1)*k + n) +: CLASS_BITS]
                    & {CLASS_BITS{found_length_reg == n[3:0]}});
            end
        end

        reg [7:0] rank;

        always @* begin
            rank = codeword_reg;
            rank[7:RAW_BITS] = codeword_reg[7:RAW_BITS] + step;
            rank = rank & {8{here_reg}};
        end

        qlc_delay #(
            .WIDTH(8 + 5),
            .CYCLES(SLOTS - k)
        )
        rank_inst (
            .clk(clk),
            .advance(advance),
            .s_data({rank, here_reg, complete_reg, complete_reg && illegal_reg, full_reg, ones_reg}),
            .m_data({ranks[8*k +: 8], slot_here[k], slot_complete[k], slot_illegal[k],
                tail_full[k], tail_ones[k]})
        );
    end

endgenerate

function [COUNT_BITS-1:0] count_good(input [SLOTS-1:0] complete, input [SLOTS-1:0] bad);
    integer i;
    reg stopped;
    begin
        count_good = 0;
        stopped = 1'b0;

        for (i = 0; i < SLOTS; i = i + 1) begin
            stopped = stopped || !complete[i] || bad[i];
            count_good = count_good + {{COUNT_BITS-1{1'b0}}, !stopped};
        end
    end
endfunction

assign count = count_good(slot_complete, slot_illegal);
assign illegal = slot_illegal != 0;
assign cut = slot_here != slot_complete && !illegal;

endmodule

`resetall
