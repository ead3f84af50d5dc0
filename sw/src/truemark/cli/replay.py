# SPDX-License-Identifier: BSD-3-Clause
"""The commands that send captures through a port: replay and demo."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from truemark.cli import output, traffic
from truemark.cli.output import AsJson
from truemark.errors import TruemarkError
from truemark.files import STDOUT, folder_for, must_spare
from truemark.screen import Screen

EXAMPLES = {
    "replay": (
        "Examples:\n\n"
        "truemark replay capture.pcap --k 30kB --load 0.9\n\n"
        "truemark replay capture.pcap --profile red.toml --out marked.pcap --plots pictures\n\n"
        "tcpdump -w - | truemark replay - --k 30kB --json | jq .total.outcomes"
    )
}


def replay(
    capture: traffic.Capture,
    policy: traffic.Policy = None,
    k: traffic.Threshold = None,
    profile_in: traffic.Profile = None,
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
    rtt: Annotated[
        str, typer.Option(help="round-trip time for the rule C*RTT/7", rich_help_panel=traffic.TRAFFIC)
    ] = "100us",
    out: Annotated[
        Path | None, typer.Option(help="capture of what left the port", rich_help_panel=traffic.OUTPUT)
    ] = None,
    plots: Annotated[Path | None, typer.Option(help="folder for the pictures", rich_help_panel=traffic.OUTPUT)] = None,
    as_json: AsJson = False,
) -> None:
    """Send a capture through one port of a device and say what became of each class of packets.

    Every frame is offered at its timestamp; the port drains at RATE, a frame taking
    its length plus 24 bytes of line time (preamble, FCS, gap). Open loop: senders
    in a capture cannot react.
    """
    from truemark.replay import report  # numpy and matplotlib take seconds to load
    from truemark.replay.capture import captured

    if plots:
        from truemark.replay.pictures import plot_run
    if as_json and out == STDOUT:
        raise TruemarkError("--json and --out - both want stdout; give --out a file")
    must_spare(capture, out)
    pace = traffic.Pace(speed, load, rtt)
    port = traffic.planned_port(traffic.written(locals()), profile_in)
    assert port.rate is not None
    with ExitStack() as stack:
        offered = pace.of(stack.enter_context(captured(capture)), port.rate)
        stack.enter_context(folder_for(plots))
        run, notes = traffic.run(port, engine, offered, out)
        pictures = plot_run(run, plots) if plots else []
    remarks = [*report.remarks(run.summary), *notes]
    wrote = [str(path) for path in [*([out] if out and out != STDOUT else []), *pictures]]
    if as_json:
        output.document("replay", {**run.summary.to_json(), "remarks": remarks, "wrote": wrote})
        return
    screen = Screen(stderr=True) if out == STDOUT else output.console
    screen.print(report.table(run.summary))
    for line in [*remarks, *[f"wrote {path}" for path in wrote]]:
        screen.print(line, highlight=False, markup=False)


def demo(
    folder: Annotated[Path, typer.Option("--output", help="folder for pictures, numbers and page")] = Path(
        "build/demo"
    ),
    engine: Annotated[str, typer.Option(help="rtl (compared with the model at the end), model or both")] = "rtl",
    shuffle: Annotated[Path | None, typer.Option(help="folder of a lab sweep with its report, to show first")] = None,
    as_json: AsJson = False,
) -> None:
    """Replay a capture of real Linux TCP against droptail and true-mark and show the difference."""
    from truemark import demo as demonstration

    demonstration.demonstrate(folder, engine, output.talk(as_json), shuffle)
    if as_json:
        output.wrote(folder / "index.html", folder / "demo.json")
