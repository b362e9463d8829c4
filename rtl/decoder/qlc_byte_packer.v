// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC byte packer: joins parts of 0..BYTES bytes into full beats, a packet's last one perhaps not full.
 *
 *   align      rotates a part to where it begins in the beat, in STEPS cycles; meanwhile finds where the
 *              next part begins, which is the only loop
 *   collect    ORs the part into the beat; what passes the beat's end begins the next one
 *
 * A full beat is kept until the next byte or the packet's end tells whether it is the last. All stages move
 * together, whenever the output register is free.
 *
 * qlc_rank_packer does the same inside the wide decoder, whose stages all move with one signal: it has no
 * output register and takes any number of ranks a word.
 */
module qlc_byte_packer #
(
    // Bytes of a beat, a power of two, at least 2
    parameter BYTES = 32,
    // Cycles of the rotation, 1..$clog2(BYTES)
    parameter STEPS = 1,
    // Width of tuser
    parameter USER_BITS = 3,
    // Not to be set: width of a byte's place in a beat
    parameter INDEX_BITS = $clog2(BYTES)
)
(
    input  wire                  clk,
    input  wire                  rst,

    // Parts in: s_bytes bytes from byte s_first on, all others 0. last is the packet's
    input  wire [8*BYTES-1:0]    s_data,
    input  wire [INDEX_BITS-1:0] s_first,
    input  wire [INDEX_BITS:0]   s_bytes,
    input  wire                  s_last,
    input  wire [USER_BITS-1:0]  s_user,
    input  wire                  s_valid,
    output wire                  s_ready,

    /*
     * AXI4-Stream output; tuser is that of a part in the beat, in a packet's last beat that of its
     * last part. m_bytes counts the bytes in use
     */
    output wire [8*BYTES-1:0]    m_axis_tdata,
    output wire [BYTES-1:0]      m_axis_tkeep,
    output wire                  m_axis_tvalid,
    input  wire                  m_axis_tready,
    output wire                  m_axis_tlast,
    output wire [USER_BITS-1:0]  m_axis_tuser,
    output wire [INDEX_BITS:0]   m_bytes
);

// Bits of the rotation a step does
localparam STEP_BITS = (INDEX_BITS + STEPS - 1) / STEPS;
localparam [INDEX_BITS+1:0] FULL = BYTES[INDEX_BITS+1:0];

// check configuration
initial begin
    if (BYTES < 2 || BYTES != 1 << INDEX_BITS) begin
        $error("Error: BYTES must be a power of two, at least 2 (instance %m)");
        $finish;
    end

    if (STEPS < 1 || (STEPS - 1) * STEP_BITS >= INDEX_BITS) begin
        $error("Error: STEPS must be 1..$clog2(BYTES), none without a bit (instance %m)");
        $finish;
    end
end

reg m_axis_tvalid_reg;

wire advance = !m_axis_tvalid_reg || m_axis_tready;

assign s_ready = advance;

/*
 * Align: where the part begins in the beat, and ends
 */
reg [INDEX_BITS:0] begin_reg;

wire [INDEX_BITS+1:0] end_bytes = {1'b0, begin_reg} + {1'b0, s_bytes};
wire [INDEX_BITS+1:0] over_bytes = end_bytes - FULL;
wire s_over = end_bytes > FULL;
wire [INDEX_BITS:0] s_fill = s_over ? over_bytes[INDEX_BITS:0] : end_bytes[INDEX_BITS:0];
// The bytes of the rotated part that belong to this beat; the others belong to the next
wire [BYTES-1:0] s_mask;

genvar k, n;

generate

    for (k = 0; k < BYTES; k = k + 1) begin : lane
        assign s_mask[k] = begin_reg <= k;
    end

endgenerate

always @(posedge clk) begin
    if (advance && s_valid) begin
        begin_reg <= s_last ? 0 : s_fill;
    end

    if (rst) begin
        begin_reg <= 0;
    end
end

generate

    for (n = 0; n < STEPS; n = n + 1) begin : step
        localparam LOW = n*STEP_BITS;
        localparam BITS = LOW + STEP_BITS > INDEX_BITS ? INDEX_BITS - LOW : STEP_BITS;

        wire [8*BYTES-1:0] from;
        // The rotation in bytes; the bits below LOW are done
        wire [INDEX_BITS-1:0] turn;
        wire [BYTES-1:0] from_mask;
        wire [INDEX_BITS:0] from_fill;
        wire from_over;
        wire from_last;
        wire [USER_BITS-1:0] from_user;
        wire from_valid;

        if (n == 0) begin : begins
            assign from = s_data;
            assign turn = begin_reg[INDEX_BITS-1:0] - s_first;
            assign from_mask = s_mask;
            assign from_fill = s_fill;
            assign from_over = s_over;
            assign from_last = s_last;
            assign from_user = s_user;
            assign from_valid = s_valid;
        end else begin : goes_on
            assign from = step[n-1].data_reg;
            assign turn = step[n-1].turn_reg;
            assign from_mask = step[n-1].mask_reg;
            assign from_fill = step[n-1].fill_reg;
            assign from_over = step[n-1].over_reg;
            assign from_last = step[n-1].last_reg;
            assign from_user = step[n-1].user_reg;
            assign from_valid = step[n-1].valid_reg;
        end

        wire [8*BYTES-1:0] turned;
        wire [8*BYTES-1:0] wrapped;

        assign {wrapped, turned} = {{8*BYTES{1'b0}}, from} << {turn[LOW +: BITS], {LOW+3{1'b0}}};

        reg [8*BYTES-1:0] data_reg;
        reg [INDEX_BITS-1:0] turn_reg;
        reg [BYTES-1:0] mask_reg;
        reg [INDEX_BITS:0] fill_reg;
        reg over_reg;
        reg last_reg;
        reg [USER_BITS-1:0] user_reg;
        reg valid_reg;

        always @(posedge clk) begin
            if (advance) begin
                data_reg <= turned | wrapped;
                turn_reg <= turn;
                mask_reg <= from_mask;
                fill_reg <= from_fill;
                over_reg <= from_over && from_valid;
                last_reg <= from_last;
                user_reg <= from_user;
                valid_reg <= from_valid;
            end

            if (rst) begin
                over_reg <= 1'b0;
                valid_reg <= 1'b0;
            end
        end
    end

endgenerate

wire [8*BYTES-1:0] part = step[STEPS-1].data_reg;
wire [BYTES-1:0] part_mask = step[STEPS-1].mask_reg;
wire [INDEX_BITS:0] part_fill = step[STEPS-1].fill_reg;
wire part_over = step[STEPS-1].over_reg;
wire part_last = step[STEPS-1].last_reg;
wire [USER_BITS-1:0] part_user = step[STEPS-1].user_reg;
wire part_valid = step[STEPS-1].valid_reg;

/*
 * Collect
 */
reg [8*BYTES-1:0] beat_reg;
reg [INDEX_BITS:0] beat_bytes_reg;
// The beat is a packet's last, to be sent now
reg flush_reg;
reg [USER_BITS-1:0] user_reg;

reg [8*BYTES-1:0] m_axis_tdata_reg;
reg [BYTES-1:0] m_axis_tkeep_reg;
reg m_axis_tlast_reg;
reg [USER_BITS-1:0] m_axis_tuser_reg;
reg [INDEX_BITS:0] m_bytes_reg;

assign m_axis_tdata = m_axis_tdata_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;
assign m_axis_tuser = m_axis_tuser_reg;
assign m_bytes = m_bytes_reg;

wire [8*BYTES-1:0] mask;
wire [BYTES-1:0] flush_keep;

generate

    for (k = 0; k < BYTES; k = k + 1) begin : collect_lane
        assign mask[8*k +: 8] = {8{part_mask[k]}};
        assign flush_keep[k] = beat_bytes_reg > k;
    end

endgenerate

wire send = flush_reg || part_over;
wire [8*BYTES-1:0] beat = beat_reg & {8*BYTES{!flush_reg}};

always @(posedge clk) begin
    if (advance) begin
        m_axis_tvalid_reg <= send;
    end

    if (advance && send) begin
        m_axis_tdata_reg <= flush_reg ? beat_reg : beat_reg | (part & mask);
        m_axis_tkeep_reg <= flush_reg ? flush_keep : {BYTES{1'b1}};
        m_axis_tlast_reg <= flush_reg;
        m_axis_tuser_reg <= flush_reg ? user_reg : part_user;
        m_bytes_reg <= flush_reg ? beat_bytes_reg : FULL[INDEX_BITS:0];
    end

    if (advance && part_valid) begin
        beat_reg <= part_over ? part & ~mask : beat | part;
        beat_bytes_reg <= part_fill;
        flush_reg <= part_last;
        user_reg <= part_user;
    end else if (advance && flush_reg) begin
        beat_reg <= 0;
        beat_bytes_reg <= 0;
        flush_reg <= 1'b0;
    end

    if (rst) begin
        beat_reg <= 0;
        beat_bytes_reg <= 0;
        flush_reg <= 1'b0;
        m_axis_tvalid_reg <= 1'b0;
    end
end

wire unused = &{1'b0, over_bytes[INDEX_BITS+1], step[STEPS-1].turn_reg};

endmodule

`resetall
