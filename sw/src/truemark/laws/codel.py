# SPDX-License-Identifier: BSD-3-Clause
"""CoDel as its registers hold it, the settings that were published, and the three variants that are all called CoDel.

Its clock counts units of 1024 ns: a time becomes the whole units in it, as in Linux.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from truemark import units
from truemark.device import registers
from truemark.device.registers import REGISTERS, Register
from truemark.errors import TruemarkError
from truemark.laws.law import BufferLimit, Line, PortLaw, Read

if TYPE_CHECKING:
    from truemark.laws.tables import CodelTable

UNIT_SHIFT = 10
NEVER = 0x7FFFFFFF  # ce_threshold that no sojourn exceeds
LINUX_MTU = 1514
NS3_MIN_BYTES = 1500

# Target and interval in nanoseconds.
PUBLISHED = {
    "500us/20ms": (500_000, 20_000_000),
    "800us/1.5ms": (800_000, 1_500_000),
    "400us/1ms": (400_000, 1_000_000),
    "300us/0.75ms": (300_000, 750_000),
}
SWITCHES = (
    "at_once",
    "exempt_below",
    "exempt_largest",
    "converge",
    "mark_from_now",
    "reentry_past",
    "threshold_once",
    "keep_first_above",
)
VARIANTS: dict[str, tuple[str, ...]] = {
    "linux": (),
    "rfc8289": ("at_once", "exempt_largest", "converge"),
    "ns3": ("exempt_below", "mark_from_now", "reentry_past", "threshold_once", "keep_first_above"),
}


WHOLE = ("target", "interval", "ce_threshold", "exempt_bytes")  # fields that have a register of their own


@dataclass(frozen=True)
class Codel(PortLaw):
    """The registers of CoDel; times in units of 1024 ns."""

    BUILT: ClassVar[str] = "codel"
    NAME: ClassVar[str] = "CoDel"
    NEEDS: ClassVar[str] = (
        "target and interval, in a profile's table [{key}]; `truemark plan codel ... --profile FILE.toml` writes one"
    )
    HEADINGS: ClassVar[tuple[str, ...]] = ("target", "interval", "signals", "CE threshold", "left alone", "variant")

    ecn: bool = False
    at_once: bool = False
    exempt_below: bool = False
    exempt_largest: bool = False
    converge: bool = False
    mark_from_now: bool = False
    reentry_past: bool = False
    threshold_once: bool = False
    keep_first_above: bool = False
    target: int = 0
    interval: int = 0
    ce_threshold: int = NEVER
    exempt_bytes: int = LINUX_MTU

    @property
    def switches(self) -> tuple[str, ...]:
        """The switches that differ from Linux."""
        return tuple(name for name in SWITCHES if getattr(self, name))

    @property
    def variant(self) -> str:
        """The variant these switches make, or their names."""
        known = [name for name, switches in VARIANTS.items() if set(switches) == set(self.switches)]
        return known[0] if known else "+".join(self.switches)

    @classmethod
    def of(cls, written: CodelTable, line: Line, key: str) -> Codel:
        """Return the law that a person wrote; an error names the table."""
        try:
            return law(
                written.target,
                written.interval,
                ecn=written.ecn,
                ce_threshold_ns=written.ce_threshold,
                exempt_bytes=None if written.exempt is None else line.bytes(written.exempt, "exempt"),
                variant=written.variant,
                switches=tuple(written.switches),
            )
        except TruemarkError as error:
            raise TruemarkError(f"[{key}] {error}") from None

    def words(self, slot: int) -> Iterator[tuple[Register, int]]:
        """Its registers; a port has one CoDel."""
        switches = {name: int(getattr(self, name)) for name in SWITCHES}
        yield registers.CODEL_SETTINGS, registers.CODEL_SETTINGS.pack(on=1, ecn=int(self.ecn), **switches)
        for name in WHOLE:
            yield REGISTERS[f"CODEL_{name.upper()}"], getattr(self, name)

    @classmethod
    def off(cls) -> Iterator[tuple[Register, int]]:
        """Not switched on."""
        yield registers.CODEL_SETTINGS, 0

    @classmethod
    def read(cls, slot: int, read: Read) -> Self | None:
        """CoDel as the registers hold it, if it is on."""
        found = registers.CODEL_SETTINGS.unpack(read(registers.CODEL_SETTINGS))
        if not found["on"]:
            return None
        switches = {name: bool(found[name]) for name in ("ecn", *SWITCHES)}
        whole = {name: read(REGISTERS[f"CODEL_{name.upper()}"]) for name in WHOLE}
        return cls(**switches, **whole)  # type: ignore[arg-type]

    def warnings(self, name: str, limit: BufferLimit, rate: int | None, packet: int) -> list[str]:
        """Return a warning if a full buffer drains faster than the target."""
        drain = limit.drain_ns(rate)
        if drain is None or drain > to_ns(self.target):
            return []
        return [
            f"CoDel never acts: a full buffer of {limit.bytes:,} B drains in {units.show_time(float(drain))}, which is "
            f"not above the target of {units.show_time(to_ns(self.target))}"
        ]

    def cells(self, idle: Any) -> tuple[str, ...]:
        """Its row of the table of CoDel."""
        return (
            units.show_time(to_ns(self.target)),
            units.show_time(to_ns(self.interval)),
            "mark" if self.ecn else "drop",
            "off" if self.ce_threshold == NEVER else units.show_time(to_ns(self.ce_threshold)),
            "largest frame" if self.exempt_largest else f"{self.exempt_bytes} B",
            self.variant,
        )

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "target_ns": to_ns(self.target),
            "interval_ns": to_ns(self.interval),
            "ce_threshold_ns": None if self.ce_threshold == NEVER else to_ns(self.ce_threshold),
            "exempt_bytes": self.exempt_bytes,
            "ecn": self.ecn,
            "variant": self.variant,
        }

    def replayed(self, whom: str, found: Mapping[str, Any], average: Mapping[str, float]) -> str:
        """Return the law in a line."""
        wait = units.show_time(to_ns(self.ce_threshold))
        also = "" if self.ce_threshold == NEVER else f", marks every ECT frame that waits longer than {wait}"
        return (
            f"CoDel ({self.variant}): target {units.show_time(to_ns(self.target))}, interval "
            f"{units.show_time(to_ns(self.interval))}, {'marks what it can' if self.ecn else 'drops only'}{also}"
        )

    def waits(self, rate: int) -> list[tuple[str, float]]:
        """Return the target."""
        return [("CoDel's target", float(to_ns(self.target)))]


def to_units(nanoseconds: int) -> int:
    """Return the whole units of 1024 ns in a time."""
    return nanoseconds >> UNIT_SHIFT


def to_ns(count: int) -> int:
    """Return the nanoseconds of units."""
    return count << UNIT_SHIFT


def law(
    target_ns: int,
    interval_ns: int,
    *,
    ecn: bool = True,
    ce_threshold_ns: int | None = None,
    exempt_bytes: int | None = None,
    variant: str = "linux",
    switches: tuple[str, ...] = (),
) -> Codel:
    """Return the registers of CoDel, or what is wrong with its numbers."""
    if variant not in VARIANTS:
        raise TruemarkError(f"variant = '{variant}' is unknown; there are {', '.join(VARIANTS)}")
    if unknown := [name for name in switches if name not in SWITCHES]:
        raise TruemarkError(f"switch '{unknown[0]}' is unknown; there are {', '.join(SWITCHES)}")
    if to_units(interval_ns) == 0:
        raise TruemarkError(f"interval = {interval_ns} ns: it must be at least one unit of 1024 ns")
    for name, value in (("target", target_ns), ("ce_threshold", ce_threshold_ns)):
        if value and to_units(value) == 0:
            raise TruemarkError(f"{name} = {value} ns: it must be 0 or at least one unit of 1024 ns")
    if target_ns > interval_ns:
        raise TruemarkError(
            f"target = {target_ns / 1000:g} µs is above interval = {interval_ns / 1000:g} µs; the interval is the time "
            "for which the queue may stand above the target, so it must be at least the target"
        )
    if to_units(interval_ns) >= NEVER:
        raise TruemarkError(f"interval = {interval_ns} ns: allowed is less than 2^31 - 1 units of 1024 ns")
    threshold = NEVER if ce_threshold_ns is None else to_units(ce_threshold_ns)
    if ce_threshold_ns is not None and threshold >= NEVER:
        raise TruemarkError(f"ce_threshold = {ce_threshold_ns} ns: allowed is less than 2^31 - 1 units of 1024 ns")
    on = {*VARIANTS[variant], *switches}
    least = 1 if "exempt_below" in on else 0
    exempt = exempt_bytes if exempt_bytes is not None else NS3_MIN_BYTES if "exempt_below" in on else LINUX_MTU
    if not least <= exempt < 2**24:
        raise TruemarkError(f"exempt = {exempt} B: allowed is {least} to {2**24 - 1} B")
    return Codel(
        ecn=ecn,
        target=to_units(target_ns),
        interval=to_units(interval_ns),
        ce_threshold=threshold,
        exempt_bytes=exempt,
        **dict.fromkeys(on, True),
    )


def signal_gaps(interval: int, count: int) -> list[int]:
    """Return the units from one signal to the next, for counts from 1, by Linux's reciprocal root."""
    root, gaps = 0xFFFF, []
    for number in range(1, count + 1):
        if number > 1:
            wide = root << 16
            step = (3 << 32) - number * (wide * wide >> 32) >> 2
            root = step * wide >> 31 >> 16 & 0xFFFF
        gaps.append(interval * (root << 16) >> 32)
    return gaps
