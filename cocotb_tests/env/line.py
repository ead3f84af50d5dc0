# SPDX-License-Identifier: BSD-3-Clause
"""What a line and its queues tell one another: the structs of tm_schedule_pkg."""

from __future__ import annotations

from cocotb_tests.env.packed import Packed
from cocotb_tests.env.tm_pkg import LEN_W

BEHIND = Packed(("at_end", 1), ("ended", 1), ("valid", 1), ("soon", 1), ("last", LEN_W))
PERMIT = Packed(("ready", 1), ("tx_en", 1))


def behind(
    length: int | None, *, at_end: bool = False, ended: bool = False, soon: bool = False, unread: bool = False
) -> int:
    """Return what a queue says of the frame that it sends, and of the one behind it, of `length` bytes, if there is.

    Of one whose first row is yet to be read it says that it comes soon, and only that.
    """
    valid = length is not None and not unread
    soon = length is not None and (soon or unread)
    return BEHIND.pack(at_end=at_end, ended=ended, valid=valid, soon=soon, last=(length or 1) - 1)
