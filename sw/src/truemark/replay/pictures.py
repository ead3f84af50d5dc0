# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a replay: the queue over time with K, marks and drops, and the distribution of sojourn times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from truemark import units
from truemark.device.outcomes import EARLY as BY_LAW
from truemark.device.outcomes import MARKED_AT_DEPARTURE, DepartureKind, FrameClass, Outcome
from truemark.drawing import AVERAGES, CLASS, DROP, EARLY, INK, MARK, QUEUE, THRESHOLD, save, sheet, styled, ticks
from truemark.laws.red import Red
from truemark.replay.replay import Trace
from truemark.replay.report import title
from truemark.replay.summary import Run

FEWEST = 20  # frames of a class, for a distribution


def busiest(trace: Trace, share: float = 0.25) -> tuple[float, float]:
    """Return the window with the largest queue, a share of the whole, in nanoseconds."""
    if not len(trace.queue_bytes):
        return 0.0, 1.0
    peak = float(trace.queue_time[int(np.argmax(np.asarray(trace.queue_bytes)))])
    width = max(trace.end_ns * share, 1.0)
    start = min(max(peak - width / 2, 0.0), max(trace.end_ns - width, 0.0))
    return start, start + width


def scale_for(span_ns: float) -> tuple[float, str]:
    """Return the unit of a time axis."""
    return next(
        ((scale, unit) for scale, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")) if span_ns >= 2 * scale), (1.0, "ns")
    )


def marked_at(trace: Trace) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the times of all marks: on arrival, or when the frame left."""
    arriving = np.asarray(trace.verdict_time)[np.asarray(trace.verdict_outcome) == Outcome.MARK]
    leaving = np.asarray(trace.departure_time)[np.isin(np.asarray(trace.departure_kind), MARKED_AT_DEPARTURE)]
    return np.sort(np.concatenate([arriving, leaving]))


def refused_at(trace: Trace) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the times of the frames that found no room, or a port that was off."""
    outcomes = np.asarray(trace.verdict_outcome)
    refused = (outcomes >= Outcome.EARLY_PROBABILITY) & ~np.isin(outcomes, BY_LAW)
    return np.asarray(trace.verdict_time)[refused]


def early_at(trace: Trace) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the times of the frames that a law dropped: on arrival, or at the head."""
    arriving = np.asarray(trace.verdict_time)[np.isin(np.asarray(trace.verdict_outcome), BY_LAW)]
    head = np.asarray(trace.departure_time)[np.asarray(trace.departure_kind) == DepartureKind.HEAD_DROPPED]
    return np.sort(np.concatenate([arriving, head]))


def draw_laws(axes: Axes, run: Run, scale: float, top: float) -> None:
    """Draw the thresholds of the laws where they are within the picture, and RED's averages; only what is in bytes."""
    trace, port = run.trace, run.summary.port
    for law, values, colour, name in zip(port.arrival, trace.average, AVERAGES, ("ECT", "Not-ECT"), strict=True):
        if law is None:
            continue
        whom, red = f" ({name})" if all(port.reds) else "", isinstance(law, Red)
        if isinstance(law, Red) and not law.packets and len(values):
            times = np.asarray(trace.verdict_time) / scale
            axes.plot(times, np.asarray(values) / 1000, color=colour, linewidth=1.3, label=f"RED's average{whom}")
        for (text, level), style in zip(law.levels, ("--", "-."), strict=False):
            if level <= 1150 * top:
                label, drawn = f"{text.replace(' =', f'{whom} =')}", colour if red else THRESHOLD
                width = 1 if red else 1.4
                # A threshold of a few bytes lies on the axis, and must be seen there.
                axes.axhline(
                    level / 1000, color=drawn, linewidth=width, linestyle=style, label=label, clip_on=False, zorder=3
                )


def draw_queue(axes: Axes, run: Run, window: tuple[float, float] | None = None, start_ns: float = 0) -> float:
    """Draw the bytes in the queue over time, counted from an instant, with K and limit; return the height used."""
    trace, found = run.trace, run.summary.settings
    begin, end = window or (0.0, float(max(trace.end_ns, 1)))
    scale, unit = scale_for(end - begin)
    inside = slice(*np.searchsorted(np.asarray(trace.queue_time), [begin, end]))
    times, held = np.asarray(trace.queue_time)[inside], np.asarray(trace.queue_bytes)[inside] / 1000
    axes.step((times - start_ns) / scale, held, where="post", color=QUEUE, linewidth=0.9, label="bytes in the queue")
    peak = float(np.max(np.asarray(trace.queue_bytes), initial=0)) / 1000
    top = max(peak, (found["k_bytes"] or 0) / 1000, 1.0)
    limit = found["limit_bytes"]
    if limit is not None and limit <= 2000 * top:
        text = f"limit {units.show_size(limit)}"
        axes.axhline(limit / 1000, color=INK, linewidth=1, linestyle=":", label=text)
        top = max(top, limit / 1000)
    draw_laws(axes, run, scale, top)
    axes.set_xlim((begin - start_ns) / scale, (end - start_ns) / scale)
    axes.set_ylim(0, top * 1.05)
    speed = f", the capture's divided by {found['speed']:g}" if found["speed"] != 1 else ""
    axes.set_xlabel(f"time [{unit}]{speed}")
    axes.set_ylabel("queue [kB]")
    axes.grid()
    return top


def draw_events(
    axes: Axes, run: Run, top: float, window: tuple[float, float] | None = None, start_ns: float = 0, whose: str = ""
) -> float:
    """Draw a row of ticks above the queue for what was marked, dropped early, refused; return the height used."""
    begin, end = window or (0.0, float(max(run.trace.end_ns, 1)))
    scale, _ = scale_for(end - begin)
    for times, colour, name in (
        (marked_at(run.trace), MARK, "marked"),
        (early_at(run.trace), EARLY, "dropped by the law"),
        (refused_at(run.trace), DROP, "dropped at the limit"),
    ):
        inside = times[(times >= begin) & (times <= end)].astype(float)
        if len(times):
            low, top = top * 1.03, top * 1.08
            ticks(axes, (inside - start_ns) / scale, low, top, colour, f"{whose}{name}: {len(inside):,}")
    axes.set_ylim(0, top * 1.03)
    axes.legend(loc="upper left", bbox_to_anchor=(1.005, 1.0))
    return top


def draw_sojourn(axes: Axes, run: Run) -> list[str]:
    """Draw the distribution of sojourn times by class, the quickest class first; return those of too few frames."""
    left = np.asarray(run.trace.departure_kind) != DepartureKind.HEAD_DROPPED
    classes = np.asarray(run.trace.departure_class)[left]
    values = np.asarray(run.trace.departure_sojourn)[left]
    waits = {kind: np.sort(values[classes == kind]) / 1000 for kind in FrameClass}
    shown = {kind: found for kind, found in waits.items() if len(found) >= FEWEST}
    for kind, found in sorted(shown.items(), key=lambda pair: float(np.median(pair[1]))):
        share = np.arange(1, len(found) + 1) / len(found)
        axes.step(found, share, where="post", color=CLASS[kind.name], label=f"{kind.name} ({len(found):,})")
    for law in run.summary.port.laws:
        for label, wait_ns in law.waits(run.summary.settings["rate_bit_per_s"]):
            axes.axvline(wait_ns / 1000, color=THRESHOLD, linestyle="--", linewidth=1.2, label=label)
    axes.set_xlabel("time in the queue [µs]")
    axes.set_ylabel("share of the frames that left")
    axes.set_ylim(0, 1.01)
    axes.set_xlim(left=0)
    axes.grid()
    axes.legend(loc="upper left", bbox_to_anchor=(1.005, 1.0))
    return [f"{kind.name} ({len(found)})" for kind, found in waits.items() if 0 < len(found) < FEWEST]


@styled
def plot_sojourn(run: Run, path: Path, heading: str = "") -> Path:
    """Draw the picture of sojourn times."""
    made, axes = sheet(11, 4.2)
    few = draw_sojourn(axes[0], run)
    axes[0].set_title((heading or title(run.summary)) + (f"; not drawn, too few: {', '.join(few)}" if few else ""))
    return save(made, path)


@styled
def plot_run(run: Run, folder: Path) -> list[Path]:
    """Return the pictures of one replay."""
    folder.mkdir(parents=True, exist_ok=True)
    name = run.summary.settings["policy"]
    made, axes = sheet(11, 6.5, 2)
    busy = busiest(run.trace)
    for axis, window, heading in (
        (axes[0], None, title(run.summary)),
        (axes[1], busy, "the quarter of the time around the fullest queue"),
    ):
        draw_events(axis, run, draw_queue(axis, run, window), window)
        axis.set_title(heading)
    first = save(made, folder / f"occupancy-{name}.svg")
    return [first, plot_sojourn(run, folder / f"sojourn-{name}.svg")]
