// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_red_average

`timescale 1ns/1ps

module spinal_red_average (
  input  wire [47:0]   io_average,
  input  wire [23:0]   io_occupancy,
  input  wire [4:0]    io_weight,
  output wire [47:0]   io_next
);

  wire       [48:0]   _zz_queue;
  wire       [47:0]   _zz_queue_1;
  wire       [48:0]   _zz_difference;
  wire       [48:0]   _zz_difference_1;
  wire       [48:0]   _zz_io_next;
  wire       [48:0]   _zz_io_next_1;
  wire       [48:0]   _zz_io_next_2;
  wire       [48:0]   _zz_io_next_3;
  wire       [48:0]   queue;
  wire       [48:0]   difference;
  wire       [48:0]   share;

  assign _zz_queue_1 = ({24'd0,io_occupancy} <<< 5'd24);
  assign _zz_queue = {1'd0, _zz_queue_1};
  assign _zz_difference = _zz_difference_1;
  assign _zz_difference_1 = {1'd0, io_average};
  assign _zz_io_next = _zz_io_next_1;
  assign _zz_io_next_1 = ($signed(_zz_io_next_2) + $signed(share));
  assign _zz_io_next_2 = _zz_io_next_3;
  assign _zz_io_next_3 = {1'd0, io_average};
  assign queue = _zz_queue;
  assign difference = ($signed(queue) - $signed(_zz_difference));
  assign share = ($signed(difference) >>> io_weight);
  assign io_next = _zz_io_next[47:0];

endmodule
