# SPDX-License-Identifier: BSD-3-Clause
"""RED and CoDel between settings and shadow registers: which field of a law is which register."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from truemark.device import registers
from truemark.device.outcomes import Spacing
from truemark.device.registers import REGISTERS, Register
from truemark.laws.codel import SWITCHES, Codel
from truemark.laws.red import Idle, Red

Read = Callable[[Register], int]
# Fields of a law that have a register of their own.
WHOLE = ("min", "max", "maxp", "slope", "gentle_slope", "reciprocal", "bottom", "band_low", "band_high")
CODEL_WHOLE = ("target", "interval", "ce_threshold", "exempt_bytes")


def red_words(slot: int, law: Red) -> Iterator[tuple[Register, int]]:
    """The registers of a law slot and their words."""
    settings = REGISTERS[f"RED{slot}_SETTINGS"]
    yield (
        settings,
        settings.pack(
            weight=law.weight,
            spacing=law.spacing,
            gentle=law.gentle,
            adaptive=law.adaptive,
            slope_scale=law.slope_scale,
            gentle_scale=law.gentle_scale,
        ),
    )
    for name in WHOLE:
        yield REGISTERS[f"RED{slot}_{name.upper()}"], getattr(law, name)


def read_red(slot: int, read: Read) -> Red:
    """The law of a slot, as the registers hold it."""
    settings = REGISTERS[f"RED{slot}_SETTINGS"]
    found = settings.unpack(read(settings))
    whole = {name: read(REGISTERS[f"RED{slot}_{name.upper()}"]) for name in WHOLE}
    return Red(
        weight=found["weight"],
        spacing=Spacing(found["spacing"]),
        gentle=bool(found["gentle"]),
        adaptive=bool(found["adaptive"]),
        slope_scale=found["slope_scale"],
        gentle_scale=found["gentle_scale"],
        **whole,
    )


def idle_words(idle: Idle | None, interval_ns: int | None) -> Iterator[tuple[Register, int]]:
    """The registers that both slots share."""
    if idle is not None:
        yield registers.IDLE_RECIPROCAL, idle.reciprocal
        yield registers.IDLE_SHIFT, idle.shift
    if interval_ns is not None:
        yield registers.ADAPT_INTERVAL, interval_ns


def read_idle(read: Read) -> Idle:
    """The tick of an idle queue."""
    return Idle(read(registers.IDLE_RECIPROCAL), read(registers.IDLE_SHIFT))


def codel_words(law: Codel | None) -> Iterator[tuple[Register, int]]:
    """The registers of CoDel; without it only the switch."""
    if law is None:
        yield registers.CODEL_SETTINGS, 0
        return
    switches = {name: int(getattr(law, name)) for name in SWITCHES}
    yield registers.CODEL_SETTINGS, registers.CODEL_SETTINGS.pack(on=1, ecn=int(law.ecn), **switches)
    for name in CODEL_WHOLE:
        yield REGISTERS[f"CODEL_{name.upper()}"], getattr(law, name)


def read_codel(read: Read) -> Codel | None:
    """CoDel as the registers hold it, if it is on."""
    found = registers.CODEL_SETTINGS.unpack(read(registers.CODEL_SETTINGS))
    if not found["on"]:
        return None
    switches = {name: bool(found[name]) for name in ("ecn", *SWITCHES)}
    whole = {name: read(REGISTERS[f"CODEL_{name.upper()}"]) for name in CODEL_WHOLE}
    return Codel(**switches, **whole)  # type: ignore[arg-type]
