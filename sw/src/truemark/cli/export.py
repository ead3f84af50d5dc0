# SPDX-License-Identifier: BSD-3-Clause
"""The commands `truemark export ...`: what a device counts, for other programs."""

from __future__ import annotations

import threading
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from truemark.cli import output
from truemark.cli.output import DeviceOption
from truemark.errors import TruemarkError

app = typer.Typer(help="A device's counters in the forms that other programs read.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """A device's counters in the forms that other programs read."""


@app.command()
def prometheus(
    address: DeviceOption,
    listen: Annotated[str | None, typer.Option(help="serve at this address, such as 127.0.0.1:9734")] = None,
    textfile: Annotated[Path | None, typer.Option(help="write a file for node_exporter's textfile collector")] = None,
) -> None:
    """Print a device's counters as Prometheus metrics, write them to a file, or serve them until interrupted."""
    from truemark.export import prometheus as metrics  # prometheus_client takes 0.1 s to load

    device = output.device(address)
    said: list[str] = []
    collector = metrics.Queues(device.freeze, said.append if listen is None else output.console.print)
    if listen is not None:
        host, colon, port = listen.rpartition(":")
        if not colon or not port.isdigit() or textfile:
            raise TruemarkError(f"--listen '{listen}': HOST:PORT is wanted, such as 127.0.0.1:9734, and no --textfile")
        metrics.listen(collector, host, int(port))
        output.say([f"metrics of {address} at http://{listen}/metrics"])
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
        return
    if textfile is not None:
        metrics.write(collector, textfile)
        output.say([f"wrote {textfile}"])
    else:
        typer.echo(metrics.text(collector), nl=False)
    if said:
        raise TruemarkError(said[0])


@app.command()
def grafana() -> None:
    """Print a Grafana dashboard of these metrics: import it, and choose the data source."""
    typer.echo((files("truemark.export") / "grafana.json").read_text(encoding="utf-8"), nl=False)
