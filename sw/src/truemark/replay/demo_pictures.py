# SPDX-License-Identifier: BSD-3-Clause
"""Pictures that compare the demonstration's replays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from truemark import units
from truemark.device.outcomes import STORED, TAIL, Outcome
from truemark.drawing import DROP, INK, KEPT, MARK, save, sheet, styled
from truemark.errors import TruemarkError
from truemark.replay import report
from truemark.replay.pictures import busiest, draw_events, draw_queue, scale_for
from truemark.replay.summary import Run


def first_onset(run: Run) -> tuple[float, float]:
    """Return a window around the first congestion that ended in a loss, from its first mark on."""
    first_mark, trace = None, run.trace
    threshold = run.summary.port.onset
    if threshold is None:
        return busiest(trace)
    for time_ns, held, outcome in zip(trace.verdict_time, trace.verdict_held, trace.verdict_outcome, strict=True):
        if held <= threshold:
            first_mark = None
        if outcome == Outcome.MARK and first_mark is None:
            first_mark = time_ns
        if outcome in TAIL and first_mark is not None:
            lead = time_ns - first_mark
            return first_mark - 0.3 * lead, time_ns + 0.7 * lead
    return busiest(trace)


@styled
def plot_congestion(runs: list[Run], path: Path, window: tuple[float, float] | None = None) -> Path:
    """Draw the queue, the same under every policy, and above it what each policy did; the last one's K and limit.

    A window's time counts from its first mark.
    """
    last = runs[-1]
    if any(run.trace.queue_bytes != last.trace.queue_bytes for run in runs):
        raise TruemarkError("the queues of an open-loop replay differ: they cannot share a picture")
    made, (axes,) = sheet(11, 4.4)
    first, lost = lead(last, window) if window else (0, 0)
    top = draw_queue(axes, last, window, first)
    for run in runs:
        top = draw_events(axes, run, top, window, first, f"{run.summary.settings['policy']}: ")
    axes.set_title(f"{report.title(last.summary)}; the queue is the same under {runs[0].summary.settings['policy']}")
    if window and lost:
        draw_lead(axes, last, window, lost - first)
    return save(made, path)


def lead(run: Run, window: tuple[float, float]) -> tuple[int, int]:
    """Return the first mark inside a window and the first drop at the limit, 0 if there is none."""
    trace = run.trace
    times, outcome = np.asarray(trace.verdict_time), np.asarray(trace.verdict_outcome)
    inside = (times >= window[0]) & (times <= window[1])
    marks, drops = times[inside & (outcome == Outcome.MARK)], times[inside & np.isin(outcome, TAIL)]
    return (int(marks[0]), int(drops[0])) if len(marks) and len(drops) else (0, 0)


def draw_lead(axes: Axes, run: Run, window: tuple[float, float], lasts: int) -> None:
    """Draw an arrow from the first mark to the first drop inside a window, at the height of K."""
    scale, _ = scale_for(window[1] - window[0])
    height = (run.summary.settings["k_bytes"] or 0) / 2000
    axes.annotate("", (lasts / scale, height), (0, height), arrowprops={"arrowstyle": "<->", "color": INK})
    text = f"  {units.show_time(lasts)}: first mark to first loss"
    axes.text(lasts / scale, height, text, va="center", fontsize=9)


@styled
def plot_classes(runs: list[Run], path: Path) -> Path:
    """Draw what became of each class under each policy: bars of shares, with the numbers next to them."""
    made, axes = sheet(11, 2.3 * len(runs) + 0.5, len(runs), 1, sharex=True)
    parts = (
        (KEPT, "left unmarked", tuple(code for code in STORED if code != Outcome.MARK)),
        (MARK, "left marked", (Outcome.MARK,)),
        (DROP, "dropped at the limit", TAIL),
    )
    for axis, run in zip(axes, runs, strict=True):
        names, rows = list(run.summary.classes), list(run.summary.classes.values())
        left = np.zeros(len(names))
        for colour, text, outcomes in parts:
            share = np.array([100 * row.of(*outcomes) / row.arrived for row in rows])
            axis.barh(names, share, left=left, color=colour, label=text)
            left += share
        for place, row in enumerate(rows):
            told = [(row.of(Outcome.MARK), "marked"), (row.of(*TAIL), "dropped")]
            said = [f"{count:,} {word}" for count, word in told if count]
            axis.text(101, place, ", ".join([f"{row.arrived:,} arrived", *said]), va="center", fontsize=9)
        axis.set_xlim(0, 100)
        axis.invert_yaxis()
        axis.set_title(report.title(run.summary))
    axes[-1].set_xlabel("share of the class [%]")
    made.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(parts))
    return save(made, path)
