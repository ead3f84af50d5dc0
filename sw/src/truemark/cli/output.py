# SPDX-License-Identifier: BSD-3-Clause
"""How commands print and which device they speak to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from truemark.device.board import Board
from truemark.device.simulated import SimulatedDevice
from truemark.errors import TruemarkError
from truemark.link.remote import PORT
from truemark.link.transport import KINDS

console = Console()

DEVICE = "sim:"
FOLDER = Path("build/device")
HELP = "nf:nf0, pci:0000:01:00.0/bar2+0x220000, mem:0xA0000000, tcp:host:port; or sim: (sim:FOLDER), which is simulated"
DeviceOption = Annotated[str, typer.Option("--device", help=HELP)]
DeviceArgument = Annotated[str, typer.Argument(metavar="DEVICE", help=HELP)]


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
