// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_red_spacing

`timescale 1ns/1ps

module spinal_red_spacing (
  input  wire [1:0]    io_spacing,
  input  wire [24:0]   io_remaining,
  input  wire          io_between,
  input  wire          io_forced,
  input  wire [23:0]   io_probability,
  input  wire [31:0]   io_word,
  output wire          io_signal,
  output reg  [24:0]   io_next
);

  wire       [24:0]   _zz_isSpent;
  wire       [23:0]   _zz_draw;
  wire       [24:0]   _zz_io_next;
  wire                isSpent;
  wire                byChance;
  wire       [24:0]   draw;

  assign _zz_isSpent = {1'd0, io_probability};
  assign _zz_draw = (io_word >>> 4'd8);
  assign _zz_io_next = {1'd0, io_probability};
  assign isSpent = (io_remaining < _zz_isSpent);
  assign byChance = (io_between && isSpent);
  assign draw = {(io_spacing == 2'b10),_zz_draw};
  assign io_signal = (io_forced || byChance);
  always @(*) begin
    if(((byChance || (! io_between)) || (io_spacing == 2'b00))) begin
      io_next = draw;
    end else begin
      io_next = (io_remaining - _zz_io_next);
    end
  end


endmodule
