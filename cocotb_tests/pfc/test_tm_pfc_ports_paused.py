# SPDX-License-Identifier: BSD-3-Clause
"""truemark with PFC: queues that the link partner of their line pauses, by its pins (tm_pfc_ports, tm_lines)."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.truemark import registers
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.device import Device
from cocotb_tests.env.packed import packed
from cocotb_tests.pfc.sources import NARROW, frame

QUEUES = NARROW | {"PORTS": 4, "QUEUES": 2}
FROM_PIN = {1: 2, 2: 3}  # cycles from a pause on the pin to the first beat that it holds back, by queues of a line


class Lines:
    """What begins on the outputs, which are always ready, and the pauses that stood on the pins before."""

    def __init__(self, dut: Any, paused_by: list[int], coverage: Coverage) -> None:
        self.dut, self.paused_by, self.coverage = dut, paused_by, coverage
        self.lines = len(dut.m_axis_tvalid)
        self.queues = len(dut.tx_en_i) // self.lines
        self.bytes = len(dut.m_axis_tdata) // 8 // self.lines
        self.open = [False] * self.lines
        self.pauses: deque[int] = deque([0] * 8, maxlen=8)
        self.sent = 0

    def pause(self, port: int, ago: int) -> bool:
        """Return whether a queue's line was told to pause it, so many cycles ago."""
        classes = self.pauses[-1 - ago] >> 8 * (port // self.queues) & 0xFF
        return bool(classes & self.paused_by[port])

    def cycle(self) -> None:
        """Look at the pins of a cycle."""
        self.pauses.append(int(self.dut.pfc_pause_i.value))
        valid, last = int(self.dut.m_axis_tvalid.value), int(self.dut.m_axis_tlast.value)
        for line in range(self.lines):
            if not valid >> line & 1:
                continue
            if not self.open[line]:
                tag = int(self.dut.m_axis_tdata.value) >> 8 * (line * self.bytes + 14) & 0xFF
                self.begins(line, line * self.queues + (tag >> 5) % self.queues)
            self.open[line] = not last >> line & 1

    def begins(self, line: int, port: int) -> None:
        """A frame of a queue begins."""
        late = FROM_PIN[self.queues]
        assert not self.pause(port, late), f"queue {port} begins a frame {late} cycles after it was paused"
        self.sent += 1
        others = [line * self.queues + queue for queue in range(self.queues)]
        self.coverage.hit("begins as its pause comes", self.pause(port, late - 1))
        self.coverage.hit("begins beside one that is paused", any(self.pause(each, late) for each in others))


@cocotb.test()
async def paused_queues_begin_no_frame(dut: Any) -> None:
    """Traffic of all queues while their link partners pause them.

    Stimulus: frames of every priority to all lines, each queue paused by random classes; the pins change at random,
    seldom or often; then no pause.
    Checks: no first beat of a queue stands on its line two cycles after one of its classes was paused (three where the
    line has several queues), and other queues send; once none is paused, every frame has left.
    """
    rng = randomness("tm_pfc_ports_paused")
    coverage = Coverage("tm_pfc_ports_paused")
    device = await Device(dut).start()
    ports, lines = device.ports, len(dut.m_axis_tvalid)
    for changes in (0.005, 0.02, 0.2, 0.005, 0.02, 0.2):
        paused_by = [rng.choice((1 << rng.randrange(8), rng.randrange(256), 0)) for _ in range(ports)]
        for port in range(ports):
            if ports > lines:  # queues by the lowest bit of a priority
                queues = packed([priority % 2 for priority in range(8)], 3)
                mode = registers.QueueMode.PCP
                await device.write(registers.QUEUE_SETTINGS, registers.QUEUE_SETTINGS.pack(mode=mode))
                await device.write(registers.QUEUE_PCP, queues)
            await device.write(registers.PFC_CLASSES, registers.PFC_CLASSES.pack(paused_by=paused_by[port]))
            await device.commit(port)
        watched = Lines(dut, paused_by, coverage)
        frames = [
            frame(rng.choice((64, 64, rng.randint(64, 400))), 0, rng.randrange(8), 1 << rng.randrange(lines))
            for _ in range(120)
        ]
        sending = cocotb.start_soon(device.source.send(*frames))
        pauses = 0
        for cycle in range(3000):
            await RisingEdge(dut.clk)
            watched.cycle()
            if rng.random() < changes:
                pauses = rng.choice((0, -1, pauses ^ 1 << rng.randrange(8 * lines))) % (1 << 8 * lines)
            dut.pfc_pause_i.value = pauses = pauses if cycle < 1500 else 0
        assert sending.done()
        assert watched.sent == len(frames)
        assert await device.read(registers.POOL_FREE) == 384
    own = {"begins as its pause comes": 5}
    coverage.check(own | ({"begins beside one that is paused": 60} if ports > lines else {}))


@cocotb.test()
async def a_paused_device_settles(dut: Any) -> None:
    """Frames that wait for the end of a pause.

    Stimulus: a pause of every class, two frames, 60 cycles; then none.
    Checks: `settled_o` says that whatever came has had its effect, before a frame leaves; then both leave.
    """
    device = await Device(dut).start()
    dut.pfc_pause_i.value = (1 << len(dut.pfc_pause_i)) - 1
    await device.write(registers.PFC_CLASSES, registers.PFC_CLASSES.pack(paused_by=1 << 5))
    await device.commit(0)
    await device.source.send(frame(64, 0, 5), frame(64, 0, 5))
    await device.cycles(60)
    assert int(dut.settled_o.value) & 1
    assert device.sinks.count() == 0
    dut.pfc_pause_i.value = 0
    await device.sinks.wait(2)


@pytest.mark.parametrize("parameters", [NARROW, *slow(QUEUES)], ids=["1-queue", "2-queues"])
def test_tm_pfc_ports_paused(parameters: dict[str, int]) -> None:
    build_and_test("truemark", __name__, parameters=parameters)
