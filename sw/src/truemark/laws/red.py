# SPDX-License-Identifier: BSD-3-Clause
"""RED as its registers hold it: slopes, reciprocals and idle ticks.

The host computes them because the packet path never divides. A probability is a fraction of 2^24. A slope is in units
of 2^-(32 + 8*scale) per byte, and its upper 24 bits count. A commit refuses slopes that do not belong to their min, max
and maxp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError

ONE = 1 << 24  # probability 1 in a register
WEIGHT_MAX = 24
WORD_MAX = 2**32 - 1
LINUX_SLOPE_MAX = 2**24 - 1  # what Linux's spacing divides by
BYTES_MAX = 2**24 - 1  # what a threshold register holds
HALF = ONE // 2  # the most that ARED raises maxp to
IDLE_BITS = 17
ADAPT_INTERVAL_NS = 500_000_000
BOTTOM = Fraction(1, 100)

# Signals per frame at a constant probability p, in units of p, as p becomes small (docs/red.md).
SPACING_RATE = {
    Spacing.MEMORYLESS: 1.0,
    Spacing.UNIFORM: 2.0,
    Spacing.WAIT: 2 / 3,
    Spacing.LINUX: 2.0,
}


@dataclass(frozen=True)
class Red:
    """The registers of RED in one law slot."""

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

    @property
    def probability(self) -> float:
        """The probability at max."""
        return self.maxp / ONE

    def probability_at(self, average: float) -> float:
        """The probability at an average queue in bytes; 1 where signals are forced."""
        if average < self.min:
            return 0.0
        if average < self.max:
            return self.probability * (average - self.min) / (self.max - self.min)
        if self.gentle and average < 2 * self.max:
            return self.probability + (1 - self.probability) * (average - self.max) / self.max
        return 1.0


@dataclass(frozen=True)
class Idle:
    """A tick of an idle queue: (nanoseconds * reciprocal) >> shift packet times have passed."""

    reciprocal: int = 0
    shift: int = 0

    @property
    def tick_ns(self) -> float:
        """The transmission time of a mean packet."""
        return (1 << self.shift) / self.reciprocal


def scaled(numerator: int, divisor: int, base: int) -> tuple[int, int]:
    """The numerator * 2^(base + 8*scale) / divisor to the nearest, and the largest scale of 0..3 that fits 32 bits."""
    for scale in (3, 2, 1, 0):
        value = round_half_up(Fraction(numerator << (base + 8 * scale), divisor))
        if value <= WORD_MAX:
            return value, scale
    return WORD_MAX, 0  # 2^32 exactly: probability 1 one byte above min


def round_half_up(value: Fraction) -> int:
    """The nearest integer."""
    return math.floor(value + Fraction(1, 2))


def parse_probability(value: float | str | Fraction, name: str = "probability") -> Fraction:
    """A probability in (0, 1], also as a percentage."""
    try:
        text = str(value).strip()
        found = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise TruemarkError(f"{name} '{value}' is not a number; write for example 0.1 or 10%") from None
    if not 0 < found <= 1:
        raise TruemarkError(f"{name} = {value}: allowed is more than 0 and at most 1")
    if round_half_up(found * ONE) == 0:
        raise TruemarkError(f"{name} = {value}: the least that the registers hold is 2^-24, about 6e-8")
    return found


def parse_spacing(name: str) -> Spacing:
    """A spacing by its name."""
    names = [spacing.name.lower() for spacing in Spacing]
    if name not in names:
        raise TruemarkError(f"spacing = '{name}' is unknown; there are {', '.join(names)}")
    return Spacing[name.upper()]


def nearest_weight(weight: float) -> int:
    """W of the power of two nearest to a weight, on the scale of ratios."""
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
) -> Red:
    """The registers of a RED law, or what is wrong with its numbers."""
    if not 0 <= weight <= WEIGHT_MAX:
        raise TruemarkError(f"weight W = {weight}: allowed is 0 to {WEIGHT_MAX} (the average moves by 2^-W)")
    if minimum > maximum:
        raise TruemarkError(f"min = {minimum} B is above max = {maximum} B; min must be at most max")
    if not 1 <= maximum <= BYTES_MAX:
        raise TruemarkError(f"max = {maximum} B: allowed is 1 to {BYTES_MAX} B")
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
        slope, scale = linux_slope(maxp, span) if spacing is Spacing.LINUX else scaled(maxp, span, 8)
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


def linux_slope(maxp: int, span: int) -> tuple[int, int]:
    """Linux's divisor R = floor(maxP / D), in the only scale that spacing has."""
    divisor = max((maxp << 8) // span, 1)
    if divisor > LINUX_SLOPE_MAX:
        least = (maxp << 8) // (LINUX_SLOPE_MAX + 1) + 1
        raise TruemarkError(
            f'spacing = "linux": a probability of {maxp / ONE:g} over {span} B is too steep for its slope of 24 bits; '
            f"max must be at least {least} B above min, or take spacing uniform"
        )
    return divisor, 0


def idle(tick_ns: Fraction) -> Idle:
    """The reciprocal of a tick with as many bits as the register has."""
    if tick_ns <= 0:
        raise TruemarkError(f"a packet time of {float(tick_ns):g} ns; it must be above 0")
    shift = IDLE_BITS - 1
    while shift > 0 and (1 << shift) / tick_ns >= 1 << IDLE_BITS:
        shift -= 1
    while shift < 63 and round_half_up((1 << (shift + 1)) / tick_ns) < 1 << IDLE_BITS:
        shift += 1
    reciprocal = min(round_half_up((1 << shift) / tick_ns), (1 << IDLE_BITS) - 1)
    if reciprocal == 0:
        raise TruemarkError(f"a packet time of {float(tick_ns):g} ns is longer than an idle clock of 42 bits counts")
    return Idle(reciprocal, shift)


def packet_time(mean_packet: int, rate: int) -> Fraction:
    """Nanoseconds that a packet takes at a rate."""
    return Fraction(mean_packet * 8 * 10**9, rate)


def describe(red: Red) -> str:
    """The law in a line."""
    extras = [name for name, there in (("gentle", red.gentle), ("adaptive", red.adaptive)) if there]
    return (
        f"{units.show_size(red.min)} to {units.show_size(red.max)}, p {red.probability:.4g}, W {red.weight}, "
        + ", ".join([red.spacing.name.lower(), *extras])
    )
