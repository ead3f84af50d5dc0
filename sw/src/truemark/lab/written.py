# SPDX-License-Identifier: BSD-3-Clause
"""A sweep's file and its base's as they are, or as a commit has them: what its points say and what its claims ask."""

from __future__ import annotations

import math
import subprocess
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

from truemark.lab.claims import ClaimTable
from truemark.lab.scenario import NAMES, merged
from truemark.lab.sweep import Grid
from truemark.toml_errors import read_toml

TOLERANCE = ("figure", "point", "against", "least", "most")
POINTS = ("base", "seeds", "point", "product")


@dataclass(frozen=True)
class Written:
    """What the files say."""

    path: Path
    claims: list[dict[str, Any]]
    settings: dict[str, dict[str, Any]]
    """Of every point, what decides its runs: without the names that files have."""
    seeds: list[int]


@lru_cache
def at_commit(commit: str, path: Path) -> dict[str, Any] | None:
    """Return a TOML file as a commit has it; nothing if it has none, or is not in this clone."""
    words = ["git", "-C", str(path.parent), "show", f"{commit.removesuffix('-dirty')}:./{path.name}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return None if not commit or done.returncode else tomllib.loads(done.stdout)


@lru_cache
def is_lost(commit: str, folder: Path) -> bool:
    """Return whether the repository of a folder does not have a commit."""
    words = ["git", "-C", str(folder), "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(words, capture_output=True, check=False).returncode != 0


def lost(commits: Iterable[str], folder: Path) -> list[str]:
    """Return the commits that the repository of a folder does not have."""
    named = sorted({each.removesuffix("-dirty") for each in commits} - {""})
    return [commit for commit in named if is_lost(commit, folder)]


def of_files(path: Path, content: dict[str, Any], base: dict[str, Any]) -> Written:
    """Return what a sweep and its base say."""
    decides = {key: value for key, value in base.items() if key not in NAMES}
    grid = Grid.model_validate({key: content[key] for key in POINTS if key in content})
    settings = {name: reduce(merged, changes, decides) for name, changes in grid.points()}
    return Written(path, content.get("claim", []), settings, grid.seeds)


def as_is(path: Path, content: dict[str, Any] | None = None) -> Written:
    """Return what a sweep, of this content if it was read already, says now."""
    content = content or read_toml(path)[0]
    return of_files(path, content, read_toml(path.parent / content["base"])[0])


@lru_cache
def as_committed(commit: str, path: Path) -> Written | None:
    """Return what a sweep says at a commit; nothing if that has no such file, or is not in this clone."""
    content = at_commit(commit, path)
    base = content and at_commit(commit, path.parent / content["base"])
    return None if content is None or base is None else of_files(path, content, base)


def tolerance(claim: dict[str, Any]) -> tuple[Any, ...]:
    """Return what a claim as it is written asks of which figure."""
    return tuple(({"against": None, "least": -math.inf, "most": math.inf} | claim)[key] for key in TOLERANCE)


def tolerance_precedes(claim: ClaimTable, now: Written, commits: Iterable[str], ran: int = 0) -> bool | None:
    """Return whether every commit of the runs has this claim as it is judged now; None if it cannot be told.

    Each has its tolerance, no more seeds than are asked for now or were run (`ran`), and no control that is gone or
    another now: one that came since can only count against it. Where a claim was only shown (`cause`) and is judged, so
    is every other of its item that was shown there: none was chosen.
    """
    found = [as_committed(commit, now.path) for commit in commits]
    if not found or None in found:
        return None
    return all(any(has_it(claim, now, one, then, ran) for one in then.claims) for then in found if then is not None)


def has_it(claim: ClaimTable, now: Written, one: dict[str, Any], then: Written, ran: int) -> bool:
    """Return whether a claim as a commit has it, among its sweep's, is this one, with no less to fail by."""
    controls = one.get("control", [])
    if tolerance(one) != tolerance(claim.model_dump()) or not set(controls) <= set(claim.control):
        return False
    if any(then.settings.get(name) != now.settings.get(name) for name in controls):
        return False
    if max(claim.seeds or len(now.seeds), ran) < (one.get("seeds") or len(then.seeds)):
        return False
    if claim.cause or not one.get("cause"):
        return True
    there, here = ([each for each in every.claims if each.get("item") == claim.item] for every in (then, now))
    judged = [tolerance(each) for each in here if not each.get("cause")]
    return all(tolerance(each) in judged for each in there if each.get("cause"))


def moved(claim: ClaimTable, now: Written, commits: Iterable[str]) -> bool:
    """Return whether a claim was judged at a commit of its runs and only shows a cause now, or the reverse."""
    found = [at_commit(commit, now.path) or {} for commit in commits]
    wanted = tolerance(claim.model_dump())
    then = [each for content in found for each in content.get("claim", []) if tolerance(each) == wanted]
    return any(bool(each.get("cause")) != claim.cause for each in then)
