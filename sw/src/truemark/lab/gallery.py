# SPDX-License-Identifier: BSD-3-Clause
"""Which pictures a set of points has, with their captions."""

from __future__ import annotations

from pathlib import Path

from truemark.lab import plots, plots_papers
from truemark.lab.summary import Point, measures_of

MANY = 12  # points beyond which pictures of single points are no help

CAPTIONS = {
    "delays": "RED with three protections against its target delay, over DropTail with the same buffer. Lines: mean; "
    "bands: range over the seeds; dashed: references.",
    "shares": "Which packets are dropped, by class, against RED's target delay.",
    "sharing": "DCTCP marked at K beside Reno under RED: a line for each of RED's min; bands: range over the seeds.",
    "tornado": "Job time with one field changed, over that with none: what decides beside the queue.",
    "measures": "Bars: mean over seeds; dots: seeds.",
    "jobs": "Job time, and the mean wait of all packets in the switches' queues. Bars: mean over seeds; dots: seeds.",
    "drops": "Packets dropped at switch ports, by class, and their shares.",
    "distributions": "Bytes held at the ports to hosts, over the whole run, waits for timeouts included; completion "
    "times of all flows.",
    "composition": "What the fullest port holds by class, sampled until shortly after 90 % of the flows are complete.",
}


def plot_all(found: list[Point], folder: Path) -> dict[str, Path]:
    """Every picture that these points have, by name."""
    shuffles = all(run.scenario.workload.kind == "shuffle" for point in found for run in point.runs)
    made: dict[str, Path | None] = {
        "delays": plots_papers.plot_delays(found, folder / "delays.png"),
        "shares": plots_papers.plot_drop_shares(found, folder / "shares.png"),
        "sharing": plots_papers.plot_sharing(found, folder / "sharing.png"),
        "tornado": plots_papers.plot_tornado(found, folder / "tornado.png"),
    }
    if shuffles and (len(found) <= MANY or not any(made.values())):
        made["jobs"] = plots.plot_jobs(found, folder / "jobs.png")
        made["drops"] = plots.plot_drops(found, folder / "drops.png")
    if shuffles and len(found) <= MANY:
        made["distributions"] = plots.plot_distributions(found, folder / "distributions.png")
        made["composition"] = plots.plot_composition(found, folder / "composition.png")
    if not shuffles and made["sharing"] is None:
        made["measures"] = plots_papers.plot_measures(found, measures_of(found), folder / "measures.png")
    return {name: path for name, path in made.items() if path is not None}
