// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Huffman byte decoder: the ranks of the codewords that begin in one byte of a word, whose lengths
 * are known at every bit. As qlc_byte_decoder.
 *
 *   1, 2, ...   slots: of one codeword its length and where it ends
 *   then        their bases and last bits
 *   last        their ranks
 *
 * A codeword that goes past the packet's end stops it: neither that one nor those behind it count.
 */
module huffman_byte_decoder #
(
    // Shortest codeword, 1..8
    parameter SHORTEST = 3,
    // Not to be set: codewords that may begin in a byte, width of their count
    parameter SLOTS = (SHORTEST + 7)/SHORTEST,
    parameter COUNT_BITS = $clog2(SLOTS + 1)
)
(
    input  wire                  clk,

    // Everything moves by one
    input  wire                  advance,

    // The byte and the 15 bits behind it, first bit most significant; which of the three bytes are the
    // packet's
    input  wire [22:0]           bits,
    input  wire [2:0]            keep,
    // Length less one of a codeword at each bit, the first bit least significant
    input  wire [31:0]           lengths,
    // Where the first codeword begins, 8 and more: in another byte
    input  wire [3:0]            entry,
    // By length less one, what to add to a codeword for its rank
    input  wire [127:0]          bases,

    // SLOTS + 2 cycles later: ranks, 0 where there is no codeword; the number of good ones; whether the
    // packet's end stopped it
    output wire [8*SLOTS-1:0]    ranks,
    output wire [COUNT_BITS-1:0] count,
    output wire                  cut,
    // If the packet ended with this byte and a slot's codeword were padding: it is a byte or more;
    // one of its bits is 1
    output wire [SLOTS-1:0]      tail_full,
    output wire [SLOTS-1:0]      tail_ones
);

// What is kept of a slot: whether there is a codeword, and if it is complete; tail; length less one, end
localparam SLOT_BITS = 4 + 4 + 5;

/*
 * Slots
 */
// Before each slot, and after the last
wire [23*(SLOTS+1)-1:0] view;
wire [32*(SLOTS+1)-1:0] codes;
wire [5*(SLOTS+1)-1:0] position;
wire [3*(SLOTS+1)-1:0] kept;
// The slots so far, the latest least significant
wire [SLOT_BITS*SLOTS*(SLOTS+1)-1:0] found;

assign view[22:0] = bits;
assign codes[31:0] = lengths;
assign position[4:0] = {1'b0, entry};
assign kept[2:0] = keep;
assign found[SLOT_BITS*SLOTS-1:0] = 0;

genvar k;

generate

    for (k = 0; k < SLOTS; k = k + 1) begin : slot
        wire [31:0] code = codes[32*k +: 32];
        wire [4:0] begins = position[5*k +: 5];
        wire [2:0] have = kept[3*k +: 3];
        wire [SLOT_BITS*SLOTS-1:0] before_slot = found[SLOT_BITS*SLOTS*k +: SLOT_BITS*SLOTS];

        wire [3:0] length = code[4*begins[2:0] +: 4];
        wire [4:0] ends = begins + {1'b0, length} + 5'd1;

        wire here = begins < 8 && have[2];
        wire complete = ends <= 8 || (ends <= 16 ? have[1] : have[0]);

        // Bits of the byte from the codeword's first
        wire full = begins[2:0] == 0;
        wire ones = (view[23*k+15 +: 8] & 8'hff >> begins[2:0]) != 0;

        reg [22:0] view_reg;
        reg [31:0] code_reg;
        reg [4:0] position_reg;
        reg [2:0] kept_reg;
        reg [SLOT_BITS*SLOTS-1:0] found_reg;

        always @(posedge clk) begin
            if (advance) begin
                view_reg <= view[23*k +: 23];
                code_reg <= code;
                position_reg <= begins < 8 ? ends : begins;
                kept_reg <= have;
                found_reg <= {
                    before_slot[SLOT_BITS*(SLOTS-1)-1:0], here, complete, full, ones, length, ends
                };
            end
        end

        assign view[23*(k+1) +: 23] = view_reg;
        assign codes[32*(k+1) +: 32] = code_reg;
        assign position[5*(k+1) +: 5] = position_reg;
        assign kept[3*(k+1) +: 3] = kept_reg;
        assign found[SLOT_BITS*SLOTS*(k+1) +: SLOT_BITS*SLOTS] = found_reg;

        wire unused = &{1'b0, before_slot};
    end

endgenerate

/*
 * Bases, and the last bits of the codewords
 */
reg [SLOTS-1:0] based_here_reg;
reg [SLOTS-1:0] based_complete_reg;
reg [SLOTS-1:0] based_full_reg;
reg [SLOTS-1:0] based_ones_reg;
reg [8*SLOTS-1:0] base_reg;
reg [8*SLOTS-1:0] codeword_reg;

wire [SLOTS-1:0] is_here;
wire [SLOTS-1:0] is_complete;
wire [SLOTS-1:0] is_full;
wire [SLOTS-1:0] is_ones;
wire [8*SLOTS-1:0] base;
wire [8*SLOTS-1:0] codeword;
wire [30:0] padded = {8'd0, view[23*SLOTS +: 23]};

generate

    for (k = 0; k < SLOTS; k = k + 1) begin : based
        wire [3:0] length;
        wire [4:0] ends;

        assign {is_here[k], is_complete[k], is_full[k], is_ones[k], length, ends} =
            found[SLOT_BITS*(SLOTS*SLOTS+SLOTS-1-k) +: SLOT_BITS];
        assign base[8*k +: 8] = bases[8*length +: 8];
        // The rank is modulo 256, so 8 bits are enough
        assign codeword[8*k +: 8] = padded[5'd23-ends +: 8]
            & (length[3] ? 8'hff : 8'hff >> (3'd7 - length[2:0]));
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        based_here_reg <= is_here;
        based_complete_reg <= is_complete;
        based_full_reg <= is_full;
        based_ones_reg <= is_ones;
        base_reg <= base;
        codeword_reg <= codeword;
    end
end

/*
 * Ranks
 */
reg [8*SLOTS-1:0] ranks_reg;
reg [SLOTS-1:0] here_reg;
reg [SLOTS-1:0] complete_reg;
reg [SLOTS-1:0] tail_full_reg;
reg [SLOTS-1:0] tail_ones_reg;

integer i;

always @(posedge clk) begin
    if (advance) begin
        for (i = 0; i < SLOTS; i = i + 1) begin
            ranks_reg[8*i +: 8] <= base_reg[8*i +: 8] + codeword_reg[8*i +: 8] & {8{based_here_reg[i]}};
        end

        here_reg <= based_here_reg;
        complete_reg <= based_here_reg & based_complete_reg;
        tail_full_reg <= based_full_reg;
        tail_ones_reg <= based_ones_reg;
    end
end

// The codewords are complete up to one that is cut
function [COUNT_BITS-1:0] count_complete(input [SLOTS-1:0] complete);
    integer j;
    begin
        count_complete = 0;

        for (j = 0; j < SLOTS; j = j + 1) begin
            if (complete[j]) begin
                count_complete = count_complete + 1'b1;
            end
        end
    end
endfunction

assign ranks = ranks_reg;
assign count = count_complete(complete_reg);
assign cut = here_reg != complete_reg;
assign tail_full = tail_full_reg;
assign tail_ones = tail_ones_reg;

wire unused = &{1'b0, codes[32*SLOTS +: 32], position[5*SLOTS +: 5], kept[3*SLOTS +: 3]};

endmodule

`resetall
