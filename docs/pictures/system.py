# SPDX-License-Identifier: BSD-3-Clause
"""Where Truemark sits in a switch: between the lookup and the MACs, with a host at its registers."""

from __future__ import annotations

from matplotlib.figure import Figure

from docs.pictures import style as s
from docs.pictures.pipeline import arrow, box

WIDTH, HEIGHT = 10.0, 3.6
PORTS = 4


def draw() -> None:
    """Draw and save it."""
    page = Figure(figsize=(WIDTH, HEIGHT))
    axes = page.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(0, HEIGHT)
    axes.axis("off")

    def block(x: float, y: float, width: float, height: float, name: str, *lines: str, ours: bool = False) -> None:
        box(axes, x, y, width, height, s.STAGE if ours else s.PAPER, s.STAGE_EDGE if ours else s.QUIET)
        top = y + height / 2 + 0.11 * len(lines)
        axes.text(x + width / 2, top, name, ha="center", va="center", weight="bold" if ours else "normal", zorder=6)
        for index, line in enumerate(lines):
            axes.text(x + width / 2, top - 0.24 * (index + 1), line, ha="center", va="center", size=8, zorder=6)

    bottom, tall = 1.35, 2.0
    block(1.75, bottom, 1.7, tall, "arbiter, lookup", "which ports?", "one stream")
    block(4.55, bottom, 2.1, tall, "truemark", "one queue a port", "marks above K", ours=True)
    for port in range(PORTS):
        y = bottom + 0.08 + port * 0.49
        block(0.15, y, 0.85, 0.38, f"MAC {port}")
        block(8.95, y, 0.85, 0.38, f"MAC {port}")
        arrow(axes, (1.0, y + 0.19), (1.75, y + 0.19))
        arrow(axes, (6.65, y + 0.19), (8.95, y + 0.19))
    arrow(axes, (3.45, bottom + tall / 2), (4.55, bottom + tall / 2), lw=2.4)
    axes.text(4.0, bottom + tall / 2 + 0.16, "s_axis", ha="center", size=8.5, family="monospace")
    axes.text(7.8, bottom + tall + 0.1, "m_axis, tx_en_i", ha="center", size=8.5, family="monospace")
    block(4.55, 0.15, 2.1, 0.62, "host")
    arrow(axes, (5.3, 0.77), (5.3, bottom), colour=s.CONTROL_EDGE)
    arrow(axes, (5.9, bottom), (5.9, 0.77), colour=s.CONTROL_EDGE)
    axes.text(6.1, 1.05, "s_axil: registers, counters", size=8.5, family="monospace", va="center")
    s.save(page, "system")
