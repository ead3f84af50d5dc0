# SPDX-License-Identifier: BSD-3-Clause
"""How every picture is drawn: SVG that follows a page into the dark, and colours that mean one thing each.

Text and frames take INK, which the file replaces by `currentColor`, and thresholds a variable; the file itself says
which colours these are on a light and on a dark page. What is drawn by the thousand is one path: files stay small.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.style import context

from truemark.files import whole_file

INK = "#1a1b1c"  # of text, frames and references; stands for nothing else

# What happened to a frame.
MARK, DROP, EARLY, KEPT = "#e69f00", "#c0272d", "#ff7f6e", "#9db4cc"
# What the queue holds, and what it is held against.
QUEUE, THRESHOLD, AVERAGES = "#5f7f9f", "#1b7837", ("#8e44ad", "#d4569f")
# A dark page has its own ink and threshold: the lines are thin.
STANDING = (
    f"<style>svg{{color:{INK};--threshold:{THRESHOLD}}}"
    "@media (prefers-color-scheme:dark){svg{color:#dcdcdc;--threshold:#62c483}}</style>"
)
# Which frame it was: the classes of docs/verdict.md, and the kinds of the lab's tables.
CLASS = {
    "DATA": "#2f6fb5",
    "ACK": "#17a398",
    "SYN": "#b5179e",
    "SYN_ACK": "#e07acb",
    "TCP_CTRL": "#8c8c8c",
    "OTHER_IP": "#a08a4f",
    "NON_IP": "#6d5a3c",
}
KIND = {"data": CLASS["DATA"], "ACK": CLASS["ACK"], "SYN": CLASS["SYN"], "FIN": CLASS["TCP_CTRL"]}
# Which setting it was, where several are drawn into one picture. The dashes help who sees no colours.
SETTING = ("#5d4fb0", "#a0522d", "#6b8e23", "#b8860b", "#0f6674", "#c77dff", "#7d8b99", "#d2691e")
DASHES = ("-", "--", "-.", ":")
PLAIN = "#8fa3b8"  # bars of one kind

styled = context(
    {
        "svg.fonttype": "none",  # text stays text: it can be read aloud, searched and scaled
        "font.size": 11,
        "legend.fontsize": 9.5,
        "axes.titlesize": 11,
        "axes.titlelocation": "left",
        "legend.frameon": False,
        "savefig.transparent": True,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        **dict.fromkeys(("figure.facecolor", "axes.facecolor"), "none"),
        **dict.fromkeys(
            ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color"), INK
        ),
        "grid.alpha": 0.2,
    },
    after_reset=True,
)
"""A decorator: what it stands above draws in this style, whatever else has set matplotlib's parameters."""


def sheet(width: float, height: float, rows: int = 1, columns: int = 1, **shared: Any) -> tuple[Figure, list[Axes]]:
    """Return a figure in inches with its axes in a list, row by row; whoever draws is `styled`."""
    if mpl.rcParams["text.color"] != INK:
        raise RuntimeError("a sheet outside `styled` would be drawn in matplotlib's own style")
    made = Figure(figsize=(width, height), layout="constrained")
    return made, list(np.atleast_1d(np.asarray(made.subplots(rows, columns, **shared))).ravel())


def save(figure: Figure, path: Path) -> Path:
    """Write a picture as SVG; it appears under its name only when it is complete."""
    with io.StringIO() as drawn, mpl.rc_context({"svg.hashsalt": path.stem}):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
        text = drawn.getvalue()
    text = text.replace(INK, "currentColor").replace(THRESHOLD, "var(--threshold)")
    text = text.replace("<defs>", f"{STANDING}\n <defs>", 1)
    with whole_file(path) as file:
        file.write(text)
    return path


def ticks(axes: Axes, places: np.ndarray[Any, Any], low: float, high: float, colour: str, label: str) -> None:
    """Draw a short vertical line at each place, all in one path."""
    along = np.repeat(np.asarray(places, dtype=float), 3)
    up = np.tile([low, high, np.nan], len(places))
    axes.plot(along, up, color=colour, linewidth=0.9, solid_capstyle="butt", label=label)


def shown(value: float) -> str:
    """Return a number in three digits, zeros at the end as well: 0.240, 3.19, 384."""
    return f"{value:#.3g}".rstrip(".")
