// SPDX-License-Identifier: BSD-3-Clause
// Checks the words of RED of one law slot after the other and keeps them.
//
// Contract: `check_i` shows the words of slot `slot_i` in the order of their places (0 to 9: RED_SETTINGS, MIN, MAX, MAXP,
// SLOPE, GENTLE_SLOPE, RECIPROCAL, BOTTOM, BAND_LOW, BAND_HIGH). `fault_o` says what is at fault in that cycle, or where
// `busy_o` is 1, in one of its cycles; 0 where nothing is. Where `law_i` (the slot's law is RED) is 0, only weight and
// spacing are looked at. After each of the three slopes `busy_o` is 1 for 59 cycles. `slot_i`, `place_i` and `law_i` hold meanwhile.
module tm_red_check
  import tm_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        check_i,
    input  logic        slot_i,
    input  logic [ 3:0] place_i,
    input  logic [31:0] word_i,
    input  logic        law_i,
    input  logic        idles_i,   // IDLE_RECIPROCAL is not 0
    input  logic        adapts_i,  // ADAPT_INTERVAL is not 0
    output logic        busy_o,
    output logic [ 4:0] fault_o,
    output red_t [ 1:0] red_o
);

  localparam logic [3:0] Settings = 4'd0, Min = 4'd1, Max = 4'd2, Maxp = 4'd3, Slope = 4'd4, GentleSlope = 4'd5;
  localparam logic [3:0] Reciprocal = 4'd6, Bottom = 4'd7, BandLow = 4'd8, BandHigh = 4'd9;
  localparam logic [24:0] One = 25'h100_0000, Half = 25'h080_0000;  // probabilities

  // Of slot 0; slot 1 has the next code.
  localparam logic [4:0] FaultWeight = 5'd9, FaultBand = 5'd11, FaultMaxp = 5'd13, FaultSlope = 5'd15;
  localparam logic [4:0] FaultGentle = 5'd17, FaultAdaptive = 5'd19, FaultIdle = 5'd21;

  // The words of the slot that is looked at, beside those of both slots.
  red_t now_q, aside_q;
  logic [4:0] found;
  logic flat, start, off, done;
  logic [BytesW-1:0] width;

  assign width = now_q.max - now_q.min;
  assign flat  = now_q.max == now_q.min;
  assign start = check_i && (place_i inside {Slope, GentleSlope, Reciprocal});

  tm_slope_check slopes (
      .clk_i,
      .rst_i,
      .start_i(start),
      .slope_i(word_i),
      .width_i(place_i == GentleSlope ? now_q.max : width),
      .rise_i (place_i == Slope ? now_q.maxp : place_i == GentleSlope ? One - now_q.maxp : One),
      .scale_i(place_i == GentleSlope ? now_q.gentle_scale : now_q.slope_scale),
      .busy_o,
      .done_o (done),
      .off_o  (off)
  );

  always_comb begin
    found = '0;
    if (check_i) begin
      unique case (place_i)
        Settings: begin
          if (word_i[4:0] > 5'd24 || word_i[9:8] == Linux) found = FaultWeight;
          else if (word_i[13] && !adapts_i) found = FaultAdaptive;
          else if (word_i[4:0] != '0 && !idles_i) found = FaultIdle;
        end
        Max:      if (now_q.min > word_i[BytesW-1:0] || word_i[BytesW-1:0] == '0) found = FaultBand;
        Maxp:     if (word_i[24:0] == '0 || word_i[24:0] > One) found = FaultMaxp;
        Bottom: begin
          if (now_q.adaptive && (word_i[24:0] == '0 || word_i[24:0] > Half || word_i[24:0] > now_q.maxp)) begin
            found = FaultAdaptive;
          end
        end
        BandHigh: if (now_q.adaptive && now_q.band_low > word_i[BytesW-1:0]) found = FaultAdaptive;
        default:  ;
      endcase
    end else if (done && off) begin
      unique case (place_i)
        Slope:       if (!flat) found = FaultSlope;
        GentleSlope: if (now_q.gentle) found = FaultGentle;
        Reciprocal:  if (!flat && now_q.adaptive) found = FaultAdaptive;
        default:     ;
      endcase
    end
  end

  // The average runs under every law. The idle time is both slots' own.
  always_comb begin
    fault_o = found == '0 || found == FaultIdle ? found : found + 5'(slot_i);
    if (!law_i && found != FaultWeight) fault_o = '0;
  end

  always_ff @(posedge clk_i) begin
    if (check_i) begin
      unique case (place_i)
        // (Verible takes `min` and `max` for methods where they are not in braces.)
        Settings: begin
          now_q.weight       <= word_i[4:0];
          now_q.spacing      <= spacing_e'(word_i[9:8]);
          now_q.gentle       <= word_i[12];
          now_q.adaptive     <= word_i[13];
          now_q.slope_scale  <= word_i[17:16];
          now_q.gentle_scale <= word_i[21:20];
        end
        Min:         {now_q.min} <= word_i[BytesW-1:0];
        Max:         {now_q.max} <= word_i[BytesW-1:0];
        Maxp:        now_q.maxp <= word_i[24:0];
        Slope:       now_q.slope <= word_i;
        GentleSlope: now_q.gentle_slope <= word_i;
        Reciprocal:  now_q.reciprocal <= word_i;
        Bottom:      now_q.bottom <= word_i[24:0];
        BandLow:     now_q.band_low <= word_i[BytesW-1:0];
        BandHigh:    now_q.band_high <= word_i[BytesW-1:0];
        default:     ;
      endcase
    end
    // Slot 1 comes first: it is put aside when slot 0 begins.
    if (check_i && place_i == Settings && !slot_i) aside_q <= now_q;
  end

  assign red_o = {aside_q, now_q};

endmodule
