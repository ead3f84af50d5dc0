# SPDX-License-Identifier: BSD-3-Clause
"""`truemark tc`: a port configured and shown by lines of tc."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from truemark.cli import output
from truemark.cli.output import DEVICE, DeviceOption, say
from truemark.device import tc_show
from truemark.device.board import Board
from truemark.plan import tc_lines

EXAMPLES = (
    "Examples:\n\n"
    "truemark tc 'qdisc replace dev tm0 root red limit 300000 min 30000 max 90000 avpkt 1500 burst 55 ecn bandwidth "
    "10gbit'\n\n"
    "truemark tc 'qdisc replace dev tm1 root codel target 100us interval 2ms ecn' --device nf:nf0\n\n"
    "truemark tc -s -j qdisc show dev tm0"
)


def tc(
    context: typer.Context,
    device: DeviceOption = DEVICE,
    as_json: Annotated[bool, typer.Option("--json", "-j", help="show as tc -j prints it")] = False,
) -> None:
    """Configure or show ports by tc's lines: tm0 is port 0; red, codel, pfifo, bfifo. Refusals are tc's."""
    line = tc_lines.split(list(context.args))
    target = output.device(device)
    if line.verb == "show":
        show(target, line.dev, as_json)
        return
    with target.open(lock=False) as found:
        identity = found.identity()
    port = tc_lines.port_of(line.dev, identity.ports)
    profile, notes = tc_lines.profile(line, identity.capabilities["red_linux"])
    target.apply_port(port, profile)
    say([f"- {note}" for note in notes])
    where = f"a SIMULATED device; remembered in {device}" if target.simulated else device
    say([f"applied to port {port} of {where}"])


def show(target: Board, dev: str | None, as_json: bool) -> None:
    """Print ports as `tc -s qdisc show` does, or `tc -s -j`."""
    with target.open(lock=False) as device:
        identity = device.identity()
    ports = None if dev is None else [tc_lines.port_of(dev, identity.ports)]
    settings, frozen = target.snapshots(ports)
    found = [tc_show.qdisc(each, counts, identity.limits) for each, counts in zip(settings, frozen, strict=True)]
    output.raw(json.dumps(found) if as_json else "\n".join(map(tc_show.text, found)))
