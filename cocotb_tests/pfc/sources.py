# SPDX-License-Identifier: BSD-3-Clause
"""A whole truemark with PFC: what its sources send, and which of their classes must pause."""

from __future__ import annotations

from typing import Any, Protocol

from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device

CELL = 64  # bytes
SPARE = 3  # cells, as tm_pool_room says
NARROW = {"PORTS": 3, "DATA_W": 256, "ROWS": 768, "DESCRIPTORS": 450, "MAX_FRAME": 2000, "POOL": 1, "PFC": 1}
WAITING = NARROW | {"DATA_W": 128, "ROWS": 1536, "FLAGS_VERDICT": 1}
CELLS = 384  # of each
Levels = list[int]  # by source, a bit for each class


def frame(length: int, source: int, priority: int | None, ports: int = 0b001, *, service: bool = False) -> Frame:
    """Return a frame of a source, of this priority if it has a tag."""
    return Frame(packets.of_priority(length, priority, service_tag=service), ports=ports, source=source)


def cells_of(sent: Frame) -> int:
    """Return the cells that it takes."""
    return -(-len(sent.data) // CELL)


class Bus(Protocol):
    """The way to a device's registers."""

    async def write(self, register: int, value: int, /) -> None:
        """Write a register by its address."""

    async def commit(self, port: int, /) -> None:
        """Give a port what is in the shadow."""


async def give(
    bus: Bus, port: int, *, classes: int = 0, headroom: int = 0, xon: int = 0, offset: int = 0, **threshold: int
) -> None:
    """Give a source its lossless classes and, with port 0, all sources their threshold."""
    xoff = {f"xoff_{name}": value for name, value in threshold.items()}
    await bus.write(registers.PFC_CLASSES.address, registers.PFC_CLASSES.pack(lossless=classes, headroom=headroom))
    await bus.write(registers.PFC_THRESHOLD.address, registers.PFC_THRESHOLD.pack(**xoff))
    await bus.write(registers.PFC_XON.address, registers.PFC_XON.pack(xon_cells=xon, xon_offset=offset))
    await bus.commit(port)


async def levels(dut: Any, device: Device) -> Levels:
    """Return which classes of the ports must pause, once nothing has come for a while."""
    await device.cycles(80)  # every class has been looked at
    shown = [(await device.page(port, registers.PFC_XOFF)) for port in range(3)]
    pins = int(dut.pfc_xoff_o.value)
    assert shown == [pins >> 8 * port & 0xFF for port in range(3)]
    return shown


async def block(device: Device) -> int:
    """Let nothing leave, behind a long frame of no source: short ones are read ahead and no longer in the pool."""
    device.tx_en()
    first = frame(1500, 15, None, 0b111)
    await device.source.send(first)
    return cells_of(first)


async def drain(device: Device) -> None:
    """Let all leave."""
    device.tx_en(0, 1, 2)
    for _ in range(12):
        await device.cycles(100 + CELLS)
        if await device.read(registers.POOL_FREE) == CELLS:
            break
    else:
        raise AssertionError("cells are kept by nobody")
    device.tx_en()
