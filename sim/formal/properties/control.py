# SPDX-License-Identifier: BSD-3-Clause
"""Registers: AXI4-Lite, the commit of a configuration, the counters. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.flow import Design
from sim.formal.property import properties

DESCRIPTORS = "depart/tm_descriptors.sv"
REGS = "control/bus/tm_regs_bus.sv"

AXIL_PROPERTIES = properties(
    {
        "BvalidStays_A: a write response stays as it is until taken": Mutant(
            REGS, "(b_valid_q && axil_i.b_ready)", "b_valid_q"
        ),
        "RvalidStays_A: a read response stays as it is until taken": Mutant(
            REGS, "if (done) {answer_q, refused_q} <=", "{answer_q, refused_q} <="
        ),
        "NoBUnasked_A: no write is answered that was not asked in both channels": Mutant(
            REGS, "axil_i.aw_valid && axil_i.w_valid && !take_read", "axil_i.aw_valid && !take_read"
        ),
        "NoRUnasked_A: no read is answered that was not asked, and none twice": Mutant(
            REGS, "missing_q <= taken_q && !exists", "missing_q <= busy_q && !exists"
        ),
        "OneRequest_A: the registers get one request at a time": Mutant(
            REGS, "valid_q   <= taken_q && exists", "valid_q   <= busy_q && exists"
        ),
        "Response_A: every answer is OKAY or SLVERR": Mutant(
            REGS, "r_resp: {refused_q, 1'b0}", "r_resp: {2{refused_q}}"
        ),
        "BAnswered_A: every write is answered, within 12 cycles of a ready master": Mutant(
            REGS, "<= {write_q, !write_q};", "<= {1'b0, !write_q};"
        ),
        "RAnswered_A: every read is answered, within 12 cycles of a ready master": Mutant(
            REGS, "<= {write_q, !write_q};", "<= {write_q, 1'b0};"
        ),
    }
)
CONFIG, CONFIG_CHECK, RAM = (
    "control/config/tm_config.sv",
    "control/config/tm_config_check.sv",
    "prim/tm_prim_ram.sv",
)
UNCHECKED = Mutant(
    CONFIG,
    "state_q == Decide && fault_o == FaultNone && port_q",
    "state_q == Decide && port_q",
)
COMMIT_PROPERTIES = properties(
    {
        "OnlyAccepted_A: a configuration changes in the cycle after an accepted commit, and in no other": UNCHECKED,
        "RefusedKeeps_A: a refused commit changes nothing and says what is at fault": UNCHECKED,
        "ShadowStands_A: the shadow stands still while it is checked and kept": Mutant(
            CONFIG,
            "write       = word_valid_q;\n        write_owner = owner(word_place_q);",
            "write       = word_valid_q;",
        ),
        "ExistsOnly_A: a port that does not exist gets no configuration": (
            Mutant(CONFIG, "commit_q <= commit_i && exists;", "commit_q <= commit_i;"),
            Mutant(CONFIG_CHECK, "exists_i ? FaultNone : FaultPort", "FaultNone"),
        ),
    }
)
COMMIT_CONTENT_PROPERTIES = properties(
    {
        "Whole_A: every field is that of the words that were checked": Mutant(
            CONFIG_CHECK, "place_i == PlaceK1) k_q[1]", "place_i == PlaceK0) k_q[1]"
        ),
        "Legal_A: no limit beyond the storage, no threshold beyond the limit, no law that is not there, ever": Mutant(
            CONFIG_CHECK, "(above_q || zero_q)) found = FaultLimitBytes", "zero_q) found = FaultLimitBytes"
        ),
        "LegalNoEcn_A: nothing is protected where there is no ECN": Mutant(CONFIG_CHECK, "control_q.noecn || ", ""),
        "OnlyItsPort_A: a commit changes its own port only": Mutant(
            CONFIG, "if (accepts_q[p]) cfg_q", "if (accepts_q != '0) cfg_q"
        ),
    }
)
COMMIT_CODEL_CONTENT = (
    *properties(
        {
            "Whole_A: every field, CoDel's as well, is that of the words that were checked": Mutant(
                CONFIG_CHECK,
                "codel.converge         <= settings.converge;",
                "codel.converge         <= settings.at_once;",
            ),
        }
    ),
    *COMMIT_CONTENT_PROPERTIES[1:],
)
COMMIT_CODEL_PROPERTIES = properties(
    {
        "LegalCodel_A: no target beyond the interval, no interval of nothing, no exemption below nothing, ever": Mutant(
            CONFIG_CHECK, "word_zero_q || word_top_q || target_above_q", "word_zero_q || word_top_q"
        ),
    }
)
# The RAM of the registers may show any word, and need not be cleared first: there is more to be proved, not less.
ANY_WORD = (
    Mutant(
        RAM,
        "  always_ff @(posedge clk_i) begin\n    if (rd_en_i) read_q <= words[rd_addr_i];",
        "  logic [WIDTH-1:0] anything;\n  always_ff @(posedge clk_i) begin\n    if (rd_en_i) read_q <= anything;",
    ),
    Mutant(CONFIG, "if (&step_q && clear_q == Shadow) state_d = Idle;", "state_d = Idle;"),
)
SMALL_CONFIG = {"STORAGE": 6, "DESCRIPTORS": 3}
CONFIG_WIDTHS = {"BytesW": 3, "PacketsW": 2}
SNAPSHOT, TOTALS, TALLY, ORDER = (
    "control/counters/tm_snapshot.sv",
    "control/counters/tm_totals.sv",
    "control/counters/tm_tally.sv",
    "control/counters/tm_sweep_order.sv",
)
# Three counters instead of 192, so that a round is short.
SHORT_ROUND = (
    Mutant(ORDER, "code_q == LastCode && index_o == BeforeLast", "index_next == 4'd4"),
    Mutant(ORDER, "if (start_i) {code_q,", "if (start_i || (step_i && last_o)) {code_q,"),
    Mutant(SNAPSHOT, "PerPort = counters_to(LAST_CODE)", "PerPort = 3"),
)
COUNTERS = Design("formal_counters", {}, {"LenW": 1}, SHORT_ROUND)
COUNTER_PROPERTIES = properties(
    {
        "FlipInTime_A: the banks flip once a round at least, so no narrow counter wraps between two "
        "sweeps of it": Mutant(
            SNAPSHOT,
            "default: if (drain_q == Drained) state_d = Flip;",
            "default: if (drain_q == Drained) state_d = Query;",
        ),
        "tally.counters.Collision_A: no counter is needed while its sum is on the way": Mutant(
            TALLY, "event_q && !second && !third;", "event_q && !second;"
        ),
        "dut.totals.OneUser_A": (
            Mutant(SNAPSHOT, "= state_q == Drain && drain_q == Drained;", "= state_q == Drain;"),
            Mutant(SNAPSHOT, "Drain:   if (drain_q == Drained) state_d", "Drain:   state_d"),
        ),
        "dut.totals.totals.Collision_A": (
            Mutant(TOTALS, "sweep_q[3] && !fresh_i", "sweep_q[6] && !fresh_i"),
            Mutant(TOTALS, "!saved_q), addr_q[3]}", "!saved_q), addr_q[6]}"),
        ),
    }
)
COUNTER_TRUTH = properties(
    {
        "SnapshotTrue_A: a snapshot holds exactly the events up to its cycle": Mutant(
            TALLY, "second_q <= second;", "second_q   <= 1'b0;"
        ),
        "BytesTrue_A: ... and their bytes": Mutant(TALLY, "second ? late_len_i[0][NEXT_W-1:0] : '0", "'0"),
    }
)
