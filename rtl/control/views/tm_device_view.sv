// SPDX-License-Identifier: BSD-3-Clause
// The registers that belong to no port: what the build is, time, lock, page, commands, status, query and its sums.
//
// Contract: what an access asks for stands one cycle before it is valid and holds until it is answered. One to a word
// that is valid is a write, or takes the time for TIME_HIGH. One cycle later at the earliest, with `read_i`, the word
// is read, as it was one cycle before; one of `data_o` shows it two cycles later, out of a register, and both are 0 in
// every other cycle and for a word that is not here; in its window it is NetFPGA's own word. `command_o` is the bits of
// a write to COMMAND, for the cycle after it.
module tm_device_view
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    // from and to the bus
    input  access_t                        access_i,
    input  logic                           read_i,
    output logic         [      1:0][31:0] data_o,       // of what does not change, and of what does
    // to the others
    output logic         [     31:0]       time_step_o,
    output logic         [PageW-1:0]       page_o,
    output command_reg_t                   command_o,
    output query_reg_t                     query_o,
    // from the others
    input  logic         [TimeW-1:0]       time_i,
    input  entries_t                       entries_i,
    input  status_reg_t                    status_i,
    input  total_t                         sum_i
);

  localparam int unsigned BeatBytes = BUILD.data_w / 8;

  localparam logic [3:0] SumBytesHighPlace = 4'h4;
  localparam build_reg_t Shape = '{
      more_queues: 3'(BUILD.queues - 1),
      data_bytes: 16'(BeatBytes),
      ports: 8'(BUILD.ports),
      default: '0
  };
  localparam capabilities_reg_t Capable = '{
      pfc: BUILD.pfc,
      pool: BUILD.pool,
      shaping: BUILD.shaping,
      tcn: BUILD.tcn,
      red_linux: BUILD.red_linux,
      events: 1'b1,
      mark_on_departure: BUILD.mark_on_departure,
      codel: BUILD.codel,
      red: BUILD.red,
      step: 1'b1,
      flags_verdict: BUILD.flags_verdict,
      store_and_forward: BUILD.store_and_forward,
      default: '0
  };
  // A build without a law at the head has no codes above 15.
  localparam bit High = last_code(BUILD) > 32'(SojournHigh);
  localparam query_reg_t QueryBits = '{code_high: High, code_mask_high: High, default: '1};
  localparam logic [31:0] Queried = 32'(QueryBits);

  logic [31:0] high_q;
  logic [15:0] owner_q;
  logic lock;
  logic at_time_step_q, at_query_q, at_page_q, at_time_low_q, at_lock_q, at_command_q;  // the word it asks for
  logic [31:0] query_q;
  // This block's own: registers of what a host writes may be reset a cycle late.
  logic rst_q;
  // Its gap is not looked at.
  // verilator lint_off UNUSEDSIGNAL
  lock_reg_t lock_data;  // if this word is LOCK
  // verilator lint_on UNUSEDSIGNAL

  (* keep *) always_ff @(posedge clk_i) rst_q <= rst_i;
  always_ff @(posedge clk_i) begin
    at_time_step_q <= access_i.write && !access_i.window && access_i.index == RegTimeStep;
    at_query_q     <= access_i.write && !access_i.window && access_i.index == RegQuery;
    at_page_q      <= access_i.write && !access_i.window && access_i.index == RegPage && access_i.strobe[0];
    at_lock_q      <= access_i.write && !access_i.window && access_i.index == RegLock && &access_i.strobe;
    at_command_q   <= access_i.write && !access_i.window && access_i.index == RegCommand && access_i.strobe[0];
    at_time_low_q  <= !access_i.write && access_i.index == RegTimeLow;
  end

  assign lock_data = access_i.data;

  always_ff @(posedge clk_i) begin
    if (rst_q) begin
      page_o  <= ResetPage[$bits(page_o)-1:0];
      query_q <= ResetQuery;
      high_q  <= '0;
    end else begin
      for (int unsigned b = 0; b < 4; b++) begin
        if (access_i.valid && at_time_step_q && access_i.strobe[b]) time_step_o[8*b+:8] <= access_i.data[8*b+:8];
        if (access_i.valid && at_query_q && access_i.strobe[b])
          query_q[8*b+:8] <= access_i.data[8*b+:8] & Queried[8*b+:8];
      end
      if (access_i.valid && at_page_q) page_o <= access_i.data[$bits(page_o)-1:0];
      if (access_i.valid && at_time_low_q) high_q <= time_i[TimeW-1:32];
    end
    if (rst_i) time_step_o <= ResetTimeStep;  // with the time, which adds it in the cycle behind a reset
  end

  assign query_o = query_reg_t'(query_q);

  // The lock is taken while nobody has it, and given back by whoever has it.
  assign lock = access_i.valid && at_lock_q;

  always_ff @(posedge clk_i) begin
    if (rst_q || (lock && lock_data.release_bit && owner_q == lock_data.owner)) owner_q <= '0;
    else if (lock && !lock_data.release_bit && owner_q == '0) owner_q <= lock_data.owner;
  end

  always_ff @(posedge clk_i) begin
    command_o <= (access_i.valid && at_command_q && !rst_i) ? access_i.data[$bits(command_o)-1:0] : '0;
  end

  // ---- what does not change ----
  // (The window of NetFPGA reads as the last word.)
  function automatic logic [15:0][31:0] constants();
    constants                       = '0;
    constants[RegId[3:0]]           = ResetId;
    constants[RegVersion[3:0]]      = ResetVersion;
    constants[RegBuild[3:0]]        = 32'(Shape);
    constants[RegRows[3:0]]         = BUILD.rows;
    constants[RegDescriptors[3:0]]  = BUILD.descriptors;
    constants[RegStorage[3:0]]      = BUILD.rows * BeatBytes;
    constants[RegMaxFrame[3:0]]     = BUILD.max_frame;
    constants[RegCapabilities[3:0]] = 32'(Capable);
    constants[15]                   = ValueNetfpga;
  endfunction

  logic [31:0] constant, constant_q;
  logic constant_there_q;
  logic [3:0] constant_place_q;
  always_ff @(posedge clk_i) begin
    constant_there_q <= access_i.window || access_i.index[7:3] == RegId[7:3];
    constant_place_q <= access_i.index[3:0] | {4{access_i.window}};
  end

  tm_prim_rom #(
      .WIDTH(32),
      .DEPTH(16),
      .WORDS(constants())
  ) rom (
      .clk_i,
      .rd_en_i  (read_i && constant_there_q),
      .rd_addr_i(constant_place_q),
      .rd_data_o(constant)
  );

  // ---- what does ----
  // A word's place is the low bits of its address, but of those that share them with another. Eight words have an upper
  // half that is not always 0: these halves are kept apart, by the low bits of the place.
  localparam logic [2:0] StatusUpperPlace = RegSumPacketsHigh[2:0];  // free, and STATUS's own is not

  logic [15:0][31:0] words;
  logic [15:0][15:0] lower;
  logic [ 7:0][15:0] upper;
  logic [3:0] place, place_q;
  logic [ 2:0] upper_place_q;
  logic [31:0] view;
  logic there, there_q, upper_there_q, snapshot, snapshot_q, is_status, read;
  logic [1:0] entry;

  always_comb begin
    words                           = '0;
    words[RegTimeLow[3:0]]          = time_i[31:0];
    words[RegTimeHigh[3:0]]         = high_q;
    words[RegTimeStep[3:0]]         = time_step_o;
    words[RegLock[3:0]]             = 32'(owner_q);
    words[RegPage[3:0]]             = 32'(page_o);
    words[RegStatus[3:0]]           = 32'(status_i);
    words[RegSnapshotTimeHigh[3:0]] = time_i[TimeW-1:32];
    words[RegQuery[3:0]]            = query_q;
    words[RegSumPacketsLow[3:0]]    = sum_i.packets[31:0];
    words[RegSumPacketsHigh[3:0]]   = 32'(sum_i.packets[47:32]);
    words[RegSumBytesLow[3:0]]      = sum_i.bytes[31:0];
    words[SumBytesHighPlace]        = 32'(sum_i.bytes[47:32]);

    place                           = access_i.index[3:0];
    if (access_i.index == RegSnapshotTimeLow) place = RegTimeLow[3:0];
    if (access_i.index == RegSumBytesHigh) place = SumBytesHighPlace;
    is_status = place == RegStatus[3:0];

    for (int unsigned w = 0; w < 16; w++) lower[w] = words[w][15:0];
    for (int unsigned w = 0; w < 8; w++) upper[w] = words[8+w][31:16];
    upper[StatusUpperPlace] = words[RegStatus[3:0]][31:16];
  end

  assign snapshot = access_i.index == RegSnapshotTimeLow || access_i.index == RegSnapshotTimeHigh;
  assign there = access_i.index inside {
    [RegTimeLow : RegTimeStep], [RegLock : RegStatus], [RegSnapshotTimeLow : RegSumBytesHigh]
  };

  always_ff @(posedge clk_i) begin
    {place_q, there_q, snapshot_q} <= {place, there, snapshot};
    upper_place_q <= is_status ? StatusUpperPlace : place[2:0];
    upper_there_q <= there && (is_status || (place[3] && place[2:0] != StatusUpperPlace));
  end

  assign read  = read_i && (!snapshot_q || entries_i.taken);
  assign entry = snapshot_q ? entries_i.kept : entries_i.newest;

  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(16),
      .DEPTH(4),
      .WORDS(16)
  ) lower_view (
      .clk_i,
      .wr_en_i  (1'b1),
      .wr_addr_i(entries_i.write),
      .wr_data_i(lower),
      .rd_en_i  (read && there_q),
      .rd_addr_i({entry, place_q}),
      .rd_data_o(view[15:0])
  );

  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(16),
      .DEPTH(4),
      .WORDS(8)
  ) upper_view (
      .clk_i,
      .wr_en_i  (1'b1),
      .wr_addr_i(entries_i.write),
      .wr_data_i(upper),
      .rd_en_i  (read && upper_there_q),
      .rd_addr_i({entry, upper_place_q}),
      .rd_data_o(view[31:16])
  );

  always_ff @(posedge clk_i) constant_q <= constant;
  assign data_o = {view, constant_q};

endmodule
