# SPDX-License-Identifier: BSD-3-Clause
"""The parser: each strobe comes once, in its order and in time. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

FRAMER = "parse/tm_framer.sv"
L3_WALK = "parse/tm_l3_walk.sv"
CHAIN_WALK = "parse/tm_chain_walk.sv"
QUEUE_MAP = "parse/tm_queue_map.sv"

PARSE_PROPERTIES = properties(
    {
        "FirstWhenClosed_A: a first row comes when the frame before has ended, and only then": Mutant(
            FRAMER, "storing_q  <= store && !stored_last;", "storing_q  <= store && !s_last_i;"
        ),
        "Offered_A: a frame without a destination does not show": Mutant(FRAMER, "s_dest_i != '0 && !runt", "!runt"),
        "LengthSteady_A: the length does not change within a frame": Mutant(
            FRAMER,
            "if (first) begin\n          len_q ",
            "len_q <= s_len_i[LenW-1:0];\n        if (first) begin\n          len_q ",
        ),
        "Length_A: no runt and nothing over MAX_FRAME shows": Mutant(FRAMER, "&& !runt && !oversize", "&& !oversize"),
        "NoMoreRows_A: no row beyond those promised": Mutant(
            FRAMER, "one_left_q <= left_q == ~RowsW'(2);", "one_left_q <= left_q == ~RowsW'(1);"
        ),
        "LastAtPromise_A: the last promised row is the last": Mutant(
            FRAMER, "one_left_q <= left_q == ~RowsW'(2);", "one_left_q <= left_q == ~RowsW'(3);"
        ),
        "EndForetold_A: the end is told with the last row, one cycle before it strobes": Mutant(
            FRAMER, "end_valid_o      <= store && stored_last;", "end_valid_o      <= store && s_last_i;"
        ),
        "ShortIsBad_A: a frame with fewer rows than promised is found wrong": Mutant(
            FRAMER, "!(s_last_i && row_is_last && as_promised)", "!(s_last_i && as_promised)"
        ),
        "EcnOfABeat_A: one ECN strobe a frame, with a beat of it": Mutant(
            L3_WALK, "|| last_o || told_before;", "|| last_o;"
        ),
        "EcnByTheEnd_A: ... and no frame ends without": Mutant(
            L3_WALK, "told_before = row_o != '0 && told_q;", "told_before = told_q;"
        ),
        "dut.header_walk.i_l3_walk.EcnOnce_A: the same, as the walk itself claims it": Mutant(
            L3_WALK, "|| last_o || told_before;", "|| last_o;"
        ),
        "dut.header_walk.i_l3_walk.EcnByTheEnd_A: the same": Mutant(
            L3_WALK, "told_before = row_o != '0 && told_q;", "told_before = told_q;"
        ),
        "dut.header_walk.i_chain_walk.WalkedOnce_A: the walk ends once a frame": Mutant(
            CHAIN_WALK, "walked && (new_q || !told_walked_q) && !rst_i;", "walked && !rst_i;"
        ),
        "dut.header_walk.i_chain_walk.WalkedByTheEnd_A: ... by its last beat": Mutant(
            CHAIN_WALK, "assign walked  = last_q ||", "assign walked  = (last_q && row_q[0]) ||"
        ),
        "dut.header_walk.i_chain_walk.EcnFirst_A: ... not before its ECN field is told": Mutant(
            CHAIN_WALK, "assign decided = told_q && (", "assign decided = ("
        ),
        "dut.framer.KeepContiguous_A: a stored row has no hole": Mutant(
            "parse/tm_keep_shape.sv", "(keep_q[i] || ignore_keep_q)", "keep_q[i]"
        ),
        "dut.framer.RowsFit_A: no frame has more rows than MAX_FRAME": Mutant(
            FRAMER, "one_left_q <= left_q == ~RowsW'(2);", "one_left_q <= left_q == ~RowsW'(1);"
        ),
        "dut.framer.BadOnce_A: a frame is found wrong once at most": Mutant(
            FRAMER, "storing_q  <= store && !stored_last;", "storing_q  <= store && !s_last_i;"
        ),
    }
)
FLAGS_PROPERTIES = properties(
    {
        "FlagsOnce_A: one flags strobe a frame, not before its ECN strobe": Mutant(
            CHAIN_WALK, "walked && (new_q || !told_walked_q) && !rst_i;", "walked && !rst_i;"
        ),
        "FlagsByTheEnd_A: ... and no frame ends without": Mutant(
            CHAIN_WALK, "assign walked  = last_q ||", "assign walked  = (last_q && row_q[0]) ||"
        ),
        "ClassAsOneBit_A: class and ECE flag as one bit are those of the frame": Mutant(
            "parse/tm_classify.sv", "= l3_i != L3None && !readable;", "= l3_i != L3None && !tcp_i;"
        ),
    }
)

QUEUE_MAP_PROPERTIES = properties(
    {
        "Asked_A: a frame goes to the queue that the entry in force says, or to the default": Mutant(
            QUEUE_MAP, "listed ? entry : settings_q.default_queue", "entry"
        ),
        "Class_A: a frame that is mapped by class goes to the queue that the entry in force says": Mutant(
            QUEUE_MAP, ".rd_addr_i({bank_q, ece_i})", ".rd_addr_i({bank_q, 1'b0})"
        ),
        "ByClass_A: each frame is mapped by the mode in force at its ECN field": Mutant(
            QUEUE_MAP, "ecn_valid_i ? settings_q.mode ==", "1'b1 ? settings_q.mode =="
        ),
        "Stays_A: the queue of a frame stays until the next one's": Mutant(
            QUEUE_MAP, "if (ecn_valid_i) queue_o", "if (ecn_valid_i || word_i.turn) queue_o"
        ),
        "Kept_A: the table in force changes by a turn alone": Mutant(
            QUEUE_MAP, ".wr_addr_i({!bank_q, word_i.place[2:0]})", ".wr_addr_i({bank_q, word_i.place[2:0]})"
        ),
        "Next_A: a word goes where the next turn finds it": Mutant(
            QUEUE_MAP, "by_table && !word_i.place[4]", "by_table && !word_i.place[2]"
        ),
        "KeptClass_A: so does the table by class": Mutant(
            QUEUE_MAP,
            ".wr_addr_i({!bank_q, word_i.place == PlaceQueueClassEce})",
            ".wr_addr_i({bank_q, word_i.place == PlaceQueueClassEce})",
        ),
        "NextClass_A: so does one of the table by class": Mutant(
            QUEUE_MAP, "place inside {PlaceQueueClass, PlaceQueueClassEce})),", "place == PlaceQueueClass)),"
        ),
        "Settings_A: the settings in force change by a turn alone": Mutant(
            QUEUE_MAP, "{bank_q, settings_q} <= {!bank_q, next_q}", "{bank_q, settings_q} <= {!bank_q, given}"
        ),
        "NextSettings_A: and are the last ones written": Mutant(
            QUEUE_MAP, "if (word_i.valid && is_settings) next_q", "if (word_i.valid) next_q"
        ),
    }
)
# What the others follow from, in a few steps.
QUEUE_MAP_LEMMAS = ("Kept_A", "Next_A", "KeptClass_A", "NextClass_A", "Settings_A", "NextSettings_A", "ByClass_A")
