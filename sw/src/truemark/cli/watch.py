# SPDX-License-Identifier: BSD-3-Clause
"""The command `truemark watch`: a device's queues as they change."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from functools import partial
from typing import Annotated

import typer

from truemark import documents
from truemark.cli import output
from truemark.cli.output import DeviceOption, board
from truemark.watch.sample import observe, samples


def watch(
    address: DeviceOption,
    interval: Annotated[float, typer.Option(help="seconds between two looks", min=0.1)] = 1.0,
    count: Annotated[int | None, typer.Option(help="stop after so many; none: until interrupted", min=1)] = None,
    as_json: Annotated[bool, typer.Option("--json", "-j", help="lines of JSON, as in a pipe")] = False,
) -> None:
    """Watch ports: queue against K and limit, marks, drops, waiting times. In a pipe: a line of JSON a second."""
    device = board(address)
    read = partial(observe, device)
    if as_json or count or not sys.stdout.isatty():
        left = [0 if count is None else count]

        def wait() -> bool:
            if count is not None and not left[0]:
                return False
            left[0] -= 1
            time.sleep(interval)
            return True

        with suppress(KeyboardInterrupt):
            for found in samples(read, wait):
                document: documents.Watch = {
                    "device": output.about(device),
                    "ports": [each.to_json() for each in found],
                }
                output.document("watch", document, indent=None)
        return
    read()  # a device that is not there is said before the screen is taken
    from truemark.watch.view import Watch  # textual takes 0.3 s to load

    Watch(address, read, interval).run()
