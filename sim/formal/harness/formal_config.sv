// SPDX-License-Identifier: BSD-3-Clause
// The commit of a configuration under any host: all at once or not at all, to the port it was meant for, and never one
// that makes no sense.
//
// The RAM behind the shadow may show any word: what is checked is what is given, whatever that was.
module formal_config
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned PORTS         = 2,
    parameter int unsigned STORAGE       = 100,
    parameter int unsigned DESCRIPTORS   = 10,
    parameter bit          FLAGS_VERDICT = 1'b0,
    parameter bit          CODEL         = 1'b0
) (
    input logic             clk_i,
    input logic             req_i,
    input logic             write_i,
    input logic [      7:0] index_i,
    input logic [     31:0] data_i,
    input logic [      3:0] strobe_i,
    input logic             commit_i,
    input logic             load_i,
    input logic [PORTS-1:0] reset_i,
    input logic [      3:0] page_i
);

  logic [1:0] started_q = '0;
  logic boot_q;
  always_ff @(posedge clk_i) started_q <= {started_q[0], 1'b1};
  assign boot_q = !started_q[1];

  logic busy, refused, ack;
  fault_e fault;
  cfg_t [PORTS-1:0] cfg;

  localparam build_t Build = '{
      ports: PORTS,
      data_w: 8,
      rows: STORAGE,
      descriptors: DESCRIPTORS,
      queues: 1,
      flags_verdict: FLAGS_VERDICT,
      codel: CODEL,
      default: '0
  };

  tm_config #(
      .BUILD(Build)
  ) dut (
      .clk_i,
      .rst_i       (boot_q),
      .req_i,
      .write_i,
      .index_i,
      .data_i,
      .strobe_i,
      .ack_o       (ack),
      .data_o      (),
      .commit_i,
      .load_i,
      .reset_i,
      .page_i,
      .busy_o      (busy),
      .refused_o   (refused),
      .fault_o     (fault),
      .cfg_o       (cfg),
      .order_o     (),
      .word_o      (),
      .queue_word_o()
  );

  localparam logic [2:0] Check = 3'd4, Decide = 3'd5, Keep = 3'd6;  // tm_config's states of these names

  // ---- the words of one check, and the port the command named ----
  control_reg_t control_q;
  logic [31:0] limit_bytes_q, limit_packets_q, k0_q, k1_q, protect_q;
  codel_settings_reg_t settings_q;
  logic [31:0] target_q, interval_q, ce_threshold_q, exempt_bytes_q;
  logic [3:0] page_q;
  logic commit_taken;
  assign commit_taken = dut.free && (commit_i || load_i);

  always_ff @(posedge clk_i) begin
    if (commit_taken) page_q <= page_i;
    if (dut.check && dut.word_place_q == PlaceControl)
      control_q <= control_reg_t'(dut.word_q[$bits(control_reg_t)-1:0]);
    if (dut.check && dut.word_place_q == PlaceLimitBytes) limit_bytes_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceLimitPackets) limit_packets_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceK0) k0_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceK1) k1_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceProtect) protect_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceCodelSettings)
      settings_q <= codel_settings_reg_t'(dut.word_q[$bits(codel_settings_reg_t)-1:0]);
    if (dut.check && dut.word_place_q == PlaceCodelTarget) target_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceCodelInterval) interval_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceCodelCeThreshold) ce_threshold_q <= dut.word_q;
    if (dut.check && dut.word_place_q == PlaceCodelExemptBytes) exempt_bytes_q <= dut.word_q;
  end

  // ---- what the ports have before and after ----
  logic accept_q, accepted_q, refuse_q, refused_q;  // decided in the cycle before, and in the one before that
  logic [1:0] restarted_q;  // the reset is more than one cycle ago, more than two
  cfg_t [PORTS-1:0] before_q;
  cfg_t mine;
  codel_t codel;
  logic [PORTS-1:0] changed, legal, ecn_legal, codel_legal;
  logic whole, protectable;
  always_comb begin
    mine = cfg[0];
    for (int unsigned p = 0; p < PORTS; p++) begin
      if (page_q == 4'(p)) mine = cfg[p];
      changed[p] = cfg[p] != before_q[p];
      // A limit that is off is all ones; a threshold counts where its slot has a step law.
      legal[p]   = 1'b1;
      if (cfg[p].limit_bytes != '1 && (cfg[p].limit_bytes == '0 || 32'(cfg[p].limit_bytes) > STORAGE)) legal[p] = 1'b0;
      if (cfg[p].limit_packets != '1 && (cfg[p].limit_packets == '0 || 32'(cfg[p].limit_packets) > DESCRIPTORS))
        legal[p] = 1'b0;
      for (int unsigned s = 0; s < 2; s++) begin
        if (cfg[p].law[s] > LawStep) legal[p] = 1'b0;
        if (cfg[p].law[s] == LawStep && 32'(cfg[p].k[s]) > STORAGE) legal[p] = 1'b0;
        if (cfg[p].law[s] == LawStep && cfg[p].limit_bytes != '1 && cfg[p].k[s] > cfg[p].limit_bytes) legal[p] = 1'b0;
      end
      if (!FLAGS_VERDICT && cfg[p].law[cfg[p].slot_of[NotEct]] != LawNone && cfg[p].protect != '0) legal[p] = 1'b0;
      ecn_legal[p] = cfg[p].protect == '0 || !(cfg[p].noecn || (cfg[p].codel.on && !cfg[p].codel.ecn));
      codel_legal[p] = !cfg[p].codel.on || (CODEL && cfg[p].codel.interval != '0 && !cfg[p].codel.interval[31]
          && !cfg[p].codel.ce_threshold[31] && cfg[p].codel.target <= cfg[p].codel.interval
          && !(cfg[p].codel.exempt_below && cfg[p].codel.exempt_bytes == '0));
    end
    // What a build does not have is nothing.
    codel = '0;
    if (CODEL)
      codel = '{
          on: settings_q.on,
          ecn: settings_q.ecn,
          at_once: settings_q.at_once,
          exempt_below: settings_q.exempt_below,
          exempt_largest: settings_q.exempt_largest,
          converge: settings_q.converge,
          mark_from_now: settings_q.mark_from_now,
          reentry_past: settings_q.reentry_past,
          threshold_once: settings_q.threshold_once,
          keep_first_above: settings_q.keep_first_above,
          target: target_q,
          interval: interval_q,
          ce_threshold: ce_threshold_q,
          exempt_bytes: exempt_bytes_q[BytesW-1:0]
      };
    protectable = mine.law[mine.slot_of[NotEct]] != LawNone || codel.on;
    whole = mine.enable == control_q.enable && mine.slot_of == control_q.slot_of && mine.harddrop == control_q.harddrop
        && mine.noecn == control_q.noecn
        && mine.law == {control_q.law1, control_q.law0} && mine.k == {k1_q[BytesW-1:0], k0_q[BytesW-1:0]}
        && mine.protect == protect_q[13:0] && mine.codel == codel && !mine.mark_on_departure
        && mine.wait_flags == (FLAGS_VERDICT && mine.protect != '0 && protectable)
        && mine.limit_bytes == (control_q.limit_bytes_on ? limit_bytes_q[BytesW-1:0] : '1)
        && mine.limit_packets == (control_q.limit_packets_on ? limit_packets_q[PacketsW-1:0] : '1);
  end

  always_ff @(posedge clk_i) begin
    before_q <= cfg;
    accept_q <= !boot_q && dut.state_q == Decide && !refused;
    accepted_q <= !boot_q && accept_q;
    refuse_q <= !boot_q && dut.state_q == Decide && refused;
    refused_q <= !boot_q && refuse_q;
    restarted_q <= {restarted_q[0] && !boot_q, !boot_q};
    if (!boot_q) begin
      // Of the port the command named, all in one cycle, and only when nothing is at fault.
      OnlyAccepted_A : assert (!restarted_q[1] || changed == '0 || accepted_q);
      OnlyItsPort_A : assert (!accepted_q || (changed & ~(PORTS'(1) << page_q)) == '0);
      RefusedKeeps_A : assert ((!refused_q || changed == '0) && refused == (fault != FaultNone));
      Whole_A : assert (!accepted_q || whole);
      Legal_A : assert (&legal);
      LegalNoEcn_A : assert (&ecn_legal);
      LegalCodel_A : assert (&codel_legal);
      // The host cannot touch the shadow while it is checked and kept.
      ShadowStands_A :
      assert (!(dut.write && 32'(dut.write_owner) == PORTS && dut.state_q inside {Check, Decide, Keep}));
      ExistsOnly_A : assert (!accepted_q || 32'(page_q) < PORTS);
    end
  end

endmodule
