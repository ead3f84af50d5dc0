# SPDX-License-Identifier: BSD-3-Clause
"""How commands print and which device they speak to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from truemark.device.board import Board
from truemark.device.simulated import SimulatedDevice
from truemark.documents import VERSION
from truemark.errors import TruemarkError
from truemark.link.remote import PORT
from truemark.link.transport import KINDS
from truemark.screen import Screen

console = Screen()

DEVICE = "sim:"
FOLDER = Path("build/device")
HELP = "nf:nf0, pci:0000:01:00.0/bar2+0x220000, mem:0xA0000000, tcp:host:port; or sim: (sim:FOLDER), which is simulated"
DeviceOption = Annotated[str, typer.Option("--device", help=HELP)]
DeviceArgument = Annotated[str, typer.Argument(metavar="DEVICE", help=HELP)]


AsJson = Annotated[
    bool, typer.Option("--json", "-j", help="print one JSON document and nothing else; `truemark schema` describes it")
]


def document(name: str, content: Mapping[str, Any]) -> None:
    """Print a document of the schema `name` (truemark/documents.py), alone on stdout."""
    text = json.dumps({"schema": f"truemark/{name}/{VERSION}", **content}, indent=2)
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def say(lines: Iterable[str]) -> None:
    """Print lines as they are."""
    for line in lines:
        console.print(line, highlight=False, markup=False)


def say_simulated(target: Board | SimulatedDevice) -> None:
    """Say so where no hardware was spoken to."""
    if isinstance(target, SimulatedDevice):
        say([f"SIMULATED device, in {target.folder}"])


def device(address: str) -> Board | SimulatedDevice:
    """The device at an address."""
    kind, colon, rest = address.partition(":")
    if colon and kind in KINDS:
        return Board(address)
    if colon and kind == "sim":
        return SimulatedDevice(Path(rest) if rest else FOLDER)
    if colon:
        raise TruemarkError(f"{address}: no transport '{kind}'; there are sim:, {', '.join(f'{k}:' for k in KINDS)}")
    interface = "" if "/" in address else f"nf:{address} or "
    raise TruemarkError(f"no device '{address}'; did you mean {interface}sim:{address}?")


def board(address: str) -> Board:
    """The device at an address, which must not be a simulated one."""
    found = device(address)
    if isinstance(found, Board):
        return found
    raise TruemarkError(
        f"{address.rstrip(':')}: a simulated device lives as long as one command; put `truemark serve {address}` in "
        f"front of it and use tcp:127.0.0.1:{PORT}"
    )
