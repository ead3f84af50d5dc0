// SPDX-License-Identifier: BSD-3-Clause
// The shadow configuration, its check, and the configuration each port works with.
//
// Contract: `req_i` reads or writes the shadow register at `index_i` (its word address), and the request stands until
// `ack_o` answers it a few cycles later, with `data_o` for a read, which is 0 otherwise. `commit_i` checks the shadow
// and, if nothing is at fault, gives it to the port of that cycle's `page_i` in one cycle, as a whole; else the port
// keeps what it has and `fault_o` says why. `load_i` brings the port's last accepted shadow back, after the commit if
// both come at once. Commands that come while `busy_o` is 1 are ignored, requests wait. `order_o.commit` is 1 in a
// configuration's first cycle and in the one after `reset_i`; with it the orders say what begins again
// (tm_config_change; after `reset_i` all). The words of RED go to the ports' RAM one by one (`word_o` in a cycle with
// `order_o.word_valid`), into the set that is not in force: a commit turns to it (cfg_t.red_bank). So do the words that
// say which queue takes a frame (`queue_word_o`): each commit that is accepted turns to them.
//
// Shadow and accepted registers share one RAM: 64 words for each port, the shadow above the last; words that are of all
// ports stand among those of port 0. A register's place there is made of its address so that what others depend on
// comes before them.
module tm_config
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    // from and to the bus
    input  logic                          req_i,
    input  logic                          write_i,
    input  logic        [            7:0] index_i,
    input  logic        [           31:0] data_i,
    input  logic        [            3:0] strobe_i,
    output logic                          ack_o,
    output logic        [           31:0] data_o,
    // commands
    input  logic                          commit_i,
    input  logic                          load_i,
    input  logic        [BUILD.ports-1:0] reset_i,      // soft reset
    input  logic        [      PageW-1:0] page_i,
    output logic                          busy_o,
    output logic                          refused_o,
    output fault_e                        fault_o,
    // to the ports
    output cfg_t        [BUILD.ports-1:0] cfg_o,
    output order_t      [BUILD.ports-1:0] order_o,      // except for the flush
    output red_word_t                     word_o,
    output queue_word_t                   queue_word_o
);

  localparam int unsigned Words = 64 * (BUILD.ports + 1);
  localparam int unsigned PlaceW = (BUILD.ports > 0) ? $clog2(BUILD.ports + 1) : 1;  // a port, or the shadow
  localparam logic [PlaceW-1:0] Shadow = PlaceW'(BUILD.ports);
  localparam bit Queues = BUILD.queues > 1;  // lines have several

  // Cycles from the reading of the last word until it is written, and until its fault is known.
  localparam place_t Copied = 6'd2, Checked = 6'd4;

  // Clear writes every word once after reset; Access reads a word, Merge writes or shows it; Check reads the shadow,
  // Keep and Load copy it.
  typedef enum logic [2:0] {
    Clear,
    Idle,
    Access,
    Merge,
    Check,
    Decide,
    Keep,
    Load
  } state_e;

  state_e state_q, state_d;
  logic commit_q, load_q, request_q, exists, reading, advance, checking, accepted;
  place_t step_q, seen_q, word_place_q, place, read_place, write_place;
  logic [PlaceW-1:0] clear_q, port_q, read_owner, write_owner;
  logic [31:0] word, word_q, mask, asked, write_data;
  logic free, read, write, seen_valid_q, word_valid_q, check, check_busy;
  logic [BUILD.ports-1:0] accepts_q, bank;
  cfg_t checked;
  in_force_t [BUILD.ports-1:0] in_force;

  // ---- requests and commands wait for their turn ----
  assign exists   = 32'(page_i) < BUILD.ports;
  assign free     = !commit_q && !load_q && (state_q inside {Clear, Idle, Access, Merge});
  assign reading  = step_q <= LastPlace;
  assign checking = state_q == Check;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      request_q <= 1'b0;
      commit_q  <= 1'b0;
      load_q    <= 1'b0;
      port_q    <= '0;
    end else begin
      if (req_i) request_q <= 1'b1;
      else if (state_q == Merge) request_q <= 1'b0;
      if (free && (commit_i || load_i)) begin
        port_q   <= PlaceW'(page_i);
        commit_q <= commit_i && exists;
        load_q   <= load_i && exists;
      end
      if (checking) commit_q <= 1'b0;
      if (state_q == Load) load_q <= 1'b0;
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Clear:   if (&step_q && clear_q == Shadow) state_d = Idle;
      Idle: begin
        if (commit_q) state_d = Check;
        else if (load_q) state_d = Load;
        else if (request_q) state_d = Access;
      end
      Access:  state_d = Merge;
      Merge:   state_d = Idle;
      Check:   if (step_q == LastPlace + Checked) state_d = Decide;
      Decide:  state_d = (fault_o == FaultNone) ? Keep : Idle;
      default: if (step_q == LastPlace + Copied) state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Clear;
      step_q  <= '0;
      clear_q <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == Idle || state_q == Decide) step_q <= '0;
      else step_q <= step_q + 6'(advance);
      if (state_q == Clear && &step_q) clear_q <= clear_q + 1'b1;
    end
    seen_q                       <= read_place;
    seen_valid_q                 <= read;
    word_q                       <= rst_i ? '0 : word;
    {word_place_q, word_valid_q} <= {seen_q, seen_valid_q};
  end

  tm_config_place #(
      .PFC    (BUILD.pfc),
      .POOL   (BUILD.pool),
      .QUEUES (Queues),
      .SHAPING(BUILD.shaping)
  ) places (
      .index_i,
      .place_o(place),
      .mask_o (mask)
  );

  function automatic logic [PlaceW-1:0] owner(input place_t at);
    return Queues && is_of_queues(at) ? '0 : port_q;
  endfunction

  // ---- the RAM: a word read in one step is written, or looked at, two steps later ----
  // Nothing is read while the words are cleared, so `word_q` is 0 then. A request stands until it is answered.
  assign asked = data_i & mask;
  always_comb begin
    for (int unsigned b = 0; b < 4; b++) begin
      write_data[8*b+:8] = (state_q == Merge && strobe_i[b]) ? asked[8*b+:8] : word_q[8*b+:8];
    end
    if (state_q == Clear) write_data |= config_reset(step_q);
  end

  always_comb begin
    read        = 1'b0;
    read_owner  = Shadow;
    read_place  = step_q;
    write       = 1'b0;
    write_owner = Shadow;
    write_place = word_place_q;
    unique case (state_q)
      Clear: begin
        write       = 1'b1;
        write_owner = clear_q;
        write_place = step_q;
      end
      Idle: begin
        read       = request_q && !commit_q && !load_q;
        read_place = place;
      end
      Merge:   write = write_i;
      Check: begin
        read = reading;
        if (accepted) read_owner = port_q;
      end
      Keep: begin
        read        = reading;
        write       = word_valid_q;
        write_owner = owner(word_place_q);
      end
      Load: begin
        read       = reading;
        read_owner = owner(step_q);
        write      = word_valid_q;
      end
      default: ;
    endcase
  end

  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(32),
      .DEPTH(Words)
  ) registers (
      .clk_i,
      .wr_en_i  (write),
      .wr_addr_i({write_owner, write_place}),
      .wr_data_i(write_data),
      .rd_en_i  (read && !rst_i),
      .rd_addr_i({read_owner, read_place}),
      .rd_data_o(word)
  );

  assign ack_o  = state_q == Merge;
  assign data_o = (state_q == Merge && !write_i) ? word_q : '0;

  tm_config_check #(
      .BUILD(BUILD)
  ) checks (
      .clk_i,
      .rst_i,
      .start_i   (commit_i && free),
      .exists_i  (exists),
      .first_i   (Queues && (32'(page_i) % BUILD.queues) == 0),
      .port_i    (port_q),
      .in_force_i(in_force),
      .check_i   (check),
      .place_i   (word_place_q),
      .word_i    (word_q),
      .busy_o    (check_busy),
      .fault_o,
      .cfg_o     (checked)
  );

  // ---- to the ports, whole ----
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < BUILD.ports; p++) begin
      accepts_q[p] <= !rst_i && state_q == Decide && fault_o == FaultNone && port_q == PlaceW'(p);
    end
  end

  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
    cfg_t cfg_q;
    // Each port's own: one that reset the registers of all would be the longest wire of the chip.
    logic rst_q;
    (* keep *) always_ff @(posedge clk_i) rst_q <= rst_i;
    always_ff @(posedge clk_i) begin
      if (rst_q) begin
        cfg_q <= '{
            enable: 1'b1,
            limit_bytes: '1,
            limit_packets: '1,
            law: {LawNone, LawNone},
            red: '0,
            default: '0
        };
      end else if (accepts_q[p]) cfg_q <= checked;
    end
    always_comb begin
      cfg_o[p]          = cfg_q;
      cfg_o[p].red_bank = bank[p];
    end
    assign in_force[p] = '{cfg_q.pool_share.reserve + cfg_q.pool_share.headroom, cfg_q.pfc.lossless, drops(cfg_q)};
  end

  // ---- what has state begins again with what was changed ----
  tm_config_renewal #(
      .PORTS (BUILD.ports),
      .RED   (BUILD.red),
      .LINUX (BUILD.red_linux),
      .CODEL (BUILD.codel),
      .QUEUES(Queues)
  ) renewal (
      .clk_i,
      .rst_i,
      .start_i     (commit_i && free),
      .ask_i       (checking && reading),
      .ask_place_i (step_q),
      .place_i     (word_place_q),
      .word_i      (word_q),
      .clear_i     (state_q == Clear),
      .port_i      (state_q == Clear ? clear_q : port_q),
      .check_busy_i(check_busy),
      .check_o     (check),
      .accepted_o  (accepted),
      .advance_o   (advance),
      .accepts_i   (accepts_q),
      .reset_i,
      .seeding_i   (state_q == Merge && write_i && word_place_q == PlaceSeed),
      .seed_i      (write_data),
      .bank_o      (bank),
      .order_o,
      .word_o,
      .queue_word_o
  );

  assign busy_o    = commit_i || load_i || !free || state_q == Clear;
  assign refused_o = fault_o != FaultNone;

endmodule
