# SPDX-License-Identifier: BSD-3-Clause
"""Claims of the papers, written into a sweep with their tolerance, and what the runs say to them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from truemark.errors import TruemarkError, suggest
from truemark.lab.figures import FIGURES, figure
from truemark.lab.summary import Point

RESAMPLES = 10_000
SEED = 1  # of the bootstrap, so that a report says the same twice


class ClaimTable(BaseModel):
    """One claim: a figure of a point, or its ratio to that of another with the same seeds."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, description="the claim in words")
    paper: str = Field(min_length=1, description="whose claim; 'ours' for what this project adds")
    says: str = Field(min_length=1, description="the paper's figure as it gives it")
    figure: str = Field(description="a name of figures.py")
    point: str = Field(description="name of the point")
    against: str | None = Field(None, description="name of the point it is divided by, seed by seed")
    least: float = Field(-math.inf, description="tolerance: the whole interval must lie between least and most")
    most: float = Field(math.inf, description="tolerance, upper end")
    why: str = Field("", description="where the result differs: the reason in a sentence")

    @model_validator(mode="after")
    def _sensible(self) -> ClaimTable:
        if self.figure not in FIGURES:
            raise TruemarkError(f"claim '{self.text}': figure '{self.figure}': {suggest(self.figure, list(FIGURES))}")
        if self.least > self.most or (math.isinf(self.least) and math.isinf(self.most)):
            raise TruemarkError(f"claim '{self.text}': a tolerance needs least or most, and least <= most")
        return self

    @property
    def tolerance(self) -> str:
        """For people."""
        if math.isinf(self.most):
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if math.isinf(self.least) else f"{self.least:g} to {self.most:g}"


@dataclass(frozen=True)
class Finding:
    """What the runs say."""

    HEADS: ClassVar = ["claim", "whose", "figure there", "figure here", "tolerance", "median (95 % interval)", ""]

    claim: ClaimTable
    seeds: int
    middle: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Reproduced if the whole interval is in the tolerance.

        Partly if it touches it, or if the tolerance lies on one side of 1 and a ratio on the same side, half as far
        on a logarithmic scale or farther.
        """
        if self.seeds == 0:
            return "not run"
        least, most = self.claim.least, self.claim.most
        if least <= self.low and self.high <= most:
            return "reproduced"
        if self.low <= most and self.high >= least:
            return "partly"
        nearest = least if self.high < least else most
        one_sided = self.claim.against is not None and not least <= 1 <= most
        if one_sided and self.middle > 0 and nearest > 0:
            return "partly" if math.log(self.middle) / math.log(nearest) >= 0.5 else "not"
        return "not"

    @property
    def cells(self) -> list[str]:
        """Its row below HEADS, without the verdict."""
        claim = self.claim
        what = f"{claim.figure}: {claim.point}{f', over {claim.against}' if claim.against else ''}"
        seeds = f"{self.middle:.3g} ({self.low:.3g} to {self.high:.3g}), {self.seeds} seeds" if self.seeds else "-"
        return [claim.text, claim.paper, claim.says, what, claim.tolerance, seeds]


def bootstrap(values: list[float]) -> tuple[float, float, float]:
    """Median, and the 95 % interval of the median over resampled seeds.

    Own code, for scipy would be a large dependency for these three lines.
    """
    if len(values) < 2:
        return values[0], values[0], values[0]
    drawn = np.random.default_rng(SEED).choice(np.asarray(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(np.median(drawn, axis=1), [0.025, 0.975])
    return median(values), float(low), float(high)


def values_of(claim: ClaimTable, points: dict[str, Point]) -> list[float]:
    """One value a seed; with `against`, of the seeds that both points have."""
    here = {run.scenario.seed: figure(run, claim.figure) for run in points[claim.point].runs}
    if claim.against is not None:
        there = {run.scenario.seed: figure(run, claim.figure) for run in points[claim.against].runs}
        pairs = [(here[seed], there[seed]) for seed in sorted(here.keys() & there.keys())]
        found = [left / right if right else math.inf if left else math.nan for left, right in pairs]
    else:
        found = list(here.values())
    return [value for value in found if not math.isnan(value)]


def judge(claims: list[ClaimTable], points: list[Point]) -> list[Finding]:
    """What the runs say to each claim, in order."""
    by_name = {point.name: point for point in points}
    findings = []
    for claim in claims:
        wanted = [claim.point, *([claim.against] if claim.against else [])]
        values = values_of(claim, by_name) if all(name in by_name for name in wanted) else []
        middle, low, high = bootstrap(values) if values else (math.nan, math.nan, math.nan)
        findings.append(Finding(claim, len(values), middle, low, high))
    return findings
