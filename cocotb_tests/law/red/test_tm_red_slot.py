# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_slot: what makes its assertions fire. Its rule is tested with the unit it is part of (test_tm_red_shared)."""

from __future__ import annotations

from cocotb_tests.env.breaches import Breach, breaches

IDLE = dict.fromkeys(
    [
        "visited_i", "learns_i", "ends_i", "empty_i", "judged_i", "takes_i", "waits_i", "red_i", "commit_i",
        "law_reset_i", "red_load_i", "due_i", "adapts_i",
    ],
    0,
)  # fmt: skip


test_assertion_fires = breaches(
    "tm_red_slot",
    Breach(
        "DecayQuiet_A",
        "let a queue fill without a verdict while its average decays",
        [{"takes_i": 1}, {"takes_i": 0, "visited_i": 1, "empty_i": 1}, {"visited_i": 0, "empty_i": 0, "ends_i": 1}],
    ),
    Breach(
        "DecayAlone_A",
        "take a step in the cycle in which the average of an idle time comes",
        [{"takes_i": 1, "visited_i": 1, "empty_i": 1}, {"visited_i": 0, "ends_i": 1}],
    ),
    Breach("ResetWithCommit_A", "reset a law without a commit", [{"law_reset_i": 1}]),
)
