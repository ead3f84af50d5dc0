# SPDX-License-Identifier: BSD-3-Clause
"""A whole truemark with POOL: its cells, as its registers show them."""

from __future__ import annotations

from cocotbext.truemark import registers

from cocotb_tests.env.device import Device

CELL = 64  # bytes
POOL = {"PORTS": 3, "DATA_W": 256, "ROWS": 768, "DESCRIPTORS": 450, "MAX_FRAME": 2000, "POOL": 1}
CELLS = POOL["ROWS"] * POOL["DATA_W"] // 8 // CELL


async def cells(device: Device) -> dict[str, int]:
    """Return what the registers say of the pool."""
    names = ("POOL_FREE", "POOL_HELD", "POOL_WALKING", "POOL_FAULTS")
    return {name: await device.read(registers.REGISTERS[name]) for name in names}
