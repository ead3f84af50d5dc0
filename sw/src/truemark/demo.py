# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration: real Linux TCP through the RTL, once as a plain queue, once marking at K; numbers and pictures.

The capture is sw/captures/linux-ecn.pcap.gz. Its bottleneck ran at 250 Mbit/s; offered 45 times as fast to a port of
10 Gbit/s, its bursts are more than the port can carry and its mean is not.
"""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from truemark import units
from truemark.cli.progress import progress
from truemark.device.outcomes import TAIL, Outcome
from truemark.errors import TruemarkError
from truemark.laws import policies
from truemark.laws.step import Step
from truemark.pages import render
from truemark.replay import report
from truemark.replay.demo_pictures import first_onset, plot_classes, plot_congestion, plot_sojourn
from truemark.replay.session import Traffic, replay_capture
from truemark.replay.summary import Run, Summary

CAPTURE = Path("sw/captures/linux-ecn.pcap.gz")
RATE = 10 * 10**9
SPEED = 45
K = 30_000
CAPTION = {
    "congestion": "The queue over time under both policies. The senders of a capture cannot react, so the queue is the "
    "same; what differs is what they are told: nothing before the loss, or a mark on every ECT frame that finds more "
    "than K waiting.",
    "onset": "The first congestion that ends in a loss: its first mark, and how much later the first frame is lost.",
    "classes": "What became of the frames of each class.",
    "sojourn": "How long frames waited, by class.",
}


def find_capture() -> Path:
    """The committed capture, from the repository's folder or from above this file."""
    for root in (Path.cwd(), *Path(__file__).resolve().parents):
        if (root / CAPTURE).is_file():
            return root / CAPTURE
    raise TruemarkError(f"{CAPTURE} is not here; run this in the repository")


def comparison(summaries: list[Summary]) -> list[tuple[str, list[str]]]:
    """The lines of the comparison: a name, and a value per policy."""
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
                f"a mark, {units.show_time(summary.warning['mean_ns'])} before a loss"
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


def write_page(folder: Path, summaries: list[Summary], pictures: dict[str, Path], closed_loop: str) -> Path:
    """The page that holds the pictures and the numbers."""
    found = summaries[-1].settings
    about = (
        f"{found['capture']} ({summaries[-1].frames['captured']:,} frames of Linux TCP with ECN) at {SPEED} times its "
        f"speed into a port of {units.show_rate(RATE)}; engine: {found['engine']} ({found['library']}). "
        f"K = {units.show_size(K)}; the rule C*RTT/7 gives {units.show_size(found['k_rule_bytes'])} at an RTT of "
        f"{units.show_time(found['rtt_ns'])}."
    )
    page = render(
        "demo.html.j2",
        about=about,
        note=NOTE,
        closed_loop=closed_loop,
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


def demonstrate(folder: Path, kind: str, console: Console, closed_loop: str = "") -> None:
    """Run both policies, print the tables, write pictures, numbers, marked captures and the page."""
    folder.mkdir(parents=True, exist_ok=True)
    limit = policies.BUFFERS["shallow"].limit_bytes
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
        "congestion": plot_congestion(runs, folder / "congestion.png"),
        "onset": plot_congestion(runs, folder / "onset.png", first_onset(runs[-1])),
        "classes": plot_classes(runs, folder / "classes.png"),
        "sojourn": plot_sojourn(runs[-1], folder / "sojourn.png"),
    }
    numbers = {summary.settings["policy"]: summary.to_json() for summary in summaries}
    (folder / "demo.json").write_text(json.dumps(numbers, indent=2) + "\n")
    console.print(f"pictures and numbers: {write_page(folder, summaries, pictures, closed_loop)}", highlight=False)


def main() -> None:
    """`python -m truemark.demo`, what `make demo` runs."""
    parser = argparse.ArgumentParser(description="Replay real Linux TCP against droptail and true-mark.")
    parser.add_argument("--output", type=Path, default=Path("build/demo"), help="folder for pictures and numbers")
    parser.add_argument("--engine", default="rtl", help="rtl (compared with the model at the end), model or both")
    parser.add_argument("--closed-loop", default="", help="the network lab's page, for a link: seen from the folder")
    arguments = parser.parse_args()
    try:
        demonstrate(arguments.output, arguments.engine, Console(), arguments.closed_loop)
    except TruemarkError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
