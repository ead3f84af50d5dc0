# SPDX-License-Identifier: BSD-3-Clause
"""Waiting-time marking (TCN): an ECT frame that waited longer than a threshold leaves marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from truemark import units
from truemark.device import registers
from truemark.device.registers import Register
from truemark.errors import TruemarkError
from truemark.laws.law import BufferLimit, Line, PortLaw, Read

MOST_NS = 10**9


@dataclass(frozen=True)
class Tcn(PortLaw):
    """The threshold in nanoseconds."""

    BUILT: ClassVar[str] = "tcn"
    NAME: ClassVar[str] = "waiting-time marking"
    NEEDS: ClassVar[str] = "a waiting time {key}, for example {key} = 100us"
    HEADINGS: ClassVar[tuple[str, ...]] = ("marks after",)

    threshold_ns: int

    def __post_init__(self) -> None:
        if not 1 <= self.threshold_ns <= MOST_NS:
            raise TruemarkError(f"tcn = {self.threshold_ns} ns: allowed is 1 ns to 1 s")

    @classmethod
    def of(cls, written: int, line: Line, key: str) -> Self:
        """Return the law that a person wrote."""
        return cls(written)

    def words(self, slot: int) -> Iterator[tuple[Register, int]]:
        """Its threshold; a port has one."""
        yield registers.TCN_THRESHOLD, self.threshold_ns

    @classmethod
    def off(cls) -> Iterator[tuple[Register, int]]:
        """No threshold."""
        yield registers.TCN_THRESHOLD, 0

    @classmethod
    def read(cls, slot: int, read: Read) -> Self | None:
        """Return the threshold that the register holds, if there is one."""
        found = read(registers.TCN_THRESHOLD)
        return cls(found) if found else None

    def warnings(self, name: str, limit: BufferLimit, rate: int | None, packet: int) -> list[str]:
        """Return a warning if a full buffer drains before the threshold."""
        drain = limit.drain_ns(rate)
        if drain is None or drain > self.threshold_ns:
            return []
        return [
            f"{self.NAME} never marks at this rate: a full buffer of {limit.bytes:,} B drains in "
            f"{units.show_time(float(drain))}, which is not above {units.show_time(self.threshold_ns)}"
        ]

    def cells(self, idle: Any) -> tuple[str, ...]:
        """Its row."""
        return (units.show_time(self.threshold_ns),)

    def facts(self) -> int:
        """Return the threshold in nanoseconds."""
        return self.threshold_ns

    @property
    def title(self) -> str:
        """The threshold."""
        return f"T = {units.show_time(self.threshold_ns)}"

    def replayed(self, whom: str, found: Mapping[str, Any], average: Mapping[str, float]) -> str:
        """Return the law in a line."""
        return f"{self.NAME}: an ECT frame that waited longer than {units.show_time(self.threshold_ns)} left marked"

    def waits(self, rate: int) -> list[tuple[str, float]]:
        """Return the threshold."""
        return [("waiting-time threshold", float(self.threshold_ns))]
