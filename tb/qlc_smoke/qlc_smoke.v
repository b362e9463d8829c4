// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 The QLC authors

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * A first look without Python: random packets through the encoder core and the decoder core, with the
 * paper's static code and symbols ranked by their value, random pauses at both ends. Prints one line at its end.
 * A wrong symbol, an error or a hang ends it with $fatal, so that the simulator's exit status tells.
 */
module qlc_smoke #
(
    parameter PACKETS = 12,
    parameter SEED = 1
);

localparam SYMBOLS = 32;
localparam TIMEOUT = 2000000;

reg clk = 1'b0;
reg rst = 1'b1;

always #5 clk = !clk;

reg table_we = 1'b0;
reg [8:0] table_addr = 9'd0;
reg [31:0] table_data = 32'd0;

reg [8*SYMBOLS-1:0] in_data = 0;
reg [SYMBOLS-1:0] in_keep = 0;
reg in_valid = 1'b0;
wire in_ready;
reg in_last = 1'b0;
reg [31:0] in_count = 0;

wire [7:0] out_data;
wire out_keep;
wire out_valid;
reg out_ready = 1'b0;
wire out_last;
wire [2:0] out_error;

qlc_chain #(
    .SYMBOLS(SYMBOLS)
)
dut (
    .clk(clk),
    .rst(rst),
    .rank_we(table_we),
    .rank_addr(table_addr),
    .rank_data(table_data),
    .table_we(table_we),
    .table_addr(table_addr),
    .table_data(table_data),
    .s_axis_tdata(in_data),
    .s_axis_tkeep(in_keep),
    .s_axis_tvalid(in_valid),
    .s_axis_tready(in_ready),
    .s_axis_tlast(in_last),
    .s_axis_tuser(in_count),
    .m_axis_tdata(out_data),
    .m_axis_tkeep(out_keep),
    .m_axis_tvalid(out_valid),
    .m_axis_tready(out_ready),
    .m_axis_tlast(out_last),
    .m_axis_tuser(out_error)
);

// Symbols on their way, in order
reg [7:0] sent [0:65535];
reg [15:0] head = 16'd0;
reg [15:0] tail = 16'd0;
integer packets_out = 0;
integer cycles = 0;

integer seed = SEED;
integer packet;
integer left;
integer lane;

// {length, limit, step} of 6x40,7x16,8x32,11 and of a length that is not used
function [31:0] length_word(input integer place);
    case (place)
        0: length_word = {4'd6, 16'd2560, 12'd0};
        1: length_word = {4'd7, 16'd3072, 12'd4056};
        2: length_word = {4'd8, 16'd3584, 12'd3960};
        3: length_word = {4'd11, 16'd4096, 12'd2392};
        default: length_word = 32'h01000000;
    endcase
endfunction

task fail(input [8*32-1:0] what);
    $fatal(1, "qlc_smoke: %0s, packet %0d, symbol %0d of all", what, packets_out, tail);
endtask

initial begin
    repeat (4) @(negedge clk);
    rst = 1'b0;
    // The symbol of a rank is the rank, so encoder and decoder have the same words.
    for (lane = 0; lane < 256 + 12; lane = lane + 1) begin
        table_we = 1'b1;
        table_addr = lane;
        table_data = lane < 256 ? lane : length_word(lane - 256);
        @(negedge clk);
    end
    table_we = 1'b0;
    repeat (4) @(negedge clk);

    for (packet = 0; packet < PACKETS; packet = packet + 1) begin
        in_count = $random(seed) & 511;
        left = in_count;
        in_last = 1'b0;
        while (!in_last) begin
            in_data = 0;
            in_keep = 0;
            for (lane = 0; lane < SYMBOLS && lane < left; lane = lane + 1) begin
                in_keep[lane] = 1'b1;
                // Low ranks are frequent.
                in_data[8*lane +: 8] = $random(seed) & $random(seed) & $random(seed);
                sent[head] = in_data[8*lane +: 8];
                head = head + 16'd1;
            end
            left = left > SYMBOLS ? left - SYMBOLS : 0;
            in_last = left == 0;
            while ($random(seed) & 1) @(negedge clk);
            in_valid = 1'b1;
            // Inputs change at the falling edge, so what is ready now is taken at the rising one.
            while (!in_ready) @(negedge clk);
            @(negedge clk);
            in_valid = 1'b0;
        end
    end
    while (packets_out != PACKETS) @(negedge clk);
    repeat (50) @(negedge clk);
    if (head != tail || packets_out != PACKETS) fail("symbols left over");
    $display("qlc_smoke: %0d packets of %0d symbols came back", packets_out, tail);
    $finish;
end

always @(negedge clk) out_ready <= $random;

always @(posedge clk) begin
    cycles <= cycles + 1;
    if (cycles == TIMEOUT) fail("hang");
    if (!rst && out_valid && out_ready) begin
        if (out_keep) begin
            if (out_data !== sent[tail]) fail("wrong symbol");
            tail <= tail + 16'd1;
        end
        if (out_last) begin
            if (out_error !== 3'd0) fail("error");
            packets_out <= packets_out + 1;
        end
    end
end

endmodule

`resetall
