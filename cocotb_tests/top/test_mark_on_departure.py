# SPDX-License-Identifier: BSD-3-Clause
"""Marking at departure: each copy of a frame leaves as its own port's law says."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device
from cocotb_tests.env.tm_pkg import Ecn, Law, Outcome

LAW = {"law0": int(Law.STEP), "slot_of": 1 << Ecn.NOT_ECT}
PARAMETERS = {"PORTS": 4, "ROWS": 512, "DESCRIPTORS": 60, "MARK_ON_DEPARTURE": 1}


@cocotb.test()
async def each_copy_by_its_own_port(dut: Any) -> None:
    """One arrival, four ports.

    Stimulus: 40 frames of 150 to 423 bytes and all codepoints, each to all four ports, which are held back and then
    let go. Port 0 judges at departure with K of what the last ten frames weigh, port 1 with a byte less, port 2
    on arrival with port 0's K, port 3 at departure with a K that nothing exceeds.
    Checks: all that comes out, byte for byte with its checksum: at departure the ECT frames that leave more than K
    behind, on arrival those that found more. The two marks fall on other frames. Each port counts its own.
    """
    device = await Device(dut).start()
    sent = [packets.of_length(150 + 7 * n, ecn=Ecn(n % 4), version=4 + 2 * (n // 4 % 2)) for n in range(40)]
    lengths = [len(data) for data in sent]
    k = sum(lengths[-10:])
    for port, (threshold, at_departure) in enumerate([(k, 1), (k - 1, 1), (k, 0), (sum(lengths), 1)]):
        await device.configure(port, CONTROL={**LAW, "mark_on_departure": at_departure}, K0=threshold)
    device.tx_en()
    for data in sent:
        device.source.put(Frame(data, ports=0b1111))
    await device.source.drain()
    await device.cycles(20)
    assert [await device.page(port, registers.OCCUPANCY_PACKETS) for port in range(4)] == [40] * 4
    device.tx_en(0, 1, 2, 3)
    await device.sinks.wait(160)
    await device.cycles(20)

    ect = [n % 4 in (Ecn.ECT0, Ecn.ECT1) for n in range(40)]
    more = [
        [sum(lengths[n + 1 :]) > k for n in range(40)],
        [sum(lengths[n + 1 :]) >= k for n in range(40)],
        [sum(lengths[:n]) > k for n in range(40)],
        [False] * 40,
    ]
    assert more[1].index(False) == more[0].index(False) + 1 == 30
    assert ect[29]
    for port in range(4):
        marked = [can and above for can, above in zip(ect, more[port], strict=True)]
        expected = [packets.marked(data) if mark else data for data, mark in zip(sent, marked, strict=True)]
        assert [frame.data for frame in device.sinks.received[port]] == expected, f"port {port}"
        assert not any(frame.error for frame in device.sinks.received[port])
        outcomes = await device.outcomes(port)
        assert outcomes.get(Outcome.MARK, 0) == (sum(marked) if port == 2 else 0), f"port {port}: {outcomes}"
        late = (await device.total(port, registers.Code.DEPARTED_MARKED))[0]
        assert late == (0 if port == 2 else sum(marked)), f"port {port}"


@pytest.mark.parametrize("copy", [0, *slow(1)], ids=["rewritten as it leaves", "a second copy"])
def test_mark_on_departure(copy: int) -> None:
    build_and_test("truemark", __name__, parameters={**PARAMETERS, "MARKED_COPY": copy})
