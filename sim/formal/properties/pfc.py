# SPDX-License-Identifier: BSD-3-Clause
"""PFC: pauses end, no frame is cut, and levels follow what is held. With a mutant of each property."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

LEVEL, SEND, TIMERS = "pfc/tm_pfc_level.sv", "pfc/tm_pfc_send.sv", "pfc/tm_pfc_timers.sv"
SEND_PROPERTIES = properties(
    {
        "Uncut_A: no beat of another frame comes between two of one": Mutant(SEND, "due && between_q &&", "due &&"),
        "Once_A: what comes out was taken, once, in order": Mutant(
            SEND, "sending_q || (s_axis_tvalid && s_axis_tready)", "sending_q || s_axis_tvalid"
        ),
        "Kept_A: no beat is taken that is lost": Mutant(
            SEND, "s_axis_tready = load && !sending_q && !sent_o", "s_axis_tready = load && !sent_o"
        ),
        "Whole_A: a frame of its own has all its beats": Mutant(
            SEND, "place_q <= last_beat ? '0 :", "place_q <= last_beat || s_axis_tvalid ? '0 :"
        ),
    }
)
TIMER_PROPERTIES = properties(
    {
        "Ends_A: a pause ends with its quanta, in which the first does not count": Mutant(
            TIMERS, "pause_i.quanta[c] == '0 ? '0 :", "pause_i.quanta[c] == '0 ? left_q :"
        ),
        "Lasts_A: and no sooner": Mutant(TIMERS, "(pause_i.quanta[c]) + 1'b1", "(pause_i.quanta[c])"),
        "Others_A: a class that no frame names is not paused": Mutant(
            TIMERS, "pause_valid_i && pause_i.enable[c]", "pause_valid_i"
        ),
    }
)
LEVEL_PROPERTIES = properties(
    {
        "Rises_A: xoff rises only above the limit": Mutant(
            LEVEL, "put_1_q.behind_look ? released_q : released_read_q[1]", "released_read_q[1]"
        ),
        "Falls_A: and falls only at or below xon": Mutant(
            LEVEL, "look_1_q.behind_put ? taken_q : used_read_q[0]", "used_read_q[0]"
        ),
        "Taken_A: a cell above the limit raises it": Mutant(
            LEVEL, "put_1_q.behind_put ? taken_q : used_read_q[1]", "used_read_q[1]"
        ),
        "Walked_A: a frame that leaves the class at or below xon lowers it": Mutant(
            LEVEL, "look_1_q.beside ? taken : taken_of_look", "taken_of_look"
        ),
        "Others_A: a class that holds nothing has none": Mutant(
            LEVEL, "used_read_q[0] ? taken_read_q[0] : released_read_q[0]", "taken_read_q[0]"
        ),
    }
)
