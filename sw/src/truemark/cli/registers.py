# SPDX-License-Identifier: BSD-3-Clause
"""The commands for single registers, by name or offset: read, write, dump."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from truemark import documents
from truemark.cli import output
from truemark.cli.device import PortNumber
from truemark.cli.output import DEVICE, AsJson, DeviceOption, say
from truemark.device.board import Board
from truemark.device.device import Device
from truemark.device.registers import COMMAND, REGISTERS, Register
from truemark.errors import RefusedError, TruemarkError, suggest
from truemark.link.remote import WINDOW

REGISTER = typer.Argument(
    metavar="REGISTER",
    help="a name of docs/registers.md, with .FIELD for one field, or an offset such as 0x160",
    autocompletion=lambda incomplete: [name for name in REGISTERS if name.startswith(incomplete.upper())],
)
AT = {register.address: register for register in REGISTERS.values()}


def find(text: str) -> tuple[Register | None, int, str]:
    """Return the register that a name or offset means, its offset, and the field behind a point."""
    name, _, field = text.partition(".")
    if name[:1].isdigit():
        try:
            offset = int(name, 0)
        except ValueError:
            raise TruemarkError(f"register '{text}': {name} is no number; write 0x160 or 352") from None
        if offset % 4 or not 0 <= offset < WINDOW:
            raise TruemarkError(f"register '{text}': offsets are multiples of 4 below {WINDOW:#x}")
        register = AT.get(offset)
    else:
        register = REGISTERS.get(name.upper())
        if register is None:
            raise TruemarkError(f"register '{name}' is unknown; {suggest(name.upper(), list(REGISTERS))}")
        offset = register.address
    fields = [each.name for each in register.fields] if register else []
    if field and field not in fields:
        raise TruemarkError(f"register '{text}' has no field '{field}'; {suggest(field, fields)}")
    return register, offset, field


def decoded(device: Device, register: Register | None, offset: int) -> documents.RegisterValue:
    """Return a word as it is read now."""
    value = device.read_at(offset)
    return {
        "name": register.name if register else None,
        "offset": offset,
        "value": value,
        "fields": register.unpack(value) if register else {},
    }


def print_values(target: Board, port: int, values: list[documents.RegisterValue], as_json: bool) -> None:
    """Print words with their fields."""
    if as_json:
        found: documents.Registers = {
            "device": output.about(target),
            "port": port,
            "registers": values,
            "remarks": target.notes,
        }
        output.document("registers", found)
        return
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("offset", "register", "value", "decimal"):
        table.add_column(heading, justify="right" if heading == "decimal" else "left")
    table.add_column("fields", overflow="fold")
    for each in values:
        fields = each["fields"].items()
        shown = "" if list(each["fields"]) == ["value"] else ", ".join(f"{name} {value}" for name, value in fields)
        table.add_row(
            f"0x{each['offset']:03x}", each["name"] or "-", f"0x{each['value']:08x}", str(each["value"]), shown
        )
    output.console.print(table)
    say(target.notes)


def read(
    places: Annotated[list[str], REGISTER],
    device: DeviceOption = DEVICE,
    port: PortNumber = 0,
    as_json: AsJson = False,
) -> None:
    """Read registers by name or offset and decode their fields; a port's are those of --port."""
    wanted = [find(text) for text in places]
    target = output.device(device)
    with target.open(looking=True) as found:
        found.check_ports([port])
        found.select(port)
        values = [decoded(found, register, offset) for register, offset, _ in wanted]
    for value, (_, _, field) in zip(values, wanted, strict=True):
        if field:
            value["fields"] = {field: value["fields"][field]}
    print_values(target, port, values, as_json)


def write(
    place: Annotated[str, REGISTER],
    value: Annotated[str, typer.Argument(help="decimal, 0x or 0b")],
    device: DeviceOption = DEVICE,
    port: PortNumber = 0,
    as_json: AsJson = False,
) -> None:
    """Write a register, or one field of it, and read it back.

    A configuration's registers are the shadow: nothing takes effect until 1 is written to COMMAND.commit.
    """
    register, offset, field = find(place)
    try:
        number = int(value, 0)
    except ValueError:
        raise TruemarkError(f"value '{value}' is no number; write 30000, 0x7530 or 0b11") from None
    if register and register.access == "r":
        raise TruemarkError(f"{register.name} can only be read")
    most = register[field].maximum if register and field else 0xFFFF_FFFF
    if not 0 <= number <= most:
        raise TruemarkError(f"{place} = {number}: allowed is 0 to {most} ({most:#x})")
    target = output.device(device)
    with target.open() as found:
        found.check_ports([port])
        found.select(port)
        if register and field:
            number = register[field].put(number, found.read_at(offset) if register.access == "rw" else 0)
        if register is COMMAND:
            status = found.run(number, port)
            if register.unpack(number)["commit"]:
                found.accepted(port, status)
        else:
            found.write_at(offset, number)
        values = [decoded(found, register, offset)]
    if target.ends_with_command:
        target.note("not remembered: a simulated device ends with its command; `truemark serve` keeps one")
    print_values(target, port, values, as_json)


def dump(device: DeviceOption = DEVICE, port: PortNumber = 0, as_json: AsJson = False) -> None:
    """Read every register and decode the fields; a configuration's registers are those in force at the port."""
    target = output.device(device)
    with target.open(looking=True) as found:
        found.check_ports([port])
        found.command("load", port)
        met = {needs for needs in {register.needs for register in REGISTERS.values()} if found.meets(needs)}
        values = []
        for register in REGISTERS.values():
            if register.needs not in met:
                continue
            with suppress(RefusedError):  # what a build is without answers SLVERR
                values.append(decoded(found, register, register.address))
    print_values(target, port, values, as_json)
