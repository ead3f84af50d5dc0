# SPDX-License-Identifier: BSD-3-Clause
"""What is proved, in words, with the mutant of the RTL that must break each property."""

from __future__ import annotations

from dataclasses import dataclass

from sim.formal.flow import Design, Patch

PDR, INDUCTION, BOUNDED = "pdr", "induction", "bounded"
EITHER = "either"  # an invariant if one is found within the limit, else all traces of `depth` cycles


@dataclass(frozen=True)
class Property:
    """An assertion of a harness or of the RTL below it, what it says, and a mutant that breaks it."""

    name: str
    says: str
    mutant: Patch | tuple[Patch, ...]


@dataclass(frozen=True)
class Proof:
    """One design with the properties proved on it. `quick` ones are part of the tests."""

    title: str
    design: Design
    properties: tuple[Property, ...]
    method: str = PDR
    depth: int = 20  # cycles within which a mutant must be found, and of a bounded proof
    steps: int = 2  # of an induction
    limit: int = 600  # seconds for one property
    quick: bool = True
    lemmas: tuple[str, ...] = ()  # assertions proved together with each property


RING, OCCUPANCY, ARRIVAL = "buffer/tm_ring.sv", "admit/tm_occupancy.sv", "admit/tm_arrival.sv"
DEPART, DESCRIPTORS, SOJOURN = "depart/tm_depart.sv", "depart/tm_descriptors.sv", "depart/tm_sojourn.sv"
REWRITE, CHECKSUM, VERDICT = "rewrite/tm_rewrite.sv", "parse/tm_checksum_mark.sv", "admit/tm_verdict.sv"
FRAMER, L3_WALK, CHAIN_WALK = "parse/tm_framer.sv", "parse/tm_l3_walk.sv", "parse/tm_chain_walk.sv"
HEADER_WALK, REGS = "parse/tm_header_walk.sv", "control/tm_regs_bus.sv"

FULL_RING = Patch(RING, "next(write_q) != read_q;", "1'b1;")

RING_PROPERTIES = (
    Property(
        "InOrder_A",
        "a row that stays is fetched once, unchanged, in its turn, whatever is rewound around it",
        Patch(RING, ".wr_addr_i  (write_here)", ".wr_addr_i(write_q)"),
    ),
    Property(
        "Held_A",
        "there is a row to fetch exactly while one is held",
        Patch(RING, "available_o = read_q != write_q", "available_o = read_q != start_q"),
    ),
    Property(
        "UsedIsOlder_A",
        "the rows counted as used are those of earlier frames",
        Patch(
            RING,
            "start_here = (beat_valid_i && beat_first_i && !rewind_i)",
            "start_here = (beat_valid_i && !rewind_i)",
        ),
    ),
    Property("Spare_A", "one row stays free", FULL_RING),
    Property("dut.gen_block.ring.NeverFull_A", "a full ring is not written", FULL_RING),
    Property("dut.gen_block.ring.FetchSettled_A", "no row is fetched in the cycle that writes it", FULL_RING),
)

MARK_PROPERTIES = (
    Property(
        "Recomputed_A",
        "the checksum of every IPv4 header that was right is the one computed anew (RFC 1071)",
        Patch(CHECKSUM, "ect1 == wraps}", "!ect1}"),
    ),
    Property(
        "SameError_A",
        "a checksum that was wrong stays wrong by as much",
        Patch(CHECKSUM, "(ect1 || !checksum_i[0])", "!checksum_i[0]"),
    ),
    Property(
        "OnlyItsBits_A",
        "no bit changes but those of the ECN field and the checksum, and none of a frame that is not marked",
        Patch(REWRITE, "+4+:2] = Ce", "+4+:3] = 3'b111"),
    ),
    Property(
        "MarkedIsCe_A",
        "a marked frame says CE",
        Patch(REWRITE, "+4+:2] = Ce", "+4+:2] = Ect1"),
    ),
    Property(
        "ChecksumPlaced_A",
        "... and carries its checksum, with up to three tags",
        Patch(REWRITE, "{checksum_i[7:0], checksum_i[15:8]}", "checksum_i"),
    ),
    Property(
        "dut.Untouched_A",
        "a frame that is not marked passes bit for bit",
        Patch(REWRITE, "ipv4 = mark_i && ", "ipv4 = "),
    ),
)

AXIL_PROPERTIES = (
    Property(
        "BvalidStays_A",
        "a write response stays as it is until taken",
        Patch(
            REGS,
            "(s_axil_bvalid && s_axil_bready)) begin\n        {s_axil_bvalid",
            "s_axil_bvalid) begin\n        {s_axil_bvalid",
        ),
    ),
    Property(
        "RvalidStays_A",
        "a read response stays as it is until taken",
        Patch(REGS, "if (done) s_axil_rdata <= data_i;", "s_axil_rdata <= data_i;"),
    ),
    Property(
        "NoBUnasked_A",
        "no write is answered that was not asked in both channels",
        Patch(REGS, "s_axil_awvalid && s_axil_wvalid && !take_read", "s_axil_awvalid && !take_read"),
    ),
    Property(
        "NoRUnasked_A",
        "no read is answered that was not asked, and none twice",
        Patch(REGS, "ack_i || (taken_q && !exists)", "ack_i || (busy_q && !exists)"),
    ),
    Property(
        "OneRequest_A",
        "the registers get one request at a time",
        Patch(REGS, "assign req_o = taken_q", "assign req_o = busy_q"),
    ),
    Property(
        "Response_A",
        "every answer is OKAY or SLVERR",
        Patch(REGS, "s_axil_rresp <= {!ack_i, 1'b0};", "s_axil_rresp <= {2{!ack_i}};"),
    ),
    Property(
        "BAnswered_A",
        "every write is answered, within 12 cycles of a ready master",
        Patch(REGS, "<= {write_o, !write_o};", "<= {1'b0, !write_o};"),
    ),
    Property(
        "RAnswered_A",
        "every read is answered, within 12 cycles of a ready master",
        Patch(REGS, "<= {write_o, !write_o};", "<= {write_o, 1'b0};"),
    ),
)

PARSE_PROPERTIES = (
    Property(
        "FirstWhenClosed_A",
        "a first row comes when the frame before has ended, and only then",
        Patch(FRAMER, "storing_q  <= store && !stored_last;", "storing_q  <= store && !s_last_i;"),
    ),
    Property(
        "Offered_A", "a frame without a destination does not show", Patch(FRAMER, "s_dest_i != '0 && !runt", "!runt")
    ),
    Property(
        "RowsFitLength_A",
        "the rows promised are those its length needs",
        Patch(FRAMER, "RowsW'(beat_len_o >> FillW) + RowsW'(fill != '0)", "RowsW'(beat_len_o >> FillW) + 1'b1"),
    ),
    Property(
        "LengthSteady_A",
        "length and rows do not change within a frame",
        Patch(FRAMER, "if (first) len_q <= s_len_i", "len_q <= s_len_i"),
    ),
    Property(
        "Length_A", "no runt and nothing over MAX_FRAME shows", Patch(FRAMER, "&& !runt && !oversize", "&& !oversize")
    ),
    Property(
        "NoMoreRows_A",
        "no row beyond those promised",
        Patch(FRAMER, "one_left_q <= left == ~RowsW'(1);", "one_left_q <= left == ~RowsW'(0);"),
    ),
    Property(
        "LastAtPromise_A",
        "the last promised row is the last",
        Patch(FRAMER, "one_left_q <= left == ~RowsW'(1);", "one_left_q <= left == ~RowsW'(2);"),
    ),
    Property(
        "EndFollows_A",
        "the end strobe follows the last row by one cycle, always",
        Patch(FRAMER, "end_valid_o      <= store && stored_last;", "end_valid_o      <= store && s_last_i;"),
    ),
    Property(
        "ShortIsBad_A",
        "a frame with fewer rows than promised is found wrong",
        Patch(FRAMER, "!(s_last_i && row_is_last && as_promised)", "!(s_last_i && as_promised)"),
    ),
    Property(
        "EcnOfABeat_A",
        "one ECN strobe a frame, one cycle behind a beat of it",
        Patch(L3_WALK, "told_q <= tell || (row_q != '0 && told_q);", "told_q <= tell;"),
    ),
    Property(
        "EcnByTheEnd_A",
        "... and no frame ends without",
        Patch(L3_WALK, "(last_i && (row_q == '0 || !told_q))", "(last_i && !told_q)"),
    ),
    Property(
        "dut.i_header_walk.i_l3_walk.EcnOnce_A",
        "the same, as the walk itself claims it",
        Patch(L3_WALK, "told_q <= tell || (row_q != '0 && told_q);", "told_q <= tell;"),
    ),
    Property(
        "dut.i_header_walk.i_l3_walk.EcnByTheEnd_A",
        "the same",
        Patch(L3_WALK, "(last_i && (row_q == '0 || !told_q))", "(last_i && !told_q)"),
    ),
    Property(
        "dut.i_header_walk.i_chain_walk.WalkedOnce_A",
        "the walk ends once a frame",
        Patch(CHAIN_WALK, "walked_o      <= (fresh || !told_walked_q) && (", "walked_o      <= ("),
    ),
    Property(
        "dut.i_header_walk.i_chain_walk.WalkedByTheEnd_A",
        "... by its last beat",
        Patch(
            CHAIN_WALK,
            "(fresh || !told_walked_q) && (last_i || (",
            "(fresh || !told_walked_q) && ((last_i && row_i[0]) || (",
        ),
    ),
    Property(
        "dut.i_header_walk.i_chain_walk.EcnFirst_A",
        "... not before its ECN field is told",
        Patch(CHAIN_WALK, "assign decided = told_i && (", "assign decided = ("),
    ),
    Property(
        "dut.i_framer.KeepContiguous_A",
        "a stored row has no hole",
        Patch("parse/tm_keep_shape.sv", "(keep_i[i] || ignore_keep)", "keep_i[i]"),
    ),
    Property(
        "dut.i_framer.RowsFit_A",
        "no frame has more rows than MAX_FRAME",
        Patch(FRAMER, "one_left_q <= left == ~RowsW'(1);", "one_left_q <= left == ~RowsW'(0);"),
    ),
    Property(
        "dut.i_framer.BadOnce_A",
        "a frame is found wrong once at most",
        Patch(FRAMER, "storing_q  <= store && !stored_last;", "storing_q  <= store && !s_last_i;"),
    ),
)

FLAGS_PROPERTIES = (
    Property(
        "FlagsOnce_A",
        "one flags strobe a frame, not before its ECN strobe",
        Patch(CHAIN_WALK, "walked_o      <= (fresh || !told_walked_q) && (", "walked_o      <= ("),
    ),
    Property(
        "FlagsByTheEnd_A",
        "... and no frame ends without",
        Patch(
            CHAIN_WALK,
            "(fresh || !told_walked_q) && (last_i || (",
            "(fresh || !told_walked_q) && ((last_i && row_i[0]) || (",
        ),
    ),
)

VERDICT_PROPERTIES = (
    Property(
        "JudgedOnce_A",
        "no copy is judged twice",
        Patch(ARRIVAL, "copy_q && ecn_valid_i;", "copy_q && end_valid_i || ecn_valid_i;"),
    ),
    Property(
        "Judged_A",
        "every copy is judged, by the end of its frame",
        Patch(ARRIVAL, "copy_q && ecn_valid_i;", "copy_q && ecn_valid_i && !end_valid_i;"),
    ),
    Property(
        "OneTally_A",
        "every copy is tallied once, a cycle after its end",
        Patch(ARRIVAL, "arrive_valid_o <= end_valid_i && offered_q", "arrive_valid_o <= end_valid_i && copy_q"),
    ),
    Property(
        "OutcomeTrue_A",
        "its one outcome says whether it is held",
        Patch(ARRIVAL, "if (abort_o || judged_wrong) outcome_d", "if (abort_o) outcome_d"),
    ),
    Property(
        "ByteLimit_A",
        "B + length is never above the limit in force",
        Patch(OCCUPANCY, "$signed(RoomW'(bytes_q)) > headroom_q", "$signed(RoomW'(bytes_q)) > headroom_q + 1"),
    ),
    Property(
        "PacketLimit_A", "nor P + 1", Patch(OCCUPANCY, "packets_q >= limit_packets_i", "packets_q > limit_packets_i")
    ),
    Property(
        "FullIsRefused_A",
        "beyond a limit, without room, at a disabled port nothing is stored",
        Patch(VERDICT, "over_packets_i || no_room_i || !enable_i ||", "over_packets_i || !enable_i ||"),
    ),
    Property(
        "RefusedWhenFull_A",
        "a Not-ECT frame without a law of its own (true-mark) is refused then only",
        Patch(VERDICT, "if (signal_i) begin", "if (signal_i || meta_i.ecn == NotEct) begin"),
    ),
    Property(
        "NotEctNotMarked_A",
        "no Not-ECT frame is marked",
        Patch(VERDICT, "protected_frame ? Protected : forced_i ? EarlyForced : EarlyProbability", "Mark"),
    ),
    Property(
        "CeNotMarked_A",
        "no CE frame is counted as marked",
        Patch(VERDICT, "mark_o = lawful == Mark", "mark_o = signal_i"),
    ),
    Property(
        "PacketsHeld_A",
        "P is stored - departed - aborted, in every cycle",
        Patch(OCCUPANCY, "3'b011:         change = 2'b10;", "3'b011:         change = 2'b11;"),
    ),
    Property(
        "ValidStays_A",
        "AXI4-Stream: a row stays offered until it is taken",
        Patch(DEPART, "(valid_q && !taken);", "(valid_q && !taken && tx_en_i);"),
    ),
    Property(
        "dut.admission.arrival.JudgedByEnd_A",
        "as the RTL claims it",
        Patch(ARRIVAL, "copy_q && ecn_valid_i;", "copy_q && ecn_valid_i && !end_valid_i;"),
    ),
    Property(
        "dut.admission.arrival.WrongNotStored_A",
        "as the RTL claims it",
        Patch(ARRIVAL, "judge_o && store_i && !wrong_end;", "judge_o && store_i;"),
    ),
    Property(
        "dut.admission.occupancy.StoreOrAbort_A",
        "as the RTL claims it",
        (
            Patch(ARRIVAL, "judge_o && store_i && !wrong_end;", "judge_o && store_i;"),
            Patch(ARRIVAL, "abort_o = wrong_end && arriving_q && !leaving_i", "abort_o = wrong_end && !leaving_i"),
        ),
    ),
    Property(
        "dut.egress.departure.HoldUntilTaken_A",
        "as the RTL claims it",
        Patch(DEPART, "(valid_q && !taken);", "(valid_q && !taken && tx_en_i);"),
    ),
)

COPY_PROPERTIES = (
    Property(
        "MarkedRow_A",
        "of a marked frame every row is read as marked, of another none",
        Patch(DEPART, "look_mark_o = next[MARK] ||", "look_mark_o = descriptor_o[MARK] ||"),
    ),
)

FLOW_PROPERTIES = (
    Property(
        "FramesApart_A",
        "frames leave whole: a first row after a last one and nowhere else",
        Patch(RING, "write_q <= write_here + AddrW'(advance);", "write_q <= write_q + AddrW'(advance);"),
    ),
    Property(
        "KeptNotDropped_A",
        "nothing is dropped at the head that was not flushed",
        Patch(DESCRIPTORS, "pushed = {flag_q,", "pushed = {flag_q ^ flush_i,"),
    ),
    Property(
        "NotEctUnmarked_A",
        "no Not-ECT frame leaves marked",
        Patch(VERDICT, "protected_frame ? Protected : forced_i ? EarlyForced : EarlyProbability", "Mark"),
    ),
    Property(
        "dut.admission.occupancy.NoUnderflow_A",
        "only what is held departs or is taken back",
        Patch(DEPART, " && !(head_arriving && abort_i)", ""),
    ),
    Property(
        "dut.egress.descriptors.HeadAtHand_A",
        "as the RTL claims it",
        Patch(DESCRIPTORS, ": (fetched_q || head_q != write_q) &&", ": fetched_q &&"),
    ),
    Property(
        "dut.egress.descriptors.PopWaiting_A",
        "as the RTL claims it",
        Patch(DEPART, "head_may = idle && waiting_i && available_i", "head_may = idle && available_i"),
    ),
    Property(
        "dut.egress.descriptors.PushOrUnpush_A",
        "as the RTL claims it",
        (
            Patch(ARRIVAL, "judge_o && store_i && !wrong_end;", "judge_o && store_i;"),
            Patch(ARRIVAL, "abort_o = wrong_end && arriving_q && !leaving_i", "abort_o = wrong_end && !leaving_i"),
        ),
    ),
    Property(
        "dut.egress.descriptors.FetchSettled_A",
        "as the RTL claims it",
        Patch(DESCRIPTORS, "? !one_left && ", "? "),
    ),
    Property(
        "dut.egress.departure.NoAbortWhileLeaving_A",
        "as the RTL claims it",
        Patch(ARRIVAL, "abort_o = wrong_end && arriving_q && !leaving_i", "abort_o = wrong_end && arriving_q"),
    ),
    Property(
        "dut.buffer.gen_block.ring.FetchAvailable_A",
        "as the RTL claims it",
        Patch(DEPART, "more = can_load && available_i && !between;", "more = can_load && !between;"),
    ),
)

LONG_FLOW_PROPERTIES = (
    Property(
        "InOrder_A",
        "no frame is lost, repeated, swapped or merged: the row that leaves is of the frame whose turn it is",
        Patch(DESCRIPTORS, "{{(IndexW - 1) {unpush_i}}, push_i || unpush_i}", "IndexW'(push_i)"),
    ),
    Property(
        "RowsInOrder_A",
        "nor a row of it",
        Patch(ARRIVAL, "refuse_o = (judge_o && !stored_o) || abort_o", "refuse_o = (judge_o && !stored_o)"),
    ),
    Property(
        "OwnLength_A",
        "a frame leaves with its own length",
        Patch(DEPART, "descriptor_o <= next", "descriptor_o <= head_i"),
    ),
    Property(
        "OwnMark_A",
        "... and its own mark",
        Patch(DEPART, "descriptor_o <= next", "descriptor_o <= head_i"),
    ),
    Property(
        "FlushedNotShown_A",
        "a flush drops every frame that waited",
        Patch(DESCRIPTORS, "flushing_o          = waiting_o &&", "flushing_o          = fetched_q &&"),
    ),
    Property(
        "Progress_A",
        "no deadlock: a whole frame held, tx_en and ready: a row leaves in one of any three cycles",
        Patch(DESCRIPTORS, ": (fetched_q || head_q != write_q) &&", ": fetched_q &&"),
    ),
    Property(
        "BeatStays_A",
        "AXI4-Stream: data, keep, last, length and error stay until taken",
        Patch(DEPART, "if (select) descriptor_o", "if (select || tx_en_i) descriptor_o"),
    ),
    Property(
        "dut.egress.sojourn.RecordThere_A",
        "as the RTL claims it",
        Patch(SOJOURN, "write_q  <= write_q + IndexW'(push_i);", "write_q  <= write_q + IndexW'(push_i && !gone_i);"),
    ),
    Property(
        "dut.admission.occupancy.EmptyTogether_A",
        "an empty queue holds no bytes",
        Patch(DEPART, "descriptor_o <= next", "descriptor_o <= head_i"),
    ),
    Property(
        "dut.admission.occupancy.NoOverflow_A",
        "the bytes held fit the storage",
        Patch(OCCUPANCY, "bytes_q - (depart_i ? CountW'(depart_len_i) : '0)", "bytes_q"),
    ),
    Property(
        "dut.buffer.gen_block.ring.FetchSettled_A",
        "no row is fetched in the cycle that writes it",
        Patch(DEPART, "more = can_load && available_i && !between;", "more = can_load && !between;"),
    ),
)

# A port whose frames have one or two rows of eight bytes.
SMALL_PORT = {"ROWS": 4, "MAX_ROWS": 2, "DESCRIPTORS": 2}
SMALL_WIDTHS = {"LenW": 5, "BytesW": 8, "PacketsW": 4, "MinFrame": 1}
# Any decision to store that finds room, not only the law's: the way of a frame does not depend on why it was taken.
ANY_VERDICT = (
    Patch(
        VERDICT,
        "store_o = !(over_bytes_i || over_packets_i || no_room_i || !enable_i || early_drop);",
        "store_o = enable_i && !no_room_i;",
    ),
)

CONFIG, CONFIG_CHECK, GATED_RAM = "control/tm_config.sv", "control/tm_config_check.sv", "control/tm_gated_ram.sv"
UNCHECKED = Patch(
    CONFIG,
    "else if (accept && port_q == PlaceW'(p)) cfg_q",
    "else if (state_q == Decide && port_q == PlaceW'(p)) cfg_q",
)

COMMIT_PROPERTIES = (
    Property(
        "OnlyAccepted_A", "a configuration changes in the cycle after an accepted commit, and in no other", UNCHECKED
    ),
    Property("RefusedKeeps_A", "a refused commit changes nothing and says what is at fault", UNCHECKED),
    Property(
        "ShadowStands_A",
        "the shadow stands still while it is checked and kept",
        Patch(CONFIG, "write       = seen_valid_q;\n        write_owner = port_q;", "write       = seen_valid_q;"),
    ),
    Property(
        "ExistsOnly_A",
        "a port that does not exist gets no configuration",
        (
            Patch(CONFIG, "commit_q <= commit_i && exists;", "commit_q <= commit_i;"),
            Patch(CONFIG_CHECK, "exists_i ? FaultNone : FaultPort", "FaultNone"),
        ),
    ),
)
COMMIT_CONTENT_PROPERTIES = (
    Property(
        "Whole_A",
        "every field is that of the words that were checked",
        Patch(CONFIG_CHECK, "place_i == K1) k_q[1]", "place_i == K0) k_q[1]"),
    ),
    Property(
        "Legal_A",
        "no limit beyond the storage, no threshold beyond the limit, no law that is not there, ever",
        Patch(CONFIG_CHECK, "control_q.limit_bytes_on && (above || word_i", "control_q.limit_bytes_on && (word_i"),
    ),
    Property(
        "OnlyItsPort_A",
        "a commit changes its own port only",
        Patch(CONFIG, "if (accept && port_q == PlaceW'(p)) cfg_q", "if (accept) cfg_q"),
    ),
)

# The RAM of the registers may show any word, and need not be cleared first: there is more to be proved, not less.
ANY_WORD = (
    Patch(
        GATED_RAM,
        "  always_ff @(posedge clk_i) begin\n    if (rd_en_i) rd_data_o <= words[rd_addr_i];",
        "  logic [WIDTH-1:0] anything;\n  always_ff @(posedge clk_i) begin\n    if (rd_en_i) rd_data_o <= anything;",
    ),
    Patch(CONFIG, "if (&step_q && clear_q == Shadow) state_d = Idle;", "state_d = Idle;"),
)
SMALL_CONFIG = {"STORAGE": 6, "DESCRIPTORS": 3}
CONFIG_WIDTHS = {"BytesW": 3, "PacketsW": 2}

SNAPSHOT, TOTALS, TALLY, ORDER = (
    "control/tm_snapshot.sv",
    "control/tm_totals.sv",
    "control/tm_tally.sv",
    "control/tm_sweep_order.sv",
)
# Three counters instead of 192, so that a round is short.
SHORT_ROUND = (
    Patch(ORDER, "assign last_o = index_last && code_q == LastCode;", "assign last_o = index_o == 4'd4;"),
    Patch(
        ORDER, "if (start_i) {code_q, index_o} <= '0;", "if (start_i || (step_i && last_o)) {code_q, index_o} <= '0;"
    ),
    Patch(SNAPSHOT, "PerPort = CODEL ? 252 : 192", "PerPort = 3"),
)
COUNTERS = Design("formal_counters", {}, {"LenW": 1}, SHORT_ROUND)
COUNTER_PROPERTIES = (
    Property(
        "FlipInTime_A",
        "the banks flip once a round at least, so no narrow counter wraps between two sweeps of it",
        Patch(SNAPSHOT, "default: if (drain_q[2]) state_d = Flip;", "default: if (drain_q[2]) state_d = Query;"),
    ),
    Property(
        "tally.counters.Collision_A",
        "no counter is needed while its sum is on the way",
        Patch(TALLY, "valid_1_q <= valid && !again;", "valid_1_q <= valid;"),
    ),
    Property(
        "dut.totals.OneUser_A",
        "as the RTL claims it",
        (
            Patch(SNAPSHOT, "sweep_end   = state_q == Drain && drain_q[2];", "sweep_end   = state_q == Drain;"),
            Patch(SNAPSHOT, "Drain:   if (drain_q[2]) state_d", "Drain:   state_d"),
        ),
    ),
    Property(
        "dut.totals.totals.Collision_A",
        "as the RTL claims it",
        Patch(TOTALS, "rd_addr_i(addr_2_q)", "rd_addr_i(addr_3_q)"),
    ),
)
COUNTER_TRUTH = (
    Property(
        "SnapshotTrue_A",
        "a snapshot holds exactly the events up to its cycle",
        Patch(TALLY, "double_q  <= again;", "double_q  <= 1'b0;"),
    ),
    Property(
        "BytesTrue_A",
        "... and their bytes",
        Patch(TALLY, "double_q ? double_i : {1'b0, single_i}", "{1'b0, single_i}"),
    ),
)

CODEL = "depart/tm_codel.sv"
CODEL_PROPERTIES = (
    Property(
        "StandingOnly_A",
        "CoDel drops what waited for the target or longer with more than the exempt bytes behind it, nothing else",
        Patch(CODEL, "ok          = standing && set_q && late;", "ok          = set_q && late;"),
    ),
    Property(
        "CarriesInstead_A",
        "with ecn it drops no frame that can carry the signal",
        Patch(CODEL, "take = cfg_i.ecn;", "take = 1'b0;"),
    ),
    Property(
        "ProtectedKept_A",
        "nor a protected one",
        Patch(CODEL, "deliver_o = take || (code_q < CodeEct && protect[code_q]);", "deliver_o = take;"),
    ),
    Property(
        "MarkEct_A",
        "it marks ECT frames only",
        Patch(CODEL, "mark_o = code_q == CodeEct && (over_q || marked_q)", "mark_o = over_q || marked_q"),
    ),
    Property(
        "FateInTime_A",
        "every frame that is pulled leaves or is dropped, a bounded time after the engine's answer",
        Patch(CODEL, "if (final_q) busy_q <= 1'b0;", "if (final_q && due) busy_q <= 1'b0;"),
    ),
    Property(
        "RequestMeans_A",
        "the state moves only with a drop, a mark or a CE frame that takes the signal",
        Patch(CODEL, "request = drop_o || take;", "request = signal;"),
    ),
    Property(
        "dut.Foretold_A",
        "a mark is known in the cycle that reads the row",
        Patch(CODEL, "mark_o || (code_q == CodeEct && take)", "mark_o"),
    ),
    Property("dut.OneFate_A", "as the RTL claims it", Patch(CODEL, "drop_o    = !deliver_o;", "drop_o    = !take;")),
    Property(
        "dut.RequestServed_A",
        "as the RTL claims it",
        Patch(CODEL, "!entered_q && !busy_q && (!dropping_q", "!entered_q && (!dropping_q"),
    ),
)

SPILL = "buffer/tm_spill_ring.sv"
SPILL_RING = "dut.gen_ultra.ring."
SPILL_PROPERTIES = (
    Property(
        "InOrder_A",
        "a row that stays is fetched once, unchanged, in its turn, though rows move from memory to memory",
        Patch(SPILL, "if (rewind_i) intact_here =", "if (rewind_i && first) intact_here ="),
    ),
    Property(
        "Held_A",
        "there is a row to fetch exactly while one is held, in every cycle",
        Patch(SPILL, "!(rewind_i && of_newest) && moved_q", "!rewind_i && !beat_valid_i && moved_q"),
    ),
    Property(
        "UsedIsOlder_A",
        "the rows counted as used are those of earlier frames",
        Patch(SPILL, "older_q     <= held_here - AddrW'(free);", "older_q     <= held_q - AddrW'(free);"),
    ),
    Property(
        "Spare_A", "one row stays free", Patch(SPILL, "fits        = write_next != read_q;", "fits        = 1'b1;")
    ),
    Property(
        SPILL_RING + "NeverDry_A",
        "the oldest row is in one of the two small memories",
        Patch(SPILL, "Linger = FRONT - LATENCY - 2", "Linger = FRONT - LATENCY - 1"),
    ),
    Property(
        SPILL_RING + "Counted_A",
        "as the RTL claims it",
        Patch(SPILL, "moved_q - (rewind_i ? mine_q : '0)", "moved_q"),
    ),
    Property(
        SPILL_RING + "FetchSettled_A",
        "no row is fetched in the cycle that writes it",
        Patch(SPILL, "available_o = there && !skipping", "available_o = 1'b1"),
    ),
)

PROOFS = (
    Proof(
        "ring behind UltraRAM, 6 rows",
        Design("formal_ring", {"ROWS": 6, "ULTRA": 1}),
        SPILL_PROPERTIES,
        method=BOUNDED,
        depth=16,
        limit=600,
        quick=False,
    ),
    Proof("CoDel", Design("formal_codel", {}, {"LenW": 5, "BytesW": 6}), CODEL_PROPERTIES, depth=30),
    Proof("counters", COUNTERS, COUNTER_PROPERTIES, depth=60),
    Proof("counters, snapshot", COUNTERS, COUNTER_TRUTH, method=BOUNDED, depth=64, limit=900, quick=False),
    Proof(
        "commit",
        Design("formal_config", SMALL_CONFIG, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_PROPERTIES[:2],
        method=INDUCTION,
        steps=2,
        depth=75,
    ),
    Proof(
        "commit, shadow",
        Design("formal_config", SMALL_CONFIG, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_PROPERTIES[2:],
        depth=75,
    ),
    Proof(
        "commit, content",
        Design("formal_config", SMALL_CONFIG, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_CONTENT_PROPERTIES,
        depth=75,
        quick=False,
    ),
    Proof(
        "commit, content with CoDel",
        Design("formal_config", {**SMALL_CONFIG, "CODEL": 1, "FLAGS_VERDICT": 1}, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_CONTENT_PROPERTIES,
        depth=140,
        quick=False,
    ),
    Proof("port, verdict", Design("formal_port", SMALL_PORT, SMALL_WIDTHS), VERDICT_PROPERTIES),
    Proof(
        "port, verdict with flags",
        Design("formal_port", {**SMALL_PORT, "FLAGS_VERDICT": 1}, SMALL_WIDTHS),
        VERDICT_PROPERTIES[2:12],
        quick=False,
    ),
    Proof(
        "port, rows kept marked as well",
        Design("formal_port", {**SMALL_PORT, "MARKED_COPY": 1}, SMALL_WIDTHS, ANY_VERDICT),
        COPY_PROPERTIES,
        limit=600,
        quick=False,
    ),
    Proof(
        "port, way of a frame",
        Design("formal_port", SMALL_PORT, SMALL_WIDTHS, ANY_VERDICT),
        FLOW_PROPERTIES,
        limit=900,
        quick=False,
    ),
    Proof(
        "port, long way of a frame",
        Design("formal_port", SMALL_PORT, SMALL_WIDTHS),
        LONG_FLOW_PROPERTIES,
        method=EITHER,
        depth=12,
        limit=120,
        quick=False,
    ),
    Proof("marking and its checksum", Design("formal_mark"), MARK_PROPERTIES),
    Proof("marking, 256 bit", Design("formal_mark", {"DATA_W": 256}), MARK_PROPERTIES),
    Proof("AXI4-Lite", Design("formal_axil"), AXIL_PROPERTIES),
    Proof("parse", Design("formal_parse"), PARSE_PROPERTIES),
    Proof(
        "parse, flags",
        Design("formal_parse", {"FLAGS_VERDICT": 1}),
        (*PARSE_PROPERTIES, *FLAGS_PROPERTIES),
        quick=False,
    ),
    Proof("ring of 5 rows", Design("formal_ring", {"ROWS": 5}), RING_PROPERTIES),
    Proof("ring of 8 rows", Design("formal_ring", {"ROWS": 8}), RING_PROPERTIES, quick=False),
    Proof("ring of 5 rows that skips", Design("formal_ring", {"ROWS": 5, "SKIP": 1}), RING_PROPERTIES, quick=False),
)
