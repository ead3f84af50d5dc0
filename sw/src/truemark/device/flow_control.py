# SPDX-License-Identifier: BSD-3-Clause
"""Which link partners must pause now: the registers PFC_* of a device that has levels (docs/pfc.md)."""

from __future__ import annotations

from dataclasses import dataclass

from truemark.device import registers
from truemark.device.device import Device
from truemark.laws.pause import classes_of


@dataclass(frozen=True)
class PauseState:
    """The classes that each source must pause, by port, and the cells beyond headroom, modulo 2^32.

    `broken`: a parity was wrong, and levels mean nothing until a reset.
    """

    asked: tuple[tuple[int, ...], ...]
    overruns: int
    broken: bool


def pause_state(device: Device, port_count: int) -> PauseState:
    """Return what a device with so many ports and with levels asks of its link partners."""
    asked = []
    broken = False
    for port in range(port_count):
        device.select(port)
        found = registers.PFC_XOFF.unpack(device.read(registers.PFC_XOFF))
        asked.append(classes_of(found["xoff"]))
        broken |= bool(found["fault"])
    return PauseState(tuple(asked), device.read(registers.PFC_OVERRUNS), broken)
