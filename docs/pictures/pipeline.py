# SPDX-License-Identifier: BSD-3-Clause
"""The packet's way: the stages in order, one port's queue with its threshold drawn in, and what watches over it."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from docs.pictures import style as s

WIDTH, HEIGHT = 12.0, 6.05  # inches, and the units of the drawing
TOP, TALL = 3.55, 1.75  # the row of stages


def box(axes: Axes, x: float, y: float, width: float, height: float, face: str, edge: str, *, z: float = 2) -> None:
    """Draw a rounded box."""
    shape = "round,pad=0,rounding_size=0.09"
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=shape, fc=face, ec=edge, lw=1.3, zorder=z))


def arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = s.INK, lw: float = 1.6
) -> None:
    """Draw an arrow."""
    axes.annotate(
        "",
        end,
        start,
        arrowprops={"arrowstyle": "-|>", "color": colour, "lw": lw, "shrinkA": 0, "shrinkB": 0},
        zorder=5,
    )


def stage(axes: Axes, x: float, width: float, name: str, *lines: str) -> None:
    """Draw a stage with its name and what it does."""
    box(axes, x, TOP, width, TALL, s.STAGE, s.STAGE_EDGE, z=4)
    axes.text(x + width / 2, TOP + TALL - 0.27, name, ha="center", va="center", weight="bold", size=11.5, zorder=6)
    for index, line in enumerate(lines):
        axes.text(x + width / 2, TOP + TALL - 0.66 - 0.26 * index, line, ha="center", va="center", size=8.3, zorder=6)


def queue(axes: Axes, x: float, width: float) -> None:
    """Draw the buffer stage: frames in a ring, the threshold K, the limit; what came in above K is marked."""
    box(axes, x, TOP, width, TALL, s.STAGE, s.STAGE_EDGE, z=4)
    axes.text(x + width / 2, TOP + TALL - 0.27, "buffer", ha="center", va="center", weight="bold", size=11.5, zorder=6)
    left, bottom, tall, step = x + 0.42, TOP + 0.42, 0.6, 0.152
    colours = [s.MARKED] * 3 + [s.DATA] * 7  # newest on the left: these met more than K bytes
    cells = len(colours) + 2
    right = left + cells * step
    axes.plot([left, right, right, left], [bottom, bottom, bottom + tall, bottom + tall], color=s.INK, lw=1.2, zorder=6)
    for index, colour in enumerate(colours):
        place = right - (len(colours) - index) * step
        axes.add_patch(
            Rectangle((place + 0.02, bottom + 0.06), step - 0.04, tall - 0.12, fc=colour, ec="none", zorder=6)
        )
    threshold = right - 7 * step
    axes.plot([threshold] * 2, [bottom - 0.1, bottom + tall + 0.1], color=s.MARKED, lw=1.8, zorder=7)
    axes.text(threshold, bottom + tall + 0.2, "K", ha="center", va="center", color=s.MARKED, weight="bold", zorder=7)
    axes.plot([left] * 2, [bottom - 0.1, bottom + tall + 0.1], color=s.DROPPED, lw=1.8, zorder=7)
    axes.text(left, bottom + tall + 0.2, "limit", ha="center", va="center", color=s.DROPPED, size=8.3, zorder=7)
    axes.text(
        x + width / 2,
        TOP + 0.15,
        "a ring of rows, kept both ways, newest left",
        ha="center",
        va="center",
        size=8.3,
        zorder=7,
    )


def draw() -> None:
    """Draw the picture."""
    figure = Figure(figsize=(WIDTH, HEIGHT))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(0, HEIGHT)
    axes.axis("off")

    # One queue per port: a stack of cards, the front one drawn.
    for back in (2, 1):
        box(axes, 3.9 + 0.1 * back, TOP - 0.25 + 0.1 * back, 6.5, TALL + 0.75, s.PAPER, s.RULE, z=1 + (2 - back) * 0.1)
    box(axes, 3.9, TOP - 0.25, 6.5, TALL + 0.75, s.PAPER, s.QUIET, z=3)
    axes.text(4.05, TOP + TALL + 0.27, "one queue for each port, 1 to 16", size=9, color=s.QUIET, va="center", zorder=6)

    stage(axes, 0.95, 1.3, "parse", "tags, ECN,", "TCP flags,", "class")
    stage(axes, 2.4, 1.25, "rewrite", "each row also", "as it leaves", "marked CE")
    stage(axes, 4.05, 1.3, "admit", "limits, then", "B > K ?", "the verdict")
    queue(axes, 5.6, 2.6)
    stage(axes, 8.45, 1.75, "depart", "whose turn, how long", "it waited, which row:", "as it came or marked")

    middle = TOP + TALL / 2
    for start, end in ((0.12, 0.95), (2.25, 2.4), (3.65, 4.05), (5.35, 5.6), (8.2, 8.45), (10.2, 11.15)):
        arrow(axes, (start, middle), (end, middle), lw=2.4)
    axes.text(0.1, middle + 0.22, "s_axis", size=9, va="center")
    axes.text(0.1, middle - 0.22, "never\nblocked", size=8, va="top", color=s.QUIET)
    axes.text(10.72, middle + 0.22, "m_axis[port]", size=9, va="center")
    axes.text(10.72, middle - 0.2, "whole, once,\nin order", size=8, va="top", color=s.QUIET)

    # Control: events down, configuration up.
    box(axes, 1.0, 0.55, 9.4, 1.75, s.CONTROL, s.CONTROL_EDGE)
    axes.text(1.18, 2.08, "control", weight="bold", size=11.5, va="center", zorder=6)
    for x, width, name, line in (
        (1.25, 2.15, "registers", "one SystemRDL file"),
        (3.75, 2.3, "configuration", "checked, taken as a whole"),
        (6.4, 2.05, "counters", "port × class × outcome"),
        (8.75, 1.4, "snapshot", "all of one cycle"),
    ):
        box(axes, x, 0.8, width, 0.85, s.PAPER, s.CONTROL_EDGE, z=4)
        axes.text(x + width / 2, 1.36, name, ha="center", va="center", size=10, zorder=6)
        axes.text(x + width / 2, 1.03, line, ha="center", va="center", size=8, color=s.QUIET, zorder=6)
    for x0, x1 in ((3.4, 3.75), (8.45, 8.75)):
        arrow(axes, (x0, 1.22), (x1, 1.22), s.CONTROL_EDGE)
    arrow(axes, (0.12, 1.22), (1.25, 1.22), s.CONTROL_EDGE)
    axes.text(0.1, 1.44, "AXI4-Lite", size=9, va="center")
    axes.text(0.1, 1.06, "host tool", size=8, va="top", color=s.QUIET)
    arrow(axes, (4.3, 1.65), (4.3, TOP), s.CONTROL_EDGE)
    axes.text(4.2, 2.8, "K, limits, protection", size=8.5, va="center", ha="right", color=s.CONTROL_EDGE, zorder=6)
    axes.plot([4.9, 4.9, 7.0], [TOP, 2.75, 2.75], color=s.CONTROL_EDGE, lw=1.6, zorder=5, solid_joinstyle="round")
    arrow(axes, (7.0, 2.75), (7.0, 1.65), s.CONTROL_EDGE)
    axes.plot([8.7, 8.7, 8.2], [TOP, 2.0, 2.0], color=s.CONTROL_EDGE, lw=1.6, zorder=5)
    arrow(axes, (8.2, 2.0), (8.2, 1.65), s.CONTROL_EDGE)
    axes.text(5.95, 2.9, "every verdict", size=8.5, va="center", ha="center", color=s.CONTROL_EDGE, zorder=6)
    axes.text(8.8, 2.8, "every departure", size=8.5, va="center", color=s.CONTROL_EDGE, zorder=6)

    # Legend.
    for x, colour, text in ((1.0, s.DATA, "a frame"), (2.2, s.MARKED, "a frame that met more than K bytes: marked CE")):
        axes.add_patch(Rectangle((x, 0.14), 0.17, 0.17, fc=colour, ec="none"))
        axes.text(x + 0.27, 0.22, text, size=8.5, va="center")
    s.save(figure, "pipeline")
