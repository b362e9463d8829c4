// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Plays packets into the wide decoder without software on any cycle, and keeps what comes out.
 *
 * When start rises, loads the words of table.hex through the write port, plays the beats of
 * input.hex, and writes the output beats to output.hex before done rises: when so many packets
 * have come out as were played and some cycles more have passed, or nothing has moved for too long
 * (hang). All numbers are hexadecimal, X shows as x:
 *
 *   table.hex   bank address data
 *   input.hex   tlast bank tuser tkeep tdata; after a packet's first beat bank and tuser are not driven
 *   output.hex  tlast tuser tkeep tdata
 *
 * All files are in the simulation's working directory.
 */
module qlc_wide_player #
(
    parameter LENGTHS = 4,
    parameter KNOWN_BITS = 6,
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    parameter RAW_BITS = 0,
    parameter WORD_BITS = 256,
    parameter COUNT_BITS = 13,
    parameter BANKS = 2
)
(
    input  wire        rst,

    input  wire        start,
    output reg         done,
    // Lines in table.hex and input.hex, packets in input.hex
    input  wire [31:0] tables,
    input  wire [31:0] beats,
    input  wire [31:0] packets,
    // Cycles of 256 in which the player idles, the collector stalls
    input  wire [7:0]  idle,
    input  wire [7:0]  stall,
    input  wire [31:0] seed,

    // First input beat to last output beat, both included
    output reg  [31:0] cycles,
    // Cycles in which an input beat waited
    output reg  [31:0] stalls,
    output reg         hang,
    // Stability rules broken, on either stream
    output wire        unstable,

    // The parameters
    output wire [31:0] lengths,
    output wire [31:0] known_bits,
    output wire [31:0] shortest,
    output wire [31:0] longest,
    output wire [31:0] raw_bits,
    output wire [31:0] word_bits,
    output wire [31:0] banks
);

// Cycles without a transfer that are a hang, cycles watched after the last packet
localparam PATIENCE = 1000;
localparam SETTLE = 40;

localparam BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1;
localparam WORD_BYTES = WORD_BITS/8;
localparam SYMBOLS = WORD_BITS/4;

// The harness has a clock of its own, so that no cycle needs the simulator's interface
reg clk = 1'b0;

always #1 clk = !clk;

assign lengths = LENGTHS;
assign known_bits = KNOWN_BITS;
assign shortest = SHORTEST;
assign longest = LONGEST;
assign raw_bits = RAW_BITS;
assign word_bits = WORD_BITS;
assign banks = BANKS;

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
reg [BANK_BITS-1:0] line_bank;
reg [8:0] line_addr;
reg [31:0] line_data;
reg line_last;
reg [COUNT_BITS-1:0] line_count;
reg [WORD_BYTES-1:0] line_keep;
reg [WORD_BITS-1:0] line_word;

reg [31:0] lines;
reg [31:0] played;
reg [31:0] collected;
reg [31:0] quiet;
reg first;
reg begun;
reg [31:0] random;
reg [31:0] random_next;

integer i;

/*
 * Decoder
 */
reg table_we;
reg [BANK_BITS-1:0] table_bank;
reg [8:0] table_addr;
reg [31:0] table_data;

reg [WORD_BITS-1:0] s_axis_tdata;
reg [WORD_BYTES-1:0] s_axis_tkeep;
reg s_axis_tvalid;
wire s_axis_tready;
reg s_axis_tlast;
reg [COUNT_BITS-1:0] s_axis_tuser;
reg [BANK_BITS-1:0] s_axis_bank;

wire [8*SYMBOLS-1:0] m_axis_tdata;
wire [SYMBOLS-1:0] m_axis_tkeep;
wire m_axis_tvalid;
reg m_axis_tready;
wire m_axis_tlast;
wire [2:0] m_axis_tuser;

qlc_decoder_wide #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .WORD_BITS(WORD_BITS),
    .COUNT_BITS(COUNT_BITS),
    .BANKS(BANKS)
)
decoder_inst (
    .clk(clk),
    .rst(rst),
    .table_we(table_we),
    .table_bank(table_bank),
    .table_addr(table_addr),
    .table_data(table_data),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tuser(s_axis_tuser),
    .s_axis_bank(s_axis_bank),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tuser(m_axis_tuser)
);

/*
 * Checkers
 */
wire [1:0] broken;

axis_stability #(.WIDTH(WORD_BYTES + 1)) input_stability (
    .clk(clk), .rst(rst), .tvalid(s_axis_tvalid), .tready(s_axis_tready),
    .payload({s_axis_tlast, s_axis_tkeep}), .broken(broken[0])
);

axis_stability #(.WIDTH(9*SYMBOLS + 4)) output_stability (
    .clk(clk), .rst(rst), .tvalid(m_axis_tvalid), .tready(m_axis_tready),
    .payload({m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata}), .broken(broken[1])
);

assign unstable = |broken;

/*
 * Player, collector, counters
 */
wire take = s_axis_tvalid && s_axis_tready;
wire give = m_axis_tvalid && m_axis_tready;
wire play = state_reg == STATE_RUN && (!s_axis_tvalid || s_axis_tready) && lines != beats && random[7:0] >= idle;

always @(posedge clk) begin
    random_next = random ^ (random << 13);
    random_next = random_next ^ (random_next >> 17);
    random <= random_next ^ (random_next << 5);

    m_axis_tready <= random[23:16] >= stall;
    table_we <= 1'b0;
    table_bank <= {BANK_BITS{1'bx}};
    table_addr <= 9'hxxx;
    table_data <= {32{1'bx}};

    case (state_reg)
        STATE_IDLE: begin
            if (start && !done) begin
                table_file = $fopen("table.hex", "r");
                input_file = $fopen("input.hex", "r");
                output_file = $fopen("output.hex", "w");
                random <= seed | 32'h1;
                lines <= 0;
                collected <= 0;
                quiet <= 0;
                cycles <= 0;
                stalls <= 0;
                hang <= 1'b0;
                first <= 1'b1;
                begun <= 1'b0;
                state_reg <= STATE_LOAD;
            end

            if (!start) begin
                done <= 1'b0;
            end
        end
        STATE_LOAD: begin
            if (lines == tables) begin
                lines <= 0;
                state_reg <= STATE_RUN;
            end else begin
                fields = $fscanf(table_file, "%h %h %h\n", line_bank, line_addr, line_data);
                table_we <= 1'b1;
                table_bank <= line_bank;
                table_addr <= line_addr;
                table_data <= line_data;
                lines <= lines + 1;
            end
        end
        default: begin
            quiet <= take || give ? 0 : quiet + 1;

            if ((lines == beats && collected >= packets && quiet == SETTLE) || quiet == PATIENCE) begin
                hang <= lines != beats || collected < packets;
                $fclose(table_file);
                $fclose(input_file);
                $fclose(output_file);
                done <= 1'b1;
                state_reg <= STATE_IDLE;
            end
        end
    endcase

    if (!s_axis_tvalid || s_axis_tready) begin
        s_axis_tvalid <= play;
        s_axis_tdata <= {WORD_BITS{1'bx}};
        s_axis_tkeep <= {WORD_BYTES{1'bx}};
        s_axis_tlast <= 1'bx;
        s_axis_tuser <= {COUNT_BITS{1'bx}};
        s_axis_bank <= {BANK_BITS{1'bx}};
    end

    if (play) begin
        fields = $fscanf(input_file, "%h %h %h %h %h\n", line_last, line_bank, line_count, line_keep, line_word);

        for (i = 0; i < WORD_BYTES; i = i + 1) begin
            if (!line_keep[i]) begin
                line_word[8*i +: 8] = 8'hxx;
            end
        end

        s_axis_tdata <= line_word;
        s_axis_tkeep <= line_keep;
        s_axis_tlast <= line_last;

        if (first) begin
            s_axis_tuser <= line_count;
            s_axis_bank <= line_bank;
        end

        first <= line_last;
        lines <= lines + 1;
    end

    begun <= begun || take;

    if (begun || take) begin
        played <= played + 1;
    end else begin
        played <= 0;
    end

    if (s_axis_tvalid && !s_axis_tready) begin
        stalls <= stalls + {31'd0, begun};
    end

    if (state_reg == STATE_RUN && give) begin
        $fwrite(output_file, "%h %h %h %h\n", m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata);
        collected <= collected + {31'd0, m_axis_tlast};
        cycles <= played + 1;
    end

    if (rst) begin
        done <= 1'b0;
        random <= 32'h1;
        state_reg <= STATE_IDLE;
        s_axis_tvalid <= 1'b0;
        m_axis_tready <= 1'b0;
        begun <= 1'b0;
    end
end

endmodule

`resetall
