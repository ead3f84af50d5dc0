// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_red_curve

`timescale 1ns/1ps

module spinal_red_curve (
  input  wire [23:0]   io_config_min,
  input  wire [23:0]   io_config_max,
  input  wire [24:0]   io_config_maxp,
  input  wire [31:0]   io_config_slope,
  input  wire [1:0]    io_config_slopeScale,
  input  wire          io_config_gentle,
  input  wire [31:0]   io_config_gentleSlope,
  input  wire [1:0]    io_config_gentleScale,
  input  wire [23:0]   io_average,
  output wire          io_below,
  output wire          io_forced,
  output wire [23:0]   io_probability
);

  wire       [23:0]   _zz_product;
  wire       [23:0]   _zz_gentleProduct;
  wire       [4:0]    _zz_first;
  wire       [47:0]   _zz_second;
  wire       [4:0]    _zz_second_1;
  wire       [48:0]   _zz_second_2;
  wire       [25:0]   _zz_second_3;
  wire       [24:0]   _zz_io_forced;
  wire       [24:0]   _zz_io_probability;
  wire       [23:0]   _zz_io_probability_1;
  wire       [23:0]   _zz_io_probability_2;
  wire       [23:0]   _zz_io_probability_3;
  wire       [24:0]   twiceMax;
  wire       [23:0]   aboveMin;
  wire       [23:0]   aboveMax;
  wire       [47:0]   product;
  wire       [47:0]   gentleProduct;
  wire       [47:0]   first;
  wire       [48:0]   second;
  wire                steep;

  assign _zz_product = (io_config_slope >>> 4'd8);
  assign _zz_gentleProduct = (io_config_gentleSlope >>> 4'd8);
  assign _zz_first = ({3'd0,io_config_slopeScale} <<< 2'd3);
  assign _zz_second = (gentleProduct >>> _zz_second_1);
  assign _zz_second_1 = ({3'd0,io_config_gentleScale} <<< 2'd3);
  assign _zz_second_3 = {1'b0,io_config_maxp};
  assign _zz_second_2 = {23'd0, _zz_second_3};
  assign _zz_io_forced = {1'd0, io_average};
  assign _zz_io_probability = (second >>> 5'd24);
  assign _zz_io_probability_1 = second[23:0];
  assign _zz_io_probability_2 = (first >>> 5'd24);
  assign _zz_io_probability_3 = first[23:0];
  assign twiceMax = ({1'd0,io_config_max} <<< 1'd1);
  assign aboveMin = (io_average - io_config_min);
  assign aboveMax = (io_average - io_config_max);
  assign product = (aboveMin * _zz_product);
  assign gentleProduct = (aboveMax * _zz_gentleProduct);
  assign first = (product >>> _zz_first);
  assign second = ({1'b0,_zz_second} + _zz_second_2);
  assign steep = (io_config_max <= io_average);
  assign io_below = (io_average < io_config_min);
  assign io_forced = ((! io_below) && (io_config_gentle ? (twiceMax <= _zz_io_forced) : steep));
  assign io_probability = (steep ? ((|_zz_io_probability) ? 24'hffffff : _zz_io_probability_1) : ((|_zz_io_probability_2) ? 24'hffffff : _zz_io_probability_3));

endmodule
