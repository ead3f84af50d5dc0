# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of which runs may know one end only, by seed, and the interval of their median."""

from __future__ import annotations

import math
from statistics import median
from typing import NamedTuple

import numpy as np

RESAMPLES = 10_000
SEED = 1  # of the bootstrap, so that a report says the same twice


class Range(NamedTuple):
    """What is known of a number: it lies between the two, which are the same unless a run was open at its stop time."""

    low: float
    high: float

    def over(self, other: Range) -> Range:
        """Return what is known of the ratio of two numbers that are not negative."""
        return Range(ratio(self.low, other.high), ratio(self.high, other.low))

    @property
    def number(self) -> float | None:
        """The number where it is known and finite, as JSON has it."""
        return self.low if self.low == self.high and math.isfinite(self.low) else None

    @property
    def known(self) -> bool:
        """Whether anything is known."""
        return not (math.isnan(self.low) or math.isnan(self.high) or (self.low == 0 and self.high == math.inf))

    @property
    def data(self) -> float | list[float | None]:
        """It as JSON has it: a number, or its two ends, without those that are infinite."""
        ends = [end if math.isfinite(end) else None for end in self]
        return self.low if self.number is not None else ends

    @classmethod
    def of(cls, data: float | list[float | None]) -> Range:
        """Return it from its data."""
        ends = data if isinstance(data, list) else [data, data]
        return cls(*(math.inf if end is None else end for end in ends))

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.low:.3g}"
        if self.high == math.inf:
            return f"over {self.low:.3g}"
        return f"{self.low:.3g} to {self.high:.3g}" if self.low > 0 else f"under {self.high:.3g}"


UNKNOWN = Range(math.nan, math.nan)


def ratio(left: float, right: float) -> float:
    """Return a ratio; of a number to nothing infinity, of nothing to nothing not a number."""
    if left == math.inf == right:
        return math.nan
    return left / right if right else math.inf if left else math.nan


Values = dict[int, Range]  # by seed


def bootstrap(values: list[float]) -> tuple[float, float, float]:
    """Return the median, and the 95 % interval of the median over resampled seeds.

    Own code, for scipy would be a large dependency for these three lines.
    """
    if len(values) < 2:
        return values[0], values[0], values[0]
    drawn = np.random.default_rng(SEED).choice(np.asarray(values), size=(RESAMPLES, len(values)))
    with np.errstate(invalid="ignore"):  # between two ratios to nothing
        ends = np.nan_to_num(np.quantile(np.median(drawn, axis=1), [0.025, 0.975]), nan=math.inf, posinf=math.inf)
    return median(values), float(ends[0]), float(ends[1])


def middle(values: Values) -> Range:
    """Return what is known of the median; nothing without values."""
    return Range(*map(median, zip(*values.values(), strict=True))) if values else UNKNOWN


def interval(values: Values) -> tuple[float, float]:
    """Return the ends of the 95 % interval of the median, as far out as they may lie; not numbers without values."""
    if not values:
        return math.nan, math.nan
    lows, highs = zip(*(values[seed] for seed in sorted(values)), strict=True)
    return bootstrap(list(lows))[1], bootstrap(list(highs))[2]
