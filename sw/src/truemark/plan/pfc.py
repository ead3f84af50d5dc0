# SPDX-License-Identifier: BSD-3-Clause
"""Headroom of a lossless class: what may still arrive once priority-based flow control asks for a pause.

Sources: the sum is that of IEEE 802.1Qbb (2011); the time in which a sender must obey a pause frame is that of IEEE
802.3 clause 31B.3.7, in quanta of 512 bit times, by rate as SONiC's buffer manager has it (`pause_quanta_per_speed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.device import flow_control_registers as registers
from truemark.errors import TruemarkError
from truemark.plan.plan import Plan, rate_text

OVERHEAD = 20  # bytes of line time about each frame: preamble, start, gap
SHORTEST = 64
HEADERS = 22  # Ethernet header, one tag, FCS
QUANTUM_BITS = 512
CABLE_M_PER_S = 198_000_000  # two thirds of the speed of light
STEP_FRACTION = 24  # bits of STEP below the point
WATCHDOG_UNIT = 1 << 16  # cycles
WATCHDOG_NS = 200_000_000  # detection and restoration of SONiC's `pfcwd start_default`
RESPONSE_QUANTA = {  # by bit/s
    10**8: 1,
    10**9: 2,
    10 * 10**9: 67,
    25 * 10**9: 80,
    40 * 10**9: 118,
    50 * 10**9: 147,
    100 * 10**9: 394,
    200 * 10**9: 453,
    400 * 10**9: 905,
}


@dataclass(frozen=True)
class Link:
    """A link in bit/s and metres, its MTU in bytes, and how long its far end takes to obey."""

    rate: int
    cable_m: Fraction
    mtu: int
    reaction_ns: int | None = None  # None: as 802.3 allows at this rate

    def __post_init__(self) -> None:
        if not SHORTEST <= self.frame <= 1 << 14:
            raise TruemarkError(f"mtu {self.mtu} B: allowed is {SHORTEST - HEADERS} to {(1 << 14) - HEADERS} B")
        if not 0 <= self.cable_m <= 100_000:
            raise TruemarkError(f"cable {float(self.cable_m):g} m: allowed is 0 to 100 km")
        if self.reaction_ns is None and self.rate not in RESPONSE_QUANTA:
            known = ", ".join(rate_text(rate) for rate in RESPONSE_QUANTA)
            raise TruemarkError(f"rate {rate_text(self.rate)}: 802.3 says nothing of it ({known}); give --reaction")

    @property
    def frame(self) -> int:
        """The longest frame, in bytes."""
        return self.mtu + HEADERS

    def bytes_in(self, time_ns: Fraction) -> int:
        """Return the bytes of line time in a time, rounded up."""
        return -int(-time_ns * self.rate // (8 * 10**9))

    def terms(self) -> dict[str, int]:
        """Return what adds up to the headroom, in bytes of line time."""
        quanta = RESPONSE_QUANTA.get(self.rate, 0)
        return {
            "own_frame_bytes": self.frame + OVERHEAD,
            "pause_frame_bytes": SHORTEST + OVERHEAD,
            "cable_bytes": self.bytes_in(2 * self.cable_m * 10**9 / CABLE_M_PER_S),
            "reaction_bytes": quanta * QUANTUM_BITS // 8
            if self.reaction_ns is None
            else self.bytes_in(Fraction(self.reaction_ns)),
            "peer_frame_bytes": self.frame + OVERHEAD,
        }

    def cells(self, line_bytes: int, cell: int) -> tuple[int, int]:
        """Return the most cells that so many bytes of line time can fill, and the length of frame that fills them."""
        worst = max(range(SHORTEST, self.frame + 1), key=lambda length: Fraction(-(-length // cell), length + OVERHEAD))
        return -(-line_bytes // (worst + OVERHEAD)) * -(-worst // cell), worst


NAMES = {
    "own_frame_bytes": "a frame that has just begun before the pause frame",
    "pause_frame_bytes": "the pause frame",
    "cable_bytes": "the cable, there and back",
    "reaction_bytes": "what the sender sends until it obeys",
    "peer_frame_bytes": "a frame that it has just begun then",
}


def add_registers(plan: Plan, rate: int, clock: int) -> None:
    """Add what the registers of a `truemark_pfc` at a line of so many bit/s take, with a clock in Hz."""
    step = (rate << STEP_FRACTION) // (QUANTUM_BITS * clock)  # down: a pause must not be shorter
    if not 1 <= step <= registers.STEP.fields[0].maximum:
        raise TruemarkError(
            f"clock {clock / 10**6:g} MHz: at {rate_text(rate)} STEP is {step}, "
            f"allowed are 1 to {registers.STEP.fields[0].maximum}"
        )
    units_of_time = -(-WATCHDOG_NS * clock // (10**9 * WATCHDOG_UNIT))
    plan.add("step", "STEP of truemark_pfc", step, "")
    plan.add("detection", "its DETECTION, 200 ms as SONiC's default", units_of_time, "")
    plan.add("restoration", "its RESTORATION, the same", units_of_time, "")


def plan_pfc(link: Link, sizes: Sequence[int], classes: Sequence[int], clock: int | None = None) -> Plan:
    """Return the headroom of one priority at one port, in bytes and in cells; with a clock in Hz, registers too.

    `sizes` are of cells that a device may have: the headroom is that of those which take the most memory.
    """
    for size in sizes:
        if not SHORTEST <= size <= 1024:
            raise TruemarkError(f"cell {size} B: allowed is {SHORTEST} to 1024 B")
    terms = link.terms()
    total = sum(terms.values())
    cell = max(sizes, key=lambda size: size * link.cells(total, size)[0])
    cells, worst = link.cells(total, cell)
    plan = Plan("pfc", f"PFC at {units.show_rate(link.rate)}, {float(link.cable_m):g} m, MTU {link.mtu} B")
    for key, value in terms.items():
        plan.add(key, NAMES[key], value, "B")
    plan.add("headroom_bytes", "headroom of one priority at one port", total, "B")
    plan.add("headroom_cells", f"the same in cells of {cell} B, frames of {worst} B", cells, "cells")
    plan.add("headroom_memory_bytes", "memory of these", cells * cell, "B")
    if clock is not None:
        add_registers(plan, link.rate, clock)
    if link.reaction_ns is None:
        quanta = RESPONSE_QUANTA[link.rate]
        plan.remarks.append(f"reaction: {quanta} quanta of {QUANTUM_BITS} bit times, as IEEE 802.3 (31B.3.7) allows it")
    else:
        plan.remarks.append(f"reaction: {units.show_time(link.reaction_ns)}, as given")
    plan.remarks.append(
        f"bytes are line time, with {OVERHEAD} B about each frame; short frames fill more memory than their line time"
    )
    plan.remarks.append("the own MAC's and PHY's delays, out and in, come on top: give them as part of --reaction")
    plan.remarks.append("one frame more where inputs wait for one another on their way into the memory")
    plan.remarks.append("a build with PFC leaves it alone: [pfc] of a profile")
    plan.profile = f"""\
rate = "{rate_text(link.rate)}"
policy = "droptail"

[pfc]                   # of every port as a source
classes = [{", ".join(map(str, classes))}]
headroom = "{cells * cell}B"   # of each class: {cells} cells of {cell} B
alpha = "1/8"           # a class must pause above so many times what is free
xon_offset = "{2 * link.frame}B"    # and may send again two frames below
"""
    return plan
