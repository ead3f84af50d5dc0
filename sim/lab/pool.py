# SPDX-License-Identifier: BSD-3-Clause
"""Record what the sweeps of the shared memory measured: greedy queues against theory, and what alpha decides.

Without names all of them; each needs the runs of its sweep.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from statistics import fmean, median

from truemark.lab import report
from truemark.lab.figures import figure
from truemark.lab.summary import Point
from truemark_dev.paths import ROOT
from truemark_dev.results import Figure, Scalar, Value, record, slug, taken

RESULTS = ROOT / "build/lab/results"
Row = tuple[str, str, int]
"""A figure, its title, and its decimal places."""
REFUSED = (
    ("pool_threshold", "refused above its threshold", 0),
    ("pool_cells", "refused for want of cells", 0),
)
FILLED = ("pool_most", "pool filled, most [%]", 1)
BLOCK = ("block", "a block [ms]", 1)
SHUFFLE = (("job", "the job [s]", 4), ("fct_quiet", "a flow to the quiet port [ms]", 2))
LOST, PAUSES = ("drops", "packets lost", 0), ("pauses", "pauses", 0)
ROWS = {
    "pool-greedy": (("pool_share", "", 3),),
    "pool-incast-sweep": (BLOCK, *REFUSED, FILLED),
    "pool-incast-lossless": (BLOCK, LOST, PAUSES, FILLED),
    "pool-shuffle-sweep": (*SHUFFLE, LOST, PAUSES, FILLED),
    "pool-shuffle-at-once": (*SHUFFLE, LOST, PAUSES, FILLED),
    "pool-shuffle-priorities": (*SHUFFLE, LOST, PAUSES),
}


def by_setting(points: Iterable[Point]) -> dict[str, dict[str, Point]]:
    """Return the points by what comes before the last comma of their names, and by what comes behind it.

    Those with the most settings come first, so that the columns stand in their order. Points without a threshold in
    their names are claims' controls.
    """
    found: dict[str, dict[str, Point]] = {}
    for point in points:
        place, _, setting = point.name.rpartition(", ")
        if setting.startswith(("alpha", "static")):
            found.setdefault(place, {})[setting] = point
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def over_seeds(point: Point, key: str, digits: int) -> Scalar:
    """Return a figure's mean over the seeds; of a job the median, with the least and the most.

    A job in which a SYN-ACK was lost takes a second more, and a mean would be of no seed.
    """
    values = [figure(run, key) for run in point.runs]
    if key == "job":
        return [round(each, digits) for each in (median(values), min(values), max(values))]
    value = round(fmean(values), digits)
    return value if digits else int(value)


def rows_of(rows: tuple[Row, ...], settings: dict[str, Point]) -> tuple[Row, ...]:
    """Leave out what lossy points cannot have."""
    paused = any(run.scenario.pfc for point in settings.values() for run in point.runs)
    return tuple(row for row in rows if paused or row != PAUSES)


def commits(points: Iterable[Point]) -> str:
    """Return the commits that the runs were made from."""
    return ", ".join(sorted({str(run.result["versions"]["commit"]) for point in points for run in point.runs}))


def seeds(points: Iterable[Point]) -> str:
    """Say which seeds all points have."""
    shared = set.intersection(*({run.scenario.seed for run in point.runs} for point in points))
    return f"{min(shared)} to {max(shared)}" if len(shared) > 1 else str(min(shared))


def main() -> int:
    """Record a figure for each row of the tables; say what is missing."""
    for name in sys.argv[1:] or ROWS:
        points = report.collect(RESULTS / name)
        if not points:
            print(f"no runs of {name}: truemark lab sweep sim/lab/scenarios/{name}.toml")
            return 1
        origin = taken(f"truemark lab sweep sim/lab/scenarios/{name}.toml", seeds(points))
        origin["commit"] = commits(points)
        figures = []
        for place, settings in by_setting(points).items():
            for key, title, digits in rows_of(ROWS[name], settings):
                value: Value = {setting: over_seeds(point, key, digits) for setting, point in settings.items()}
                words = f"{place}: {title}" if title else place
                figures.append(Figure(f"{name.removesuffix('-sweep')}.{slug(words)}", words, value, **origin))
        record("lab", figures)
        print("\n".join(f"{each.key} = {each.value}" for each in figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
