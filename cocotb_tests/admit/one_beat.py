# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of tm_admit offer it: frames of one beat."""

from __future__ import annotations

from cocotb_tests.env.tm_pkg import BEAT, Ecn

IDLE = dict.fromkeys(
    [
        "beat_i", "next_first_i", "next_port_i", "rows_used_i", "overflow_i", "over_share_i", "leaving_i", "depart_i",
        "depart_last_i", "cfg_i", "order_i", "red_i",
    ],
    0,
)  # fmt: skip
# Storage and descriptors just below a power of two: there a limit that is cut to their width would not be off.
PARAMETERS = {"DATA_W": 256, "ROWS": 255, "DESCRIPTORS": 15}
SPARE = 8  # rows


def beat(lengths: tuple[int | None, ...], next_ecn: Ecn) -> int:
    """Return what a port has with a frame of one beat judged in it, in the next cycle, and in the one after."""
    judged, following, soon = lengths
    return BEAT.pack(
        next_ecn_valid=following is not None,
        next_flags_valid=following is not None,
        next_end=following is not None,
        soon_len=soon or 0,
        next_len=following or 0,
        len=judged or 0,
        next_need=-(-(following or 1) // 32) + SPARE - 1,
        next_ecn=next_ecn,
        class_ece=1,
    )
