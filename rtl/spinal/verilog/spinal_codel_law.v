// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_codel_law

`timescale 1ns/1ps

module spinal_codel_law (
  input  wire [31:0]   io_state_count,
  input  wire [31:0]   io_state_lastCount,
  input  wire [15:0]   io_state_reciprocal,
  input  wire [31:0]   io_state_dropNext,
  input  wire [31:0]   io_now,
  input  wire [31:0]   io_interval,
  input  wire          io_entering,
  input  wire          io_wasEntered,
  input  wire          io_isDue,
  input  wire          io_moves,
  input  wire          io_fromNow,
  input  wire          io_reentryPast,
  input  wire          io_converge,
  output wire [31:0]   io_next_count,
  output wire [31:0]   io_next_lastCount,
  output wire [15:0]   io_next_reciprocal,
  output wire [31:0]   io_next_dropNext
);

  wire       [15:0]   newton0_io_next;
  wire       [15:0]   newton1_io_next;
  wire       [15:0]   newton2_io_next;
  wire       [15:0]   newton3_io_next;
  wire       [31:0]   _zz_recent;
  wire       [31:0]   _zz_recent_1;
  wire       [35:0]   _zz_recent_2;
  wire       [31:0]   _zz_count;
  wire       [47:0]   _zz_gap;
  wire       [31:0]   _zz_io_next_dropNext;
  wire       [31:0]   grown;
  wire       [31:0]   since;
  wire                recent;
  wire                takesUp;
  wire       [31:0]   count;
  wire                starts;
  wire       [31:0]   gap;
  wire       [31:0]   from;

  assign _zz_recent = (since - _zz_recent_1);
  assign _zz_recent_2 = ({4'd0,io_interval} <<< 3'd4);
  assign _zz_recent_1 = _zz_recent_2[31:0];
  assign _zz_count = (io_state_count + 32'h00000001);
  assign _zz_gap = (io_interval * io_next_reciprocal);
  assign _zz_io_next_dropNext = (from + gap);
  spinal_codel_law_CodelNewton newton0 (
    .io_count      (count[31:0]              ), //i
    .io_reciprocal (io_state_reciprocal[15:0]), //i
    .io_next       (newton0_io_next[15:0]    )  //o
  );
  spinal_codel_law_CodelNewton newton1 (
    .io_count      (count[31:0]          ), //i
    .io_reciprocal (newton0_io_next[15:0]), //i
    .io_next       (newton1_io_next[15:0])  //o
  );
  spinal_codel_law_CodelNewton newton2 (
    .io_count      (count[31:0]          ), //i
    .io_reciprocal (newton1_io_next[15:0]), //i
    .io_next       (newton2_io_next[15:0])  //o
  );
  spinal_codel_law_CodelNewton newton3 (
    .io_count      (count[31:0]          ), //i
    .io_reciprocal (newton2_io_next[15:0]), //i
    .io_next       (newton3_io_next[15:0])  //o
  );
  assign grown = (io_state_count - io_state_lastCount);
  assign since = (io_now - io_state_dropNext);
  assign recent = _zz_recent[31];
  assign takesUp = (((io_wasEntered && (32'h00000001 < grown)) && recent) && ((! io_reentryPast) || io_isDue));
  assign count = (io_entering ? grown : _zz_count);
  assign starts = (io_entering && (! takesUp));
  assign io_next_count = (starts ? 32'h00000001 : count);
  assign io_next_lastCount = (io_entering ? io_next_count : io_state_lastCount);
  assign io_next_reciprocal = (starts ? 16'hffff : (io_converge ? newton3_io_next : newton0_io_next));
  assign gap = (_zz_gap >>> 5'd16);
  assign from = ((io_entering || io_fromNow) ? io_now : io_state_dropNext);
  assign io_next_dropNext = ((io_entering || io_moves) ? _zz_io_next_dropNext : io_state_dropNext);

endmodule

//spinal_codel_law_CodelNewton_3 replaced by spinal_codel_law_CodelNewton

//spinal_codel_law_CodelNewton_2 replaced by spinal_codel_law_CodelNewton

//spinal_codel_law_CodelNewton_1 replaced by spinal_codel_law_CodelNewton

module spinal_codel_law_CodelNewton (
  input  wire [31:0]   io_count,
  input  wire [15:0]   io_reciprocal,
  output wire [15:0]   io_next
);

  wire       [65:0]   _zz_rest;
  wire       [65:0]   _zz_rest_1;
  wire       [48:0]   _zz_io_next;
  wire       [31:0]   square;
  wire       [63:0]   product;
  wire       [63:0]   rest;
  wire       [79:0]   step;

  assign _zz_rest = (66'h00000000300000000 - _zz_rest_1);
  assign _zz_rest_1 = {2'd0, product};
  assign _zz_io_next = (step >>> 5'd31);
  assign square = (io_reciprocal * io_reciprocal);
  assign product = (io_count * square);
  assign rest = (_zz_rest >>> 2'd2);
  assign step = (rest * io_reciprocal);
  assign io_next = _zz_io_next[15:0];

endmodule
