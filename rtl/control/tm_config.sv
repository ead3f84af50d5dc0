// SPDX-License-Identifier: BSD-3-Clause
// The shadow configuration, its check, and the configuration each port works with.
//
// Contract: `req_i` reads or writes a shadow register (index 0 to 5: CONTROL, LIMIT_BYTES, LIMIT_PACKETS, K0, K1, PROTECT);
// `ack_o` answers a few cycles later, with `data_o` for a read, which is 0 otherwise. `commit_i` checks the shadow and, if
// nothing is at fault, gives it to the port of that cycle's `page_i` in one cycle, as a whole; else the port keeps what
// it has and `fault_o` says why. `load_i` brings the port's last accepted shadow back, after the commit if both come at
// once. Commands that come while `busy_o` is 1 are ignored, requests wait.
//
// Shadow and accepted registers share one RAM: words {port, index}, the shadow above the last port.
module tm_config
  import tm_pkg::*;
#(
    parameter int unsigned PORTS         = 5,
    parameter int unsigned STORAGE       = 16384,  // bytes per port
    parameter int unsigned DESCRIPTORS   = 508,    // frames per port
    parameter bit          FLAGS_VERDICT = 1'b0
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from and to the bus
    input  logic             req_i,
    input  logic             write_i,
    input  logic [      2:0] index_i,
    input  logic [     23:0] data_i,
    input  logic [      2:0] strobe_i,
    output logic             ack_o,
    output logic [     31:0] data_o,
    // commands
    input  logic             commit_i,
    input  logic             load_i,
    input  logic [      3:0] page_i,
    output logic             busy_o,
    output logic             refused_o,
    output logic [      3:0] fault_o,
    // to the ports
    output cfg_t [PORTS-1:0] cfg_o
);

  localparam int unsigned Words = 8 * (PORTS + 1);
  localparam int unsigned PlaceW = $clog2(PORTS + 1);  // a port, or the shadow
  localparam logic [PlaceW-1:0] Shadow = PlaceW'(PORTS);
  localparam logic [2:0] Control = 3'd0, LimitPackets = 3'd2, Protect = 3'd5;

  // Clear writes every word once after reset; Check reads the shadow, Keep and Load copy it.
  typedef enum logic [2:0] {
    Clear,
    Idle,
    Access,
    Check,
    Decide,
    Keep,
    Load
  } state_e;

  state_e state_q, state_d;
  logic commit_q, load_q, request_q, write_q, exists, turn_end;
  logic [2:0] index_q, step_q, seen_q;
  logic [PlaceW-1:0] clear_q, port_q;
  logic [2:0] strobe_q;
  logic [23:0] data_q, word, write_data, shown_q;
  logic free, read, write, seen_valid_q, accept;
  logic [PlaceW-1:0] read_place, write_place;
  logic [2:0] read_index, write_index;
  cfg_t checked;

  // ---- requests and commands wait for their turn ----
  assign exists   = {1'b0, page_i} < 5'(PORTS);
  assign free     = !commit_q && !load_q && (state_q inside {Clear, Idle, Access});
  assign turn_end = step_q == Protect + 3'd1;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      request_q <= 1'b0;
      commit_q  <= 1'b0;
      load_q    <= 1'b0;
      port_q    <= '0;
    end else begin
      if (req_i) request_q <= 1'b1;
      else if (state_q == Access) request_q <= 1'b0;
      if (free && (commit_i || load_i)) begin
        port_q   <= PlaceW'(page_i);
        commit_q <= commit_i && exists;
        load_q   <= load_i && exists;
      end
      if (state_q == Check) commit_q <= 1'b0;
      if (state_q == Load) load_q <= 1'b0;
    end
    if (req_i) begin
      write_q  <= write_i;
      index_q  <= index_i;
      strobe_q <= strobe_i[2:0];
      // Bits a register has not are kept as 0.
      data_q   <= data_i[23:0];
      if (index_i == LimitPackets || index_i == Control || index_i == Protect) data_q[23:20] <= '0;
      if (index_i == Control || index_i == Protect) data_q[19:14] <= '0;
      if (index_i == Control) data_q[13] <= 1'b0;
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
      Access:  state_d = Idle;
      Check:   if (turn_end) state_d = Decide;
      Decide:  state_d = (fault_o == '0) ? Keep : Idle;
      default: if (turn_end) state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Clear;
      step_q  <= '0;
      clear_q <= '0;
    end else begin
      state_q <= state_d;
      step_q  <= (state_q == Idle || state_q == Decide) ? '0 : step_q + 3'd1;
      if (state_q == Clear && &step_q) clear_q <= clear_q + 1'b1;
    end
    seen_q       <= step_q;
    seen_valid_q <= read;
  end

  // ---- the RAM: a word read in one step is written, or looked at, in the next ----
  // Nothing is read while the words are cleared, so `word` is 0 then.
  always_comb begin
    for (int unsigned b = 0; b < 3; b++) begin
      write_data[8*b+:8] = (state_q == Access && strobe_q[b]) ? data_q[8*b+:8] : word[8*b+:8];
    end
    if (state_q == Clear && step_q == Control) write_data[0] = 1'b1;  // enabled, all else off
  end

  always_comb begin
    read        = 1'b0;
    read_place  = Shadow;
    read_index  = step_q;
    write       = 1'b0;
    write_place = Shadow;
    write_index = seen_q;
    unique case (state_q)
      Clear: begin
        write       = 1'b1;
        write_place = clear_q;
        write_index = step_q;
      end
      Idle: begin
        read       = request_q && !commit_q && !load_q;
        read_index = index_q;
      end
      Access: begin
        write       = write_q;
        write_index = index_q;
      end
      Check:   read = !turn_end;
      Keep: begin
        read        = !turn_end;
        write       = seen_valid_q;
        write_place = port_q;
      end
      Load: begin
        read       = !turn_end;
        read_place = port_q;
        write      = seen_valid_q;
      end
      default: ;
    endcase
  end

  tm_gated_ram #(
      .WIDTH(24),
      .DEPTH(Words)
  ) registers (
      .clk_i,
      .wr_en_i  (write),
      .wr_addr_i({write_place, write_index}),
      .wr_data_i(write_data),
      .rd_en_i  (read && !rst_i),
      .rd_addr_i({read_place, read_index}),
      .rd_data_o(word)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) ack_o <= 1'b0;
    else ack_o <= state_q == Access;
    shown_q <= (state_q == Access && !write_q) ? word : '0;
  end

  assign data_o = 32'(shown_q);

  tm_config_check #(
      .STORAGE      (STORAGE),
      .DESCRIPTORS  (DESCRIPTORS),
      .FLAGS_VERDICT(FLAGS_VERDICT)
  ) check (
      .clk_i,
      .rst_i,
      .start_i (commit_i && free),
      .exists_i(exists),
      .check_i (state_q == Check && seen_valid_q),
      .index_i (seen_q),
      .word_i  (word),
      .fault_o,
      .cfg_o   (checked)
  );

  // ---- to the ports, whole ----
  assign accept = state_q == Decide && fault_o == '0;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    cfg_t cfg_q;
    always_ff @(posedge clk_i) begin
      if (rst_i)
        cfg_q <= '{
            enable: 1'b1,
            limit_bytes: '1,
            limit_packets: '1,
            law: {LawNone, LawNone},
            red: '0,
            default: '0
        };
      else if (accept && port_q == PlaceW'(p)) cfg_q <= checked;
    end
    assign cfg_o[p] = cfg_q;
  end

  assign busy_o    = commit_i || load_i || !free || state_q == Clear;
  assign refused_o = fault_o != '0;

endmodule
