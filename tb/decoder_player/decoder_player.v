// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Plays one packet at a time into any of the decoders, without software on any cycle, keeps what
 * comes out, and counts cycles. The input always has a beat, the output always takes one.
 *
 * When start rises, loads the words of table.hex ("address data" a line) through the write port,
 * plays the beats of input.hex (tdata a line), and writes the output beats to output.hex ("tkeep
 * tdata" a line, X shows as x) before done rises. All numbers are hexadecimal, all files are in the
 * simulation's working directory.
 */
module decoder_player #
(
    // 0 qlc_decoder_core, 1 qlc_decoder_wide, 2 huffman_decoder_serial
    parameter DECODER = 0,
    // Bits of an input beat
    parameter WORD_BITS = 32,
    // The tables that QLC's decoders can hold
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0
)
(
    input  wire        rst,

    input  wire        start,
    output reg         done,
    // Lines in table.hex; bytes and symbols of the packet
    input  wire [31:0] tables,
    input  wire [31:0] bytes,
    input  wire [31:0] symbols,

    // First input beat to first output beat
    output reg  [31:0] latency,
    // First output beat to last, both included, and those of them without a beat
    output reg  [31:0] cycles,
    output reg  [31:0] output_gaps,
    // Cycles in which an input beat waited
    output reg  [31:0] input_waits,
    output reg  [2:0]  error,
    // Nothing came out for too long
    output reg         hang,

    // The parameters
    output wire [31:0] decoder,
    output wire [31:0] word_bits,
    output wire [31:0] raw_bits
);

localparam PATIENCE = 1000;
localparam WORD_BYTES = WORD_BITS/8;
localparam LANES = DECODER == 1 ? WORD_BITS/4 : 1;
localparam COUNT_BITS = 32;

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

assign decoder = DECODER;
assign word_bits = WORD_BITS;
assign raw_bits = RAW_BITS;

localparam [1:0]
    STATE_IDLE = 2'd0,
    STATE_LOAD = 2'd1,
    STATE_RUN = 2'd2;

reg [1:0] state_reg;

// Values read from a line
integer table_file;
integer input_file;
integer output_file;
integer fields;
reg [8:0] line_addr;
reg [31:0] line_data;
reg [WORD_BITS-1:0] line_word;

reg [31:0] lines;
reg [31:0] played;
reg [31:0] cycle;
reg [31:0] first_cycle;
reg [31:0] output_first;
reg [31:0] quiet;
reg begun;
reg given;

/*
 * Decoder
 */
reg table_we;
reg [8:0] table_addr;
reg [31:0] table_data;

reg [WORD_BITS-1:0] s_axis_tdata;
reg [WORD_BYTES-1:0] s_axis_tkeep;
reg s_axis_tvalid;
wire s_axis_tready;
reg s_axis_tlast;
reg [COUNT_BITS-1:0] s_axis_tuser;

wire [8*LANES-1:0] m_axis_tdata;
wire [LANES-1:0] m_axis_tkeep;
wire m_axis_tvalid;
wire m_axis_tlast;
wire [2:0] m_axis_tuser;

generate

    if (DECODER == 0) begin : qlc_core
        qlc_decoder_core #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST),
            .RAW_BITS(RAW_BITS),
            .DATA_BITS(WORD_BITS),
            .COUNT_BITS(COUNT_BITS)
        )
        decoder_inst (
            .clk(clk),
            .rst(rst),
            .table_we(table_we),
            .table_bank(1'b0),
            .table_addr(table_addr),
            .table_data(table_data),
            .s_axis_tdata(s_axis_tdata),
            .s_axis_tkeep(s_axis_tkeep),
            .s_axis_tvalid(s_axis_tvalid),
            .s_axis_tready(s_axis_tready),
            .s_axis_tlast(s_axis_tlast),
            .s_axis_tuser(s_axis_tuser),
            .s_axis_bank(1'b0),
            .m_axis_tdata(m_axis_tdata),
            .m_axis_tkeep(m_axis_tkeep),
            .m_axis_tvalid(m_axis_tvalid),
            .m_axis_tready(1'b1),
            .m_axis_tlast(m_axis_tlast),
            .m_axis_tuser(m_axis_tuser)
        );
    end else if (DECODER == 1) begin : qlc_wide
        qlc_decoder_wide #(
            .LENGTHS(LENGTHS),
            .KNOWN_BITS(KNOWN_BITS),
            .SHORTEST(SHORTEST),
            .LONGEST(LONGEST),
            .RAW_BITS(RAW_BITS),
            .WORD_BITS(WORD_BITS),
            .COUNT_BITS(COUNT_BITS)
        )
        decoder_inst (
            .clk(clk),
            .rst(rst),
            .table_we(table_we),
            .table_bank(1'b0),
            .table_addr(table_addr),
            .table_data(table_data),
            .s_axis_tdata(s_axis_tdata),
            .s_axis_tkeep(s_axis_tkeep),
            .s_axis_tvalid(s_axis_tvalid),
            .s_axis_tready(s_axis_tready),
            .s_axis_tlast(s_axis_tlast),
            .s_axis_tuser(s_axis_tuser),
            .s_axis_bank(1'b0),
            .m_axis_tdata(m_axis_tdata),
            .m_axis_tkeep(m_axis_tkeep),
            .m_axis_tvalid(m_axis_tvalid),
            .m_axis_tready(1'b1),
            .m_axis_tlast(m_axis_tlast),
            .m_axis_tuser(m_axis_tuser)
        );
    end else begin : huffman_serial
        huffman_decoder_serial #(
            .DATA_BITS(WORD_BITS),
            .COUNT_BITS(COUNT_BITS)
        )
        decoder_inst (
            .clk(clk),
            .rst(rst),
            .table_we(table_we),
            .table_addr(table_addr[7:0]),
            .table_data(table_data[17:0]),
            .s_axis_tdata(s_axis_tdata),
            .s_axis_tkeep(s_axis_tkeep),
            .s_axis_tvalid(s_axis_tvalid),
            .s_axis_tready(s_axis_tready),
            .s_axis_tlast(s_axis_tlast),
            .s_axis_tuser(s_axis_tuser),
            .m_axis_tdata(m_axis_tdata),
            .m_axis_tkeep(m_axis_tkeep),
            .m_axis_tvalid(m_axis_tvalid),
            .m_axis_tready(1'b1),
            .m_axis_tlast(m_axis_tlast),
            .m_axis_tuser(m_axis_tuser)
        );
    end

endgenerate

/*
 * Player, collector, counters
 */
wire take = s_axis_tvalid && s_axis_tready;
wire free = !s_axis_tvalid || s_axis_tready;
wire [31:0] left = bytes - played;
wire last = left <= WORD_BYTES;
wire over = state_reg == STATE_RUN && (quiet == PATIENCE || (m_axis_tvalid && m_axis_tlast));

always @(posedge clk) begin
    cycle <= cycle + 1;
    table_we <= 1'b0;

    case (state_reg)
        STATE_IDLE: begin
            if (start && !done) begin
                table_file = $fopen("table.hex", "r");
                input_file = $fopen("input.hex", "r");
                output_file = $fopen("output.hex", "w");
                lines <= 0;
                played <= 0;
                quiet <= 0;
                output_gaps <= 0;
                input_waits <= 0;
                hang <= 1'b0;
                begun <= 1'b0;
                given <= 1'b0;
                state_reg <= STATE_LOAD;
            end

            if (!start) begin
                done <= 1'b0;
            end
        end
        STATE_LOAD: begin
            if (lines == tables) begin
                state_reg <= STATE_RUN;
            end else begin
                fields = $fscanf(table_file, "%h %h\n", line_addr, line_data);
                table_we <= 1'b1;
                table_addr <= line_addr;
                table_data <= line_data;
                lines <= lines + 1;
            end
        end
        default: begin
            quiet <= m_axis_tvalid ? 0 : quiet + 1;

            if (over) begin
                hang <= quiet == PATIENCE;
                error <= m_axis_tuser;
                done <= 1'b1;
                state_reg <= STATE_IDLE;
            end
        end
    endcase

    if (free) begin
        s_axis_tvalid <= 1'b0;
    end

    if (state_reg == STATE_RUN && free && played < bytes) begin
        fields = $fscanf(input_file, "%h\n", line_word);
        s_axis_tvalid <= 1'b1;
        s_axis_tdata <= line_word;
        s_axis_tkeep <= last ? ~({WORD_BYTES{1'b1}} << left) : {WORD_BYTES{1'b1}};
        s_axis_tlast <= last;
        s_axis_tuser <= symbols;
        played <= played + WORD_BYTES;
    end

    if (take && !begun) begin
        begun <= 1'b1;
        first_cycle <= cycle;
    end

    if (s_axis_tvalid && !s_axis_tready) begin
        input_waits <= input_waits + 1;
    end

    if (state_reg == STATE_RUN && m_axis_tvalid) begin
        $fwrite(output_file, "%h %h\n", m_axis_tkeep, m_axis_tdata);

        if (!given) begin
            given <= 1'b1;
            output_first <= cycle;
            latency <= cycle - first_cycle;
        end

        cycles <= given ? cycle - output_first + 1 : 1;
    end

    if (given && state_reg == STATE_RUN && !m_axis_tvalid) begin
        output_gaps <= output_gaps + 1;
    end

    if (over) begin
        $fclose(table_file);
        $fclose(input_file);
        $fclose(output_file);
    end

    if (rst) begin
        cycle <= 0;
        done <= 1'b0;
        state_reg <= STATE_IDLE;
        s_axis_tvalid <= 1'b0;
    end
end

endmodule

`resetall
