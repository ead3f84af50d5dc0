# SPDX-License-Identifier: BSD-3-Clause
"""A page for the runs below a folder, with its pictures inside it; its tables as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from truemark.device.outcomes import SIGNALLED
from truemark.errors import TruemarkError
from truemark.files import whole_file
from truemark.lab import figures, runner, summary
from truemark.lab.claims import NO_CONTROL, ONE_SEED, Finding, judge
from truemark.lab.folder import failed_runs, whole_runs
from truemark.lab.gallery import MANY, caption, plot_all
from truemark.lab.runner import LabRun
from truemark.lab.summary import Measure, Point, measures_of
from truemark.pages import inside, render

LAST = 1000  # place of runs without a sweep
FEW_NAMES = 6  # more points are counted, not named
SHORT = ("job", "drops_data", "drops_ACK", "drops_SYN", "wait")  # measures of a shuffle
MOST = 6  # measures of the other kinds
NOTE = (
    "Simulated: TCP of ns-3 3.44, scaled topologies, timers as stated. Every verdict, mark and departure "
    "at every switch port is taken by the engine named; where it says ns-3, by ns-3's own queue."
)


def collect(folder: Path) -> list[Point]:
    """Return the points of all complete runs below a folder, which may have none."""
    found = [runner.load(path) for path in whole_runs(folder)]
    order = folder / "points.txt"
    names = order.read_text(encoding="utf-8").splitlines() if order.is_file() else []
    rank = {name: place for place, name in enumerate(names)}
    return sorted(summary.points(found), key=lambda point: (rank.get(point.name, len(rank)), point.name))


def warnings(points: list[Point]) -> list[str]:
    """Return what a reader must know before the numbers."""
    found = []
    for point in points:
        runs = point.runs
        queue = runs[0].scenario.queue
        early = [int(figures.figure(run, "early")) for run in runs]
        acted = any(figures.total(run, outcome.name.lower()) for run in runs for outcome in SIGNALLED)
        if queue.policy == "red" and not acted:
            found.append(f"{point.title}: RED never acted, its average never reached min; this is a droptail queue")
        elif queue.policy == "red" and queue.weight is not None:
            found.append(f"{point.title}: weight {queue.weight}: {fmean(early):,.0f} early drops in a run")
        struck = [run.result["result"]["stop_s"] for run in runs if not run.finished]
        if struck:
            found.append(
                f"{point.title}: {len(struck)} of {len(runs)} runs were open at their stop time of {struck[0]:g} s"
            )
    few = {point.title: len(point.runs) for point in points if len(point.runs) < 3}
    for count in sorted(set(few.values())):
        names = [name for name, seeds in few.items() if seeds == count]
        where = "; ".join(names)
        if len(names) > FEW_NAMES:
            where = "every point" if len(names) == len(points) else f"{len(names)} of {len(points)} points"
        found.append(f"{count} seed{'s' if count > 1 else ''} only: {where}")
    return found


def failures(folder: Path) -> list[str]:
    """Return runs that left no result, with the end of their logs."""
    return [
        f"{path.relative_to(folder).with_suffix('')} failed: {end_of(path / runner.LOG)}"
        for path in failed_runs(folder)
    ]


def end_of(log: Path) -> str:
    """Return the last line of a log; a disk may have been too full for any."""
    return runner.last_lines(log.read_text(encoding="utf-8", errors="replace"), 1) if log.is_file() else "no log"


@dataclass(frozen=True)
class Number:
    """A figure of a cell, and whether it is the best of its measure."""

    text: str
    best: bool = False


@dataclass(frozen=True)
class Table:
    """Rows, each with its name, a list of numbers for a cell; the column of names has no heading."""

    heads: list[str]
    rows: list[tuple[str, list[list[Number]]]]

    @property
    def narrow(self) -> Table:
        """The table, or with rows for columns if that has fewer of them."""
        if len(self.rows) >= len(self.heads):
            return self
        turned = [(head, [cells[place] for _, cells in self.rows]) for place, head in enumerate(self.heads)]
        return Table([name for name, _ in self.rows], turned)


def headed(titles: str, unit: str) -> str:
    """Titles with their unit."""
    return f"{titles} [{unit}]" if unit else titles


def columns(measures: tuple[Measure, ...]) -> list[list[Measure]]:
    """Return the column of a measure: drops share one."""
    found: list[list[Measure]] = []
    for measure in measures:
        if measure.key.startswith("drops_") and found and found[-1][0].key.startswith("drops_"):
            found[-1].append(measure)
        else:
            found.append([measure])
    return found


@dataclass(frozen=True)
class Sweep:
    """The complete runs of a sweep, or single runs, and what there is to say of them."""

    name: str
    points: list[Point]
    title: str
    place: int
    findings: list[Finding]
    notes: list[str]

    @property
    def heading(self) -> str:
        """Name and title."""
        return f"{self.name}: {self.title}"

    @property
    def verdicts(self) -> str:
        """How many claims came out how."""
        counts = Counter(found.verdict for found in self.findings)
        order = ("reproduced", ONE_SEED, "partly", "not", "not discriminating", NO_CONTROL, "not run")
        said = ", ".join(f"{counts[word]} {word}" for word in order if counts[word])
        return f" (claims: {said})" if said else ""

    @property
    def runs(self) -> list[LabRun]:
        """The runs of all points."""
        return [run for point in self.points for run in point.runs]

    @property
    def dates(self) -> list[str]:
        """When the runs were made."""
        return sorted({str(run.result.get("made", "undated")) for run in self.runs})

    @property
    def seeds(self) -> list[int]:
        """How many seeds the points have."""
        return sorted({len(point.runs) for point in self.points})

    @property
    def measures(self) -> Table:
        """Every measure, with its range over the seeds."""
        measures = measures_of(self.points)
        best = {measure: summary.best(self.points, measure) for measure in measures}
        rows = [
            (
                point.title,
                [
                    [Number(str(len(point.runs)))],
                    *([Number(point.shown(each), point.mean(each) == best[each])] for each in measures),
                ],
            )
            for point in self.points
        ]
        return Table(["seeds", *(measure.label for measure in measures)], rows)

    @property
    def brief(self) -> Table:
        """The measures that matter most: means over the seeds."""
        measures = measures_of(self.points)
        keys = SHORT if measures[0].key == "job" else tuple(measure.key for measure in measures[:MOST])
        shown = columns(tuple(measure for measure in measures if measure.key in keys))
        best = {measure: summary.best(self.points, measure) for column in shown for measure in column}
        rows = [
            (
                point.title,
                [[Number(point.mean(each), point.mean(each) == best[each]) for each in cell] for cell in shown],
            )
            for point in self.points
        ]
        heads = [headed(" / ".join(measure.title for measure in column), column[0].unit) for column in shown]
        return Table(heads, rows)

    @property
    def queues(self) -> list[list[str]]:
        """The points' queues."""
        return [[point.title, summary.queue_text(point.runs[0].scenario)] for point in self.points]

    @property
    def timers(self) -> dict[str, list[str]]:
        """Timers and TCP, and the points that have them."""
        found: dict[str, list[str]] = {}
        for point in self.points:
            found.setdefault(summary.timers(point.runs[0].scenario), []).append(point.title)
        return found

    @property
    def checked(self) -> dict[str, list[tuple[str, str]]]:
        """What was asserted in each run."""
        found = {}
        for point in self.points:
            for run in point.runs:
                versions = ", ".join(f"{name} {value}" for name, value in run.result["versions"].items())
                rows = [*summary.checks(run), ("made with", versions)]
                found[f"{point.title}, seed {run.scenario.seed}"] = rows
        return found


def of_seeds(sweeps: list[Sweep]) -> str:
    """Return what the numbers of a page are of."""
    several = any(seeds > 1 for each in sweeps for seeds in each.seeds)
    return "Mean over the seeds, with the range" if several else "One seed a point"


def read(folder: Path) -> list[Sweep]:
    """Return the runs of this folder, or the sweeps that it holds, in the order of their places."""
    inside = [path.parent for path in folder.glob("*/points.txt")]
    folders = [folder] if not inside or (folder / "points.txt").is_file() else inside
    return sorted(map(read_sweep, folders), key=lambda each: (each.place, each.name))


def only(points: list[Point], wanted: Callable[[LabRun], bool]) -> list[Point]:
    """Return the points with these of their runs, without those that have none."""
    kept = [Point(point.name, tuple(run for run in point.runs if wanted(run))) for point in points]
    return [point for point in kept if point.runs]


def of_the_sweep(path: Path, points: list[Point]) -> list[Point]:
    """Return the points with those of their runs that the sweep has as it is now: others judge nothing."""
    from truemark.lab import sweep  # Dask takes a second to load

    wanted = {(task.point, task.scenario.seed): task.scenario.unnamed() for task in sweep.read_grid(path, Path())}
    return only(points, lambda run: run.scenario.unnamed() == wanted.get((run.result["point"], run.scenario.seed)))


def left_out(everything: list[Point], points: list[Point]) -> list[str]:
    """Return how many runs are there that the sweep does not have as it is now, and of which points."""
    kept = {point.name: len(point.runs) for point in points}
    gone = {point.title: len(point.runs) - kept.get(point.name, 0) for point in everything}
    named = "; ".join(f"{title} ({count})" for title, count in gone.items() if count)
    return [f"runs left out, for the sweep has them no more: {named}"] if named else []


def read_sweep(folder: Path) -> Sweep:
    """Return the runs of one folder, with the claims of the sweep that made them if that is there."""
    from truemark.lab import sweep  # Dask takes a second to load

    points = everything = collect(folder)
    if not everything:
        raise TruemarkError(
            f"{folder}: no complete run below it; `truemark lab run SCENARIO --out {folder}/NAME` makes one"
        )
    path = folder / sweep.COPY
    grid = sweep.read_sweep(path) if path.is_file() else None
    if grid and (folder / grid.base).is_file():
        points = of_the_sweep(path, everything)
    elif grid:  # older folders lack the base: names and seeds must do
        known = dict(grid.points())
        points = only(everything, lambda run: run.result["point"] in known and run.scenario.seed in grid.seeds)
    notes = left_out(everything, points)
    if not points:
        raise TruemarkError(f"{folder}: {notes[0]}; `truemark lab sweep` makes those that it has now")
    scenario = points[0].runs[0].scenario
    title = (grid.title if grid else "") or scenario.title or scenario.name
    findings = judge(grid.claim if grid else [], points)
    return Sweep(
        folder.name, points, title, grid.place if grid else LAST, findings, notes + warnings(points) + failures(folder)
    )


def write(sweeps: list[Sweep], out: Path) -> list[Path]:
    """Make the page, its tables as Markdown and its pictures: a section for each sweep."""
    alone = len(sweeps) == 1
    try:
        pictures = []
        for each in sweeps:
            folder = out if alone else out / each.name
            folder.mkdir(parents=True, exist_ok=True)
            pictures.append(plot_all(each.points, folder))
        html = render(
            "lab.html.j2",
            sweeps=sweeps,
            title=sweeps[0].title if alone else "all sweeps",
            note=NOTE,
            of_seeds=of_seeds(sweeps),
            pictures=pictures,
            caption=caption,
            inside=inside,
            most=MANY,
        )
        made = {out / "report.html": html, out / "report.md": render("lab.md.j2", sweeps=sweeps)}
        for path, text in made.items():
            with whole_file(path) as file:
                file.write(text)
    except OSError as error:
        raise TruemarkError(f"{out}: cannot be written: {error.strerror or error}") from None
    return [*made, *(path for each in pictures for path in each.values())]
