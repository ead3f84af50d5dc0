// SPDX-License-Identifier: BSD-3-Clause
// CoDel's control of one port, with any stream of pulls that tm_depart may make, any time, any configuration that may
// change in every cycle, and an engine that answers each request within `Slowest` cycles.
module formal_codel
  import tm_pkg::*;
(
    input logic                   clk_i,
    input logic   [    31:0]      unit_i,
    input logic                   stored_i,
    input logic   [LenW-1:0]      stored_last_i,
    input logic   [LenW-1:0]      depart_last_i,
    input logic   [     5:0]      bytes_i,
    input logic                   head_valid_i,
    input logic   [    31:0]      head_stamp_i,
    input logic   [     3:0]      head_code_i,
    input logic                   pull_i,
    input logic                   head_i,
    input logic                   next_i,
    input logic                   arriving_i,
    input logic                   fail_i,
    input logic                   available_i,
    input codel_t                 cfg_i,
    input logic   [     6:0][1:0] protect_i,
    input logic                   reset_i,
    input logic                   law_step_i,
    input logic                   law_now_i,
    input logic                   law_final_i,
    input logic   [    31:0]      law_increment_i
);

  localparam int unsigned Slowest = 5;  // cycles the engine takes here; nothing depends on how many

  logic [1:0] started_q = '0;
  logic boot_q;
  always_ff @(posedge clk_i) started_q <= {started_q[0], 1'b1};
  assign boot_q = !started_q[1];

  // ---- what tm_depart does ----
  logic pause, hold_off, deliver, drop, mark, request;
  logic pending_q, dropped, pulled, head_pulled, arriving, failed, pauses;
  assign dropped     = pending_q && drop;
  assign pulled      = !boot_q && (dropped ? next_i : pull_i && !pending_q && !hold_off);
  assign head_pulled = pulled && (dropped || head_i);
  assign arriving    = head_pulled && arriving_i;
  assign failed      = !boot_q && (dropped ? !next_i : fail_i && !pulled && !pending_q && !hold_off);
  assign pauses      = head_pulled && (dropped || (pause && !arriving));

  always_ff @(posedge clk_i) begin
    pending_q <= !boot_q && (pauses || (pending_q && !drop && !(deliver && available_i)));
  end

  fate_t fate;
  codel_req_t law;
  assign {pause, hold_off, deliver, drop} = {fate.pause, fate.hold, fate.deliver, fate.drop};
  assign {mark, request} = {fate.mark, law.request};

  tm_codel #(
      .COUNT_W(6)
  ) dut (
      .clk_i,
      .rst_i(boot_q),
      .unit_i,
      .stored_i,
      .stored_last_i,
      .depart_last_i,
      .bytes_i,
      .head_i('{valid: head_valid_i, stamp: {head_stamp_i, 10'b0}, code: head_code_i}),
      .pull_i(
      '{frame: pulled, head: head_pulled, arriving: arriving, failed: failed, chained: dropped, pauses: pauses}
      ),
      .pending_i(pending_q),
      .available_i,
      .fate_o(fate),
      .cfg_i,
      .protect_i,
      .reset_i,
      .law_i('{step: law_step_i, now: law_now_i, done: law_final_i, increment: law_increment_i}),
      .law_o(law)
  );

  // ---- the engine: what counts from now is done by its last word, which comes in time ----
  logic asked_q, base_q;
  logic [2:0] age_q;
  always_ff @(posedge clk_i) begin
    asked_q <= !boot_q && (request || (asked_q && !law_final_i));
    age_q   <= asked_q ? age_q + 1'b1 : '0;
    if (!boot_q) begin
      Asked_M : assume (asked_q || !(law_step_i || law_now_i || law_final_i));
      InTime_M : assume (!asked_q || 32'(age_q) != Slowest || law_final_i);
      NowFirst_M : assume (!(law_final_i && dut.base_q) || law_now_i);
    end
  end

  // ---- what was true of the frame that is pending ----
  logic [31:0] now_q, stamp_q, above_stamp_q;  // who came then has waited for just so long
  logic head_1_q, above_2_q, arriving_1_q, arriving_2_q, frame_1_q, frame_2_q, standing_q;
  logic [15:0] protect_1_q, protect_2_q;
  logic ecn_1_q, ecn_2_q;
  logic [3:0] code_q;
  logic signed [31:0] beyond;
  logic few, hold;
  logic [5:0] exempt;
  logic [LenW-1:0] largest_q;  // the longest frame stored since the reset
  logic [6:0] exempt_q;  // with what departed in the cycle before, which is still in B
  assign hold   = pauses || pending_q || dut.base_q;
  assign beyond = $signed(above_stamp_q - stamp_q);
  assign exempt = cfg_i.exempt_largest ? 6'(largest_q) : cfg_i.exempt_bytes[5:0];
  assign few    = arriving_2_q || (cfg_i.exempt_below ? 7'(bytes_i) < exempt_q : 7'(bytes_i) <= exempt_q);

  always_ff @(posedge clk_i) begin
    if (!hold) now_q <= unit_i;
    if (stored_i && stored_last_i >= largest_q) largest_q <= stored_last_i + 1'b1;
    if (boot_q || reset_i) largest_q <= '0;
    Length_M : assume (stored_last_i != '1);
    exempt_q <= 7'(exempt) + 7'(depart_last_i) + 7'd1;
    {above_stamp_q, stamp_q} <= {now_q - cfg_i.target, head_stamp_i};
    {above_2_q, head_1_q} <= {beyond >= 0 && head_1_q, head_valid_i && head_pulled};
    {arriving_2_q, arriving_1_q} <= {arriving_1_q, arriving};
    {frame_2_q, frame_1_q} <= {frame_1_q, pulled};
    if (frame_2_q) standing_q <= above_2_q && !few;
    if (pulled) code_q <= head_code_i;
    {protect_2_q, protect_1_q} <= {protect_1_q, 16'(protect_i)};
    {ecn_2_q, ecn_1_q} <= {ecn_1_q, cfg_i.ecn};
    if (boot_q) {frame_2_q, frame_1_q} <= '0;
  end

  logic [3:0] waits_q;
  always_ff @(posedge clk_i) begin
    waits_q <= boot_q || !pending_q || pauses ? '0 : available_i && !(&waits_q) ? waits_q + 1'b1 : waits_q;
    if (!boot_q) begin
      // Dropped at the head: only what waited for the target or longer, with more behind it than is exempt,
      StandingOnly_A : assert (!dropped || standing_q);
      // and neither what can carry the signal instead nor what is protected.
      CarriesInstead_A : assert (!dropped || !ecn_2_q || (code_q != HeadEct && code_q != HeadCe));
      ProtectedKept_A : assert (!dropped || code_q >= HeadEct || !protect_2_q[code_q]);
      // A mark is for a frame that can carry it.
      MarkEct_A : assert (!mark || code_q == HeadEct);
      // A pending frame has one fate, within bounded time of its rows being there.
      FateInTime_A : assert (32'(waits_q) < Slowest + 6);
      // The protected, and whoever was not signalled, leave the engine alone.
      RequestMeans_A : assert (!request || dropped || (deliver && ecn_2_q));
    end
  end

endmodule
