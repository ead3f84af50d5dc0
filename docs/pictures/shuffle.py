# SPDX-License-Identifier: BSD-3-Clause
"""The result in one picture: how long most of a shuffle takes, how long packets wait, what is lost, from results/."""

from __future__ import annotations

from matplotlib.figure import Figure
from truemark_dev.results import current, figure

from docs.pictures import style as s

POLICIES = {  # the figures of a row of README's table, and what the picture calls it
    "hadoop-whole.{}:droptail, shallow": "droptail",
    "hadoop-whole.{}:RED + ECN, W = 0, shallow": "RED + ECN, W = 0",
    "hadoop-whole.{}:RED + ECN, W = 9, shallow": "RED + ECN, W = 9",
    "hadoop-whole.{}:RED + ECN, W = 0, ack+syn, shallow": "RED + ECN, ACKs and SYNs protected",
    "hadoop-whole.{}:true-mark 30 kB, shallow": "true-mark, K = 30 kB",
    "hadoop-whole.{}:droptail, deep": "droptail, ten times the buffer",
}
OURS = "hadoop-whole.{}:true-mark 30 kB, shallow"
MEASURES = {
    "nine-tenths-of-the-flows-s": "nine tenths of the flows take [s]",
    "wait-in-a-queue-mean-ms": "a packet waits, mean [ms]",
}
LOST = "drops-ack"


def labels() -> dict[str, list[str]]:
    """Return what stands at the bars of each measure, as the table has it."""
    figures = current()
    return {name: [figure(policy.format(name), figures) for policy in POLICIES] for name in (*MEASURES, LOST)}


def draw() -> None:
    """Draw and save it."""
    page = Figure(figsize=(9.6, 3.4))
    panels = page.subplots(1, 2, sharey=True)
    told = labels()
    for panel, (name, title) in zip(panels, MEASURES.items(), strict=True):
        values = [float(each) for each in told[name]]
        colours = [s.MARKED if policy == OURS else s.DATA for policy in POLICIES]
        panel.barh(range(len(values)), values, color=colours, height=0.62)
        for place, value in enumerate(values):
            panel.text(value + max(values) * 0.02, place, told[name][place], va="center", size=9)
        panel.set_title(title, loc="left", size=10)
        panel.set_xlim(0, max(values) * 1.18)
        panel.set_xticks([])
        panel.spines[["top", "right", "bottom"]].set_visible(False)
        panel.spines["left"].set_color(s.RULE)
        panel.tick_params(left=False)
    names = [f"{name}\n{lost} ACKs lost" for name, lost in zip(POLICIES.values(), told[LOST], strict=True)]
    panels[0].set_yticks(range(len(names)), names, size=9)
    panels[0].invert_yaxis()
    page.subplots_adjust(left=0.29, right=0.99, top=0.9, bottom=0.02, wspace=0.08)
    s.save(page, "shuffle")
