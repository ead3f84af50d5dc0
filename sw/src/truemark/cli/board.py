# SPDX-License-Identifier: BSD-3-Clause
"""The commands that only a device behind a transport has, and `serve`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from truemark import units
from truemark.cli import output
from truemark.cli.output import DEVICE, DeviceArgument, DeviceOption, board
from truemark.cli.output import device as find
from truemark.device import tables
from truemark.device.device import Device
from truemark.device.simulated import SimulatedDevice
from truemark.errors import TruemarkError
from truemark.link import remote
from truemark.link.remote import Server
from truemark.link.transport import open_transport

Ports = Annotated[list[int] | None, typer.Option("--port", help="port; all, if none is given")]


def probe(address: DeviceArgument) -> None:
    """Say what is at an address. Nothing is written."""
    with board(address).open(lock=False) as found:
        identity = found.identity()
    output.console.print(tables.identity_table(identity, address, "at"))


def status(address: DeviceOption, port: Ports = None) -> None:
    """Print what every port of a device holds now and what has become of its frames."""
    output.console.print(tables.status_table(*board(address).snapshots(port)))


def serve(
    address: DeviceArgument = DEVICE,
    host: Annotated[str, typer.Option(help="address to listen on; there is no password")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="TCP port; 0 for any that is free", min=0, max=65535)] = remote.PORT,
    engine: Annotated[
        str | None,
        typer.Option(help="of a simulated device: model, rtl, or netfpga, the registers of a pipeline's queues"),
    ] = None,
    play: Annotated[Path | None, typer.Option(help="capture that a simulated device is offered in real time")] = None,
    loop: Annotated[bool, typer.Option("--loop", help="play it over and over")] = False,
    speed: Annotated[str, typer.Option(help="play it this many times as fast")] = "1",
    rate: Annotated[str, typer.Option(help="of each port's line while a capture is played")] = "10G",
    to: Annotated[list[int] | None, typer.Option(help="port to play to; flows are spread over several [0]")] = None,
) -> None:
    """Put a TCP server in front of a device, until it is interrupted. A simulated one lives as long as that."""
    found = find(address)
    if isinstance(found, SimulatedDevice):
        simulated, registers, _ = found.open(engine)
        what = f"{address} (engine {simulated.name})"
        if play is None:
            listen(simulated, what, host, port)
            return
        from truemark.replay.session import parse_speed  # numpy takes a while to load
        from truemark.watch.player import Player

        ports = tuple(to or [0])
        registers.check_ports(ports)
        with Player(simulated, play, units.parse_rate(rate), parse_speed(speed), loop, ports) as player:
            listen(player, f"{what}, playing {play}", host, port)
        return
    if engine or play:
        raise TruemarkError(f"{address}: --engine and --play are for a simulated device")
    listen(open_transport(address), address, host, port)


def pace(
    address: DeviceOption,
    rate: Annotated[
        str | None,
        typer.Argument(help="of the line, such as 10G; off: as fast as the stream goes; none: say what it is"),
    ] = None,
    port: Ports = None,
) -> None:
    """Let ports release frames at the line's rate, so that the queue stands here and not in the MAC's FIFO."""
    if rate is None:
        per_cycle, step = board(address).pace(port)
    else:
        per_cycle, step = board(address).set_pace(None if rate == "off" else units.parse_rate(rate), port)
    for value in dict.fromkeys(per_cycle.values()):
        those = [number for number, other in per_cycle.items() if other == value]
        shown = f"{value:.6g} bytes per cycle, {value * 8 / step:.6g} Gbit/s at {step:.6g} ns" if value else "off"
        name = "port" if len(those) == 1 else "ports"
        output.console.print(f"{name} {tables.port_list(those)}: {shown}", highlight=False, soft_wrap=True)


def clock(frequency: Annotated[str, typer.Argument(help="of the core, such as 200M")], address: DeviceOption) -> None:
    """Tell a device the frequency of its clock: times and pacers count by it."""
    step = board(address).set_clock(units.parse_frequency(frequency))
    output.console.print(f"{step:.6g} ns per cycle", highlight=False)


def unlock(address: DeviceArgument) -> None:
    """Take a device's lock from a program that is gone."""
    holder = board(address).unlock()
    output.console.print(f"taken from {holder}" if holder else "nobody had the lock", highlight=False)


def listen(transport: remote.Registers, what: str, host: str, port: int) -> None:
    """Serve registers until interrupted or terminated."""
    Device(transport.read, transport.write).identity()
    try:
        server = Server(transport, host, port)
    except OSError as error:
        raise TruemarkError(f"tcp:{host}:{port}: cannot listen: {error.strerror}") from None
    with server, suppress(KeyboardInterrupt):
        output.console.print(f"{what} at tcp:{host}:{server.port}", highlight=False, soft_wrap=True)
        server.serve_forever()


COMMANDS = (probe, status, serve, pace, clock, unlock)
