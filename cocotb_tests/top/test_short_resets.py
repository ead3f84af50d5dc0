# SPDX-License-Identifier: BSD-3-Clause
"""truemark: a reset of one cycle leaves nothing behind that the counters of later frames would show."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.truemark.sinks import Sinks
from cocotbext.truemark.source import Frame, cycle
from truemark.device import registers
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device
from cocotb_tests.env.tm_pkg import Class, Law, Outcome
from cocotb_tests.pfc.sources import CELLS, NARROW

CUT_THROUGH = {"PORTS": 2, "DATA_W": 256, "ROWS": 128, "DESCRIPTORS": 60}
WHOLE = {"PORTS": 2, "DATA_W": 128, "ROWS": 128, "DESCRIPTORS": 60, "STORE_AND_FORWARD": 1, "MAX_FRAME": 1600}
LAWS = {**CUT_THROUGH, "FLAGS_VERDICT": 1, "RED": 1, "CODEL": 1}

CAUGHT = packets.of_length(128)
LATER = [packets.padded(packets.tcp(flags="S")), packets.of_length(1500), packets.udp(payload=300)]
CLASSES = [Class.SYN, Class.DATA, Class.OTHER_IP]


async def reset(device: Device) -> None:
    """Reset for one cycle, and return in the first one in which the input is ready."""
    edge = RisingEdge(device.clock)
    device.sinks.task.cancel()
    device.reset.value = 1
    await edge
    device.reset.value = 0
    await edge
    device.sinks = Sinks(device.dut)


@cocotb.test()
async def reset_after_frame(dut: Any) -> None:
    """A reset of one cycle while a frame that has arrived is being stored.

    Stimulus: a frame for both ports; 1 to 8 cycles after its last beat a reset of one cycle, with the outputs held back
    or not; then frames of other lengths and classes.
    Checks: only the later frames come out; the lengths on `depart_len_o`, and the counters of stored frames and of
    departed ones, these of each class, with their bytes, are theirs.
    """
    device = await Device(dut).start()
    edge = RisingEdge(dut.clk)
    departed: list[int] = []

    async def watch() -> None:
        while True:
            await edge
            if not (valid := int(dut.depart_valid_o.value)):
                await dut.depart_valid_o.value_change
            elif valid & 1:
                departed.append(int(dut.depart_len_o.value) & (1 << len(dut.depart_len_o) // device.ports) - 1)

    cocotb.start_soon(watch())
    for sending in ((0, 1), ()):
        for distance in range(1, 9):
            where = f"{distance} cycles after the last beat, ports {sending} sending"
            device.tx_en(*sending)
            await device.source.send(Frame(CAUGHT, ports=0b11))
            while cycle() < device.source.sent[-1].last + distance - 1:
                await edge
            assert cycle() == device.source.sent[-1].last + distance - 1
            await reset(device)
            device.tx_en(0, 1)
            await device.cycles(registers.clearing(device.ports, max(registers.LAST_CODES.values())))
            departed.clear()
            await device.source.send(*(Frame(data, ports=0b11) for data in LATER))
            await device.sinks.wait(2 * len(LATER))
            await device.cycles(100)
            assert departed == [*map(len, LATER)], f"{where}: frames of {departed} bytes have left"
            await device.snapshot()
            for port in range(2):
                assert [frame.data for frame in device.sinks.received[port]] == LATER, where
                for data, class_id in zip(LATER, CLASSES, strict=True):
                    counted = await device.total(port, Outcome.DEPARTED, class_id << 1, 0b1110)
                    assert counted == (1, len(data)), f"{where}: port {port}, {class_id.name}: {counted}"
                for code in (Outcome.PASS, Outcome.DEPARTED):
                    assert await device.total(port, code) == (len(LATER), sum(map(len, LATER))), f"{where}: {code.name}"


@cocotb.test()
async def reset_ends_a_configuration(dut: Any) -> None:
    """A reset of one cycle while a configuration is in force that would refuse, mark or hold the frame behind it.

    Stimulus: a port that is not enabled, has a limit, marks from the first byte on or, with a pool, may have a cell or
        is left what others' reserves leave; a reset of one cycle; frames from the first cycle on in which the input is
        ready, or up to three later.
    Checks: every frame comes out, as it came.
    """
    device = await Device(dut).start()
    edge = RisingEdge(dut.clk)
    frames = sorted(LATER, key=len, reverse=True)  # the longest first: it has to find the most room
    step = {"CONTROL": {"law0": Law.STEP}, "K0": 0}
    settings: list[dict[int, dict[str, Any]]] = [
        {0: {"CONTROL": {"enable": 0}}},
        {0: {"CONTROL": {"limit_bytes_on": 1}, "LIMIT_BYTES": 100}},
        {0: {"CONTROL": {"limit_packets_on": 1}, "LIMIT_PACKETS": 1}},
        {0: step},
    ]
    assert device.build is not None
    if device.build.has("pool"):
        reserve = {"POOL_RESERVE": (CELLS - 8) // 2}
        settings += [{1: reserve, 2: reserve}, {0: {"POOL_THRESHOLD": {"cells": 1}}}]
    for setting in settings:
        for late in range(4):
            for port, registers_ in setting.items():
                await device.configure(port, **registers_)
            await reset(device)
            for _ in range(late):
                await edge
            await device.source.send(*(Frame(data, ports=1) for data in frames))
            await device.cycles(200)
            assert [frame.data for frame in device.sinks.received[0]] == frames, f"{setting}, {late} cycles late"


@cocotb.test()
async def reset_ends_a_commit(dut: Any) -> None:
    """A reset of one cycle while a commit finds what is wrong.

    Stimulus: a configuration with a fault in an early word and one in a late word; from its commit on, after each
        number of cycles, a reset of one cycle.
    Checks: no fault is left, and none comes.
    """
    device = await Device(dut).start()
    assert device.build is not None
    early = {"law0": Law.STEP} if device.build.has("red") else {"law0": Law.RED}
    for distance in range(100):
        await device.command(0, load=1)
        await device.write("CONTROL", registers.CONTROL.pack(enable=1, **early))
        await device.write("RED0_SETTINGS", registers.RED0_SETTINGS.pack(weight=31))
        await device.write("CODEL_SETTINGS", registers.CODEL_SETTINGS.pack(on=1))
        await device.write("COMMAND", registers.COMMAND.pack(commit=1))
        await device.cycles(distance)
        await reset(device)
        for _ in range(3):
            status = registers.STATUS.unpack(await device.read("STATUS"))
            assert (status["refused"], status["fault"]) == (0, 0), f"{distance} cycles after the commit: {status}"
    await device.command(0, load=1)
    await device.write("CONTROL", registers.CONTROL.pack(enable=1, law0=Law.RED))
    assert registers.STATUS.unpack(await device.command(0, commit=1))["refused"], "there was a fault to be found"


@cocotb.test()
async def reset_begins_the_time(dut: Any) -> None:
    """A reset of one cycle after the host has changed what a cycle adds to the time.

    Stimulus: TIME_STEP as it was, long and short; a reset of one cycle.
    Checks: so many cycles later the time is what it is if the host has changed nothing.
    """
    device = await Device(dut).start()
    found = []
    for step in (registers.TIME_STEP.reset, 200 << 24, 1):
        await device.write("TIME_STEP", step)
        await device.cycles(10)
        await reset(device)
        await device.cycles(50)
        found.append((await device.read("TIME_LOW"), await device.read("TIME_STEP")))
    assert found[0] == found[1] == found[2], f"time and step: {found}"


@pytest.mark.parametrize(
    "parameters", [CUT_THROUGH, *slow(WHOLE, LAWS, NARROW)], ids=["cut-through", "store-and-forward", "laws", "pool"]
)
def test_short_resets(parameters: dict[str, int]) -> None:
    build_and_test("truemark", __name__, parameters=parameters)


def test_short_resets_of_a_pool() -> None:
    build_and_test("truemark", __name__, parameters=NARROW, testcase="reset_ends_a_configuration")
