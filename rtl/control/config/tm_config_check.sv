// SPDX-License-Identifier: BSD-3-Clause
// Checks a shadow configuration word by word and makes the port's configuration of it.
//
// Contract: after `start_i`, `check_i` shows the words in the order of their places: 0 to 7 (where lines have several
// queues: these by DSCP), 8 to 13 (CONTROL, LIMIT_BYTES, LIMIT_PACKETS, K0, K1, PROTECT), 14 and 15 (SHAPE_*), 16 to 25
// (those of a port's RED, CoDel and TCN), 26 to 31 (queues by all else, QUEUE_SCHEDULE), 32 to 41 and 48 to 57 (RED in
// slots 1 and 0), 19, 42 and 43 (PFC_*), 44 and 45 (POOL_*), 46 and 47 (LINE_*).
// While `busy_o` is 1, from the cycle of `check_i` on, the next word must wait: that takes the same time whatever is
// set. With RED the words come in every second cycle at most. Four cycles after the last word, `fault_o` is the lowest
// code of what is at fault (0 if nothing is) and `cfg_o` the configuration. A port that does not exist is at fault
// before anything else.
module tm_config_check
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                                  clk_i,
    input  logic                                  rst_i,
    input  logic                                  start_i,
    input  logic                                  exists_i,    // with start_i: the port is there
    input  logic                                  first_i,     // and is the first of a line of several queues
    input  logic      [$clog2(BUILD.ports+1)-1:0] port_i,
    input  in_force_t [          BUILD.ports-1:0] in_force_i,
    input  logic                                  check_i,
    input  place_t                                place_i,
    input  logic      [                     31:0] word_i,
    output logic                                  busy_o,
    output fault_e                                fault_o,
    output cfg_t                                  cfg_o
);

  control_reg_t control_q;
  codel_settings_reg_t settings;  // if this word is CODEL_SETTINGS
  fault_e fault_q, found, found_q, red_found, codel_found, queue_found, shape_found, share_found;
  logic [BytesW-1:0] limit_bytes_q, most;
  logic below_it;  // this number is bounded by the byte limit
  logic [PacketsW-1:0] limit_packets_q;
  logic [1:0][BytesW-1:0] k_q;
  logic [13:0] protect_q;
  law_e [1:0] law;
  logic codel_on_q, codel_ecn_q, protectable;
  logic departs;  // the step law can judge as frames leave
  // What is said of a word in the cycle after it is shown.
  logic checked_q, above_q, zero_q, word_zero_q;
  place_t place_q;
  red_t [1:0] red;
  codel_t codel;

  assign law = {control_q.law1, control_q.law0};
  assign departs     = BUILD.mark_on_departure && (law[0] == LawStep) != (law[1] == LawStep) &&
                       !control_q.noecn && !control_q.harddrop;
  assign protectable = law[control_q.slot_of[NotEct]] != LawNone || codel_on_q;

  // Four numbers, each against its own bound: what the build can hold, or the byte limit.
  assign most = place_i == PlaceLimitPackets ? BytesW'(BUILD.descriptors) : BytesW'(storage(BUILD));
  assign below_it = control_q.limit_bytes_on && !(place_i inside {PlaceLimitBytes, PlaceLimitPackets});

  assign settings = word_i[$bits(settings)-1:0];

  always_ff @(posedge clk_i) begin
    checked_q   <= check_i && !rst_i;
    place_q     <= place_i;
    above_q     <= below_it ? word_i[BytesW-1:0] > limit_bytes_q : word_i[BytesW-1:0] > most;
    zero_q      <= word_i[BytesW-1:0] == '0;
    word_zero_q <= word_i == '0;
  end

  always_comb begin
    found = FaultNone;
    unique case (place_q)
      PlaceLimitBytes:   if (control_q.limit_bytes_on && (above_q || zero_q)) found = FaultLimitBytes;
      PlaceLimitPackets: if (control_q.limit_packets_on && (above_q || zero_q)) found = FaultLimitPackets;
      PlaceK0: begin
        for (int unsigned s = 0; s < 2; s++) if (law[s] > LawStep && !(BUILD.red && law[s] == LawRed)) found = FaultLaw;
        if (found == FaultNone && law[0] == LawStep && above_q) found = FaultK0;
      end
      PlaceK1:           if (law[1] == LawStep && above_q) found = FaultK1;
      PlaceCodelSettings: begin
        if (!BUILD.flags_verdict && protectable && protect_q != '0) found = FaultProtect;
        else if (control_q.mark_on_departure && !departs) found = FaultControl;
        else if (codel_on_q && !BUILD.codel) found = FaultCodel;
        else if (protect_q != '0 && (control_q.noecn || (codel_on_q && !codel_ecn_q))) found = FaultNodrop;
      end
      PlaceTcnThreshold: if (!BUILD.tcn && !word_zero_q) found = FaultLaw;
      default:           found = codel_found != FaultNone ? codel_found : queue_found;
    endcase
    if (shape_found != FaultNone) found = shape_found;
    if (share_found != FaultNone) found = share_found;
    if (!checked_q) found = red_found;
  end

  // Each word's own fault, of which the lowest code stays.
  always_ff @(posedge clk_i) begin
    found_q <= rst_i ? FaultNone : found;
    if (rst_i) fault_q <= FaultNone;
    else if (start_i) fault_q <= exists_i ? FaultNone : FaultPort;
    else if (found_q != FaultNone && (fault_q == FaultNone || found_q < fault_q)) fault_q <= found_q;
  end

  // A limit that is switched off is all ones.
  always_ff @(posedge clk_i) begin
    if (check_i && place_i == PlaceControl) control_q <= word_i[$bits(control_q)-1:0];
    if (check_i && place_i == PlaceLimitBytes) limit_bytes_q <= control_q.limit_bytes_on ? word_i[BytesW-1:0] : '1;
    if (check_i && place_i == PlaceLimitPackets)
      limit_packets_q <= control_q.limit_packets_on ? word_i[PacketsW-1:0] : '1;
    if (check_i && place_i == PlaceK0) k_q[0] <= word_i[BytesW-1:0];
    if (check_i && place_i == PlaceK1) k_q[1] <= word_i[BytesW-1:0];
    if (check_i && place_i == PlaceProtect) protect_q <= word_i[13:0];
    if (check_i && place_i == PlaceCodelSettings) {codel_on_q, codel_ecn_q} <= {settings.on, settings.ecn};
  end

  // ---- RED ----
  if (BUILD.red) begin : gen_red
    logic idles_q, adapts_q;  // IDLE_RECIPROCAL, ADAPT_INTERVAL are not 0
    always_ff @(posedge clk_i) begin
      if (check_i && place_i == PlaceIdleReciprocal) idles_q <= word_i[16:0] != '0;
      if (check_i && place_i == PlaceAdaptInterval) adapts_q <= word_i != '0;
    end

    tm_red_check #(
        .LINUX(BUILD.red_linux)
    ) red_check (
        .clk_i,
        .rst_i,
        .check_i (check_i && place_i[5]),
        .slot_i  (!place_i[4]),
        .place_i (place_i[3:0]),
        .word_i,
        .law_i   (place_i[4] ? law[0] == LawRed : law[1] == LawRed),
        .idles_i (idles_q),
        .adapts_i(adapts_q),
        .busy_o,
        .fault_o (red_found),
        .red_o   (red)
    );
  end else begin : gen_no_red
    assign {busy_o, red} = '0;
    assign red_found = FaultNone;
  end

  // ---- CoDel ----
  if (BUILD.codel) begin : gen_codel
    logic target_above_q, word_top_q;
    assign {codel.on, codel.ecn} = {codel_on_q, codel_ecn_q};
    always_ff @(posedge clk_i) begin
      target_above_q <= codel.target > word_i;
      word_top_q     <= word_i[31];
      if (check_i && place_i == PlaceCodelSettings) begin
        codel.at_once          <= settings.at_once;
        codel.exempt_below     <= settings.exempt_below;
        codel.exempt_largest   <= settings.exempt_largest;
        codel.converge         <= settings.converge;
        codel.mark_from_now    <= settings.mark_from_now;
        codel.reentry_past     <= settings.reentry_past;
        codel.threshold_once   <= settings.threshold_once;
        codel.keep_first_above <= settings.keep_first_above;
      end
      if (check_i && place_i == PlaceCodelTarget) codel.target <= word_i;
      if (check_i && place_i == PlaceCodelInterval) codel.interval <= word_i;
      if (check_i && place_i == PlaceCodelCeThreshold) codel.ce_threshold <= word_i;
      if (check_i && place_i == PlaceCodelExemptBytes) codel.exempt_bytes <= word_i[BytesW-1:0];
    end

    always_comb begin
      codel_found = FaultNone;
      if (codel.on) begin
        unique case (place_q)
          PlaceCodelInterval: if (word_zero_q || word_top_q || target_above_q) codel_found = FaultCodel;
          PlaceCodelCeThreshold: if (word_top_q) codel_found = FaultCodel;
          PlaceCodelExemptBytes: if (codel.exempt_below && zero_q) codel_found = FaultCodel;
          default: ;
        endcase
      end
    end
  end else begin : gen_no_codel
    logic unused;
    assign unused = ^{word_i, settings};
    assign codel = '0;
    assign codel_found = FaultNone;
  end

  // ---- which queue, and when it sends ----
  logic shares;
  logic [QuantumW-1:0] quantum;
  if (BUILD.queues > 1) begin : gen_queues
    localparam logic [7:0][2:0] Beyond = {8{~3'(BUILD.queues - 1)}};  // bits that no queue's number has
    // Its gap is not looked at.
    // verilator lint_off UNUSEDSIGNAL
    queue_settings_reg_t mapping;  // if this word is QUEUE_SETTINGS
    queue_schedule_reg_t schedule, schedule_q;  // if it is QUEUE_SCHEDULE
    // verilator lint_on UNUSEDSIGNAL
    logic beyond_q, default_beyond_q, no_mode_q;
    assign mapping = word_i[$bits(mapping)-1:0];
    assign schedule = word_i;
    assign {shares, quantum} = {schedule_q.shares, schedule_q.quantum};
    always_ff @(posedge clk_i) begin
      beyond_q         <= (word_i[23:0] & Beyond) != '0;
      default_beyond_q <= (mapping.default_queue & Beyond[0]) != '0;
      no_mode_q        <= mapping.mode > (BUILD.flags_verdict ? QueueModeClassEce : QueueModeEcn);
      if (check_i && place_i == PlaceQueueSchedule) schedule_q <= schedule;
    end

    always_comb begin
      queue_found = FaultNone;
      if (place_q == PlaceQueueSettings) begin
        if (no_mode_q) queue_found = FaultQueueMode;
        else if (default_beyond_q) queue_found = FaultQueueDefault;
      end else if (place_q == PlaceQueueSchedule) begin
        if (shares && quantum == '0) queue_found = FaultQueueQuantum;
      end else if (is_of_queues(place_q) && beyond_q) begin
        unique case (place_q)
          PlaceQueuePcp: queue_found = FaultQueuePcp;
          PlaceQueueEcn: queue_found = FaultQueueEcn;
          PlaceQueueClass, PlaceQueueClassEce: queue_found = FaultQueueClass;
          default: queue_found = FaultQueueDscp;
        endcase
      end
    end
  end else begin : gen_one_queue
    assign {shares, quantum} = '0;
    assign queue_found = FaultNone;
  end

  // ---- waiting-time marking ----
  tcn_t tcn;
  if (BUILD.tcn) begin : gen_tcn
    tcn_t tcn_q;
    always_ff @(posedge clk_i) begin
      if (check_i && place_i == PlaceTcnThreshold) tcn_q.threshold <= word_i[TcnW-1:0];
      if (checked_q && place_q == PlaceTcnThreshold) tcn_q.on <= !word_zero_q;
    end
    assign tcn = tcn_q;
  end else begin : gen_no_tcn
    assign tcn = '0;
  end

  // ---- what the port and its line are held to, what it may have of the pool, and when its source must pause ----
  shape_t shape, line_shape;
  pool_share_t share;
  pfc_t pfc;
  tm_shape_check #(
      .BUILD(BUILD)
  ) shape_check (
      .clk_i,
      .start_i,
      .first_i,
      .check_i,
      .place_i,
      .word_i,
      .fault_o     (shape_found),
      .shape_o     (shape),
      .line_shape_o(line_shape)
  );

  tm_share_check #(
      .BUILD(BUILD)
  ) share_check (
      .clk_i,
      .port_i,
      .in_force_i,
      .drops_i(drops(cfg_o)),
      .check_i,
      .place_i,
      .word_i,
      .fault_o(share_found),
      .share_o(share),
      .pfc_o  (pfc)
  );

  assign fault_o = fault_q;
  assign cfg_o = '{
          enable: control_q.enable,
          limit_bytes: limit_bytes_q,
          limit_packets: limit_packets_q,
          slot_of: control_q.slot_of,
          law: law,
          k: k_q,
          protect: protect_q,
          noecn: control_q.noecn,
          harddrop: control_q.harddrop,
          wait_flags: BUILD.flags_verdict && protectable && protect_q != '0,
          red: red,
          red_bank: 1'b0,
          codel: codel,
          tcn: tcn,
          mark_on_departure: BUILD.mark_on_departure && control_q.mark_on_departure,
          shares: shares,
          quantum: quantum,
          shape: shape,
          line_shape: line_shape,
          pool_share: share,
          pfc: pfc
      };

endmodule
