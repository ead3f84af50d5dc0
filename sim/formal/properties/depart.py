# SPDX-License-Identifier: BSD-3-Clause
"""CoDel: what it drops and marks. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

CODEL = "law/codel/tm_codel.sv"
CODEL_PROPERTIES = properties(
    {
        "StandingOnly_A: CoDel drops what waited for the target or longer with more than the exempt "
        "bytes behind it, nothing else": Mutant(
            CODEL, "ok       = standing && set_q && late;", "ok       = set_q && late;"
        ),
        "CarriesInstead_A: with ecn it drops no frame that can carry the signal": Mutant(
            CODEL, "take = cfg_i.ecn;", "take = 1'b0;"
        ),
        "ProtectedKept_A: nor a protected one": Mutant(
            CODEL, "deliver = take || (code_q < HeadEct && protect[code_q]);", "deliver = take;"
        ),
        "MarkEct_A: it marks ECT frames only": Mutant(
            CODEL, "mark = code_q == HeadEct && (over_q || marked_q)", "mark = over_q || marked_q"
        ),
        "FateInTime_A: every frame that is pulled leaves or is dropped, a bounded time after the "
        "engine's answer": Mutant(CODEL, "if (final_q) busy_q <= 1'b0;", "if (final_q && due) busy_q <= 1'b0;"),
        "RequestMeans_A: the state moves only with a drop, a mark or a CE frame that takes the signal": Mutant(
            CODEL, "request = drop || take;", "request = signal;"
        ),
        "dut.Foretold_A: a mark is known in the cycle that reads the row": Mutant(
            CODEL, "mark || (code_q == HeadEct && take)", "mark"
        ),
        "dut.OneFate_A": Mutant(CODEL, "drop    = !deliver;", "drop    = !take;"),
        "dut.RequestServed_A": Mutant(CODEL, "!entered_q && !busy_q && (!dropping_q", "!entered_q && (!dropping_q"),
    }
)
