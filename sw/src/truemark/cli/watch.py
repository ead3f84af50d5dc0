# SPDX-License-Identifier: BSD-3-Clause
"""The commands `truemark watch` and `web`: a device's queues as they change, in a terminal and in browsers."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from typing import Annotated

import typer

from truemark import documents
from truemark.cli import output
from truemark.cli.board import RATE, SPEED, EngineName, Loop, Play, Rate, Speed, To, check_played, served
from truemark.cli.output import DEVICE, AsJson, DeviceOption, board
from truemark.device.board import Attached, Board, Follower
from truemark.device.look import Reading
from truemark.watch.sample import document, pause, samples

Interval = Annotated[float, typer.Option(help="seconds between two looks", min=0.1, max=86400)]


def watch(
    address: DeviceOption,
    interval: Interval = 1.0,
    count: Annotated[
        int | None, typer.Option(help="stop after this many looks; without it, when interrupted", min=1)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", "-j", help="lines of JSON, as in a pipe")] = False,
) -> None:
    """Watch ports: queue against K and limit, marks, drops, waiting times. In a pipe: a line of JSON a second."""
    device = board(address)
    with closing(Follower(device)) as follower:
        read = partial(follower.look, interval / 2)
        if as_json or count or not sys.stdout.isatty():
            lines(device, read, interval, count)
            return
        read()  # a device that is not there is said before the screen is taken; it is known then if it is simulated
        from truemark.watch.view import Watch  # textual takes 0.3 s to load

        about = {True: f"{address} (SIMULATED)", None: f"{address} (not known whether SIMULATED)"}
        Watch(about.get(device.simulated, address), read, interval).run()


def lines(device: Board, read: Callable[[], Reading], interval: float, count: int | None) -> None:
    """Print a line of JSON for each interval, so many or until interrupted."""
    left = [0 if count is None else count]

    def wait() -> bool:
        if count is not None and not left[0]:
            return False
        left[0] -= 1
        time.sleep(pause(interval))
        return True

    with suppress(KeyboardInterrupt):
        for found in samples(read, wait):
            output.document("watch", document(output.about(device), found), indent=None)


def web(
    address: DeviceOption = DEVICE,
    host: Annotated[str, typer.Option(help="address to listen on; whoever reaches it can look")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="TCP port; 0 for any that is free", min=0, max=65535)] = 7480,
    interval: Interval = 1.0,
    control: Annotated[bool, typer.Option("--control", help="print an address that may set K and policy")] = False,
    engine: EngineName = None,
    play: Play = None,
    loop: Loop = False,
    speed: Speed = SPEED,
    rate: Rate = RATE,
    to: To = None,
    as_json: AsJson = False,
) -> None:
    """Serve what `watch` shows as a page, to any number of browsers, until interrupted. Read-only."""
    check_played(play, loop, speed, rate, to)
    target = output.device(address)
    if not (target.simulated or engine or play):
        serve_page(target, address, host, port, interval, control, as_json)
        return
    with served(target, engine, play, loop, speed, rate, to) as (registers, what):
        serve_page(Attached(address, simulated=True, registers=registers), what, host, port, interval, control, as_json)


def serve_page(device: Board, what: str, host: str, port: int, interval: float, control: bool, as_json: bool) -> None:
    """Serve the page of a device until interrupted."""
    from truemark.watch import web as page  # starlette takes 0.3 s to load
    from truemark.watch.feed import Feed

    with page.listening(host, port) as socket, closing(Follower(device)) as follower:
        follower.look()  # a device that is not there is said now, not to the first browser
        feed = Feed(partial(output.about, device), partial(follower.look, interval / 2), interval)
        token = secrets.token_urlsafe(16) if control else ""
        shown = f"[{host}]" if ":" in host else host
        where = f"http://{shown}:{socket.getsockname()[1]}/" + (f"#{token}" if token else "")
        if as_json:
            found: documents.Serve = {"device": output.about(device), "address": where}
            output.document("serve", found)
        else:
            output.console.print(f"{what} at {where}", highlight=False, markup=False, soft_wrap=True)
        app = page.application(feed, device.change if control else None, token)
        with suppress(KeyboardInterrupt):
            page.Server(app, feed).run(sockets=[socket])
