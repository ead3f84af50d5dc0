# SPDX-License-Identifier: BSD-3-Clause
"""Small runs of the network lab, for its tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from truemark.lab.runner import LabRun, run
from truemark.lab.scenario import read_scenario
from truemark_dev.paths import ROOT

SCENARIOS = ROOT / "sim" / "lab" / "scenarios"
SMALL = SCENARIOS / "small.toml"
# A queue that overflows often, so that every way out of a queue is taken.
TIGHT: dict[str, dict[str, Any]] = {
    "queue": {"policy": "droptail", "buffer": "12kB"},
    "workload": {"flow_bytes": 120_000},
}


def lab(tmp_path: Path, *changes: dict[str, Any], fault: str = "", name: str = "run", scenario: Path = SMALL) -> LabRun:
    """Run a small scenario with changes."""
    return run(read_scenario(scenario, list(changes)), tmp_path / name, fault=fault)


def result(done: LabRun) -> dict[str, Any]:
    """Return what the runner wrote."""
    found: dict[str, Any] = done.result["result"]
    return found


def engine(kind: str) -> dict[str, Any]:
    """Return the change that takes an engine."""
    return {"queue": {"engine": kind}}
