# SPDX-License-Identifier: BSD-3-Clause
"""`truemark sweep`: one capture under many thresholds and policies, in one process: a table, CSV, a picture."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import documents, units
from truemark.cli import output, traffic
from truemark.cli.output import AsJson
from truemark.device.outcomes import FrameClass
from truemark.errors import TruemarkError
from truemark.files import STDOUT, must_be_writable, must_spare, whole_file
from truemark.laws import policies
from truemark.laws.step import Step

if TYPE_CHECKING:
    from truemark.laws.port import Port, PortTable
    from truemark.replay.summary import Summary

MOST_STEPS = 1000
EXAMPLES = {
    "sweep": (
        "Examples:\n\n"
        "truemark sweep capture.pcap --k 10kB..100kB --load 0.9 --plot sweep.svg\n\n"
        "truemark sweep capture.pcap --policy droptail,true-mark,red --k 10kB,30kB --target-delay 100us --csv -"
    )
}


def sizes(text: str, steps: int, port: PortTable) -> list[str]:
    """Return the thresholds of `10kB..100kB` in even steps, or of a list; `port` says the rate and the packet."""
    first, dots, last = text.partition("..")
    if not dots:
        return [each.strip() for each in text.split(",")]
    if not 2 <= steps <= MOST_STEPS:
        raise TruemarkError(f"steps = {steps}: allowed is 2 to {MOST_STEPS}")
    low, high = (units.parse_size(each, "k", port.rate, port.packet) for each in (first, last))
    if low >= high:
        raise TruemarkError(f"k '{text}': {first} is not below {last}")
    return list(dict.fromkeys(f"{low + round(Fraction(high - low) * step / (steps - 1))}B" for step in range(steps)))


def options_of(policy: policies.Policy) -> set[str]:
    """Return which of the options that only some policies take this one does."""
    takes = {*policy.keys, *(("target_delay", "weight") if policy.delayed else ())}
    takes |= {"mark_on"} if Step in policy.laws else set()
    return takes | ({"protect"} if policy.protections else set())


def plan(
    names: list[str],
    thresholds: list[str],
    laws: dict[str, str | None],
    limits: dict[str, Any],
    profile: Path | None,
) -> list[Port]:
    """Return every point as a port: a policy with K once for each threshold, any other once.

    An option goes to the policies that take it; one that none of them takes is refused.
    """
    points = []
    taken = {name: options_of(policies.find_policy(name)) for name in names}
    for key in (key for key, value in laws.items() if value is not None):
        if not any(key in takes for takes in taken.values()):
            owners = ", ".join(name for name, policy in policies.TABLE.items() if key in options_of(policy))
            raise TruemarkError(f"--{key.replace('_', '-')}: none of {', '.join(names)} takes it; {owners} do")
    for name, takes in taken.items():
        policy = policies.find_policy(name)
        own = limits | {"policy": name} | {key: value for key, value in laws.items() if key in takes}
        for k in thresholds if Step in policy.laws else [None]:
            points.append(traffic.planned_port(own | {"k": k}, profile))
    return points


def point(summary: Summary) -> documents.Point:
    """Return the figures of one replay."""
    total, settings = summary.total, summary.settings
    acks = summary.classes.get(FrameClass.ACK.name)
    return {
        "policy": str(settings["policy"]),
        "k_bytes": settings["k_bytes"],
        "load": summary.load["offered"],
        "arrived": total.arrived,
        "marked": total.marked,
        "dropped": total.dropped,
        "dropped_acks": acks.dropped if acks else 0,
        "queue_mean_bytes": summary.queue["mean_bytes"],
        "queue_max_bytes": summary.queue["max_bytes"],
        "sojourn_mean_ns": total.sojourn_ns.get("mean", 0.0),
        "sojourn_p99_ns": total.sojourn_ns.get("p99", 0.0),
    }


def check_places(as_json: bool, csv_out: Path | None, plot: Path | None) -> None:
    """Refuse two results in one place."""
    wanted = {"--json": as_json, "--csv -": csv_out == STDOUT, "--plot -": plot == STDOUT}
    first, *more = [name for name, asked in wanted.items() if asked] or [""]
    if more:
        raise TruemarkError(f"{first} and {more[0]} both want stdout; give {more[0].removesuffix(' -')} a file")
    if plot and plot != STDOUT and plot.suffix != ".svg":
        raise TruemarkError(f"{plot}: --plot draws SVG; give it a name that ends with .svg")
    if csv_out and plot and csv_out.resolve() == plot.resolve():
        raise TruemarkError(f"{plot}: --csv and --plot both name this file; give each one of its own")


def sweep(
    capture: traffic.Capture,
    k: Annotated[
        str,
        typer.Option("--k", help="thresholds: 10kB..100kB, or a list 10kB,30kB,24us", rich_help_panel=traffic.POLICY),
    ],
    steps: Annotated[int, typer.Option(help="thresholds of a range", rich_help_panel=traffic.POLICY)] = 10,
    policy: Annotated[
        str, typer.Option(help="policies, with commas between them", rich_help_panel=traffic.POLICY)
    ] = "true-mark",
    profile: traffic.Profile = None,
    buffer: traffic.Buffer = None,
    protect: traffic.Protect = None,
    target_delay: traffic.TargetDelay = None,
    weight: traffic.Weight = None,
    codel: traffic.Codel = None,
    dcqcn: traffic.Dcqcn = None,
    tcn: traffic.Tcn = None,
    mark_on: traffic.MarkOn = None,
    packet: traffic.Packet = None,
    rate: traffic.Rate = None,
    speed: traffic.Speed = "1",
    load: traffic.Load = None,
    engine: traffic.EngineName = None,
    csv_out: Annotated[
        Path | None, typer.Option("--csv", help="file of the table; - is stdout", rich_help_panel=traffic.OUTPUT)
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="file of the picture, SVG", rich_help_panel=traffic.OUTPUT)] = None,
    as_json: AsJson = False,
) -> None:
    """Replay a capture once for each threshold and policy, and compare the figures."""
    from truemark.replay.capture import captured

    check_places(as_json, csv_out, plot)
    must_spare(capture, csv_out, plot)
    given = traffic.written(locals())
    laws = {name: given.pop(name) for name in traffic.LAWS}
    limits = {name: value for name, value in given.items() if name not in ("policy", "k")}  # which the points have
    pace = traffic.Pace(speed, load)
    thresholds = sizes(k, steps, traffic.laid(limits, profile))
    ports = plan([name.strip() for name in policy.split(",")], thresholds, laws, limits, profile)
    must_be_writable(csv_out)
    must_be_writable(plot)
    found, notes = [], dict.fromkeys(line for port in ports for line in port.warnings())
    if plot:
        from truemark.replay.sweep_picture import plot_sweep  # matplotlib takes seconds to load

    with captured(capture) as source:
        for port in ports:
            assert port.rate is not None
            run, remarks = traffic.run(port, engine, pace.of(source, port.rate))
            found.append(point(run.summary))
            notes |= dict.fromkeys(remarks)
    if csv_out:
        with whole_file(csv_out) as file:
            writer = csv.DictWriter(file, list(found[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
    if plot:
        plot_sweep(found, plot)
    wrote = [str(path) for path in (csv_out, plot) if path and path != STDOUT]
    if as_json:
        answer: documents.Sweep = {
            "capture": source.path.name,
            "points": found,
            "remarks": list(notes),
            "wrote": wrote,
        }
        output.document("sweep", answer)
        return
    screen = output.talk(STDOUT in (csv_out, plot))
    screen.print(table(found))
    for line in [*notes, *[f"wrote {path}" for path in wrote]]:
        screen.print(line, highlight=False, markup=False)


def table(found: list[documents.Point]) -> Table:
    """Return a row for each point."""
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    shown.add_column("policy")
    for heading in ("K", "marked", "dropped", "of them\nACKs", "queue\nmean", "\nmost", "sojourn\nmean", "\np99"):
        shown.add_column(heading, justify="right")
    for each in found:
        shown.add_row(
            each["policy"],
            "-" if each["k_bytes"] is None else f"{each['k_bytes']:,} B",
            *(f"{number:,}" for number in (each["marked"], each["dropped"], each["dropped_acks"])),
            *(units.show_size(size) for size in (each["queue_mean_bytes"], each["queue_max_bytes"])),
            *(units.show_time(wait) for wait in (each["sojourn_mean_ns"], each["sojourn_p99_ns"])),
        )
    return shown
