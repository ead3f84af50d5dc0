# SPDX-License-Identifier: BSD-3-Clause
"""Colours, type and files of all pictures, so that they look like one set."""

from __future__ import annotations

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

PARAMETERS = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "truemark",  # the same picture gives the same file
    "text.color": INK,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
}


def applied() -> AbstractContextManager[None]:
    """Return a context in which pictures are drawn in this style, whatever else has set matplotlib's parameters."""
    return context(PARAMETERS, after_reset=True)


def save(figure: Figure, name: str) -> None:
    """Write `name`.svg next to this file, and a PNG of it under build/ to look at."""
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None, "Creator": None})
    text = (FOLDER / f"{name}.svg").read_text()
    (FOLDER / f"{name}.svg").write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
    preview = FOLDER.parents[1] / "build" / "pictures"
    preview.mkdir(parents=True, exist_ok=True)
    figure.savefig(preview / f"{name}.png", dpi=110)
