# SPDX-License-Identifier: BSD-3-Clause
"""What the pool's parts claim of their neighbours and of themselves: each claim stops a run that breaks it."""

from __future__ import annotations

from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.packed import Packed

test_turn = breaches(
    "tm_pool_turn",
    Breach("OnePick_A", "the mutant picks all who ask", [{"ask_i": 3}], ("first(ask_i);", "ask_i;")),
)

test_free = breaches(
    "tm_pool_free",
    Breach("TakeThere_A", "take more cells than there are", [4, {"take_i": 1}, 20]),
    Breach("BackAlone_A", "go back in the cycle in which a frame begins", [4, {"begin_i": 1, "back_i": 1}]),
    Breach("PushFits_A", "free cells that nobody took", [{"push_i": 1}, 4]),
    CELLS=8,
)

test_write = breaches(
    "tm_pool_write",
    Breach(
        "LostIsRefused_A",
        "keep a frame that lost its last row",
        [
            {"beat_valid_i": 1, "beat_first_i": 1, "beat_ports_i": 1},
            {"beat_first_i": 0, "low_i": 1, "beat_last_i": 1},
        ],
    ),
    Breach(
        "FrameFits_A",
        "write a frame without an end",
        [{"beat_valid_i": 1, "beat_first_i": 1, "beat_ports_i": 1}, {"beat_first_i": 0}, 20],
    ),
    CELLS=16,
    MOST_CELLS=4,
)

OPEN = {"open_i": 1, "open_rows_i": 2}
test_port = breaches(
    "tm_pool_port",
    Breach("OpenReady_A", "open a frame while another is read", [OPEN, 2]),
    Breach("SkipAlone_A", "skip a frame while another is opened", [{**OPEN, "skip_i": 1}]),
    Breach(
        "RowsFit_A",
        "read a long frame that nobody takes; the mutant does not count",
        [{"open_i": 1, "open_rows_i": 20, "issue_i": 1}, {"open_i": 0}, 12],
        ("&& room_q != '0 &&", "&&"),
    ),
    Breach(
        "Short_A",
        "a frame that has ended with fewer rows than it is opened with",
        [{"open_i": 1, "open_rows_i": 4, "issue_i": 1, "read_row_i": 1 << 256}, {"open_i": 0}, 6],
    ),
    Breach("EndIsLast_A", "rows without a last one", [{**OPEN, "issue_i": 1}, {"open_i": 0}, 6]),
    CELLS=16,
)

CLOSE = Packed(("valid", 1), ("alone", 1), ("copies", 5), ("cells", 18))

test_walk = breaches(
    "tm_pool_walk",
    Breach(
        "Counted_A",
        "release a frame twice that was stored once, of one cell",
        [
            {"close_i": CLOSE.pack(valid=1, cells=1)},
            {"close_i": 0},
            2,
            {"release_i": 1},
            4,
        ],
    ),
    Breach(
        "OneClose_A",
        "count a frame's copies while one of them is released",
        [
            {"close_i": CLOSE.pack(valid=1, copies=1, cells=1)},
            {"close_i": 0},
            2,
            {"release_i": 1},
            {"release_i": 0},
            {"close_i": CLOSE.pack(valid=1, copies=1, cells=1)},
            {"close_i": 0},
        ],
    ),
    CELLS=16,
)

test_shares = breaches(
    "tm_pool_shares",
    Breach("ShareFits_A", "a port takes a cell that the pool does not count", [{"takes_i": 1}, 3]),
    Breach("Owned_A", "the pool counts a cell that no port took", [{"used_cells_i": 1}, 3]),
    CELLS=16,
)

WRITE = {"beat_valid_i": 1, "beat_first_i": 1, "beat_ports_i": 1}
test_pool = breaches(
    "tm_pool",
    Breach(
        "NoCellLost_A",
        "take a frame back; the mutant forgets that its cells are held no more",
        [4, WRITE, {"beat_first_i": 0}, {"beat_valid_i": 0, "rewind_i": 1}],
        ("left[0] - (CellW + 1)'(back_cells)", "left[0]"),
    ),
    CELLS=8,
)
