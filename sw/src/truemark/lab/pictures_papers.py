# SPDX-License-Identifier: BSD-3-Clause
"""Pictures in the form of the papers' figures: against target delay, against K/min; and what else decides the job."""

from __future__ import annotations

import itertools
from pathlib import Path
from statistics import fmean

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from truemark import units
from truemark.drawing import INK, KIND, PLAIN, SETTING, save, sheet, styled
from truemark.lab.figures import KINDS, dropped, figure
from truemark.lab.pictures import draw_means, height_for
from truemark.lab.summary import Measure, Point
from truemark.lab.workloads import LongFlows

Setting = tuple[str, str]  # buffer, transport
TOP = 0.96  # of the height: where points stand whose ratio has no value
BASELINE = "as it is"  # the value of a tornado's second axis that changes nothing
STYLES = {
    "default": (SETTING[0], "o"),
    "syn": (SETTING[4], "D"),
    "ece": (SETTING[1], "s"),
    "ack+syn": (SETTING[2], "^"),
    "all": (SETTING[5], "v"),
}
OTHER = (SETTING[6], "x")  # classes chosen one by one


def plain_logarithmic(axes: Axes, which: str) -> None:
    """Make axes logarithmic, "x", "y" or "xy", with numbers as people write them, at 1, 2 and 5."""
    for each in which:
        getattr(axes, f"set_{each}scale")("log")
        axis = getattr(axes, f"{each}axis")
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


def mean(point: Point, key: str) -> float:
    """Return a figure's mean over the seeds."""
    return fmean(figure(run, key) for run in point.runs)


def spread(point: Point, key: str) -> tuple[float, float]:
    """Return a figure's least and most over the seeds."""
    values = [figure(run, key) for run in point.runs]
    return min(values), max(values)


def in_setting(found: list[Point], setting: Setting) -> list[Point]:
    """Return the points with this buffer and transport."""
    runs = [(point.runs[0].scenario, point) for point in found]
    return [point for each, point in runs if (each.queue.buffer, each.transport.kind) == setting]


def by_delay(found: list[Point], policy: str = "red") -> dict[str, list[tuple[int, Point]]]:
    """Return RED's points with their target delays, or CoDel's with their targets, by what they protect."""
    series: dict[str, list[tuple[int, Point]]] = {}
    for point in found:
        queue = point.runs[0].scenario.queue
        wanted = queue.target_delay if policy == "red" else queue.codel and queue.codel.target
        if queue.policy == policy and wanted:
            series.setdefault(queue.protect or "default", []).append((wanted, point))
    return {name: sorted(row, key=lambda pair: pair[0]) for name, row in series.items()}


def droptails(found: list[Point], kind: str) -> dict[str, Point]:
    """Return DropTail's points with this transport, by buffer."""
    runs = [(point.runs[0].scenario, point) for point in found]
    chosen = [(each.queue, point) for each, point in runs if each.transport.kind == kind]
    return {queue.buffer: point for queue, point in chosen if queue.policy == "droptail"}


def settings_swept(found: list[Point]) -> list[Setting]:
    """Return the buffers and transports for which RED's target delay was swept."""
    settings = dict.fromkeys((run.queue.buffer, run.transport.kind) for run in (p.runs[0].scenario for p in found))
    swept: list[Setting] = []
    for setting in settings:
        rows = by_delay(in_setting(found, setting)).values()
        if any(len({delay for delay, _ in row}) >= 4 for row in rows):
            swept.append(setting)
    return swept


@styled
def plot_delays(found: list[Point], path: Path, setting: Setting) -> Path | None:
    """Draw run time, throughput and latency against RED's target delay, over shallow DropTail's; dashed: references."""
    base, points = droptails(found, setting[1]), in_setting(found, setting)
    series = [(name, row, STYLES.get(name, OTHER), "-") for name, row in by_delay(points).items()]
    # CoDel's settings differ in their interval, too: no line leads from one to the next.
    for name, row in by_delay(points, "codel").items():
        series.append((f"CoDel {name}", row, STYLES.get(name, OTHER), ""))
    if "shallow" not in base:
        return None
    made, axes = sheet(12, 4.3, 1, 3)
    queues = [(point.runs[0].scenario.queue, point) for point in points]
    steps = [point for queue, point in queues if (queue.policy, str(queue.k)) == ("true-mark", "30kB")]
    for axis, (key, title) in zip(
        axes, (("job", "run time"), ("throughput", "throughput per node"), ("latency", "latency, mean")), strict=True
    ):
        unit = mean(base["shallow"], key)
        for name, row, (colour, marker), line in series:
            delays = [delay / 1000 for delay, _ in row]
            means = [mean(point, key) / unit for _, point in row]
            inside = colour if line else "none"
            axis.plot(delays, means, color=colour, marker=marker, linestyle=line, markerfacecolor=inside, label=name)
            ends = np.asarray([spread(point, key) for _, point in row]) / unit
            if line:
                axis.fill_between(delays, ends[:, 0], ends[:, 1], color=colour, alpha=0.15, linewidth=0)
            else:
                axis.vlines(delays, ends[:, 0], ends[:, 1], color=colour, alpha=0.5, linewidth=1)
        axis.axhline(1, color=INK, linestyle="--", linewidth=1, label="DropTail, shallow")
        if "deep" in base:
            axis.axhline(mean(base["deep"], key) / unit, color=SETTING[3], linestyle="--", label="DropTail, deep")
        for point in steps[:1]:
            axis.axhline(mean(point, key) / unit, color=SETTING[7], linestyle="-.", label=point.title)
        plain_logarithmic(axis, "xy")
        axis.set_xlabel("RED's target delay, CoDel's target [µs]")
        axis.set_title(f"{title}, over DropTail, shallow", fontsize=10)
        axis.grid(which="both")
    made.suptitle(f"{setting[1]}, buffer {setting[0]}", fontsize=10)
    made.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return save(made, path)


@styled
def plot_drop_shares(found: list[Point], path: Path, setting: Setting) -> Path:
    """Draw which class the drops are, against RED's target delay: a panel a protection, numbers above the bars."""
    series = by_delay(in_setting(found, setting))
    made, axes = sheet(12, 3.6, 1, len(series))
    for axis, (name, row) in zip(axes, series.items(), strict=True):
        names = [units.show_time(delay) for delay, _ in row]
        counts = {kind: np.asarray([fmean(dropped(run, kind) for run in p.runs) for _, p in row]) for kind in KINDS}
        whole = np.sum(list(counts.values()), axis=0)
        below = np.zeros(len(row))
        for kind, values in counts.items():
            share = 100 * values / np.maximum(whole, 1e-9)
            axis.bar(names, share, bottom=below, color=KIND[kind], label=kind)
            below += share
        for place, number in enumerate(whole):
            axis.text(place, 101, f"{number:,.0f}", ha="center", va="bottom", fontsize=7)
        axis.set_ylim(0, 112)
        axis.set_title(f"{name} (above: packets dropped)", fontsize=10)
        axis.set_xlabel("RED's target delay")
        axis.tick_params(axis="x", labelrotation=45, labelsize=8)
    made.suptitle(f"{setting[1]}, buffer {setting[0]}", fontsize=10)
    axes[0].set_ylabel("share of the drops [%]")
    axes[-1].legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
    return save(made, path)


def size(value: units.Size | None) -> float:
    """Bytes."""
    return 0 if value is None else value.to_bytes("size")


def by_threshold(found: list[Point], policy: str) -> dict[str, list[tuple[float, Point]]]:
    """Return the points with rivals: K/min of `dual-step`, or DCTCP's probability at max of `dual-slope`, in order.

    Their names are what the series differ in: Reno's min and probability, number of flows, how RED spaces its drops.
    Fewer than three points are no series.
    """
    series: dict[tuple[float, float, int, str], list[tuple[float, Point]]] = {}
    for point in found:
        queue, work = point.runs[0].scenario.queue, point.runs[0].scenario.workload
        law = queue.red if policy == "dual-step" else queue.not_ect
        if queue.policy != policy or law is None or not isinstance(work, LongFlows) or not work.rivals:
            continue
        place = size(queue.k) / size(law.min) if queue.ect is None else float(queue.ect.probability)
        own = float(law.probability)
        series.setdefault((size(law.min), own, work.rivals, law.spacing), []).append((place, point))
    series = {key: row for key, row in series.items() if len(row) >= 3}
    varied = [len(series) == 1 or len(set(values)) > 1 for values in zip(*series, strict=True)]
    named = {}
    for key, row in sorted(series.items()):
        flows = f"{key[2]} flow{'s' if key[2] > 1 else ''} each"
        words = (f"min {key[0] / 1000:.1f} kB", f"probability {key[1]:g}", flows, f"{key[3]} spacing")
        name = ", ".join(word for word, differs in zip(words, varied, strict=True) if differs)
        named[name] = sorted(row, key=lambda pair: pair[0])
    return named


def equal_sharing(row: list[tuple[float, Point]]) -> float | None:
    """Return where both transports get the same, between the points where the ratio passes 1; None: nowhere."""
    values = [(place, mean(point, "sharing")) for place, point in row]
    for (left, low), (right, high) in itertools.pairwise(values):
        if (low - 1) * (high - 1) <= 0 and low != high:
            return left + (right - left) * (1 - low) / (high - low)
    return None


@styled
def plot_sharing(found: list[Point], path: Path, policy: str = "dual-step") -> Path | None:
    """Draw throughput ratio, utilization and occupancy of the dual AQM against K/min or DCTCP's probability."""
    series = by_threshold(found, policy)
    if not series:
        return None
    made, axes = sheet(12, 4, 1, 3)
    titles = {"sharing": "goodput, DCTCP over Reno", "utilization": "utilization", "occupancy": "bytes held, mean [kB]"}
    starved = False
    for number, (name, row) in enumerate(series.items()):
        colour = SETTING[number % len(SETTING)]
        places = [place for place, _ in row]
        equal = equal_sharing(row)
        nothing = [place for place, point in row if not np.isfinite(mean(point, "sharing"))]
        axes[0].plot(nothing, [TOP] * len(nothing), "^", color=colour, transform=axes[0].get_xaxis_transform())
        starved = starved or bool(nothing)
        said = f", equal at {equal:.2f}" if equal else ", equal nowhere"
        for axis, key in zip(axes, titles, strict=True):
            axis.plot(places, [mean(point, key) for _, point in row], color=colour, marker="o", markersize=4)
            ends = np.asarray([spread(point, key) for _, point in row])
            axis.fill_between(places, ends[:, 0], ends[:, 1], color=colour, alpha=0.15, linewidth=0)
        axes[0].plot([], [], color=colour, label=f"{name}{said}")
    for axis, title in zip(axes, titles.values(), strict=True):
        axis.set_xlabel("K / min" if policy == "dual-step" else "DCTCP's probability at max")
        axis.set_title(title, fontsize=10)
        axis.grid()
    axes[0].axhline(1, color=INK, linestyle="--", linewidth=1)
    if starved:
        axes[0].plot([], [], "^", color=INK, label="Reno gets nothing in some seed")
    plain_logarithmic(axes[0], "y")
    axes[1].set_ylim(min(0.9, axes[1].get_ylim()[0]), 1.01)
    axes[2].set_ylim(bottom=0)
    made.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return save(made, path)


def paired_ratio(point: Point, base: Point, key: str) -> float:
    """Return the ratio of two points' means over the seeds that both have, so that one seed more changes nothing."""
    here = {run.scenario.seed: figure(run, key) for run in point.runs}
    there = {run.scenario.seed: figure(run, key) for run in base.runs}
    both = here.keys() & there.keys()
    return fmean(here[seed] for seed in both) / fmean(there[seed] for seed in both) if both else float("nan")


@styled
def plot_tornado(found: list[Point], path: Path) -> Path | None:
    """Draw job time with one field changed, over that with none changed, for each queue: longest bars above."""
    names = {point.name: point for point in found}
    queues = [name.removesuffix(f", {BASELINE}") for name in names if name.endswith(f", {BASELINE}")]
    if not queues:
        return None
    made, axes = sheet(12, 3.6, 1, len(queues))
    for axis, queue in zip(axes, queues, strict=True):
        base = names[f"{queue}, {BASELINE}"]
        others = [name for name in names if name.startswith(f"{queue}, ") and not name.endswith(BASELINE)]
        rows = sorted((paired_ratio(names[name], base, "job"), name.removeprefix(f"{queue}, ")) for name in others)
        rows = [row for row in rows if np.isfinite(row[0])]
        rows.sort(key=lambda row: abs(np.log(row[0])))
        axis.barh([name for _, name in rows], [ratio - 1 for ratio, _ in rows], left=1, color=PLAIN)
        plain_logarithmic(axis, "x")
        ratios = [1.0, *(ratio for ratio, _ in rows)]
        axis.set_xlim(0.7 * min(ratios), 2 * max(ratios))
        for place, (ratio, _) in enumerate(rows):
            axis.text(max(ratio, 1), place, f" {ratio:.2f}", va="center", fontsize=7)
        axis.axvline(1, color=INK, linewidth=1)
        axis.set_title(f"{queue}: {mean(base, 'job'):.2f} s as it is", fontsize=10)
        axis.set_xlabel("job time over that as it is")
        axis.tick_params(axis="y", labelsize=8)
    return save(made, path)


@styled
def plot_measures(found: list[Point], measures: tuple[Measure, ...], path: Path) -> Path:
    """Draw the first measures of the kind as bars: the mean, and a dot a seed."""
    shown = measures[:3]
    made, axes = sheet(4 * len(shown) + 1, height_for(found), 1, len(shown), sharey=True)
    for axis, measure in zip(axes, shown, strict=True):
        draw_means(axis, found, measure)
        axis.locator_params(axis="x", nbins=6)
    axes[0].invert_yaxis()
    return save(made, path)
