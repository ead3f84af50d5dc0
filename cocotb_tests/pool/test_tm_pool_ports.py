# SPDX-License-Identifier: BSD-3-Clause
"""truemark with POOL: what its ports share, as its registers show it (tm_pool_ports, tm_pool_view)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cocotb
import pytest
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
from cocotb_tests.env.device import CLEARING, Device, RefusedError
from cocotb_tests.env.tm_pkg import Outcome

CELL = 64  # bytes
POOL = {"PORTS": 3, "DATA_W": 256, "ROWS": 768, "DESCRIPTORS": 450, "MAX_FRAME": 2000, "POOL": 1}
CELLS = POOL["ROWS"] * POOL["DATA_W"] // 8 // CELL


async def cells(device: Device) -> dict[str, int]:
    """Return what the registers say of the pool."""
    names = ("POOL_FREE", "POOL_HELD", "POOL_WALKING", "POOL_FAULTS")
    return {name: await device.read(registers.REGISTERS[name]) for name in names}


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


async def give(device: Device, port: int, *, reserve: int = 0, **threshold: int) -> None:
    """Give a port a share of the pool: cells, and the fields of POOL_THRESHOLD."""
    await device.write(registers.POOL_RESERVE, reserve)
    await device.write(registers.POOL_THRESHOLD, registers.POOL_THRESHOLD.pack(**threshold))
    await device.commit(port)


async def fill(device: Device, ports: list[int], cell_count: int) -> list[int]:
    """Offer each of these ports more frames of so many cells than fit, in turn; return the cells that each has."""
    data = packets.of_length(cell_count * CELL)
    for _ in range(CELLS // cell_count // len(ports) + 8):
        await device.source.send(*(Frame(data, ports=1 << port) for port in ports))
    await device.cycles(40)
    return [await device.page(port, registers.POOL_CELLS) for port in ports]


async def drain(device: Device) -> None:
    """Let all leave: every cell must be free then."""
    device.tx_en(0, 1, 2)
    await device.cycles(40 + 8 * CELLS)
    assert (await cells(device))["POOL_FREE"] == CELLS
    assert [await device.page(port, registers.POOL_CELLS) for port in range(3)] == [0, 0, 0]
    device.tx_en()


@cocotb.test()
async def greedy_ports_share(dut: Any) -> None:
    """Dynamic thresholds, as Choudhury and Hahne have them.

    Stimulus: S = 1, 2 and 3 ports that send nothing and are offered more than fits, in turn, with alpha 1/8, 1 and 8;
    frames of one cell.
    Checks: each has alpha B / (1 + S alpha) cells, within alpha + 1 of them, for the threshold moves by alpha with
    each cell; B is what is free beyond the spare cells. What was refused is counted.
    """
    device = await Device(dut).start()
    device.tx_en()
    spare = 3  # as tm_pool_room says
    for exponent in (-3, 0, 3):
        alpha = Fraction(2) ** exponent
        for ports in ([1], [0, 2], [0, 1, 2]):
            before = [await device.page(port, registers.POOL_REFUSED) for port in ports]
            for port in range(3):
                await give(device, port, dynamic=1, exponent=exponent % 16)
            has = await fill(device, ports, 1)
            fair = alpha * (CELLS - spare) / (1 + len(ports) * alpha)
            for each in has:
                assert abs(each - fair) <= alpha + 1, (
                    f"alpha {alpha}, {len(ports)} ports: {has}, fair are {float(fair)}"
                )
            refused = [await device.page(port, registers.POOL_REFUSED) for port in ports]
            assert all(now > then for then, now in zip(before, refused, strict=True))
            await drain(device)


@cocotb.test()
async def static_threshold_is_exact(dut: Any) -> None:
    """A number of cells, and a reserve.

    Stimulus: a port that sends nothing and is offered frames of one cell, and of sixteen.
    Checks: it has as many as its reserve and its threshold are together, to the cell; what it was refused counts as
    `no_room` and in POOL_REFUSED.
    """
    device = await Device(dut).start()
    for cell_count in (1, 16):
        before = await device.page(1, registers.POOL_REFUSED)
        no_room = (await device.outcomes(1)).get(Outcome.NO_ROOM, 0)
        await give(device, 1, reserve=35, cells=77)
        device.tx_en()
        assert await fill(device, [1], cell_count) == [112]
        refused = await device.page(1, registers.POOL_REFUSED) - before
        ahead = 1 if cell_count == 1 else 0  # all its rows have been read ahead, and its cell is free
        assert refused == CELLS // cell_count + 8 - 112 // cell_count - ahead
        assert (await device.outcomes(1))[Outcome.NO_ROOM] == no_room + refused
        await drain(device)


@cocotb.test()
async def reserve_is_kept(dut: Any) -> None:
    """A reserve next to a port that may have everything.

    Stimulus: port 0, without a threshold, is offered more than fits; then port 1, with a reserve, as much.
    Checks: port 0 leaves the reserve free; port 1 has its reserve except for the six cells that frames on their
    way may need; a third port has nothing.
    """
    device = await Device(dut).start()
    await give(device, 1, reserve=100)
    for cell_count in (1, 5, 16):
        device.tx_en()
        [greedy] = await fill(device, [0], cell_count)
        assert CELLS - 100 - 6 - cell_count < greedy <= CELLS - 100
        [kept] = await fill(device, [1], cell_count)
        assert kept > 100 - 6 - cell_count
        assert await fill(device, [2], cell_count) == [0]
        await drain(device)


@cocotb.test()
async def wrong_shares_are_refused(dut: Any) -> None:
    """What no port can have.

    Stimulus: reserves that come to more than the pool, thresholds out of range.
    Checks: each is refused as a whole with its field, and what was in force stays.
    """
    device = await Device(dut).start()
    await give(device, 0, reserve=CELLS // 2)
    with pytest.raises(RefusedError, match="pool_reserve"):
        await give(device, 1, reserve=CELLS // 2 - 7)
    await give(device, 1, reserve=CELLS // 2 - 8)
    for threshold in (
        {"cells": CELLS + 1},
        {"cells": 1, "dynamic": 1},
        {"exponent": 4, "dynamic": 1},
        {"exponent": 8, "dynamic": 1},
        {"exponent": 1},
    ):
        with pytest.raises(RefusedError, match="pool_threshold"):
            await give(device, 2, **threshold)
    device.tx_en()
    assert (await fill(device, [2], 1))[0] < 16  # without a threshold: all that two reserves leave
    await drain(device)


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
            "greedy_ports_share",
            "static_threshold_is_exact",
            "reserve_is_kept",
            "wrong_shares_are_refused",
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
            mutant("pool/tm_pool_walk.sv", "close_q ? ^close_count_q", "close_q ? ~^close_count_q"),
        ],
    )
