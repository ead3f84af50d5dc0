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
from cocotb_tests.env.tm_pkg import Class, Outcome

CUT_THROUGH = {"PORTS": 2, "DATA_W": 256, "ROWS": 128, "DESCRIPTORS": 60}
WHOLE = {"PORTS": 2, "DATA_W": 128, "ROWS": 128, "DESCRIPTORS": 60, "STORE_AND_FORWARD": 1, "MAX_FRAME": 1600}
LAWS = {**CUT_THROUGH, "FLAGS_VERDICT": 1, "RED": 1, "CODEL": 1}

CAUGHT = packets.of_length(128)
LATER = [packets.padded(packets.tcp(flags="S")), packets.of_length(1500), packets.udp(payload=300)]
CLASSES = [Class.SYN, Class.DATA, Class.OTHER_IP]


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
            device.sinks.task.cancel()
            dut.rst.value = 1
            await edge
            dut.rst.value = 0
            await edge
            device.sinks = Sinks(dut)
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


@pytest.mark.parametrize(
    "parameters", [CUT_THROUGH, *slow(WHOLE, LAWS)], ids=["cut-through", "store-and-forward", "laws"]
)
def test_short_resets(parameters: dict[str, int]) -> None:
    build_and_test("truemark", __name__, parameters=parameters)
