# SPDX-License-Identifier: BSD-3-Clause
"""tm_codel and tm_codel_times: their assertions, each seen to fire.

What they and tm_departure_laws decide is compared with Linux through tm_egress and the whole of tm_core,
in cocotb_tests/top/test_codel.py.
"""

from __future__ import annotations

from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.tm_pkg import CODEL, PULL

IDLE = dict.fromkeys(
    [
        "unit_i", "stored_i", "stored_len_i", "bytes_i", "head_i", "pull_i", "pending_i", "available_i", "cfg_i",
        "protect_i", "reset_i", "law_i",
    ],
    0,
)  # fmt: skip


SIGNALLING = {"cfg_i": CODEL.pack(on=1, ecn=1)}
# A frame that paused, and for which the law has an answer.
PAUSED = {"pending_i": 1, "ok_q": 1, "ready_q": 1, "entered_q": 0, "dropping_q": 0}

test_assertion_fires = breaches(
    "tm_codel",
    Breach("PauseLookedAt_A", "let a frame pause that nobody asked to", [{"pull_i": PULL.pack(pauses=1)}]),
    Breach(
        "RequestServed_A",
        "signal for a frame with CE; the mutant asks the law while it is at work",
        [{**PAUSED, "code_q": 15}] * 6,
        ("meets && !busy_q && (!dropping_q || due);", "meets && (!dropping_q || due);"),
        SIGNALLING,
    ),
    Breach(
        "OneFate_A",
        "signal for a frame with CE; the mutant drops and delivers it",
        [{**PAUSED, "code_q": 15, "takes_q": 1}] * 6,
        ("drop_q <= signal && !takes_q && !keeps_q", "drop_q <= signal"),
        SIGNALLING,
    ),
)
