// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_linux_idle

`timescale 1ns/1ps

module spinal_linux_idle (
  input  wire [47:0]   io_average,
  input  wire [31:0]   io_elapsed,
  input  wire [4:0]    io_cell,
  input  wire [4:0]    io_shift,
  output wire [7:0]    io_place,
  output reg  [47:0]   io_next
);

  wire       [38:0]   _zz_time_1;
  wire       [38:0]   _zz_time_1_1;
  wire       [38:0]   _zz_io_place;
  wire       [86:0]   _zz_fall;
  wire       [86:0]   _zz_when;
  wire       [47:0]   _zz_io_next;
  wire       [38:0]   longest;
  wire       [38:0]   time_1;
  wire       [86:0]   fall;
  wire       [46:0]   half;

  assign _zz_time_1 = {7'd0, io_elapsed};
  assign _zz_time_1_1 = {7'd0, io_elapsed};
  assign _zz_io_place = (time_1 >>> io_cell);
  assign _zz_fall = (io_average * time_1);
  assign _zz_when = {40'd0, half};
  assign _zz_io_next = fall[47:0];
  assign longest = ({31'd0,8'hff} <<< io_cell);
  assign time_1 = ((longest < _zz_time_1) ? longest : _zz_time_1_1);
  assign io_place = _zz_io_place[7:0];
  assign fall = (_zz_fall >>> io_cell);
  assign half = (io_average >>> 1'd1);
  always @(*) begin
    if((io_shift != 5'h0)) begin
      io_next = (io_average >>> io_shift);
    end else begin
      if((fall < _zz_when)) begin
        io_next = (io_average - _zz_io_next);
      end else begin
        io_next = {1'd0, half};
      end
    end
  end


endmodule
