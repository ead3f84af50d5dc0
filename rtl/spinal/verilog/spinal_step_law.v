// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_step_law

`timescale 1ns/1ps

module spinal_step_law (
  input  wire [23:0]   io_occupancy,
  input  wire [23:0]   io_threshold,
  output wire          io_signal
);


  assign io_signal = (io_threshold < io_occupancy);

endmodule
