# SPDX-License-Identifier: BSD-3-Clause
"""RED in one law slot: its registers, and what can be said of it.

A commit refuses slopes that do not belong to their min, max and maxp.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

from truemark import units
from truemark.device.registers import REGISTERS, Register, Spacing
from truemark.device.registers import Law as Code
from truemark.errors import TruemarkError
from truemark.laws.law import BufferLimit, Limits, Line, PortLaw, Read
from truemark.laws.slopes import (
    BOTTOM,
    BYTES,
    BYTES_MAX,
    HALF,
    ONE,
    PACKETS,
    UNITS,
    WEIGHT_MAX,
    WORD_MAX,
    Idle,
    Unit,
    linux_slope,
    packet_time,
    parse_probability,
    round_half_up,
    scaled,
)
from truemark.laws.step import SHORTEST

if TYPE_CHECKING:
    from truemark.laws.tables import DcqcnTable, RedTable
    from truemark.units import Size

# Signals per frame at a constant probability p, in units of p, as p becomes small (docs/red-rules.md).
SPACING_RATE = {
    Spacing.MEMORYLESS: 1.0,
    Spacing.UNIFORM: 2.0,
    Spacing.WAIT: 2 / 3,
    Spacing.LINUX: 2.0,
}


# Fields of the law that have a register of their own.
WHOLE = ("min", "max", "maxp", "slope", "gentle_slope", "reciprocal", "bottom", "band_low", "band_high")
SETTINGS = ("weight", "spacing", "gentle", "adaptive", "packets", "slope_scale", "gentle_scale")
# A weight is called small if a buffer full of packets moves the average by less than this share of the way.
SMALL_MOVE = 0.05


@dataclass(frozen=True)
class Red(PortLaw):
    """The registers of RED in one law slot; with `packets`, thresholds are in 64ths of a packet instead of bytes."""

    CODE: ClassVar[Code] = Code.RED
    BUILT: ClassVar[str] = "red"
    NAME: ClassVar[str] = "RED"
    NEEDS: ClassVar[str] = (
        "RED's min, max, probability and weight, in a profile's table [{key}]; "
        "`truemark plan {plan} ... --profile FILE.toml` writes one"
    )
    HEADINGS: ClassVar[tuple[str, ...]] = (
        "min",
        "max",
        "p at\nmax",
        "W",
        "spacing",
        "gentle",
        "adaptive",
        "idle\ntick",
    )

    weight: int = 0
    min: int = 0
    max: int = 0
    maxp: int = 0
    slope: int = 0
    slope_scale: int = 0
    gentle: bool = False
    gentle_slope: int = 0
    gentle_scale: int = 0
    spacing: Spacing = Spacing.UNIFORM
    adaptive: bool = False
    reciprocal: int = 0
    bottom: int = 0
    band_low: int = 0
    band_high: int = 0
    packets: bool = False

    @property
    def unit(self) -> Unit:
        """What its thresholds and its average count."""
        return PACKETS if self.packets else BYTES

    @property
    def ends(self) -> dict[str, int]:
        """Min and max."""
        return {"min": self.min, "max": self.max}

    @property
    def probability(self) -> float:
        """The probability at max."""
        return self.maxp / ONE

    @property
    def of_a_switch(self) -> bool:
        """Whether it is what a switch's Kmin, Kmax and Pmax mean: no average, and no frame knows of another."""
        own = (self.weight, self.spacing, self.gentle, self.adaptive, self.packets)
        return own == (0, Spacing.MEMORYLESS, False, False, False)

    def probability_at(self, average: float) -> float:
        """Return the probability at an average queue, as thresholds count it; 1 where signals are forced."""
        if average < self.min:
            return 0.0
        if average < self.max:
            return self.probability * (average - self.min) / (self.max - self.min)
        if self.gentle and average < 2 * self.max:
            return self.probability + (1 - self.probability) * (average - self.max) / self.max
        return 1.0

    @classmethod
    def of(cls, written: RedTable | DcqcnTable, line: Line, key: str) -> Red:
        """Return the law that a person wrote; an error names the table."""
        unit = UNITS[written.unit]

        def counted(size: Size, name: str) -> int:
            return in_packets(size, name) if unit is PACKETS else line.bytes(size, name)

        try:
            return law(
                counted(written.min, "min"),
                counted(written.max, "max"),
                written.probability,
                written.weight,
                spacing=parse_spacing(written.spacing),
                gentle=written.gentle,
                adaptive=written.adaptive,
                bottom=written.bottom,
                unit=unit,
            )
        except TruemarkError as error:
            raise TruemarkError(f"[{key}] {error}") from None

    def words(self, slot: int) -> Iterator[tuple[Register, int]]:
        """Yield the registers of its slot."""
        settings = REGISTERS[f"RED{slot}_SETTINGS"]
        yield settings, settings.pack(**{name: getattr(self, name) for name in SETTINGS})
        for name in WHOLE:
            yield REGISTERS[f"RED{slot}_{name.upper()}"], getattr(self, name)

    @classmethod
    def read(cls, slot: int, read: Read) -> Self:
        """Return the law of a slot, as the registers hold it."""
        settings = REGISTERS[f"RED{slot}_SETTINGS"]
        found = settings.unpack(read(settings))
        whole = {name: read(REGISTERS[f"RED{slot}_{name.upper()}"]) for name in WHOLE}
        switches = {name: bool(found[name]) for name in ("gentle", "adaptive", "packets")}
        typed = {"spacing": Spacing(found["spacing"]), **switches}
        return cls(**{name: found[name] for name in SETTINGS} | typed | whole)  # type: ignore[arg-type]

    @property
    def features(self) -> frozenset[str]:
        """RED, and Linux's spacing of it."""
        return frozenset({"red", "red_linux"} if self.spacing is Spacing.LINUX else {"red"})

    def refuse(self, limits: Limits, limit_bytes: int | None) -> str:
        """Return why a build refuses a spacing that not every RED has, or nothing."""
        if self.spacing is not Spacing.LINUX or "red_linux" in limits.able:
            return ""
        return (
            'spacing = "linux": this build has no such spacing (its CAPABILITIES register says so); '
            "take uniform, which signals as often"
        )

    def warnings(self, name: str, limit: BufferLimit, rate: int | None, packet: int) -> list[str]:
        """Return warnings of thresholds beyond the limits, and of a weight too small to act."""
        tick = float(packet_time(packet, rate)) if rate else 0.0
        return [*self.reach(limit, name), *self.slow(limit.bytes, packet, tick, name)]

    def full(self, limit: BufferLimit) -> tuple[int, str] | None:
        """Return the queue that a limit allows, as thresholds count it, and which limit that is; None without one.

        On Ethernet a byte limit holds no more packets than frames of the least length.
        """
        if not self.packets:
            return None if limit.bytes is None else (limit.bytes, f"the {limit.bytes:,} B that the queue can hold")
        bounds = []
        if limit.packets is not None:
            bounds.append((limit.packets, f"the limit of {limit.packets:,} packets"))
        if limit.bytes is not None:
            most = limit.bytes // SHORTEST
            bounds.append((most, f"the {most:,} shortest frames that the queue can hold in {limit.bytes:,} B"))
        if not bounds:
            return None
        most, which = min(bounds)
        return self.unit.steps * most, which

    def reach(self, limit: BufferLimit, name: str = "RED") -> list[str]:
        """Return what a limit leaves of the law: one in bytes, or where it counts packets also one in packets."""
        found = self.full(limit)
        if found is None:
            return []
        full, which = found
        if self.min >= full:
            least = self.unit.text(self.min)
            return [f"{name} never acts: min = {least} is not below {which}; the queue is a plain droptail"]
        if self.max > full:
            most = self.probability_at(full)
            return [
                f"{name} never reaches max = {self.unit.text(self.max)}, which is beyond {which}: a full queue has "
                f"p = {most:.3g}, and no signal is ever forced"
            ]
        return []

    def slow(self, limit_bytes: int | None, packet: int, tick_ns: float, name: str = "RED") -> list[str]:
        """Return what a small weight means."""
        if self.weight == 0 or limit_bytes is None:
            return []
        packets = limit_bytes / packet
        move = -math.expm1(packets * math.log1p(-(2.0**-self.weight)))
        if move >= SMALL_MOVE:
            return []
        constant = time_constant(self.weight)
        return [
            f"{name} hardly acts: weight 2^-{self.weight} has a time constant of {constant:,} packets = "
            f"{units.show_time(constant * tick_ns)} at line rate; all {packets:,.0f} packets of {packet} B that the "
            f"buffer holds move the average by {move:.2%} of the way"
        ]

    def cells(self, idle: Idle | None) -> tuple[str, ...]:
        """Its row of the table of RED."""
        tick = "-" if idle is None or not idle.reciprocal else f"{idle.tick_ns:.4g} ns"
        return (
            *(self.unit.text(value).replace(",", "") for value in self.ends.values()),
            f"{self.probability:.4g}",
            str(self.weight),
            self.spacing.name.lower(),
            "yes" if self.gentle else "no",
            f"from {self.bottom / ONE:.2g}" if self.adaptive else "no",
            "tc's table" if self.spacing is Spacing.LINUX and tick != "-" else tick,
        )

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {f"{name}_{self.unit.name}": self.unit.number(value) for name, value in self.ends.items()} | {
            "probability": self.probability,
            "weight_w": self.weight,
            "spacing": self.spacing.name.lower(),
            "gentle": self.gentle,
            "adaptive": self.adaptive,
        }

    def replayed(self, whom: str, found: Mapping[str, Any], average: Mapping[str, float]) -> str:
        """Return the law, and what its average did."""
        unit = self.unit
        least, most = (unit.rounded(unit.number(value)) for value in self.ends.values())
        highest, mean = (unit.rounded(average.get(f"{which}_{unit.name}", 0.0)) for which in ("max", "mean"))
        return (
            f"RED{whom}: min {least}, max {most}, p {self.probability:.3g} at max, W {self.weight}, spacing "
            f"{self.spacing.name.lower()}; average at most {highest}, {mean} in the mean"
        )

    @property
    def onset(self) -> int | None:
        """Min; None if it is no queue in bytes."""
        return None if self.packets else self.min

    @property
    def levels(self) -> list[tuple[str, int]]:
        """Min and max, where they are bytes."""
        ends = {} if self.packets else self.ends
        return [(f"{name} = {units.show_size(value)}", value) for name, value in ends.items()]


def time_constant(weight: int) -> int:
    """Return the packets in which the average covers 1 - 1/e of the way to a queue that stands still."""
    return 1 << weight if weight else 0


def parse_spacing(name: str) -> Spacing:
    """Return a spacing by its name."""
    names = [spacing.name.lower() for spacing in Spacing]
    if name not in names:
        raise TruemarkError(f"spacing = '{name}' is unknown; there are {', '.join(names)}")
    return Spacing[name.upper()]


def in_packets(size: Size, name: str) -> int:
    """Return 64ths of a packet of a size in packets; another size is refused."""
    if size.unit != "pkt":
        raise TruemarkError(
            f'{name} = \'{size}\' is no number of packets, which unit = "packets" wants, such as {name} = "12.5pkt"'
        )
    return round_half_up(size.number * PACKETS.steps)


def nearest_weight(weight: float) -> int:
    """Return the W of the power of two nearest to a weight, on the scale of ratios."""
    return round(-math.log2(weight))


def law(
    minimum: int,
    maximum: int,
    probability: Fraction,
    weight: int,
    *,
    spacing: Spacing = Spacing.UNIFORM,
    gentle: bool = False,
    adaptive: bool = False,
    bottom: Fraction = BOTTOM,
    unit: Unit = BYTES,
) -> Red:
    """Return the registers of a RED law, or what is wrong with its numbers; min and max are as registers hold them."""
    if not 0 <= weight <= WEIGHT_MAX:
        raise TruemarkError(f"weight W = {weight}: allowed is 0 to {WEIGHT_MAX} (the average moves by 2^-W)")
    if minimum < 0:
        raise TruemarkError(f"min = {unit.text(minimum)}: it must not be negative")
    if minimum > maximum:
        raise TruemarkError(f"min = {unit.text(minimum)} is above max = {unit.text(maximum)}; min must be at most max")
    if not 1 <= maximum <= BYTES_MAX:
        raise TruemarkError(f"max = {unit.text(maximum)}: allowed is {unit.text(1)} to {unit.text(BYTES_MAX)}")
    maxp = round_half_up(parse_probability(probability) * ONE)
    span = maximum - minimum
    if spacing is Spacing.LINUX and (gentle or adaptive):
        switch = "gentle" if gentle else "adaptive"
        raise TruemarkError(
            f'{switch} = true: spacing = "linux" has one slope, which stays; set {switch} = false, or take spacing '
            "uniform, which signals as often"
        )
    slope, scale, reciprocal = 0, 0, 0
    if span and adaptive:  # the slope follows maxp in this scale, up to 1/2: the reciprocal is what must fit
        reciprocal, scale = scaled(1, span, 32)
        slope = min(round_half_up(Fraction(maxp << (8 + 8 * scale), span)), WORD_MAX)
    elif span:
        if spacing is Spacing.LINUX:
            slope, scale = linux_slope(maxp, span, unit)
        else:
            slope, scale = scaled(maxp, span, 8)
    gentle_slope, gentle_scale = scaled(ONE - maxp, maximum, 8) if gentle else (0, 0)
    least = round_half_up(parse_probability(bottom, "bottom") * ONE) if adaptive else 0
    if adaptive:
        check_adaptive(maxp, least, span)
    return Red(
        weight=weight,
        min=minimum,
        max=maximum,
        maxp=maxp,
        slope=slope,
        slope_scale=scale,
        gentle=gentle,
        gentle_slope=gentle_slope,
        gentle_scale=gentle_scale,
        spacing=spacing,
        adaptive=adaptive,
        reciprocal=reciprocal,
        bottom=least,
        band_low=minimum + 2 * span // 5 if adaptive else 0,
        band_high=minimum + 3 * span // 5 if adaptive else 0,
        packets=unit is PACKETS,
    )


def check_adaptive(maxp: int, bottom: int, span: int) -> None:
    """Refuse what ARED cannot adapt."""
    if not span:
        raise TruemarkError(
            "adaptive with min = max: there is no slope to adapt; set max above min, or adaptive = false"
        )
    if maxp > HALF:
        raise TruemarkError(f"probability = {maxp / ONE:g} with adaptive: allowed is at most 0.5, where ARED stops")
    if bottom > maxp:
        raise TruemarkError(
            f"bottom = {bottom / ONE:g} is above the probability {maxp / ONE:g}; ARED lowers it down to bottom"
        )
