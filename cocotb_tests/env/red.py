# SPDX-License-Identifier: BSD-3-Clause
"""RED as docs/red.md defines it, in whole numbers and fractions: what the tests of `rtl/admit` compare.

`Law` is one slot's configuration; env/red_port.py has a port, cycle by cycle. Nothing here is written for speed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal, getcontext
from enum import Enum
from fractions import Fraction
from functools import cache

from cocotb_tests.env.config_words import red_words
from cocotb_tests.env.tm_pkg import RED, STAMP_W, Spacing

getcontext().prec = 60

ONE = 1 << 24  # a byte of an average; probability 1 of maxp
WORD = 1 << 32
LAG, SETTLE, ROUND, VISIBLE = 7, 10, 48, 16
COUNT, COUNT_WAITS = 2, 6  # with Linux's spacing: what an evaluation knows of the count, and when a draw is known
GOLDEN = 0x9E3779B9
TIME = 1 << STAMP_W


class Region(Enum):
    """What an average says."""

    BELOW = 0
    BETWEEN = 1
    FORCED = 2


@dataclass(frozen=True)
class Law:
    """The configuration of one slot."""

    weight: int = 0
    min: int = 0
    max: int = 0
    maxp: int = ONE
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

    def pack(self) -> int:
        """Return it as red_t."""
        return RED.pack(weight=self.weight, spacing=self.spacing)

    def words(self, slot: int) -> dict[int, int]:
        """Return its words for a slot as they are sent, by place."""
        sent = self.slope << 8 if self.spacing is Spacing.LINUX else self.slope
        return red_words(slot, vars(self) | {"slope": sent})

    @classmethod
    def of(cls, low: int, high: int, maxp: int, *, gentle: bool = False, **others: object) -> Law:
        """Return a law with the slopes that belong to its thresholds, each with the finest scale that fits."""
        law = cls(min=low, max=high, maxp=maxp, gentle=gentle)
        if high > low:
            slope, scale = _scaled(Fraction(maxp, ONE * (high - low)))
            reciprocal = min(WORD * 256**scale // (high - low), WORD - 1)
            law = replace(law, slope=slope, slope_scale=scale, reciprocal=reciprocal)
        if gentle:
            slope, scale = _scaled(Fraction(ONE - maxp, ONE * high))
            law = replace(law, gentle_slope=slope, gentle_scale=scale)
        return replace(law, **others)  # type: ignore[arg-type]


def _scaled(slope: Fraction) -> tuple[int, int]:
    scale = 3
    while scale and slope * WORD * 256**scale > WORD - 1:
        scale -= 1
    return min(int(slope * WORD * 256**scale), WORD - 1), scale


def average_after(average: int, held: int, weight: int) -> int:
    """Return the average after a step that sees `held` bytes; `//` rounds down as the rule does."""
    return average + (held * ONE - average) // (1 << weight)


def average_after_linux(average: int, held: int, weight: int, idle: bool) -> int:
    """Return the same as Linux has it; `idle`: this step ends an idle time."""
    return average if idle else average + (held - average // ONE) * (ONE >> weight)


@cache
def power(exponent: Fraction, scale: int) -> int:
    """Return round(2^exponent * scale)."""
    value = Decimal(2) ** (Decimal(exponent.numerator) / Decimal(exponent.denominator)) * scale
    return int(value + Decimal("0.5"))


@cache
def halving(weight: int) -> int:
    """Return round(-log2(1 - 2^-W) * 2^W * 2^17)."""
    kept = 1 - Decimal(2) ** Decimal(-weight)
    exact = -kept.ln() / Decimal(2).ln() * Decimal(2) ** Decimal(weight + 17)
    return int(exact + Decimal("0.5"))


def ticks(elapsed: int, reciprocal: int, shift: int) -> int:
    """Return how many packet times an idle time is."""
    return min(elapsed * reciprocal >> shift, 2**30 - 1)


def decayed(average: int, elapsed: int, reciprocal: int, shift: int, weight: int) -> int:
    """Return what an idle time leaves of an average, bit for bit."""
    if weight == 0:
        return 0
    fall = ticks(elapsed, reciprocal, shift) * halving(weight) >> weight
    whole, fraction = divmod(fall, 2**17)
    if whole >= 64:
        return 0
    coarse, fine = divmod(fraction, 256)
    factor = power(Fraction(-coarse, 512), 2**16) * power(Fraction(-fine, 2**17), 2**16) >> 16
    return (average * factor >> 16) >> whole


def decayed_linux(average: int, elapsed: int, reciprocal: int, shift: int, weight: int) -> int:
    """Return what an idle time leaves of an average by tc's table, which `reciprocal` and `shift` stand for."""
    if weight == 0:
        return 0
    cell_log, unit = shift % 32, ONE >> weight
    microseconds = min(elapsed // 1000, 255 << cell_log)
    cell, held = microseconds >> cell_log, average // unit
    halvings = min(cell * reciprocal >> (16 if shift >= 32 else 20), 31) if cell < 255 else 31
    if halvings:
        return (held >> halvings) * unit
    less = held * microseconds >> cell_log
    return (held - less if less < held // 2 else held // 2) * unit


def evaluate(law: Law, average: int, slope: int | None = None) -> tuple[Region, int]:
    """Return the region of an average, and the probability in 2^-24; `slope` is ARED's.

    With Linux's spacing the bytes above min instead, which are what it works with.
    """
    held = average // ONE
    if held < law.min:
        return Region.BELOW, 0
    if held >= (2 * law.max if law.gentle else law.max):
        return Region.FORCED, 0
    if law.spacing is Spacing.LINUX:
        return Region.BETWEEN, held - law.min
    if held < law.max:
        chance = (held - law.min) * ((law.slope if slope is None else slope) >> 8) >> 8 * law.slope_scale
    else:
        chance = law.maxp + ((held - law.max) * (law.gentle_slope >> 8) >> 8 * law.gentle_scale)
    return Region.BETWEEN, min(chance, ONE - 1)


def next_word(word: int) -> int:
    """Return the word after this one: xorshift32."""
    word ^= word << 13 & (WORD - 1)
    word ^= word >> 17
    return word ^ (word << 5 & (WORD - 1))


def seed_of(seed: int, port: int) -> int:
    """Return the first word of a port."""
    return seed ^ GOLDEN * (port + 1) % WORD or 0x6D2B79F5


@dataclass
class Count:
    """What is left until the next signal, of one slot."""

    left: int = 0

    def reset(self, spacing: Spacing) -> None:
        """Start as after a law reset."""
        self.left = ONE // 2 + (ONE if spacing is Spacing.WAIT else 0)

    def step(self, spacing: Spacing, region: Region, chance: int, word: int) -> bool:
        """Take a frame; return whether a signal by chance meets it."""
        between, rest = region is Region.BETWEEN, self.left - chance
        signal = between and rest < 0
        if between and not signal and spacing is not Spacing.MEMORYLESS:
            self.left = rest
        else:
            self.left = (word >> 8) + (ONE if spacing is Spacing.WAIT else 0)
        return signal


@dataclass
class LinuxCount:
    """Linux's count of frames since the last signal, and its threshold, of one slot."""

    number: int = 0  # of the next frame; the first in the band, which draws a threshold, has 0
    threshold: int = 0

    def signals(self, above: int, seen: int | None) -> bool:
        """Say whether a frame in the band meets a signal; `seen`: its number, as far as it is known."""
        return self.number > 0 and seen is not None and above * seen >= self.threshold

    def step(self, region: Region, above: int, seen: int | None, word: int, slope: int) -> bool:
        """Take a frame; return whether a signal by chance meets it."""
        if region is not Region.BETWEEN:
            self.number = 0
            return False
        signal = self.signals(above, seen)
        if signal or self.number == 0:
            self.number, self.threshold = 0, word // slope
        self.number += 1
        return signal


def adapted(law: Law, maxp: int, average: int) -> tuple[int, int]:
    """Return maxp and slope after a step of ARED."""
    held, half = average // ONE, ONE // 2
    if held > law.band_high and maxp < half:
        maxp = min(maxp + min(167772, maxp // 4), half)
    elif held < law.band_low and maxp > law.bottom:
        maxp = max(maxp * 58982 >> 16, law.bottom)
    return maxp, min(maxp * law.reciprocal >> 24, WORD - 1)
