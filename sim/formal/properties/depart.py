# SPDX-License-Identifier: BSD-3-Clause
"""CoDel: what it drops and marks. Waiting-time marking, the step law at departure: what they mark."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

CODEL = "law/codel/tm_codel.sv"
CODEL_PROPERTIES = properties(
    {
        "StandingOnly_A: CoDel drops what waited for the target or longer with more than the exempt "
        "bytes behind it, nothing else": Mutant(
            CODEL, "standing = pull_3_q.frame && pull_3_q.head;", "standing = pull_3_q.frame;"
        ),
        "CarriesInstead_A: with ecn it drops no frame that can carry the signal": Mutant(
            CODEL, "takes_q <= cfg_i.ecn && ", "takes_q <= 1'b0 && "
        ),
        "ProtectedKept_A: nor a protected one": Mutant(CODEL, " && protect[code_q];", " && 1'b0;"),
        "MarkEct_A: it marks ECT frames only": Mutant(
            CODEL, "code_q         <= head_i.code;", "code_q         <= {head_i.code[3:1], 1'b0};"
        ),
        "FateInTime_A: every frame that is pulled leaves or is dropped, a bounded time after the "
        "engine's answer": Mutant(CODEL, "if (final_q) busy_q <= 1'b0;", "if (final_q && due) busy_q <= 1'b0;"),
        "RequestMeans_A: the state moves only with a drop, a mark or a CE frame that takes the signal": Mutant(
            CODEL, "request = drop_q || take_q;", "request = drop_q || take_q || keep_q;"
        ),
        "dut.OneFate_A": Mutant(CODEL, "drop_q <= signal && !takes_q && !keeps_q", "drop_q <= signal && !takes_q"),
        "dut.RequestServed_A": Mutant(
            CODEL, "meets && !busy_q && (!dropping_q || due);", "meets && (!dropping_q || due);"
        ),
    }
)

TCN = "law/tcn/tm_tcn.sv"
TCN_PROPERTIES = properties(
    {
        "WaitedOnly_A: waiting-time marking marks only what waited longer than the threshold": Mutant(
            TCN, "1'b0, TcnTimeW", "1'b1, TcnTimeW"
        ),
        "WaitedAll_A: and all of it that is ECT": Mutant(
            TCN, "time_i - TcnTimeW'(cfg_i.threshold)", "time_i - TcnTimeW'(cfg_i.threshold) - 1'b1"
        ),
        "EctOnly_A: it marks ECT frames only": Mutant(TCN, " && head_q.ect", ""),
        "Own_A: a frame's time is its own, whatever was taken back": Mutant(
            TCN, " && !(aborted_q && read_q == newest_q)", ""
        ),
        "AtHand_A: and at hand three cycles after it was stored": Mutant(
            TCN, "there && (head_ok_q || next_ok_q || !pull_i.head)", "there"
        ),
        "AsPulled_A: a frame keeps the mark with which it was pulled": Mutant(
            TCN, "if (pull_i.frame) mark_o", "mark_o"
        ),
    }
)

DEPARTURE = "law/step/tm_step_departure.sv"
DEPARTURE_PROPERTIES = properties(
    {
        "AboveOnly_A: the step law at departure marks only what leaves more than K bytes behind": Mutant(
            DEPARTURE, "1'b0, SumW", "1'b1, SumW"
        ),
        "AboveAll_A: and all of it that was deferred": Mutant(
            DEPARTURE, "stored_q - SumW'(k_i)", "stored_q - 1'b1 - SumW'(k_i)"
        ),
        "DeferredOnly_A: it marks deferred frames only": Mutant(DEPARTURE, " && head_deferred_i", ""),
        "Waiting_A: it counts what waits, whatever was taken back or left at once": Mutant(
            DEPARTURE, " && !(pull_i.frame && !pull_i.head)", ""
        ),
        "LeavesMarked_A: a frame keeps the mark with which it was pulled": Mutant(
            DEPARTURE, "if (pull_i.frame) mark_o", "mark_o"
        ),
    }
)
