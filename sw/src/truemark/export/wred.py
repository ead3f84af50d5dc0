# SPDX-License-Identifier: BSD-3-Clause
"""A port in the words of switches: two curves over the queue as it is, one that marks and one that drops.

That is what SONiC's WRED profiles, SAI's attributes and OpenConfig's queue management can say. What a port has besides
is named.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from truemark import units
from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.laws.pause import Pause
from truemark.laws.policies import PortSettings, protection, protection_mask
from truemark.laws.red import Red
from truemark.laws.step import Step

BUFFERS = ("pool_share",)  # what is kept by who writes buffer profiles with shares of a pool


@dataclass(frozen=True)
class Curve:
    """From `low` bytes on now and then, with `percent` just below `high`, from there on always."""

    low: int
    high: int
    percent: int


@dataclass
class Wred:
    """What a port's laws are to a switch; None: never."""

    mark: Curve | None = None
    drop: Curve | None = None
    weight: int = 0  # W of its average; SONiC has none
    lost: list[str] = field(default_factory=list)


def one_each(interfaces: Sequence[str], count: int, what: str = "port") -> None:
    """Refuse another number of interfaces than of ports, or of lines, and a name that comes twice."""
    once(interfaces)
    if len(interfaces) != count:
        said = f"{count} {what}{'s' if count > 1 else ''}"
        raise TruemarkError(f"{len(interfaces)} interfaces for {said}: one for each is wanted")


def once(names: Sequence[str]) -> None:
    """Refuse a name that comes twice."""
    for name in names:
        if names.count(name) > 1:
            raise TruemarkError(f"--interface {name}: given {names.count(name)} times; each port has its own")


def not_kept(port: int, switch: Wred) -> list[str]:
    """Return what of a port its curves do not keep, in lines."""
    return [f"port {port}: not kept: {line}" for line in switch.lost]


def wred(port: PortSettings, kept: Collection[str] = ()) -> Wred:
    """Return the curves of a port, and what of it is lost: the fields named in `kept` are said in another place."""
    found = Wred()
    curves = [curve_of(law, found.lost) for law in port.arrival]
    first, second = curves if port.slot_of == (1, 0, 0, 0) else (curves[0], curves[0])
    found.mark = first if port.ecn else None
    found.drop = second
    found.weight = max((law.weight for law in port.reds if law is not None), default=0)
    if port.protect == protection_mask("all"):
        found.drop = None
    elif port.protect:
        found.lost.append(f"protect {protection(port.protect)}: a switch drops ACKs and SYNs as it drops the rest")
    if port.harddrop:
        found.lost.append("harddrop: a switch marks what it can at every queue")
    found.lost += [f"{law.NAME}: a switch knows no waiting times" for law in port.departures]
    if port.limit_packets is not None:
        found.lost.append(f"the limit of {port.limit_packets} packets: a switch counts bytes")
    if not port.enable:
        found.lost.append("enable = false: the port accepts nothing")
    if "pool_share" in kept and port.pool_share and port.pool_share.threshold and port.limit_bytes is not None:
        found.lost.append(f"limit_bytes {port.limit_bytes:,}: a buffer profile has one limit, here that of the pool")
    found.lost += [line for name, line in beside(port).items() if name not in kept]
    return found


def beside(port: PortSettings) -> dict[str, str]:
    """Return what a port has next to its curves and its limit, by the field of its settings."""
    found = {}
    if port.mark_on_departure:
        found["mark_on_departure"] = 'mark_on = "departure": a switch judges a frame as it comes'
    if port.shape is not None:
        found["shape"] = f"shape_rate {units.show_rate(port.shape.rate)}: a switch has that in a scheduler"
    if port.pool_share is not None:
        found["pool_share"] = f"of the pool {port.pool_share.title}: a switch has that in its buffer profiles"
    if port.pause is not None and port.pause != Pause():
        found["pause"] = "[pfc] and paused_by: a switch has that in its buffer profiles and maps of priorities"
    return found


def curve_of(law: object, lost: list[str]) -> Curve | None:
    """Return the curve of a law of arrival."""
    if isinstance(law, Step):
        lost.append(f"K = {law.k} B to the byte: a switch marks from min = max = K on, Truemark above K")
        return Curve(max(law.k, 1), max(law.k, 1), 100)
    if not isinstance(law, Red):
        return None
    percent = max(round(100 * law.probability), 1)
    if abs(percent - 100 * law.probability) > 0.001:
        lost.append(f"probability {law.probability:.4g}: a switch takes whole percentages, here {percent}")
    unit, low, high = law.unit, *map(law.unit.in_bytes, law.ends.values())
    if law.packets:
        both = (f"{name} {unit.text(value)} as {unit.in_bytes(value):,} B" for name, value in law.ends.items())
        lost.append(f"{', '.join(both)}: a switch counts bytes, taken at {unit.bytes} B a packet")
    if not law.of_a_switch:
        own = [f"spacing {law.spacing.name.lower()}"] if law.spacing is not Spacing.MEMORYLESS else []
        own += [name for name in ("gentle", "adaptive") if getattr(law, name)]
        lost += [f"{', '.join(own)}: a switch judges each frame for itself"] if own else []
    return Curve(low, high, percent)
