// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_codel_times

`timescale 1ns/1ps

module spinal_codel_times (
  input  wire [31:0]   io_now,
  input  wire [31:0]   io_stamp,
  input  wire [31:0]   io_target,
  input  wire [31:0]   io_interval,
  input  wire [31:0]   io_ceThreshold,
  input  wire [31:0]   io_firstAbove,
  input  wire [31:0]   io_dropNext,
  input  wire          io_atOnce,
  input  wire [23:0]   io_behind,
  input  wire [23:0]   io_exempt,
  input  wire          io_exemptBelow,
  output wire          io_isAbove,
  output wire          io_isOver,
  output wire          io_isSmall,
  output wire          io_isLate,
  output wire          io_isDue,
  output wire [31:0]   io_fresh,
  output wire          io_isVoid
);

  wire       [31:0]   _zz_io_isAbove;
  wire       [31:0]   _zz_io_isOver;
  wire       [31:0]   _zz_io_isLate;
  wire       [31:0]   _zz_io_isLate_1;
  wire       [31:0]   _zz_io_isDue;
  wire       [31:0]   waited;

  assign _zz_io_isAbove = (waited - io_target);
  assign _zz_io_isOver = (io_ceThreshold - waited);
  assign _zz_io_isLate = (io_now - io_firstAbove);
  assign _zz_io_isLate_1 = (io_firstAbove - io_now);
  assign _zz_io_isDue = (io_now - io_dropNext);
  assign waited = (io_now - io_stamp);
  assign io_isAbove = (! _zz_io_isAbove[31]);
  assign io_isOver = _zz_io_isOver[31];
  assign io_isSmall = (io_exemptBelow ? (io_behind < io_exempt) : (io_behind <= io_exempt));
  assign io_isLate = (io_atOnce ? (! _zz_io_isLate[31]) : _zz_io_isLate_1[31]);
  assign io_isDue = (! _zz_io_isDue[31]);
  assign io_fresh = (io_now + io_interval);
  assign io_isVoid = (io_fresh == 32'h0);

endmodule
