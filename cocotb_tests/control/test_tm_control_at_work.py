# SPDX-License-Identifier: BSD-3-Clause
"""tm_control at work: reads and writes at once, commands that reach a port, wrong frames counted (tm_mishaps)."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark.device import registers as reg
from truemark_dev.runner import build_and_test

from cocotb_tests.control.host import Host
from cocotb_tests.control.test_tm_control import each_build
from cocotb_tests.env.bench import randomness
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.tm_pkg import ORDER


@cocotb.test()
async def takes_turns(dut: Any) -> None:
    """Reads and writes at once.

    Stimulus: a read and a write that wait at the same time, many times, both held up at random.
    Checks: all are answered; neither waits for more than one of the other.
    """
    host = await Host.start(dut, 5)
    rng = randomness("tm_control turns")
    host.axi.pause = lambda: rng.random() < 0.3
    order: list[str] = []

    async def watch() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            if host.axi.request.get("ar_valid") and host.axi.response.get("ar_ready"):
                order.append("r")
            if host.axi.request.get("aw_valid") and host.axi.response.get("aw_ready"):
                order.append("w")

    async def read_all() -> None:
        for _ in range(100):
            assert await host.read(reg.ID) == 0x54524D4B

    cocotb.start_soon(watch())
    task = cocotb.start_soon(read_all())
    for number in range(100):
        await host.write(reg.PAGE, number % 16)
    await task
    assert order.count("r") == order.count("w") == 100
    assert not any(trio in "".join(order) for trio in ("rrr", "www"))


@cocotb.test()
async def starts_each_command_once(dut: Any) -> None:
    """Commands that reach a port.

    Stimulus: flush and soft reset on each port and on one that is not there, by byte strobes that miss the command too.
    Checks: one pulse of the right port, or none.
    """
    host = await Host.start(dut, 5)
    pulses, order = [0, 0, 0], Fields(dut.order_o, ORDER)

    async def count() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            for p in range(3):
                pulses[p] += (order.get("flush") >> p) & 1

    cocotb.start_soon(count())
    await host.command(0, "flush")
    await host.command(2, "soft_reset")
    await host.command(2, "flush", "soft_reset")
    await host.command(3, "flush")
    await host.axi.write(reg.COMMAND.address + 1, b"\xff")
    await host.wait(5)
    assert pulses == [1, 0, 2]


@cocotb.test()
async def counts_wrong_frames(dut: Any) -> None:
    """Wrong frames by kind, frames cut short by port.

    Stimulus: one wrong frame in every cycle, then wrong frames and all ports' cut-short pulses in every second one,
    while the host reads; a reset; a reset in mid-frame.
    Checks: exact counts, those read under load never run backwards; a reset clears all but its own kind.
    """
    host = await Host.start(dut, 5)
    await host.wait(40)
    rng = randomness("tm_control wrong")
    kinds = [reg.REGISTERS[f"BAD_{name}"] for name in (
        "NO_DESTINATION", "RUNT", "OVERSIZE", "KEEP_HOLE", "LENGTH_MISMATCH", "ERROR_BIT", "RESET")]  # fmt: skip
    bad, cut = [0] * 7, [0] * 3

    async def load() -> None:
        for n in range(3000):
            both = n >= 1000
            kind = rng.randrange(6) if n % 3 else 4
            pulses = rng.choice((7, 7, 0, 5)) if both and n % 2 else 0
            host.mishap.set(valid=not both or n % 2, kind=kind)
            host.arrival.set(cut=pulses)
            if not both or n % 2:
                bad[kind] += 1
            for p in range(3):
                cut[p] += (pulses >> p) & 1
            await RisingEdge(dut.clk_i)
        host.mishap.set(valid=0)
        host.arrival.set(cut=0)

    task = cocotb.start_soon(load())
    last = 0
    while not task.done():
        now = await host.read(reg.BAD_LENGTH_MISMATCH)
        assert last <= now <= bad[4]
        last = now
    await host.wait(20)
    counted = [await host.read(register) for register in kinds]
    assert counted == bad, f"{counted} {bad}"
    for p in range(3):
        await host.write(reg.PAGE, p)
        assert await host.read(reg.CUT_SHORT) == cut[p]
    dut.rst_i.value = 1
    host.mishap.set(reset_in_frame=1)
    await RisingEdge(dut.clk_i)
    host.mishap.set(reset_in_frame=0)
    await host.wait(3)
    dut.rst_i.value = 0
    await host.wait(50)
    assert [await host.read(register) for register in kinds] == [0, 0, 0, 0, 0, 0, 1]
    assert await host.read(reg.CUT_SHORT) == 0


@each_build
def test_tm_control_at_work(parameters: dict[str, int]) -> None:
    build_and_test("tm_control", __name__, parameters=parameters)
