# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a sweep: what is marked, what is dropped and how long frames wait, over K."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from truemark.documents import Point
from truemark.drawing import DASHES, DROP, MARK, QUEUE, save, sheet, styled

PANELS: tuple[tuple[str, str, Callable[[Point], float]], ...] = (
    ("marked [%]", MARK, lambda point: 100 * point["marked"] / max(point["arrived"], 1)),
    ("dropped [%]", DROP, lambda point: 100 * point["dropped"] / max(point["arrived"], 1)),
    ("wait, p99 [µs]", QUEUE, lambda point: point["sojourn_p99_ns"] / 1000),
)


@styled
def plot_sweep(points: list[Point], path: Path) -> Path:
    """Draw a panel for each figure, a line for each policy; one without K is a level line."""
    made, axes = sheet(9, 7, len(PANELS), sharex=True)
    names = list(dict.fromkeys(point["policy"] for point in points))
    places = [point["k_bytes"] / 1000 for point in points if point["k_bytes"] is not None] or [0, 1]
    for axis, (label, colour, figure) in zip(axes, PANELS, strict=True):
        for number, name in enumerate(names):
            mine = [point for point in points if point["policy"] == name]
            along = [point["k_bytes"] / 1000 for point in mine if point["k_bytes"] is not None]
            values = [figure(point) for point in mine]
            if not along:
                along, values = [min(places), max(places)], values * 2
            marker = "o" if len(along) == len(mine) else ""
            style = DASHES[number % len(DASHES)]
            axis.plot(along, values, color=colour, linestyle=style, marker=marker, markersize=3, label=name)
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
        axis.grid()
    axes[0].legend(loc="upper left", bbox_to_anchor=(1.005, 1.0))
    axes[-1].set_xlabel("K [kB]")
    return save(made, path)
