# SPDX-License-Identifier: BSD-3-Clause
"""The assertions inside the registers and counters fire: by a stimulus that breaks the rule, or in a mutant."""

from __future__ import annotations

from cocotb_tests.env.breaches import Breach, Steps, breaches
from cocotb_tests.env.tm_pkg import ARRIVAL, DEPARTURE

test_totals_fires = breaches(
    "tm_totals", Breach("OneUser_A", "sweep and query at once", [2, {"sweep_i": 1, "query_i": 1}])
)
test_tally_fires = breaches(
    "tm_tally",
    Breach(
        "Collision_A",
        "count one index three times running; the mutant counts the second event also by itself",
        [3, {"hold_i": 0}, 1, {"event_valid_i": 1}, 5],
        ("event_q && !second && !third;", "event_q && !second;"),
        idle={"hold_i": 1},
    ),
)
test_counters_fires = breaches(
    "tm_counters",
    Breach(
        "OneRow_A",
        "let a frame of 33 bytes depart right after another, which one row of 32 cannot hold",
        [2, {"departure_i": DEPARTURE.pack(valid=1, len=33)}],
    ),
    Breach(
        "OneArrival_A",
        "let two queues of a line take a frame at once",
        [2, {"arrival_i": ARRIVAL.pack(valid=1) << ARRIVAL.width | ARRIVAL.pack(valid=1)}],
        parameters={"PORTS": 2, "QUEUES": 2},
    ),
)
HOLD: Steps = [2, {"bytes_i": 100, "packets_i": 2}]
test_watermarks_fires = breaches(
    "tm_watermarks",
    Breach(
        "BytesBelow_A",
        "hold 100 bytes; the mutant misses them",
        HOLD,
        ("clear_i || less_than(wide_t'(bytes_o), wide_t'(bytes_i), 1'b0, BYTES_W)", "clear_i"),
    ),
    Breach(
        "PacketsBelow_A",
        "hold two packets; the mutant misses them",
        HOLD,
        ("clear_i || less_than(wide_t'(packets_o), wide_t'(packets_i), 1'b0, PACKETS_W)", "clear_i"),
    ),
)
test_timebase_fires = breaches(
    "tm_timebase",
    Breach(
        "NextReady_A",
        "let the lower word wrap; the mutant's successor lacks a bit",
        [600],
        ("$bits(count_q)'(HighW);", "$bits(count_q)'(HighW - 1);"),
        idle={"step_i": 0xFFFFFFFF},
    ),
    Breach("NextReady_A", "corrupt the prepared upper part", [1, {"next_q": 7}, 400], idle={"step_i": 0xFFFFFFFF}),
)
test_view_entries_fires = breaches(
    "tm_view_entries",
    Breach(
        "Apart_A",
        "take a snapshot; the mutant goes on writing into it",
        [3, {"snapshot_i": 1}, {"snapshot_i": 0}, 8],
        ("(entries_o.write + 2'd1 == kept)", "1'b0"),
    ),
)
test_regs_bus_fires = breaches(
    "tm_regs_bus",
    Breach("AnswerAsked_A", "answer without a request: the bit above its data", [2, {"answer_i": 1 << 32}]),
)
