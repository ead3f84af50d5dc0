# SPDX-License-Identifier: BSD-3-Clause
"""What runs say to a claim of the papers: a line with its verdict and its data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from truemark.lab.claims import ONE_SEED, ClaimTable, Evidence
from truemark.lab.ranges import Range, Values
from truemark.lab.runner import LabRun
from truemark.lab.written import Written, lost, moved, tolerance_precedes

HOLDS, FAILS = "reproduced", "not"
TOO_YOUNG = "tolerance not older than its runs"


@dataclass(frozen=True)
class Line:
    """A check of an item: what was looked at, what came out, and its data."""

    text: str
    verdict: str
    data: dict[str, Any]


def run_again(sweep: str, commits: Iterable[str] = ()) -> str:
    """Return what has to be done for runs of a sweep; of commits that are lost, what may be done instead."""
    ids = " ".join(commits)
    command = f"truemark lab sweep sim/lab/scenarios/{sweep}.toml"
    return f"the repository lacks what its runs are of: git fetch origin {ids}, or {command}" if ids else command


def finite(value: float) -> float | None:
    """Return a number as JSON has it, which knows no infinity and no NaN."""
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Origin:
    """Where what is said of a claim comes from."""

    seeds: frozenset[int] = frozenset()
    made: frozenset[str] = frozenset()  # dates
    commits: frozenset[str] = frozenset()

    def __or__(self, other: Origin) -> Origin:
        """Return both."""
        return Origin(self.seeds | other.seeds, self.made | other.made, self.commits | other.commits)


def origin(runs: list[LabRun]) -> Origin:
    """Return where runs come from."""
    return Origin(
        frozenset(run.scenario.seed for run in runs),
        frozenset(run.result["made"] for run in runs),
        frozenset(run.result["versions"].get("commit", "") for run in runs),
    )


@dataclass(frozen=True)
class Asked:
    """A claim in its sweep, which has these seeds."""

    claim: ClaimTable
    now: Written
    seeds: tuple[int, ...]

    @property
    def sweep(self) -> Path:
        """The file of the sweep."""
        return self.now.path

    @property
    def wanted(self) -> int:
        """How many of the seeds it needs."""
        return self.claim.seeds or len(self.seeds)


def line_of(asked: Asked, said: Evidence, of: Origin) -> Line:
    """Return what the runs say to a claim: a younger tolerance does not count, missing seeds make it partly at best."""
    claim, sweep, wanted = asked.claim, asked.sweep, asked.wanted
    found = said.finding(claim)
    precedes = tolerance_precedes(claim, asked.now, of.commits, len(of.seeds))
    verdict = found.verdict
    gone = lost(of.commits, sweep.parent) if precedes is None else []
    if verdict in ("reproduced", ONE_SEED, "partly") and not precedes:
        verdict = f"not run: {run_again(sweep.stem, gone)}" if gone else TOO_YOUNG
    if verdict in ("reproduced", ONE_SEED) and found.seeds < wanted:
        verdict = "partly"
    if verdict == "not run":
        verdict = f"not run: {run_again(sweep.stem)}"
    data = claim.model_dump(include={"figure", "point", "against", "number", "unit", "says", "why"})
    data |= {key: finite(getattr(claim, key)) for key in ("least", "most")}
    data |= {"middle": found.middle.number, "low": finite(found.low), "high": finite(found.high)}
    data |= {
        "sweep": sweep.stem,
        "seeds": sorted(of.seeds),
        "made": sorted(of.made),
        "commits": sorted(of.commits),
        "tolerance_precedes": precedes,
        "moved": moved(claim, asked.now, of.commits),
        "controls": {name: value.number for name, value in found.controls},
        "also": {found.also[0]: found.also[1].number} if found.also else {},
        "values": as_data(said),
        "cells": found.cells[3:],
        "missing_seeds": max(0, wanted - found.seeds) if found.seeds else 0,
        "wanted_seeds": wanted,
        "cause": claim.cause,
    }
    if gone:
        data["lost"] = gone
    return Line(claim.text, verdict, data)


def as_data(said: Evidence) -> dict[str, Any]:
    """Return values by seed as JSON has them."""

    def by_seed(values: Values) -> dict[str, Any]:
        return {str(seed): values[seed].data for seed in sorted(values)}

    controls = {name: by_seed(values) for name, values in said.controls.items()}
    return {"own": by_seed(said.own), "controls": controls, "also": by_seed(said.also)}


def of_data(data: dict[str, Any]) -> Evidence:
    """Return values by seed from their data."""

    def by_seed(found: dict[str, Any]) -> Values:
        return {int(seed): Range.of(value) for seed, value in found.items()}

    controls = {name: by_seed(values) for name, values in data["controls"].items()}
    return Evidence(by_seed(data["own"]), controls, by_seed(data["also"]))
