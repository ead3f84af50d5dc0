# SPDX-License-Identifier: BSD-3-Clause
"""Measures everything the project promises in figures, and what the peers reach: `make bench`.

Prints a table, writes build/bench.json (one flat object), and ends with 1 if a bar is missed or a frame went wrong.
Records the table in results/, if it was measured with all frames and all builds of this design, none skipped.

What would not end within an hour (--minutes) is skipped and named: each step is expected to take what it took before.

    python -m sim.bench.bench                     everything
    python -m sim.bench.bench --quick --no-area   fewer frames, the same exact figures
    python -m sim.bench.bench --only 256          builds whose tag begins so
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from truemark_dev.build import make
from truemark_dev.builds import builds
from truemark_dev.derived import nanoseconds
from truemark_dev.paths import ROOT
from truemark_dev.results import current, record, taken

from sim.bench import area, bars, clocks, reference_pipeline
from sim.bench.budget import Budget
from sim.bench.figures import Result, measure, tag

SECONDS = "seconds."  # what each step took, in the file of figures
PLAIN_WIDTH = 150  # columns when the output is not a terminal
# What is timed in lockstep: the program and the lengths of its frames; none is `make lockstep`'s own traffic.
LOCKSTEP = {
    "256": ("tuned:ls256one", "imix"),
    "256.uniform": ("tuned:ls256one", "uniform"),
    "256.5_ports": ("tuned:ls256", "imix"),
    "256.5_ports.make_lockstep": ("lockstep:ls256", ""),
}
EVERYTHING = ("input", "output", "latency", "isolation", "integrity")


def groups_of(name: str) -> tuple[str, ...]:
    """Return the groups of measurements that are run on a build."""
    if name.endswith("-queues"):
        return ("queues",)
    if name.endswith(".pool"):
        return tuple("sharing" if group == "isolation" else group for group in EVERYTHING)
    return ("aqm",) if name.endswith(".full") else (*EVERYTHING, "flags") if name.endswith(".flags") else EVERYTHING


def measure_area(name: str, rtl: Path) -> Result:
    """Synthesize a build of the table."""
    family, build = area.MEASURED[name], builds("area")[name]
    key, found = f"area.{family}.{name}", area.synthesize(build, family=family, rtl=rtl)
    figures = found.figures(key) | {f"{key}.storage_bytes_per_port": build.storage}
    return Result(figures | area.added(name, found, rtl))


def measure_stages(rtl: Path, console: Console) -> Result:
    """Synthesize the true-mark build with its hierarchy, and print the table of its stages."""
    stage_areas, sums = area.stage_table(builds("area")["true-mark.5x256"], rtl=rtl)
    console.print(stage_areas)
    figures = [each.figures(f"area.xc7.true-mark.5x256.stages.{stage}") for stage, each in sums.items()]
    return Result({key: value for each in figures for key, value in each.items()})


def measure_build(name: str, *, quick: bool, rtl: Path) -> Result:
    """Run the bench of a build."""
    result = measure(f"bench:{name}", groups_of(name), quick=quick, rtl=rtl)
    result.figures[f"storage_bytes_per_port.{tag(f'bench:{name}')}"] = builds("bench")[name].storage
    return result


def kept(path: Path, start: str) -> dict[str, float]:
    """Return the figures in the file of figures whose keys begin so: what another target or run has left there."""
    figures = json.loads(path.read_text()) if path.exists() else {}
    return {key: value for key, value in figures.items() if key.startswith(start)}


def measure_pipeline(width: str, *, quick: bool) -> Result:
    """Measure the reference switch of a width."""
    return Result(reference_pipeline.keys(width, reference_pipeline.measure(width, 5_000 if quick else 20_000)))


def measure_rates(*, quick: bool) -> Result:
    """Take how many frames per second the golden model does alone, and lockstep with the RTL (median), on one core."""
    speed, *programs = make("program:speed", *(program for program, _ in LOCKSTEP.values()))
    said = json.loads(_run(str(speed), "1" if quick else "5"))
    figures = {key: value for key, value in said.items() if key.startswith("model.")}
    for program, (name, (_, lengths)) in zip(programs, LOCKSTEP.items(), strict=True):
        command = [str(program), "--frames", "50000" if quick else "200000"]
        command += ["--lengths", lengths] if lengths else []
        rates = [_frames_per_second(_run(*command)) for _ in range(1 if quick else 3)]
        figures[f"lockstep.frames_per_second.{name}"] = statistics.median(rates)
    return Result(figures)


def attempt(name: str, work: Callable[[], Result]) -> Result:
    """Return what a step found; what went wrong in it is a failure of the run, which goes on."""
    try:
        return work()
    except (RuntimeError, ValueError, OSError) as error:
        return Result(failures=[f"{name}: {error}"])


def _frames_per_second(text: str) -> float:
    found = re.search(r"(\d+) frames/s of a core", text)
    if found is None:
        raise RuntimeError(f"lockstep does not say how many frames it compared a second: {text}")
    return float(found[1])


def _run(*command: str) -> str:
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        end = "\n".join((run.stdout + run.stderr).splitlines()[-10:])
        raise RuntimeError(f"{' '.join(command)} ended with {run.returncode}: {end}")
    return run.stdout


def steps(options: argparse.Namespace, console: Console) -> Iterator[tuple[str, Callable[[], Result]]]:
    """Yield each part of the run that the options ask for, by name."""
    for name in builds("bench"):
        if f"{name}.".startswith(options.only):
            yield f"build {name}", partial(measure_build, name, quick=options.quick, rtl=options.rtl)
    if not options.no_area:
        for name in area.MEASURED:
            yield f"area {name}", partial(measure_area, name, options.rtl)
        yield "area by stage", partial(measure_stages, options.rtl, console)
    if not options.only:
        for name in builds("pipeline"):
            yield f"reference pipeline {name}", partial(measure_pipeline, name, quick=options.quick)
        yield "frames per second", partial(measure_rates, quick=options.quick)


def left_out(options: argparse.Namespace) -> list[str]:
    """Return what a run leaves out: what the options say, and what takes hours and has a target of its own."""
    said = ["areas"] if options.no_area else []
    said += [f"builds other than {options.only}, the reference pipeline, frames per second"] if options.only else []
    return [*said, "placed clocks (make timing)", "boards (make synth)", "make lockstep", "make formal", "make lab"]


def table(figures: Mapping[str, float]) -> Table:
    """Return our figures, the bars and the peers' figures, side by side."""
    lines = Table(title="Truemark against its peers", title_justify="left")
    for column, justify in (("", "left"), ("ours", "right"), ("bar", "right"), ("", "left"), ("best peer", "left")):
        lines.add_column(column, justify="right" if justify == "right" else "left")
    section = ""
    for row in bars.ROWS:
        worst = row.worst(figures)
        if worst is None:
            continue
        if row.section != section:
            lines.add_section()
            lines.add_row(f"[bold]{row.section}")
            section = row.section
        bar = "" if row.bar is None else f"{'≤' if row.at_most else '≥'} {_number(row.bar)}"
        verdict = "" if row.bar is None else "[red]missed" if row.missed(figures) else "[green]ok"
        lines.add_row(f"  {row.title}", _number(worst), bar, verdict, _peer(row, figures))
    return lines


def _peer(row: bars.Row, figures: Mapping[str, float]) -> str:
    """Return what the peer reaches; where it was not routed here, its last recorded clock."""
    said = bars.peer(row, figures)
    return said if said != "not measured" else " of ".join(filter(None, clocks.last(row, current())))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.4f}"


def main() -> int:
    """Run everything, print the table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer frames")
    parser.add_argument("--no-area", action="store_true", help="leave Yosys out")
    parser.add_argument("--only", default="", metavar="TAG", help="only builds whose tag begins so")
    parser.add_argument("--minutes", type=float, default=60, help="time for all of it; 60")
    parser.add_argument("--rtl", type=Path, default=Path("rtl"), help="measure another copy of rtl/")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench.json")
    options = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    result, before = Result(kept(options.output, "timing.")), kept(options.output, SECONDS)
    budget = Budget(60 * options.minutes, {key.removeprefix(SECONDS): value for key, value in before.items()})
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console) as progress:
        for name, work in steps(options, console):
            task = progress.add_task(name, total=1)
            if found := budget.run(name, partial(attempt, name, work)):
                result.add(found)
            progress.update(task, completed=1, description=f"{name}: skipped" if name in budget.skipped else name)
    result.figures |= nanoseconds(result.figures)
    console.print(table(result.figures))
    wrong = result.failures + bars.missed(result.figures)
    if not (options.only or options.no_area or budget.skipped):
        wrong += [f"not measured: {row}" for row in bars.unmeasured(result.figures)]
    for what in wrong:
        console.print(f"[red]missed:[/] {what}", highlight=False)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    if not options.quick:
        before |= {f"{SECONDS}{step}": round(took, 1) for step, took in budget.took.items()}
    options.output.write_text(json.dumps(dict(sorted((before | result.figures).items())), indent=1) + "\n")
    if not (options.quick or options.only or budget.skipped or options.rtl != Path("rtl")):
        # `make timing` records its own: what stands next to ours may be of another day. Pages work out times anyway.
        others = ("timing.", *nanoseconds(result.figures))
        measured = {key: value for key, value in result.figures.items() if not key.startswith(others)}
        record("bench", bars.recorded(measured, **taken("make bench")))
    if budget.skipped:
        names = "; ".join(budget.skipped)
        console.print(f"nothing recorded; skipped for want of time (--minutes): {names}", highlight=False)
    console.print(f"not part of this run: {'; '.join(left_out(options))}", highlight=False)
    console.print(f"took {sum(budget.took.values()) / 60:.1f} minutes of {options.minutes:g}", highlight=False)
    console.print(f"{len(result.figures)} figures in {options.output}, {len(wrong)} missed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
