# SPDX-License-Identifier: BSD-3-Clause
"""The words that registers, engines and reports share, with the numbers `tm_pkg` gives them."""

from __future__ import annotations

from enum import IntEnum

from truemark.registers import Code as Outcome
from truemark.registers import Fault, Law

__all__ = [
    "ARRIVED",
    "DROPPED",
    "OUTCOME_TEXT",
    "STORED",
    "TAIL",
    "DepartureKind",
    "Fault",
    "FrameClass",
    "Law",
    "Outcome",
    "Spacing",
]


class FrameClass(IntEnum):
    """What parse says a frame is."""

    NON_IP = 0
    OTHER_IP = 1
    SYN_ACK = 2
    SYN = 3
    TCP_CTRL = 4
    DATA = 5
    ACK = 6


class Spacing(IntEnum):
    """How RED spaces its signals."""

    MEMORYLESS = 0
    UNIFORM = 1
    WAIT = 2
    LINUX = 3


class DepartureKind(IntEnum):
    """How a frame left its queue."""

    PLAIN = 0
    HEAD_DROPPED = 1
    MARKED = 2
    THRESHOLD = 3
    MARKED_THRESHOLD = 4
    PROTECTED = 5
    CE_SIGNALLED = 6


# Every arriving copy has exactly one of these twelve; `Outcome` also numbers the counters beside them.
STORED = tuple(Outcome(code) for code in range(5))
DROPPED = tuple(Outcome(code) for code in range(5, 12))
ARRIVED = STORED + DROPPED
TAIL = (Outcome.TAIL_BYTES, Outcome.TAIL_PACKETS)

OUTCOME_TEXT = {
    Outcome.PASS: "passed",
    Outcome.PASS_CE: "passed, was CE",
    Outcome.MARK: "marked",
    Outcome.CE_SIGNALLED: "signal met CE",
    Outcome.PROTECTED: "protected",
    Outcome.EARLY_PROBABILITY: "early drop",
    Outcome.EARLY_FORCED: "early drop, forced",
    Outcome.TAIL_BYTES: "tail drop, byte limit",
    Outcome.TAIL_PACKETS: "tail drop, packet limit",
    Outcome.NO_ROOM: "no room in storage",
    Outcome.DISABLED: "port disabled",
    Outcome.ABORTED: "aborted",
}
