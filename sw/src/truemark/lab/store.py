# SPDX-License-Identifier: BSD-3-Clause
"""Runs by what made them, so that a run that several sweeps have is made once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from truemark.errors import TruemarkError
from truemark.lab import runner
from truemark.lab.folder import RESULT, whole_folder
from truemark.lab.scenario import NAMES, Scenario


def content(told: dict[str, Any], made_with: dict[str, str]) -> str:
    """Return the hash of what a runner is told, without names of the run and of files, and of its binaries."""
    plain = json.loads(json.dumps(told))
    for name in NAMES:
        plain["scenario"].pop(name)
    for engine in runner.engines_of(plain):
        engine["library"] = Path(engine["library"]).name
    return hashlib.sha256(json.dumps([plain, made_with], sort_keys=True).encode()).hexdigest()


def content_of(scenario: Scenario) -> str:
    """Return what a run of this scenario would have, with the runner and the libraries that are here."""
    told = runner.runner_input(scenario)
    return content(told, runner.binaries(runner.find_runner(), runner.libraries_of(told)))


def content_of_run(run: runner.LabRun) -> str:
    """Return what a run had, by what its runner was told; a field that is younger than the run has its default."""
    try:
        told = json.loads((run.folder / "input.json").read_text(encoding="utf-8"))
        told["scenario"] = filled(told["scenario"], run.scenario.for_runner())
        made_with = {key: value for key, value in run.result["versions"].items() if key != "commit"}
        (run.folder / "flows.csv").stat()
        return content(told, made_with)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TruemarkError(f"{run.folder}: not a whole run: {error}") from None


def filled(told: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """Return what was told, at any depth with what it lacks of the defaults."""
    both = {name: filled(told[name], value) for name, value in defaults.items() if isinstance(told.get(name), dict)}
    return defaults | told | both


def made(folders: Iterable[Path]) -> dict[str, Path]:
    """Return the folders that hold a whole run, by content; what is no run is passed over."""
    found = {}
    for folder in folders:
        with contextlib.suppress(TruemarkError):
            found[content_of_run(runner.load(folder))] = folder
    return found


def copy(made_there: Path, folder: Path, point: str, scenario: Scenario) -> None:
    """Put a run that was made elsewhere into its folder, under the names that it has here.

    TruemarkError: by now something else is there, as where the folders of two points change places.
    """
    wanted = content_of(scenario)
    if content_of_run(runner.load(made_there)) != wanted:
        raise TruemarkError(f"{made_there}: holds another run by now")
    with whole_folder(folder) as part:
        shutil.copytree(made_there, part, dirs_exist_ok=True)
        if content_of_run(runner.load(part)) != wanted:  # what was copied; no failed run, so that none is kept
            raise OSError(f"{made_there}: was made again meanwhile")
        result = json.loads((part / RESULT).read_text(encoding="utf-8"))
        result |= {
            "point": point,
            "scenario": scenario.model_dump(),
            "fingerprint": runner.fingerprint(scenario),
        }
        (part / RESULT).write_text(json.dumps(result) + "\n", encoding="utf-8")
