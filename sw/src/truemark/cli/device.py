# SPDX-License-Identifier: BSD-3-Clause
"""The commands that configure a device and look at it, simulated or not: apply, show, status, stats, snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from truemark import documents, units
from truemark.cli import output, tc
from truemark.cli.output import DEVICE, AsJson, DeviceOption, say
from truemark.cli.progress import progress
from truemark.device import tables
from truemark.device.board import Board
from truemark.device.device import HISTOGRAM_BINS, Count, Snapshot, bin_edges
from truemark.device.outcomes import ARRIVED, DEPARTED, LOST, MARKED, FrameClass
from truemark.device.simulated import BUILDS, SimulatedDevice
from truemark.errors import TruemarkError
from truemark.laws.policies import PortSettings

if TYPE_CHECKING:
    from truemark.laws.profile import Profile

Ports = Annotated[list[int] | None, typer.Option("--port", help="one port; without it, all")]


def amount(count: Count) -> documents.Amount:
    """Return packets and bytes as a document has them."""
    return {"packets": count.packets, "bytes": count.bytes}


def ports_of(settings: Iterable[PortSettings]) -> list[documents.Port]:
    """Return the configuration of all ports as a document has it."""
    return [{"port": port, "settings": each.facts() | {"enable": each.enable}} for port, each in enumerate(settings)]


def apply(
    source: Annotated[Path, typer.Argument(metavar="PROFILE.toml", help="the configuration")],
    device: DeviceOption = DEVICE,
    engine: Annotated[
        str | None,
        typer.Option(
            help="of a simulated device: model, rtl, both compared, or netfpga, the registers of a pipeline's queues"
        ),
    ] = None,
    build: Annotated[str | None, typer.Option(help="size of a simulated device: shallow or deep")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a profile and commit it to every port of a device; a simulated one remembers it."""
    if build not in (None, *BUILDS):
        raise TruemarkError(f"build '{build}' is unknown; there are shallow and deep")
    target = output.device(device)
    planned = target.apply(source, engine, build)
    remarks = [
        f"port {port}: {line}"
        for port, each in enumerate(planned)
        if each not in planned[:port]
        for line in each.warnings()
    ]
    settings = [each.settings for each in planned]
    if as_json:
        found: documents.Apply = {"device": output.about(target), "ports": ports_of(settings), "remarks": remarks}
        output.document("apply", found)
        return
    show_settings(settings)
    say([*remarks, f"applied to {len(planned)} ports of {target.place}"])


def show_settings(ports: list[PortSettings]) -> None:
    """Print the configuration of all ports: limits in one table, laws in others."""
    for table in [tables.settings_table(ports), *tables.law_tables(ports)]:
        output.console.print(table)


def show(
    device: DeviceOption = DEVICE,
    as_tc: Annotated[bool, typer.Option("--tc", help="as `tc -s qdisc show` prints it; with -j as `tc -s -j`")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a device is and how its ports are configured, as its registers say."""
    target = output.device(device)
    if as_tc:
        tc.show(target, None, as_json)
        return
    with target.open(looking=True) as found:
        there = found.configuration()
    if as_json:
        shown: documents.Show = {
            "device": output.about(target),
            "identity": cast("documents.Identity", asdict(there.identity)),
            "ports": ports_of(there.ports),
            "remarks": target.notes,
        }
        if there.queue_map is not None:
            shown["queues"] = cast("documents.Queues", there.queue_map.facts())
        output.document("show", shown)
        return
    where = "engine" if isinstance(target, SimulatedDevice) else "at"
    output.console.print(tables.identity_table(there.identity, found.name, where))
    show_settings(there.ports)
    if there.queue_map is not None:
        output.console.print(tables.queue_table(there.queue_map))
    say(target.notes)


def status(device: DeviceOption = DEVICE, port: Ports = None, as_json: AsJson = False) -> None:
    """Print what every port of a device holds and what became of its frames."""
    target = output.device(device)
    seen = target.look_at(port)
    settings, frozen, pool = seen.settings, seen.ports, seen.pool
    pauses = seen.pauses
    troubles = [*(tables.pool_remarks(pool) if pool else []), *(tables.pause_remarks(pauses) if pauses else [])]
    remarks = [*troubles, *target.notes]
    if as_json:
        found: documents.Status = {
            "device": output.about(target),
            "ports": [port_status(*each) for each in zip(settings, frozen, strict=True)],
            "remarks": remarks,
        }
        if pool:
            found["pool"] = cast("documents.Pool", asdict(pool))
        if pauses:
            found["pauses"] = cast("documents.Pauses", asdict(pauses))
        output.document("status", found)
        return
    output.console.print(tables.status_table(settings, frozen))
    if pool:
        output.console.print(tables.pool_table(pool, pauses))
    say(remarks)


def port_status(settings: PortSettings, frozen: Snapshot) -> documents.PortStatus:
    """Return a row of `status`."""
    return {
        "port": frozen.port,
        "policy": settings.policy,
        "held": amount(frozen.held),
        "most": amount(frozen.watermark),
        "arrived": frozen.total(*ARRIVED).packets,
        "marked": frozen.total(*MARKED).packets,
        "dropped": frozen.total(*LOST).packets,
        "departed": frozen.total(*DEPARTED).packets,
        "cut_short": frozen.cut_short,
    }


After = Annotated[Path | None, typer.Option("--after", help="capture to send through a simulated device first")]
PortNumber = Annotated[int, typer.Option(help="port")]
Rate = Annotated[str | None, typer.Option(help="rate of the port, if the profile has none")]
Speed = Annotated[str, typer.Option(help="offer the capture this many times as fast")]


def stats(
    after: After = None,
    device: DeviceOption = DEVICE,
    port: PortNumber = 0,
    rate: Rate = None,
    speed: Speed = "1",
    as_json: AsJson = False,
) -> None:
    """Print the counters of a port, by class and ECE flag; of a simulated device after a capture went through it."""
    target = output.device(device)
    settings, frozen = observe("stats", target, port, after, rate, speed)
    averages = tables.average_remarks(frozen, settings)
    if as_json:
        output.document("stats", counted(target, settings, frozen, [*averages, *target.notes]))
        return
    for table in tables.counters_tables(frozen):
        output.console.print(table)
    output.console.print(tables.histogram_table(frozen))
    say([*tables.counter_remarks(frozen), *averages, *target.notes])


def counted(target: Board, settings: PortSettings, frozen: Snapshot, remarks: list[str]) -> documents.Stats:
    """Return the document of `stats`."""
    return {
        "device": output.about(target),
        "port": frozen.port,
        "policy": settings.policy,
        "time_ns": frozen.time_ns,
        "counters": [
            {"outcome": code.name.lower(), "class": kind.name, "ece": bool(ece), **amount(count)}
            for (code, kind, ece), count in frozen.counters.items()
        ],
        "sojourn": [
            {"from_ns": bin_edges(index)[0], "below_ns": bin_edges(index)[1], "frames": frozen.histogram[index]}
            for index in range(HISTOGRAM_BINS)
        ],
        "held": amount(frozen.held),
        "most": amount(frozen.watermark),
        "longest_sojourn_ns": frozen.watermark_sojourn_ns,
        "bad": frozen.bad,
        "remarks": remarks,
    }


def snapshot(
    after: After = None,
    at: Annotated[str | None, typer.Option(help="instant of the replay at which to freeze, such as 5ms")] = None,
    device: DeviceOption = DEVICE,
    port: PortNumber = 0,
    rate: Rate = None,
    speed: Speed = "1",
    as_json: AsJson = False,
) -> None:
    """Freeze a port, now or in the middle of a capture, and print what its queue is made of."""
    target = output.device(device)
    settings, frozen = observe("snapshot", target, port, after, rate, speed, at)
    remarks = [*tables.average_remarks(frozen, settings), *target.notes]
    if as_json:
        found: documents.Snapshot = {
            "device": output.about(target),
            "port": port,
            "time_ns": frozen.time_ns,
            "held": amount(frozen.held),
            "classes": [
                {"class": kind.name, **amount(frozen.composition(kind))}
                for kind in FrameClass
                if frozen.composition(kind).packets
            ],
            "remarks": remarks,
        }
        output.document("snapshot", found)
        return
    output.console.print(tables.composition_table(frozen))
    say(remarks)


def observe(
    name: str, target: Board, port: int, after: Path | None, rate: str | None, speed: str, at: str | None = None
) -> tuple[PortSettings, Snapshot]:
    """Return the counters of a port as they are, or of a simulated device in the middle or at the end of a capture."""
    if not isinstance(target, SimulatedDevice):
        if after or at or rate or speed != "1":
            raise TruemarkError(f"{target.address}: --after, --at, --rate and --speed are for a simulated device")
        settings, frozen = target.snapshots([port])
        return settings[0], frozen[0]
    if after is None or (name == "snapshot" and at is None):
        wanted_options = "--after CAPTURE and --at TIME" if name == "snapshot" else "--after CAPTURE"
        raise TruemarkError(f"a simulated device has seen nothing yet: {name} needs {wanted_options}")
    from truemark.replay.capture import captured  # numpy takes a while to load
    from truemark.replay.session import Traffic, parse_speed, send

    instant = None if at is None else units.parse_time(at, "at")
    engine, registers, wanted = target.boot()
    with engine, progress(name) as tell, captured(after) as source:
        if (queues := registers.identity().queues) > 1:
            raise TruemarkError(f"{target.address}: {name} sends a capture through one queue; its lines have {queues}")
        registers.check_ports([port])
        drains = line_rate(target, wanted, rate, port)
        traffic = Traffic(source.path, drains, parse_speed(speed), port=port, where=source.where)
        configured = registers.settings(port)
        target.notes.append(f"SIMULATED device, in {target.folder}")
        return configured, send(engine, registers, configured, traffic, until_ns=instant, tell=tell)[1]


def line_rate(target: SimulatedDevice, wanted: Profile | None, rate: str | None, port: int) -> int:
    """Return the rate in bit/s at which a port drains: the one that was given, the port's own, or the profile's."""
    from truemark.laws.profile import port_table  # pydantic takes 0.2 s to load

    text = target.remembered().get("ports", {}).get(str(port))
    own = (port_table(text).rate if text else None) or (wanted.table(port).rate if wanted else None)
    if rate is None and own is None:
        raise TruemarkError(f'at which rate does port {port} drain? Give --rate 10G, or rate = "10G" in the profile')
    return units.parse_rate(rate) if rate else own or 0
