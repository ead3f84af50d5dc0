# SPDX-License-Identifier: BSD-3-Clause
"""The step law: an ECT frame that finds more than K bytes waiting is marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from truemark import units
from truemark.device.registers import REGISTERS, Register
from truemark.device.registers import Law as Code
from truemark.laws.law import BufferLimit, Limits, Line, PortLaw, Read
from truemark.units import Size

BYTES_MAX = 2**24 - 2  # all ones means "off"
SHORTEST = 60  # bytes of the shortest frame


@dataclass(frozen=True)
class Step(PortLaw):
    """K in bytes."""

    CODE: ClassVar[Code] = Code.STEP
    BUILT: ClassVar[str] = "step"
    NAME: ClassVar[str] = "step law"
    NEEDS: ClassVar[str] = "a threshold k, for example k = 30kB"

    k: int

    @classmethod
    def of(cls, written: Size, line: Line, key: str) -> Self:
        """Return the law that a person wrote."""
        return cls(line.bytes(written, key))

    def words(self, slot: int) -> Iterator[tuple[Register, int]]:
        """Yield the register of K and what it holds."""
        yield REGISTERS[f"K{slot}"], self.k

    @classmethod
    def read(cls, slot: int, read: Read) -> Self:
        """Return the K of a slot."""
        return cls(read(REGISTERS[f"K{slot}"]))

    @property
    def features(self) -> frozenset[str]:
        """None: every build to choose from has it."""
        return frozenset()

    def refuse(self, limits: Limits, limit_bytes: int | None) -> str:
        """Return why K is refused if it is beyond what the queue can hold, or nothing."""
        most, bound = (limits.storage, "the storage of a port") if limit_bytes is None else (limit_bytes, "limit_bytes")
        return "" if 0 <= self.k <= min(most, BYTES_MAX) else f"k = {self.k} B: allowed is 0 to {most} B ({bound})"

    def warnings(self, name: str, limit: BufferLimit, rate: int | None, packet: int) -> list[str]:
        """Return a warning if one frame exceeds K."""
        if self.k >= SHORTEST:
            return []
        return [f"K = {self.k} B is below the shortest frame: every ECT frame that waits behind another is marked"]

    def facts(self) -> int:
        """K in bytes."""
        return self.k

    @property
    def title(self) -> str:
        """K."""
        return f"K = {units.show_size(self.k)}"

    def replayed(self, whom: str, found: Mapping[str, Any], average: Mapping[str, float]) -> str:
        """K next to the rule."""
        rule = found["k_rule_bytes"]
        return (
            f"K = {self.k} B; the rule C*RTT/7 gives {rule:.0f} B for an RTT of {units.show_time(found['rtt_ns'])} "
            f"(K is {self.k / rule if rule else 0:.2g} times that)"
        )

    @property
    def onset(self) -> int:
        """K."""
        return self.k

    @property
    def levels(self) -> list[tuple[str, int]]:
        """K."""
        return [(self.title, self.k)]

    def waits(self, rate: int) -> list[tuple[str, float]]:
        """Return the time that K takes to leave."""
        wait_ns = self.k * 8e9 / rate
        return [(f"K's bytes leave in {units.show_time(wait_ns)}", wait_ns)]
