# SPDX-License-Identifier: BSD-3-Clause
"""Which pictures a set of points has, with their captions."""

from __future__ import annotations

from pathlib import Path

from truemark.lab import pictures as plots
from truemark.lab import pictures_papers as plots_papers
from truemark.lab.summary import Point, measures_of

MANY = 12  # points beyond which pictures of single points are no help

CAPTIONS = {
    "delays": "RED against its target delay and CoDel's four settings (hollow) against their target, by what they "
    "protect, over shallow DropTail with the same transport. Mean; bands and bars: range over the seeds; dashed: "
    "references.",
    "shares": "Which packets are dropped, by class, against RED's target delay.",
    "sharing": "DCTCP marked at K next to Reno under RED; bands: range over the seeds.",
    "slopes": "DCTCP and Reno, each under a slope of its own; bands: range over the seeds.",
    "occupancy": "Bytes held while measuring, at the port that the flows share or at all ports to hosts.",
    "tornado": "Job time with one field changed, over that with none: what decides besides the queue.",
    "measures": "Bars: mean over seeds; dots: seeds, where there are several.",
    "jobs": "Job time, and the mean wait of all packets in the switches' queues. "
    "Bars: mean over seeds; dots: seeds, where there are several.",
    "drops": "Packets dropped at switch ports, by class: how many, and what part of that class was dropped.",
    "distributions": "Bytes held at the ports to hosts while they hold more than the first step of the curve; "
    "completion times of all flows.",
    "composition": "What one port holds by class; left the first part of the job, right all of it, stalls included.",
}


def caption(name: str) -> str:
    """Return a picture's caption: what it shows, and for which buffer and transport where there are several."""
    kind, _, setting = name.partition(" ")
    return f"{CAPTIONS[kind]}{f' {setting}.' if setting else ''}"


def plot_all(found: list[Point], folder: Path) -> dict[str, Path]:
    """Return every picture that these points have, by name."""
    shuffles = all(run.scenario.workload.kind == "shuffle" for point in found for run in point.runs)
    made: dict[str, Path | None] = {
        "sharing": plots_papers.plot_sharing(found, folder / "sharing.svg"),
        "slopes": plots_papers.plot_sharing(found, folder / "slopes.svg", "dual-slope"),
        "tornado": plots_papers.plot_tornado(found, folder / "tornado.svg"),
    }
    for setting in plots_papers.settings_swept(found):
        part = "-".join(setting)
        made[f"delays {part}"] = plots_papers.plot_delays(found, folder / f"delays-{part}.svg", setting)
        made[f"shares {part}"] = plots_papers.plot_drop_shares(found, folder / f"shares-{part}.svg", setting)
    if shuffles and (len(found) <= MANY or not any(made.values())):
        made["jobs"] = plots.plot_jobs(found, folder / "jobs.svg")
        made["drops"] = plots.plot_drops(found, folder / "drops.svg")
    if shuffles and len(found) <= MANY:
        made["distributions"] = plots.plot_distributions(found, folder / "distributions.svg")
        made["composition"] = plots.plot_composition(found, folder / "composition.svg")
    if not shuffles and made["sharing"] is None and made["slopes"] is None:
        made["measures"] = plots_papers.plot_measures(found, measures_of(found), folder / "measures.svg")
    if not shuffles and len(found) <= MANY:
        made["occupancy"] = plots.plot_occupancy(found, folder / "occupancy.svg")
    return {name: path for name, path in made.items() if path is not None}
