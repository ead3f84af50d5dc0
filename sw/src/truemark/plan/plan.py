# SPDX-License-Identifier: BSD-3-Clause
"""What a plan is: figures with their units, remarks, and the profile that would set them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from truemark import units
from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.laws import red, slopes, tc_red
from truemark.laws.law import BufferLimit
from truemark.laws.policies import BUFFERS

RATE_UNITS = {"G": 10**9, "M": 10**6, "k": 10**3, "": 1}


@dataclass(frozen=True)
class Figure:
    """A number with its name, its unit and what it is."""

    key: str
    name: str
    value: Any
    unit: str
    shown: str = ""

    @property
    def text(self) -> str:
        """For people."""
        return self.shown or (f"{self.value:,}" if isinstance(self.value, int) else f"{self.value:.6g}")


@dataclass
class Plan:
    """What was worked out."""

    kind: str
    title: str
    figures: list[Figure] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    profile: str | None = None  # None: what the remarks say rules it out

    def add(self, key: str, name: str, value: Any, unit: str, shown: str = "") -> None:
        """Add a figure."""
        self.figures.append(Figure(key, name, value, unit, shown))

    def to_json(self) -> dict[str, Any]:
        """Plain data: the figures by their keys, their units next to them."""
        return {
            "plan": self.kind,
            **{figure.key: figure.value for figure in self.figures},
            "units": {figure.key: figure.unit for figure in self.figures if figure.unit},
            "remarks": self.remarks,
        }


@dataclass(frozen=True)
class Buffer:
    """A buffer to hold thresholds against."""

    name: str
    limit: BufferLimit

    def lines(self) -> list[str]:
        """Its lines of a profile."""
        if self.name in BUFFERS:
            return [f'buffer = "{self.name}"']
        return [f"limit_bytes = {self.limit.bytes}"]


def find_buffer(text: str, packets: bool, rate: int | None, packet: int) -> Buffer:
    """Return a buffer by name or size; the names mean packets where thresholds do, and a time needs a rate."""
    name = f"{text}-pkt" if packets and f"{text}-pkt" in BUFFERS else text
    if name in BUFFERS:
        return Buffer(name, BUFFERS[name])
    if not text[:1].isdigit():
        raise TruemarkError(f"buffer '{text}' is unknown; there are {', '.join(BUFFERS)}, or a size such as 300kB")
    size = units.parse_size(text, "buffer", rate, packet)
    if size < 1:
        raise TruemarkError(f"buffer = {size} B: it must be above 0")
    return Buffer(text, BufferLimit(size))


def rate_text(rate: int) -> str:
    """Return a rate as a profile has it."""
    return next(f"{rate // scale}{unit}" for unit, scale in RATE_UNITS.items() if rate % scale == 0)


def plain(value: Fraction) -> int | float:
    """Return an integer if it is one."""
    return int(value) if value.denominator == 1 else float(value)


def red_lines(table: str, law: red.Red, probability: Fraction, bottom: Fraction) -> list[str]:
    """Return a table of a profile."""
    lines = [
        f"[{table}]",
        f'min = "{law.min}B"',
        f'max = "{law.max}B"',
        f"probability = {float(probability):.9g}",
        f"weight = {law.weight} # the average moves by 2^-{law.weight} of the difference",
        f'spacing = "{law.spacing.name.lower()}"',
        f"gentle = {str(law.gentle).lower()}",
    ]
    return [*lines, "adaptive = true", f"bottom = {float(bottom):.9g}"] if law.adaptive else lines


def add_red(plan: Plan, law: red.Red, prefix: str = "") -> None:
    """Add the registers of a law."""
    label = {"": "", "ect_": "ECT ", "nonect_": "Not-ECT "}[prefix]
    plan.add(f"{prefix}maxp", f"{label}maxp", law.maxp, "2^-24", f"{law.maxp:,}")
    scale = 32 + 8 * law.slope_scale
    plan.add(f"{prefix}slope", f"{label}slope", law.slope, f"2^-{scale} per byte above min")
    plan.add(f"{prefix}slope_scale", f"{label}slope scale", law.slope_scale, "")
    if law.gentle:
        scale = 32 + 8 * law.gentle_scale
        plan.add(f"{prefix}gentle_slope", f"{label}gentle slope", law.gentle_slope, f"2^-{scale} per byte above max")
        plan.add(f"{prefix}gentle_scale", f"{label}gentle scale", law.gentle_scale, "")
    if law.adaptive:
        plan.add(f"{prefix}reciprocal", f"{label}reciprocal", law.reciprocal, f"2^-{32 + 8 * law.slope_scale}")
        plan.add(f"{prefix}bottom_register", f"{label}bottom", law.bottom, "2^-24")
        plan.add(f"{prefix}band_low_bytes", f"{label}ARED lowers maxp below", law.band_low, "B")
        plan.add(f"{prefix}band_high_bytes", f"{label}ARED raises maxp above", law.band_high, "B")


def add_idle(plan: Plan, packet: int, rate: int, law: red.Red) -> slopes.Idle:
    """Add the tick of an idle queue, or with spacing `linux` the two words of tc's table; return them."""
    time = slopes.packet_time(packet, rate)
    idle = tc_red.idle_of([law], time)
    if law.spacing is Spacing.LINUX:
        plan.add("idle_cell_us", "idle cell (2^Scell_log)", 1 << idle.shift % 32, "µs")
    else:
        plan.add("idle_tick_ns", "idle tick", plain(time), "ns", f"{idle.tick_ns:.6g}")
    plan.add("idle_reciprocal", "idle reciprocal", idle.reciprocal, "")
    plan.add("idle_shift", "idle shift", idle.shift, "bits")
    return idle
