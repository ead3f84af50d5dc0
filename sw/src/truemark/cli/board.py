# SPDX-License-Identifier: BSD-3-Clause
"""The commands for what a board is at, its clock, its pacers and its lock, and `serve`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, cast

import typer

from truemark import documents, units
from truemark.cli import output
from truemark.cli.device import Ports
from truemark.cli.output import DEVICE, AsJson, DeviceArgument, DeviceOption, say
from truemark.device import tables
from truemark.device.board import Board
from truemark.device.device import Device
from truemark.device.simulated import SimulatedDevice
from truemark.errors import TruemarkError
from truemark.link import remote

SPEED, RATE = "1", "10G"
# A simulated device with traffic, of `serve` and `web`.
EngineName = Annotated[
    str | None, typer.Option(help="of a simulated device: model, rtl, or netfpga, the registers of a pipeline's queues")
]
Play = Annotated[Path | None, typer.Option(help="capture that a simulated device is offered in real time")]
Loop = Annotated[bool, typer.Option("--loop", help="play it over and over")]
Speed = Annotated[str, typer.Option(help="play it this many times as fast")]
Rate = Annotated[str, typer.Option(help="of each port's line while a capture is played")]
To = Annotated[
    list[int] | None,
    typer.Option(help="port, or line of several queues, to play to; flows are spread over several [0]"),
]


def probe(address: DeviceArgument, as_json: AsJson = False) -> None:
    """Identify the device at an address, without writing to it."""
    target = output.device(address)
    with target.open(lock=False) as found:
        identity = found.identity()
    if as_json:
        answer: documents.Probe = {
            "device": output.about(target),
            "identity": cast("documents.Identity", asdict(identity)),
        }
        output.document("probe", answer)
        return
    where = "engine" if isinstance(target, SimulatedDevice) else "at"
    output.console.print(tables.identity_table(identity, found.name, where))
    say(target.notes)


def serve(
    address: DeviceArgument = DEVICE,
    host: Annotated[str, typer.Option(help="address to listen on; there is no password")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="TCP port; 0 for any that is free", min=0, max=65535)] = remote.PORT,
    engine: EngineName = None,
    play: Play = None,
    loop: Loop = False,
    speed: Speed = SPEED,
    rate: Rate = RATE,
    to: To = None,
    as_json: AsJson = False,
) -> None:
    """Serve a device over TCP until interrupted. A simulated device lives as long as its server."""
    check_played(play, loop, speed, rate, to)
    target = output.device(address)
    with served(target, engine, play, loop, speed, rate, to) as (registers, what):
        listen(registers, target, what, host, port, as_json)


def check_played(play: Path | None, loop: bool, speed: str, rate: str, to: list[int] | None) -> None:
    """Refuse options that say how a capture is played if none is."""
    given = {"--loop": loop, "--speed": speed != SPEED, "--rate": rate != RATE, "--to": bool(to)}
    if play is None and (idle := [name for name, is_given in given.items() if is_given]):
        raise TruemarkError(f"{idle[0]} says how a capture is played; name one: --play CAPTURE")


@contextmanager
def served(
    target: Board, engine: str | None, play: Path | None, loop: bool, speed: str, rate: str, to: list[int] | None
) -> Iterator[tuple[remote.Registers, str]]:
    """Yield the registers of a device while it lives, and what it is; a simulated one plays a capture."""
    if not isinstance(target, SimulatedDevice):
        if engine or play:
            raise TruemarkError(f"{target.address}: --engine and --play are for a simulated device")
        with closing(target.connect()) as transport:
            yield transport, target.address
        return
    simulated, registers, _ = target.boot(engine)
    with simulated:
        what = f"{target.address} (engine {simulated.name})"
        if play is None:
            yield simulated, what
            return
        from truemark.replay.session import parse_speed  # numpy takes a while to load
        from truemark.watch.player import Player

        lines = tuple(to or [0])
        registers.identity().check_lines(lines)
        with Player(simulated, play, units.parse_rate(rate), parse_speed(speed), loop, lines) as player:
            yield player, f"{what}, playing {play}"


def pace(
    rate: Annotated[
        str | None,
        typer.Argument(help="line rate, such as 10G; off: no pacing; without it, the rate is printed"),
    ] = None,
    address: DeviceOption = DEVICE,
    port: Ports = None,
    as_json: AsJson = False,
) -> None:
    """Release frames at the line's rate, so that the queue builds up here and not in the MAC's FIFO."""
    target = output.device(address)
    if rate is None:
        per_cycle, step = target.pace(port)
    else:
        per_cycle, step = target.set_pace(None if rate == "off" else units.parse_rate(rate), port)
    if as_json:
        found: documents.Pace = {
            "device": output.about(target),
            "ns_per_cycle": step,
            "ports": [
                {"port": number, "bytes_per_cycle": value, "rate_bit_per_s": value * 8e9 / step if value else None}
                for number, value in per_cycle.items()
            ],
        }
        output.document("pace", found)
        return
    for value in dict.fromkeys(per_cycle.values()):
        those = [number for number, other in per_cycle.items() if other == value]
        shown = f"{value:.6g} bytes per cycle, {value * 8 / step:.6g} Gbit/s at {step:.6g} ns" if value else "off"
        name = "port" if len(those) == 1 else "ports"
        output.console.print(f"{name} {tables.port_list(those)}: {shown}", highlight=False, soft_wrap=True)
    say(target.notes)


def clock(
    frequency: Annotated[str, typer.Argument(help="of the core, such as 200M")],
    address: DeviceOption = DEVICE,
    as_json: AsJson = False,
) -> None:
    """Set the frequency of a device's clock, by which it counts time and paces frames."""
    target = output.device(address)
    step = target.set_clock(units.parse_frequency(frequency))
    if as_json:
        found: documents.Clock = {"device": output.about(target), "ns_per_cycle": step}
        output.document("clock", found)
        return
    output.console.print(f"{step:.6g} ns per cycle", highlight=False)
    say(target.notes)


def unlock(address: DeviceArgument, as_json: AsJson = False) -> None:
    """Release the lock that a program which is gone left on a device."""
    target = output.device(address)
    holder = target.unlock()
    if as_json:
        found: documents.Unlock = {"device": output.about(target), "owner": holder or None}
        output.document("unlock", found)
        return
    output.console.print(f"taken from {holder}" if holder else "nobody had the lock", highlight=False)
    say(target.notes)


def listen(transport: remote.Registers, target: Board, what: str, host: str, port: int, as_json: bool) -> None:
    """Serve registers until interrupted or terminated."""
    from truemark.link.server import Server  # loaded where it is used

    Device(transport.read, transport.write).identity()
    try:
        server = Server(transport, host, port, simulated=target.simulated)
    except OSError as error:
        raise TruemarkError(f"tcp:{host}:{port}: cannot listen: {error.strerror}") from None
    with server, suppress(KeyboardInterrupt):
        where = f"tcp:{host}:{server.port}"
        if as_json:
            found: documents.Serve = {"device": output.about(target), "address": where}
            output.document("serve", found)
        else:
            output.console.print(f"{what} at {where}", highlight=False, soft_wrap=True)
        server.serve_forever()
