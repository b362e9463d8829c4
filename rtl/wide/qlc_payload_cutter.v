// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC payload cutter: takes the payloads out of a beat store's beats, and leaves the rest.
 *
 *   steps    makes a segment a cycle: what a beat has of a payload. A beat with bytes of n payloads
 *            takes n cycles, one without any takes one
 *   read     reads the beat
 *   count    finds how much of the segment there is before the packet's end
 *   mask     leaves only the segment's bytes
 *   pack     joins segments to full beats                                  qlc_byte_packer
 *
 * All stages move together, whenever the output is free.
 */
module qlc_payload_cutter #
(
    // Bytes of a beat, a power of two, 16 or more
    parameter BYTES = 32,
    // Width of a position in the store
    parameter POS_BITS = 14,
    // Not to be set: widths of a byte's place in a beat, and of a beat's number
    parameter INDEX_BITS = $clog2(BYTES),
    parameter BEAT_BITS = POS_BITS - INDEX_BITS
)
(
    input  wire                  clk,
    input  wire                  rst,

    // What to cut: see qlc_header_scanner
    input  wire                  cut_end,
    input  wire                  cut_coded,
    input  wire [POS_BITS-1:0]   cut_first,
    input  wire [BEAT_BITS-1:0]  cut_final,
    input  wire [INDEX_BITS:0]   cut_bytes,
    input  wire                  cut_valid,
    output wire                  cut_ready,

    // Beats of the store
    input  wire [8*BYTES-1:0]    s_data,
    input  wire [INDEX_BITS:0]   s_bytes,
    input  wire                  s_last,
    input  wire [BEAT_BITS-1:0]  s_number,
    input  wire                  s_valid,
    output wire                  s_ready,

    // Payloads in full beats, the last one perhaps shorter, or empty where the packet ends right
    // before it. Unused bytes are 0
    output wire [8*BYTES-1:0]    m_data,
    output wire [INDEX_BITS:0]   m_bytes,
    output wire                  m_last,
    output wire                  m_coded,
    output wire                  m_valid,
    input  wire                  m_ready
);

localparam [INDEX_BITS:0] FULL = BYTES[INDEX_BITS:0];

wire advance;

/*
 * Steps
 */
// The payload that is being cut. Or a packet's end: then beats are dropped up to its last one
reg now_valid_reg;
reg now_end_reg;
reg now_coded_reg;
reg [POS_BITS-1:0] now_first_reg;
reg [BEAT_BITS-1:0] now_final_reg;
reg [INDEX_BITS:0] now_bytes_reg;
// A segment of it has left
reg begun_reg;

wire at_payload = now_valid_reg && !now_end_reg && s_valid;
wire at_end = now_valid_reg && now_end_reg && s_valid;
// The payload begins behind this beat
wire early = !begun_reg && now_first_reg[POS_BITS-1:INDEX_BITS] != s_number;
wire in_final = now_final_reg == s_number;
wire segment = at_payload && (!early || s_last);
wire segment_last = in_final || s_last;
wire done = (segment && segment_last) || (at_end && s_last);
// The next payload needs this beat too, or might
wire keep = !cut_valid || cut_end || s_last || cut_first[POS_BITS-1:INDEX_BITS] == s_number;

assign s_ready = advance && (at_end || (at_payload && !(segment && segment_last && keep)));
assign cut_ready = advance && (done || !now_valid_reg);

always @(posedge clk) begin
    if (advance && (done || !now_valid_reg)) begin
        now_valid_reg <= cut_valid;
        begun_reg <= 1'b0;
    end else if (advance && segment) begin
        begun_reg <= 1'b1;
    end

    if (cut_ready) begin
        now_end_reg <= cut_end;
        now_coded_reg <= cut_coded;
        now_first_reg <= cut_first;
        now_final_reg <= cut_final;
        now_bytes_reg <= cut_bytes;
    end

    if (rst) begin
        now_valid_reg <= 1'b0;
    end
end

/*
 * Read
 */
reg [8*BYTES-1:0] read_data_reg;
reg [INDEX_BITS:0] read_bytes_reg;
reg read_early_reg;
reg [INDEX_BITS-1:0] read_first_reg;
reg [INDEX_BITS:0] read_end_reg;
reg read_last_reg;
reg read_coded_reg;
reg read_valid_reg;

always @(posedge clk) begin
    if (advance) begin
        read_data_reg <= s_data;
        read_bytes_reg <= s_bytes;
        read_early_reg <= early;
        read_first_reg <= begun_reg ? 0 : now_first_reg[INDEX_BITS-1:0];
        read_end_reg <= in_final ? now_bytes_reg : FULL;
        read_last_reg <= segment_last;
        read_coded_reg <= now_coded_reg;
        read_valid_reg <= segment;
    end

    if (rst) begin
        read_valid_reg <= 1'b0;
    end
end

/*
 * Count
 */
reg [8*BYTES-1:0] count_data_reg;
reg [INDEX_BITS-1:0] count_first_reg;
reg [INDEX_BITS:0] count_end_reg;
reg [INDEX_BITS:0] count_bytes_reg;
reg count_last_reg;
reg count_coded_reg;
reg count_valid_reg;

wire [INDEX_BITS:0] read_end = read_bytes_reg < read_end_reg ? read_bytes_reg : read_end_reg;
wire read_none = read_early_reg || read_bytes_reg <= {1'b0, read_first_reg};

always @(posedge clk) begin
    if (advance) begin
        count_data_reg <= read_data_reg;
        count_first_reg <= read_first_reg;
        count_end_reg <= read_none ? 0 : read_end;
        count_bytes_reg <= read_none ? 0 : read_end - {1'b0, read_first_reg};
        count_last_reg <= read_last_reg;
        count_coded_reg <= read_coded_reg;
        count_valid_reg <= read_valid_reg;
    end

    if (rst) begin
        count_valid_reg <= 1'b0;
    end
end

/*
 * Mask
 */
reg [8*BYTES-1:0] mask_data_reg;
reg [INDEX_BITS-1:0] mask_first_reg;
reg [INDEX_BITS:0] mask_bytes_reg;
reg mask_last_reg;
reg mask_coded_reg;
reg mask_valid_reg;

wire [BYTES-1:0] used;

genvar k;

generate

    for (k = 0; k < BYTES; k = k + 1) begin : lane
        assign used[k] = {1'b0, count_first_reg} < k + 1 && count_end_reg > k;

        always @(posedge clk) begin
            if (advance) begin
                mask_data_reg[8*k +: 8] <= count_data_reg[8*k +: 8] & {8{used[k]}};
            end
        end
    end

endgenerate

always @(posedge clk) begin
    if (advance) begin
        mask_first_reg <= count_first_reg;
        mask_bytes_reg <= count_bytes_reg;
        mask_last_reg <= count_last_reg;
        mask_coded_reg <= count_coded_reg;
        mask_valid_reg <= count_valid_reg;
    end

    if (rst) begin
        mask_valid_reg <= 1'b0;
    end
end

wire [BYTES-1:0] unused_tkeep;

qlc_byte_packer #(
    .BYTES(BYTES),
    .STEPS(2),
    .USER_BITS(1)
)
packer_inst (
    .clk(clk),
    .rst(rst),
    .s_data(mask_data_reg),
    .s_first(mask_first_reg),
    .s_bytes(mask_bytes_reg),
    .s_last(mask_last_reg),
    .s_user(mask_coded_reg),
    .s_valid(mask_valid_reg),
    .s_ready(advance),
    .m_axis_tdata(m_data),
    .m_axis_tkeep(unused_tkeep),
    .m_axis_tvalid(m_valid),
    .m_axis_tready(m_ready),
    .m_axis_tlast(m_last),
    .m_axis_tuser(m_coded),
    .m_bytes(m_bytes)
);

endmodule

`resetall
