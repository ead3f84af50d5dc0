// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_codel_control

`timescale 1ns/1ps

module spinal_codel_control (
  input  wire          io_switches_ecn,
  input  wire          io_switches_thresholdOnce,
  input  wire          io_switches_keepFirstAbove,
  input  wire          io_isEct,
  input  wire          io_isCe,
  input  wire          io_isProtected,
  input  wire          io_isAbove,
  input  wire          io_isSmall,
  input  wire          io_isOver,
  input  wire          io_isLate,
  input  wire          io_isDue,
  input  wire          io_isVoid,
  input  wire          io_followsEntering,
  input  wire          io_afterDrop,
  input  wire          io_firstAboveSet,
  input  wire          io_dropping,
  output reg  [4:0]    io_code,
  output wire          io_drops,
  output wire          io_marks,
  output wire          io_requests,
  output wire          io_entering,
  output wire          io_nextSet,
  output wire          io_nextDropping,
  output wire          io_emptySet,
  output wire          io_emptyDropping
);

  wire                stands;
  wire                okToDrop;
  wire                meets;
  wire                takes;
  wire                spares;
  wire                signalMarks;
  wire                thresholdMarks;

  assign stands = (io_isAbove && (! io_isSmall));
  assign okToDrop = ((stands && io_firstAboveSet) && io_isLate);
  assign meets = ((okToDrop && (! io_followsEntering)) && ((! io_dropping) || io_isDue));
  assign takes = ((meets && io_switches_ecn) && (io_isEct || io_isCe));
  assign spares = ((meets && io_isProtected) && (! takes));
  assign io_drops = ((meets && (! takes)) && (! spares));
  assign io_requests = (takes || io_drops);
  assign io_entering = (io_requests && (! io_dropping));
  assign signalMarks = (takes && io_isEct);
  assign thresholdMarks = ((io_isOver && io_isEct) && (! io_drops));
  assign io_marks = (signalMarks || thresholdMarks);
  always @(*) begin
    if(io_drops) begin
      io_code = 5'h0d;
    end else begin
      if(((signalMarks && thresholdMarks) && (! io_switches_thresholdOnce))) begin
        io_code = 5'h12;
      end else begin
        if(signalMarks) begin
          io_code = 5'h10;
        end else begin
          if(thresholdMarks) begin
            io_code = 5'h11;
          end else begin
            if(takes) begin
              io_code = 5'h14;
            end else begin
              if(spares) begin
                io_code = 5'h13;
              end else begin
                io_code = 5'h0c;
              end
            end
          end
        end
      end
    end
  end

  assign io_nextSet = (stands && (io_firstAboveSet || (! io_isVoid)));
  assign io_nextDropping = (io_entering || (io_dropping && (okToDrop || io_followsEntering)));
  assign io_emptySet = ((io_firstAboveSet && io_switches_keepFirstAbove) && (! io_afterDrop));
  assign io_emptyDropping = (io_dropping && io_followsEntering);

endmodule
