# SPDX-License-Identifier: BSD-3-Clause
"""Claims of the papers, written into a sweep with their tolerance, and what the runs say to them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from truemark.errors import TruemarkError, suggest
from truemark.lab.figures import FIGURES, figure, open_ended
from truemark.lab.ranges import Range, Values, interval, middle
from truemark.lab.runner import LabRun
from truemark.lab.summary import Point

NO_CONTROL = "control not run"
ONE_SEED = "one seed"  # which is in the tolerance: it could have shown that a claim fails, not that it holds
PAPERS = ("marking-threshold", "virtualized congestion control", "race cars", "DCTCP in the Internet")  # items 1# to 4#
# What a paper's word may mean as well: shown next to the figure, never judged.
ALSO = {
    "job": "job90",
    "run_time": "run_time90",  # both with what the hosts compute
    "throughput": "throughput90",
    "latency": "latency_network",
    "round": "round_deviation",
}


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


def known_of(run: LabRun, key: str) -> Range:
    """Return what a run says of a figure."""
    found = figure(run, key)
    return Range(found, math.inf if open_ended(run, key) else found)


def values_of(claim: ClaimTable, points: dict[str, Point]) -> Values:
    """Return one value a seed, none without runs; with `against`, of the seeds that both points have."""
    if any(name not in points for name in (claim.point, claim.against or claim.point)):
        return {}
    found = {run.scenario.seed: known_of(run, claim.figure) for run in points[claim.point].runs}
    if claim.against is not None:
        there = {run.scenario.seed: known_of(run, claim.figure) for run in points[claim.against].runs}
        found = {seed: found[seed].over(there[seed]) for seed in found.keys() & there.keys()}
    return {seed: found[seed] for seed in sorted(found) if found[seed].known}


@dataclass(frozen=True)
class Evidence:
    """What runs say to a claim, seed by seed: the claim's own values, its controls', and what its word may mean too."""

    own: Values
    controls: dict[str, Values]
    also: Values

    def __or__(self, other: Evidence) -> Evidence:
        """Return both; of a seed that both have, the other's."""
        return Evidence(
            self.own | other.own,
            {
                name: self.controls.get(name, {}) | other.controls.get(name, {})
                for name in {**self.controls, **other.controls}
            },
            self.also | other.also,
        )

    def finding(self, claim: ClaimTable) -> Finding:
        """Return what is found of the claim."""
        controls = tuple((name, middle(self.controls.get(name, {}))) for name in claim.control)
        also = (ALSO[claim.figure], middle(self.also)) if self.own and self.also else None
        return Finding(claim, len(self.own), middle(self.own), *interval(self.own), controls, also)


def evidence(claim: ClaimTable, points: list[Point]) -> Evidence:
    """Return what the runs of points say to a claim."""
    by_name = {point.name: point for point in points}

    def values(**changes: str) -> Values:
        return values_of(claim.model_copy(update=changes), by_name)

    other = ALSO.get(claim.figure)
    controls = {name: values(point=name) for name in claim.control}
    return Evidence(values(), controls, values(figure=other) if other else {})


def judge(claims: list[ClaimTable], points: list[Point]) -> list[Finding]:
    """Return what the runs say to each claim, in order."""
    return [evidence(claim, points).finding(claim) for claim in claims]
