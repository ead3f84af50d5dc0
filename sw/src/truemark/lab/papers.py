# SPDX-License-Identifier: BSD-3-Clause
"""Every item of the four papers against what the lab has of it: a page, and a machine-readable line an item."""

from __future__ import annotations

import json
import math
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from truemark import toml_errors
from truemark.errors import TruemarkError, suggest
from truemark.files import whole_file
from truemark.lab import report
from truemark.lab.claims import NO_CONTROL, ONE_SEED, PAPERS, ClaimTable, Finding, judge
from truemark.lab.scenario import NAMES, merged, read_scenario
from truemark.lab.summary import Point
from truemark.lab.sweep import Grid, read_sweep
from truemark.pages import render
from truemark.toml_errors import read_toml

COUNTED = ("reproduced", "partly", "not", "missing", "pending", "not run", "not discriminating")
HOLDS, FAILS = "reproduced", "not"


class ItemTable(BaseModel):
    """An item of a paper, and what decides it besides the claims that carry its number."""

    model_config = ConfigDict(extra="forbid")

    what: str = Field(min_length=1, description="the claim or the part of the set-up")
    says: str = Field("as said", description="the paper's number or word")
    place: str = Field("text", description="figure, table or section")
    set: dict[str, dict[str, Any]] = Field({}, description="scenario: the fields that the paper gives")
    points: dict[str, list[str]] = Field({}, description="sweep: points that the paper has")
    seeds: dict[str, int] = Field({}, description="sweep: repetitions that the paper has, each a seed here")
    figures: list[str] = Field([], description="of figures.py: what the paper measures")
    pending: bool = Field(False, description="measured there, compared later")
    why: str = Field("", description="why it differs or is missing")


class PaperTable(BaseModel):
    """A paper and its items, by number."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="as claims of sweeps name it")
    title: str = Field(description="what it is")
    item: dict[int, ItemTable] = Field(description="every one")


class PapersFile(BaseModel):
    """The file of all."""

    model_config = ConfigDict(extra="forbid")

    paper: list[PaperTable] = Field(description="in the order of their numbers")


@dataclass(frozen=True)
class Line:
    """A check of an item: what was looked at, what came out, and its data."""

    HEADS: ClassVar = [
        "here",
        "figure, over",
        "tolerance",
        "median (95 % interval), seeds",
        "also",
        "controls",
        "",
    ]

    text: str
    verdict: str
    data: dict[str, Any]


def read_papers(path: Path) -> list[PaperTable]:
    """Return the papers, in the order of `claims.PAPERS`."""
    content, text = read_toml(path)
    found = toml_errors.validated(PapersFile, content, text, str(path)).paper
    if tuple(paper.name for paper in found) != PAPERS:
        raise TruemarkError(f"{path}: papers must be {', '.join(PAPERS)}, in this order")
    return found


def leaves(fields: dict[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Return every field of nested tables by its whole name."""
    found: list[tuple[str, Any]] = []
    for key, value in fields.items():
        name = f"{before}{key}"
        found += leaves(value, f"{name}.") if isinstance(value, dict) else [(name, value)]
    return found


def nested(name: str, value: Any) -> dict[str, Any]:
    """Return a whole name as nested tables."""
    for part in reversed(name.split(".")):
        value = {part: value}
    return dict(value)


def holds(scenario: Path, name: str, value: Any) -> bool:
    """Return whether the paper's value, laid over the scenario, changes nothing."""
    try:
        return read_scenario(scenario, [nested(name, value)]) == read_scenario(scenario)
    except TruemarkError:
        if not scenario.is_file():
            raise
        return False  # the paper's value does not even fit the rest of the scenario


def set_up(item: ItemTable, folder: Path) -> list[Line]:
    """Return the fields, the points and the repetitions that the paper's set-up has."""
    found = []
    for name, fields in item.set.items():
        for field, value in leaves(fields):
            verdict = HOLDS if holds(folder / f"{name}.toml", field, value) else FAILS
            found.append(Line(f"{name}.toml: {field} = {value}", verdict, {"field": field, "paper": value}))
    for name, points in item.points.items():
        there = dict(read_sweep(folder / f"{name}.toml").points())
        found += [
            Line(f"{name}.toml has a point '{point}'", HOLDS if point in there else FAILS, {"point": point})
            for point in points
        ]
    for name, seeds in item.seeds.items():
        verdict = HOLDS if len(read_sweep(folder / f"{name}.toml").seeds) >= seeds else FAILS
        found.append(Line(f"{name}.toml has {seeds} seeds", verdict, {"seeds_of_sweep": seeds}))
    return found


def measured(item: ItemTable, claims: list[Line]) -> list[Line]:
    """Return the figures that the paper measures, held if claims of it are judged by them."""
    used = {line.data["figure"] for line in claims}
    return [
        Line(f"claims are judged by '{name}'", HOLDS if name in used else FAILS, {"measure": name})
        for name in item.figures
    ]


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


def tolerance_precedes(claim: ClaimTable, sweep: Path, commits: set[str]) -> bool | None:
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


def line_of(found: Finding, sweep: Path, points: list[Point], wanted: int) -> Line:
    """Return what the runs say to a claim: a younger tolerance does not count, missing seeds make it partly at best."""
    claim = found.claim
    runs = [run for point in points if point.name in claim.spoken_of for run in point.runs]
    commits = {run.result["versions"].get("commit", "") for run in runs}
    precedes = tolerance_precedes(claim, sweep, commits)
    verdict = found.verdict
    gone = lost(commits, sweep.parent) if precedes is None else []
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
        "seeds": sorted({run.scenario.seed for run in runs}),
        "made": sorted({run.result["made"] for run in runs}),
        "commits": sorted(commits),
        "tolerance_precedes": precedes,
        "controls": {name: value.number for name, value in found.controls},
        "also": {found.also[0]: found.also[1].number} if found.also else {},
        "cells": found.cells[3:],
        "missing_seeds": max(0, wanted - found.seeds) if found.seeds else 0,
        "wanted_seeds": wanted,
        "cause": claim.cause,
    }
    if gone:
        data["lost"] = gone
    return Line(claim.text, verdict, data)


def verdict_of(item: ItemTable, lines: list[Line]) -> str:
    """Return an item's verdict: reproduced if all that counts is, not if none of it is, and none if nothing counts.

    What only shows a cause does not count, nor does one seed that agrees with the rest.
    """
    if item.pending:
        return "pending"
    if not lines:
        return "missing"
    counted = [line.verdict for line in lines if not line.data.get("cause")]
    words = [word for word in counted if word != ONE_SEED] or ["partly" for _ in counted]
    judged = [word for word in words if word in ("reproduced", "partly", "not")]
    if not judged:
        unknown = all(word.startswith("not run") or word == NO_CONTROL for word in words)
        return "not run" if unknown else "not discriminating"
    if judged == words and set(judged) == {"reproduced"}:
        return "reproduced"
    return "not" if set(judged) == {"not"} else "partly"


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


def speaks_of(line: Line, claim: ClaimTable, sweep: Path) -> bool:
    """Return whether an earlier line speaks of this claim, with the seeds that it has now."""
    said = {key: line.data[key] for key in ("figure", "point", "against", "least", "most")}
    wanted = {key: None if value in (-math.inf, math.inf) else value for key in said for value in [getattr(claim, key)]}
    if said != wanted or set(line.data["controls"]) != set(claim.control) or line.data["sweep"] != sweep.stem:
        return False
    seeds = read_sweep(sweep).seeds
    needed = claim.seeds or len(seeds)
    return bool(line.data.get("wanted_seeds", needed) == needed and set(line.data["seeds"]) <= set(seeds))


def still_holds(line: Line, claim: ClaimTable, sweep: Path) -> bool:
    """Return whether the scenarios of an earlier line are as they were."""

    def settings(content: dict[str, Any] | None, commit: str) -> Any:
        if content is None:
            return None
        path = sweep.parent / content["base"]
        base = at_commit(commit, path) if commit else read_toml(path)[0]
        points = dict(Grid.model_validate(content).points())
        found = [points.get(name) for name in claim.spoken_of]
        decides = base and {key: value for key, value in base.items() if key not in NAMES}
        return [decides and changes is not None and reduce(merged, changes, decides) for changes in found]

    now = settings(read_toml(sweep)[0], "")
    return all(settings(at_commit(commit, sweep), commit) == now for commit in line.data["commits"])


def kept(earlier: Line, line: Line, claim: ClaimTable, sweep: Path) -> Line:
    """Return the earlier line in place of one without runs, if it still holds and its commits can be looked at."""
    if gone := lost(earlier.data["commits"], sweep.parent):
        return Line(line.text, f"not run: {run_again(sweep.stem, gone)}", line.data | {"lost": gone})
    if still_holds(earlier, claim, sweep):
        alone = earlier.verdict == HOLDS and len(earlier.data["seeds"]) == 1
        verdict = ONE_SEED if alone else earlier.verdict
        return replace(earlier, verdict=verdict, data=earlier.data | {"cause": claim.cause, "why": claim.why})
    return line


def judged_claims(folder: Path, results: Path, before: dict[tuple[str, str, str], Line]) -> dict[str, list[Line]]:
    """Return all sweeps' claims by item; of a claim without runs here, the earlier line if it still holds."""
    found: dict[str, list[Line]] = {}
    for path in sorted(folder.glob("*.toml")):
        if "base" not in read_toml(path)[0]:
            continue
        everything = report.collect(results / path.stem)
        points = report.of_the_sweep(path, everything) if everything else []
        grid = read_sweep(path)
        for finding in judge(grid.claim, points):
            if finding.claim.item:
                line = line_of(finding, path, points, finding.claim.seeds or len(grid.seeds))
                earlier = before.get((finding.claim.item, path.stem, finding.claim.text))
                if line.verdict.startswith("not run") and earlier and speaks_of(earlier, finding.claim, path):
                    line = kept(earlier, line, finding.claim, path)
                found.setdefault(finding.claim.item, []).append(line)
    return found


def compare(items: Path, folder: Path, results: Path, before: Path | None = None) -> dict[str, Any]:
    """Return every item with its checks and its verdict, and how many came out how."""
    claims = judged_claims(folder, results, read_lines(before) if before else {})
    papers: list[dict[str, Any]] = []
    for number, paper in enumerate(read_papers(items), 1):
        rows = []
        own = [line for key, lines in claims.items() if key.startswith(f"{number}#") for line in lines]
        for place, item in paper.item.items():
            key = f"{number}#{place}"
            lines = [*set_up(item, folder), *measured(item, own), *claims.pop(key, [])]
            rows.append(
                {
                    "item": key,
                    **item.model_dump(include={"what", "says", "place", "why"}),
                    "verdict": verdict_of(item, lines),
                    "lines": [{"text": line.text, "verdict": line.verdict, **line.data} for line in lines],
                }
            )
        papers.append({"title": paper.title, "items": rows})
    if claims:
        every = [row["item"] for paper in papers for row in paper["items"]]
        raise TruemarkError(f"{items}: has no item {next(iter(claims))}; {suggest(next(iter(claims)), every)}")
    counts = Counter(row["verdict"] for paper in papers for row in paper["items"])
    figures = {"claims.total": counts.total(), **{f"claims.{word.replace(' ', '_')}": counts[word] for word in COUNTED}}
    return {"figures": figures, "papers": papers}


def remarks(found: dict[str, Any]) -> list[str]:
    """Return which sweeps have runs of commits that the repository lacks, and what to do, each once."""
    lines = [line for paper in found["papers"] for row in paper["items"] for line in row["lines"] if "lost" in line]
    return list(dict.fromkeys(f"{line['sweep']}: {run_again(line['sweep'], line['lost'])}" for line in lines))


def write(found: dict[str, Any], out: Path) -> list[Path]:
    """Write the data, a line an item, and the page that is made of them; return both files."""
    lines = [json.dumps(found["figures"])]
    lines += [json.dumps(row, allow_nan=False) for paper in found["papers"] for row in paper["items"]]
    made = {out / "papers.jsonl": "\n".join(lines) + "\n", out / "papers.md": render("papers.md.j2", **found)}
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path, text in made.items():
            with whole_file(path) as file:
                file.write(text)
    except OSError as error:
        raise TruemarkError(f"{out}: cannot be written: {error.strerror or error}") from None
    return list(made)
