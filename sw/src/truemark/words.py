# SPDX-License-Identifier: BSD-3-Clause
"""The words that registers, engines and reports share, with the numbers `tm_pkg` gives them."""

from __future__ import annotations

from enum import IntEnum


class FrameClass(IntEnum):
    """What parse says a frame is."""

    NON_IP = 0
    OTHER_IP = 1
    SYN_ACK = 2
    SYN = 3
    TCP_CTRL = 4
    DATA = 5
    ACK = 6


class Outcome(IntEnum):
    """What becomes of an arriving copy (0..11), and the counter codes beside them (12..15)."""

    PASS = 0
    PASS_CE = 1
    MARK = 2
    CE_SIGNALLED = 3
    PROTECTED = 4
    EARLY_PROBABILITY = 5
    EARLY_FORCED = 6
    TAIL_BYTES = 7
    TAIL_PACKETS = 8
    NO_ROOM = 9
    DISABLED = 10
    ABORTED = 11
    DEPARTED = 12
    HEAD_DROPPED = 13
    SOJOURN_LOW = 14
    SOJOURN_HIGH = 15


STORED = tuple(Outcome(code) for code in range(0, 5))
DROPPED = tuple(Outcome(code) for code in range(5, 12))
ARRIVED = STORED + DROPPED

OUTCOME_TEXT = {
    Outcome.PASS: "passed",
    Outcome.PASS_CE: "passed, was CE",
    Outcome.MARK: "marked",
    Outcome.CE_SIGNALLED: "signal met CE",
    Outcome.PROTECTED: "protected",
    Outcome.EARLY_PROBABILITY: "early drop",
    Outcome.EARLY_FORCED: "early drop (forced)",
    Outcome.TAIL_BYTES: "tail drop (bytes)",
    Outcome.TAIL_PACKETS: "tail drop (packets)",
    Outcome.NO_ROOM: "no room",
    Outcome.DISABLED: "port disabled",
    Outcome.ABORTED: "aborted",
}


class Law(IntEnum):
    """What a law slot holds."""

    NONE = 0
    STEP = 1
    RED = 2


class Fault(IntEnum):
    """Why the hardware refused a commit; the name is the field at fault."""

    NONE = 0
    LIMIT_BYTES = 1
    LIMIT_PACKETS = 2
    LAW = 3
    K0 = 4
    K1 = 5
    PROTECT = 6
    PORT = 7
    CONTROL = 8


class Bad(IntEnum):
    """Why a frame was found wrong; each has a counter."""

    NO_DESTINATION = 0
    RUNT = 1
    OVERSIZE = 2
    KEEP_HOLE = 3
    LENGTH_MISMATCH = 4
    ERROR_BIT = 5
    RESET = 6
