# SPDX-License-Identifier: BSD-3-Clause
"""Record what sweeps measured: README's table, and of the shared memory greedy queues and what alpha decides.

Takes names of sweeps; without any, all that have a table. Each needs the runs of its sweep.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, median

from truemark.errors import TruemarkError, suggest
from truemark.lab import report
from truemark.lab.figures import figure
from truemark.lab.summary import Point
from truemark.lab.sweep import read_sweep
from truemark_dev.paths import ROOT
from truemark_dev.results import Figure, Scalar, Value, record, slug, taken

RESULTS = ROOT / "build/lab/results"
Row = tuple[str, str, int]
"""A figure, its title, and its decimal places."""
Table = dict[str, Value]
"""Rows by their titles."""
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
HEADLINE = "hadoop-whole"
POLICIES = {  # points of the headline, and what README calls them
    "DropTail, shallow": "droptail, shallow",
    "RED 100us in packets, default, shallow": "RED + ECN, W = 0, shallow",
    "RED 100us in packets, W = 9, default, shallow": "RED + ECN, W = 9, shallow",
    "RED 100us in packets, ack+syn, shallow": "RED + ECN, W = 0, ack+syn, shallow",
    "true-mark 30kB, shallow": "true-mark 30 kB, shallow",
    "DropTail, deep": "droptail, deep",
}
HEADLINE_ROWS = (
    ("job90", "nine tenths of the flows [s]", 3),
    ("job", "job [s]", 3),
    ("drops_data", "drops: data", 0),
    ("drops_ACK", "drops: ACK", 0),
    ("drops_SYN", "drops: SYN, SYN-ACK", 0),
    ("wait", "wait in a queue, mean [ms]", 3),
    ("marks", "marks", 0),
)


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


def rounded(value: float, digits: int) -> float:
    """Round; a count stays a whole number."""
    return round(value, digits) if digits else round(value)


def spread(point: Point, key: str, digits: int) -> Scalar:
    """Return a figure's median over the seeds with the least and the most; alone if they are equal."""
    values = [figure(run, key) for run in point.runs]
    middle, least, most = (rounded(each, digits) for each in (median(values), min(values), max(values)))
    return middle if least == most else [middle, least, most]


def over_seeds(point: Point, key: str, digits: int) -> Scalar:
    """Return a figure's mean over the seeds; of a job the median, with the least and the most.

    A job in which a SYN-ACK was lost takes a second more, and a mean would be of no seed.
    """
    if key == "job":
        return spread(point, key, digits)
    return rounded(fmean(figure(run, key) for run in point.runs), digits)


def rows_of(rows: tuple[Row, ...], settings: dict[str, Point]) -> tuple[Row, ...]:
    """Leave out what lossy points cannot have."""
    paused = any(run.scenario.pfc for point in settings.values() for run in point.runs)
    return tuple(row for row in rows if paused or row != PAUSES)


def points_of(sweep: Path, runs: Path = RESULTS) -> list[Point]:
    """Return the points that the tables of a sweep need; refuse if a run of one of its seeds is missing."""
    grid = read_sweep(sweep)
    wanted = POLICIES if sweep.stem == HEADLINE else [name for name, _ in grid.points()]
    named = {point.name: point for point in report.of_the_sweep(sweep, report.collect(runs / sweep.stem))}
    there = {(name, run.scenario.seed) for name, point in named.items() for run in point.runs}
    if missing := [f"{name}, seed {seed}" for name in wanted for seed in grid.seeds if (name, seed) not in there]:
        raise TruemarkError(f"no run of {'; '.join(missing)}")
    return [named[name] for name in wanted]


def listed(seeds: Sequence[int]) -> str:
    """Say which seeds they are."""
    one_by_one = list(range(seeds[0], seeds[-1] + 1)) == list(seeds)
    return f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 and one_by_one else ", ".join(map(str, seeds))


def of_settings(name: str, points: Iterable[Point]) -> Table:
    """Return a row for each place and measure, whose columns are the settings."""
    found: Table = {}
    for place, settings in by_setting(points).items():
        for key, title, digits in rows_of(ROWS[name], settings):
            words = ": ".join(filter(None, (place, title)))
            found[words] = {setting: over_seeds(point, key, digits) for setting, point in settings.items()}
    return found


def of_policies(points: Iterable[Point]) -> Table:
    """Return a row for each measure, whose columns are README's policies."""
    named = {point.name: point for point in points}
    return {
        title: {policy: spread(named[name], key, digits) for name, policy in POLICIES.items()}
        for key, title, digits in HEADLINE_ROWS
    }


def main() -> int:
    """Record a figure for each row of the tables; say what is missing."""
    tables = [HEADLINE, *ROWS]
    names = sys.argv[1:] or tables
    if strange := [name for name in names if name not in tables]:
        print(f"{strange[0]}: no sweep with a table; {suggest(strange[0], tables)}")
        return 1
    for name in names:
        sweep = ROOT / "sim/lab/scenarios" / f"{name}.toml"
        command = f"truemark lab sweep {sweep.relative_to(ROOT)}"
        try:
            points = points_of(sweep)
            table = of_policies(points) if name == HEADLINE else of_settings(name, points)
            origin = taken(command, listed(sorted(run.scenario.seed for run in points[0].runs)))
        except TruemarkError as error:
            print(f"{name}: {error}: {command}")
            return 1
        first = name.removesuffix("-sweep")
        figures = [Figure(f"{first}.{slug(words)}", words, value, **origin) for words, value in table.items()]
        record("lab", figures)
        print("\n".join(f"{each.key} = {each.value}" for each in figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
