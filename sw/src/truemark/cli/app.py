# SPDX-License-Identifier: BSD-3-Clause
"""The command `truemark`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from truemark import demo as demonstration
from truemark import units
from truemark.cli import board as board_cli
from truemark.cli import lab
from truemark.cli import plan as plan_cli
from truemark.cli import replay_settings as wish
from truemark.cli.board import DEVICE, DeviceOption
from truemark.cli.progress import progress
from truemark.device import tables as show
from truemark.device.board import Board
from truemark.device.device import Snapshot
from truemark.errors import TruemarkError
from truemark.laws import policies
from truemark.laws import remarks as cautions
from truemark.replay import report
from truemark.replay.pictures import plot_run
from truemark.replay.session import DEFAULT_RTT, Traffic, parse_speed, replay_capture, send

app = typer.Typer(
    help="Truemark: mark ECN-capable packets at one byte threshold. Configure a device, look at it, replay captures.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console()

app.add_typer(plan_cli.app, name="plan")
app.add_typer(lab.app, name="lab")
PROTECTIONS = ", ".join(policies.ANY)


def write_json(path: Path, content: object) -> None:
    """Write JSON; the file appears under its name only when it is complete."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(content, indent=2) + "\n")
    except OSError as error:
        raise TruemarkError(f"{path}: cannot be written: {error.strerror}") from None
    part.replace(path)


@app.command()
def replay(
    capture: Annotated[Path, typer.Argument(help="pcap or pcapng of Ethernet frames, may be gzipped")],
    policy: Annotated[str | None, typer.Option(help=f"one of {', '.join(policies.TABLE)}; true-mark if none")] = None,
    profile_in: Annotated[Path | None, typer.Option("--profile", help="profile of the port, as `plan` writes")] = None,
    protect: Annotated[str | None, typer.Option(help=f"Not-ECT frames a signal passes over: {PROTECTIONS}")] = None,
    target_delay: Annotated[str | None, typer.Option(help="policy red: auto-RED (`plan red`) for this delay")] = None,
    weight: Annotated[str | None, typer.Option(help="of auto-RED: W (0 to 24), 0.002, or ns2")] = None,
    codel: Annotated[str | None, typer.Option(help="policy codel: target/interval, such as 500us/20ms")] = None,
    k: Annotated[str | None, typer.Option("--k", help="marking threshold: 30kB, 29KiB, 20pkt, 24us")] = None,
    rate: Annotated[str | None, typer.Option(help="rate at which the port drains; 10G, or the profile's")] = None,
    buffer: Annotated[str | None, typer.Option(help=f"limit: {', '.join(policies.BUFFERS)}, or a size")] = None,
    engine: Annotated[str, typer.Option(help="rtl, model, or both compared")] = "rtl",
    speed: Annotated[str, typer.Option(help="offer the capture this many times as fast as it was taken")] = "1",
    load: Annotated[float | None, typer.Option(help="choose the speed so that the mean load is this share")] = None,
    packet: Annotated[int | None, typer.Option(help="bytes of a packet, for sizes in packets")] = None,
    rtt: Annotated[str, typer.Option(help="round-trip time for the rule C*RTT/7")] = DEFAULT_RTT,
    out: Annotated[Path | None, typer.Option(help="capture of what left the port")] = None,
    json_out: Annotated[Path | None, typer.Option("--json", help="the numbers as JSON")] = None,
    plots: Annotated[Path | None, typer.Option(help="folder for the pictures")] = None,
) -> None:
    """Send a capture through one port of a device and say what became of each class of packets.

    Every frame is offered at its timestamp; the port drains at RATE, a frame taking its length plus 24 bytes of line
    time (preamble, FCS, gap). Open loop: senders in a capture cannot react.
    """
    wishes = {
        "policy": policy,
        "protect": protect,
        "k": k,
        "rate": rate,
        "buffer": buffer,
        "packet": packet,
        "target_delay": target_delay,
        "weight": weight,
        "codel": codel,
    }
    settings, drain, mean_packet = wish.settings(wishes, profile_in)
    if load is not None and (load <= 0 or speed != "1"):
        raise TruemarkError("--load is a share above 0 and takes the place of --speed; give one of the two")
    traffic = Traffic(capture, drain, parse_speed(speed), load, rtt_ns=units.parse_time(rtt, "rtt"))
    with progress(f"{settings.policy} ({engine})") as tell:
        run = replay_capture(engine, settings, traffic, out, tell)
    console.print(report.table(run.summary))
    for line in [*report.remarks(run.summary), *cautions.of(settings, drain, mean_packet)]:
        console.print(line, highlight=False, markup=False)
    if json_out:
        write_json(json_out, run.summary.to_json())
    written = [path for path in (out, json_out) if path] + (plot_run(run, plots) if plots else [])
    for path in written:
        console.print(f"wrote {path}", highlight=False)


@app.command()
def apply(
    source: Annotated[Path, typer.Argument(metavar="PROFILE.toml", help="the configuration")],
    device: DeviceOption = DEVICE,
    engine: Annotated[str, typer.Option(help="of a simulated device: rtl, model, or both compared")] = "model",
    build: Annotated[str, typer.Option(help="size of a simulated device: shallow or deep")] = "shallow",
) -> None:
    """Check a profile and commit it to every port of a device; a simulated one remembers it."""
    if build not in ("shallow", "deep"):
        raise TruemarkError(f"build '{build}' is unknown; there are shallow and deep")
    target = board_cli.device(device)
    planned, wanted = target.apply(source) if isinstance(target, Board) else target.apply(source, engine, build)
    show_settings(planned)
    for port, settings in enumerate(planned):
        if settings not in planned[:port]:
            for line in cautions.of(settings, wanted.rate_of(port), wanted.mean_packet_of(port)):
                console.print(f"port {port}: {line}", highlight=False, markup=False)
    remembered = "" if isinstance(target, Board) else f"; remembered in {target.folder}"
    console.print(f"applied to {len(planned)} ports{remembered}", highlight=False)


def show_settings(ports: list[policies.PortSettings]) -> None:
    """The configuration of all ports: limits in one table, laws in others."""
    for table in (show.settings_table(ports), show.red_table(ports), show.codel_table(ports)):
        if table.row_count:
            console.print(table)


@app.command("show")
def show_device(device: DeviceOption = DEVICE) -> None:
    """Show what the device is and how its ports are configured, read back from its registers."""
    target = board_cli.device(device)
    if isinstance(target, Board):
        with target.open() as found:
            identity = found.identity()
            settings = [found.settings(port) for port in range(identity.ports)]
        console.print(show.identity_table(identity, device, "at"))
        show_settings(settings)
        return
    engine, registers, wanted = target.open()
    with engine:
        identity = registers.identity()
        console.print(show.identity_table(identity, engine.name))
        show_settings([registers.settings(port) for port in range(identity.ports)])
        if wanted is None:
            console.print(
                f"no profile has been applied in {target.folder}: this is a device fresh from reset", highlight=False
            )


After = Annotated[Path | None, typer.Option("--after", help="capture to send through a simulated device first")]
PortNumber = Annotated[int, typer.Option(help="port", min=0, max=15)]
Rate = Annotated[str | None, typer.Option(help="rate of the port, if the profile has none")]
Speed = Annotated[str, typer.Option(help="offer the capture this many times as fast")]


@app.command()
def stats(
    after: After = None, device: DeviceOption = DEVICE, port: PortNumber = 0, rate: Rate = None, speed: Speed = "1"
) -> None:
    """Print the counters of a port, by class and ECE flag; of a simulated device after a capture went through it."""
    settings, frozen = observe("stats", device, port, after, rate, speed)
    for table in show.counters_tables(frozen):
        console.print(table)
    console.print(show.histogram_table(frozen))
    for line in [*show.counter_remarks(frozen), *show.average_remarks(frozen, settings)]:
        console.print(line, highlight=False, markup=False)


@app.command()
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
    console.print(show.composition_table(frozen))
    for line in show.average_remarks(frozen, settings):
        console.print(line, highlight=False, markup=False)


def observe(
    name: str, device: str, port: int, after: Path | None, rate: str | None, speed: str, at: str | None = None
) -> tuple[policies.PortSettings, Snapshot]:
    """The counters of a port as they are, or of a simulated device in the middle or at the end of a capture."""
    target = board_cli.device(device)
    if isinstance(target, Board):
        if after or at or rate or speed != "1":
            raise TruemarkError(f"{device}: --after, --at, --rate and --speed are for a simulated device")
        settings, frozen = target.snapshots([port])
        return settings[0], frozen[0]
    if after is None or (name == "snapshot" and at is None):
        wanted_options = "--after CAPTURE and --at TIME" if name == "snapshot" else "--after CAPTURE"
        raise TruemarkError(f"a simulated device has seen nothing yet: {name} needs {wanted_options}")
    instant = None if at is None else units.parse_time(at, "at")
    engine, registers, wanted = target.open()
    with engine, progress(name) as tell:
        traffic = target.traffic(wanted, after, rate, speed, port)
        configured = registers.settings(port)
        return configured, send(engine, registers, configured, traffic, until_ns=instant, tell=tell)[1]


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="folder for pictures, numbers and the page")] = Path("build/demo"),
    engine: Annotated[str, typer.Option(help="rtl (compared with the model at the end), model or both")] = "rtl",
    closed_loop: Annotated[str, typer.Option(help="the network lab's page, for a link: seen from the folder")] = "",
) -> None:
    """Replay a capture of real Linux TCP against droptail and true-mark and show the difference."""
    demonstration.demonstrate(output, engine, console, closed_loop)


for command in board_cli.COMMANDS:
    app.command()(command)


def main() -> None:
    """Run the command; what the user can put right is one line on stderr and exit code 1."""
    try:
        app()
    except TruemarkError as error:
        Console(stderr=True).print(f"[bold red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        sys.exit(1)
