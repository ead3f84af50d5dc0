# SPDX-License-Identifier: BSD-3-Clause
"""How commands print and which device they speak to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from truemark import documents
from truemark.device.board import Board
from truemark.device.simulated import SimulatedDevice
from truemark.errors import TruemarkError
from truemark.link.remote import PORT
from truemark.link.transport import KINDS
from truemark.screen import Screen

console = Screen()

DEVICE = "sim:"
HELP = "nf:nf0, pci:0000:01:00.0/bar2+0x220000, mem:0xA0000000, tcp:host:port; sim: or sim:FOLDER is simulated"
DeviceOption = Annotated[
    str, typer.Option("--device", help=HELP, autocompletion=lambda: [f"{kind}:" for kind in ("sim", *KINDS)])
]
DeviceArgument = Annotated[str, typer.Argument(metavar="DEVICE", help=HELP)]


AsJson = Annotated[
    bool, typer.Option("--json", "-j", help="print one JSON document and nothing else; `truemark schema` describes it")
]


def document(name: str, content: Mapping[str, Any], indent: int | None = 2) -> None:
    """Print a document of the schema `name` (truemark/documents.py), alone on stdout."""
    raw(json.dumps(documents.named(name, content), indent=indent))


def wrote(*paths: Path) -> None:
    """Print the document of a command whose result is files."""
    found: documents.Wrote = {"wrote": [str(path) for path in paths]}
    document("wrote", found)


def talk(as_json: bool) -> Screen:
    """Return where a person is told how a long run goes on: never stdout if a document goes there."""
    return Screen(stderr=True) if as_json else console


def raw(text: str) -> None:
    """Print a text for programs as it is."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    console.file.flush()


def say(lines: Iterable[str]) -> None:
    """Print lines as they are."""
    for line in lines:
        console.print(line, highlight=False, markup=False)


def aside(lines: Iterable[str]) -> None:
    """Print each line once on stderr: what is on stdout has another program's form."""
    for line in dict.fromkeys(lines):
        typer.echo(f"- {line}", err=True)


def device(address: str) -> Board:
    """Return the device at an address; nothing is opened yet."""
    kind, colon, _ = address.partition(":")
    if colon and kind in KINDS:
        return Board(address)
    if colon and kind == "sim":
        return SimulatedDevice(address)
    if colon:
        raise TruemarkError(f"{address}: no transport '{kind}'; there are sim:, {', '.join(f'{k}:' for k in KINDS)}")
    interface = "" if "/" in address else f"nf:{address} or "
    raise TruemarkError(f"no device '{address}'; did you mean {interface}sim:{address}?")


def board(address: str) -> Board:
    """Return the device at an address, which must not be a simulated one."""
    found = device(address)
    if isinstance(found, SimulatedDevice):
        raise TruemarkError(
            f"{address.rstrip(':')}: a simulated device lives as long as one command; put `truemark serve {address}` "
            f"in front of it and use tcp:127.0.0.1:{PORT}"
        )
    return found


def about(target: Board) -> documents.DeviceAddress:
    """Return which device a document speaks of."""
    return {"address": target.address, "simulated": target.simulated}
