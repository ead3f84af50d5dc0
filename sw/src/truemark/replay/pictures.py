# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a replay: the queue over time with K, marks and drops, and the distribution of sojourn times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from truemark import units
from truemark.device.outcomes import MARKED_AT_DEPARTURE, DepartureKind, FrameClass, Outcome
from truemark.files import whole_file
from truemark.laws.red import Red
from truemark.replay.replay import Trace
from truemark.replay.report import title
from truemark.replay.summary import Run

mpl.use("Agg")

QUEUE, MARK, DROP, LIMIT, THRESHOLD = "#4878a8", "#e08a1e", "#c0272d", "#444444", "#1b7837"
AVERAGE = ("#7b3294", "#c51b7d")


def busiest(trace: Trace, share: float = 0.25) -> tuple[float, float]:
    """The window with the largest queue, a share of the whole, in nanoseconds."""
    if not len(trace.queue_bytes):
        return 0.0, 1.0
    peak = float(trace.queue_time[int(np.argmax(np.asarray(trace.queue_bytes)))])
    width = max(trace.end_ns * share, 1.0)
    start = min(max(peak - width / 2, 0.0), max(trace.end_ns - width, 0.0))
    return start, start + width


def scale_for(span_ns: float) -> tuple[float, str]:
    """The unit of a time axis."""
    return next(
        ((scale, unit) for scale, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")) if span_ns >= 2 * scale), (1.0, "ns")
    )


def marked_at(trace: Trace) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The times of all marks: on arrival, or when the frame left."""
    arriving = np.asarray(trace.verdict_time)[np.asarray(trace.verdict_outcome) == Outcome.MARK]
    leaving = np.asarray(trace.departure_time)[np.isin(np.asarray(trace.departure_kind), MARKED_AT_DEPARTURE)]
    return np.sort(np.concatenate([arriving, leaving]))


def dropped_at(trace: Trace) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The times of all drops: refused on arrival, or dropped at the head."""
    arriving = np.asarray(trace.verdict_time)[np.asarray(trace.verdict_outcome) >= Outcome.EARLY_PROBABILITY]
    head = np.asarray(trace.departure_time)[np.asarray(trace.departure_kind) == DepartureKind.HEAD_DROPPED]
    return np.sort(np.concatenate([arriving, head]))


def draw_laws(axes: Axes, run: Run, scale: float, top: float) -> None:
    """The thresholds of the laws where they are within the picture, and RED's averages."""
    trace, port = run.trace, run.summary.port
    for law, values, colour, name in zip(port.arrival, trace.average, AVERAGE, ("ECT", "Not-ECT"), strict=True):
        if law is None:
            continue
        whom, red = f" ({name})" if all(port.reds) else "", isinstance(law, Red)
        if red and len(values):
            times = np.asarray(trace.verdict_time) / scale
            axes.plot(times, np.asarray(values) / 1000, color=colour, linewidth=1.3, label=f"RED's average{whom}")
        for (text, level), style in zip(law.levels, ("--", "-."), strict=False):
            if level <= 1150 * top:
                label, drawn = f"{text.replace(' =', f'{whom} =')}", colour if red else THRESHOLD
                axes.axhline(level / 1000, color=drawn, linewidth=1 if red else 1.4, linestyle=style, label=label)


def draw_queue(axes: Axes, run: Run, window: tuple[float, float] | None = None) -> None:
    """Bytes in the queue over time; K and the limit as lines; each mark and each drop a tick."""
    trace, found = run.trace, run.summary.settings
    start, end = window or (0.0, float(max(trace.end_ns, 1)))
    scale, unit = scale_for(end - start)
    axes.step(
        np.asarray(trace.queue_time) / scale,
        np.asarray(trace.queue_bytes) / 1000,
        where="post",
        color=QUEUE,
        linewidth=0.8,
        label="bytes in the queue",
    )
    top = max(float(np.max(np.asarray(trace.queue_bytes), initial=0)) / 1000, (found["k_bytes"] or 0) / 1000, 1.0)
    if found["limit_bytes"] is not None and found["limit_bytes"] <= 2000 * top:
        axes.axhline(
            found["limit_bytes"] / 1000,
            color=LIMIT,
            linewidth=1,
            linestyle=":",
            label=f"limit {units.show_size(found['limit_bytes'])}",
        )
        top = max(top, found["limit_bytes"] / 1000)
    draw_laws(axes, run, scale, top)
    for times, height, colour, name in (
        (marked_at(trace), 1.08, MARK, "marked"),
        (dropped_at(trace), 1.16, DROP, "dropped"),
    ):
        shown = times[(times >= start) & (times <= end)] / scale
        place = np.full(len(shown), top * height)
        axes.plot(shown, place, "|", color=colour, markersize=7, label=f"{name}: {len(shown):,}")
    axes.set_xlim(start / scale, end / scale)
    axes.set_ylim(0, top * 1.22)
    axes.set_xlabel(f"time [{unit}]")
    axes.set_ylabel("queue [kB]")
    axes.grid(alpha=0.25)
    axes.legend(loc="upper left", bbox_to_anchor=(1.005, 1.0), frameon=False, fontsize=8)


def draw_sojourn(axes: Axes, run: Run) -> None:
    """The distribution of sojourn times, by class."""
    left = np.asarray(run.trace.departure_kind) != DepartureKind.HEAD_DROPPED
    classes = np.asarray(run.trace.departure_class)[left]
    values = np.asarray(run.trace.departure_sojourn)[left]
    for kind in FrameClass:
        chosen = np.sort(values[classes == kind]) / 1000
        if len(chosen) < 20:
            continue
        axes.step(
            chosen, np.arange(1, len(chosen) + 1) / len(chosen), where="post", label=f"{kind.name} ({len(chosen):,})"
        )
    for law in run.summary.port.laws:
        for label, wait_ns in law.waits(run.summary.settings["rate_bit_per_s"]):
            axes.axvline(wait_ns / 1000, color=THRESHOLD, linestyle="--", linewidth=1.2, label=label)
    axes.set_xlabel("sojourn time [µs]")
    axes.set_ylabel("share of frames that left")
    axes.set_ylim(0, 1.01)
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    axes.legend(loc="lower right", fontsize=8)


def save(figure: Figure, path: Path) -> Path:
    """Write a picture; it appears under its name only when it is complete."""
    with whole_file(path, binary=True) as file:
        figure.savefig(file, format="png", dpi=120)
    return path


def figure(rows: int, height: float) -> tuple[Figure, Any]:
    """A figure of the project's width with axes below one another."""
    made = Figure(figsize=(11, height), layout="constrained")
    return made, np.atleast_1d(np.asarray(made.subplots(rows, 1)))


def plot_run(run: Run, folder: Path) -> list[Path]:
    """The pictures of one replay."""
    folder.mkdir(parents=True, exist_ok=True)
    name = run.summary.settings["policy"]
    made, axes = figure(2, 6.5)
    draw_queue(axes[0], run)
    axes[0].set_title(title(run.summary), fontsize=10, loc="left")
    draw_queue(axes[1], run, busiest(run.trace))
    axes[1].set_title("the quarter of the time around the fullest queue", fontsize=9, loc="left")
    first = save(made, folder / f"occupancy-{name}.png")
    made, axes = figure(1, 4.2)
    draw_sojourn(axes[0], run)
    axes[0].set_title(title(run.summary), fontsize=10, loc="left")
    return [first, save(made, folder / f"sojourn-{name}.png")]
