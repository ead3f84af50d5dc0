# SPDX-License-Identifier: BSD-3-Clause
"""What runs say to each claim of the papers: a line with its verdict and its data, joined with an earlier page's."""

from __future__ import annotations

import json
import math
import subprocess
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from truemark.errors import TruemarkError
from truemark.lab import report
from truemark.lab.claims import ONE_SEED, ClaimTable, Evidence, evidence
from truemark.lab.mends import older
from truemark.lab.ranges import Range, Values
from truemark.lab.runner import LabRun
from truemark.lab.scenario import NAMES, merged
from truemark.lab.sweep import Grid, read_sweep
from truemark.toml_errors import read_toml

HOLDS, FAILS = "reproduced", "not"


@dataclass(frozen=True)
class Line:
    """A check of an item: what was looked at, what came out, and its data."""

    text: str
    verdict: str
    data: dict[str, Any]


def at_commit(commit: str, path: Path) -> dict[str, Any] | None:
    """Return a TOML file as a commit has it; nothing if it has none, or is not in this clone."""
    words = ["git", "-C", str(path.parent), "show", f"{commit.removesuffix('-dirty')}:./{path.name}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return None if not commit or done.returncode else tomllib.loads(done.stdout)


def lost(commits: Iterable[str], folder: Path) -> list[str]:
    """Return the commits that the repository of a folder does not have."""
    words = ["git", "-C", str(folder), "cat-file", "-e"]
    return [
        commit
        for commit in sorted({each.removesuffix("-dirty") for each in commits} - {""})
        if subprocess.run([*words, f"{commit}^{{commit}}"], capture_output=True, check=False).returncode
    ]


def run_again(sweep: str, commits: Iterable[str] = ()) -> str:
    """Return what has to be done for runs of a sweep; of commits that are lost, what may be done instead."""
    ids = " ".join(commits)
    command = f"truemark lab sweep sim/lab/scenarios/{sweep}.toml"
    return f"the repository lacks what its runs are of: git fetch origin {ids}, or {command}" if ids else command


def tolerance_precedes(claim: ClaimTable, sweep: Path, commits: Iterable[str]) -> bool | None:
    """Return whether every commit of the runs has this claim with this tolerance; None if it cannot be told."""
    wanted = ("figure", "point", "against", "least", "most")
    told = []
    for commit in commits:
        content = at_commit(commit, sweep)
        if content is None:
            return None
        claims = [{"against": None, "least": -math.inf, "most": math.inf, **each} for each in content.get("claim", [])]
        told.append(any(all(each[key] == getattr(claim, key) for key in wanted) for each in claims))
    return all(told) if told else None


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
    sweep: Path
    seeds: tuple[int, ...]

    @property
    def wanted(self) -> int:
        """How many of the seeds it needs."""
        return self.claim.seeds or len(self.seeds)


def line_of(asked: Asked, said: Evidence, of: Origin) -> Line:
    """Return what the runs say to a claim: a younger tolerance does not count, missing seeds make it partly at best."""
    claim, sweep, wanted = asked.claim, asked.sweep, asked.wanted
    found = said.finding(claim)
    precedes = tolerance_precedes(claim, sweep, of.commits)
    verdict = found.verdict
    gone = lost(of.commits, sweep.parent) if precedes is None else []
    if verdict in ("reproduced", ONE_SEED, "partly") and not precedes:
        verdict = run_again(sweep.stem, gone) if gone else "tolerance not older than its runs"
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


def read_lines(path: Path) -> dict[tuple[str, str, str], Line]:
    """Return the lines that an earlier page has of runs, by item, sweep and text."""
    try:
        texts = path.read_text(encoding="utf-8").splitlines()[1:]
        rows = [json.loads(text, parse_constant=lambda _: None) for text in texts]  # older pages have Infinity
        return {
            (row["item"], line["sweep"], line["text"]): Line(line.pop("text"), line.pop("verdict"), line)
            for row in rows
            for line in row["lines"]
            if line.get("commits")
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TruemarkError(f"{path}: not what `truemark lab papers` writes: {error}") from None


def speaks_of(line: Line, asked: Asked) -> bool:
    """Return whether an earlier line speaks of this claim, with the seeds that it has now."""
    claim = asked.claim
    said = {key: line.data[key] for key in ("figure", "point", "against", "least", "most")}
    now = {key: None if value in (-math.inf, math.inf) else value for key in said for value in [getattr(claim, key)]}
    if said != now or set(line.data["controls"]) != set(claim.control) or line.data["sweep"] != asked.sweep.stem:
        return False
    wanted = line.data.get("wanted_seeds", asked.wanted)
    return bool(wanted == asked.wanted and set(line.data["seeds"]) <= set(asked.seeds))


def settings_of(asked: Asked, commit: str = "") -> list[dict[str, Any] | None] | None:
    """Return what a sweep says of each point that a claim speaks of, as the files are or as a commit has them."""

    def read(path: Path) -> dict[str, Any] | None:
        return at_commit(commit, path) if commit else read_toml(path)[0]

    content = read(asked.sweep)
    base = content and read(asked.sweep.parent / content["base"])
    if content is None or base is None:
        return None
    points = dict(Grid.model_validate(content).points())
    decides = {key: value for key, value in base.items() if key not in NAMES}
    found = [points.get(name) for name in asked.claim.spoken_of]
    return [None if changes is None else reduce(merged, changes, decides) for changes in found]


def still_holds(line: Line, asked: Asked) -> bool:
    """Return whether the scenarios of an earlier line are as they were."""
    now = settings_of(asked)
    return all(settings_of(asked, commit) == now for commit in line.data["commits"])


def joined(earlier: Line, asked: Asked, said: Evidence, of: Origin) -> Line:
    """Return what runs here say together with an earlier line of other seeds, if that still holds.

    A line of before 2026-11-29 has no values by seed: it is kept as it is where fewer seeds are here.
    """
    there = earlier.data
    before = of_data(there["values"]) if there.get("values") else None
    enough = before | said == said if before else len(said.own) >= len(there["seeds"])
    if enough or not speaks_of(earlier, asked):
        return line_of(asked, said, of)
    gone = lost(there["commits"], asked.sweep.parent)
    if gone and not said.own:
        alone = line_of(asked, said, of)
        return replace(alone, verdict=f"not run: {run_again(asked.sweep.stem, gone)}", data=alone.data | {"lost": gone})
    if gone or not still_holds(earlier, asked):
        return line_of(asked, said, of)
    if before:
        both = Origin(*(frozenset(there[key]) for key in ("seeds", "made", "commits"))) | of
        return line_of(asked, before | said, both)
    one = earlier.verdict == HOLDS and len(there["seeds"]) == 1
    own = {"cause": asked.claim.cause, "why": asked.claim.why}
    return replace(earlier, verdict=ONE_SEED if one else earlier.verdict, data=there | own)


def judged_claims(folder: Path, results: Path, before: dict[tuple[str, str, str], Line]) -> dict[str, list[Line]]:
    """Return all sweeps' claims by item, from the runs that are here and from the lines of before that still hold."""
    found: dict[str, list[Line]] = {}
    for path in sorted(folder.glob("*.toml")):
        if "base" not in read_toml(path)[0]:
            continue
        everything = report.collect(results / path.stem)
        points = report.of_the_sweep(path, everything) if everything else []
        grid = read_sweep(path)
        for claim in grid.claim:
            if claim.item:
                asked, said = Asked(claim, path, tuple(grid.seeds)), evidence(claim, points)
                of = origin([run for point in points if point.name in claim.spoken_of for run in point.runs])
                earlier = before.get((claim.item, path.stem, claim.text))
                line = joined(earlier, asked, said, of) if earlier else line_of(asked, said, of)
                settings = [each for each in settings_of(asked) or [] if each]
                told = {"older": older(settings, line.data["commits"], path.parent)}
                found.setdefault(claim.item, []).append(replace(line, data=line.data | told))
    return found
