# SPDX-License-Identifier: BSD-3-Clause
"""Pictures that compare the demonstration's replays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from truemark import units
from truemark.device.outcomes import STORED, TAIL, Outcome
from truemark.replay import report
from truemark.replay.pictures import DROP, MARK, busiest, draw_queue, draw_sojourn, figure, save, scale_for
from truemark.replay.summary import Run


def first_onset(run: Run) -> tuple[float, float]:
    """A window around the first congestion that ended in a loss, from its first mark on."""
    first_mark, trace = None, run.trace
    threshold = run.summary.port.onset
    for time_ns, held, outcome in zip(trace.verdict_time, trace.verdict_held, trace.verdict_outcome, strict=True):
        if held <= threshold:
            first_mark = None
        if outcome == Outcome.MARK and first_mark is None:
            first_mark = time_ns
        if outcome in TAIL and first_mark is not None:
            lead = time_ns - first_mark
            return first_mark - 0.3 * lead, time_ns + 0.7 * lead
    return busiest(trace)


def plot_congestion(runs: list[Run], path: Path, window: tuple[float, float] | None = None) -> Path:
    """The queue under each policy, on the same time axis."""
    made, axes = figure(len(runs), 3.2 * len(runs))
    for axis, run in zip(axes, runs, strict=True):
        draw_queue(axis, run, window)
        axis.set_title(report.title(run.summary), fontsize=10, loc="left")
    if window:
        draw_lead(axes[-1], runs[-1], window)
    return save(made, path)


def draw_lead(axes: Axes, run: Run, window: tuple[float, float]) -> None:
    """An arrow from the first mark to the first drop inside a window."""
    trace = run.trace
    times, outcome = np.asarray(trace.verdict_time), np.asarray(trace.verdict_outcome)
    inside = (times >= window[0]) & (times <= window[1])
    marks, drops = times[inside & (outcome == Outcome.MARK)], times[inside & np.isin(outcome, TAIL)]
    if not len(marks) or not len(drops):
        return
    scale, _ = scale_for(window[1] - window[0])
    begin, end = marks[0] / scale, drops[0] / scale
    axes.annotate("", (end, 240), (begin, 240), arrowprops={"arrowstyle": "<->", "color": "#222222"})
    text = f"{units.show_time(drops[0] - marks[0])} from the first mark to the first loss"
    axes.annotate(text, (begin, 250), fontsize=9, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})


def plot_classes(runs: list[Run], path: Path) -> Path:
    """Shares of each class that passed, were marked, were dropped."""
    made, axes = figure(len(runs), 2.2 * len(runs))
    for axis, run in zip(axes, runs, strict=True):
        names = list(run.summary.classes)
        left = np.zeros(len(names))
        rows = [run.summary.classes[name] for name in names]
        for colour, text, outcomes in (
            ("#b9c9da", "left unmarked", tuple(code for code in STORED if code != Outcome.MARK)),
            (MARK, "left marked", (Outcome.MARK,)),
            (DROP, "dropped at the limit", TAIL),
        ):
            share = np.array([100 * row.of(*outcomes) / row.arrived for row in rows])
            axis.barh(names, share, left=left, color=colour, label=text)
            left += share
        for place, row in enumerate(rows):
            axis.text(101, place, f"{row.arrived:,}", va="center", fontsize=8)
        axis.text(101, -0.75, "arrived", fontsize=8, va="center", style="italic")
        axis.set_xlim(0, 100)
        axis.invert_yaxis()
        axis.set_xlabel("share of the class [%]")
        axis.set_title(report.title(run.summary), fontsize=10, loc="left")
        axis.legend(loc="upper left", bbox_to_anchor=(1.06, 1.0), frameon=False, fontsize=8)
    return save(made, path)


def plot_sojourn(run: Run, path: Path) -> Path:
    """Sojourn times of one run (they are the same in both)."""
    made, axes = figure(1, 4.2)
    draw_sojourn(axes[0], run)
    axes[0].set_title(report.title(run.summary), fontsize=10, loc="left")
    return save(made, path)
