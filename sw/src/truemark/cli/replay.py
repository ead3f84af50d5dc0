# SPDX-License-Identifier: BSD-3-Clause
"""The commands that send captures through a port: replay and demo."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from truemark import units
from truemark.cli import output
from truemark.cli.progress import progress
from truemark.device.engine import default_engine
from truemark.errors import TruemarkError
from truemark.files import STDOUT, folder_for, whole_file
from truemark.laws import policies

if TYPE_CHECKING:
    from truemark.laws.port import Port

PROTECTIONS = ", ".join(policies.ANY)
RATE = "10G"
DEFAULTS = {"policy": "true-mark", "rate": RATE, "buffer": "shallow"}
DEFAULT_RTT = "100us"
MOST_LOAD = 10


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
    engine: Annotated[str | None, typer.Option(help="rtl, model, or both compared; rtl if it is built")] = None,
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
    from truemark.replay import report  # numpy and matplotlib take seconds to load
    from truemark.replay.session import Traffic, parse_speed, replay_capture

    if plots:
        from truemark.replay.pictures import plot_run
    written = {
        "policy": policy,
        "k": k,
        "buffer": buffer,
        "protect": protect,
        "target_delay": target_delay,
        "weight": weight,
        "codel": codel,
        "rate": rate,
        "packet": packet,
    }
    if load is not None and (not 0 < load <= MOST_LOAD or speed != "1"):
        least = f"; {load:g} % is --load {load / 100:g}" if load > MOST_LOAD else ""
        raise TruemarkError(
            f"--load is a share above 0, at most {MOST_LOAD}, and takes the place of --speed; give one{least}"
        )
    rtt_ns = units.parse_time(rtt, "rtt")
    if rtt_ns == 0:
        raise TruemarkError(f"rtt '{rtt}' must be above 0")
    port = replay_port({name: value for name, value in written.items() if value is not None}, profile_in)
    assert port.rate is not None
    settings, notes = port.settings, port.warnings()
    if engine is None:
        engine, note = default_engine(policies.build_size(settings), settings.features)
        notes += [note] if note else []
    traffic = Traffic(capture, port.rate, parse_speed(speed), load, rtt_ns=rtt_ns)
    screen = Console(stderr=True) if STDOUT in (out, json_out) else output.console
    with ExitStack() as stack:
        numbers = stack.enter_context(whole_file(json_out)) if json_out else None
        stack.enter_context(folder_for(plots))
        with progress(f"{settings.policy} ({engine})") as tell:
            run = replay_capture(engine, settings, traffic, out, tell)
        screen.print(report.table(run.summary))
        for line in [*report.remarks(run.summary), *notes]:
            screen.print(line, highlight=False, markup=False)
        if numbers:
            json.dump(run.summary.to_json(), numbers, indent=2)
            numbers.write("\n")
        pictures = plot_run(run, plots) if plots else []
    for path in [*(path for path in (out, json_out) if path and path != STDOUT), *pictures]:
        screen.print(f"wrote {path}", highlight=False)


def replay_port(written: dict[str, Any], source: Path | None) -> Port:
    """The port that options make, laid over a profile or over the defaults; an error names option or file."""
    from truemark.laws.port import PortTable  # pydantic takes 0.2 s to load
    from truemark.laws.profile import read_profile
    from truemark.toml_errors import validated

    options = validated(PortTable, written, "", "")
    base = PortTable() if source is None else read_profile(source).table(0)
    if source is None:
        base = validated(PortTable, DEFAULTS, "", "")
    elif base.rate is None:
        base = base.model_copy(update={"rate": units.parse_rate(RATE)})
    try:
        return options.laid_over(base).planned()
    except TruemarkError as error:
        raise TruemarkError(f"{source}: {error}" if source else str(error)) from None


def demo(
    folder: Annotated[Path, typer.Option("--output", help="of pictures, numbers and page")] = Path("build/demo"),
    engine: Annotated[str, typer.Option(help="rtl (compared with the model at the end), model or both")] = "rtl",
    shuffle: Annotated[Path | None, typer.Option(help="folder of a lab sweep with its report, to show first")] = None,
) -> None:
    """Replay a capture of real Linux TCP against droptail and true-mark and show the difference."""
    from truemark import demo as demonstration

    demonstration.demonstrate(folder, engine, output.console, shuffle)
