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
KIND = "admit/tm_admit_pkg.sv"
MARK = "= ect && !cfg.noecn;"
MARKLESS_MARKED = Mutant(VERDICT, "kind_i.markable && (stepped || red_signal)", "kind_i.markable || kind_i.markless")

VERDICT_PROPERTIES = properties(
    {
        "JudgedOnce_A: no copy is judged twice": (
            Mutant(ARRIVAL, "next_copy_o && !next_abort_o &&", "next_copy_o &&"),
            Mutant(ARRIVAL, ": next_ecn_valid_i);", ": next_ecn_valid_i || next_end_i);"),
        ),
        "Judged_A: every copy is judged, by the end of its frame": Mutant(
            ARRIVAL, ": next_ecn_valid_i);", ": next_ecn_valid_i && !next_end_i);"
        ),
        "OneTally_A: every copy is tallied once, two cycles after its end": Mutant(
            ARRIVAL, "arrive_valid_o <= end_q && !let_go;", "arrive_valid_o <= end_q && take_o;"
        ),
        "OutcomeTrue_A: its one outcome says whether it is held": Mutant(
            ARRIVAL, "was_judged_q && was_wrong_q &&", "1'b0 &&"
        ),
        "LetGo_A: a copy that another queue takes is not judged": Mutant(
            ARRIVAL, "own = !later && !elsewhere_i;", "own = !later;"
        ),
        "PacketLimit_A: nor P + 1": Mutant(OCCUPANCY, "wide_t'(packets_d[o]), 1'b1,", "wide_t'(packets_d[o]), 1'b0,"),
        "FullIsRefused_A: beyond a limit, without room, at a disabled port nothing is stored": Mutant(
            VERDICT, "= no_room_i || full_i ||", "= full_i ||"
        ),
        "RefusedWhenFull_A: a Not-ECT frame without a law of its own (true-mark) is refused then only": Mutant(
            VERDICT, "(red_signal && kind_i.markless)", "kind_i.markless"
        ),
        "NotEctNotMarked_A: no Not-ECT frame is marked": MARKLESS_MARKED,
        "NoEcnNotMarked_A: without ECN no frame is marked": MARKLESS_MARKED,
        "CeNotMarked_A: no CE frame is counted as marked": Mutant(KIND, MARK, "= !cfg.noecn;"),
        "PacketsHeld_A: P is stored - aborted - departed three cycles ago or earlier, in every cycle": Mutant(
            OCCUPANCY, "{{(FramesW - 1) {abort_q}}, !frame_left_2_q}", "FramesW'(!frame_left_2_q)"
        ),
        "ValidStays_A: AXI4-Stream: a row stays offered until it is taken": Mutant(
            DEPART, "(valid_q && !taken);", "(valid_q && !taken && tx_en_i);"
        ),
        "dut.admission.arrival.JudgedByEnd_A": Mutant(
            ARRIVAL, ": next_ecn_valid_i);", ": next_ecn_valid_i && !next_end_i);"
        ),
        "dut.admission.arrival.WrongNotStored_A": Mutant(ARRIVAL, "!next_due || next_wrong;", "!next_due;"),
        "Followed_A: the port knows of the frame that arrives what the source does": Mutant(
            ARRIVAL, "next_port_i : copy_q && !end_q && !let_go;", "next_port_i : copy_q && !end_q;"
        ),
        "dut.admission.verdict.OneVerdict_A: bytes, packets and the frame follow the same verdict": Mutant(
            ARRIVAL, "next_due && !next_wrong;", "next_due;"
        ),
        "dut.admission.occupancy.NextKnown_A: what an event will be is known a cycle early": Mutant(
            OCCUPANCY, "abort_q <= next_abort_i;", "abort_q <= 1'b0;"
        ),
        "dut.egress.departure.HoldUntilTaken_A": Mutant(
            DEPART, "(valid_q && !taken);", "(valid_q && !taken && tx_en_i);"
        ),
    }
)
# A sum of wide numbers, for which no invariant was found yet.
LIMIT_PROPERTIES = properties(
    {
        "ByteLimit_A: B + length is never above the limit in force": Mutant(
            OCCUPANCY,
            "RoomW'(soon_limit_bytes_i) - RoomW'(soon_len_i)",
            "RoomW'(soon_limit_bytes_i) + RoomW'(soon_len_i)",
        ),
    }
)
FLOW_PROPERTIES = properties(
    {
        "FramesApart_A: frames leave whole: a first row after a last one and nowhere else": Mutant(
            RING, "next(write_here) : write_here;", "next(write_q) : write_q;"
        ),
        "KeptNotDropped_A: nothing is dropped at the head that was not flushed": Mutant(
            DESCRIPTORS, "'{flag: flag_q, data: push_data_i}", "'{flag: flag_q ^ flush_i, data: push_data_i}"
        ),
        "NotEctUnmarked_A: no Not-ECT frame leaves marked": Mutant(KIND, MARK, "= !cfg.noecn;"),
        "dut.admission.occupancy.NoUnderflow_A: only what is held departs or is taken back": (
            Mutant(DEPART, "tx_en_i && !(head_arriving_i && wrong)", "tx_en_i"),
            Mutant(DEPART, "tx_en_i && !(admitted_i.arriving && wrong)", "tx_en_i"),
        ),
        "dut.egress.descriptors.HeadAtHand_A": Mutant(
            DESCRIPTORS, "free        = !head_valid_q || pop_i", "free        = pop_i"
        ),
        "dut.egress.descriptors.PopWaiting_A": Mutant(
            DEPART, "head_may = waiting_i && !row_i.blocked", "head_may = !row_i.blocked"
        ),
        "dut.egress.descriptors.OneArrives_A": Mutant(
            DESCRIPTORS, "if (end_i) head_arriving_q <= 1'b0;", "if (abort_i) head_arriving_q <= 1'b0;"
        ),
        "dut.egress.departure.LastIsLast_A: the rows counted from its length are those of a frame": Mutant(
            DEPART, "next_more = next[LenW-1:FILL_W]", "next_more = head_i[LenW-1:FILL_W]"
        ),
        "dut.egress.departure.NoAbortWhileLeaving_A": Mutant(
            ARRIVAL, "aborts = wrong_q && arriving_q && !leaving_i", "aborts = wrong_q && arriving_q"
        ),
        "dut.gen_ring.buffer.gen_block.ring.FetchAvailable_A": Mutant(
            DEPART, "open_q && ((!LATE && !arriving_q) || row_i.available)", "open_q"
        ),
    }
)
LONG_FLOW_PROPERTIES = properties(
    {
        "InOrder_A: no frame is lost, repeated, swapped or merged: the row that leaves is of the "
        "frame whose turn it is": Mutant(
            DESCRIPTORS, "newest_back = abort_i && newest_arriving_q", "newest_back = 1'b0"
        ),
        "RowsInOrder_A: nor a row of it": Mutant(
            ARRIVAL, "refuse = (due && !stores_i) || abort_o", "refuse = (due && !stores_i)"
        ),
        "OwnLength_A: a frame leaves with its own length": Mutant(
            DEPART, "descriptor_o <= next", "descriptor_o <= head_i"
        ),
        "OwnMark_A: ... and its own mark": Mutant(DEPART, "descriptor_o <= next", "descriptor_o <= head_i"),
        "FlushedNotShown_A: a flush drops every frame that waited": Mutant(
            DESCRIPTORS,
            "condemned_q <= condemned_q || condemns;",
            "condemned_q <= condemned_q || (condemns && newest_valid_q);",
        ),
        "Progress_A: no deadlock: a whole frame held, tx_en and ready: a row leaves in one of any three cycles": Mutant(
            DESCRIPTORS, "free        = !head_valid_q || pop_i", "free        = pop_i"
        ),
        "BeatStays_A: AXI4-Stream: data, keep, last, length and error stay until taken": Mutant(
            DEPART, "look_o = can_load;", "look_o = 1'b1;"
        ),
        "dut.egress.sojourn.RecordThere_A": Mutant(
            SOJOURN, "write_q  <= write_q + IndexW'(push_i);", "write_q  <= write_q + IndexW'(push_i && !gone_i);"
        ),
        "dut.admission.occupancy.EmptyTogether_A: an empty queue holds no bytes": Mutant(
            DEPART, "descriptor_o <= next", "descriptor_o <= head_i"
        ),
        "dut.admission.occupancy.NoOverflow_A: the bytes held fit the storage": Mutant(
            OCCUPANCY,
            "bytes_d  = {change_done_q + bytes_q, ~left_2_q + bytes_q};",
            "bytes_d  = {2{change_done_q + bytes_q}};",
        ),
        "dut.gen_ring.buffer.gen_block.ring.FetchSettled_A: no row is fetched in the cycle that writes it": Mutant(
            DEPART, "open_q && ((!LATE && !arriving_q) || row_i.available)", "open_q"
        ),
    }
)
COPY_PROPERTIES = properties(
    {
        "MarkedRow_A: of a marked frame every row is read as marked, of another none": Mutant(
            DEPART, "? next[MARK] : descriptor_o[MARK];", "? descriptor_o[MARK] : descriptor_o[MARK];"
        ),
    }
)
# A port whose frames have one or two rows of eight bytes.
SMALL_PORT = {"ROWS": 12, "MAX_ROWS": 2, "DESCRIPTORS": 2}
SMALL_WIDTHS = {"LenW": 5, "BytesW": 8, "PacketsW": 4, "MinFrame": 1}
# Every frame that finds room is stored, whatever the law says: the way of a frame does not depend on why it was taken.
ANY_VERDICT = (
    Mutant(VERDICT, "(refused || (needs_protection && !protected_frame)) ?", "refused ?"),
    Mutant(VERDICT, " || |(above_i & kind_i.step_hard);", ";"),
)
