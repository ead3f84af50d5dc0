# SPDX-License-Identifier: BSD-3-Clause
"""truemark with PFC: commits that no device can take (tm_pfc_check, tm_share_check)."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotbext.truemark import registers
from truemark_dev.runner import build_and_test

from cocotb_tests.env.device import Device, RefusedError
from cocotb_tests.pfc.sources import CELLS, NARROW, block, frame, give, levels


@cocotb.test()
async def wrong_configurations_are_refused(dut: Any) -> None:
    """What no device can have.

    Stimulus: headroom beyond the pool, alone, with a reserve and with other sources'; thresholds and xon out of range;
    what is of all sources at a port that is not port 0; while a class must pause.
    Checks: each is refused as a whole with its field, and the level and what a load brings back stay.
    """
    device = await Device(dut).start()
    await give(device, 0, classes=0b10, cells=10, xon=4, offset=9)
    await give(device, 2, classes=0b111, headroom=50)
    await block(device)
    await device.source.send(*[frame(64, 0, 1)] * 11)
    most = CELLS - 8 - 150
    wrong: list[tuple[int, str, dict[str, int]]] = [
        (0, "pfc_headroom", {"classes": 0b10, "headroom": most + 1}),
        (0, "pfc_headroom", {"classes": 0xFF, "headroom": most // 8 + 1}),
        (0, "pfc_headroom", {"classes": 0xFF, "headroom": (1 << 16) - 1}),
        (0, "pfc_threshold", {"cells": CELLS + 1}),
        (0, "pfc_threshold", {"cells": 1, "dynamic": 1}),
        (0, "pfc_threshold", {"exponent": 4, "dynamic": 1}),
        (0, "pfc_threshold", {"exponent": 8, "dynamic": 1}),
        (0, "pfc_threshold", {"exponent": 1}),
        (0, "pfc_xon", {"cells": 9, "xon": 10}),
        (1, "pfc_threshold", {"cells": 1}),
        (1, "pfc_threshold", {"dynamic": 1}),
        (1, "pfc_xon", {"offset": 1}),
    ]
    for port, field, values in wrong:
        with pytest.raises(RefusedError, match=field):
            await give(device, port, **values)
        assert await levels(dut, device) == [0b10, 0, 0], field
        await device.command(0, load=1)
        assert await device.read(registers.PFC_CLASSES) == registers.PFC_CLASSES.pack(lossless=0b10)
        assert await device.read(registers.PFC_THRESHOLD) == registers.PFC_THRESHOLD.pack(xoff_cells=10)
        assert await device.read(registers.PFC_XON) == registers.PFC_XON.pack(xon_cells=4, xon_offset=9)
    await device.write(registers.POOL_RESERVE, 100)
    with pytest.raises(RefusedError, match="pfc_headroom"):
        await give(device, 1, classes=1, headroom=most - 99)
    await device.write(registers.POOL_RESERVE, most + 1)
    with pytest.raises(RefusedError, match="pool_reserve"):
        await give(device, 1)
    await device.write(registers.POOL_RESERVE, 100)
    await give(device, 1, classes=1, headroom=most - 100)
    await device.write(registers.POOL_RESERVE, 1)
    with pytest.raises(RefusedError, match="pool_reserve"):
        await give(device, 0, classes=0b10, cells=10, xon=4, offset=9)


def test_tm_pfc_check() -> None:
    build_and_test("truemark", __name__, parameters=NARROW)
