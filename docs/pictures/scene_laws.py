# SPDX-License-Identifier: BSD-3-Clause
"""What the waveforms of RED and CoDel show: the whole top with both laws, one port, 256 bits. Runs under cocotb."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.truemark import Device, Frame
from cocotbext.truemark.source import cycle
from truemark.laws.profile import read_profile

from cocotb_tests.env import packets
from cocotb_tests.env.tm_pkg import Ecn

UNIT = 1024  # ns: CoDel's unit of time
RED = """
rate = "10G"
policy = "red"
red = { min = "200B", max = "1000B", probability = 0.5, weight = 1 }
"""
CODEL = """
rate = "10G"
policy = "codel"
codel = { target = "4.1us", interval = "12.3us", exempt = "0B" }
"""


class Scenes:
    """Sends frames, and lets time run."""

    def __init__(self, dut: Any, device: Device) -> None:
        self.dut, self.device = dut, device
        self.time = 0  # ns
        self.pace = 5  # ns in a cycle
        self.begun: dict[str, int] = {}

    async def clock(self) -> None:
        """Let the time pass that the device is told."""
        while True:
            await RisingEdge(self.dut.clk)
            self.time += self.pace
            self.dut.time_i.value = self.time

    def begin(self, name: str) -> None:
        """Note where a scene begins."""
        self.begun[name] = cycle()

    async def commit(self, profile: str) -> None:
        """Give the port a policy."""
        Path("profile.toml").write_text(profile)
        for register, value in read_profile(Path("profile.toml")).table(0).planned().settings.words():
            await self.device.write(register.address, value)
        await self.device.commit(0)

    async def send(self, letter: str, length: int, ecn: Ecn = Ecn.ECT0, after: int = 0) -> None:
        """Send one frame of TCP data, and let cycles pass."""
        frame = bytearray(packets.of_length(length, ecn=ecn))
        frame[5] = ord(letter)
        await self.device.source.send(Frame(bytes(frame)))
        await self.device.cycles(after)


@cocotb.test()
async def scenes(dut: Any) -> None:
    """Show a scene of each law.

    Stimulus: RED, W = 1, with a queue that is held and grows; CoDel, at 1024 ns a cycle, with a queue that has waited
    and then leaves, one of its frames Not-ECT.
    Checks: nothing; the pictures are looked at.
    """
    device = await Device(dut).start()
    dut.time_external_i.value = 1
    show = Scenes(dut, device)
    cocotb.start_soon(show.clock())

    await show.commit(RED)
    device.tx_en()
    for letter in "VWXY":
        await show.send(letter, 96, after=60)
    for letter in "ABC":
        await show.send(letter, 96, after=20)
    show.begin("red")
    for letter in "DEF":
        await show.send(letter, 96, after=20)
    device.tx_en(0)
    await device.cycles(100)

    await show.commit(CODEL)
    device.tx_en()
    show.pace = UNIT
    await device.cycles(4)
    for letter in "ABCDEFGHIJKLMNOPQ":
        await show.send(letter, 64, Ecn.NOT_ECT if letter == "J" else Ecn.ECT0)
    await device.cycles(12)
    show.begin("codel")
    device.tx_en(0)
    await device.cycles(80)
    Path("scenes.json").write_text(json.dumps(show.begun))
