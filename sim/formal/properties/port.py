# SPDX-License-Identifier: BSD-3-Clause
"""A port: each copy is judged once, and what is stored leaves whole, in order and alone. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

RING = "buffer/tm_ring.sv"
OCCUPANCY = "admit/tm_occupancy.sv"
ARRIVAL = "admit/tm_arrival.sv"
DEPART = "depart/tm_depart.sv"
DESCRIPTORS = "depart/tm_descriptors.sv"
SOJOURN = "depart/tm_sojourn.sv"
VERDICT = "admit/tm_verdict.sv"

VERDICT_PROPERTIES = properties(
    {
        "JudgedOnce_A: no copy is judged twice": Mutant(
            ARRIVAL, "copy_q && ecn_valid_i;", "copy_q && end_valid_i || ecn_valid_i;"
        ),
        "Judged_A: every copy is judged, by the end of its frame": Mutant(
            ARRIVAL, "copy_q && ecn_valid_i;", "copy_q && ecn_valid_i && !end_valid_i;"
        ),
        "OneTally_A: every copy is tallied once, a cycle after its end": Mutant(
            ARRIVAL, "arrive_valid_o <= end_valid_i && offered_q", "arrive_valid_o <= end_valid_i && copy_q"
        ),
        "OutcomeTrue_A: its one outcome says whether it is held": Mutant(
            ARRIVAL, "if (abort_o || judged_wrong) outcome_d", "if (abort_o) outcome_d"
        ),
        "ByteLimit_A: B + length is never above the limit in force": Mutant(
            OCCUPANCY, "$signed(RoomW'(bytes_q)) > headroom_q", "$signed(RoomW'(bytes_q)) > headroom_q + 1"
        ),
        "PacketLimit_A: nor P + 1": Mutant(OCCUPANCY, "packets_q >= limit_packets_i", "packets_q > limit_packets_i"),
        "FullIsRefused_A: beyond a limit, without room, at a disabled port nothing is stored": Mutant(
            VERDICT, "over_packets_i || no_room_i || !enable_i ||", "over_packets_i || !enable_i ||"
        ),
        "RefusedWhenFull_A: a Not-ECT frame without a law of its own (true-mark) is refused then only": Mutant(
            VERDICT, "if (signal_i) begin", "if (signal_i || meta_i.ecn == NotEct) begin"
        ),
        "NotEctNotMarked_A: no Not-ECT frame is marked": Mutant(
            VERDICT, "protected_frame ? Protected : forced_i ? EarlyForced : EarlyProbability", "Mark"
        ),
        "NoEcnNotMarked_A: without ECN no frame is marked": Mutant(
            VERDICT, "meta_i.ecn == NotEct || noecn_i", "meta_i.ecn == NotEct"
        ),
        "CeNotMarked_A: no CE frame is counted as marked": Mutant(
            VERDICT, "mark_o = lawful == Mark", "mark_o = signal_i"
        ),
        "PacketsHeld_A: P is stored - departed - aborted, in every cycle": Mutant(
            OCCUPANCY, "3'b011:         change = 2'b10;", "3'b011:         change = 2'b11;"
        ),
        "ValidStays_A: AXI4-Stream: a row stays offered until it is taken": Mutant(
            DEPART, "(valid_q && !taken);", "(valid_q && !taken && tx_en_i);"
        ),
        "dut.admission.arrival.JudgedByEnd_A": Mutant(
            ARRIVAL, "copy_q && ecn_valid_i;", "copy_q && ecn_valid_i && !end_valid_i;"
        ),
        "dut.admission.arrival.WrongNotStored_A": Mutant(
            ARRIVAL, "judge_o && store_i && !wrong_end;", "judge_o && store_i;"
        ),
        "dut.admission.occupancy.StoreOrAbort_A": (
            Mutant(ARRIVAL, "judge_o && store_i && !wrong_end;", "judge_o && store_i;"),
            Mutant(ARRIVAL, "abort_o = wrong_end && arriving_q && !leaving_i", "abort_o = wrong_end && !leaving_i"),
        ),
        "dut.egress.departure.HoldUntilTaken_A": Mutant(
            DEPART, "(valid_q && !taken);", "(valid_q && !taken && tx_en_i);"
        ),
    }
)
FLOW_PROPERTIES = properties(
    {
        "FramesApart_A: frames leave whole: a first row after a last one and nowhere else": Mutant(
            RING, "write_q <= write_here + AddrW'(advance);", "write_q <= write_q + AddrW'(advance);"
        ),
        "KeptNotDropped_A: nothing is dropped at the head that was not flushed": Mutant(
            DESCRIPTORS, "pushed = {flag_q,", "pushed = {flag_q ^ flush_i,"
        ),
        "NotEctUnmarked_A: no Not-ECT frame leaves marked": Mutant(
            VERDICT, "protected_frame ? Protected : forced_i ? EarlyForced : EarlyProbability", "Mark"
        ),
        "dut.admission.occupancy.NoUnderflow_A: only what is held departs or is taken back": (
            Mutant(DEPART, "tx_en_i && !(head_arriving && admitted_i.aborting)", "tx_en_i"),
            Mutant(DEPART, "!flushing_i && !(head_arriving && admitted_i.aborting)", "!flushing_i"),
        ),
        "dut.egress.descriptors.HeadAtHand_A": Mutant(
            DESCRIPTORS, ": (fetched_q || head_q != write_q) &&", ": fetched_q &&"
        ),
        "dut.egress.descriptors.PopWaiting_A": Mutant(
            DEPART, "head_may = idle && waiting_i && available_i", "head_may = idle && available_i"
        ),
        "dut.egress.descriptors.PushOrUnpush_A": (
            Mutant(ARRIVAL, "judge_o && store_i && !wrong_end;", "judge_o && store_i;"),
            Mutant(ARRIVAL, "abort_o = wrong_end && arriving_q && !leaving_i", "abort_o = wrong_end && !leaving_i"),
        ),
        "dut.egress.descriptors.FetchSettled_A": Mutant(DESCRIPTORS, "? !one_left && ", "? "),
        "dut.egress.departure.NoAbortWhileLeaving_A": Mutant(
            ARRIVAL, "abort_o = wrong_end && arriving_q && !leaving_i", "abort_o = wrong_end && arriving_q"
        ),
        "dut.buffer.gen_block.ring.FetchAvailable_A": Mutant(
            DEPART, "more = can_load && available_i && !between;", "more = can_load && !between;"
        ),
    }
)
LONG_FLOW_PROPERTIES = properties(
    {
        "InOrder_A: no frame is lost, repeated, swapped or merged: the row that leaves is of the "
        "frame whose turn it is": Mutant(
            DESCRIPTORS, "{{(IndexW - 1) {unpush_i}}, push_i || unpush_i}", "IndexW'(push_i)"
        ),
        "RowsInOrder_A: nor a row of it": Mutant(
            ARRIVAL, "refuse_o = (judge_o && !stored_o) || abort_o", "refuse_o = (judge_o && !stored_o)"
        ),
        "OwnLength_A: a frame leaves with its own length": Mutant(
            DEPART, "descriptor_o <= next", "descriptor_o <= head_i"
        ),
        "OwnMark_A: ... and its own mark": Mutant(DEPART, "descriptor_o <= next", "descriptor_o <= head_i"),
        "FlushedNotShown_A: a flush drops every frame that waited": Mutant(
            DESCRIPTORS, "flushing_o          = waiting_o &&", "flushing_o          = fetched_q &&"
        ),
        "Progress_A: no deadlock: a whole frame held, tx_en and ready: a row leaves in one of any three cycles": Mutant(
            DESCRIPTORS, ": (fetched_q || head_q != write_q) &&", ": fetched_q &&"
        ),
        "BeatStays_A: AXI4-Stream: data, keep, last, length and error stay until taken": Mutant(
            DEPART, "if (select) descriptor_o", "if (select || tx_en_i) descriptor_o"
        ),
        "dut.egress.sojourn.RecordThere_A": Mutant(
            SOJOURN, "write_q  <= write_q + IndexW'(push_i);", "write_q  <= write_q + IndexW'(push_i && !gone_i);"
        ),
        "dut.admission.occupancy.EmptyTogether_A: an empty queue holds no bytes": Mutant(
            DEPART, "descriptor_o <= next", "descriptor_o <= head_i"
        ),
        "dut.admission.occupancy.NoOverflow_A: the bytes held fit the storage": Mutant(
            OCCUPANCY, "bytes_q - (depart_i ? CountW'(depart_len_i) : '0)", "bytes_q"
        ),
        "dut.buffer.gen_block.ring.FetchSettled_A: no row is fetched in the cycle that writes it": Mutant(
            DEPART, "more = can_load && available_i && !between;", "more = can_load && !between;"
        ),
    }
)
COPY_PROPERTIES = properties(
    {
        "MarkedRow_A: of a marked frame every row is read as marked, of another none": Mutant(
            DEPART, "look_mark_o = next[MARK] ||", "look_mark_o = descriptor_o[MARK] ||"
        ),
    }
)
# A port whose frames have one or two rows of eight bytes.
SMALL_PORT = {"ROWS": 4, "MAX_ROWS": 2, "DESCRIPTORS": 2}
SMALL_WIDTHS = {"LenW": 5, "BytesW": 8, "PacketsW": 4, "MinFrame": 1}
# Any decision to store that finds room, not only the law's: the way of a frame does not depend on why it was taken.
ANY_VERDICT = (
    Mutant(
        VERDICT,
        "store_o = !(over_bytes_i || over_packets_i || no_room_i || !enable_i || early_drop);",
        "store_o = enable_i && !no_room_i;",
    ),
)
