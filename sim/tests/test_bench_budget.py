# SPDX-License-Identifier: BSD-3-Clause
"""`make bench` keeps to its time: a step that would not end within it is skipped, and named."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from sim.bench import bench
from sim.bench.budget import Budget
from sim.bench.figures import Result


class Clock:
    """A time that only work moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def test_a_step_that_would_not_end_in_time_is_skipped() -> None:
    """A shorter one after it is done; the run ends in time."""
    clock = Clock()
    budget = Budget(100, {"a": 40, "b": 70, "c": 50}, clock)
    for step, seconds in {"a": 40, "b": 70, "c": 50}.items():
        budget.run(step, partial(clock.pass_by, seconds))
    assert (list(budget.took), budget.skipped) == (["a", "c"], ["b"])
    assert clock.now == 90


def test_a_slower_machine_expects_longer_steps() -> None:
    clock = Clock()
    budget = Budget(100, {"a": 20, "b": 40}, clock)
    budget.run("a", partial(clock.pass_by, 40))
    assert budget.expected("b") == 80
    budget.run("b", partial(clock.pass_by, 80))
    assert budget.skipped == ["b"]


def test_a_step_that_never_ran_is_expected_to_take_as_long_as_the_longest() -> None:
    clock = Clock()
    budget = Budget(100, {}, clock)
    for step, seconds in {"a": 30, "b": 40, "c": 50}.items():
        budget.run(step, partial(clock.pass_by, seconds))
    assert (list(budget.took), budget.skipped) == (["a", "b"], ["c"])


def test_make_bench_names_what_it_skips(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without time nothing is run or recorded; what steps took before stays known."""
    output = tmp_path / "bench.json"
    output.write_text('{"seconds.build 64": 60.0, "timing.x": 1.0}')
    monkeypatch.setattr("sys.argv", ["bench", "--minutes", "0.5", "--output", str(output)])
    monkeypatch.setattr(bench, "steps", lambda *_: [("build 64", pytest.fail), ("area", lambda: Result({"y": 2.0}))])
    monkeypatch.setattr(bench, "record", pytest.fail)
    assert bench.main() == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "nothing recorded; skipped for want of time (--minutes): build 64 not part" in said
    written = json.loads(output.read_text())
    assert written.pop("seconds.area") < 30
    assert written == {"seconds.build 64": 60.0, "timing.x": 1.0, "y": 2.0}
