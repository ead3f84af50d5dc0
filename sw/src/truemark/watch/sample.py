# SPDX-License-Identifier: BSD-3-Clause
"""What happened at each port between two freezes of a device: rates, and what is held against K and the limit.

Rates are per second of the device's own time, which does not stand still while the host is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from truemark.device.board import Board
from truemark.device.device import Identity, Snapshot, bin_of
from truemark.device.outcomes import ARRIVED, DEPARTED, LOST, MARKED, FrameClass, Outcome
from truemark.laws.policies import PortSettings


@dataclass(frozen=True)
class Reading:
    """A device at one instant, with the configuration of its ports."""

    identity: Identity
    settings: list[PortSettings]
    ports: list[Snapshot]


def observe(board: Board) -> Reading:
    """Freeze the counters of all ports at one instant and read them, with the ports' configuration."""
    with board.open() as device:
        identity = device.identity()
        ports = range(identity.ports)
        frozen = device.freeze(ports)
        return Reading(identity, [device.settings(port) for port in ports], frozen)


@dataclass(frozen=True)
class Rates:
    """Frames a second."""

    arrived: float
    marked: float
    dropped: float


@dataclass(frozen=True)
class PortSample:
    """One port over the time between two freezes."""

    port: int
    policy: str
    held_bytes: int
    held_packets: int
    watermark_bytes: int
    k_bytes: int | None  # where the law that marks begins: K, or RED's min; none if it has no such place
    limit_bytes: int
    sent_bit_s: float
    all: Rates
    classes: dict[str, Rates]  # those that came
    wait_p50_ns: int | None  # the bin's upper end, 0 to 2 times too much; none if nothing left
    wait_p99_ns: int | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def between(before: Reading, after: Reading) -> list[PortSample]:
    """What happened at each port."""
    return [
        sample(old, new, settings, after.identity)
        for old, new, settings in zip(before.ports, after.ports, after.settings, strict=True)
    ]


def sample(old: Snapshot, new: Snapshot, settings: PortSettings, identity: Identity) -> PortSample:
    """What happened at one port; counters that fell were cleared in between, and count from 0."""
    seconds = (new.time_ns - old.time_ns) / 1e9

    def rate(*outcomes: Outcome, kind: FrameClass | None = None) -> float:
        now, then = new.total(*outcomes, kind=kind), old.total(*outcomes, kind=kind)
        return (now.packets - (then.packets if now.packets >= then.packets else 0)) / seconds if seconds > 0 else 0.0

    def rates(kind: FrameClass | None = None) -> Rates:
        return Rates(rate(*ARRIVED, kind=kind), rate(*MARKED, kind=kind), rate(*LOST, kind=kind))

    sent = new.total(*DEPARTED).bytes - old.total(*DEPARTED).bytes
    waits = [now - then for now, then in zip(new.histogram, old.histogram, strict=True)]
    classes = {kind.name: rates(kind) for kind in FrameClass if new.total(*ARRIVED, kind=kind).packets}
    return PortSample(
        port=new.port,
        policy=settings.policy,
        held_bytes=new.held.bytes,
        held_packets=new.held.packets,
        watermark_bytes=new.watermark.bytes,
        k_bytes=settings.onset or None,
        limit_bytes=identity.storage if settings.limit_bytes is None else settings.limit_bytes,
        sent_bit_s=max(sent, 0) * 8 / seconds if seconds > 0 else 0.0,
        all=rates(),
        classes=classes,
        wait_p50_ns=quantile(waits, 0.5),
        wait_p99_ns=quantile(waits, 0.99),
    )


def quantile(waits: list[int], share: float) -> int | None:
    """The upper end, in nanoseconds, of the bin in which a share of the frames has left."""
    index = bin_of(waits, share)
    return None if index is None else int(2 ** (8 + index))


def samples(read: Callable[[], Reading], wait: Callable[[], bool]) -> Iterator[list[PortSample]]:
    """Samples, one after each `wait` until that says no."""
    before = read()
    while wait():
        after = read()
        yield between(before, after)
        before = after
