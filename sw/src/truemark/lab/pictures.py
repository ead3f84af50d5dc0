# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of lab results."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from truemark.lab.figures import KINDS, dropped
from truemark.lab.runner import LabRun
from truemark.lab.summary import MEASURES, Point
from truemark.replay.pictures import save

mpl.use("Agg")

COLOURS = {"data": "#4878a8", "ACK": "#e08a1e", "SYN": "#c0272d", "FIN": "#8c8c8c"}
CLASS_COLOUR = {"DATA": "#4878a8", "ACK": "#e08a1e", "SYN": "#c0272d", "SYN_ACK": "#d8696d", "TCP_CTRL": "#8c8c8c"}
LINES = ("#4878a8", "#c0272d", "#1b7837", "#e08a1e", "#7b4ea3", "#444444", "#17a0a8", "#b07a4f")
BY_KEY = {measure.key: measure for measure in MEASURES}


def sheet(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, list[mpl.axes.Axes]]:
    """A figure with its axes in a list."""
    made = Figure(figsize=(width, height), layout="constrained")
    return made, list(np.atleast_1d(np.asarray(made.subplots(rows, columns))).ravel())


def height_for(found: list[Point]) -> float:
    """Of horizontal bars."""
    return 1.3 + 0.42 * len(found)


def plot_jobs(found: list[Point], path: Path) -> Path:
    """Job time and mean wait of each point: bars for the mean, a dot a seed."""
    made, axes = sheet(11, height_for(found), 1, 2)
    for axis, key, title in zip(axes, ("job", "wait"), ("job time [s]", "mean wait in a queue [ms]"), strict=True):
        means = [fmean(point.values(BY_KEY[key])) for point in found]
        axis.barh([point.name for point in found], means, color="#b9c9da")
        for row, point in enumerate(found):
            axis.plot(point.values(BY_KEY[key]), [row] * len(point.runs), "o", color="#2b4a6b", markersize=4)
            axis.text(max(point.values(BY_KEY[key])), row, f"  {means[row]:.3g}", va="center", fontsize=8)
        axis.invert_yaxis()
        axis.set_xlabel(title)
        axis.margins(x=0.16)
        axis.set_xlim(left=0)
        axis.grid(alpha=0.25, axis="x")
    axes[1].set_yticklabels([])
    return save(made, path)


def plot_drops(found: list[Point], path: Path) -> Path:
    """Dropped packets by class: their number, on a scale that shows 1 and 10,000, and their shares."""
    made, axes = sheet(11, height_for(found) + 0.4, 1, 2)
    names = [point.name for point in found]
    counts = {kind: [fmean([dropped(run, kind) for run in point.runs]) for point in found] for kind in KINDS}
    thick = 0.8 / len(KINDS)
    places = np.arange(len(found), dtype=float)
    for number, (kind, values) in enumerate(counts.items()):
        spots = places + (number - (len(KINDS) - 1) / 2) * thick
        axes[0].barh(spots, values, height=thick, color=COLOURS[kind], label=kind)
        for spot, value in zip(spots, values, strict=True):
            if value:
                axes[0].text(value, spot, f" {value:,.0f}", va="center", fontsize=6.5)
    for place, row in zip(places, zip(*counts.values(), strict=True), strict=True):
        if not any(row):
            axes[0].text(0.1, place, "none", va="center", fontsize=8, style="italic")
    axes[0].set_yticks(places, names)
    axes[0].set_xscale("symlog", linthresh=1)
    axes[0].set_xlim(0, max(10.0, 4 * max(max(values) for values in counts.values())))
    axes[0].xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes[0].set_xlabel("packets dropped (mean over seeds)")
    left = np.zeros(len(found))
    whole = np.maximum(np.sum(list(counts.values()), axis=0), 1e-9)
    for kind, values in counts.items():
        share = 100 * np.asarray(values) / whole
        axes[1].barh(names, share, left=left, color=COLOURS[kind], label=kind)
        left += share
    axes[1].set_xlim(0, 100)
    axes[1].set_xlabel("share of the drops [%]")
    axes[1].set_yticklabels([])
    axes[1].legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
    for axis in axes:
        axis.set_ylim(len(found) - 0.5, -0.5)
        axis.grid(alpha=0.25, axis="x")
    return save(made, path)


SHARED = {"long-flows": ("leaf0.leaf1", "leaf0.host0"), "background": ("leaf1.leaf0",), "incast": ("leaf0.host0",)}


def occupied_ports(run: LabRun) -> list[dict[str, Any]]:
    """The port that all flows share where the kind has one, else all ports to hosts."""
    ports: list[dict[str, Any]] = run.result["result"]["ports"]
    by_name = {port["name"]: port for port in ports}
    shared = [name for name in SHARED.get(run.scenario.workload.kind, ()) if name in by_name]
    return [by_name[shared[0]]] if shared else [port for port in ports if ".host" in port["name"]]


def occupancy(runs: tuple[LabRun, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Bytes, and the share of time in which these ports held more."""
    ports = [port for run in runs for port in occupied_ports(run)]
    width = max(port["occupancy_bin_bytes"] for port in ports)
    spent = np.zeros(max(len(port["occupancy_ns"]) for port in ports))
    for port in ports:
        spent[: len(port["occupancy_ns"])] += np.asarray(port["occupancy_ns"], dtype=float)
    return np.arange(len(spent) + 1) * width, np.append(np.cumsum(spent[::-1])[::-1], 0) / max(spent.sum(), 1.0)


def completion_times(runs: tuple[LabRun, ...]) -> np.ndarray:
    """Of every flow of every seed, in ms, in order."""
    times = []
    for run in runs:
        with (run.folder / "flows.csv").open(newline="", encoding="utf-8") as file:
            times += [(int(row["end_ns"]) - int(row["start_ns"])) / 1e6 for row in csv.DictReader(file)]
    return np.sort(np.asarray(times))


def draw_occupancy(axis: mpl.axes.Axes, found: list[Point]) -> None:
    """A line for each point: how much of the time more bytes are held."""
    for number, point in enumerate(found):
        colour, style = LINES[number % len(LINES)], "-" if number < len(LINES) else "--"
        held, share = occupancy(point.runs)
        axis.plot(held[1:-1] / 1000, share[1:-1], color=colour, linestyle=style, label=point.name)
    axis.set_ylabel("share of the time with more")
    axis.set_yscale("log")
    axis.set_xlim(left=0)
    axis.grid(alpha=0.25)


def plot_occupancy(found: list[Point], path: Path) -> Path:
    """How full the ports are over the time of measuring."""
    made, axes = sheet(11, 4.2)
    draw_occupancy(axes[0], found)
    axes[0].set_xlabel("bytes held [kB]")
    axes[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
    return save(made, path)


def plot_distributions(found: list[Point], path: Path) -> Path:
    """How full the ports to hosts are, and how long flows take."""
    made, axes = sheet(11, 4.4, 1, 2)
    for number, point in enumerate(found):
        colour, style = LINES[number % len(LINES)], "-" if number < len(LINES) else "--"
        times = completion_times(point.runs)
        axes[1].step(times, np.arange(1, len(times) + 1) / len(times), where="post", color=colour, linestyle=style)
    draw_occupancy(axes[0], found)
    axes[0].set_xlabel("bytes held at a port to a host [kB]")
    axes[0].legend(loc="upper right", fontsize=8, frameon=False)
    axes[1].set_xscale("log")
    axes[1].set_xlabel("flow completion time [ms]")
    axes[1].set_ylabel("share of the flows")
    axes[1].grid(alpha=0.25)
    return save(made, path)


def last_held(run: LabRun) -> float:
    """Milliseconds until which the fullest port holds anything, shortly after 90 % of the flows at the latest."""
    result = run.result["result"]
    step = float(result["sample_ns"]) / 1e6
    series = [values for name, values in result["series"][0].items() if name != "name"]
    held = [place for values in series for place, value in enumerate(values) if value]
    early = [place * step for place in held if place * step <= 1300 * result["job"]["time_90_s"]]
    return max(early, default=step)


def plot_composition(found: list[Point], path: Path) -> Path | None:
    """What the fullest port holds over time, by class: the first seed of each point."""
    with_series = [point for point in found if point.runs[0].result["result"]["series"]]
    if not with_series:
        return None
    made, axes = sheet(11, 2.1 * len(with_series) + 0.4, len(with_series), 1)
    end = 1.05 * max(last_held(point.runs[0]) for point in with_series)
    for axis, point in zip(axes, with_series, strict=True):
        run = point.runs[0]
        result = run.result["result"]
        series = result["series"][0]
        kinds = [name for name in CLASS_COLOUR if name in series]
        times = np.arange(len(series[kinds[0]]) if kinds else 0) * result["sample_ns"] / 1e6
        held = [np.asarray(series[name]) / 1000 for name in kinds]
        if kinds:
            axis.stackplot(times, held, colors=[CLASS_COLOUR[name] for name in kinds], labels=kinds, linewidth=0)
        axis.set_title(f"{point.name}: port {series['name']}, seed {run.scenario.seed}", fontsize=9, loc="left")
        axis.set_ylabel("queue [kB]")
        axis.set_xlim(0, end)
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.25)
    seen = {kind for point in with_series for kind in point.runs[0].result["result"]["series"][0]}
    patches = [Patch(color=colour, label=name) for name, colour in CLASS_COLOUR.items() if name in seen]
    made.legend(handles=patches, loc="outside upper right", ncols=len(patches), frameon=False, fontsize=8)
    axes[-1].set_xlabel("time [ms]")
    return save(made, path)
