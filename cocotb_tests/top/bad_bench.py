# SPDX-License-Identifier: BSD-3-Clause
"""What surrounds bad input: the builds it is tried on, and good frames before and after it."""

from __future__ import annotations

import os
from typing import Any

from cocotbext.truemark import registers
from cocotbext.truemark.sinks import Received
from cocotbext.truemark.source import Frame

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device

MAX_FRAME = 2000
CUT_THROUGH = {"PORTS": 3, "DATA_W": 256, "ROWS": 512, "DESCRIPTORS": 300, "FLAGS_VERDICT": 1, "MAX_FRAME": MAX_FRAME}
WHOLE = {"PORTS": 3, "DATA_W": 64, "ROWS": 600, "DESCRIPTORS": 300, "STORE_AND_FORWARD": 1, "MAX_FRAME": MAX_FRAME}
BEFORE, AFTER = packets.of_length(300), [packets.of_length(64 + 9 * n) for n in range(4)]


def whole() -> bool:
    """Say whether the build under test is store-and-forward."""
    return os.environ["STORE_AND_FORWARD"] == "1"


def beat_bytes(dut: Any) -> int:
    """Return the bytes of a beat."""
    return len(dut.s_axis_tkeep)


async def around(device: Device, *bad: Frame, held_back: bool) -> list[Received]:
    """Send `bad` between good frames to port 0, held back until all is in or not; return what came out of port 0.

    The good frames are checked here.
    """
    if held_back:
        device.tx_en()
    await device.source.send(Frame(BEFORE), *bad, *map(Frame, AFTER))
    device.tx_en(0, 1, 2)
    await device.cycles(600)
    received = device.sinks.received[0]
    good = [frame.data for frame in (received[0], *received[-len(AFTER) :])]
    assert good == [BEFORE, *AFTER], "the frames around the bad one suffered"
    assert not any(frame.error for frame in (received[0], *received[-len(AFTER) :]))
    assert await device.page(0, registers.OCCUPANCY_BYTES) == 0
    assert await device.page(0, registers.OCCUPANCY_PACKETS) == 0
    return received[1 : -len(AFTER)]
