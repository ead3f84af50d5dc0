# SPDX-License-Identifier: BSD-3-Clause
"""Which points of the shipped sweeps become which lines of a picture; no run is needed for that."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from sw.tests.lab.lab_runs import SCENARIOS, SMALL

from truemark.lab import report
from truemark.lab.pictures import BY_KEY, draw_means, shared_port, window_of
from truemark.lab.pictures_papers import by_delay, by_threshold, in_setting, paired_ratio, settings_swept
from truemark.lab.report import Number, Table
from truemark.lab.runner import LabRun
from truemark.lab.scenario import read_scenario
from truemark.lab.summary import MEASURES, OF_KIND, Point, best
from truemark.lab.sweep import read_grid

pytestmark = pytest.mark.builds("engine:model", "lab-runner")


def points_of(name: str) -> list[Point]:
    """Return the points of a sweep, as if each had been run with its first seed."""
    tasks = {task.point: task for task in reversed(read_grid(SCENARIOS / f"{name}.toml", Path("out")))}
    return [Point(point, (LabRun(task.folder, task.scenario, {}),)) for point, task in tasks.items()]


def test_the_grid_has_a_picture_for_every_buffer_and_transport() -> None:
    points = points_of("hadoop-grid")
    settings = [("shallow", "tcp-ecn"), ("shallow", "dctcp"), ("deep", "tcp-ecn"), ("deep", "dctcp")]
    assert sorted(settings_swept(points)) == sorted(settings)
    for setting in settings:
        for policy, count in (("red", 8), ("codel", 4)):
            lines = by_delay(in_setting(points, setting), policy)
            assert {name: len(row) for name, row in lines.items()} == dict.fromkeys(
                ("default", "ece", "ack+syn"), count
            )
            delays = [delay for delay, _ in lines["ece"]]
            assert delays == sorted(set(delays))


def test_one_delay_many_times_is_no_sweep() -> None:
    assert settings_swept(points_of("tornado")) == []


def test_a_change_is_compared_seed_by_seed() -> None:
    """A point of one seed against one of three: what the others had is no change."""
    scenario = read_scenario(SMALL)

    def point(**times: float) -> Point:
        runs = [
            LabRun(
                Path(),
                scenario.model_copy(update={"seed": int(name[1:])}),
                {"result": {"finished": True, "job": {"time_s": time}}},
            )
            for name, time in times.items()
        ]
        return Point("point", tuple(runs))

    base = point(s1=0.24, s2=0.11, s3=0.10)
    assert paired_ratio(point(s1=0.24), base, "job") == 1
    assert paired_ratio(point(s1=0.48, s2=0.22, s3=0.20), base, "job") == pytest.approx(2)
    assert math.isnan(paired_ratio(point(s4=1.0), base, "job"))


def test_what_is_said_where_points_have_one_seed() -> None:
    """On the page before the numbers, and in bars without dots."""
    scenario = read_scenario(SMALL)

    def point(name: str, *times: float) -> Point:
        found = [{"result": {"finished": True, "job": {"time_s": time}, "verdicts": {}}} for time in times]
        return Point(name, tuple(LabRun(Path(), scenario, result) for result in found))

    def dots(points: list[Point]) -> list[int]:
        axis = Figure().subplots()
        draw_means(axis, points, BY_KEY["job"])
        return [int(np.size(line.get_xdata())) for line in axis.lines]

    one, two, three = point("RED, W = 9", 0.24), point("a, b", 0.2, 0.3), point("c", 0.1, 0.2, 0.3)
    assert report.warnings([one]) == ["1 seed only: RED, W = 9"]
    assert report.warnings([one, two, three, replace(one, name="d")]) == [
        "1 seed only: RED, W = 9; d",
        "2 seeds only: a, b",
    ]
    many = [replace(one, name=f"point {number}") for number in range(8)]
    assert report.warnings(many) == ["1 seed only: every point"]
    assert report.warnings([*many, three]) == ["1 seed only: 8 of 9 points"]
    swept = [report.Sweep("name", points, "title", 0, [], []) for points in ([one], [one, two])]
    assert report.of_seeds(swept[:1]) == "One seed a point"
    assert report.of_seeds(swept) == "Mean over the seeds, with the range"
    timed = replace(one, name="RED 100us")
    assert report.warnings([timed]) == ["1 seed only: RED 100 µs"]
    assert [name for name, _ in report.Sweep("name", [timed], "title", 0, [], []).queues] == ["RED 100 µs"]
    assert dots([one]) == []
    assert dots([one, two, three]) == [2, 3]


def test_red_that_protects_every_packet_acts() -> None:
    scenario = read_scenario(SMALL, [{"queue": {"policy": "red", "weight": 9}}])

    def said(**verdicts: int) -> str:
        result = {"result": {"finished": True, "verdicts": {"DATA": {name: [n, 0] for name, n in verdicts.items()}}}}
        return report.warnings([Point("point", (LabRun(Path(), scenario, result),))])[0]

    assert "RED never acted" in said(**{"pass": 7})
    for signal in ("protected", "mark", "ce_signalled", "early_forced"):
        assert "weight 9" in said(**{"pass": 7, signal: 1}), signal


def test_lines_of_the_dual_aqm_are_named_by_what_they_differ_in() -> None:
    step = by_threshold(points_of("dual-step-sweep"), "dual-step")
    assert list(step) == [f"min {size} kB" for size in ("3.9", "7.8", "15.6", "22.1", "31.2")]
    assert [round(place, 2) for place, _ in step["min 3.9 kB"]] == [1, 1.25, 1.5, 1.75, 2, 2.5, 3]
    others = by_threshold(points_of("dual-step-others"), "dual-step")
    assert len(others) == 7
    assert "2 flows each, uniform spacing" in others
    assert "1 flow each, wait spacing" in others
    slope = by_threshold(points_of("dual-slope-sweep"), "dual-slope")
    assert len(slope) == 5, "pairs for equal sharing are no line"
    places = {place for place, _ in slope["min 15.6 kB"]}  # 0.4 twice: it is the pair that should share equally, too
    assert places == {0.05, 0.1, 0.2, 0.4, 0.7, 1}
    assert by_threshold(points_of("dual-step-sweep"), "dual-slope") == {}


def test_the_best_of_a_measure_is_marked_where_there_is_one() -> None:
    """The least drops, the most goodput, ties as they are printed; nothing if all are alike or more is not better."""
    scenario = read_scenario(SMALL)

    def point(name: str, time: float) -> Point:
        return Point(name, (LabRun(Path(), scenario, {"result": {"finished": True, "job": {"time_s": time}}}),))

    job = next(measure for measure in MEASURES if measure.key == "job")
    points = [point("a", 0.2404), point("b", 3.1), point("c", 0.2398)]
    assert best(points, job) == "0.240"
    assert best(points, replace(job, better="more")) == "3.100"
    assert best(points, replace(job, better="")) == ""
    assert best(points[::2], job) == best(points[:1], job) == ""
    assert best([*points, point("d", math.nan)], job) == ""
    assert {measure.key for kind in OF_KIND.values() for measure in kind if measure.better == "more"} == {
        "goodput",
        "utilization",
        "fairness",
        "least_fairness",
        "background",
        "in_time",
    }


def test_a_table_that_is_too_wide_is_turned() -> None:
    """Nineteen measures of six points are off the screen: what there is more of becomes rows, each cell kept."""
    cells = {name: [[Number(f"{name}{place}", place == 2)] for place in range(3)] for name in "ab"}
    wide = Table(["x", "y", "z"], list(cells.items()))
    assert wide.narrow.heads == ["a", "b"]
    assert wide.narrow.rows == [(head, [cells["a"][at], cells["b"][at]]) for at, head in enumerate(wide.heads)]
    high = Table(wide.heads[:2], wide.rows)
    assert high.narrow is high


def test_the_first_part_is_that_of_the_quickest_job() -> None:
    """A job that stands still for seconds next to one of 200 ms: what is drawn first ends with the quick one."""
    scenario = read_scenario(SMALL)

    def run(seconds: float) -> LabRun:
        steps = int(1000 * seconds)
        series = [{"name": "leaf0.host0", "DATA": [20_000 * (step % 2) for step in range(steps)] + [0]}]
        job = {"time_s": seconds, "time_90_s": 0.9 * seconds}
        return LabRun(Path(), scenario, {"result": {"job": job, "series": series, "sample_ns": 1_000_000}})

    runs = [run(3.0), run(0.2)]
    first, whole = window_of(runs, shared_port(runs))
    assert first == pytest.approx(200, abs=2)
    assert whole == 3000
