# SPDX-License-Identifier: BSD-3-Clause
"""truemark: the commands a person gives a port."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device, RefusedError
from cocotb_tests.env.policy import Policy, true_mark
from cocotb_tests.env.tm_pkg import Outcome
from cocotb_tests.top.test_scenarios import PARAMETERS, K, settle


@cocotb.test()
async def refused_commit(dut: Any) -> None:
    """An impossible configuration changes nothing.

    Stimulus: true-mark at K = 3000 is in force; then a commit with K above the limit; then frames.
    Checks: the commit is refused with the fault of K0, and the port still marks above 3000 bytes.
    """
    device = await Device(dut).start()
    await device.apply(0, true_mark(K, limit_bytes=8000))
    with pytest.raises(RefusedError) as refused:
        await device.apply(0, true_mark(9000, limit_bytes=8000))
    assert refused.value.code == registers.Fault.K0
    device.tx_en()
    await device.source.send(*(Frame(packets.of_length(1000)) for _ in range(8)))
    await settle(device)
    assert await device.outcomes(0) == {Outcome.PASS: 4, Outcome.MARK: 4}


@cocotb.test()
async def flush(dut: Any) -> None:
    """A flush drops what waits, not what leaves.

    Stimulus: ten frames on ports 0 and 1; the first of port 0 has begun to leave and stands still; a flush of port 0;
    three more frames.
    Checks: port 0 sends the leaving frame whole and the three later ones, counts nine head drops with their bytes; port
    1 sends all thirteen. A code that the build does not count is refused.
    """
    device = await Device(dut).start()
    device.tx_en(0)
    device.sinks.ready[0] = lambda: False
    frames = [packets.of_length(200 + number) for number in range(13)]
    await device.source.send(*(Frame(data, ports=0b11) for data in frames[:10]))
    status = await device.command(0, flush=1)
    while status & registers.STATUS["flush_busy"].mask:
        status = await device.read(registers.STATUS)
        device.sinks.ready[0] = lambda: True
    device.tx_en(0, 1)
    await device.source.send(*(Frame(data, ports=0b11) for data in frames[10:]))
    await device.sinks.wait(4 + 13)
    await settle(device)
    assert [frame.data for frame in device.sinks.received[0]] == frames[:1] + frames[10:]
    assert [frame.data for frame in device.sinks.received[1]] == frames
    assert await device.page(0, registers.OCCUPANCY_PACKETS) == 0
    await device.snapshot()
    assert await device.total(0, Outcome.HEAD_DROPPED) == (9, sum(map(len, frames[1:10])))
    assert (await device.total(0, Outcome.DEPARTED))[0] == 4
    with pytest.raises(ValueError, match=r"^code 16: this build counts codes 0 to 15$"):
        await device.total(0, registers.Code.DEPARTED_MARKED)


@cocotb.test()
async def soft_reset(dut: Any) -> None:
    """A soft reset flushes and clears the watermarks.

    Stimulus: 2000 bytes wait on ports 0 and 1, then a soft reset of port 0, then one frame of 100 bytes.
    Checks: port 0 has dropped its frames, its watermarks are those of the last frame; port 1 keeps both; policy stays.
    """
    device = await Device(dut).start()
    await device.apply(0, true_mark(K))
    device.tx_en()
    await device.source.send(*(Frame(packets.of_length(500), ports=0b11) for _ in range(4)))
    await settle(device)
    assert await device.page(0, registers.WATERMARK_BYTES) == 2000
    await device.command(0, soft_reset=1)
    await device.cycles(200)
    assert await device.page(0, registers.OCCUPANCY_BYTES) == 0
    await device.source.send(Frame(packets.of_length(100), ports=0b01))
    await settle(device)
    assert await device.page(0, registers.WATERMARK_BYTES) == 100
    assert await device.page(0, registers.WATERMARK_PACKETS) == 1
    assert await device.page(1, registers.WATERMARK_BYTES) == 2000
    assert await device.page(1, registers.OCCUPANCY_PACKETS) == 4
    assert (await device.outcomes(0))[Outcome.HEAD_DROPPED] == 4
    await device.command(0, load=1)
    assert await device.read(registers.K0) == K


@cocotb.test()
async def enable(dut: Any) -> None:
    """A port that is switched off takes nothing and lets go what it holds.

    Stimulus: three frames wait, the port is disabled, three more come, it is enabled, one more.
    Checks: the first three and the last one leave; three are counted as disabled.
    """
    device = await Device(dut).start()
    device.tx_en()
    frames = [packets.of_length(100 + number) for number in range(7)]
    await device.source.send(*map(Frame, frames[:3]))
    await device.apply(0, Policy(enable=False))
    await device.source.send(*map(Frame, frames[3:6]))
    await device.apply(0, Policy())
    await device.source.send(Frame(frames[6]))
    device.tx_en(0)
    await device.sinks.wait(4)
    await settle(device)
    assert [frame.data for frame in device.sinks.received[0]] == frames[:3] + frames[6:]
    outcomes = await device.outcomes(0)
    assert outcomes == {Outcome.PASS: 4, Outcome.DISABLED: 3, Outcome.DEPARTED: 4}


def test_commands() -> None:
    build_and_test("truemark", __name__, parameters=PARAMETERS)
