# SPDX-License-Identifier: BSD-3-Clause
"""In which order the runs of a sweep begin: seed by seed, unless the sweep would end in one long run."""

from __future__ import annotations

from pathlib import Path

import pytest
from sw.tests.lab.lab_runs import SMALL, fake_binaries, sweep_of

from truemark.lab.folder import whole_runs
from truemark.lab.lengths import measured, order, setting
from truemark.lab.scenario import Scenario, read_scenario
from truemark.lab.sweep import sweep

POINTS = "".join(f"[[point]]\nname = '{stop}'\nset = {{ stop = '{stop}s' }}\n" for stop in (20, 50, 30))


def scenarios(seeds: int, *stops: int) -> list[Scenario]:
    """Seed by seed, a point for each stop time."""
    small = read_scenario(SMALL)
    return [small.model_copy(update={"seed": seed, "stop": stop}) for seed in range(1, seeds + 1) for stop in stops]


def span(lengths: list[float], begun: list[int], workers: int) -> float:
    """How long so many workers need if each takes the next run when it is free."""
    free = [0.0] * workers
    for place in begun:
        free.sort()
        free[0] += lengths[place]
    return max(free)


@pytest.mark.parametrize(
    ("workers", "begun", "whole"),
    [
        (1, [1, 0, 2, 4, 3, 5, 7, 6, 8], 36),  # nothing is to be gained: seed by seed, the longest of each first
        (2, [1, 0, 2, 4, 7, 3, 5, 6, 8], 20),  # the third seed's long run begins before the second's short ones
        (9, [1, 4, 7, 0, 2, 3, 5, 6, 8], 10),
    ],
)
def test_the_longest_begin_in_time(workers: int, begun: list[int], whole: float) -> None:
    runs = scenarios(3, 1, 2, 3)
    lengths = [1.0, 10.0, 1.0] * 3
    known = dict(zip(map(setting, runs), lengths, strict=True))
    found = order(runs, known, workers)
    assert found == begun
    assert span(lengths, found, workers) == whole
    assert span(lengths, found, workers) <= span(lengths, list(range(9)), workers)


def test_what_never_ran_counts_as_the_longest() -> None:
    runs = scenarios(1, 1, 2, 3)
    assert order(runs, {setting(runs[0]): 1.0, setting(runs[2]): 9.0}, 1) == [1, 2, 0]
    assert order(runs, {}, 2) == [0, 1, 2], "as the file has them"
    assert order([], {}, 2) == []


def test_a_sweep_begins_by_what_runs_of_other_seeds_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Stimulus*: seed 1 of two points in another sweep; then two further seeds, with a point that never ran."""
    log = tmp_path / "begun.txt"
    fake_binaries(tmp_path / "bin", monkeypatch, then=f'echo "$seed $stop" >> {log}')
    other = sweep_of(tmp_path, f"seeds = [1]\n{POINTS}", "other")[:2]
    assert not sweep(other, workers=1, scheduler=None, tell=lambda _: None)
    log.unlink()
    # A run that was cut off says nothing, nor does one without a time.
    for name, text in (("cut", "{"), ("bare", "{}")):
        (tmp_path / f"out/{name}/x/seed-1").mkdir(parents=True)
        (tmp_path / f"out/{name}/x/seed-1/result.json").write_text(text)
    assert sorted(measured(whole_runs(tmp_path / "out")).values()) == [20e9, 50e9]

    tasks = sweep_of(tmp_path, f"seeds = [2, 3]\n{POINTS}")
    assert not sweep(tasks, workers=1, scheduler=None, tell=lambda _: None, results=tmp_path / "out")
    begun = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
    assert begun == [(seed, stop * 10**9) for seed in (2, 3) for stop in (50, 30, 20)]
