# SPDX-License-Identifier: BSD-3-Clause
"""Record what the sweeps of the shared memory measured: greedy queues against theory, and what alpha decides."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from statistics import fmean

from truemark.lab import report
from truemark.lab.figures import figure
from truemark.lab.summary import Point
from truemark_dev.paths import ROOT
from truemark_dev.results import Figure, Value, record, slug, taken

RESULTS = ROOT / "build/lab/results"
INCAST = (
    ("block", "a block [ms]", 1),
    ("pool_threshold", "refused above its threshold", 0),
    ("pool_cells", "refused for want of cells", 0),
    ("pool_most", "pool filled, most [%]", 1),
)


def by_setting(points: Iterable[Point]) -> dict[str, dict[str, Point]]:
    """Return the points by what comes before the last comma of their names, and by what comes behind it."""
    found: dict[str, dict[str, Point]] = {}
    for point in points:
        place, _, setting = point.name.rpartition(", ")
        found.setdefault(place, {})[setting] = point
    return found


def mean(point: Point, key: str, digits: int) -> int | float:
    """Return a figure's mean over the seeds."""
    value = round(fmean(figure(run, key) for run in point.runs), digits)
    return value if digits else int(value)


def commits(points: Iterable[Point]) -> str:
    """Return the commits that the runs were made from."""
    return ", ".join(sorted({str(run.result["versions"]["commit"]) for point in points for run in point.runs}))


def seeds(points: Iterable[Point]) -> str:
    """Say which seeds all points have."""
    shared = set.intersection(*({run.scenario.seed for run in point.runs} for point in points))
    return f"{min(shared)} to {max(shared)}"


def main() -> int:
    """Record a figure for each row of the tables; say what is missing."""
    for name in ("pool-greedy", "pool-incast-sweep"):
        points = report.collect(RESULTS / name)
        if not points:
            print(f"no runs of {name}: truemark lab sweep sim/lab/scenarios/{name}.toml")
            return 1
        origin = taken(f"truemark lab sweep sim/lab/scenarios/{name}.toml", seeds(points))
        origin["commit"] = commits(points)
        figures = []
        for place, settings in by_setting(points).items():
            rows = INCAST if name != "pool-greedy" else (("pool_share", "", 3),)
            for key, title, digits in rows:
                value: Value = {setting: mean(point, key, digits) for setting, point in settings.items()}
                words = f"{place}: {title}" if title else place
                figures.append(Figure(f"{name.removesuffix('-sweep')}.{slug(words)}", words, value, **origin))
        record("lab", figures)
        print("\n".join(f"{each.key} = {each.value}" for each in figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
