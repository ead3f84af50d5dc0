# SPDX-License-Identifier: BSD-3-Clause
"""Which queue of a line sends next, and what holds it to a rate. With a mutant of each property."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

ETS, SHAPER, SHAPED = "schedule/tm_ets.sv", "schedule/tm_shaper.sv", "schedule/tm_shaped_ets.sv"
SHAPER_PROPERTIES = properties(
    {
        "Bound_A: no window of cycles is charged with more than its rate, a burst and a frame": Mutant(
            SHAPER, "sum > full ? full : sum", "sum"
        ),
        "Credit_A: what a window was charged with beyond its rate is what is missing from a full bucket": Mutant(
            SHAPER, "credit_q + credit_t'(shape_i.rate)", "credit_q + credit_t'(shape_i.rate) + 1"
        ),
        "Opens_A: a bucket is shut no longer than the rate takes for a longest frame": Mutant(
            SHAPER, "credit_q + credit_t'(shape_i.rate)", "credit_q + (open_o ? credit_t'(shape_i.rate) : '0)"
        ),
        "Next_A: whether it is open is foretold by a cycle": Mutant(
            SHAPER, "next_open_o = !shape_i.on || credit >= 0", "next_open_o = !shape_i.on || credit_q >= 0"
        ),
    }
)
SHAPED_PROPERTIES = properties(
    {
        "Conserving_A: a frame is selected whenever one waits that its queue and the line may send, or is read": Mutant(
            SHAPED, "select_i (line_open)", "select_i (line_open && open_o == '1)"
        ),
        "Shut_A: no queue begins a frame while its bucket is shut": Mutant(SHAPED, "open_o & ~paused_i", "~paused_i"),
        "Paused_A: none does while it is paused": Mutant(SHAPED, "(waiting_i & may_send)", "(waiting_i & open_o)"),
        "Alone_A: none that is paused, or has no credit, holds up another": Mutant(
            SHAPED, "{behind[q].valid, behind[q].soon} = '0", "behind[q].valid = 1'b0"
        ),
        "Line_A: none sends while the line's is": Mutant(SHAPED, "select_i (line_open)", "select_i (1'b1)"),
        "Strict_A: no other queue sends while a strict one waits that may": Mutant(
            ETS, "any_strict ? strict[q]", "(any_strict && strict[q]) ? strict[q]"
        ),
    }
)
ETS_PROPERTIES = properties(
    {
        "Conserving_A: a frame is selected in every cycle of a selection in which one waits, or is read": Mutant(
            ETS, "&& sharing == '0 && whole[q]", "&& 1'b0"
        ),
        "AtHand_A: none is selected that is yet to be read": Mutant(ETS, "choice & ~late", "choice"),
        "Strict_A: no other queue sends while a strict one waits": Mutant(
            ETS, "any_strict ? strict[q]", "(any_strict && strict[q]) ? strict[q]"
        ),
        "Rounds_A: queues that keep waiting are given quanta in turn": Mutant(
            ETS, "charged_if[c][i] != charged_if[c][j]", "charged_if[c][j] && !charged_if[c][i]"
        ),
        "Bound_A: what a queue may send at once is less than a quantum and a frame": Mutant(
            ETS, ": sharing[q] && !blocks[q])", ": sharing[q])"
        ),
    }
)
ETS_ORDER = properties(
    {
        "Order_A: the queue that sends is the one that Linux's rule selects": Mutant(
            ETS, "= !left[q][Sign]", "= !left[q][Sign] && left[q] != '0"
        ),
        "Deficit_A: each deficit is that of the rule": Mutant(
            ETS, "? behind[q] && ends : !seen", "? behind[q] && ends && fits[q] : !seen"
        ),
        "Round_A: a queue that sends is the first, and only the first may lack what its frame needs": Mutant(
            ETS, "whole_q <= whole;", "whole_q <= '0;"
        ),
        "Place_A: the order is that of the list": Mutant(ETS, "= charged_if[c][j];", "= charged_if[c][i];"),
    }
)
# What the choice follows from, in a step.
ETS_LEMMAS = ("Round_A", "Deficit_A", "Place_A")
