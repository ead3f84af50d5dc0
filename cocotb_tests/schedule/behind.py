# SPDX-License-Identifier: BSD-3-Clause
"""What a queue says of the frame that it sends, and of the one behind it (tm_schedule_pkg::behind_t)."""

from __future__ import annotations

from cocotb_tests.env.tm_pkg import LEN_W

BEHIND_W = LEN_W + 3  # bits


def behind(length: int | None, *, at_end: bool = False, ended: bool = False) -> int:
    """Return the word: the length in bytes of the frame that follows at once, if one does; whether the last row of the
    frame stands there, or was taken in the cycle before.
    """
    return at_end << LEN_W + 2 | ended << LEN_W + 1 | (length is not None) << LEN_W | (length or 1) - 1
