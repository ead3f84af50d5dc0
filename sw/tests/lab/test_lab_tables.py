# SPDX-License-Identifier: BSD-3-Clause
"""What `sim.lab.tables` records of a sweep: only of all its seeds, and what they have in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from sim.lab import tables
from sw.tests.frames import Command
from sw.tests.lab.lab_runs import SMALL

from truemark.errors import TruemarkError
from truemark.lab.figures import figure

pytestmark = pytest.mark.builds("engine:model", "lab-runner")


def test_a_table_is_of_all_seeds(command: Command, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL.read_text())
    sweep = tmp_path / "x.toml"
    text = 'base = "small.toml"\nseeds = [1, 2]\n[[point]]\nname = "a"\n'
    text += 'set = { queue = { policy = "droptail", buffer = "12kB" }, workload = { flow_bytes = 120000 } }\n'
    sweep.write_text(text.replace("[1, 2]", "[1]"))
    assert command("lab", "sweep", sweep, "--out", tmp_path / "runs/x")[0] == 0
    sweep.write_text(text)
    with pytest.raises(TruemarkError, match=r"^no run of a, seed 2$"):
        tables.points_of(sweep, tmp_path / "runs")
    assert command("lab", "sweep", sweep, "--out", tmp_path / "runs/x")[0] == 0
    (point,) = tables.points_of(sweep, tmp_path / "runs")
    jobs = [figure(run, "job") for run in point.runs]
    assert len(set(jobs)) == 2
    middle = sum(jobs) / 2
    assert tables.spread(point, "job", 6) == pytest.approx([middle, min(jobs), max(jobs)], abs=1e-6)
    assert tables.spread(point, "drops_SYN", 0) == 0


@pytest.mark.parametrize(("seeds", "said"), [([1, 2, 3], "1 to 3"), ([7], "7"), ([1, 3], "1, 3")])
def test_seeds_are_listed(seeds: list[int], said: str) -> None:
    assert tables.listed(seeds) == said


def test_a_sweep_without_a_table_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["tables", "pool-greed"])
    assert tables.main() == 1
    assert "pool-greed: no sweep with a table; did you mean 'pool-greedy'?" in capsys.readouterr().out
