# SPDX-License-Identifier: BSD-3-Clause
"""What every law of a port says of itself. A law is one class in one module: its registers, checks, texts and figures.

A law sits in one of two slots, where it judges arrivals (`Step`, `Red`), or at the head, where it judges departures
(`Codel`). Times are nanoseconds, sizes bytes, rates bit/s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from truemark.device.registers import Law as Code
from truemark.device.registers import Register
from truemark.units import Size

Read = Callable[[Register], int]


@dataclass(frozen=True)
class Line:
    """What sizes and times mean at a port: its rate in bit/s and the bytes of a packet, if they were stated."""

    rate: int | None = None
    packet: int | None = None

    def bytes(self, size: Size, name: str) -> int:
        """Return the bytes of a size."""
        return size.to_bytes(name, self.rate, self.packet)


@dataclass(frozen=True)
class BufferLimit:
    """What a queue may hold; without one, what there is."""

    bytes: int | None = None
    packets: int | None = None

    def drain_ns(self, rate: int | None) -> Fraction | None:
        """Return how long the bytes take to leave at a rate, if both are known."""
        return None if self.bytes is None or rate is None else Fraction(self.bytes * 8 * 10**9, rate)


@dataclass(frozen=True)
class Limits:
    """What a build can do, as its registers say."""

    storage: int
    descriptors: int
    able: frozenset[str] = frozenset({"step"})  # by the names of CAPABILITIES
    noecn: bool = True  # since register map 0.3
    queues: int = 1  # of a line


class PortLaw:
    """A law of a port."""

    CODE: ClassVar[Code] = Code.NONE  # of its slot in CONTROL
    BUILT: ClassVar[str]  # the capability without which a build has no such law
    NAME: ClassVar[str]
    NEEDS: ClassVar[str]  # what a policy lacks without it; {key} is where it belongs in a profile, {plan} who writes it
    HEADINGS: ClassVar[tuple[str, ...]] = ()  # of its table in `show`

    @classmethod
    def of(cls, written: Any, line: Line, key: str) -> PortLaw:
        """Return the law that a person wrote under a key."""
        raise NotImplementedError

    def words(self, slot: int) -> Iterator[tuple[Register, int]]:
        """Its registers in a slot and what they hold."""
        raise NotImplementedError

    @classmethod
    def read(cls, slot: int, read: Read) -> Self | None:
        """Return the law that the registers of a slot hold."""
        raise NotImplementedError

    @classmethod
    def off(cls) -> Iterator[tuple[Register, int]]:
        """Yield what its registers hold where a port is without it: of a law at the head."""
        raise NotImplementedError

    @property
    def features(self) -> frozenset[str]:
        """The capabilities of a build, beyond the step law, that it needs."""
        return frozenset({self.BUILT})

    def refuse(self, limits: Limits, limit_bytes: int | None) -> str:
        """Return why a build would refuse it, or nothing."""
        return ""

    def warnings(self, name: str, limit: BufferLimit, rate: int | None, packet: int) -> list[str]:
        """Return what is allowed and still does not do what its author hopes; `packet` is the mean."""
        return []

    def cells(self, idle: Any) -> tuple[str, ...]:
        """Its row below HEADINGS; `idle` is how the port's idle averages age."""
        return ()

    def facts(self) -> Any:
        """Plain data for JSON."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """What a replay's title says of it."""
        return ""

    def replayed(self, whom: str, found: Mapping[str, Any], average: Mapping[str, float]) -> str:
        """Return a line under a replay's table; `found` are the replay's settings, `average` what RED's average did."""
        raise NotImplementedError

    @property
    def onset(self) -> int | None:
        """The queue in bytes at which congestion begins; None where bytes do not say."""
        return 0

    @property
    def levels(self) -> list[tuple[str, int]]:
        """Queues in bytes that a picture of the queue shows as lines."""
        return []

    def waits(self, rate: int) -> list[tuple[str, float]]:
        """Return waits in nanoseconds that a picture of waiting times shows as lines."""
        return []
