# SPDX-License-Identifier: BSD-3-Clause
"""What a replay says for people: a table by class, and the lines under it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import units
from truemark.device.outcomes import (
    DROPPED,
    TAIL,
    DepartureKind,
    Outcome,
)
from truemark.replay.summary import Row, Summary

# Two lines each, so that the table fits a terminal of 80 columns.
DROP_HEADING = {
    Outcome.EARLY_PROBABILITY: "early\ndrop",
    Outcome.EARLY_FORCED: "forced\ndrop",
    Outcome.TAIL_BYTES: "byte\nlimit",
    Outcome.TAIL_PACKETS: "packet\nlimit",
    Outcome.NO_ROOM: "no\nroom",
    Outcome.DISABLED: "port\noff",
    Outcome.ABORTED: "bad\nframe",
}


def drop_columns(summaries: list[Summary]) -> list[Outcome]:
    """Return the kinds of drop that need a column: the tail drops, and whatever else happened."""
    return [code for code in DROPPED if code in TAIL or any(summary.total.of(code) for summary in summaries)]


def title(summary: Summary) -> str:
    """Return policy, threshold, limit, rate and engine in a line."""
    found = summary.settings
    threshold = "".join(f", {law.title}" for law in summary.port.laws if law.title)
    if found["protect"] != "-":
        threshold += f", protects {found['protect']}"
    limit = [units.show_size(found["limit_bytes"])] if found["limit_bytes"] is not None else []
    limit += [f"{found['limit_packets']} packets"] if found["limit_packets"] is not None else []
    return (
        f"{found['policy']}{threshold}, limit {' and '.join(limit) or 'storage only'}, "
        f"{units.show_rate(found['rate_bit_per_s'])}, engine {found['engine']}"
    )


def table(summary: Summary) -> Table:
    """Return the table by class."""
    drops, total = drop_columns([summary]), summary.total
    result = Table(title=title(summary), title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0)
    result.add_column("class")
    columns: list[tuple[str, Callable[[Row], int]]] = [
        ("arrived", lambda row: row.arrived),
        ("ECT", lambda row: row.ect),
        ("marked", lambda row: row.marked),
        ("CE in", lambda row: row.ce_in),
    ]
    if total.protected:
        columns.append(("pro-\ntected", lambda row: row.protected))
    columns += [(DROP_HEADING[code], partial(Row.of_one, code=code)) for code in drops]
    if total.left(DepartureKind.HEAD_DROPPED):
        columns.append(("head\ndrop", lambda row: row.left(DepartureKind.HEAD_DROPPED)))
    columns.append(("departed", lambda row: row.departed))
    for heading in (*[heading for heading, _ in columns], "sojourn\nmean µs", "\np99 µs"):
        result.add_column(heading, justify="right")
    for name, found in [*summary.classes.items(), ("all", total)]:
        if name == "all":
            result.add_section()
        times = [f"{found.sojourn_ns[key] / 1000:,.1f}" if found.sojourn_ns else "-" for key in ("mean", "p99")]
        result.add_row(name, *[f"{number(found):,}" for _, number in columns], *times)
    return result


def law_remarks(summary: Summary) -> list[str]:
    """Return what the laws were set to, and what RED's averages did."""
    port, lines = summary.port, []
    both = len([law for law in port.reds if law]) == 2
    for slot, law in enumerate((*port.arrival, *port.departures)):
        if law is not None:
            whom = f" for {port.whom(slot)}" if both else ""
            lines.append(law.replayed(whom, summary.settings, summary.average.get(f"slot{slot}", {})))
    return lines


def never_reached(summary: Summary) -> list[str]:
    """Return why a law did nothing: the queue did not come to where it acts, and what would bring it there."""
    port, most, wait = summary.port, summary.queue["max_bytes"], summary.total.sojourn_ns.get("max", 0.0)
    levels = [level for law in port.laws for level in law.levels[:1]]
    waits = [level for law in port.departures for level in law.waits(summary.settings["rate_bit_per_s"])]
    if levels and most <= min(value for _, value in levels):
        never = f"the queue never reached {min(levels, key=lambda level: level[1])[0]} (most {units.show_size(most)}"
    elif waits and wait <= min(value for _, value in waits):
        never = f"no frame waited as long as {waits[0][0]} (longest {units.show_time(wait)}"
    else:
        return []
    return [f"{never}, load {summary.load['offered']:.0%}); try --load 0.9"]


def remarks(summary: Summary) -> list[str]:
    """Return the lines under the table."""
    found, frames = summary.settings, summary.frames
    lines = [
        f"{frames['captured']:,} frames in {units.show_time(summary.load['duration_ns'])} of line time at speed "
        f"{found['speed']:g}; mean load {summary.load['offered']:.0%}; queue at most "
        f"{units.show_size(summary.queue['max_bytes'])}, {units.show_size(summary.queue['mean_bytes'])} in the mean"
    ]
    lines += [*law_remarks(summary), *never_reached(summary)]
    early = summary.warning
    if "mean_ns" in early:
        lines.append(
            f"marks came {units.show_time(early['mean_ns'])} (mean) and at least {units.show_time(early['min_ns'])} "
            f"before the first tail drop; congestions with drops: {early['dropping_congestions']:.0f} of "
            f"{early['marked_congestions']:.0f}"
        )
    for count, text in (
        (frames["snapped"], "frames were captured in part; their missing payload is offered as zeros"),
        (frames["disordered"], "frames were stamped earlier than the one before; offered right after it"),
        (frames["refused"], "frames shorter than 14 bytes or longer than the device allows were refused at the door"),
    ):
        if count:
            lines.append(f"{count:,} {text}")
    return lines
