# SPDX-License-Identifier: BSD-3-Clause
"""truemark with POOL: a reserve is there for its port, whatever comes back, is for several ports, or is committed."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotbext.truemark import registers
from cocotbext.truemark.source import Frame
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device, RefusedError
from cocotb_tests.env.tm_pkg import Outcome
from cocotb_tests.pool.cells import CELL, CELLS, POOL
from cocotb_tests.pool.test_tm_pool_shares import drain, fill, give

MARGIN = 12  # cells of a reserve, which frames on their way may need


@cocotb.test()
async def aborts_leave_it_alone(dut: Any) -> None:
    """Cells that come back are nobody else's.

    Stimulus: port 0, without a threshold, is offered more than fits; then frames for port 1 that fit into its reserve
    and turn out wrong at their end, each with frames for port 0 behind it.
    Checks: port 0 has no cell more; port 1 then gets its reserve.
    """
    device = await Device(dut).start()
    device.tx_en()
    await give(device, 1, reserve=100)
    await device.source.send(Frame(packets.of_length(CELL), ports=0b010))  # what is behind it is not read ahead
    await fill(device, [0], 4)
    [greedy] = await fill(device, [0], 1)
    wrong = Frame(packets.of_length(24 * CELL), ports=0b010, error=True)
    more = Frame(packets.of_length(CELL), ports=0b001)
    for _ in range(20):
        await device.source.send(wrong, *[more] * 6)
    await device.cycles(40)
    assert await device.page(0, registers.POOL_CELLS) == greedy
    assert (await device.outcomes(1))[Outcome.ABORTED] == 20
    [kept] = await fill(device, [1], 4)
    assert kept > 100 - MARGIN - 4
    await drain(device)


@cocotb.test()
async def broadcasts_take_none(dut: Any) -> None:
    """A frame for two ports has its cells once.

    Stimulus: ports 1 and 2 have reserves and a threshold; broadcasts wait there, port 0 is offered more than fits; the
    copies leave at port 2, which is then offered as much as its reserve and more.
    Checks: port 2 gets its reserve, and port 1 does although copies that wait there are beyond its threshold.
    """
    device = await Device(dut).start()
    device.tx_en()
    for port in (1, 2):
        await give(device, port, reserve=100, dynamic=1, exponent=0)
    await device.source.send(*(Frame(packets.of_length(8 * CELL), ports=0b110) for _ in range(10)))
    await device.cycles(40)
    assert [await device.page(port, registers.POOL_CELLS) for port in (1, 2)] == [80, 80]
    [greedy] = await fill(device, [0], 4)
    assert CELLS - 80 - 200 - MARGIN < greedy <= CELLS - 80 - 200
    device.tx_en(2)
    await device.sinks.wait(10)
    device.tx_en()
    await device.cycles(40)
    for port, before in ((2, 0), (1, 80)):
        [has] = await fill(device, [port], 4)
        assert has - before > 100 - MARGIN - 4, f"port {port} has {has} cells"
    await drain(device)


@cocotb.test()
async def broadcasts_leave_it_alone(dut: Any) -> None:
    """A frame for two ports takes what no reserve keeps.

    Stimulus: ports 1 and 2 have reserves; broadcasts to them are offered until none is stored, then frames for each.
    Checks: broadcasts take what no reserve keeps, and each port has its reserve besides.
    """
    device = await Device(dut).start()
    device.tx_en()
    for port in (1, 2):
        await give(device, port, reserve=150)
    await device.source.send(*(Frame(packets.of_length(4 * CELL), ports=0b110) for _ in range(100)))
    await device.cycles(40)
    copies = await device.page(1, registers.POOL_CELLS)
    assert CELLS - 300 - MARGIN < copies <= CELLS - 300
    for port in (1, 2):
        [has] = await fill(device, [port], 4)
        assert has - copies > 150 - MARGIN - 4
    await drain(device)


@cocotb.test()
async def commits_are_whole(dut: Any) -> None:
    """A configuration is in force as a whole.

    Stimulus: frames one after the other for ports that send, while port 1 is given a reserve and a small threshold,
    and neither, in turn.
    Checks: no frame is refused: each fits by what was in force before, and by what is after.
    """
    device = await Device(dut).start()
    frames = [Frame(packets.of_length(CELL), ports=1 << number % 2) for number in range(300)]
    for number in range(60):
        sending = cocotb.start_soon(device.source.send(*frames))
        await give(device, 1, **({"reserve": 200, "cells": 1} if number % 2 == 0 else {}))
        await sending
        await device.cycles(400)
        assert await device.page(1, registers.POOL_REFUSED) == 0
    assert set(await device.outcomes(1)) == {Outcome.PASS, Outcome.DEPARTED}
    await drain(device)


@cocotb.test()
async def none_is_promised(dut: Any) -> None:
    """Where a frame is stored whole before it is judged, it takes cells that a reserve would keep.

    Stimulus: a reserve, and a threshold without one, in a build with STORE_AND_FORWARD.
    Checks: the reserve is refused, the threshold is not.
    """
    device = await Device(dut).start()
    with pytest.raises(RefusedError, match="pool_reserve"):
        await give(device, 1, reserve=1)
    await give(device, 1, dynamic=1)


def test_reserves() -> None:
    build_and_test(
        "truemark",
        __name__,
        testcase=["aborts_leave_it_alone", "broadcasts_take_none", "broadcasts_leave_it_alone", "commits_are_whole"],
        parameters=POOL,
    )


def test_reserves_stored() -> None:
    build_and_test("truemark", __name__, testcase="none_is_promised", parameters=POOL | {"STORE_AND_FORWARD": 1})
