# SPDX-License-Identifier: BSD-3-Clause
"""truemark: a stuck output, a reset, a commit or a wrong register access in the middle of traffic hurts nobody else."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiResp
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame, never, start
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import CLEARING, Device
from cocotb_tests.env.policy import true_mark
from cocotb_tests.env.tm_pkg import Bad, Outcome
from cocotb_tests.top.bad_bench import AFTER, BEFORE, CUT_THROUGH, MAX_FRAME, WHOLE, around, beat_bytes, whole


@cocotb.test()
async def stuck_output(dut: Any) -> None:
    """An output that takes nothing for 10,000 cycles.

    Stimulus: port 0 stands still with a frame on its pins while frames for all ports keep coming; then it goes on.
    Checks: the others get all their frames meanwhile; what stands on port 0 does not change (the sink looks); then all
    frames it held come out. (10^6 cycles: sim/bench.)
    """
    device = await Device(dut).start()
    device.sinks.ready[0] = never
    frames = [packets.of_length(600 + n) for n in range(40)]
    await device.source.send(*(Frame(data, ports=0b111) for data in frames))
    await device.sinks.wait(80)
    await device.cycles(10_000)
    held = await device.page(0, registers.OCCUPANCY_PACKETS) + 1  # and the one on the pins
    device.sinks.ready[0] = device.sinks.ready[1]
    await device.sinks.wait(80 + held)
    assert [frame.data for frame in device.sinks.received[0]] == frames[:held]
    assert device.sinks.count() == 80 + held


@cocotb.test()
async def reset_in_mid_frame(dut: Any) -> None:
    """A reset while a frame arrives and another leaves.

    Stimulus: a reset between the beats of a frame; upstream, which was not reset, goes on with beats that show no
    destination; then good frames.
    Checks: the counter of resets in mid-frame survives the reset and is one more; the leftover is counted as having no
    destination; all good frames come out, nothing else.
    """
    device = Device(dut)
    dut.time_external_i.value, dut.time_i.value, dut.tx_en_i.value = 0, 0, 0b111
    dut.m_axis_tready.value = 0b111
    pins = {name: getattr(dut, f"s_axis_t{name}") for name in ("valid", "data", "keep", "last", "dest", "user")}
    for pin in pins.values():
        pin.value = 0
    for name in ("awvalid", "wvalid", "arvalid", "bready", "rready"):
        getattr(dut, f"s_axil_{name}").value = 0
    await start(dut, clock="clk", reset="rst", cycles=CLEARING)
    edge = RisingEdge(dut.clk)
    await edge
    width = beat_bytes(dut)
    data = packets.of_length(1000)
    resets = 3
    for _ in range(resets):
        for beat in range(10):
            pins["valid"].value, pins["last"].value, pins["keep"].value = 1, 0, (1 << width) - 1
            pins["data"].value = int.from_bytes(data[beat * width : (beat + 1) * width], "little")
            pins["dest"].value, pins["user"].value = 0b111, len(data)
            await edge
        dut.rst.value = 1
        pins["valid"].value = 0
        await edge
        dut.rst.value = 0
        await edge
    # the leftover of the last one, without a destination
    pins["dest"].value, pins["valid"].value = 0, 1
    await edge
    pins["last"].value = 1
    await edge
    pins["valid"].value = 0
    for _ in range(20):
        await edge
        assert int(dut.m_axis_tvalid.value) == 0, "something is left of the frame"
    before = resets
    # again with the bench, whose reset finds no frame
    device = await Device(dut).start(clocked=True)
    await device.source.send(*(Frame(frame, ports=0b111) for frame in AFTER))
    await device.sinks.wait(3 * len(AFTER))
    for port in range(3):
        assert [frame.data for frame in device.sinks.received[port]] == AFTER
    counted = await device.bad()
    assert counted[Bad.RESET] == before, f"{counted}"


@cocotb.test()
async def undefined_addresses(dut: Any) -> None:
    """Registers that do not exist.

    Stimulus: writes to and reads of every undefined address from 0x100 up, and below, where NetFPGA's registers are.
    Checks: SLVERR from 0x100 up; below OKAY and 0xDEADBEEF; nothing has changed, traffic goes on.
    """
    device = await Device(dut).start()
    defined = {register.address for register in registers.REGISTERS.values()}
    for address in sorted({*range(0x100, 0x1000, 4)} - defined):
        answer = await device.axil.write(address, b"\xff\xff\xff\xff")
        assert answer.resp == AxiResp.SLVERR, f"write of {address:#x}: {answer.resp}"
        read = await device.axil.read(address, 4)
        assert read.resp == AxiResp.SLVERR, f"read of {address:#x}: {read.resp}"
    for address in (0x000, 0x0FC):
        await device.write(address, 0xFFFFFFFF)
        assert await device.read(address) == 0xDEADBEEF
    assert await device.read(registers.ID) == 0x54524D4B
    assert await around(device, held_back=False) == []


@cocotb.test()
async def commit_in_mid_frame(dut: Any) -> None:
    """A commit while a frame arrives.

    Stimulus: the port gets a lower K and a byte limit below what it holds, in the middle of a long frame; more frames
    follow.
    Checks: the frame that was judged before it comes out unmarked and whole, what is held is kept, the next frame meets
    the new limit (in store-and-forward, where the verdict is at the end, the long frame itself does).
    """
    device = await Device(dut).start()
    device.tx_en()
    await device.apply(0, true_mark(4000))
    await device.source.send(Frame(BEFORE))
    await device.shadow(true_mark(100, limit_bytes=1500))
    await device.write(registers.PAGE, 0)
    long, late = packets.of_length(MAX_FRAME), packets.of_length(100)
    device.source.gaps = lambda: 12
    device.source.put(Frame(long))
    await device.cycles(100)
    await device.write(registers.COMMAND, registers.COMMAND.pack(commit=1))
    assert not device.source.sent[1:], "the frame had ended before the commit"
    await device.source.drain()
    await device.source.send(Frame(late))
    assert await device.page(0, registers.OCCUPANCY_PACKETS) == 2
    device.tx_en(0, 1, 2)
    await device.sinks.wait(2)
    await device.source.send(Frame(late), Frame(late), Frame(late))
    await device.cycles(300)
    expected = [BEFORE, packets.marked(late) if whole() else long, late, late, late]
    assert [frame.data for frame in device.sinks.received[0]] == expected
    assert (await device.outcomes(0))[Outcome.TAIL_BYTES] == 1


# A pool of three ports (tm_pool_ports) holds as much as their rings.
POOL = CUT_THROUGH | {"POOL": 1, "ROWS": 3 * CUT_THROUGH["ROWS"]}


@pytest.mark.parametrize(
    "parameters", [POOL, *slow(CUT_THROUGH, WHOLE)], ids=["pool", "cut-through", "store-and-forward"]
)
def test_bad_moments(parameters: dict[str, int]) -> None:
    mode = str(parameters.get("STORE_AND_FORWARD", 0))
    build_and_test("truemark", __name__, parameters=parameters, extra_env={"STORE_AND_FORWARD": mode})
