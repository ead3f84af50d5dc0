# SPDX-License-Identifier: BSD-3-Clause
"""The pool: no cell in two places, none lost, all free in the end, whatever is taken back. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

FREE = "pool/tm_pool_free.sv"
POOL, WRITE, WALK = "pool/tm_pool.sv", "pool/tm_pool_write.sv", "pool/tm_pool_walk.sv"
ROOM = "pool/tm_pool_room.sv"

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
            FREE, "<= back_i ? kept_listed_d :", "<= back_i ? kept_listed_d + 1'b1 :"
        ),
    }
)

CELL_PROPERTIES = properties(
    {
        "Once_A: a cell that is taken is nobody's": Mutant(
            WALK, "= count_q.copies == CopiesW'(1)", "= count_q.copies != '0"
        ),
        "Freed_A: what is freed was taken, and is not of the frame that arrives": Mutant(
            WALK, "free_cell = walk_q[1].valid ? next_i : cell_q", "free_cell = cell_q"
        ),
        "Out_A: what is held and what is on its way back are all that is taken": Mutant(
            POOL,
            "left[0] + 1'b1",
            "left[0] + (CellW + 1)'(link)",
        ),
        "Home_A: when every copy has left, every cell is free": Mutant(
            WRITE, "cells_q != '0 && alive == '0;", "cells_q != '0 && alive == '0 && !ends;"
        ),
        "dut.NoCellLost_A: what is free, held and on its way back are all cells": Mutant(
            POOL,
            "(walk ? (CellW + 1)'(walk_cells) : '0) - (CellW + 1)'(push)",
            "(walk ? (CellW + 1)'(walk_cells) : '0)",
        ),
        "dut.walker.Counted_A: a frame is released as often as it was stored": Mutant(
            WALK, "copies: count_q.copies - 1'b1", "copies: CopiesW'(0)"
        ),
        "dut.write.LostIsRefused_A: a frame that stays has every row": Mutant(
            WRITE, "if (beat_valid_i) overflow_q", "if (beat_valid_i && !beat_last_i) overflow_q"
        ),
    }
)

RESERVE_PROPERTIES = properties(
    {
        "Kept_A: a frame that leaves eight cells of what is left of its port's reserve finds room": Mutant(
            ROOM, "RoomW'(sum_q) - RoomW'(reserved_q[p]) +", "RoomW'(sum_q) +"
        ),
    }
)
