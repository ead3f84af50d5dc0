# SPDX-License-Identifier: BSD-3-Clause
"""truemark with POOL: what its ports share, as its registers show it (tm_pool_ports, tm_pool_view)."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.task import bridge, resume
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame
from truemark.device import tables
from truemark.device.device import Device as HostDevice
from truemark.device.pool import PoolState, PortCells, pool_state
from truemark_dev.mutants import mutant
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import CLEARING, Device
from cocotb_tests.env.tm_pkg import Outcome
from cocotb_tests.pool.cells import CELL, CELLS, POOL, cells


async def host_sees(device: Device) -> PoolState | None:
    """Return what the host tool reads of the pool, word by word over the bus."""
    host = HostDevice(resume(device.read), resume(device.write))
    return await bridge(pool_state)(host, 3)


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
        left_to = [held if port not in ports else 0 for port in range(3)]
        of_ports = tuple(PortCells(port, many, held, 0) for port, many in enumerate(left_to))
        assert await host_sees(device) == PoolState(CELL, CELLS - left, left, 0, held, 0, (), of_ports)
    assert [frame.data for port in range(3) for frame in device.sinks.received[port]] == [data] * 3


@cocotb.test()
async def watermarks_keep_the_most(dut: Any) -> None:
    """Cells come and go.

    Stimulus: a broadcast and frames for two ports; all leave, the watermarks of one port or of port 0 are cleared, and
    fewer come.
    Checks: each port's watermark is the most cells it had and the pool's the most that were not free, once each frame;
    clearing restarts those of the port in PAGE from what there is, and port 0's the pool's, too.
    """
    device = await Device(dut).start()

    async def watermarks() -> tuple[int, list[int]]:
        await device.cycles(40)
        each = [await device.page(port, registers.WATERMARK_CELLS) for port in range(3)]
        return await device.read(registers.POOL_WATERMARK), each

    def frames(cells: int, ports: int) -> Frame:
        return Frame(packets.of_length(cells * CELL), ports=ports)

    async def come_and_go(*sent: Frame) -> None:
        device.tx_en()
        await device.source.send(*sent)
        await device.cycles(40)
        device.tx_en(0, 1, 2)
        await device.cycles(400)
        assert await device.read(registers.POOL_FREE) == CELLS
        device.tx_en()

    assert await watermarks() == (0, [0, 0, 0])
    # The first frame of a port is read ahead: so each has one that blocks it.
    await come_and_go(frames(5, 0b111), frames(10, 0b011), frames(3, 0b001))
    assert await watermarks() == (18, [18, 15, 5])
    await come_and_go(frames(5, 0b111), frames(1, 0b100))
    assert await watermarks() == (18, [18, 15, 6])
    await device.command(1, clear_watermarks=1)
    assert await watermarks() == (18, [18, 0, 6])
    await come_and_go(frames(4, 0b010))
    assert await watermarks() == (18, [18, 4, 6])
    await device.source.send(frames(7, 0b101))
    await device.cycles(40)
    await device.command(0, clear_watermarks=1)
    assert await watermarks() == (7, [7, 4, 7])


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
    assert (seen := await host_sees(device)) is not None
    assert tables.pool_remarks(seen) == ["the pool stores nothing until a reset: a parity was wrong, 1 times: copies"]
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
        "truemark",
        __name__,
        testcase=[
            "broadcast_is_kept_once",
            "watermarks_keep_the_most",
            "one_port_may_hold_it_all",
        ],
        parameters=POOL,
    )


def test_pool_fault() -> None:
    build_and_test(
        "truemark",
        __name__,
        testcase="stops_at_a_fault",
        parameters=POOL,
        # The runner takes what the extra sources reach: so the whole is among them.
        extra_sources=[
            ROOT / "rtl/truemark.sv",
            mutant("pool/tm_pool_walk.sv", "close_q ? {^close_count_q", "close_q ? {~^close_count_q"),
        ],
    )
