# SPDX-License-Identifier: BSD-3-Clause
"""What happened at each port between two freezes of a device: rates, and what is held against K and the limit.

Rates are per second of the device's own time, which does not stand still while the host is slow.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import cast

from truemark import documents, units
from truemark.device.device import Count, Snapshot, bin_edges, bin_of
from truemark.device.look import Reading
from truemark.device.outcomes import ARRIVED, DEPARTED, LOST, MARKED, FrameClass, Outcome
from truemark.errors import LinkError
from truemark.laws.policies import PortSettings


@dataclass(frozen=True)
class Wait:
    """The bin of a waiting time; the last one has no end."""

    from_ns: int
    below_ns: int | None

    def __str__(self) -> str:
        if self.below_ns is None:
            return f">{units.show_time(self.from_ns)}"
        return f"<{units.show_time(self.below_ns)}"


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
    waits: list[int]  # frames that left, by the bin of their wait
    wait_p50: Wait | None  # none if nothing left
    wait_p99: Wait | None
    pool_bytes: int | None  # what it has of the pool, in whole cells; none where it has a memory of its own
    must_pause: tuple[int, ...]  # classes of its link partner


@dataclass(frozen=True)
class PoolSample:
    """The memory that all ports share: what of it is not free, now."""

    size_bytes: int
    held_bytes: int


@dataclass(frozen=True)
class Sample:
    """A device over the time between two freezes."""

    ports: list[PortSample]
    pool: PoolSample | None  # none where ports have memories of their own

    def __str__(self) -> str:
        marked, lost = (sum(getattr(each.all, what) for each in self.ports) for what in ("marked", "dropped"))
        said = [f"{len(self.ports)} ports, {marked:,.0f} marked and {lost:,.0f} dropped a second"]
        if self.pool:
            said.append(f"pool {self.pool.held_bytes / self.pool.size_bytes:.0%} full")
        pausing = [
            f"port {each.port} class {', '.join(map(str, each.must_pause))}" for each in self.ports if each.must_pause
        ]
        return "; ".join([*said, *([f"must pause: {', '.join(pausing)}"] if pausing else [])])


def document(device: documents.DeviceAddress, found: Sample) -> documents.Watch:
    """Return a sample as a document."""
    ports = [cast("documents.PortSample", asdict(each)) for each in found.ports]
    pool = cast("documents.PoolSample", asdict(found.pool)) if found.pool else None
    return {"device": device, "summary": str(found), "ports": ports, "pool": pool}


def between(before: Reading, after: Reading) -> Sample:
    """Return what happened at each port, and what of their pool is held; both looks must be at the same device."""
    if len(before.ports) != len(after.ports):
        raise LinkError(f"another device answers: it has {len(after.ports)} ports, the one before {len(before.ports)}")
    ports = [
        sample(old, new, settings, after)
        for old, new, settings in zip(before.ports, after.ports, after.settings, strict=True)
    ]
    if (pool := after.pool) is None:
        return Sample(ports, None)
    held = pool.held + pool.walking
    return Sample(ports, PoolSample((held + pool.free) * pool.cell_bytes, held * pool.cell_bytes))


def sample(old: Snapshot, new: Snapshot, settings: PortSettings, seen: Reading) -> PortSample:
    """Return what happened at one port; counters that fell were cleared in between, and count from 0."""
    seconds = (new.time_ns - old.time_ns) / 1e9
    if cleared(old, new):
        old = replace(old, counters={}, histogram=[0] * len(old.histogram))

    def per_second(count: int) -> float:
        return count / seconds if seconds > 0 else 0.0

    def rate(*outcomes: Outcome, kind: FrameClass | None = None) -> float:
        return per_second(new.total(*outcomes, kind=kind).packets - old.total(*outcomes, kind=kind).packets)

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
        limit_bytes=seen.identity.storage if settings.limit_bytes is None else settings.limit_bytes,
        sent_bit_s=per_second(8 * sent),
        all=rates(),
        classes=classes,
        waits=waits,
        wait_p50=quantile(waits, 0.5),
        wait_p99=quantile(waits, 0.99),
        pool_bytes=seen.pool.ports[new.port].cells * seen.pool.cell_bytes if seen.pool else None,
        must_pause=seen.pauses.asked[new.port] if seen.pauses else (),
    )


def cleared(old: Snapshot, new: Snapshot) -> bool:
    """Say whether any counter of a port has fallen: a reset of the device clears them all."""
    none = Count()
    return any(new.counters.get(key, none).packets < then.packets for key, then in old.counters.items()) or any(
        now < then for now, then in zip(new.histogram, old.histogram, strict=True)
    )


def quantile(waits: list[int], share: float) -> Wait | None:
    """Return the bin in which a share of the frames has left."""
    index = bin_of(waits, share)
    return None if index is None else Wait(*bin_edges(index))


def pause(interval: float) -> float:
    """Return the seconds until the next look, of half an interval at the least.

    All who look once an interval do so at the same moments of the clock, so that a server looks once for all of them.
    """
    left = interval - time.time() % interval
    return left if left >= interval / 2 else left + interval


def samples(read: Callable[[], Reading], wait: Callable[[], bool]) -> Iterator[Sample]:
    """Yield samples, one after each `wait` until that says no."""
    before = read()
    while wait():
        after = read()
        yield between(before, after)
        before = after
