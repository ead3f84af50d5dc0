# SPDX-License-Identifier: BSD-3-Clause
"""truemark with POOL: what its ports share, as its registers show it (tm_pool_ports, tm_pool_view)."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame
from truemark_dev.mutants import mutant
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import CLEARING, Device
from cocotb_tests.env.tm_pkg import Outcome

CELL = 64  # bytes
POOL = {"PORTS": 3, "DATA_W": 256, "ROWS": 1536, "DESCRIPTORS": 300, "MAX_FRAME": 2000, "POOL": 1}
CELLS = POOL["ROWS"] * POOL["DATA_W"] // 8 // CELL


async def cells(device: Device) -> dict[str, int]:
    """Return what the registers say of the pool."""
    names = ("POOL_FREE", "POOL_HELD", "POOL_WALKING", "POOL_FAULTS")
    return {name: await device.read(registers.REGISTERS[name]) for name in names}


@cocotb.test()
async def broadcast_is_kept_once(dut: Any) -> None:
    """A broadcast.

    Stimulus: a frame for three ports, held, that leaves them one after the other.
    Checks: its cells are counted once and are held until the last copy has left; then every cell is free.
    """
    device = await Device(dut).start()
    assert await device.read(registers.CAPABILITIES) & registers.CAPABILITIES["pool"].mask
    device.tx_en()
    data = packets.of_length(300)
    await device.source.send(Frame(data, ports=0b111))
    held = -(-len(data) // CELL)
    for sent, ports in enumerate([(), (0,), (0, 1), (0, 1, 2)]):
        device.tx_en(*ports)
        await device.sinks.wait(sent)
        await device.cycles(40)
        left = held if sent < 3 else 0
        kept = {"POOL_FREE": CELLS - left, "POOL_HELD": left, "POOL_WALKING": 0, "POOL_FAULTS": 0}
        assert await cells(device) == kept, f"after {sent} copies"
    assert [frame.data for port in range(3) for frame in device.sinks.received[port]] == [data] * 3


@cocotb.test()
async def one_port_may_hold_it_all(dut: Any) -> None:
    """A pool without limits.

    Stimulus: frames of 16 cells for one port that sends nothing, until there is no room; then one for another port.
    Checks: the port holds all of the pool but less than one such frame; the other port's frame finds no room either,
    and does once the first port has sent; all that was held comes out.
    """
    device = await Device(dut).start()
    device.tx_en(1, 2)
    data = packets.of_length(16 * CELL)
    count = CELLS // 16
    await device.source.send(*(Frame(data, ports=0b001) for _ in range(count + 3)))
    await device.source.send(Frame(data, ports=0b010))
    assert await device.page(0, registers.OCCUPANCY_PACKETS) == count - 1
    assert (await device.outcomes(0))[Outcome.NO_ROOM] == 4
    assert await device.outcomes(1) == {Outcome.NO_ROOM: 1}
    device.tx_en(0, 1, 2)
    await device.sinks.wait(count - 1)
    await device.cycles(CELLS)
    await device.source.send(Frame(data, ports=0b010))
    await device.sinks.wait(count)
    await device.cycles(40)
    assert (await cells(device))["POOL_FREE"] == CELLS
    assert [len(device.sinks.received[port]) for port in range(3)] == [count - 1, 1, 0]


@cocotb.test()
async def stops_at_a_fault(dut: Any) -> None:
    """A pool whose mutant writes the counts of copies with a wrong parity.

    Stimulus: a frame that is sent, then others; a reset, and nothing more.
    Checks: the registers name that memory and no other, and count the fault; what comes after it finds no room; the
    reset takes the fault away.
    """
    device = await Device(dut).start()
    data = packets.of_length(100)
    await device.source.send(Frame(data, ports=0b001))
    await device.sinks.wait(1)
    await device.cycles(40)
    faults = registers.POOL_FAULTS.unpack((await cells(device))["POOL_FAULTS"])
    assert faults == {"faults": 1, "copies": 1, "next_cells": 0, "free_cells": 0}
    await device.source.send(*(Frame(data, ports=0b010) for _ in range(3)))
    await device.cycles(40)
    assert await device.outcomes(1) == {Outcome.NO_ROOM: 3}
    dut.rst.value = 1
    await device.cycles(CLEARING)
    dut.rst.value = 0
    await device.cycles(2)
    assert await cells(device) == {"POOL_FREE": CELLS, "POOL_HELD": 0, "POOL_WALKING": 0, "POOL_FAULTS": 0}


def test_pool() -> None:
    build_and_test(
        "truemark", __name__, testcase=["broadcast_is_kept_once", "one_port_may_hold_it_all"], parameters=POOL
    )


def test_pool_fault() -> None:
    build_and_test(
        "truemark",
        __name__,
        testcase="stops_at_a_fault",
        parameters=POOL,
        # The runner takes what the extra sources reach: so the whole is among them.
        extra_sources=[ROOT / "rtl/truemark.sv", mutant("pool/tm_pool_walk.sv", "{^written", "{~^written")],
    )
