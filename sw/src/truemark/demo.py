# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration: a shuffle's result, then real Linux TCP through the RTL, once as a plain queue, once marking at K.

The capture is sw/captures/linux-ecn.pcap.gz. Its bottleneck ran at 250 Mbit/s; offered 45 times as fast to a port of
10 Gbit/s, its bursts are more than the port can carry and its mean is not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import units
from truemark.cli.progress import progress
from truemark.device.outcomes import TAIL, Outcome
from truemark.errors import TruemarkError
from truemark.files import folder_for
from truemark.laws import policies
from truemark.laws.step import Step
from truemark.pages import render
from truemark.replay import report
from truemark.replay.demo_pictures import first_onset, plot_classes, plot_congestion
from truemark.replay.pictures import plot_sojourn
from truemark.replay.session import Traffic, replay_capture
from truemark.replay.summary import Run, Summary
from truemark.screen import Screen

if TYPE_CHECKING:
    from truemark.lab.report import Number

CAPTURE = Path("sw/captures/linux-ecn.pcap.gz")
RATE = 10 * 10**9
SPEED = 45
K = 30_000
CAPTION = {
    "congestion": "The queue over time. The senders of a capture cannot react, so it is the same under both policies; "
    "what differs is what they are told: nothing before the loss, or a mark on every ECT frame that finds more than K "
    "waiting.",
    "onset": "The first congestion that ends in a loss: its first mark, and how much later the first frame is lost.",
    "classes": "What became of the frames of each class.",
    "sojourn": "How long frames waited, by class; the same under both policies.",
}
MARKING, DEEP, SHALLOW = "true-mark, shallow", "droptail, deep", "droptail, shallow"  # points of the shuffle


@dataclass(frozen=True)
class Shuffle:
    """What the page shows of the network lab's shuffle."""

    heads: list[str]
    rows: list[tuple[str, list[list[Number]]]]
    said: str
    report: str
    picture: str


def read_shuffle(folder: Path, page: Path) -> Shuffle:
    """Return the results in a folder of `truemark lab sweep` that `lab report` has been through."""
    from truemark.lab import report as lab_report  # its pictures take a while to load
    from truemark.lab.pictures_papers import mean

    (sweep,) = lab_report.read(folder)
    points = {point.name: point for point in sweep.points}
    marking, deep, shallow = (points[name] for name in (MARKING, DEEP, SHALLOW))
    job = mean(marking, "job")
    said = (
        f"{MARKING}: the job takes {job / mean(shallow, 'job'):.0%} of its time with {SHALLOW} and "
        f"{job / mean(deep, 'job'):.1f} times that with {DEEP}, whose queues packets wait in "
        f"{mean(deep, 'wait') / mean(marking, 'wait'):.1f} times as long."
    )
    if len(marking.runs) == 1:
        said += " One seed: another gives other numbers; README has more hosts and the median of three seeds."
    made = Path(os.path.relpath(folder / "report", page))
    return Shuffle(sweep.brief.heads, sweep.brief.rows, said, str(made / "report.html"), str(made / "jobs.svg"))


def find_capture() -> Path:
    """Return the committed capture, from the repository's folder or from above this file."""
    for root in (Path.cwd(), *Path(__file__).resolve().parents):
        if (root / CAPTURE).is_file():
            return root / CAPTURE
    raise TruemarkError(f"{CAPTURE} is not here; run this in the repository")


def comparison(summaries: list[Summary]) -> list[tuple[str, list[str]]]:
    """Return the lines of the comparison: a name, and a value per policy."""
    totals = [summary.total for summary in summaries]

    def share(kind: str, *outcomes: Outcome) -> list[str]:
        rows = [summary.classes[kind] for summary in summaries]
        return [f"{row.of(*outcomes):,} ({row.of(*outcomes) / row.arrived:.1%})" for row in rows]

    return [
        ("frames offered", [f"{total.arrived:,}" for total in totals]),
        ("DATA frames marked CE", share("DATA", Outcome.MARK)),
        ("DATA frames dropped", share("DATA", *TAIL)),
        ("ACK frames dropped", share("ACK", *TAIL)),
        ("dropped early", [f"{total.of(Outcome.EARLY_FORCED, Outcome.EARLY_PROBABILITY):,}" for total in totals]),
        (
            "first sign of congestion",
            [
                f"a mark, {units.show_time(summary.warning['mean_ns'])} before a loss (mean of "
                f"{summary.warning['dropping_congestions']:.0f})"
                if "mean_ns" in summary.warning
                else ("the loss itself" if total.of(*TAIL) else "no loss")
                for summary, total in zip(summaries, totals, strict=True)
            ],
        ),
        ("largest queue", [units.show_size(summary.queue["max_bytes"]) for summary in summaries]),
        ("sojourn p99", [units.show_time(total.sojourn_ns["p99"]) for total in totals]),
    ]


NOTE = (
    "An open-loop replay: senders in a capture cannot slow down, so queue and losses are the same under both policies. "
    "The gain in throughput and delay, which comes from senders that react, needs the closed loop of the network lab."
)


def write_page(folder: Path, summaries: list[Summary], pictures: dict[str, Path], shuffle: Shuffle | None) -> Path:
    """Return the page that holds the result of the shuffle, then pictures and numbers of the replay."""
    found = summaries[-1].settings
    about = (
        f"{found['capture']} ({summaries[-1].frames['captured']:,} frames of Linux TCP with ECN) at {SPEED} times its "
        f"speed into a port of {units.show_rate(RATE)}; engine: {found['engine']} ({found['library']}). "
        f"K = {units.show_size(K)}; the rule C*RTT/7 gives {units.show_size(found['k_rule_bytes'])} at an RTT of "
        f"{units.show_time(found['rtt_ns'])}, which is the least K that keeps the link busy (RFC 8257, section 4.1); "
        "the rest is room for bursts."
    )
    page = render(
        "demo.html.j2",
        about=about,
        note=NOTE,
        shuffle=shuffle,
        names=[summary.settings["policy"] for summary in summaries],
        comparison=[[name, *values] for name, values in comparison(summaries)],
        pictures=[(path.name, CAPTION[name]) for name, path in pictures.items()],
    )
    path = folder / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


def compare_with_model(run: Run, settings: policies.PortSettings, traffic: Traffic, marked: Path) -> None:
    """Replay through the golden model as well: every verdict, departure and byte must be the same."""
    expected = marked.with_name("model.pcap")
    with progress(f"{settings.policy} (model)") as tell:
        model = replay_capture("model", settings, traffic, expected, tell)
    same = model.trace == run.trace and expected.read_bytes() == marked.read_bytes()
    expected.unlink()
    if not same:
        raise TruemarkError(
            f"{settings.policy}: RTL and golden model differ; `--engine both` stops at the first difference"
        )


def replay_both(folder: Path, kind: str, console: Screen) -> list[Run]:
    """Replay the capture under both policies, and print a table of each."""
    limit = policies.BUFFERS["shallow"].bytes
    traffic = Traffic(find_capture(), RATE, Fraction(SPEED))
    runs = []
    for name in ("droptail", "true-mark"):
        laws = [Step(K)] if name == "true-mark" else []
        settings = policies.settings(name, *laws, limit_bytes=limit)
        with progress(f"{name} ({kind})") as tell:
            run = replay_capture(kind, settings, traffic, folder / f"{name}.pcap", tell)
        if kind == "rtl":
            compare_with_model(run, settings, traffic, folder / f"{name}.pcap")
        runs.append(run)
        console.print(report.table(run.summary))
    return runs


def demonstrate(folder: Path, kind: str, console: Screen, shuffle: Path | None = None) -> None:
    """Run both policies, print the tables, write pictures, numbers, marked captures and the page."""
    closed_loop = read_shuffle(shuffle, folder) if shuffle else None
    with folder_for(folder):
        runs = replay_both(folder, kind, console)
    summaries = [run.summary for run in runs]
    table = Table(title="the difference", title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0)
    table.add_column("")
    for summary in summaries:
        table.add_column(summary.settings["policy"], justify="right")
    for name, values in comparison(summaries):
        table.add_row(name, *values)
    console.print(table)
    checked = ["RTL and golden model agree on every verdict, departure and byte"] if kind != "model" else []
    for line in [*report.remarks(summaries[-1]), *checked, NOTE]:
        console.print(line, highlight=False)
    pictures = {
        "congestion": plot_congestion(runs, folder / "congestion.svg"),
        "onset": plot_congestion(runs, folder / "onset.svg", first_onset(runs[-1])),
        "classes": plot_classes(runs, folder / "classes.svg"),
        "sojourn": plot_sojourn(runs[-1], folder / "sojourn.svg"),
    }
    numbers = {summary.settings["policy"]: summary.to_json() for summary in summaries}
    (folder / "demo.json").write_text(json.dumps(numbers, indent=2) + "\n")
    console.print(f"pictures and numbers: {write_page(folder, summaries, pictures, closed_loop)}", highlight=False)


def main() -> None:
    """Run `python -m truemark.demo`, as `make demo` does."""
    parser = argparse.ArgumentParser(description="Replay real Linux TCP against droptail and true-mark.")
    parser.add_argument("--output", type=Path, default=Path("build/demo"), help="folder for pictures and numbers")
    parser.add_argument("--engine", default="rtl", help="rtl (compared with the model at the end), model or both")
    parser.add_argument("--shuffle", type=Path, help="folder of a lab sweep with its report, to show first")
    arguments = parser.parse_args()
    try:
        demonstrate(arguments.output, arguments.engine, Screen(), arguments.shuffle)
    except TruemarkError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
