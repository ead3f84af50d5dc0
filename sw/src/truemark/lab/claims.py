# SPDX-License-Identifier: BSD-3-Clause
"""Claims of the papers, written into a sweep with their tolerance, and what the runs say to them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import ClassVar, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from truemark.errors import TruemarkError, suggest
from truemark.lab.figures import FIGURES, figure, open_ended
from truemark.lab.runner import LabRun
from truemark.lab.summary import Point

RESAMPLES = 10_000
NO_CONTROL = "control not run"
ONE_SEED = "one seed"  # which is in the tolerance: it could have shown that a claim fails, not that it holds
SEED = 1  # of the bootstrap, so that a report says the same twice
PAPERS = ("marking-threshold", "virtualized congestion control", "race cars", "DCTCP in the Internet")  # items 1# to 4#
# What a paper's word may mean as well: shown next to the figure, never judged.
ALSO = {
    "job": "job90",
    "run_time": "run_time90",  # both with what the hosts compute
    "throughput": "throughput90",
    "latency": "latency_network",
    "round": "round_deviation",
}


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
    item: str = Field("", pattern=r"^([1-4]#\d+)?$", description="of sim/lab/papers.toml; a paper's claim needs one")
    number: float | None = Field(None, description="the paper's number, as the figure would be; none: a direction")
    unit: str = Field("", description="of the figure: ratio, share, s, Mbit/s, ...; a paper's claim needs one")
    seeds: int | None = Field(
        None, ge=2, description="that it needs, of the sweep's first; by default all, as where a timeout decides"
    )
    control: list[str] = Field(
        [], description="points that must fail it in the point's place; a paper's claim needs one"
    )

    cause: bool = Field(
        False, description="shown with its item, never judged: what another set-up has, so that the difference is seen"
    )

    @model_validator(mode="after")
    def _sensible(self) -> ClaimTable:
        if self.figure not in FIGURES:
            raise TruemarkError(f"claim '{self.text}': figure '{self.figure}': {suggest(self.figure, list(FIGURES))}")
        if self.least > self.most or (math.isinf(self.least) and math.isinf(self.most)):
            raise TruemarkError(f"claim '{self.text}': a tolerance needs least or most, and least <= most")
        if self.number is not None and not self.least <= self.number <= self.most:
            raise TruemarkError(f"claim '{self.text}': the tolerance does not hold the paper's number {self.number:g}")
        if self.paper in PAPERS:
            for name in ("item", "unit", "control"):
                if not getattr(self, name):
                    raise TruemarkError(f"claim '{self.text}': a claim of the {self.paper} paper needs `{name}`")
            if PAPERS.index(self.paper) + 1 != int(self.item[0]):
                raise TruemarkError(f"claim '{self.text}': item {self.item} is of another paper")
        return self

    @property
    def spoken_of(self) -> list[str]:
        """Every point that it names."""
        return [self.point, *([self.against] if self.against else []), *self.control]

    @property
    def tolerance(self) -> str:
        """For people."""
        if math.isinf(self.most):
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if math.isinf(self.least) else f"{self.least:g} to {self.most:g}"


@dataclass(frozen=True)
class Finding:
    """What the runs say."""

    HEADS: ClassVar = [
        "claim",
        "whose",
        "figure there",
        "figure here",
        "tolerance",
        "median (95 % interval)",
        "also",
        "controls",
        "",
    ]

    claim: ClaimTable
    seeds: int
    middle: Range
    low: float
    high: float
    controls: tuple[tuple[str, Range], ...] = ()  # name and median, `UNKNOWN` if it was not run
    also: tuple[str, Range] | None = None

    @property
    def discriminates(self) -> bool:
        """Whether every control that was run fails, and one was: its median is outside the tolerance."""
        found = [value for _, value in self.controls if value.known]
        return bool(found) and not any(self.touches(*value) for value in found)

    def touches(self, low: float, high: float) -> bool:
        """Return whether something between these two would be in the tolerance."""
        return low <= self.claim.most and high >= self.claim.least

    @property
    def verdict(self) -> str:
        """As the interval says; a claim that holds for its control as well says nothing, and so does one without."""
        if self.held in ("reproduced", ONE_SEED, "partly") and self.claim.control and not self.discriminates:
            run = any(value.known for _, value in self.controls)
            return "not discriminating" if run else NO_CONTROL
        return self.held

    @property
    def held(self) -> str:
        """Reproduced if the whole interval is in the tolerance, for which it takes more than one seed.

        Partly if it touches it, or if the tolerance lies on one side of 1 and a ratio on the same side, half as far
        on a logarithmic scale or farther.
        """
        if self.seeds == 0:
            return "not run"
        least, most = self.claim.least, self.claim.most
        if least <= self.low and self.high <= most:
            return "reproduced" if self.seeds > 1 else ONE_SEED
        if self.touches(self.low, self.high):
            return "partly"
        middle, nearest = (self.middle.high, least) if self.high < least else (self.middle.low, most)
        one_sided = self.claim.against is not None and not least <= 1 <= most
        if one_sided and middle > 0 and nearest > 0:
            return "partly" if math.log(middle) / math.log(nearest) >= 0.5 else "not"
        return "not"

    @property
    def cells(self) -> list[str]:
        """Its row below HEADS, without the verdict."""
        claim = self.claim
        what = f"{claim.figure}: {claim.point}{f', over {claim.against}' if claim.against else ''}"
        seeds = f"{self.middle} ({self.low:.3g} to {self.high:.3g}), {self.seeds} seeds" if self.seeds else "-"
        if self.seeds == 1:
            seeds = f"{self.middle}, 1 seed"
        whose = f"{claim.paper} {claim.item}".strip()
        unit = f" [{claim.unit}]" if claim.unit else ""
        controls = "; ".join(f"{name}: {value if value.known else 'not run'}" for name, value in self.controls)
        also = f"{self.also[0]} {self.also[1]}" if self.also else ""
        return [claim.text, whose, claim.says, what + unit, claim.tolerance, seeds, also, controls]


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


def interval(values: list[Range]) -> tuple[Range, float, float]:
    """Return what is known of the median and of the ends of its 95 % interval; unknown without values."""
    if not values:
        return UNKNOWN, math.nan, math.nan
    (low_middle, low, _), (high_middle, _, high) = (bootstrap(list(ends)) for ends in zip(*values, strict=True))
    return Range(low_middle, high_middle), low, high


def known_of(run: LabRun, key: str) -> Range:
    """Return what a run says of a figure."""
    found = figure(run, key)
    return Range(found, math.inf if open_ended(run, key) else found)


def values_of(claim: ClaimTable, points: dict[str, Point]) -> list[Range]:
    """Return one value a seed, none without runs; with `against`, of the seeds that both points have."""
    if any(name not in points for name in (claim.point, claim.against or claim.point)):
        return []
    found = {run.scenario.seed: known_of(run, claim.figure) for run in points[claim.point].runs}
    if claim.against is not None:
        there = {run.scenario.seed: known_of(run, claim.figure) for run in points[claim.against].runs}
        found = {seed: found[seed].over(there[seed]) for seed in sorted(found.keys() & there.keys())}
    return [value for value in found.values() if value.known]


def judge(claims: list[ClaimTable], points: list[Point]) -> list[Finding]:
    """Return what the runs say to each claim, in order."""
    by_name = {point.name: point for point in points}

    def middle(claim: ClaimTable, **changes: str) -> Range:
        return interval(values_of(claim.model_copy(update=changes), by_name))[0]

    findings = []
    for claim in claims:
        values = values_of(claim, by_name)
        controls = tuple((name, middle(claim, point=name)) for name in claim.control)
        other = ALSO.get(claim.figure)
        beside = middle(claim, figure=other) if other and values else UNKNOWN
        also = (other, beside) if other and beside.known else None
        findings.append(Finding(claim, len(values), *interval(values), controls, also))
    return findings
