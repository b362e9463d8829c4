// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC registers: an AXI4-Lite slave between software and the data path of encoder or decoder.
 *
 * The map, every register and its access, is qlc_regs.rdl. Here:
 *
 *   write   address and data are taken in any order, one of each is held; a write takes effect
 *           when both are there and the response channel is free, at most every second cycle
 *   read    the address is held for two cycles, for the counts and counters to be fetched; at
 *           most a read every third cycle
 *
 * No output depends on an input in the same cycle. awprot and arprot are ignored.
 *
 * table_busy must be 1 at the latest in the second cycle after table_commit, and until the
 * staging bank may be written again; it is taken as 1 in the cycles up to then.
 *
 * A table that the build cannot hold is not committed: see qlc_table_check.
 *
 * Events are looked at in every cycle; ev_symbols, ev_bytes and ev_special are numbers, the
 * others one event each.
 */
module qlc_regs #
(
    // 0: registers of qlc_encoder, 1: of qlc_decoder, which has no histogram
    parameter DECODER = 0,
    // Lengths of a table's codewords, 1..12
    parameter LENGTHS = 4,
    // Bits of a codeword that tell its length, 3..12: limits are multiples of 2^(12-KNOWN_BITS)
    parameter KNOWN_BITS = 6,
    // Shortest codeword, 1..8, and longest, 8..12
    parameter SHORTEST = 1,
    parameter LONGEST = 12,
    // Bits of a symbol that are sent as they are, 0..3
    parameter RAW_BITS = 0,
    // Tables resident, 1..32
    parameter TABLES = 4,
    // Symbols of a block, 32..4096
    parameter BLOCK_SYMBOLS = 4096,
    // Bytes of a beat on the symbol side, 1..128
    parameter BEAT = 32,
    // Width of the events that are numbers
    parameter EVENT_BITS = 6
)
(
    input  wire                  clk,
    input  wire                  rst,

    /*
     * AXI4-Lite slave
     */
    input  wire [11:0]           s_axil_awaddr,
    input  wire [2:0]            s_axil_awprot,
    input  wire                  s_axil_awvalid,
    output wire                  s_axil_awready,
    input  wire [31:0]           s_axil_wdata,
    input  wire [3:0]            s_axil_wstrb,
    input  wire                  s_axil_wvalid,
    output wire                  s_axil_wready,
    output wire [1:0]            s_axil_bresp,
    output wire                  s_axil_bvalid,
    input  wire                  s_axil_bready,
    input  wire [11:0]           s_axil_araddr,
    input  wire [2:0]            s_axil_arprot,
    input  wire                  s_axil_arvalid,
    output wire                  s_axil_arready,
    output wire [31:0]           s_axil_rdata,
    output wire [1:0]            s_axil_rresp,
    output wire                  s_axil_rvalid,
    input  wire                  s_axil_rready,

    /*
     * Configuration. cfg_mode: 0 policy, 1 all raw, 2 coded wherever strictly shorter
     */
    output wire [12:0]           cfg_min_packet,
    output wire [12:0]           cfg_min_saving,
    output wire [1:0]            cfg_mode,
    output wire                  cfg_crc,
    output wire                  cfg_require_crc,
    output wire [2:0]            cfg_dtype,

    /*
     * Tables: words into the staging bank, and its commit as table table_id
     */
    output wire                  table_we,
    output wire [8:0]            table_addr,
    output wire [31:0]           table_data,
    output wire                  table_commit,
    output wire [4:0]            table_id,
    input  wire                  table_busy,
    input  wire [TABLES-1:0]     table_loaded,

    /*
     * Events; ev_error by error code, bit 0 a packet without table
     */
    input  wire                  ev_packet,
    input  wire                  ev_block_raw,
    input  wire                  ev_block_coded,
    input  wire [EVENT_BITS-1:0] ev_symbols,
    input  wire [EVENT_BITS-1:0] ev_bytes,
    input  wire [EVENT_BITS-1:0] ev_special,
    input  wire [10:0]           ev_error,

    /*
     * Histogram: hist_data is the count of symbol hist_addr, a cycle later
     */
    output wire                  hist_enable,
    output wire                  hist_clear,
    output wire [31:0]           hist_freeze,
    input  wire                  hist_frozen,
    input  wire [31:0]           hist_packets,
    input  wire [63:0]           hist_samples,
    output wire [7:0]            hist_addr,
    input  wire [31:0]           hist_data
);

localparam [1:0] RESP_OKAY = 2'b00;
localparam [1:0] RESP_SLVERR = 2'b10;
localparam [1:0] RESP_DECERR = 2'b11;

// Word addresses, as in qlc_regs.rdl
localparam [9:0] ADDR_ID = 10'h000;
localparam [9:0] ADDR_VERSION = 10'h001;
localparam [9:0] ADDR_CAPABILITY = 10'h002;
localparam [9:0] ADDR_BLOCK_SIZE = 10'h003;
localparam [9:0] ADDR_CONTROL = 10'h004;
localparam [9:0] ADDR_MIN_PACKET = 10'h005;
localparam [9:0] ADDR_MIN_SAVING = 10'h006;
localparam [9:0] ADDR_STATUS = 10'h007;
localparam [9:0] ADDR_TABLE_COMMIT = 10'h008;
localparam [9:0] ADDR_TABLE_STATUS = 10'h009;
localparam [9:0] ADDR_TABLE_LOADED = 10'h00a;
localparam [9:0] ADDR_BEAT = 10'h00b;
localparam [9:0] ADDR_HIST_CONTROL = 10'h00c;
localparam [9:0] ADDR_HIST_STATUS = 10'h00d;
localparam [9:0] ADDR_HIST_FREEZE = 10'h00e;
localparam [9:0] ADDR_HIST_PACKETS = 10'h00f;
localparam [9:0] ADDR_HIST_SAMPLES = 10'h010;
localparam [9:0] ADDR_COUNTERS = 10'h040;
// Two words each: 6 counters of what passes, from the ninth on those of the error codes
localparam ERRORS = 11;
localparam COUNTERS = 8 + ERRORS;

localparam [31:0] MAGIC = 32'h514C4331;
localparam [31:0] VERSION = 32'h00030000;
localparam [12:0] MIN_PACKET_RESET = 13'd1024;
localparam [12:0] MIN_SAVING_RESET = 13'd1;

localparam HISTOGRAM = DECODER == 0;
// Words of the table window that there is a use for: these, and those from 256 on
localparam CLASS_WORDS = 256 >> RAW_BITS;
localparam LENGTH_WORDS = LENGTHS;

localparam [31:0] CAPABILITY = (TABLES << 20) | (LONGEST << 16) | (SHORTEST << 12) | (KNOWN_BITS << 8) |
    (LENGTHS << 4) | (RAW_BITS << 2) | (HISTOGRAM ? 2 : 0) | (DECODER != 0 ? 1 : 0);
localparam [31:0] BLOCK_SIZE = BLOCK_SYMBOLS;
localparam [31:0] BEAT_SIZE = BEAT;
localparam [31:0] TABLE_COUNT = TABLES;
localparam [31:0] CLASS_END = CLASS_WORDS;
localparam [31:0] LENGTH_END = LENGTH_WORDS;

// check configuration
initial begin
    if (DECODER != 0 && DECODER != 1) begin
        $error("Error: DECODER must be 0 or 1 (instance %m)");
        $finish;
    end

    if (TABLES < 1 || TABLES > 32) begin
        $error("Error: TABLES must be 1..32 (instance %m)");
        $finish;
    end

    if (BLOCK_SYMBOLS < 32 || BLOCK_SYMBOLS > 4096) begin
        $error("Error: BLOCK_SYMBOLS must be 32..4096 (instance %m)");
        $finish;
    end

    if (BEAT < 1 || BEAT > 128) begin
        $error("Error: BEAT must be 1..128 (instance %m)");
        $finish;
    end
end

/*
 * Write channels: each holds one transfer until both have one
 */
reg awready_reg;
reg aw_held_reg;
reg [9:0] awaddr_reg;
reg wready_reg;
reg w_held_reg;
reg [31:0] wdata_reg;
reg [3:0] wstrb_reg;
reg bvalid_reg;
reg [1:0] bresp_reg;

assign s_axil_awready = awready_reg;
assign s_axil_wready = wready_reg;
assign s_axil_bvalid = bvalid_reg;
assign s_axil_bresp = bresp_reg;

wire write = aw_held_reg && w_held_reg && (!bvalid_reg || s_axil_bready);
reg [1:0] write_resp;

always @(posedge clk) begin
    if (s_axil_awvalid && awready_reg) begin
        awaddr_reg <= s_axil_awaddr[11:2];
        awready_reg <= 1'b0;
        aw_held_reg <= 1'b1;
    end else if (write || !aw_held_reg) begin
        awready_reg <= 1'b1;
        aw_held_reg <= 1'b0;
    end

    if (s_axil_wvalid && wready_reg) begin
        wdata_reg <= s_axil_wdata;
        wstrb_reg <= s_axil_wstrb;
        wready_reg <= 1'b0;
        w_held_reg <= 1'b1;
    end else if (write || !w_held_reg) begin
        wready_reg <= 1'b1;
        w_held_reg <= 1'b0;
    end

    if (write) begin
        bvalid_reg <= 1'b1;
        bresp_reg <= write_resp;
    end else if (s_axil_bready) begin
        bvalid_reg <= 1'b0;
    end

    if (rst) begin
        awready_reg <= 1'b0;
        aw_held_reg <= 1'b0;
        wready_reg <= 1'b0;
        w_held_reg <= 1'b0;
        bvalid_reg <= 1'b0;
    end
end

/*
 * Write decoding
 */
reg table_commit_reg;
reg table_committed_reg;
wire busy = table_busy || table_commit_reg || table_committed_reg;

wire [31:0] write_mask = {{8{wstrb_reg[3]}}, {8{wstrb_reg[2]}}, {8{wstrb_reg[1]}}, {8{wstrb_reg[0]}}};
wire table_word_bad = busy || (wstrb_reg != 4'b0000 && wstrb_reg != 4'b1111);
wire table_commit_bad = busy || !wstrb_reg[0] || {1'b0, wdata_reg[4:0]} >= TABLE_COUNT[5:0];
wire table_fit;

reg write_control;
reg write_min_packet;
reg write_min_saving;
reg write_status;
reg write_hist_control;
reg write_hist_freeze;
reg write_table;
reg write_commit;
reg write_refused;
reg write_unfit;

always @* begin
    write_resp = RESP_OKAY;
    write_control = 1'b0;
    write_min_packet = 1'b0;
    write_min_saving = 1'b0;
    write_status = 1'b0;
    write_hist_control = 1'b0;
    write_hist_freeze = 1'b0;
    write_table = 1'b0;
    write_commit = 1'b0;
    write_refused = 1'b0;
    write_unfit = 1'b0;

    if (awaddr_reg[9]) begin
        write_table = write && !table_word_bad;
        write_refused = write && table_word_bad;
    end else if (awaddr_reg[8]) begin
        write_resp = HISTOGRAM ? RESP_SLVERR : RESP_DECERR;
    end else if (awaddr_reg[7:6] == ADDR_COUNTERS[7:6]) begin
        write_resp = is_counter(awaddr_reg[5:1]) ? RESP_SLVERR : RESP_DECERR;
    end else begin
        case (awaddr_reg)
            ADDR_ID, ADDR_VERSION, ADDR_CAPABILITY, ADDR_BLOCK_SIZE, ADDR_TABLE_STATUS,
            ADDR_TABLE_LOADED, ADDR_BEAT: begin
                write_resp = RESP_SLVERR;
            end
            ADDR_CONTROL: begin
                write_control = write;
            end
            ADDR_MIN_PACKET: begin
                write_min_packet = write;
            end
            ADDR_MIN_SAVING: begin
                write_min_saving = write;
            end
            ADDR_STATUS: begin
                write_status = write;
            end
            ADDR_TABLE_COMMIT: begin
                write_commit = write && !table_commit_bad && table_fit;
                write_unfit = write && !table_commit_bad && !table_fit;
                write_refused = write && table_commit_bad;
            end
            ADDR_HIST_CONTROL: begin
                write_hist_control = write && HISTOGRAM;
                write_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
            end
            ADDR_HIST_FREEZE: begin
                write_hist_freeze = write && HISTOGRAM;
                write_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
            end
            ADDR_HIST_STATUS, ADDR_HIST_PACKETS, ADDR_HIST_SAMPLES, ADDR_HIST_SAMPLES | 10'd1: begin
                write_resp = HISTOGRAM ? RESP_SLVERR : RESP_DECERR;
            end
            default: begin
                write_resp = RESP_DECERR;
            end
        endcase
    end

    if (write_refused || write_unfit) begin
        write_resp = RESP_SLVERR;
    end
end

/*
 * Writable registers
 */
reg [1:0] mode_reg;
reg crc_reg;
reg require_crc_reg;
reg [2:0] dtype_reg;
reg [12:0] min_packet_reg;
reg [12:0] min_saving_reg;
reg [10:0] status_reg;
reg table_refused_reg;
reg table_unfit_reg;
reg hist_enable_reg;
reg hist_clear_reg;
reg [31:0] hist_freeze_reg;
reg table_word_reg;
reg table_we_reg;
reg table_over_reg;
reg [8:0] table_addr_reg;
reg [31:0] table_data_reg;
reg [4:0] table_id_reg;

reg [10:0] error_reg;

assign cfg_min_packet = min_packet_reg;
assign cfg_min_saving = min_saving_reg == 13'd0 ? MIN_SAVING_RESET : min_saving_reg;
assign cfg_mode = &mode_reg ? 2'd0 : mode_reg;
assign cfg_crc = crc_reg;
assign cfg_require_crc = require_crc_reg;
assign cfg_dtype = dtype_reg;
assign table_we = table_we_reg;
assign table_addr = table_addr_reg;
assign table_data = table_data_reg;
assign table_commit = table_commit_reg;
assign table_id = table_id_reg;
assign hist_enable = hist_enable_reg;
assign hist_clear = hist_clear_reg;
assign hist_freeze = hist_freeze_reg;

wire [31:0] write_bits = wdata_reg & write_mask;

always @(posedge clk) begin
    if (write_control) begin
        mode_reg <= write_bits[1:0] | (mode_reg & ~write_mask[1:0]);
        crc_reg <= write_bits[4] | (crc_reg & ~write_mask[4]);
        require_crc_reg <= write_bits[5] | (require_crc_reg & ~write_mask[5]);
        dtype_reg <= write_bits[10:8] | (dtype_reg & ~write_mask[10:8]);
    end

    if (write_min_packet) begin
        min_packet_reg <= write_bits[12:0] | (min_packet_reg & ~write_mask[12:0]);
    end

    if (write_min_saving) begin
        min_saving_reg <= write_bits[12:0] | (min_saving_reg & ~write_mask[12:0]);
    end

    status_reg <= (status_reg & ~(write_bits[10:0] & {11{write_status}})) | error_reg;
    table_refused_reg <= (table_refused_reg && !(write_bits[16] && write_status)) || write_refused;
    table_unfit_reg <= (table_unfit_reg && !(write_bits[17] && write_status)) || write_unfit;

    hist_clear_reg <= write_hist_control && write_bits[1];

    if (write_hist_control) begin
        hist_enable_reg <= write_bits[0] | (hist_enable_reg & ~write_mask[0]);
    end

    if (write_hist_freeze) begin
        hist_freeze_reg <= write_bits | (hist_freeze_reg & ~write_mask);
    end

    table_word_reg <= write_table && wstrb_reg[0];
    table_we_reg <= write_table && wstrb_reg[0] && (awaddr_reg[8]
        ? {1'b0, awaddr_reg[7:0]} < LENGTH_END[8:0] : {1'b0, awaddr_reg[7:0]} < CLASS_END[8:0]);
    table_over_reg <= write_commit || write_unfit;
    table_commit_reg <= write_commit;
    table_committed_reg <= table_commit_reg;

    if (write) begin
        table_addr_reg <= awaddr_reg[8:0];
        table_data_reg <= wdata_reg;
    end

    if (write_commit) begin
        table_id_reg <= wdata_reg[4:0];
    end

    if (rst) begin
        mode_reg <= 2'd0;
        crc_reg <= 1'b1;
        require_crc_reg <= 1'b1;
        dtype_reg <= 3'd0;
        min_packet_reg <= MIN_PACKET_RESET;
        min_saving_reg <= MIN_SAVING_RESET;
        status_reg <= 11'd0;
        table_refused_reg <= 1'b0;
        table_unfit_reg <= 1'b0;
        hist_enable_reg <= 1'b0;
        hist_clear_reg <= 1'b0;
        hist_freeze_reg <= 32'd0;
        table_word_reg <= 1'b0;
        table_we_reg <= 1'b0;
        table_over_reg <= 1'b0;
        table_commit_reg <= 1'b0;
        table_committed_reg <= 1'b0;
    end
end

qlc_table_check #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS)
)
check_inst (
    .clk(clk),
    .rst(rst),
    .we(table_word_reg),
    .addr(table_addr_reg),
    .data(table_data_reg),
    .over(table_over_reg),
    .fit(table_fit)
);

/*
 * Counters, from events a cycle late
 */
// The seventh and the eighth are not there
function is_counter(input [4:0] number);
    is_counter = number < 5'd6 || (number > 5'd7 && number < COUNTERS);
endfunction

localparam [EVENT_BITS-2:0] ONE = 0;
localparam [EVENT_BITS-1:0] NONE = 0;

wire [EVENT_BITS*COUNTERS-1:0] events;
wire [64*COUNTERS-1:0] counters;

assign events = {
    {ONE, ev_error[10]}, {ONE, ev_error[9]}, {ONE, ev_error[8]},
    {ONE, ev_error[7]}, {ONE, ev_error[6]}, {ONE, ev_error[5]}, {ONE, ev_error[4]},
    {ONE, ev_error[3]}, {ONE, ev_error[2]}, {ONE, ev_error[1]}, {ONE, ev_error[0]},
    NONE, NONE, ev_special, ev_bytes,
    ev_symbols, {ONE, ev_block_coded}, {ONE, ev_block_raw}, {ONE, ev_packet}
};

always @(posedge clk) begin
    error_reg <= ev_error;

    if (rst) begin
        error_reg <= 11'd0;
    end
end

genvar n;

generate

    for (n = 0; n < COUNTERS; n = n + 1) begin : counter
        reg [EVENT_BITS-1:0] increment_reg;

        always @(posedge clk) begin
            increment_reg <= events[EVENT_BITS*n +: EVENT_BITS];

            if (rst) begin
                increment_reg <= 0;
            end
        end

        qlc_counter #(
            .STEP_BITS(EVENT_BITS)
        )
        counter_inst (
            .clk(clk),
            .rst(rst),
            .step(increment_reg),
            .count(counters[64*n +: 64])
        );
    end

endgenerate

/*
 * Read channels: the address is held, then what takes a cycle to fetch is there
 */
reg arready_reg;
reg ar_held_reg;
reg fetched_reg;
reg [9:0] araddr_reg;
reg rvalid_reg;
reg [1:0] rresp_reg;
reg [31:0] rdata_reg;
// A 64-bit register as it was when its low word was read
reg [63:0] snapshot_reg;

assign s_axil_arready = arready_reg;
assign s_axil_rvalid = rvalid_reg;
assign s_axil_rresp = rresp_reg;
assign s_axil_rdata = rdata_reg;
assign hist_addr = araddr_reg[7:0];

wire read = fetched_reg && (!rvalid_reg || s_axil_rready);
wire read_counter = araddr_reg[9:6] == ADDR_COUNTERS[9:6] && is_counter(araddr_reg[5:1]);
wire read_samples = {araddr_reg[9:1], 1'b0} == ADDR_HIST_SAMPLES;

wire [31:0] table_loaded_wide;

generate

    if (TABLES < 32) begin : loaded_fill
        assign table_loaded_wide = {{32-TABLES{1'b0}}, table_loaded};
    end else begin : loaded_all
        assign table_loaded_wide = table_loaded;
    end

endgenerate

wire [31:0] snapshot_word = araddr_reg[0] ? snapshot_reg[63:32] : snapshot_reg[31:0];
reg [31:0] read_data;
reg [1:0] read_resp;

always @* begin
    read_data = 32'd0;
    read_resp = RESP_OKAY;

    if (araddr_reg[9]) begin
        read_resp = RESP_SLVERR;
    end else if (araddr_reg[8]) begin
        read_data = HISTOGRAM ? hist_data : 32'd0;
        read_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
    end else if (read_counter) begin
        read_data = snapshot_word;
    end else begin
        case (araddr_reg)
            ADDR_ID: begin
                read_data = MAGIC;
            end
            ADDR_VERSION: begin
                read_data = VERSION;
            end
            ADDR_CAPABILITY: begin
                read_data = CAPABILITY;
            end
            ADDR_BLOCK_SIZE: begin
                read_data = BLOCK_SIZE;
            end
            ADDR_CONTROL: begin
                read_data = {21'd0, dtype_reg, 2'd0, require_crc_reg, crc_reg, 2'd0, mode_reg};
            end
            ADDR_MIN_PACKET: begin
                read_data = {19'd0, min_packet_reg};
            end
            ADDR_MIN_SAVING: begin
                read_data = {19'd0, min_saving_reg};
            end
            ADDR_STATUS: begin
                read_data = {14'd0, table_unfit_reg, table_refused_reg, 5'd0, status_reg};
            end
            ADDR_TABLE_COMMIT: begin
                read_resp = RESP_SLVERR;
            end
            ADDR_TABLE_STATUS: begin
                read_data = {31'd0, busy};
            end
            ADDR_TABLE_LOADED: begin
                read_data = table_loaded_wide;
            end
            ADDR_BEAT: begin
                read_data = BEAT_SIZE;
            end
            ADDR_HIST_CONTROL: begin
                read_data = HISTOGRAM ? {31'd0, hist_enable_reg} : 32'd0;
                read_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
            end
            ADDR_HIST_STATUS: begin
                read_data = HISTOGRAM ? {31'd0, hist_frozen} : 32'd0;
                read_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
            end
            ADDR_HIST_FREEZE: begin
                read_data = HISTOGRAM ? hist_freeze_reg : 32'd0;
                read_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
            end
            ADDR_HIST_PACKETS: begin
                read_data = HISTOGRAM ? hist_packets : 32'd0;
                read_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
            end
            ADDR_HIST_SAMPLES, ADDR_HIST_SAMPLES | 10'd1: begin
                read_data = HISTOGRAM ? snapshot_word : 32'd0;
                read_resp = HISTOGRAM ? RESP_OKAY : RESP_DECERR;
            end
            default: begin
                read_resp = RESP_DECERR;
            end
        endcase
    end
end

always @(posedge clk) begin
    if (s_axil_arvalid && arready_reg) begin
        araddr_reg <= s_axil_araddr[11:2];
        arready_reg <= 1'b0;
        ar_held_reg <= 1'b1;
    end else if (read || (!ar_held_reg && !fetched_reg)) begin
        arready_reg <= 1'b1;
    end

    if (ar_held_reg) begin
        ar_held_reg <= 1'b0;
        fetched_reg <= 1'b1;
    end else if (read) begin
        fetched_reg <= 1'b0;
    end

    if (ar_held_reg && !araddr_reg[0]) begin
        if (read_counter) begin
            snapshot_reg <= counters[64*araddr_reg[5:1] +: 64];
        end else if (read_samples && HISTOGRAM) begin
            snapshot_reg <= hist_samples;
        end
    end

    if (read) begin
        rvalid_reg <= 1'b1;
        rresp_reg <= read_resp;
        rdata_reg <= read_data;
    end else if (s_axil_rready) begin
        rvalid_reg <= 1'b0;
    end

    if (rst) begin
        arready_reg <= 1'b0;
        ar_held_reg <= 1'b0;
        fetched_reg <= 1'b0;
        rvalid_reg <= 1'b0;
        snapshot_reg <= 64'd0;
    end
end

wire unused = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0], s_axil_awprot, s_axil_arprot};

endmodule

`resetall
