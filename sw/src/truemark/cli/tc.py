# SPDX-License-Identifier: BSD-3-Clause
"""`truemark tc`: a port configured and shown by lines of tc."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from typing import Annotated, Any

import typer

from truemark.cli import output
from truemark.cli.output import DEVICE, DeviceOption, say
from truemark.device import tc_show
from truemark.device.board import Board, Change, those
from truemark.device.device import Identity
from truemark.errors import TruemarkError
from truemark.laws.shape import Shape
from truemark.plan import tc_ets, tc_lines, tc_printed, tc_tbf

# What is not an option of ours is a word of tc's line.
CONTEXT = {"ignore_unknown_options": True, "allow_extra_args": True}
EXAMPLES = {
    "tc": (
        "Examples:\n\n"
        "truemark tc 'qdisc replace dev tm0 root red limit 300000 min 30000 max 90000 avpkt 1500 burst 55 ecn "
        "bandwidth 10gbit'\n\n"
        "truemark tc 'qdisc replace dev tm1 root codel target 100us interval 2ms ecn' --device nf:nf0\n\n"
        "truemark tc 'qdisc replace dev tm2 root tbf rate 1gbit burst 20kb latency 5ms'\n\n"
        "truemark tc -s -j qdisc show dev tm0\n\n"
        "tc -d -j qdisc show dev eth0 | truemark tc - dev tm0"
    )
}


def tc(
    context: typer.Context,
    device: DeviceOption = DEVICE,
    as_json: Annotated[bool, typer.Option("--json", "-j", help="show as tc -j prints it")] = False,
) -> None:
    """Configure or show ports in tc's words, or from what tc -d -j printed (-); tm0 is port 0.

    red, codel, pfifo and bfifo are known, tbf where ports can be held to a rate, and ets where a line has several
    queues. Refusals are tc's.
    """
    words, target = list(context.args), output.device(device)
    if words and (words[0] == "-" or words[0].startswith("[")):
        lines, said = tc_printed.lines(sys.stdin.read() if words[0] == "-" else words[0], words[1:])
        configure(target, lines)
        say([f"- {note}" for note in said])
    elif (line := tc_lines.split(words)).verb == "show":
        show(target, line.dev, as_json, any(re.fullmatch("-[a-z]*d[a-z]*", word) for word in words))
    else:
        configure(target, [line])


def configure(target: Board, lines: list[tc_lines.Line]) -> None:
    """Commit a line to each port that it names, if all of them can be."""
    identity = target.identity()
    if [line.kind for line in lines] == [tc_lines.ETS]:
        # Without ets all queues of a line are strict; what else they are stays.
        bands = ["strict", "1"] if lines[0].verb == "delete" else list(lines[0].words)
        turns = tc_ets.turns(bands, tc_lines.port_of(lines[0].dev, identity.ports), identity.queues)
        target.apply_turns(turns)
        say([f"applied to ports {min(turns)} to {max(turns)} of {target.place}"])
        return
    changes: dict[int, Change] = {}
    notes: dict[int, list[str]] = {}
    for line in lines:
        port = tc_lines.port_of(line.dev, identity.ports)
        changes[port], said = changed(changes.get(port, Change()), line, port, identity)
        notes[port] = notes.get(port, []) + said
    before = target.apply_ports(changes)
    for port, change in changes.items():
        rate = about_rate(change, port, before[port].rate_of_line(identity.queues))
        what = "the line of port" if change.profile is None and identity.queues > 1 else "port"
        say([*(f"- {note}" for note in [*notes[port], *rate]), f"applied to {what} {port} of {target.place}"])


def changed(change: Change, line: tc_lines.Line, port: int, identity: Identity) -> tuple[Change, list[str]]:
    """Return what a port is to have with one more line, and what there is to say of that."""
    root = line.verb == "delete" and line.kind != tc_lines.TBF and not line.parent  # and all that is below it
    if line.kind == tc_lines.TBF:
        tc_tbf.check_place(port, identity.queues, line)
        shape, said = (None, []) if line.verb == "delete" else tc_tbf.shape(list(line.words))
        more, there = replace(change, shape=shape), change.shape != "stays"
    else:
        profile, said = tc_lines.profile(line, identity.capabilities["red_linux"])
        more, there = replace(change, profile=profile, parent=line.parent), change.profile is not None
    if there or (more.profile is not None and isinstance(more.shape, Shape) and not more.parent):
        raise TruemarkError(f"{line.kind} of {line.dev}: another qdisc is in its place already")
    named = line.kind if line.typed == "change" or line.verb == "delete" else None
    more = replace(more, there=named, free=line.typed == "add")
    return replace(more, shape=None) if root else more, said


def about_rate(change: Change, port: int, rate: Shape | None) -> list[str]:
    """Say what becomes of the rate that was in force, where the line does not."""
    if rate is None or change.parent or isinstance(change.shape, Shape):
        return []
    if change.shape is None:
        return [f"tbf is gone: rate {rate.title}"]
    return [f"tbf stays above it: rate {rate.title}; tc qdisc del dev tm{port} root tbf takes it off"]


def show(target: Board, dev: str | None, as_json: bool, details: bool = False) -> None:
    """Print ports as `tc -s qdisc show` does, or `tc -s -j`; `details` is `-d`. Remarks go to stderr."""
    identity = target.identity()
    ports = None if dev is None else [tc_lines.port_of(dev, identity.ports)]
    settings, frozen = target.snapshots(ports)
    found: list[dict[str, Any]] = []
    lost: dict[str, list[int]] = {}
    for each, counts in zip(settings, frozen, strict=True):
        found += tc_show.qdiscs(each, counts, identity.limits, details, named=dev is None)
        for what in tc_show.not_kept(each, identity.limits):
            lost.setdefault(what, []).append(counts.port)
    output.raw(json.dumps(found) if as_json else "\n".join(map(tc_show.text, found)))
    output.aside([*(f"{those(among)}: not kept: {what}" for what, among in lost.items()), *target.notes])
