# SPDX-License-Identifier: BSD-3-Clause
"""Which queue of a line sends next. With a mutant of each property."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

ETS = "schedule/tm_ets.sv"
ETS_PROPERTIES = properties(
    {
        "Conserving_A: a frame is selected in every cycle of a selection in which one waits": Mutant(
            ETS, "(second == '0 && whole[q])", "1'b0"
        ),
        "Strict_A: no other queue sends while a strict one waits": Mutant(
            ETS, "strict != '0 ? strict[q]", "(strict != '0 && strict[q]) ? strict[q]"
        ),
        "Rounds_A: queues that keep waiting are given quanta in turn": Mutant(
            ETS, "!shares[i] || charged[i]", "!shares[i]"
        ),
        "Bound_A: what a queue may send at once is less than a quantum and a frame": Mutant(
            ETS, "strict == '0 && first[q] && !covered[q];", "strict == '0 && first[q];"
        ),
    }
)
ETS_ORDER = properties(
    {
        "Order_A: the queue that sends is the one that Linux's rule selects": Mutant(
            ETS, "DeficitW'(len_i[q]) <= deficit_q[q]", "DeficitW'(len_i[q]) < deficit_q[q]"
        ),
        "Deficit_A: each deficit is that of the rule": Mutant(
            ETS, "select_i && grant[q] ?", "select_i && grant[q] && covered[q] ?"
        ),
        "Place_A: the order is that of the list": Mutant(
            ETS, "else if (charged[j]) before_q <= 1'b1;", "else if (charged[j]) before_q <= before_q;"
        ),
    }
)
