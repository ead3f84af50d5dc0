# SPDX-License-Identifier: BSD-3-Clause
"""Small runs of the network lab, for its tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from truemark.lab.runner import LabRun, run
from truemark.lab.scenario import read_scenario
from truemark.lab.sweep import Task, read_grid
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


def sweep_of(folder: Path, text: str, name: str = "grid") -> list[Task]:
    """Write a sweep of the small scenario into a folder, and return its runs, in out/NAME."""
    (folder / "small.toml").write_text(SMALL.read_text())
    (folder / f"{name}.toml").write_text(f'base = "small.toml"\n{text}')
    return read_grid(folder / f"{name}.toml", folder / "out" / name)


# Stands for the lab's runner where only its calls count: its CPU seconds are the scenario's stop time.
FAKE = """#!/bin/sh
seed=$(grep -m1 '"seed"' "$1" | tr -dc 0-9)
stop=$(grep -m1 '"stop_ns"' "$1" | tr -dc 0-9)
{then}
echo '{{"finished": true, "cpu_s": '$stop'}}' > "$2"
echo flow > "$3"
"""


def fake_binaries(folder: Path, monkeypatch: pytest.MonkeyPatch, then: str = ":") -> Path:
    """Put a runner, which does this with `$seed` and `$stop`, and an engine into a folder; the lab takes them."""
    folder.mkdir(parents=True, exist_ok=True)
    runner, engine = folder / "lab-runner", folder / "libtruemark_model.so"
    runner.write_text(FAKE.format(then=then))
    runner.chmod(0o755)
    engine.write_text("an engine\n")
    monkeypatch.setenv("TRUEMARK_LAB_RUNNER", str(runner))
    monkeypatch.setenv("TRUEMARK_LIB", str(folder))
    return runner
