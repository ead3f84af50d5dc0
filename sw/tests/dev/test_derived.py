# SPDX-License-Identifier: BSD-3-Clause
"""Figures that follow from others: the same ways by the keys of build/bench.json and by those of results/."""

import pytest
from sim.bench import bars

from truemark_dev import derived, results
from truemark_dev.builds import builds
from truemark_dev.derived import Way
from truemark_dev.results import Figure

WAY = derived.WAYS[0]


@pytest.mark.parametrize("way", derived.WAYS, ids=lambda way: str(way.key))
def test_way_is_the_same_in_the_bench_and_on_pages(way: Way) -> None:
    cycles, clock, itself = map(bars.row_of, (way.cycles, way.mhz, way.key))
    assert cycles is not None
    assert clock is not None
    assert itself is not None
    assert (cycles.figure_key(), cycles.place()[2]) == way.recorded
    assert clock.figure_key() == way.clock
    assert itself.bar == way.bar
    assert way.build in builds("timing")


def test_time_is_cycles_at_the_clock_once_both_are_known() -> None:
    assert derived.nanoseconds({WAY.cycles: 4}) == derived.nanoseconds({WAY.mhz: 125}) == {}
    assert derived.nanoseconds({WAY.cycles: 4, WAY.mhz: 125, "other": 1}) == {"latency_ns.256.true-mark": 32}


def test_pages_have_the_time_of_recorded_figures() -> None:
    (name, column), peer = WAY.recorded, Figure(WAY.peer, "peer", 120)
    cycles = Figure(name, "way", {column: 4.0}, peer={column: "3 SUME, axis_fifo"}, commit="a")
    clock = Figure(WAY.clock, "clock", 125.0, bar=125, better="more", commit="b", date="2026-11-30", seeds="1")
    found = derived.worked_out({each.key: each for each in (cycles, clock, peer)})
    each = found[f"nanoseconds.{WAY.key}"]
    assert each.value == {"cycles": 4, "clock of": "`truemark.true-mark.5x256`", "MHz": 125, "ns": 32}
    assert (each.bar, each.better, each.peer, each.commit) == ({"ns": 40}, "less", {"ns": 25}, "b")
    assert "| 4 | `truemark.true-mark.5x256` | 125 | 32 | ≤ 40 | 25 |" in results.table("nanoseconds", found, [])
    assert derived.worked_out({name: cycles}) == {}


def test_pages_have_the_longest_path_of_each_clock() -> None:
    known = Figure("timing.a", "a", 125.5, "MHz", 125, "more", path="in_q → b", command="make timing", seeds="1")
    others = Figure("timing.b", "b", 99.25), Figure("area.a", "x", 1)
    found = derived.worked_out({each.key: each for each in (known, *others)})
    assert results.table("longest_paths", found, []).splitlines()[2:] == [
        "| a | 125.5 | `in_q → b` | `make timing` |",
        "| b | 99.25 | - | |",
    ]
