// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_codel_law_small

`timescale 1ns/1ps

module spinal_codel_law_small (
  input  wire [5:0]    io_state_count,
  input  wire [5:0]    io_state_lastCount,
  input  wire [3:0]    io_state_reciprocal,
  input  wire [5:0]    io_state_dropNext,
  input  wire [5:0]    io_now,
  input  wire [5:0]    io_interval,
  input  wire          io_entering,
  input  wire          io_wasEntered,
  input  wire          io_isDue,
  input  wire          io_moves,
  input  wire          io_fromNow,
  input  wire          io_reentryPast,
  input  wire          io_converge,
  output wire [5:0]    io_next_count,
  output wire [5:0]    io_next_lastCount,
  output wire [3:0]    io_next_reciprocal,
  output wire [5:0]    io_next_dropNext
);

  wire       [3:0]    newton0_io_next;
  wire       [3:0]    newton1_io_next;
  wire       [3:0]    newton2_io_next;
  wire       [3:0]    newton3_io_next;
  wire       [5:0]    _zz_recent;
  wire       [5:0]    _zz_recent_1;
  wire       [9:0]    _zz_recent_2;
  wire       [5:0]    _zz_count;
  wire       [9:0]    _zz_gap;
  wire       [5:0]    _zz_io_next_dropNext;
  wire       [5:0]    grown;
  wire       [5:0]    since;
  wire                recent;
  wire                takesUp;
  wire       [5:0]    count;
  wire                starts;
  wire       [5:0]    gap;
  wire       [5:0]    from;

  assign _zz_recent = (since - _zz_recent_1);
  assign _zz_recent_2 = ({4'd0,io_interval} <<< 3'd4);
  assign _zz_recent_1 = _zz_recent_2[5:0];
  assign _zz_count = (io_state_count + 6'h01);
  assign _zz_gap = (io_interval * io_next_reciprocal);
  assign _zz_io_next_dropNext = (from + gap);
  spinal_codel_law_small_CodelNewton newton0 (
    .io_count      (count[5:0]              ), //i
    .io_reciprocal (io_state_reciprocal[3:0]), //i
    .io_next       (newton0_io_next[3:0]    )  //o
  );
  spinal_codel_law_small_CodelNewton newton1 (
    .io_count      (count[5:0]          ), //i
    .io_reciprocal (newton0_io_next[3:0]), //i
    .io_next       (newton1_io_next[3:0])  //o
  );
  spinal_codel_law_small_CodelNewton newton2 (
    .io_count      (count[5:0]          ), //i
    .io_reciprocal (newton1_io_next[3:0]), //i
    .io_next       (newton2_io_next[3:0])  //o
  );
  spinal_codel_law_small_CodelNewton newton3 (
    .io_count      (count[5:0]          ), //i
    .io_reciprocal (newton2_io_next[3:0]), //i
    .io_next       (newton3_io_next[3:0])  //o
  );
  assign grown = (io_state_count - io_state_lastCount);
  assign since = (io_now - io_state_dropNext);
  assign recent = _zz_recent[5];
  assign takesUp = (((io_wasEntered && (6'h01 < grown)) && recent) && ((! io_reentryPast) || io_isDue));
  assign count = (io_entering ? grown : _zz_count);
  assign starts = (io_entering && (! takesUp));
  assign io_next_count = (starts ? 6'h01 : count);
  assign io_next_lastCount = (io_entering ? io_next_count : io_state_lastCount);
  assign io_next_reciprocal = (starts ? 4'b1111 : (io_converge ? newton3_io_next : newton0_io_next));
  assign gap = (_zz_gap >>> 3'd4);
  assign from = ((io_entering || io_fromNow) ? io_now : io_state_dropNext);
  assign io_next_dropNext = ((io_entering || io_moves) ? _zz_io_next_dropNext : io_state_dropNext);

endmodule

//spinal_codel_law_small_CodelNewton_3 replaced by spinal_codel_law_small_CodelNewton

//spinal_codel_law_small_CodelNewton_2 replaced by spinal_codel_law_small_CodelNewton

//spinal_codel_law_small_CodelNewton_1 replaced by spinal_codel_law_small_CodelNewton

module spinal_codel_law_small_CodelNewton (
  input  wire [5:0]    io_count,
  input  wire [3:0]    io_reciprocal,
  output wire [3:0]    io_next
);

  wire       [15:0]   _zz_rest;
  wire       [15:0]   _zz_rest_1;
  wire       [10:0]   _zz_io_next;
  wire       [7:0]    square;
  wire       [13:0]   product;
  wire       [13:0]   rest;
  wire       [17:0]   step;

  assign _zz_rest = (16'h0300 - _zz_rest_1);
  assign _zz_rest_1 = {2'd0, product};
  assign _zz_io_next = (step >>> 3'd7);
  assign square = (io_reciprocal * io_reciprocal);
  assign product = (io_count * square);
  assign rest = (_zz_rest >>> 2'd2);
  assign step = (rest * io_reciprocal);
  assign io_next = _zz_io_next[3:0];

endmodule
