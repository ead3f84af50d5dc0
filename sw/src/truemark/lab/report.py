# SPDX-License-Identifier: BSD-3-Clause
"""One HTML page for the runs below a folder: the table, the pictures inside it, the settings and the checks."""

from __future__ import annotations

import base64
import html
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from truemark.errors import TruemarkError
from truemark.lab import figures, markdown, runner, summary
from truemark.lab.claims import Finding, judge
from truemark.lab.gallery import MANY, caption, plot_all
from truemark.lab.summary import Point, measures_of

LAST = 1000  # place of runs without a sweep
FEW_NAMES = 6  # more points are counted, not named
STYLE = """body{font:15px/1.5 sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}img{max-width:100%}
table{border-collapse:collapse;font-size:14px}td,th{padding:.2rem .7rem;border-bottom:1px solid #ccc;text-align:left;
vertical-align:top}td.n{text-align:right;white-space:nowrap}figure{margin:1.5rem 0}figcaption{color:#555}
.note{color:#555}summary{cursor:pointer}.wide{overflow-x:auto}.wide th:first-child{min-width:16rem}"""
NOTE = (
    "Simulated: real TCP stacks of ns-3 3.44, scaled topologies, timers as stated. Every verdict, mark and departure "
    "at every switch port is taken by the engine named; where it says ns-3, by ns-3's own queue."
)


def collect(folder: Path) -> list[Point]:
    """The points of all complete runs below a folder."""
    found = [runner.load(path.parent) for path in sorted(folder.rglob("result.json")) if ".part" not in str(path)]
    if not found:
        raise TruemarkError(
            f"{folder}: no complete run below it; `truemark lab run SCENARIO --out {folder}/NAME` makes one"
        )
    order = folder / "points.txt"
    names = order.read_text(encoding="utf-8").splitlines() if order.is_file() else []
    rank = {name: place for place, name in enumerate(names)}
    return sorted(summary.points(found), key=lambda point: (rank.get(point.name, len(rank)), point.name))


def cell(text: str, number: bool = False) -> str:
    """A table cell."""
    return f"<td{' class=n' if number else ''}>{html.escape(text)}</td>"


def table(points: list[Point]) -> str:
    """The table of measures."""
    measures = measures_of(points)
    head = "".join(
        f"<th>{html.escape(measure.title)}{f' [{measure.unit}]' if measure.unit else ''}</th>" for measure in measures
    )
    rows = "".join(
        f"<tr><th>{html.escape(point.name)}</th>{cell(str(len(point.runs)), True)}"
        + "".join(cell(point.shown(measure), True) for measure in measures)
        + "</tr>"
        for point in points
    )
    return f"<div class=wide><table><tr><th></th><th>seeds</th>{head}</tr>{rows}</table></div>"


def settings(points: list[Point]) -> str:
    """Each point's queue, and the timers they have."""
    rows = "".join(
        f"<tr><th>{html.escape(point.name)}</th>{cell(summary.queue_text(point.runs[0].scenario))}</tr>"
        for point in points
    )
    by_timers: dict[str, list[str]] = {}
    for point in points:
        by_timers.setdefault(summary.timers(point.runs[0].scenario), []).append(point.name)
    said = "".join(
        f"<p>{html.escape(text)}{'' if len(by_timers) == 1 else html.escape(' (' + ', '.join(names) + ')')}.</p>"
        for text, names in by_timers.items()
    )
    return f"<table>{rows}</table><h3>Timers and TCP</h3>{said}"


def checked(points: list[Point]) -> str:
    """What was asserted in each run."""
    parts = []
    for point in points:
        for run in point.runs:
            rows = "".join(f"<tr><th>{html.escape(name)}</th>{cell(text)}</tr>" for name, text in summary.checks(run))
            versions = ", ".join(f"{name} {value}" for name, value in run.result["versions"].items())
            title = html.escape(f"{point.name}, seed {run.scenario.seed}")
            parts.append(
                f"<details><summary>{title}</summary><table>{rows}<tr><th>made with</th>{cell(versions)}</tr></table>"
                "</details>"
            )
    return "".join(parts)


def claimed(findings: list[Finding]) -> str:
    """The table of claims."""
    if not findings:
        return ""
    rows = []
    for found in findings:
        claim = found.claim
        seeds = f"{found.middle:.3g} ({found.low:.3g} to {found.high:.3g}), {found.seeds} seeds" if found.seeds else "-"
        what = f"{claim.figure}: {claim.point}{f', over {claim.against}' if claim.against else ''}"
        word = f"<b>{found.verdict}</b>{f': {html.escape(claim.why)}' if claim.why else ''}"
        cells = "".join(cell(text) for text in (claim.paper, claim.says, what, claim.tolerance, seeds))
        rows.append(f"<tr><th>{html.escape(claim.text)}</th>{cells}<td>{word}</td></tr>")
    heads = ("claim", "whose", "figure there", "figure here", "tolerance", "median (95 % interval)", "")
    return (
        "<h2>Claims</h2><p class=note>Ratios are taken seed by seed; intervals by bootstrap of the median. Reproduced: "
        "the whole interval lies within the tolerance, which is part of the sweep file.</p><div class=wide><table><tr>"
        + "".join(f"<th>{head}</th>" for head in heads)
        + f"</tr>{''.join(rows)}</table></div>"
    )


def warnings(points: list[Point]) -> list[str]:
    """What a reader must know before the numbers."""
    found = []
    for point in points:
        runs = point.runs
        queue = runs[0].scenario.queue
        early = [int(figures.figure(run, "early")) for run in runs]
        acted = sum(early) + sum(figures.total(run, "mark") for run in runs)
        if queue.policy == "red" and not acted:
            found.append(f"{point.name}: RED never acted, its average never reached min; this is a droptail queue")
        elif queue.policy == "red" and queue.weight is not None:
            found.append(f"{point.name}: weight {queue.weight}: {fmean(early):,.0f} early drops in a run")
    few = {point.name: len(point.runs) for point in points if len(point.runs) < 3}
    for count in sorted(set(few.values())):
        names = [name for name, seeds in few.items() if seeds == count]
        where = ", ".join(names)
        if len(names) > FEW_NAMES:
            where = "every point" if len(names) == len(points) else f"{len(names)} of {len(points)} points"
        found.append(f"{count} seed{'s' if count > 1 else ''} only: {where}")
    return found


def failures(folder: Path) -> list[str]:
    """Runs that left no result, with the end of their logs."""
    return [
        f"{path.relative_to(folder).with_suffix('')} failed: {end_of(path / runner.LOG)}"
        for path in sorted(folder.rglob("*.failed"))
    ]


def end_of(log: Path) -> str:
    """The last line of a log; a disk may have been too full for any."""
    return runner.last_lines(log.read_text(encoding="utf-8", errors="replace"), 1) if log.is_file() else "no log"


def figures_of(points: list[Point], out: Path) -> tuple[str, list[Path]]:
    """The pictures of these points, inside the page, and as files."""
    pictures = plot_all(points, out)
    shown = "".join(
        f'<figure><img alt="{html.escape(caption(name))}" '
        f'src="data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}">'
        f"<figcaption>{html.escape(caption(name))}</figcaption></figure>"
        for name, path in pictures.items()
    )
    return shown, list(pictures.values())


@dataclass(frozen=True)
class Sweep:
    """The complete runs of a sweep, or single runs, and what there is to say of them."""

    folder: Path
    points: list[Point]
    title: str
    place: int
    findings: list[Finding]
    notes: list[str]

    @property
    def verdicts(self) -> str:
        """How many claims came out how."""
        counts = Counter(found.verdict for found in self.findings)
        order = ("reproduced", "partly", "not", "not run")
        said = ", ".join(f"{counts[word]} {word}" for word in order if counts[word])
        return f" (claims: {said})" if said else ""


def read(folder: Path) -> list[Sweep]:
    """The runs of this folder, or the sweeps that it holds, in the order of their places."""
    inside = [path.parent for path in folder.glob("*/points.txt")]
    folders = [folder] if not inside or (folder / "points.txt").is_file() else inside
    return sorted(map(read_sweep, folders), key=lambda each: (each.place, each.folder.name))


def read_sweep(folder: Path) -> Sweep:
    """The runs of one folder, with the claims of the sweep that made them if that is there."""
    from truemark.lab import sweep  # Dask takes a second to load

    points = collect(folder)
    path = folder / "sweep.toml"
    grid = sweep.read_sweep(path) if path.is_file() else None
    scenario = points[0].runs[0].scenario
    title = (grid.title if grid else "") or scenario.title or scenario.name
    findings = judge(grid.claim if grid else [], points)
    return Sweep(folder, points, title, grid.place if grid else LAST, findings, warnings(points) + failures(folder))


@dataclass(frozen=True)
class Section:
    """What the page says of a sweep."""

    content: str
    text: str  # its tables as Markdown
    pictures: list[Path]


def section(sweep: Sweep, out: Path) -> Section:
    """Draw a sweep's pictures into `out`, and put them among its claims and tables."""
    points = sweep.points
    out.mkdir(parents=True, exist_ok=True)
    shown, pictures = figures_of(points, out)
    notes = "".join(f"<li>{html.escape(text)}</li>" for text in sweep.notes)
    measures = table(points)
    if len(points) > MANY:
        measures = f"<details><summary>All {len(points)} points</summary>{measures}</details>"
    content = (
        f"{claimed(sweep.findings)}<h2>Pictures</h2>{shown}<h2>Measures</h2>{measures}"
        f"{f'<ul>{notes}</ul>' if notes else ''}"
        f"<details><summary>The queues, timers and TCP</summary>{settings(points)}</details>"
        f"<details><summary>Checked in every run</summary>{checked(points)}</details>"
    )
    text = markdown.section(f"{sweep.folder.name}: {sweep.title}", points, sweep.findings)
    return Section(content, text, pictures)


def write(sweeps: list[Sweep], out: Path) -> list[Path]:
    """Make the page, its tables as Markdown and its pictures: a section for each sweep."""
    alone = len(sweeps) == 1
    try:
        found = [section(each, out if alone else out / each.folder.name) for each in sweeps]
        title = sweeps[0].title if alone else "Network lab: all sweeps"
        heads = [each.title if alone else f"{each.folder.name}: {each.title}" for each in sweeps]
        links = "".join(
            f'<li><a href="#s{place}">{html.escape(head)}</a>{each.verdicts}</li>'
            for place, (head, each) in enumerate(zip(heads, sweeps, strict=True))
        )
        body = "".join(
            f'<h1 id="s{place}">{html.escape(head)}</h1>{each.content}'
            for place, (head, each) in enumerate(zip(heads, found, strict=True))
        )
        page = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Truemark lab: {html.escape(title)}</title><style>{STYLE}</style>
<p class=note>{html.escape(NOTE)} Mean over the seeds, with the range.</p>
{"" if alone else f"<ul>{links}</ul>"}{body}
</html>
"""
        made = [out / "report.html", out / "report.md"]
        for path, text in zip(made, (page, "\n".join(each.text for each in found)), strict=True):
            part = path.with_name(f"{path.name}.part")
            part.write_text(text, encoding="utf-8")
            part.replace(path)
    except OSError as error:
        raise TruemarkError(f"{out}: cannot be written: {error.strerror or error}") from None
    return [*made, *(picture for each in found for picture in each.pictures)]
