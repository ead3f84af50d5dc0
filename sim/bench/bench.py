# SPDX-License-Identifier: BSD-3-Clause
"""Measures everything the project promises in figures, beside what the peers reach: `make bench`.

Prints a table, writes build/bench.json (one flat object), and ends with 1 if a bar is missed or a frame went wrong.

    python -m sim.bench.bench                     everything, about ten minutes on one core
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
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from truemark_dev.build import make
from truemark_dev.paths import ROOT

from sim.bench import area, bars, reference_pipeline, timing
from sim.bench.builds import RTL, Build, Result, measure

# 32 KiB of storage per port or 512 rows, which is more: enough for three frames of 9216 bytes.
ROWS = {64: 4096, 128: 2048, 256: 1024, 512: 512, 1024: 512}
PORTS = {64: 5, 128: 5, 256: 5, 512: 3, 1024: 3}  # as on NetFPGA-SUME and -PLUS
PLAIN_WIDTH = 150  # columns when the output is not a terminal
# What is timed in lockstep: the program and the lengths of its frames; none is `make lockstep`'s own traffic.
LOCKSTEP = {
    "256": ("tuned:ls256one", "imix"),
    "256.uniform": ("tuned:ls256one", "uniform"),
    "256.5_ports": ("tuned:ls256", "imix"),
    "256.5_ports.make_lockstep": ("lockstep:ls256", ""),
}
EVERYTHING = ("input", "output", "latency", "isolation", "integrity")


def runs() -> list[tuple[Build, tuple[str, ...]]]:
    """Return every build with the groups of measurements that are run on it."""
    plan: list[tuple[Build, tuple[str, ...]]] = []
    for width in bars.WIDTHS:
        plain = area.TRUE_MARK if width == area.TRUE_MARK.data_w else Build(width, PORTS[width], ROWS[width])
        plan.append((plain, EVERYTHING))
        plan.append((Build(width, PORTS[width], ROWS[width], flags_verdict=True), (*EVERYTHING, "flags")))
        if width >= 256:
            plan.append((Build(width, PORTS[width], 4 * ROWS[width], 2000, ultra=True), EVERYTHING))
    plan.append((Build(256, 5, ROWS[256], store_and_forward=True), EVERYTHING))
    plan += [
        (replace(area.FULL, data_w=width, ports=PORTS[width], rows=ROWS[width]), ("aqm",)) for width in (256, 512, 1024)
    ]
    return plan


def measure_area(rtl: Path) -> Result:
    """Synthesize the builds of the table."""
    result = Result()
    plan = [
        ("xc7", area.TRUE_MARK, ""),
        ("xc7", Build(256, 16, 512), ""),
        ("xcup", Build(512, 3, 40960, 40000, ultra=True), ".deep"),  # 2.43 MB of 64-byte rows, a descriptor for each
        ("xc7", area.FULL, ""),
        ("xc7", replace(area.FULL, ports=16), ""),
    ]
    for family, build, suffix in plan:
        prefix = f"area.{family}.{'full' if build.full else 'true-mark'}.{build.ports}x{build.data_w}{suffix}"
        try:
            result.figures |= area.synthesize(build, family=family, rtl=rtl).figures(prefix)
            result.figures[f"{prefix}.storage_bytes_per_port"] = build.storage
        except (RuntimeError, ValueError) as error:
            result.failures.append(f"{prefix}: {error}")
    return result


def measure_timing(rtl: Path) -> Result:
    """Place and route the parts, the true-mark build and the full build."""
    result = Result()
    for key, found in timing.place_all(rtl=rtl):
        if isinstance(found, str):
            result.failures.append(f"{key}: {found}")
        else:
            result.figures[key] = found.mhz
    return result


def measure_pipelines(*, quick: bool) -> Result:
    """Measure the reference switch at each width."""
    result = Result()
    for width in reference_pipeline.PORTS:
        try:
            figures = reference_pipeline.measure(width, 5_000 if quick else 20_000)
            result.figures |= reference_pipeline.keys(width, figures)
        except RuntimeError as error:
            result.failures.append(f"reference pipeline, {width} bit: {error}")
    return result


def measure_rates(*, quick: bool) -> Result:
    """Take how many frames per second the golden model does alone, and lockstep with the RTL (median), on one core."""
    result = Result()
    try:
        speed, *programs = make("program:speed", *(program for program, _ in LOCKSTEP.values()))
        said = json.loads(_run(str(speed), "1" if quick else "5"))
        result.figures |= {key: value for key, value in said.items() if key.startswith("model.")}
        for program, (name, (_, lengths)) in zip(programs, LOCKSTEP.items(), strict=True):
            command = [str(program), "--frames", "50000" if quick else "200000"]
            command += ["--lengths", lengths] if lengths else []
            rates = [_frames_per_second(_run(*command)) for _ in range(1 if quick else 3)]
            result.figures[f"lockstep.frames_per_second.{name}"] = statistics.median(rates)
    except (RuntimeError, ValueError) as error:
        result.failures.append(f"frames per second: {error}")
    return result


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


def table(figures: Mapping[str, float]) -> Table:
    """Return our figures, the bars and the peers' figures, side by side."""
    lines = Table(title="Truemark beside its peers", title_justify="left")
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
        lines.add_row(f"  {row.title}", _number(worst), bar, verdict, row.peer)
    return lines


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.4f}"


def main() -> int:
    """Run everything, print the table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer frames")
    parser.add_argument("--no-area", action="store_true", help="leave Yosys out")
    parser.add_argument("--no-timing", action="store_true", help="leave nextpnr out")
    parser.add_argument("--only", default="", metavar="TAG", help="only builds whose tag begins so")
    parser.add_argument("--rtl", type=Path, default=RTL, help="measure another copy of rtl/")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench.json")
    options = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    result, stage_areas = Result(), None
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console) as progress:
        for build, groups in runs():
            if not f"{build.tag}.".startswith(options.only):
                continue
            task = progress.add_task(f"{build.tag}: {', '.join(groups)}", total=1)
            result.add(measure(build, groups, quick=options.quick, rtl=options.rtl))
            result.figures[f"storage_bytes_per_port.{build.tag}"] = build.storage
            progress.update(task, completed=1)
        if not options.no_area:
            task = progress.add_task("area", total=1)
            result.add(measure_area(options.rtl))
            stage_areas, sums = area.stage_table(area.TRUE_MARK, rtl=options.rtl)
            for stage, each in sums.items():
                result.figures |= each.figures(f"area.xc7.true-mark.5x256.stages.{stage}")
            progress.update(task, completed=1)
        if not options.no_timing:
            task = progress.add_task("placed timing", total=1)
            result.add(measure_timing(options.rtl))
            progress.update(task, completed=1)
        if not options.only:
            task = progress.add_task("reference pipeline", total=1)
            result.add(measure_pipelines(quick=options.quick))
            progress.update(task, completed=1)
            task = progress.add_task("frames per second", total=1)
            result.add(measure_rates(quick=options.quick))
            progress.update(task, completed=1)
    console.print(table(result.figures))
    if stage_areas:
        console.print(stage_areas)
    wrong = result.failures + bars.missed(result.figures)
    if not (options.only or options.no_area or options.no_timing):
        wrong += [f"not measured: {row}" for row in bars.unmeasured(result.figures)]
    for what in wrong:
        console.print(f"[red]missed:[/] {what}", highlight=False)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(dict(sorted(result.figures.items())), indent=1) + "\n")
    console.print(f"{len(result.figures)} figures in {options.output}, {len(wrong)} missed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
