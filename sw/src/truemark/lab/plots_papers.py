# SPDX-License-Identifier: BSD-3-Clause
"""Pictures in the form of the papers' figures: against target delay, against K/min; and what else decides the job."""

from __future__ import annotations

import itertools
from pathlib import Path
from statistics import fmean

import numpy as np

from truemark import units
from truemark.lab.figures import KINDS, dropped, figure
from truemark.lab.plots import COLOURS, LINES, height_for, sheet
from truemark.lab.summary import Measure, Point
from truemark.lab.workloads import LongFlows
from truemark.plots import save

BASELINE = "as it is"  # the value of a tornado's second axis that changes nothing
STYLES = {"default": ("#c0272d", "o"), "ece": ("#e08a1e", "s"), "ack+syn": ("#1b7837", "^"), "all": ("#7b4ea3", "v")}


def mean(point: Point, key: str) -> float:
    """Of a figure over the seeds."""
    return fmean(figure(run, key) for run in point.runs)


def spread(point: Point, key: str) -> tuple[float, float]:
    """Least and most over the seeds."""
    values = [figure(run, key) for run in point.runs]
    return min(values), max(values)


def by_delay(found: list[Point]) -> dict[str, list[tuple[int, Point]]]:
    """RED's points in the shallow buffer with their target delays, by what they protect."""
    series: dict[str, list[tuple[int, Point]]] = {}
    for point in found:
        queue = point.runs[0].scenario.queue
        tcp = point.runs[0].scenario.transport
        if queue.policy == "red" and queue.target_delay and queue.buffer == "shallow" and tcp.kind == "tcp-ecn":
            series.setdefault(queue.protect or "default", []).append((units.parse_time(queue.target_delay), point))
    return {name: sorted(row, key=lambda pair: pair[0]) for name, row in series.items()}


def droptails(found: list[Point]) -> dict[str, Point]:
    """DropTail's points by buffer."""
    runs = [(point.runs[0].scenario, point) for point in found]
    chosen = [(each.queue, point) for each, point in runs if each.transport.kind == "tcp-ecn"]
    return {queue.buffer: point for queue, point in chosen if queue.policy == "droptail"}


def plot_delays(found: list[Point], path: Path) -> Path | None:
    """Run time, throughput and latency against RED's target delay, over shallow DropTail; dashed: the references."""
    series, base = by_delay(found), droptails(found)
    if "shallow" not in base or max((len(row) for row in series.values()), default=0) < 4:
        return None
    made, axes = sheet(12, 4.3, 1, 3)
    queues = [(point.runs[0].scenario.queue, point) for point in found]
    steps = [
        point for queue, point in queues if (queue.policy, queue.buffer, queue.k) == ("true-mark", "shallow", "30kB")
    ]
    for axis, (key, title) in zip(
        axes, (("job", "run time"), ("throughput", "throughput per node"), ("latency", "latency, mean")), strict=True
    ):
        unit = mean(base["shallow"], key)
        for name, row in series.items():
            colour, marker = STYLES.get(name, ("#444444", "x"))
            delays = [delay / 1000 for delay, _ in row]
            axis.plot(delays, [mean(point, key) / unit for _, point in row], color=colour, marker=marker, label=name)
            ends = np.asarray([spread(point, key) for _, point in row]) / unit
            axis.fill_between(delays, ends[:, 0], ends[:, 1], color=colour, alpha=0.15, linewidth=0)
        axis.axhline(1, color="#444444", linestyle="--", linewidth=1, label="DropTail, shallow")
        if "deep" in base:
            axis.axhline(mean(base["deep"], key) / unit, color="#4878a8", linestyle="--", label="DropTail, deep")
        for point in steps[:1]:
            axis.axhline(mean(point, key) / unit, color="#17a0a8", linestyle="-.", label=point.name)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("RED's target delay [us]")
        axis.set_title(f"{title}, over DropTail, shallow", fontsize=10)
        axis.grid(alpha=0.25, which="both")
    made.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=6, fontsize=8, frameon=False)
    return save(made, path)


def plot_drop_shares(found: list[Point], path: Path) -> Path | None:
    """Which class the drops are, against RED's target delay: a panel for each protection, numbers above the bars."""
    series = by_delay(found)
    if max((len(row) for row in series.values()), default=0) < 4:
        return None
    made, axes = sheet(12, 3.6, 1, len(series))
    for axis, (name, row) in zip(axes, series.items(), strict=True):
        names = [units.show_time(delay) for delay, _ in row]
        counts = {kind: np.asarray([fmean(dropped(run, kind) for run in p.runs) for _, p in row]) for kind in KINDS}
        whole = np.sum(list(counts.values()), axis=0)
        below = np.zeros(len(row))
        for kind, values in counts.items():
            share = 100 * values / np.maximum(whole, 1e-9)
            axis.bar(names, share, bottom=below, color=COLOURS[kind], label=kind)
            below += share
        for place, number in enumerate(whole):
            axis.text(place, 101, f"{number:,.0f}", ha="center", va="bottom", fontsize=7)
        axis.set_ylim(0, 112)
        axis.set_title(f"{name} (above: packets dropped)", fontsize=10)
        axis.set_xlabel("RED's target delay")
        axis.tick_params(axis="x", labelrotation=45, labelsize=8)
    axes[0].set_ylabel("share of the drops [%]")
    axes[-1].legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
    return save(made, path)


def by_threshold(found: list[Point]) -> dict[float, list[tuple[float, Point]]]:
    """The points of `dual-step` with rivals: by RED's min, with K/min, in order."""
    series: dict[float, list[tuple[float, Point]]] = {}
    for point in found:
        scenario = point.runs[0].scenario
        law, work = scenario.queue.red, scenario.workload
        if scenario.queue.policy == "dual-step" and law is not None and isinstance(work, LongFlows) and work.rivals:
            least = units.parse_size(law.min) if isinstance(law.min, str) else law.min
            k = units.parse_size(scenario.queue.k) if isinstance(scenario.queue.k, str) else scenario.queue.k
            series.setdefault(least, []).append(((k or 0) / least, point))
    return {least: sorted(row, key=lambda pair: pair[0]) for least, row in sorted(series.items())}


def equal_sharing(row: list[tuple[float, Point]]) -> float | None:
    """K/min at which both transports get the same, between the two points where the ratio passes 1; None: nowhere."""
    values = [(place, mean(point, "sharing")) for place, point in row]
    for (left, low), (right, high) in itertools.pairwise(values):
        if (low - 1) * (high - 1) <= 0 and low != high:
            return left + (right - left) * (1 - low) / (high - low)
    return None


def plot_sharing(found: list[Point], path: Path) -> Path | None:
    """Throughput ratio, utilization and occupancy of the dual AQM against K/min, a line for each min."""
    series = by_threshold(found)
    if max((len(row) for row in series.values()), default=0) < 3:
        return None
    made, axes = sheet(12, 4, 1, 3)
    titles = {"sharing": "goodput, DCTCP over Reno", "utilization": "utilization", "occupancy": "bytes held, mean [kB]"}
    for number, (least, row) in enumerate(series.items()):
        colour = LINES[number % len(LINES)]
        places = [place for place, _ in row]
        equal = equal_sharing(row)
        said = f", equal at {equal:.2f}" if equal else ", equal nowhere"
        for axis, key in zip(axes, titles, strict=True):
            axis.plot(places, [mean(point, key) for _, point in row], color=colour, marker="o", markersize=4)
            ends = np.asarray([spread(point, key) for _, point in row])
            axis.fill_between(places, ends[:, 0], ends[:, 1], color=colour, alpha=0.15, linewidth=0)
        axes[0].plot([], [], color=colour, label=f"min {least / 1000:.1f} kB{said}")
    for axis, title in zip(axes, titles.values(), strict=True):
        axis.set_xlabel("K / min")
        axis.set_title(title, fontsize=10)
        axis.grid(alpha=0.25)
    axes[0].axhline(1, color="#444444", linestyle="--", linewidth=1)
    axes[0].set_yscale("log")
    axes[0].legend(fontsize=7.5, frameon=False, loc="upper left")
    return save(made, path)


def plot_tornado(found: list[Point], path: Path) -> Path | None:
    """Job time with one field changed, over that with none changed, for each queue: the longest bars above."""
    names = {point.name: point for point in found}
    queues = [name.removesuffix(f", {BASELINE}") for name in names if name.endswith(f", {BASELINE}")]
    if not queues:
        return None
    made, axes = sheet(12, 3.6, 1, len(queues))
    for axis, queue in zip(axes, queues, strict=True):
        base = mean(names[f"{queue}, {BASELINE}"], "job")
        others = [name for name in names if name.startswith(f"{queue}, ") and not name.endswith(BASELINE)]
        rows = sorted((mean(names[name], "job") / base, name.removeprefix(f"{queue}, ")) for name in others)
        rows.sort(key=lambda row: abs(np.log(row[0])))
        axis.barh([name for _, name in rows], [ratio - 1 for ratio, _ in rows], left=1, color="#4878a8")
        for place, (ratio, _) in enumerate(rows):
            axis.text(max(ratio, 1), place, f" {ratio:.2f}", va="center", fontsize=7)
        axis.axvline(1, color="#444444", linewidth=1)
        axis.set_title(f"{queue}: {base:.2f} s as it is", fontsize=10)
        axis.set_xlabel("job time over that as it is")
        axis.tick_params(axis="y", labelsize=8)
        axis.margins(x=0.15)
    return save(made, path)


def plot_measures(found: list[Point], measures: tuple[Measure, ...], path: Path) -> Path:
    """The first measures of the kind as bars: the mean, and a dot a seed."""
    shown = measures[:3]
    made, axes = sheet(4 * len(shown) + 1, height_for(found), 1, len(shown))
    for axis, measure in zip(axes, shown, strict=True):
        means = [fmean(point.values(measure)) for point in found]
        axis.barh([point.name for point in found], means, color="#b9c9da")
        for row, point in enumerate(found):
            axis.plot(point.values(measure), [row] * len(point.runs), "o", color="#2b4a6b", markersize=3)
        axis.invert_yaxis()
        axis.locator_params(axis="x", nbins=6)
        axis.set_xlabel(f"{measure.title}{f' [{measure.unit}]' if measure.unit else ''}")
        axis.set_xlim(left=0)
        axis.grid(alpha=0.25, axis="x")
        if axis is not axes[0]:
            axis.set_yticklabels([])
    return save(made, path)
