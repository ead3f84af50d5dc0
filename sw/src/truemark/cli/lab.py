# SPDX-License-Identifier: BSD-3-Clause
"""The commands `truemark lab ...`."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import documents
from truemark.cli import output
from truemark.cli.output import AsJson
from truemark.cli.progress import progress
from truemark.errors import TruemarkError

if TYPE_CHECKING:
    from truemark.lab.summary import Point

app = typer.Typer(help="TCP of ns-3 through Truemark's queues: scenarios, sweeps, reports.", no_args_is_help=True)

OUT = Path("build/lab/results")
ACROSS = 5  # points that fit next to each other in 80 columns
COLUMNS = 5  # measures that fit next to the name of a point


def show(points: list[Point]) -> None:
    """Print the table of points: a row a measure while the points fit next to each other, else a row a point."""
    from truemark.lab.summary import measures_of

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0) if len(points) > ACROSS else 0)
    measures = measures_of(points)
    # Where there is no room a name takes two lines.
    table.add_column("", overflow="ellipsis" if len(points) <= ACROSS else "fold")
    if len(points) <= ACROSS:
        for point in points:
            table.add_column(point.title, justify="right")
        for measure in measures:
            table.add_row(measure.label.replace("[", "\\["), *(point.shown(measure) for point in points))
    else:
        shown = [measure for measure in measures if measure.key != "drops_FIN"][:COLUMNS]
        rows = [[point.mean(measure) for measure in shown] for point in points]
        for measure in shown:
            heading = measure.label.replace("[", "\\[").replace(" ", "\n")
            table.add_column(heading, justify="right")
        for point, row in zip(points, rows, strict=True):
            table.add_row(point.title, *row)
    output.console.print(table)


def print_points(points: list[Point], wrote: list[Path]) -> None:
    """Print the document of runs."""
    from truemark.lab.summary import measures_of

    found: documents.Lab = {
        "points": [
            {
                "name": point.name,
                "runs": len(point.runs),
                "measures": {
                    measure.key: [value if math.isfinite(value) else None for value in point.values(measure)]
                    for measure in measures_of(points)
                },
            }
            for point in points
        ],
        "wrote": [str(path) for path in wrote],
    }
    output.document("lab", found)


@app.command("run")
def run_scenario(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO.toml", help="what to run")],
    change: Annotated[list[str] | None, typer.Option("--set", help="KEY=VALUE over the file: queue.k=24us")] = None,
    seed: Annotated[int | None, typer.Option(help="another seed than the file's")] = None,
    engine: Annotated[str | None, typer.Option(help="model, rtl or both: which engine decides at every port")] = None,
    out: Annotated[Path | None, typer.Option(help="folder of the result [build/lab/results/NAME/seed-N]")] = None,
    as_json: AsJson = False,
) -> None:
    """Run one scenario: the queue of every switch port is a Truemark engine."""
    from truemark.lab import runner, summary
    from truemark.lab.scenario import parse_change, read_scenario
    from truemark.lab.summary import Point

    changes = [parse_change(text) for text in change or []]
    if seed is not None:
        changes.append({"seed": seed})
    if engine is not None:
        changes.append({"queue": {"engine": engine}})
    wanted = read_scenario(scenario, changes)
    try:
        runner.planned_ports(wanted)
    except TruemarkError as error:
        raise TruemarkError(f"{scenario}: [queue]: {error}") from None
    runner.find_runner()  # before anything is said of the run
    folder = out or OUT / wanted.name / f"seed-{wanted.seed}"
    screen = output.talk(as_json)
    screen.print(summary.queue_text(wanted), highlight=False)
    screen.print(summary.timers(wanted), highlight=False)
    with progress(f"{wanted.name} ({wanted.queue.engine})"):
        done = runner.run(wanted, folder)
    points = [Point(wanted.name, (done,))]
    if as_json:
        print_points(points, [folder])
        return
    show(points)
    for name, text in summary.checks(done):
        output.console.print(f"{name}: {text}", highlight=False)
    output.console.print(f"wrote {folder}", highlight=False)


@app.command("sweep")
def run_sweep(
    grid: Annotated[Path, typer.Argument(metavar="SWEEP.toml", help="base scenario, seeds and points")],
    out: Annotated[Path | None, typer.Option(help="folder of the results [build/lab/results/SWEEP]")] = None,
    workers: Annotated[int, typer.Option(help="runs at a time on this machine", min=1)] = 2,
    scheduler: Annotated[str | None, typer.Option(help="address of a Dask scheduler instead: tcp://host:8786")] = None,
    again: Annotated[bool, typer.Option(help="run again what is there already")] = False,
    claimed: Annotated[bool, typer.Option(help="run only what the papers' claims need")] = False,
    item: Annotated[list[str] | None, typer.Option(help="run only what an item's claims need, as 4#14")] = None,
    as_json: AsJson = False,
) -> None:
    """Run every point of a sweep with every seed; started again, it goes on where it was."""
    from truemark.lab.sweep import read_grid, save_copy, sweep, take_equal, with_a_claim  # Dask takes a second to load

    folder = out or OUT / grid.stem
    tasks = read_grid(grid, folder)
    points = dict.fromkeys(task.point for task in tasks)
    if claimed or item:
        tasks = with_a_claim(tasks, grid, item or [])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_copy(grid, folder)
        (folder / "points.txt").write_text("\n".join(points) + "\n", encoding="utf-8")
    except OSError as error:
        raise TruemarkError(f"{folder}: cannot be written: {error.strerror}") from None
    screen = output.talk(as_json)
    seeds = Counter(task.point for task in tasks)
    fewest, most = min(seeds.values()), max(seeds.values())
    each = f"{most} seeds" if fewest == most else f"{fewest} to {most} seeds each"
    screen.print(f"{len(tasks)} runs: {len(seeds)} points, {each}", highlight=False)
    if not again and (equal := take_equal(tasks, folder.parent)):
        screen.print(f"{equal} runs are equal to those of other sweeps in {folder.parent}", highlight=False)
    failed = sweep(
        tasks,
        workers=workers,
        scheduler=scheduler,
        again=again,
        results=folder.parent,
        tell=lambda text: screen.print(text, highlight=False, soft_wrap=True),
    )
    if failed:
        raise TruemarkError(f"{len(failed)} of {len(tasks)} runs failed: {'; '.join(task.name for task, _ in failed)}")
    if as_json:
        output.wrote(folder)
        return
    output.console.print(f"all runs are in {folder}", highlight=False, soft_wrap=True)
    output.console.print(f"truemark lab report {folder} shows them", highlight=False, soft_wrap=True)


@app.command("report")
def make_report(
    results: Annotated[Path, typer.Argument(help="folder with runs, at any depth")],
    out: Annotated[Path | None, typer.Option(help="folder of page and pictures [RESULTS/report]")] = None,
    as_json: AsJson = False,
) -> None:
    """Make an HTML page with pictures from all complete runs below a folder."""
    from truemark.lab import report as reporting  # matplotlib takes seconds to load

    sweeps = reporting.read(results)
    if as_json:
        points = [point for each in sweeps for point in each.points]
        print_points(points, reporting.write(sweeps, out or results / "report"))
        return
    for each in sweeps:
        show(each.points)
        for found in each.findings:
            interval = f"{found.middle} ({found.low:.3g} to {found.high:.3g})" if found.seeds else "-"
            said = f"{found.claim.text}: {found.claim.says}; here {interval}, tolerance {found.claim.tolerance}"
            output.console.print(f"{found.verdict}: {said}", highlight=False)
        for line in each.notes:
            output.console.print(f"note: {line}", highlight=False)
    for path in reporting.write(sweeps, out or results / "report"):
        output.console.print(f"wrote {path}", highlight=False)


@app.command("papers")
def compare_papers(
    results: Annotated[Path, typer.Argument(help="folder with the results of sweeps, each under its name")] = OUT,
    folder: Annotated[Path, typer.Option(help="the scenarios, with papers.toml next to their folder")] = Path(
        "sim/lab/scenarios"
    ),
    out: Annotated[Path | None, typer.Option(help="folder of papers.md and papers.jsonl [RESULTS/papers]")] = None,
    before: Annotated[
        Path | None, typer.Option(help="an earlier papers.jsonl: its lines of claims without runs here")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write every claim of the four papers next to what the runs say: a page, and a line of data for each item."""
    from truemark.lab import papers

    found = papers.compare(folder.parent / "papers.toml", folder, results, before)
    output.aside(papers.remarks(found))
    wrote = papers.write(found, out or results / "papers")
    if as_json:
        output.wrote(*wrote)
        return
    for name, value in found["figures"].items():
        output.console.print(f"{name} = {value}", highlight=False)
    for path in wrote:
        output.console.print(f"wrote {path}", highlight=False)
