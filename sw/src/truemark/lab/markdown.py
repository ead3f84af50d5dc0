# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a report as Markdown, as they stand in README.md and docs/results.md."""

from __future__ import annotations

from truemark.lab.claims import Finding
from truemark.lab.summary import Measure, Point, measures_of, timers

SHORT = ("job", "drops_data", "drops_ACK", "drops_SYN", "wait")  # of a shuffle: what the README shows
MOST = 6  # measures of the other kinds


def row(cells: list[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def columns(measures: tuple[Measure, ...]) -> list[list[Measure]]:
    """Drops share a column; every other measure has its own."""
    found: list[list[Measure]] = []
    for measure in measures:
        if measure.key.startswith("drops_") and found and found[-1][0].key.startswith("drops_"):
            found[-1].append(measure)
        else:
            found.append([measure])
    return found


def head(column: list[Measure]) -> str:
    """Titles of a column with the unit they have in common."""
    unit = column[0].unit
    return f"{' / '.join(measure.title for measure in column)}{f' [{unit}]' if unit else ''}"


def measured(points: list[Point]) -> list[str]:
    """The table of a sweep: means over the seeds."""
    measures = measures_of(points)
    keys = SHORT if measures[0].key == "job" else tuple(measure.key for measure in measures[:MOST])
    shown = columns(tuple(measure for measure in measures if measure.key in keys))
    lines = [row(["", *(head(column) for column in shown)]), "|---" * (len(shown) + 1) + "|"]
    for point in points:
        lines.append(row([point.name, *(" / ".join(point.mean(measure) for measure in column) for column in shown)]))
    return lines


def claimed(findings: list[Finding]) -> list[str]:
    """The table of claims."""
    if not findings:
        return []
    lines = [row(["claim", "the paper", "figure here", "tolerance", "ours", ""]), "|---" * 6 + "|"]
    for found in findings:
        claim = found.claim
        what = f"{claim.figure}, {claim.point}{f' / {claim.against}' if claim.against else ''}"
        ours = f"{found.middle:.3g} ({found.low:.3g} to {found.high:.3g})" if found.seeds else "-"
        verdict = f"**{found.verdict}**{f': {claim.why}' if claim.why else ''}"
        lines.append(row([claim.text, claim.says, what, claim.tolerance, ours, verdict]))
    return ["", *lines]


def section(title: str, points: list[Point], findings: list[Finding]) -> str:
    """Title, what was run and when, the tables."""
    runs = [run for point in points for run in point.runs]
    dates = sorted({str(run.result.get("made", "undated")) for run in runs})
    seeds = sorted({len(point.runs) for point in points})
    said = [f"{len(runs)} runs, {'-'.join(str(count) for count in seeds)} seeds a point, made {', '.join(dates)}."]
    said += [f"{text}." for text in dict.fromkeys(timers(point.runs[0].scenario) for point in points)][:1]
    return "\n".join([f"## {title}", "", *said, "", *measured(points), *claimed(findings), ""])
