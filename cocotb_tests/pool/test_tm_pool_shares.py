# SPDX-License-Identifier: BSD-3-Clause
"""truemark with POOL: which share of the pool each port has (tm_pool_shares, tm_pool_share, tm_pool_room)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cocotb
import pytest
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device, RefusedError
from cocotb_tests.env.tm_pkg import Outcome
from cocotb_tests.pool.cells import CELL, CELLS, POOL, cells


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
    Checks: port 0 leaves the reserve free; port 1 has its reserve except for the cells that frames on their
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


def test_pool_shares() -> None:
    build_and_test(
        "truemark",
        __name__,
        testcase=[
            "greedy_ports_share",
            "static_threshold_is_exact",
            "reserve_is_kept",
            "wrong_shares_are_refused",
        ],
        parameters=POOL,
    )
