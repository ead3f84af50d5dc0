# SPDX-License-Identifier: BSD-3-Clause
"""The pool's free cells: none in two places, none lost, in order, whatever is taken back. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

FREE = "pool/tm_pool_free.sv"

FREE_PROPERTIES = properties(
    {
        "Once_A: a cell that is taken is nowhere else": Mutant(
            FREE, "kept_q      <= read_q;", "kept_q      <= ask ? next(read_q) : read_q;"
        ),
        "Order_A: cells are taken in the order in which they were freed, those taken back first": Mutant(
            FREE, "back_i ? kept_head_q :", "back_i ? {kept_head_q[2], kept_head_q[0], kept_head_q[1]} :"
        ),
        "Parity_A: a number is read as it was written": Mutant(FREE, "{^push_cell_i, push", "{~^push_cell_i, push"),
        "Counted_A: what is listed, at hand and out are all cells": Mutant(
            FREE, "(begin_i ? listed_q : kept_listed_q) +", "(begin_i ? listed_q - 1'b1 : kept_listed_q) +"
        ),
        "dut.TakeThere_A: a cell is there unless the list was low": Mutant(
            FREE, "low_o   = !all_ahead[1].valid", "low_o   = !all_ahead[0].valid"
        ),
        "dut.PushFits_A: there are never more free cells than there are cells": Mutant(
            FREE, "(back_i ? kept_listed_q :", "(back_i ? kept_listed_q + 1'b1 :"
        ),
    }
)
