# SPDX-License-Identifier: BSD-3-Clause
"""Colours, type and files of all pictures, so that they look like one set."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.style import context

FOLDER = Path(__file__).resolve().parent

INK = "#1f2933"  # text, outlines
QUIET = "#7b8794"  # what is there, but not the point
RULE = "#cbd2d9"  # frames, grids
PAPER = "#ffffff"
STAGE = "#e8f1fb"  # what packets pass through
STAGE_EDGE = "#2f6db3"
CONTROL = "#f3f0e8"  # what registers and counters are made of
CONTROL_EDGE = "#9a7b3f"
DATA = "#6fa8dc"  # a frame
MARKED = "#e07a2f"  # a frame marked CE
DROPPED = "#c0392b"  # a frame that is refused

DARK = {  # each colour of a picture, and what it is where the reader's system is dark
    INK: "#e4e7eb",
    QUIET: "#9aa5b1",
    RULE: "#52606d",
    PAPER: "#1b2229",
    STAGE: "#1f3550",
    STAGE_EDGE: "#6ea8e6",
    CONTROL: "#37301f",
    CONTROL_EDGE: "#d0b072",
    DATA: "#4a86bd",
    MARKED: "#c8641c",
    DROPPED: "#e0604f",
    # the frames of waveforms
    "#9fc5e8": "#2c5378",
    "#b6d7a8": "#3c6331",
    "#ffe599": "#6b5a1c",
    "#d5a6bd": "#71405a",
    "#c9c3e6": "#4a4377",
    "#f4c7c3": "#7a332d",
}

PARAMETERS = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "truemark",  # the same picture gives the same file
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.labelcolor": INK,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
}


def applied() -> AbstractContextManager[None]:
    """Return a context in which pictures are drawn in this style, whatever else has set matplotlib's parameters."""
    return context(PARAMETERS, after_reset=True)


def with_dark_form(picture: str, name: str) -> str:
    """Return an SVG with a rule for each of its colours; raise ValueError for a colour that has no dark form.

    The rules are in the file, so that they hold wherever it is shown: on the site, on a Git host, by itself.
    """
    used = dict.fromkeys(re.findall(r"\b(fill|stroke): (#\w+)", picture))
    for _, colour in used:
        if colour not in DARK:
            raise ValueError(f"'{name}' has {colour}, and docs/pictures/style.py no dark form of it (DARK)")
    rules = "".join(f'[style*="{kind}: {each}"]{{{kind}: {DARK[each]} !important}}' for kind, each in sorted(used))
    style = f'<style type="text/css">@media (prefers-color-scheme: dark) {{{rules}}}</style>'
    return picture.replace("</defs>", f"{style}</defs>", 1)


def save(figure: Figure, name: str) -> None:
    """Write `name`.svg next to this file, and a PNG of it under build/ to look at."""
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None, "Creator": None})
    text = with_dark_form((FOLDER / f"{name}.svg").read_text(), name)
    (FOLDER / f"{name}.svg").write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
    preview = FOLDER.parents[1] / "build" / "pictures"
    preview.mkdir(parents=True, exist_ok=True)
    figure.savefig(preview / f"{name}.png", dpi=110)
