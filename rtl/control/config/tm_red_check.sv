// SPDX-License-Identifier: BSD-3-Clause
// Checks the words of RED of one law slot after the other and keeps what every cycle needs.
//
// Contract: `check_i` shows the words of slot `slot_i` in the order of their places (0 to 9: RED_SETTINGS, MIN, MAX,
// MAXP, SLOPE, GENTLE_SLOPE, RECIPROCAL, BOTTOM, BAND_LOW, BAND_HIGH), in every second cycle at most. `fault_o` says
// what is at fault two cycles later, or where `busy_o` is 1, in the cycle after its last; 0 where nothing is. Where
// `law_i` (the slot's law is RED) is 0, only weight and spacing are looked at. After each of the three slopes `busy_o`
// is 1 for 60 cycles. `slot_i`, `place_i` and `law_i` hold meanwhile, and in the cycle after that of `check_i`.
module tm_red_check
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter bit LINUX = 1'b0  // signals can be spaced as in Linux
) (
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          check_i,
    input  logic          slot_i,
    input  logic   [ 3:0] place_i,
    input  logic   [31:0] word_i,
    input  logic          law_i,
    input  logic          idles_i,   // IDLE_RECIPROCAL is not 0
    input  logic          adapts_i,  // ADAPT_INTERVAL is not 0
    output logic          busy_o,
    output fault_e        fault_o,
    output red_t   [ 1:0] red_o      // of both, once slot 0 has been shown
);

  localparam logic [24:0] One = 25'h100_0000, Half = 25'h080_0000;  // probabilities

  // What later words of the slot are compared with.
  red_t now_q, aside_q;
  logic [BytesW-1:0] low_q, max_q;  // min, and after the slopes the lower end of ARED's band
  logic [BytesW-1:0] width_q;
  logic [24:0] maxp_q;
  logic [1:0] slope_scale_q, gentle_scale_q;
  logic gentle_q, adaptive_q, flat_q;
  // What is said of a word in the cycle after it is shown.
  logic checked_q, beyond_q, zero_q, zero_high_q, above_half_q, above_one_q;
  fault_e found, found_q;  // of slot 0; slot 1 has the next code
  logic slot_q;
  // Its gaps are not looked at.
  // verilator lint_off UNUSEDSIGNAL
  red_settings_reg_t settings;  // if this word is RED_SETTINGS
  // verilator lint_on UNUSEDSIGNAL
  logic linux;  // the slot is spaced so, in a build that has it
  logic start, off, done;

  assign settings = word_i[$bits(settings)-1:0];
  assign linux    = LINUX && now_q.spacing == Linux;
  assign start    = check_i && (place_i inside {PlaceRedSlope, PlaceRedGentleSlope, PlaceRedReciprocal});

  always_ff @(posedge clk_i) begin
    width_q <= max_q - low_q;
    flat_q  <= width_q == '0;
  end

  tm_slope_check slopes (
      .clk_i,
      .rst_i,
      .start_i(start),
      .slope_i(word_i),
      .width_i(place_i == PlaceRedGentleSlope ? max_q : width_q),
      .rise_i (place_i == PlaceRedSlope ? maxp_q : place_i == PlaceRedGentleSlope ? One - maxp_q : One),
      .scale_i(place_i == PlaceRedGentleSlope ? gentle_scale_q : slope_scale_q),
      .busy_o,
      .done_o (done),
      .off_o  (off)
  );

  // One compare serves three words: min and the lower end of the band may not be above what follows them, and the
  // bottom not above maxp.
  logic is_bottom;
  logic [24:0] bound, number;
  // Only the sign counts.
  // verilator lint_off UNUSEDSIGNAL
  logic [25:0] more;  // number - bound, and one less for the bottom, where both may be equal
  // verilator lint_on UNUSEDSIGNAL
  assign is_bottom = place_i == PlaceRedBottom;
  assign bound     = is_bottom ? maxp_q : {1'b0, low_q};
  assign number    = {word_i[24] && is_bottom, word_i[BytesW-1:0]};
  assign more      = {1'b0, number} + {1'b1, ~bound} + 26'(!is_bottom);

  always_ff @(posedge clk_i) begin
    checked_q    <= check_i && !rst_i;
    beyond_q     <= more[25] != is_bottom;
    zero_q       <= word_i[BytesW-1:0] == '0;
    zero_high_q  <= word_i[31:24] == '0;
    above_half_q <= word_i[24:0] > Half;
    above_one_q  <= word_i[24:0] > One;
  end

  always_comb begin
    found = FaultNone;
    if (checked_q) begin
      unique case (place_i)
        PlaceRedSettings: begin
          if (now_q.weight > 5'd24 || (!LINUX && now_q.spacing == Linux)) found = FaultWeight0;
          else if (linux && slope_scale_q != '0) found = FaultSlope0;
          else if (linux && gentle_q) found = FaultGentle0;
          else if (adaptive_q && (linux || !adapts_i)) found = FaultAdaptive0;
          else if (now_q.weight != '0 && !idles_i) found = FaultIdle;
        end
        PlaceRedMax:      if (beyond_q || zero_q) found = FaultBand0;
        PlaceRedMaxp:     if ((zero_q && zero_high_q) || above_one_q) found = FaultMaxp0;
        // Linux divides by 24 bits of its slope.
        PlaceRedSlope:    if (linux && !flat_q && (!zero_high_q || zero_q)) found = FaultSlope0;
        PlaceRedBottom: begin
          if (adaptive_q && ((zero_q && zero_high_q) || above_half_q || beyond_q)) found = FaultAdaptive0;
        end
        PlaceRedBandHigh: if (adaptive_q && beyond_q) found = FaultAdaptive0;
        default:          ;
      endcase
    end else if (done && off) begin
      unique case (place_i)
        PlaceRedSlope:       if (!flat_q) found = FaultSlope0;
        PlaceRedGentleSlope: if (gentle_q) found = FaultGentle0;
        PlaceRedReciprocal:  if (!flat_q && adaptive_q) found = FaultAdaptive0;
        default:             ;
      endcase
    end
    // The average runs under every law.
    if (!law_i && found != FaultWeight0) found = FaultNone;
  end

  always_ff @(posedge clk_i) begin
    found_q <= rst_i ? FaultNone : found;
    slot_q  <= slot_i;
  end
  // The idle time is both slots' own.
  assign fault_o = found_q == FaultNone || found_q == FaultIdle ? found_q : fault_e'(found_q + 8'(slot_q));

  always_ff @(posedge clk_i) begin
    if (check_i) begin
      unique case (place_i)
        PlaceRedSettings: begin
          now_q.weight   <= settings.weight;
          now_q.spacing  <= settings.spacing;
          gentle_q       <= settings.gentle;
          adaptive_q     <= settings.adaptive;
          slope_scale_q  <= settings.slope_scale;
          gentle_scale_q <= settings.gentle_scale;
        end
        PlaceRedMin, PlaceRedBandLow: low_q <= word_i[BytesW-1:0];
        PlaceRedMax:                  max_q <= word_i[BytesW-1:0];
        PlaceRedMaxp:                 maxp_q <= word_i[24:0];
        default:                      ;
      endcase
    end
    // Slot 1 comes first: it is put aside when slot 0 begins.
    if (check_i && place_i == PlaceRedSettings && !slot_i) aside_q <= now_q;
  end

  assign red_o = {aside_q, now_q};

endmodule
