# SPDX-License-Identifier: BSD-3-Clause
"""Settings that are allowed and still do not do what their author hopes: beyond the buffer, or too slow."""

from __future__ import annotations

import math
from fractions import Fraction

from truemark import units
from truemark.laws.codel import to_ns
from truemark.laws.policies import PortSettings
from truemark.laws.red import Red, packet_time

# A weight is called small if a buffer full of packets moves the average by less than this share of the way.
SMALL_MOVE = 0.05


def time_constant(weight: int) -> int:
    """Packets in which the average covers 1 - 1/e of the way to a queue that stands still (W = 0: at once)."""
    return 1 << weight if weight else 0


def buffer_move(weight: float, packets: float) -> float:
    """The share of the way that the average goes while so many packets arrive."""
    return 1.0 if weight >= 1 else -math.expm1(packets * math.log1p(-weight))


def reach(law: Red, limit_bytes: int | None, name: str = "RED") -> list[str]:
    """What a byte limit leaves of a law."""
    if limit_bytes is None:
        return []
    limit = f"the limit of {limit_bytes:,} B"
    if law.min >= limit_bytes:
        return [f"{name} never acts: min = {law.min:,} B is not below {limit}; the queue is a plain droptail"]
    if law.max > limit_bytes:
        most = law.probability_at(limit_bytes)
        return [
            f"{name} never reaches max = {law.max:,} B, which is beyond {limit}: a full queue has p = {most:.3g}, and "
            "no signal is ever forced"
        ]
    return []


def slow(law: Red, limit_bytes: int | None, packet: int, tick_ns: float, name: str = "RED") -> list[str]:
    """What a small weight means."""
    if law.weight == 0 or limit_bytes is None:
        return []
    packets = limit_bytes / packet
    move = buffer_move(2.0**-law.weight, packets)
    if move >= SMALL_MOVE:
        return []
    constant = time_constant(law.weight)
    return [
        f"{name} hardly acts: weight 2^-{law.weight} has a time constant of {constant:,} packets = "
        f"{units.show_time(constant * tick_ns)} at line rate; all {packets:,.0f} packets of {packet} B that the buffer "
        f"holds move the average by {move:.2%} of the way"
    ]


def codel_reach(settings: PortSettings, rate: int) -> list[str]:
    """A buffer that drains faster than CoDel's target."""
    law, limit = settings.codel, settings.limit_bytes
    if law is None or limit is None:
        return []
    drain = Fraction(limit * 8 * 10**9, rate)
    if drain <= to_ns(law.target):
        return [
            f"CoDel never acts: a full buffer of {limit:,} B drains in {units.show_time(float(drain))}, which is not "
            f"above the target of {units.show_time(to_ns(law.target))}"
        ]
    return []


def of(settings: PortSettings, rate: int | None, packet: int) -> list[str]:
    """All that is to be said of a port's settings."""
    lines = []
    names = ("ECT: RED", "Not-ECT: RED") if None not in settings.red else ("RED", "RED")
    for name, law in zip(names, settings.red, strict=True):
        if law is not None:
            lines += reach(law, settings.limit_bytes, name)
            tick = float(packet_time(packet, rate)) if rate else 0.0
            lines += slow(law, settings.limit_bytes, packet, tick, name)
    if rate is not None:
        lines += codel_reach(settings, rate)
    return lines
