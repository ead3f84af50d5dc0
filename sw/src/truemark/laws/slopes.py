# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in RED's registers: probabilities, slopes, reciprocals and the tick of an idle queue.

The host computes them because the packet path never divides. A probability is a fraction of 2^24. A slope is in units
of 2^-(32 + 8*scale) per byte, and its upper 24 bits count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.errors import TruemarkError

ONE = 1 << 24  # probability 1 in a register
WEIGHT_MAX = 24
WORD_MAX = 2**32 - 1
LINUX_SLOPE_MAX = 2**24 - 1  # what Linux's spacing divides by
BYTES_MAX = 2**24 - 1  # what a threshold register holds
# What a packet counts for where a queue is counted in packets: Ethernet's shortest frame (IEEE 802.3, 3.2.8).
PER_PACKET = 64
MEAN_PACKET = 500  # bytes, as ns-2
HALF = ONE // 2  # the most that ARED raises maxp to
IDLE_BITS = 17
ADAPT_INTERVAL_NS = 500_000_000
BOTTOM = Fraction(1, 100)


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


def linux_slope(maxp: int, span: int, *, packets: bool = False) -> tuple[int, int]:
    """Linux's divisor R = floor(maxP / D), in the only scale that spacing has.

    `span` is max - min, in bytes or, with `packets`, in 64ths of a packet. Raises TruemarkError if R has over 24 bits.
    """
    divisor = max((maxp << 8) // span, 1)
    if divisor > LINUX_SLOPE_MAX:
        least = (maxp << 8) // (LINUX_SLOPE_MAX + 1) + 1
        over, wanted = f"{span} B", f"{least} B"
        if packets:  # what is wanted is rounded up, so that it is enough
            over, wanted = f"{span / PER_PACKET:.10g} packets", f"{math.ceil(100 * least / PER_PACKET) / 100:g} packets"
        raise TruemarkError(
            f'spacing = "linux": a probability of {maxp / ONE:g} over {over} is too steep for its slope of 24 bits; '
            f"max must be at least {wanted} above min, or take spacing uniform"
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
