# SPDX-License-Identifier: BSD-3-Clause
"""The numbers that the papers' texts give, drawn next to what was found of them: from the page's own lines, no runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from truemark import units
from truemark.drawing import INK, PLAIN, SETTING, save, sheet, styled
from truemark.lab.page import Row, judged
from truemark.lab.pictures_papers import plain_logarithmic

ENDS = 0.02, 50.0  # ratios beyond stand at the edge
FILLED = {"reproduced": SETTING[0], "one seed": SETTING[0]}  # other verdicts are hollow
TWO_RENOS = "4#11"
PANELS = {"utilization": "utilization", "occupancy_bdp": "mean queue [BDP]"}


@dataclass(frozen=True)
class Picture:
    """A picture of the page, and what it shows to who does not see it."""

    path: Path
    shows: str


def numbered(row: Row) -> list[Row]:
    """Return an item's judged lines that have the paper's number, more than nothing, and a median."""
    return [line for line in judged(row) if line["number"] and line["middle"] is not None]


def ratios(line: Row) -> Any:
    """Return median, low and high over the paper's number, and the tolerance's two ends, as far as the picture goes."""
    ends = [line["middle"], line["low"], line["high"], line["least"] or 0, line["most"]]
    values = [np.inf if each is None else each / line["number"] for each in ends]
    return np.clip(values, *ENDS)


def draw_line(axes: Axes, place: float, line: Row) -> None:
    """Draw a line's tolerance as a bar, its interval as a rule and its median as a dot."""
    middle, low, high, least, most = ratios(line)
    axes.plot([least, most], [place, place], color=PLAIN, linewidth=5, alpha=0.45, solid_capstyle="butt")
    axes.plot([low, high], [place, place], color=SETTING[0], linewidth=1.2)
    inside = FILLED.get(line["verdict"], "none")
    axes.plot(middle, place, "o", color=SETTING[0], markerfacecolor=inside, markersize=5)


@styled
def plot_numbers(paper: Row, path: Path) -> Path | None:
    """Draw what was found over the paper's number: a row an item, a line a claim; 1 is what the paper has."""
    rows = [(row, numbered(row)) for row in paper["items"] if numbered(row) and row["item"] != TWO_RENOS]
    if not rows:
        return None
    made, (axes,) = sheet(9.6, 1.2 + 0.17 * sum(len(lines) for _, lines in rows) + 0.12 * len(rows))
    place, names = 0.0, []
    for row, lines in rows:
        names.append((place + (len(lines) - 1) / 2, units.show_times(f"{row['item']} {row['what']}")))
        for line in lines:
            draw_line(axes, place, line)
            place += 1
        place += 0.7
    axes.axvline(1, color=INK, linestyle="--", linewidth=1, zorder=1)
    plain_logarithmic(axes, "x")
    axes.set_xlim(*ENDS)
    axes.set_yticks(*map(list, zip(*names, strict=True)), fontsize=8.5)
    axes.set_ylim(place - 0.2, -0.8)
    axes.grid(axis="x")
    axes.set_xlabel("found here, over the paper's number")
    axes.plot([], [], color=PLAIN, linewidth=5, alpha=0.45, label="tolerance")
    axes.plot([], [], "o-", color=SETTING[0], markersize=5, linewidth=1.2, label="median, interval: reproduced")
    axes.plot(
        [], [], "o-", color=SETTING[0], markerfacecolor="none", markersize=5, linewidth=1.2, label="another verdict"
    )
    made.legend(loc="outside upper right", ncols=3)
    return save(made, path)


def threshold(line: Row) -> float:
    """Return RED's min in BDP, which a claim about two Reno flows has in its text: `M = 1/8 BDP`."""
    over, _, under = line["text"].partition("M = ")[2].partition(" BDP")[0].partition("/")
    return float(over) / float(under or 1)


@styled
def plot_two_renos(paper: Row, path: Path) -> Path | None:
    """Draw utilization and mean queue of two Reno flows against RED's min, the paper's numbers and ours."""
    lines = [line for row in paper["items"] if row["item"] == TWO_RENOS for line in numbered(row)]
    if not lines:
        return None
    made, panels = sheet(9.6, 3.4, 1, len(PANELS))
    for axes, (figure, title) in zip(panels, PANELS.items(), strict=True):
        own = sorted((line for line in lines if line["figure"] == figure), key=threshold)
        places = [threshold(line) for line in own]
        axes.fill_between(
            places,
            [line["least"] for line in own],
            [line["most"] for line in own],
            color=PLAIN,
            alpha=0.3,
            linewidth=0,
            label="tolerance",
        )
        axes.plot(places, [line["number"] for line in own], "s--", color=INK, markersize=5, label="the paper")
        middles = np.asarray([line["middle"] for line in own])
        ends = np.abs(np.asarray([[line["low"], line["high"]] for line in own]).T - middles)
        axes.errorbar(places, middles, ends, fmt="o-", color=SETTING[0], markersize=5, capsize=3, label="here")
        axes.set_title(title)
        axes.set_xlabel("RED's min [BDP]")
        axes.grid()
    panels[0].legend(loc="lower right")
    return save(made, path)


def draw(number: int, paper: Row, folder: Path) -> list[Picture]:
    """Draw the pictures of a paper into a folder; return those that it has."""
    found = [
        (
            plot_numbers(paper, folder / f"papers-{number}.svg"),
            "What was found here over each number that the text gives, with interval and tolerance, as in the table",
        ),
        (
            plot_two_renos(paper, folder / "papers-two-renos.svg"),
            f"Item {TWO_RENOS}: utilization and mean queue of two Reno flows against RED's min, the paper's and ours",
        ),
    ]
    return [Picture(path, shows) for path, shows in found if path]
