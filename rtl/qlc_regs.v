// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * QLC registers: connects software on AXI4-Lite with the data path of encoder or decoder. The map, with
 * every register and its access, is in qlc_regs.rdl.
 *
 *   bus        handshakes; a write in one cycle, a read in two      qlc_axil_slave
 *   registers  here: what each address does, and the writable registers
 *   table      words into the staging bank, and its commit          qlc_table_window
 *   counters   of events                                            qlc_event_counters
 *
 * Events are looked at in every cycle; ev_symbols, ev_bytes and ev_special are numbers, the
 * others one event each. table_busy follows table_commit as qlc_table_window says.
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
// Numbered as in qlc_event_counters
localparam [9:0] ADDR_COUNTERS = 10'h040;
localparam [4:0] LAST_COUNTER = 5'd18;

localparam [31:0] MAGIC = 32'h514C4331;
localparam [31:0] VERSION = 32'h00030000;
localparam [12:0] MIN_PACKET_RESET = 13'd1024;
localparam [12:0] MIN_SAVING_RESET = 13'd1;

localparam HISTOGRAM = DECODER == 0;

localparam [31:0] CAPABILITY = (TABLES << 20) | (LONGEST << 16) | (SHORTEST << 12) | (KNOWN_BITS << 8) |
    (LENGTHS << 4) | (RAW_BITS << 2) | (HISTOGRAM ? 2 : 0) | (DECODER != 0 ? 1 : 0);
localparam [31:0] BLOCK_SIZE = BLOCK_SYMBOLS;
localparam [31:0] BEAT_SIZE = BEAT;

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
 * Bus
 */
wire write;
wire [9:0] write_addr;
wire [31:0] write_data;
wire [3:0] write_strb;
reg [1:0] write_resp;
wire fetch;
wire [9:0] read_addr;
reg [31:0] read_data;
reg [1:0] read_resp;

qlc_axil_slave axil_inst (
    .clk(clk),
    .rst(rst),
    .s_axil_awaddr(s_axil_awaddr),
    .s_axil_awprot(s_axil_awprot),
    .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata),
    .s_axil_wstrb(s_axil_wstrb),
    .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready),
    .s_axil_bresp(s_axil_bresp),
    .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready),
    .s_axil_araddr(s_axil_araddr),
    .s_axil_arprot(s_axil_arprot),
    .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready),
    .s_axil_rdata(s_axil_rdata),
    .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid),
    .s_axil_rready(s_axil_rready),
    .write(write),
    .write_addr(write_addr),
    .write_data(write_data),
    .write_strb(write_strb),
    .write_resp(write_resp),
    .fetch(fetch),
    .read_addr(read_addr),
    .read_data(read_data),
    .read_resp(read_resp)
);

// Two words each; there are no counters 6 and 7
function is_counter(input [8:0] pair);
    is_counter = pair[8:5] == ADDR_COUNTERS[9:6]
        && pair[4:0] != 5'd6 && pair[4:0] != 5'd7 && pair[4:0] <= LAST_COUNTER;
endfunction

// Registers of the histogram, and the window of its counts
function is_histogram(input [9:0] addr);
    is_histogram = addr[9:8] == 2'd1 || (addr >= ADDR_HIST_CONTROL && addr <= ADDR_HIST_SAMPLES + 10'd1);
endfunction

wire write_counter = is_counter(write_addr[9:1]);
wire write_histogram = is_histogram(write_addr);
wire read_counter = is_counter(read_addr[9:1]);
wire read_histogram = is_histogram(read_addr);

/*
 * Write decoding
 */
wire write_refused;
wire write_unfit;
wire write_word = write && write_addr[9];
wire write_control = write && write_addr == ADDR_CONTROL;
wire write_min_packet = write && write_addr == ADDR_MIN_PACKET;
wire write_min_saving = write && write_addr == ADDR_MIN_SAVING;
wire write_status = write && write_addr == ADDR_STATUS;
wire write_commit = write && write_addr == ADDR_TABLE_COMMIT;
wire write_hist_control = write && write_addr == ADDR_HIST_CONTROL && HISTOGRAM;
wire write_hist_freeze = write && write_addr == ADDR_HIST_FREEZE && HISTOGRAM;
wire hist_writable = HISTOGRAM && (write_addr == ADDR_HIST_CONTROL || write_addr == ADDR_HIST_FREEZE);

always @* begin
    write_resp = RESP_DECERR;

    if (write_addr[9]) begin
        write_resp = RESP_OKAY;
    end else if (write_counter) begin
        write_resp = RESP_SLVERR;
    end else if (write_histogram) begin
        write_resp = hist_writable ? RESP_OKAY : HISTOGRAM ? RESP_SLVERR : RESP_DECERR;
    end else begin
        case (write_addr)
            ADDR_CONTROL, ADDR_MIN_PACKET, ADDR_MIN_SAVING, ADDR_STATUS, ADDR_TABLE_COMMIT:
                write_resp = RESP_OKAY;
            ADDR_ID, ADDR_VERSION, ADDR_CAPABILITY, ADDR_BLOCK_SIZE, ADDR_TABLE_STATUS,
            ADDR_TABLE_LOADED, ADDR_BEAT:
                write_resp = RESP_SLVERR;
            default: write_resp = RESP_DECERR;
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
// Errors, a cycle late
reg [10:0] error_reg;

assign cfg_min_packet = min_packet_reg;
assign cfg_min_saving = min_saving_reg == 13'd0 ? MIN_SAVING_RESET : min_saving_reg;
assign cfg_mode = &mode_reg ? 2'd0 : mode_reg;
assign cfg_crc = crc_reg;
assign cfg_require_crc = require_crc_reg;
assign cfg_dtype = dtype_reg;
assign hist_enable = hist_enable_reg;
assign hist_clear = hist_clear_reg;
assign hist_freeze = hist_freeze_reg;

wire [31:0] write_mask = {{8{write_strb[3]}}, {8{write_strb[2]}}, {8{write_strb[1]}}, {8{write_strb[0]}}};
wire [31:0] write_bits = write_data & write_mask;

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

    error_reg <= ev_error;

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
        error_reg <= 11'd0;
    end
end

/*
 * Tables
 */
wire busy;

qlc_table_window #(
    .LENGTHS(LENGTHS),
    .KNOWN_BITS(KNOWN_BITS),
    .SHORTEST(SHORTEST),
    .LONGEST(LONGEST),
    .RAW_BITS(RAW_BITS),
    .TABLES(TABLES)
)
table_window_inst (
    .clk(clk),
    .rst(rst),
    .write(write),
    .write_word(write_word),
    .write_commit(write_commit),
    .addr(write_addr[8:0]),
    .data(write_data),
    .strb(write_strb),
    .refused(write_refused),
    .unfit(write_unfit),
    .busy(busy),
    .table_we(table_we),
    .table_addr(table_addr),
    .table_data(table_data),
    .table_commit(table_commit),
    .table_id(table_id),
    .table_busy(table_busy)
);

/*
 * Counters
 */
wire [63:0] count;

qlc_event_counters #(
    .EVENT_BITS(EVENT_BITS)
)
counters_inst (
    .clk(clk),
    .rst(rst),
    .ev_packet(ev_packet),
    .ev_block_raw(ev_block_raw),
    .ev_block_coded(ev_block_coded),
    .ev_symbols(ev_symbols),
    .ev_bytes(ev_bytes),
    .ev_special(ev_special),
    .ev_error(ev_error),
    .number(read_addr[5:1]),
    .count(count)
);

/*
 * Read decoding
 */
// A 64-bit register as it was when its low word was read
reg [63:0] snapshot_reg;

assign hist_addr = read_addr[7:0];

always @(posedge clk) begin
    if (fetch && !read_addr[0]) begin
        if (read_counter) begin
            snapshot_reg <= count;
        end else if (read_addr == ADDR_HIST_SAMPLES && HISTOGRAM) begin
            snapshot_reg <= hist_samples;
        end
    end

    if (rst) begin
        snapshot_reg <= 64'd0;
    end
end

wire [31:0] snapshot_word = read_addr[0] ? snapshot_reg[63:32] : snapshot_reg[31:0];

wire [31:0] table_loaded_wide;

generate

    if (TABLES < 32) begin : loaded_fill
        assign table_loaded_wide = {{32-TABLES{1'b0}}, table_loaded};
    end else begin : loaded_all
        assign table_loaded_wide = table_loaded;
    end

endgenerate

always @* begin
    read_data = 32'd0;
    read_resp = RESP_OKAY;

    if (read_addr[9]) begin
        read_resp = RESP_SLVERR;
    end else if (read_histogram && !HISTOGRAM) begin
        read_resp = RESP_DECERR;
    end else if (read_addr[8]) begin
        read_data = hist_data;
    end else if (read_counter) begin
        read_data = snapshot_word;
    end else begin
        case (read_addr)
            ADDR_ID: read_data = MAGIC;
            ADDR_VERSION: read_data = VERSION;
            ADDR_CAPABILITY: read_data = CAPABILITY;
            ADDR_BLOCK_SIZE: read_data = BLOCK_SIZE;
            ADDR_CONTROL: read_data = {21'd0, dtype_reg, 2'd0, require_crc_reg, crc_reg, 2'd0, mode_reg};
            ADDR_MIN_PACKET: read_data = {19'd0, min_packet_reg};
            ADDR_MIN_SAVING: read_data = {19'd0, min_saving_reg};
            ADDR_STATUS: read_data = {14'd0, table_unfit_reg, table_refused_reg, 5'd0, status_reg};
            ADDR_TABLE_COMMIT: read_resp = RESP_SLVERR;
            ADDR_TABLE_STATUS: read_data = {31'd0, busy};
            ADDR_TABLE_LOADED: read_data = table_loaded_wide;
            ADDR_BEAT: read_data = BEAT_SIZE;
            ADDR_HIST_CONTROL: read_data = {31'd0, hist_enable_reg};
            ADDR_HIST_STATUS: read_data = {31'd0, hist_frozen};
            ADDR_HIST_FREEZE: read_data = hist_freeze_reg;
            ADDR_HIST_PACKETS: read_data = hist_packets;
            ADDR_HIST_SAMPLES, ADDR_HIST_SAMPLES | 10'd1: read_data = snapshot_word;
            default: read_resp = RESP_DECERR;
        endcase
    end
end

endmodule

`resetall
