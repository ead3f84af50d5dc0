// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_linux_red

`timescale 1ns/1ps

module spinal_linux_red (
  input  wire [47:0]   io_state_average,
  input  wire [31:0]   io_state_count,
  input  wire [31:0]   io_state_threshold,
  input  wire [23:0]   io_occupancy,
  input  wire          io_endsIdle,
  input  wire [4:0]    io_weight,
  input  wire [23:0]   io_min,
  input  wire [23:0]   io_max,
  input  wire [31:0]   io_divisor,
  input  wire [31:0]   io_word,
  output reg           io_signal,
  output reg           io_forced,
  output wire [47:0]   io_next_average,
  output reg  [31:0]   io_next_count,
  output reg  [31:0]   io_next_threshold
);

  wire       [48:0]   _zz_moved;
  wire       [48:0]   _zz_moved_1;
  wire       [48:0]   _zz_moved_2;
  wire       [24:0]   _zz_moved_3;
  wire       [48:0]   _zz_moved_4;
  wire       [47:0]   _zz_moved_5;
  wire       [48:0]   _zz_isBelow;
  wire       [48:0]   _zz_isBelow_1;
  wire       [79:0]   _zz_isBelow_2;
  wire       [48:0]   _zz_isBelow_3;
  wire       [48:0]   _zz_isAbove;
  wire       [79:0]   _zz_isAbove_1;
  wire       [48:0]   _zz_isAbove_2;
  wire       [48:0]   _zz_isAbove_3;
  wire       [48:0]   _zz_excess;
  wire       [48:0]   _zz_excess_1;
  wire       [48:0]   _zz_excess_2;
  wire       [48:0]   _zz_excess_3;
  wire       [79:0]   _zz_excess_4;
  wire       [48:0]   _zz_excess_5;
  wire                _zz_when;
  wire                _zz_when_1;
  wire       [56:0]   _zz_when_2;
  wire       [56:0]   _zz_when_3;
  wire       [47:0]   moved;
  wire                isBelow;
  wire                isAbove;
  wire       [31:0]   count;
  wire       [24:0]   excess;
  wire       [31:0]   drawn;

  assign _zz_when = ($signed(count) == $signed(32'h0));
  assign _zz_when_1 = (_zz_when_2 <= _zz_when_3);
  assign _zz_moved = (_zz_moved_1 - _zz_moved_4);
  assign _zz_moved_1 = ({1'b0,io_state_average} + _zz_moved_2);
  assign _zz_moved_3 = {1'b0,io_occupancy};
  assign _zz_moved_2 = {24'd0, _zz_moved_3};
  assign _zz_moved_5 = (io_state_average >>> io_weight);
  assign _zz_moved_4 = {1'd0, _zz_moved_5};
  assign _zz_isBelow = {1'd0, io_next_average};
  assign _zz_isBelow_2 = ({31'd0,_zz_isBelow_3} <<< io_weight);
  assign _zz_isBelow_1 = _zz_isBelow_2[48:0];
  assign _zz_isBelow_3 = {25'd0, io_min};
  assign _zz_isAbove_1 = ({31'd0,_zz_isAbove_2} <<< io_weight);
  assign _zz_isAbove = _zz_isAbove_1[48:0];
  assign _zz_isAbove_2 = {25'd0, io_max};
  assign _zz_isAbove_3 = {1'd0, io_next_average};
  assign _zz_excess = (_zz_excess_1 >>> io_weight);
  assign _zz_excess_1 = (_zz_excess_2 - _zz_excess_3);
  assign _zz_excess_2 = {1'd0, io_next_average};
  assign _zz_excess_4 = ({31'd0,_zz_excess_5} <<< io_weight);
  assign _zz_excess_3 = _zz_excess_4[48:0];
  assign _zz_excess_5 = {25'd0, io_min};
  assign _zz_when_2 = {25'd0, io_state_threshold};
  assign _zz_when_3 = (excess * count);
  assign moved = _zz_moved[47:0];
  assign io_next_average = (io_endsIdle ? io_state_average : moved);
  assign isBelow = (_zz_isBelow < _zz_isBelow_1);
  assign isAbove = (_zz_isAbove <= _zz_isAbove_3);
  assign count = ($signed(io_state_count) + $signed(32'h00000001));
  assign excess = _zz_excess[24:0];
  assign drawn = (io_word / io_divisor);
  always @(*) begin
    io_signal = 1'b0;
    if(!isBelow) begin
      if(isAbove) begin
        io_signal = 1'b1;
      end else begin
        if(!_zz_when) begin
          if(_zz_when_1) begin
            io_signal = 1'b1;
          end
        end
      end
    end
  end

  always @(*) begin
    io_forced = 1'b0;
    if(!isBelow) begin
      if(isAbove) begin
        io_forced = 1'b1;
      end
    end
  end

  always @(*) begin
    io_next_threshold = io_state_threshold;
    if(!isBelow) begin
      if(!isAbove) begin
        if(_zz_when) begin
          io_next_threshold = drawn;
        end else begin
          if(_zz_when_1) begin
            io_next_threshold = drawn;
          end
        end
      end
    end
  end

  always @(*) begin
    if(isBelow) begin
      io_next_count = 32'hffffffff;
    end else begin
      if(isAbove) begin
        io_next_count = 32'hffffffff;
      end else begin
        if(_zz_when) begin
          io_next_count = 32'h0;
        end else begin
          if(_zz_when_1) begin
            io_next_count = 32'h0;
          end else begin
            io_next_count = count;
          end
        end
      end
    end
  end


endmodule
