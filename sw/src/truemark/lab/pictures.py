# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of lab results."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from truemark import units
from truemark.drawing import CLASS, DASHES, INK, KIND, PLAIN, SETTING, THRESHOLD, save, sheet, shown, styled
from truemark.lab.figures import KINDS, completion_ms, dropped, flows, outcomes
from truemark.lab.runner import LabRun, planned_ports
from truemark.lab.summary import MEASURES, Measure, Point

BY_KEY = {measure.key: measure for measure in MEASURES}


def style_of(number: int) -> dict[str, Any]:
    """Return the colour and dashes of a setting's line."""
    return {"color": SETTING[number % len(SETTING)], "linestyle": DASHES[number // len(SETTING) % len(DASHES)]}


def height_for(found: list[Point]) -> float:
    """Return the height of a picture of so many horizontal bars."""
    return 1.3 + 0.42 * len(found)


def draw_means(axis: Axes, found: list[Point], measure: Measure) -> None:
    """Draw a bar for the mean of each point; a dot a seed where there are several."""
    means = [fmean(point.values(measure)) for point in found]
    axis.barh([point.title for point in found], means, color=PLAIN)
    for row, point in enumerate(found):
        values = point.values(measure)
        if len(values) > 1:
            axis.plot(values, [row] * len(values), "o", color=INK, markersize=4)
        axis.text(max(values), row, f"  {shown(means[row])}", va="center", fontsize=9)
    axis.set_xlabel(f"{measure.title}{f' [{measure.unit}]' if measure.unit else ''}")
    axis.margins(x=0.16)
    axis.set_xlim(left=0)
    axis.grid(axis="x")


@styled
def plot_jobs(found: list[Point], path: Path) -> Path:
    """Draw job time and mean wait of each point."""
    made, axes = sheet(11, height_for(found), 1, 2, sharey=True)
    for axis, key in zip(axes, ("job", "wait"), strict=True):
        draw_means(axis, found, BY_KEY[key])
    axes[0].invert_yaxis()
    return save(made, path)


def arrived(run: LabRun, kind: str) -> int:
    """Return the packets of a kind that ports judged."""
    return sum(count for name, _, count in outcomes(run) if name in KINDS[kind])


@styled
def plot_drops(found: list[Point], path: Path) -> Path:
    """Draw dropped packets by class: their number, and their part of all of that class that ports judged."""
    made, axes = sheet(11, 1.6 * height_for(found), 1, 2, sharey=True)
    names = [point.title for point in found]
    thick, places = 0.8 / len(KINDS), np.arange(len(found), dtype=float)
    for number, kind in enumerate(KINDS):
        counts = [fmean([dropped(run, kind) for run in point.runs]) for point in found]
        whole = [fmean([arrived(run, kind) for run in point.runs]) for point in found]
        shares = [100 * count / all_ if all_ else 0.0 for count, all_ in zip(counts, whole, strict=True)]
        spots = places + (number - (len(KINDS) - 1) / 2) * thick
        for axis, values, form in ((axes[0], counts, "{:,.0f}"), (axes[1], shares, "{:.2g} %")):
            axis.barh(spots, values, height=thick, color=KIND[kind], label=kind)
            for spot, value in zip(spots, values, strict=True):
                axis.text(value, spot, f"  {form.format(value)}" if value else "  0", va="center", fontsize=7.5)
    axes[0].set_yticks(places, names)
    axes[0].set_xscale("symlog", linthresh=1)
    axes[0].set_xlim(0, 10 * max(10.0, *axes[0].get_xlim()))
    axes[0].xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes[0].set_xlabel("packets dropped, mean over seeds (linear to 1, then logarithmic)")
    axes[1].set_xlabel("part of the class that was dropped [%]")
    axes[1].margins(x=0.16)
    axes[0].set_ylim(len(found) - 0.5, -0.5)
    for axis in axes:
        axis.grid(axis="x")
    made.legend(*axes[1].get_legend_handles_labels(), loc="outside lower center", ncols=len(KINDS))
    return save(made, path)


SHARED = {"long-flows": ("leaf0.leaf1", "leaf0.host0"), "background": ("leaf1.leaf0",), "incast": ("leaf0.host0",)}


def occupied_ports(run: LabRun) -> list[dict[str, Any]]:
    """Return the port that all flows share where the kind has one, else all ports to hosts."""
    ports: list[dict[str, Any]] = run.result["result"]["ports"]
    by_name = {port["name"]: port for port in ports}
    shared = [name for name in SHARED.get(run.scenario.workload.kind, ()) if name in by_name]
    return [by_name[shared[0]]] if shared else [port for port in ports if ".host" in port["name"]]


def occupancy(runs: tuple[LabRun, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return bytes, and the share of time in which these ports held more."""
    ports = [port for run in runs for port in occupied_ports(run)]
    width = max(port["occupancy_bin_bytes"] for port in ports)
    spent = np.zeros(max(len(port["occupancy_ns"]) for port in ports))
    for port in ports:
        spent[: len(port["occupancy_ns"])] += np.asarray(port["occupancy_ns"], dtype=float)
    return np.arange(len(spent) + 1) * width, np.append(np.cumsum(spent[::-1])[::-1], 0) / max(spent.sum(), 1.0)


def completion_times(runs: tuple[LabRun, ...]) -> np.ndarray:
    """Return the completion times of every flow of every seed, in ms, in order."""
    return np.sort(np.asarray([completion_ms(flow) for run in runs for flow in flows(run)]))


def draw_occupancy(axis: Axes, found: list[Point]) -> None:
    """Draw a line for each point: the share of the busy time in which more bytes are held."""
    for number, point in enumerate(found):
        held, share = occupancy(point.runs)
        busy = share[1] if len(share) > 1 and share[1] else 1.0
        name = f"{point.title} (busy {busy:.2%} of the time)"
        axis.plot(held[1:-1] / 1000, share[1:-1] / busy, **style_of(number), label=name)
    axis.set_ylabel("share of the busy time with more")
    axis.set_yscale("log")
    axis.set_xlim(left=0)
    axis.grid()


@styled
def plot_occupancy(found: list[Point], path: Path) -> Path:
    """Draw how full the ports are while measuring."""
    made, axes = sheet(11, 4.2)
    draw_occupancy(axes[0], found)
    axes[0].set_xlabel("bytes held [kB]")
    axes[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1))
    return save(made, path)


@styled
def plot_distributions(found: list[Point], path: Path) -> Path:
    """Draw how full the ports to hosts are, and how long flows take."""
    made, axes = sheet(11, 4.4, 1, 2)
    for number, point in enumerate(found):
        times = completion_times(point.runs)
        axes[1].step(times, np.arange(1, len(times) + 1) / len(times), where="post", **style_of(number))
    draw_occupancy(axes[0], found)
    axes[0].set_xlabel("bytes held at a port to a host [kB]")
    made.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    axes[1].set_xscale("log")
    axes[1].set_xlabel("flow completion time [ms]")
    axes[1].set_ylabel("share of the flows")
    axes[1].grid()
    return save(made, path)


def job_s(run: LabRun) -> float:
    """Return the seconds that the job took."""
    return float(run.result["result"]["job"]["time_s"])


def first_part(run: LabRun, series: dict[str, Any]) -> float:
    """Return the milliseconds until which the port holds anything, shortly after 90 % of the flows at the latest."""
    result = run.result["result"]
    _, times, held = changes(series, result["sample_ns"])
    early = times[held.any(axis=0) & (times <= 1300 * result["job"]["time_90_s"])]
    return float(early.max(initial=result["sample_ns"] / 1e6))


def window_of(runs: list[LabRun], ports: list[dict[str, Any]]) -> tuple[float, float]:
    """Return where the first part and the whole of a job end, in ms.

    The quickest job sets the first part: next to one that stands still for seconds its queues would be slivers.
    """
    quickest = min(range(len(runs)), key=lambda number: job_s(runs[number]))
    return first_part(runs[quickest], ports[quickest]), 1000 * max(map(job_s, runs))


def shared_port(runs: list[LabRun]) -> list[dict[str, Any]]:
    """Return what was sampled at one port: the fullest of those sampled in all runs, or each run's fullest."""
    sampled = [{series["name"]: series for series in run.result["result"]["series"]} for run in runs]
    both = set.intersection(*map(set, sampled))
    if not both:
        return [run.result["result"]["series"][0] for run in runs]
    fullest = max(sorted(both), key=lambda name: sum(sum(map(sum, held_by_class(each[name]))) for each in sampled))
    return [each[fullest] for each in sampled]


def held_by_class(series: dict[str, Any]) -> list[list[int]]:
    """Return the samples of each class."""
    return [values for name, values in series.items() if name != "name"]


def changes(series: dict[str, Any], sample_ns: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return the classes sampled, and the times [ms] around which what is held changes, with the kB of each class."""
    kinds = [name for name in CLASS if name in series]
    held = np.asarray([series[name] for name in kinds] or [[0]]) / 1000
    moved = np.diff(held, axis=1).any(axis=0)
    kept = np.concatenate([[True], moved]) | np.concatenate([moved, [True]])
    return kinds, np.flatnonzero(kept) * sample_ns / 1e6, held[:, kept]


@styled
def plot_composition(found: list[Point], path: Path) -> Path | None:
    """Draw what a port holds over time, by class, with K and the limit: each point's first seed, on one scale."""
    found = [point for point in found if point.runs[0].result["result"]["series"]]
    if not found:
        return None
    runs = [point.runs[0] for point in found]
    made, axes = sheet(11, 2.1 * len(found) + 0.8, len(found), 2, sharey=True, sharex="col", width_ratios=(3, 2))
    ports = shared_port(runs)
    early, late = window_of(runs, ports)
    for row, (point, run, series) in enumerate(zip(found, runs, ports, strict=True)):
        kinds, times, held = changes(series, run.result["result"]["sample_ns"])
        ended = 1000 * job_s(run)
        for axis, end in zip(axes[2 * row : 2 * row + 2], (early, late), strict=True):
            if kinds:
                axis.stackplot(times, held, colors=[CLASS[name] for name in kinds], linewidth=0)
            draw_levels(axis, run, series["name"])
            axis.axvline(ended, color=INK, linewidth=1)
            axis.set_xlim(0, 1.02 * end)
            axis.grid()
        axes[2 * row].set_title(f"{point.title}: port {series['name']}, seed {run.scenario.seed}")
        axes[2 * row + 1].set_title(f"job done at {units.show_time(ended * 1e6)}", fontsize=9)
        axes[2 * row].set_ylabel("queue [kB]")
    axes[0].set_ylim(0, 1.1 * max(float(np.sum(held_by_class(series), axis=0).max()) for series in ports) / 1000)
    for axis, text in zip(axes[-2:], ("time [ms], first part", "time [ms], the whole job"), strict=True):
        axis.set_xlabel(text)
    seen = {name for series in ports for name in series}
    patches = [Patch(color=colour, label=name) for name, colour in CLASS.items() if name in seen]
    lines = [
        Line2D([], [], color=THRESHOLD, linestyle="--", label="K; min and max of RED"),
        Line2D([], [], color=INK, ls=":", label="limit"),
    ]
    made.legend(handles=[*patches, *lines], loc="outside lower center", ncols=len(patches) + 2)
    return save(made, path)


def draw_levels(axis: Axes, run: LabRun, port: str) -> None:
    """Draw the limit of a port, and the levels of its laws: K, or RED's min and max."""
    settings = planned_ports(run.scenario)[0]["edge" if ".host" in port else "fabric"]
    if settings.limit_bytes is not None:
        axis.axhline(settings.limit_bytes / 1000, color=INK, linestyle=":", linewidth=1)
    for law in settings.laws:
        for _, level in law.levels:
            axis.axhline(level / 1000, color=THRESHOLD, linestyle="--", linewidth=1.2)
