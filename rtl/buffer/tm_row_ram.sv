// SPDX-License-Identifier: BSD-3-Clause
// The memory of a ring of rows. The bits named in TWICE are kept as they came and as they leave marked, and the read
// says which it wants: so nothing has to choose behind the memory. Where that is known too late for an address
// (MARK_LATE), both are read.
//
// Contract: that of tm_prim_ram; `rd_marked_i` is of the read, or with MARK_LATE of the row that is shown. A row that
// is written in the cycle of its read reads as anything, and the ring does not use that.
module tm_row_ram #(
    parameter int unsigned ROW_W = 288,  // bits
    parameter int unsigned ROWS = 512,  // rows
    parameter STYLE = "block",  // ram_style
    parameter logic [ROW_W-1:0] TWICE = '0,  // bits kept twice, if any
    parameter bit MARK_LATE = 1'b0,  // `rd_marked_i` is known a cycle late
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input  logic             clk_i,
    // write
    input  logic             wr_en_i,
    input  logic [AddrW-1:0] wr_addr_i,
    input  logic [ROW_W-1:0] wr_row_i,
    // Only the bits kept twice are looked at.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [ROW_W-1:0] wr_marked_i,
    // verilator lint_on UNUSEDSIGNAL
    // read
    input  logic             rd_en_i,
    input  logic [AddrW-1:0] rd_addr_i,
    input  logic             rd_marked_i,
    output logic [ROW_W-1:0] rd_row_o
);

  localparam int unsigned TwiceW = $countones(TWICE);
  localparam int unsigned OnceW = ROW_W - TwiceW;

  // Bits below `place` that are kept twice.
  function automatic int unsigned twice_below(input int unsigned place);
    int unsigned count;
    count = 0;
    for (int unsigned b = 0; b < place; b++) count += 32'(TWICE[b]);
    return count;
  endfunction

  // Bits from `place` on that are kept as often.
  function automatic int unsigned run_from(input int unsigned place);
    int unsigned count;
    count = 1;
    while (place + count < ROW_W && TWICE[place+count] == TWICE[place]) count++;
    return count;
  endfunction

  logic [OnceW-1:0] written, read;

  tm_prim_ram #(
      .WIDTH(OnceW),
      .DEPTH(ROWS),
      .STYLE(STYLE),
      .SPECULATIVE(1'b1)
  ) once (
      .clk_i,
      .wr_en_i,
      .wr_addr_i,
      .wr_data_i(written),
      .rd_en_i,
      .rd_addr_i,
      .rd_data_o(read)
  );

  if (TwiceW != 0) begin : gen_twice
    localparam int unsigned Words = MARK_LATE ? 1 : 2;  // that a pair is for the read

    logic [1:0][TwiceW-1:0] pair;
    logic [2/Words-1:0][TwiceW-1:0] seen;
    logic [AddrW+$clog2(Words)-1:0] rd_addr;
    logic [TwiceW-1:0] chosen;

    tm_prim_ram #(
        .WIDTH(2 / Words * TwiceW),
        .DEPTH(ROWS),
        .WORDS(Words),
        .STYLE(STYLE),
        .SPECULATIVE(1'b1)
    ) twice (
        .clk_i,
        .wr_en_i,
        .wr_addr_i,
        .wr_data_i(pair),
        .rd_en_i,
        .rd_addr_i(rd_addr),
        .rd_data_o(seen)
    );

    if (MARK_LATE) begin : gen_late
      assign rd_addr = rd_addr_i;
      assign chosen  = seen[rd_marked_i];
    end else begin : gen_address
      assign rd_addr = {rd_addr_i, rd_marked_i};
      assign chosen  = seen;
    end

    // Run by run of neighbours that are kept alike.
    for (genvar b = 0; b < int'(ROW_W); b++) begin : gen_run
      if (b == 0 || TWICE[b] != TWICE[b-1]) begin : gen_first
        localparam int unsigned Below = twice_below(b);
        localparam int unsigned Length = run_from(b);
        if (TWICE[b]) begin : gen_twice
          assign pair[0][Below+:Length] = wr_row_i[b+:Length];
          assign pair[1][Below+:Length] = wr_marked_i[b+:Length];
          assign rd_row_o[b+:Length]    = chosen[Below+:Length];
        end else begin : gen_once
          assign written[b-Below+:Length] = wr_row_i[b+:Length];
          assign rd_row_o[b+:Length]      = read[b-Below+:Length];
        end
      end
    end
  end else begin : gen_once
    logic unused;
    assign unused   = rd_marked_i;
    assign written  = wr_row_i;
    assign rd_row_o = read;
  end

endmodule
