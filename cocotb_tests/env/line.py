# SPDX-License-Identifier: BSD-3-Clause
"""What a line and its queues tell one another: the structs of tm_schedule_pkg and tm_rewrite_pkg."""

from __future__ import annotations

from collections.abc import Mapping

from cocotb_tests.env.packed import Packed
from cocotb_tests.env.tm_pkg import L3, LEN_W

BEHIND = Packed(("at_end", 1), ("ended", 1), ("valid", 1), ("soon", 1), ("last", LEN_W))
PERMIT = Packed(("ready", 1), ("tx_en", 1))
REWRITING = Packed(("mark", 1), ("row", 3), ("l3", 2), ("tags", 2), ("checksum", 16))


def behind(
    length: int | None, *, at_end: bool = False, ended: bool = False, soon: bool = False, unread: bool = False
) -> int:
    """Return what a queue says of the frame that it sends, and of the one behind it, of `length` bytes, if there is.

    Of one whose first row is yet to be read it says that it comes soon, and only that.
    """
    valid = length is not None and not unread
    soon = length is not None and (soon or unread)
    return BEHIND.pack(at_end=at_end, ended=ended, valid=valid, soon=soon, last=(length or 1) - 1)


def rewritten(row: bytes, how: Mapping[str, int]) -> bytes:
    """Return a queue's row of a whole beat as the line shows it, rewritten by the fields of REWRITING."""
    out, shift = bytearray(row), 4 * how["tags"]
    if how["mark"] and how["l3"] != L3.NONE and how["row"] == (15 + shift) // len(row):
        out[(15 + shift) % len(row)] |= 0x03 if how["l3"] == L3.IPV4 else 0x30
    if how["mark"] and how["l3"] == L3.IPV4 and how["row"] == (24 + shift) // len(row):
        at = (24 + shift) % len(row)
        out[at : at + 2] = how["checksum"].to_bytes(2, "big")
    return bytes(out)
