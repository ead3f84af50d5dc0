# SPDX-License-Identifier: BSD-3-Clause
"""What the one memory of all ports holds now: the registers POOL_* of a device that has a pool (docs/pool.md)."""

from __future__ import annotations

from dataclasses import dataclass

from truemark.device import registers
from truemark.device.device import Device

MOST_FAULTS = 255  # the register counts no further


@dataclass(frozen=True)
class PortCells:
    """What a port has of the pool, and how many frames its threshold refused since the reset, modulo 2^32.

    `watermark` is the most cells it had since its watermarks were cleared.
    """

    port: int
    cells: int
    watermark: int
    refused: int


@dataclass(frozen=True)
class PoolState:
    """The cells of a pool, read one register after the other: what moves meanwhile may be missed or seen twice.

    `broken` names the memories in which a parity was wrong, `faults` counts how often, up to MOST_FAULTS: a
    pool with one stores nothing more until a reset.
    """

    cell_bytes: int
    free: int  # cells
    held: int
    walking: int  # on their way from frames that have left to the free ones
    watermark: int  # the most that were not free since the watermarks of port 0 were cleared
    faults: int
    broken: tuple[str, ...]
    ports: tuple[PortCells, ...]


def pool_state(device: Device, port_count: int) -> PoolState | None:
    """Return what the pool of a device with so many ports holds; none where ports have memories of their own."""
    if not (cell_bytes := device.cell()):
        return None
    found = registers.POOL_FAULTS.unpack(device.read(registers.POOL_FAULTS))
    faults = found.pop("faults")
    ports = []
    for port in range(port_count):
        device.select(port)
        names = (registers.POOL_CELLS, registers.WATERMARK_CELLS, registers.POOL_REFUSED)
        ports.append(PortCells(port, *(device.read(each) for each in names)))
    return PoolState(
        cell_bytes,
        device.read(registers.POOL_FREE),
        device.read(registers.POOL_HELD),
        device.read(registers.POOL_WALKING),
        device.read(registers.POOL_WATERMARK),
        faults,
        tuple(name for name, wrong in found.items() if wrong),
        tuple(ports),
    )
