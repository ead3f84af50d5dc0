# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in RED's registers: probabilities, slopes, reciprocals and the tick of an idle queue.

The host computes them because the packet path never divides. A probability is a fraction of 2^24. A slope is in units
of 2^-(32 + 8*scale) per byte, and its upper 24 bits count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.errors import TruemarkError

ONE = 1 << 24  # probability 1 in a register
WEIGHT_MAX = 24
WORD_MAX = 2**32 - 1
LINUX_SLOPE_MAX = 2**24 - 1  # what Linux's spacing divides by
BYTES_MAX = 2**24 - 1  # what a threshold register holds
MEAN_PACKET = 500  # bytes, as ns-2
HALF = ONE // 2  # the most that ARED raises maxp to
IDLE_BITS = 17
ADAPT_INTERVAL_NS = 500_000_000
BOTTOM = Fraction(1, 100)


@dataclass(frozen=True)
class Unit:
    """What a law's thresholds and average count: registers hold `steps` for one of it."""

    name: str
    sign: str
    steps: int
    bytes: int  # that one is taken for by what counts only bytes
    rounded: Callable[[float], str]

    def number(self, value: int) -> float:
        """Return how many of it a register's value is, whole where it must be."""
        return value if self.steps == 1 else value / self.steps

    def text(self, value: int) -> str:
        """Return a register's value as a person reads it."""
        return f"{value / self.steps:,.10g} {self.sign}"

    def in_bytes(self, value: int) -> int:
        """Return a register's value in bytes."""
        return round_half_up(Fraction(value * self.bytes, self.steps))


BYTES = Unit("bytes", "B", 1, 1, units.show_size)
# The registers hold no mean packet, so a packet is the one of a profile that names none; its steps are the bytes of
# Ethernet's shortest frame (IEEE 802.3, 3.2.8).
PACKETS = Unit("packets", "pkt", 64, MEAN_PACKET, "{:.4g} pkt".format)
UNITS = {unit.name: unit for unit in (BYTES, PACKETS)}


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
    """Return numerator * 2^(base + 8*scale) / divisor, rounded, and the largest scale of 0..3 that fits 32 bits."""
    for scale in (3, 2, 1, 0):
        value = round_half_up(Fraction(numerator << (base + 8 * scale), divisor))
        if value <= WORD_MAX:
            return value, scale
    return WORD_MAX, 0  # 2^32 exactly: probability 1 one byte above min


def round_half_up(value: Fraction) -> int:
    """Return the nearest integer."""
    return math.floor(value + Fraction(1, 2))


def parse_probability(value: float | str | Fraction, name: str = "probability") -> Fraction:
    """Return a probability in (0, 1], also as a percentage."""
    try:
        text = str(value).strip()
        found = units.fraction(text[:-1]) / 100 if text.endswith("%") else units.fraction(text)
    except (ValueError, ZeroDivisionError):
        raise TruemarkError(f"{name} '{value}' is not a number; write for example 0.1 or 10%") from None
    if not 0 < found <= 1:
        raise TruemarkError(f"{name} = {value}: allowed is more than 0 and at most 1")
    if round_half_up(found * ONE) == 0:
        raise TruemarkError(f"{name} = {value}: the least that the registers hold is 2^-24, about 6e-8")
    return found


def linux_slope(maxp: int, span: int, unit: Unit = BYTES) -> tuple[int, int]:
    """Linux's divisor R = floor(maxP / D), in the only scale that spacing has.

    `span` is max - min, as registers hold them. Raises TruemarkError if R has over 24 bits.
    """
    divisor = max((maxp << 8) // span, 1)
    if divisor > LINUX_SLOPE_MAX:
        least = (maxp << 8) // (LINUX_SLOPE_MAX + 1) + 1
        raise TruemarkError(
            f'spacing = "linux": a probability of {maxp / ONE:g} over {unit.text(span)} is too steep for its slope of '
            f"24 bits; max must be at least {unit.text(least)} above min, or take spacing uniform"
        )
    return divisor, 0


def idle(tick_ns: Fraction) -> Idle:
    """Return the reciprocal of a tick with as many bits as the register has."""
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
    """Return the nanoseconds that a packet takes at a rate."""
    return Fraction(mean_packet * 8 * 10**9, rate)
