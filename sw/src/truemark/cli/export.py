# SPDX-License-Identifier: BSD-3-Clause
"""The commands `truemark export ...`: what a device is set to and counts, for other programs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import documents, units
from truemark.cli import output
from truemark.cli.output import DEVICE, AsJson, DeviceOption
from truemark.device.board import Follower
from truemark.device.look import Reading
from truemark.errors import TruemarkError
from truemark.files import STDOUT

app = typer.Typer(help="A device's settings and counters in the forms that other programs read.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Print a device's settings and counters in the forms that other programs read."""


@app.command()
def prometheus(
    address: DeviceOption,
    listen: Annotated[str | None, typer.Option(help="serve at this address, such as 127.0.0.1:9734")] = None,
    textfile: Annotated[Path | None, typer.Option(help="write a file for node_exporter's textfile collector")] = None,
) -> None:
    """Print a device's counters as Prometheus metrics, write them to a file, or serve them until interrupted."""
    with closing(Follower(output.device(address))) as follower:
        give(follower.look, address, listen, textfile)


def give(look: Callable[[], Reading], address: str, listen: str | None, textfile: Path | None) -> None:
    """Print the metrics of looks at a device, write them, or serve them until interrupted."""
    from truemark.export import prometheus as metrics  # prometheus_client takes 0.1 s to load

    collector = metrics.Queues(look, (lambda _: None) if listen is None else lambda line: output.say([line]))
    if listen is not None:
        host, colon, port = listen.rpartition(":")
        if not colon or units.whole(port, 65535) is None or textfile:
            raise TruemarkError(f"--listen '{listen}': HOST:PORT is wanted, such as 127.0.0.1:9734, and no --textfile")
        metrics.listen(collector, host, int(port))
        output.say([f"metrics of {address} at http://{listen}/metrics"])
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
        return
    if textfile is not None and textfile != STDOUT:
        metrics.write(collector, textfile)
        output.say([f"wrote {textfile}"])
    else:
        typer.echo(metrics.text(collector), nl=False)
    if collector.failed:
        raise collector.failed


@app.command()
def grafana() -> None:
    """Print a Grafana dashboard of these metrics: import it, and choose the data source."""
    typer.echo((files("truemark.export") / "grafana.json").read_text(encoding="utf-8"), nl=False)


Interfaces = Annotated[list[str] | None, typer.Option("--interface", help="name of port 0, port 1, ...")]


def tree(found: object, lost: list[str]) -> None:
    """Print another program's JSON on stdout, and on stderr what it does not keep."""
    output.raw(json.dumps(found, indent=4))
    output.aside(lost)


@app.command()
def sonic(
    device: DeviceOption = DEVICE,
    into: Annotated[Path | None, typer.Option(help="a switch's config_db.json: printed with these ports in it")] = None,
    queue: Annotated[
        int | None, typer.Option(help="queue of an interface that is the port; without it, 3", min=0, max=9)
    ] = None,
    interface: Annotated[list[str] | None, typer.Option(help="name of port (or line) 0, 1, ...")] = None,
    rate: Annotated[str | None, typer.Option(help="speed of the interfaces, such as 100G")] = None,
) -> None:
    """Print a device's thresholds and limits as tables of SONiC's config_db.json; what is not kept is named.

    Where lines have several queues a line is an interface, with its schedulers and maps.
    """
    from truemark.export import sonic as tables
    from truemark.export.sonic_lines import lines
    from truemark.export.wred import one_each
    from truemark.plan.sonic import read_config, with_queues  # pydantic takes 0.2 s to load

    target = output.device(device)
    base = None if into is None else read_config(into)
    with target.open(looking=True) as opened:
        there = opened.configuration()
    queues, memory, queue_map = there.identity.queues, there.identity.memory, there.queue_map
    if queue_map is None:
        taken, what = [3 if queue is None else queue], "port"
    elif queue is None:
        taken, what = list(range(queues)), "line"
    else:
        raise TruemarkError(f"--queue: a line of this device is queues 0 to {queues - 1} of an interface")
    count = there.identity.ports // queues
    chosen = interface or with_queues(base or {}, taken)[:count] or tables.names(count)
    one_each(chosen, count, what)
    speed = None if rate is None else units.parse_rate(rate)
    if queue_map is None:
        found, lost = tables.config(there.ports, [(name, taken[0]) for name in chosen], memory, speed, base)
    else:
        found, lost = lines(there.ports, chosen, queue_map, memory, speed, base)
    tree(found, [*lost, *target.notes])


@app.command()
def openconfig(device: DeviceOption = DEVICE, interface: Interfaces = None) -> None:
    """Print a device in OpenConfig's QoS model: thresholds, limits and counters of each port, as RFC 7951 JSON."""
    from truemark.export.openconfig import qos

    target = output.device(device)
    about = target.identity()
    settings, frozen = target.snapshots()
    names = interface or [f"tm{port}" for port in range(about.ports)]
    found, lost = qos(settings, frozen, names, about.storage, pooled=about.pooled)
    tree(found, [*lost, *target.notes])


@app.command()
def sai(
    device: DeviceOption = DEVICE,
    port: Annotated[list[int] | None, typer.Option(help="one port; without it, all")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the settings and counters of ports under their names in SAI."""
    from truemark.export import sai as names
    from truemark.export.wred import BUFFERS, not_kept, wred

    target = output.device(device)
    storage = target.identity().storage
    settings, frozen = target.snapshots(port)
    ports: list[documents.SaiPort] = [
        {"port": counts.port, "attributes": names.attributes(each, storage), "counters": names.counters(counts)}
        for each, counts in zip(settings, frozen, strict=True)
    ]
    remarks = [
        line
        for each, counts in zip(settings, frozen, strict=True)
        for line in not_kept(counts.port, wred(each, BUFFERS))
    ]
    if as_json:
        document: documents.Sai = {"device": output.about(target), "ports": ports, "remarks": remarks + target.notes}
        output.document("sai", document)
        return
    shown = Table(box=SIMPLE_HEAD)
    shown.add_column("SAI")
    for each in ports:
        shown.add_column(f"port {each['port']}", justify="right")
    for group in ("attributes", "counters"):
        for name in dict.fromkeys(name for each in ports for name in each[group]):
            shown.add_row(name, *(as_text(each[group].get(name, "-")) for each in ports))
    output.console.print(shown)
    output.say([*remarks, *target.notes])


def as_text(value: bool | int | str) -> str:
    """Return a value of an attribute; of an enumerator what it adds to the name."""
    if isinstance(value, bool):
        return str(value).lower()
    return value.rpartition("_MODE_")[2] if isinstance(value, str) else f"{value:,}"
