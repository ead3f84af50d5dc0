# SPDX-License-Identifier: BSD-3-Clause
"""RED as tests configure it: `Law` is one slot's configuration, and what the golden model makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from truemark_dev.golden import golden

from cocotb_tests.env.config_words import red_words
from cocotb_tests.env.tm_pkg import RED, STAMP_W, Spacing

ONE = 1 << 24  # a byte of an average; probability 1 of maxp
WORD = 1 << 32
ROUND = 48  # cycles from one visit of the shared unit to the next
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
    packets: bool = False

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


def evaluate(law: Law, average: int, slope: int | None = None) -> tuple[Region, int]:
    """Return the region of an average, and the probability in 2^-24; `slope` is ARED's.

    With Linux's spacing the bytes above min instead, which are what it works with.
    """
    region, chance, above = golden().evaluate(vars(law), average, law.slope if slope is None else slope)
    return Region(region), above if law.spacing is Spacing.LINUX else chance
