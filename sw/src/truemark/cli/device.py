# SPDX-License-Identifier: BSD-3-Clause
"""The commands that configure a device and look at it, a simulated one as well: apply, show, stats, snapshot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from truemark import units
from truemark.cli import output
from truemark.cli.output import DEVICE, DeviceOption, say, say_simulated
from truemark.cli.output import device as find
from truemark.cli.progress import progress
from truemark.device import tables
from truemark.device.board import Board
from truemark.device.device import Snapshot
from truemark.errors import TruemarkError
from truemark.laws.policies import PortSettings

if TYPE_CHECKING:
    from truemark.laws.profile import Profile


def apply(
    source: Annotated[Path, typer.Argument(metavar="PROFILE.toml", help="the configuration")],
    device: DeviceOption = DEVICE,
    engine: Annotated[str, typer.Option(help="of a simulated device: rtl, model, or both compared")] = "model",
    build: Annotated[str, typer.Option(help="size of a simulated device: shallow or deep")] = "shallow",
) -> None:
    """Check a profile and commit it to every port of a device; a simulated one remembers it."""
    if build not in ("shallow", "deep"):
        raise TruemarkError(f"build '{build}' is unknown; there are shallow and deep")
    target = find(device)
    planned = target.apply(source) if isinstance(target, Board) else target.apply(source, engine, build)
    show_settings([each.settings for each in planned])
    for port, each in enumerate(planned):
        if each not in planned[:port]:
            say(f"port {port}: {line}" for line in each.warnings())
    where = device if isinstance(target, Board) else f"a SIMULATED device; remembered in {target.folder}"
    say([f"applied to {len(planned)} ports of {where}"])


def show_settings(ports: list[PortSettings]) -> None:
    """The configuration of all ports: limits in one table, laws in others."""
    for table in [tables.settings_table(ports), *tables.law_tables(ports)]:
        output.console.print(table)


def show(device: DeviceOption = DEVICE) -> None:
    """Show what the device is and how its ports are configured, read back from its registers."""
    target = find(device)
    if isinstance(target, Board):
        with target.open() as found:
            identity = found.identity()
            settings = [found.settings(port) for port in range(identity.ports)]
        output.console.print(tables.identity_table(identity, device, "at"))
        show_settings(settings)
        return
    engine, registers, wanted = target.open()
    with engine:
        identity = registers.identity()
        output.console.print(tables.identity_table(identity, f"SIMULATED by {engine.name}"))
        show_settings([registers.settings(port) for port in range(identity.ports)])
        if wanted is None:
            say([f"no profile has been applied in {target.folder}: this is a device fresh from reset"])


After = Annotated[Path | None, typer.Option("--after", help="capture to send through a simulated device first")]
PortNumber = Annotated[int, typer.Option(help="port")]
Rate = Annotated[str | None, typer.Option(help="rate of the port, if the profile has none")]
Speed = Annotated[str, typer.Option(help="offer the capture this many times as fast")]


def stats(
    after: After = None, device: DeviceOption = DEVICE, port: PortNumber = 0, rate: Rate = None, speed: Speed = "1"
) -> None:
    """Print the counters of a port, by class and ECE flag; of a simulated device after a capture went through it."""
    settings, frozen = observe("stats", device, port, after, rate, speed)
    for table in tables.counters_tables(frozen):
        output.console.print(table)
    output.console.print(tables.histogram_table(frozen))
    say([*tables.counter_remarks(frozen), *tables.average_remarks(frozen, settings)])
    say_simulated(find(device))


def snapshot(
    after: After = None,
    at: Annotated[str | None, typer.Option(help="instant of the replay at which to freeze, such as 5ms")] = None,
    device: DeviceOption = DEVICE,
    port: PortNumber = 0,
    rate: Rate = None,
    speed: Speed = "1",
) -> None:
    """Freeze a port, now or in the middle of a capture, and print what its queue is made of."""
    settings, frozen = observe("snapshot", device, port, after, rate, speed, at)
    output.console.print(tables.composition_table(frozen))
    say(tables.average_remarks(frozen, settings))
    say_simulated(find(device))


def observe(
    name: str, device: str, port: int, after: Path | None, rate: str | None, speed: str, at: str | None = None
) -> tuple[PortSettings, Snapshot]:
    """The counters of a port as they are, or of a simulated device in the middle or at the end of a capture."""
    target = find(device)
    if isinstance(target, Board):
        if after or at or rate or speed != "1":
            raise TruemarkError(f"{device}: --after, --at, --rate and --speed are for a simulated device")
        settings, frozen = target.snapshots([port])
        return settings[0], frozen[0]
    if after is None or (name == "snapshot" and at is None):
        wanted_options = "--after CAPTURE and --at TIME" if name == "snapshot" else "--after CAPTURE"
        raise TruemarkError(f"a simulated device has seen nothing yet: {name} needs {wanted_options}")
    from truemark.replay.session import Traffic, parse_speed, send  # numpy takes a while to load

    instant = None if at is None else units.parse_time(at, "at")
    engine, registers, wanted = target.open()
    with engine, progress(name) as tell:
        registers.check_ports([port])
        traffic = Traffic(after, line_rate(wanted, rate, port), parse_speed(speed), port=port)
        configured = registers.settings(port)
        return configured, send(engine, registers, configured, traffic, until_ns=instant, tell=tell)[1]


def line_rate(wanted: Profile | None, rate: str | None, port: int) -> int:
    """The rate in bit/s at which a port drains: the one that was given, or the profile's."""
    own = wanted.table(port).rate if wanted else None
    if rate is None and own is None:
        raise TruemarkError(f'at which rate does port {port} drain? Give --rate 10G, or rate = "10G" in the profile')
    return units.parse_rate(rate) if rate else own or 0
