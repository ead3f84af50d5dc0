# SPDX-License-Identifier: BSD-3-Clause
"""What runs say to every claim of the papers, joined with the lines that an earlier page has of other seeds."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from truemark.errors import TruemarkError
from truemark.lab import report
from truemark.lab.claims import ONE_SEED, Evidence, Finding, evidence
from truemark.lab.lines import HOLDS, TOO_YOUNG, Asked, Line, Origin, line_of, of_data, origin, run_again
from truemark.lab.mends import older
from truemark.lab.ranges import UNKNOWN, Range, Values, middle
from truemark.lab.sweep import Grid
from truemark.lab.written import as_committed, as_is, lost, moved, tolerance_precedes
from truemark.toml_errors import read_toml, validated

Earlier = dict[tuple[str, str, str], Line]
"""Lines of an earlier page by item, sweep and text."""


def read_lines(path: Path) -> Earlier:
    """Return the lines that an earlier page has of runs."""
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
    """Return whether an earlier line speaks of this claim, with the seeds that it has now.

    A control that came since is no other claim; one that is gone is.
    """
    claim = asked.claim
    said = {key: line.data[key] for key in ("figure", "point", "against", "least", "most")}
    now = {key: None if value in (-math.inf, math.inf) else value for key in said for value in [getattr(claim, key)]}
    if said != now or not set(line.data["controls"]) <= set(claim.control) or line.data["sweep"] != asked.sweep.stem:
        return False
    wanted = line.data.get("wanted_seeds", asked.wanted)
    return bool(wanted == asked.wanted and set(line.data["seeds"]) <= set(asked.seeds))


def as_they_were(names: Iterable[str], commits: Iterable[str], asked: Asked) -> bool:
    """Return whether points are now as the commits of their runs have them.

    A commit that does not have a point has no run of it; one of them must have it.
    """
    found = [as_committed(commit, asked.sweep) for commit in commits]
    for name in names:
        then = [each.settings[name] for each in found if each is not None and name in each.settings]
        if not then or any(each != asked.now.settings.get(name) for each in then):
            return False
    return None not in found


def still_holds(line: Line, asked: Asked) -> bool:
    """Return whether the scenarios of an earlier line are as they were."""
    names = {line.data["point"], *line.data["controls"], line.data["against"]} - {None}
    return as_they_were(names, line.data["commits"], asked)


def lent(name: str, asked: Asked, earlier: Earlier) -> tuple[Values, Range, Origin]:
    """Return what earlier lines of the sweep say of a control: by seed if they have that, its median, and whence."""
    for line in earlier.values():
        told = line.data
        if any(told[key] != getattr(asked.claim, key) for key in ("figure", "against")) or told["sweep"] != (
            asked.sweep.stem
        ):
            continue
        own = told["point"] == name
        number = told["middle"] if own else told["controls"].get(name)
        values = of_data(told["values"]) if told.get("values") else None
        by_seed = {} if values is None else values.own if own else values.controls.get(name, {})
        if (by_seed or number is not None) and still_holds(line, asked):
            whence = Origin(commits=frozenset(told["commits"]), made=frozenset(told["made"]))
            return by_seed, middle(by_seed) if by_seed else Range(number, number), whence
    return {}, UNKNOWN, Origin()


def kept(earlier: Line, asked: Asked, others: Earlier) -> Line:
    """Return a line without values by seed as the page before has it, judged with the controls that came since."""
    there, claim = earlier.data, asked.claim
    verdict = ONE_SEED if earlier.verdict == HOLDS and len(there["seeds"]) == 1 else earlier.verdict
    controls, cells = dict(there["controls"]), list(there["cells"])
    for name in claim.control:
        shown, unknown = cells[-1].split("; "), f"{name}: not run"
        if name not in controls or unknown in shown:
            _, median, _ = lent(name, asked, others)
            controls[name] = median.number
            more = f"{name}: {median}" if median.known else unknown
            cells[-1] = "; ".join([*(each for each in shown if each not in ("", unknown)), more])
            if median.known and Finding(claim, 0, median, *median).touches(*median) and verdict in (HOLDS, "partly"):
                verdict = "not discriminating"
    precedes = tolerance_precedes(claim, asked.now, there["commits"], len(there["seeds"]))
    if precedes is False and verdict in (HOLDS, ONE_SEED, "partly"):
        verdict = TOO_YOUNG
    own: dict[str, Any] = {"cause": claim.cause, "why": claim.why, "controls": controls, "cells": cells}
    own |= {"tolerance_precedes": precedes, "moved": moved(claim, asked.now, there["commits"])}
    return replace(earlier, verdict=verdict, data=there | own)


def with_lent(asked: Asked, said: Evidence, of: Origin, earlier: Earlier) -> tuple[Evidence, Origin]:
    """Return what runs say to a claim, with what earlier lines have of controls that they say nothing of."""
    controls = dict(said.controls)
    for name in asked.claim.control:
        if said.own and not controls.get(name):
            values, _, whence = lent(name, asked, earlier)
            controls[name], of = values, of | whence if values else of
    return replace(said, controls=controls), of


def joined(earlier: Line | None, asked: Asked, said: Evidence, of: Origin, others: Earlier) -> Line:
    """Return what runs here say together with an earlier line of other seeds, if that still holds.

    A line of before 2026-11-29 has no values by seed: it is kept as it is where fewer seeds are here.
    """
    alone = line_of(asked, *with_lent(asked, said, of, others))
    if earlier is None:
        return alone
    there = earlier.data
    before = of_data(there["values"]) if there.get("values") else None
    enough = before | said == said if before else len(said.own) >= len(there["seeds"])
    if enough or not speaks_of(earlier, asked):
        return alone
    gone = lost(there["commits"], asked.sweep.parent)
    if gone and not said.own:
        return replace(alone, verdict=f"not run: {run_again(asked.sweep.stem, gone)}", data=alone.data | {"lost": gone})
    if gone or not still_holds(earlier, asked):
        return alone
    if before is None:
        return kept(earlier, asked, others)
    both = Origin(*(frozenset(there[key]) for key in ("seeds", "made", "commits"))) | of
    return line_of(asked, *with_lent(asked, before | said, both, others))


def judged_claims(folder: Path, results: Path, before: Earlier) -> dict[str, list[Line]]:
    """Return all sweeps' claims by item, from the runs that are here and from the lines of before that still hold."""
    found: dict[str, list[Line]] = {}
    for path in sorted(folder.glob("*.toml")):
        content, text = read_toml(path)
        if "base" not in content:
            continue
        everything = report.collect(results / path.stem)
        points = report.of_the_sweep(path, everything) if everything else []
        grid, now = validated(Grid, content, text, str(path)), as_is(path, content)
        for claim in grid.claim:
            if claim.item:
                asked, said = Asked(claim, now, tuple(grid.seeds)), evidence(claim, points)
                of = origin([run for point in points if point.name in claim.spoken_of for run in point.runs])
                line = joined(before.get((claim.item, path.stem, claim.text)), asked, said, of, before)
                settings = [now.settings[name] for name in claim.spoken_of if name in now.settings]
                told = {"older": older(settings, line.data["commits"], path.parent)}
                found.setdefault(claim.item, []).append(replace(line, data=line.data | told))
    return found
