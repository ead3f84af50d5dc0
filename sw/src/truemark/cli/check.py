# SPDX-License-Identifier: BSD-3-Clause
"""`truemark check`: rules for a port of a device, or for a capture's replay; exit code 3 if one is broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import documents, units
from truemark.cli import output, traffic
from truemark.cli.output import AsJson
from truemark.device.device import Snapshot, bin_edges, bin_of
from truemark.device.outcomes import LOST, MARKED
from truemark.errors import CheckError, TruemarkError
from truemark.files import STDOUT, must_be_writable, must_spare, whole_file

if TYPE_CHECKING:
    from truemark.replay.summary import Summary

RULES = "Rules"
EXAMPLES = {
    "check": (
        "Examples:\n\n"
        "truemark check capture.pcap --k 30kB --load 0.9 --max-drops 0 --max-p99 100us\n\n"
        "truemark check --device nf:nf0 --port 2 --max-drops 0 --max-queue 100kB --junit queue.xml"
    )
}


@dataclass(frozen=True)
class Found:
    """What rules are held against."""

    drops: int
    p99_ns: int
    queue_bytes: int
    marks: int
    wrong: int


@dataclass(frozen=True)
class Rule:
    """A rule that was asked for, and what was found."""

    name: str
    limit: int
    found: int
    show: Callable[[int], str]

    @property
    def passed(self) -> bool:
        """Whether it holds."""
        return self.found >= self.limit if self.name.startswith("min-") else self.found <= self.limit

    @property
    def text(self) -> str:
        """Found and wanted."""
        bound = "least" if self.name.startswith("min-") else "most"
        return f"{self.show(self.found)}, at {bound} {self.show(self.limit)} wanted"


def replayed(summary: Summary) -> Found:
    """Return what a replay found."""
    total = summary.total
    p99 = int(total.sojourn_ns.get("p99", 0))
    return Found(total.dropped, p99, int(summary.queue["max_bytes"]), total.marked, summary.frames["refused"])


def counted(frozen: Snapshot) -> Found:
    """Return what a port's counters say; the histogram knows only that p99 lies below the end of its bin."""
    dropped = frozen.total(*LOST).packets
    index = bin_of(frozen.histogram, 0.99)
    p99 = 0 if index is None else bin_edges(index)[1] or frozen.watermark_sojourn_ns
    marks = frozen.total(*MARKED).packets
    return Found(dropped, p99, frozen.watermark.bytes, marks, sum(frozen.bad.values()))


def junit(path: Path, subject: str, rules: list[Rule]) -> None:
    """Write the rules as test cases, for a CI server."""
    from xml.etree import ElementTree  # loaded where it is used

    failures = str(sum(not rule.passed for rule in rules))
    suite = ElementTree.Element("testsuite", name="truemark check", tests=str(len(rules)), failures=failures)
    for rule in rules:
        case = ElementTree.SubElement(suite, "testcase", classname=subject, name=rule.name)
        if not rule.passed:
            ElementTree.SubElement(case, "failure", message=rule.text)
    with whole_file(path) as file:
        file.write(ElementTree.tostring(suite, encoding="unicode") + "\n")


def rule_option(text: str, least: int | None = None) -> typer.models.OptionInfo:
    """Return an option that is a rule; `least` is the least number that it may be."""
    found: typer.models.OptionInfo = typer.Option(help=text, min=least, rich_help_panel=RULES)
    return found


def check(
    capture: Annotated[
        Path | None,
        typer.Argument(metavar="[CAPTURE]", help="replayed under the options below; without it a --device is checked"),
    ] = None,
    device: Annotated[str | None, typer.Option(help="a device whose port is checked as it is")] = None,
    port: Annotated[int | None, typer.Option(help="port of the device; without it, 0")] = None,
    max_drops: Annotated[int | None, rule_option("frames dropped, early, at the limit or at the head", 0)] = None,
    max_p99: Annotated[str | None, rule_option("wait that 99 % of the frames do not exceed, such as 100us")] = None,
    max_queue: Annotated[str | None, rule_option("most bytes held at any time, such as 100kB")] = None,
    min_marks: Annotated[int | None, rule_option("frames marked here", 0)] = None,
    max_wrong: Annotated[int | None, rule_option("malformed frames: runts, too long, broken", 0)] = None,
    junit_out: Annotated[
        Path | None,
        typer.Option("--junit", help="file for the rules and results, as JUnit XML", rich_help_panel=traffic.OUTPUT),
    ] = None,
    policy: traffic.Policy = None,
    k: traffic.Threshold = None,
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
    as_json: AsJson = False,
) -> None:
    """Check a port of a device, or a capture's replay, against rules.

    Ends with exit code 3 if a rule is broken, and names it.
    """
    laws = traffic.written(locals())
    limits = {
        "max-drops": max_drops,
        "max-p99": None if max_p99 is None else units.parse_time(max_p99, "max-p99"),
        "max-queue": None if max_queue is None else most_bytes(max_queue, capture, laws, profile),
        "min-marks": min_marks,
        "max-wrong": max_wrong,
    }
    wanted = {name: limit for name, limit in limits.items() if limit is not None}
    if not wanted:
        raise TruemarkError(f"nothing to check: give at least one of {', '.join(f'--{name}' for name in limits)}")
    if (capture is None) == (device is None):
        raise TruemarkError("check a CAPTURE, or a --device: give one of them")
    if capture is not None and port is not None:
        raise TruemarkError("--port is of a --device; a CAPTURE goes through one port, which the options make")
    if as_json and junit_out == STDOUT:
        raise TruemarkError("--json and --junit - both want stdout; give --junit a file")
    port = port or 0
    must_be_writable(junit_out)
    if capture is not None:
        must_spare(capture, junit_out)
        subject, notes, found = replay(capture, laws, profile, traffic.Pace(speed, load), engine)
    else:
        if profile or engine or load or speed != "1" or any(value is not None for value in laws.values()):
            raise TruemarkError("a device is checked as it is: policy and traffic are options for a CAPTURE")
        target = output.board(device or "")  # a simulated one starts empty in every command: all rules would hold
        _, frozen = target.snapshots([port])
        subject, notes, found = f"{device} port {port}", target.notes, counted(frozen[0])
        if "max-p99" in wanted:
            notes = [*notes, "p99 is the end of the histogram's bin: up to twice what it was"]
    values = [found.drops, found.p99_ns, found.queue_bytes, found.marks, found.wrong]
    shows: list[Callable[[int], str]] = [str, units.show_time, lambda value: f"{value} B", str, str]
    rules = [
        Rule(name, wanted[name], value, show)
        for name, value, show in zip(limits, values, shows, strict=True)
        if name in wanted
    ]
    if junit_out:
        junit(junit_out, subject, rules)
    if as_json:
        output.document("check", as_document(subject, rules, notes))
    else:
        screen = output.talk(junit_out == STDOUT)
        screen.print(rule_table(subject, rules))
        for line in notes:
            screen.print(line, highlight=False, markup=False)
    if broken := [f"{rule.name}: {rule.text}" for rule in rules if not rule.passed]:
        raise CheckError(f"{subject}: {'; '.join(broken)}")


def most_bytes(text: str, capture: Path | None, laws: dict[str, Any], profile: Path | None) -> int:
    """Return the bytes of --max-queue: a time, or a number of packets, is a size at a port that is replayed."""
    size = units.read_size(text, "max-queue")
    if size.unit == "B":
        return size.to_bytes("max-queue")
    if capture is None:
        raise TruemarkError(f"max-queue '{text}': of a device bytes are wanted, such as 30kB")
    port = traffic.laid(laws, profile)
    return size.to_bytes("max-queue", port.rate, port.packet)


def replay(
    capture: Path, laws: dict[str, Any], profile: Path | None, pace: traffic.Pace, engine: str | None
) -> tuple[str, list[str], Found]:
    """Replay a capture for its figures."""
    from truemark.replay.capture import captured
    from truemark.replay.report import never_reached

    planned = traffic.planned_port(laws, profile)
    assert planned.rate is not None
    with captured(capture) as source:
        run, notes = traffic.run(planned, engine, pace.of(source, planned.rate))
        return source.path.name, [*never_reached(run.summary), *notes], replayed(run.summary)


def as_document(subject: str, rules: list[Rule], remarks: list[str]) -> documents.Check:
    """Return the document."""
    return {
        "subject": subject,
        "passed": all(rule.passed for rule in rules),
        "rules": [
            {"rule": rule.name, "limit": rule.limit, "found": rule.found, "passed": rule.passed} for rule in rules
        ],
        "remarks": remarks,
    }


def rule_table(subject: str, rules: list[Rule]) -> Table:
    """Return a row for each rule."""
    table = Table(title=subject, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("rule", "wanted", "found", ""):
        table.add_column(heading, justify="right" if heading in ("wanted", "found") else "left")
    for rule in rules:
        table.add_row(
            rule.name, rule.show(rule.limit), rule.show(rule.found), "holds" if rule.passed else "[red]broken[/]"
        )
    return table
