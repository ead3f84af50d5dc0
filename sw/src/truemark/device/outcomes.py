# SPDX-License-Identifier: BSD-3-Clause
"""The words that registers, engines and reports share, with the numbers `tm_pkg` gives them."""

from __future__ import annotations

from collections.abc import Callable

from truemark.device.registers import Class as FrameClass
from truemark.device.registers import Code as Outcome
from truemark.device.registers import Departure as DepartureKind
from truemark.device.registers import Fault, Law, Spacing, last_code

__all__ = [
    "ARRIVED",
    "DEPARTED",
    "DEPARTURE_CODE",
    "DROPPED",
    "MARKED_AT_DEPARTURE",
    "STORED",
    "TAIL",
    "DepartureKind",
    "Fault",
    "FrameClass",
    "Law",
    "Outcome",
    "Spacing",
]

# Every arriving copy has exactly one of these twelve; `Outcome` also numbers the other counters.
STORED = tuple(Outcome(code) for code in range(5))
DROPPED = tuple(Outcome(code) for code in range(5, 12))
ARRIVED = STORED + DROPPED
TAIL = (Outcome.TAIL_BYTES, Outcome.TAIL_PACKETS)
EARLY = (Outcome.EARLY_PROBABILITY, Outcome.EARLY_FORCED)

# The counter of each kind of departure; all but the head drops left the port.
DEPARTURE_CODE = {
    DepartureKind.PLAIN: Outcome.DEPARTED,
    DepartureKind.HEAD_DROPPED: Outcome.HEAD_DROPPED,
} | {
    kind: Outcome(Outcome.DEPARTED_MARKED + kind - DepartureKind.MARKED)  # a law's follow in the order of `departure_e`
    for kind in DepartureKind
    if kind >= DepartureKind.MARKED
}
DEPARTED = tuple(code for code in DEPARTURE_CODE.values() if code is not Outcome.HEAD_DROPPED)
UNMARKED = (DepartureKind.PLAIN, DepartureKind.HEAD_DROPPED, DepartureKind.PROTECTED, DepartureKind.CE_SIGNALLED)
MARKED_AT_DEPARTURE = tuple(kind for kind in DepartureKind if kind not in UNMARKED)
# Counters of all that was marked here, on arrival or as it left, and of all that was lost.
MARKED = (Outcome.MARK, *(DEPARTURE_CODE[kind] for kind in MARKED_AT_DEPARTURE))
LOST = (*DROPPED, Outcome.HEAD_DROPPED)
# Counters of all that a law chose on arrival, and as it left, whatever became of the frame.
SIGNALLED = (Outcome.MARK, Outcome.CE_SIGNALLED, Outcome.PROTECTED, *EARLY)
SIGNALLED_AT_DEPARTURE = tuple(code for kind, code in DEPARTURE_CODE.items() if kind is not DepartureKind.PLAIN)


def counted(has: Callable[[str], bool]) -> tuple[Outcome, ...]:
    """Return the counters of frames in a build that has what `has` says."""
    last = last_code(has)
    return (*ARRIVED, Outcome.HEAD_DROPPED, *(code for code in DEPARTED if code <= last))
