# SPDX-License-Identifier: BSD-3-Clause
"""tm_room: a frame fits if what it needs and the rows of earlier frames are no more than the ring has."""

from __future__ import annotations

from itertools import product
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, start


@cocotb.test()
async def fits_or_not(dut: Any) -> None:
    """The sum of rows, a cycle ahead, and the overflow of the frame itself.

    Stimulus: rows used (up to ROWS - 1) and needed (up to beyond ROWS), every pair or those near the bound; overflow.
    Checks: no room, a cycle later, exactly if rows used + need is above ROWS - 1 or the frame overflowed.
    """
    coverage = Coverage("tm_room")
    rows = dut.ROWS.value.to_unsigned()
    await start(dut, {"rows_used_i": 0, "next_need_i": 0, "overflow_i": 0}, reset=None)
    for used, need in product(range(rows), range(1, rows + 20)):
        if abs(used + need - rows) > 3 and (used + need) % 7:
            continue
        dut.rows_used_i.value, dut.next_need_i.value, dut.overflow_i.value = used, need, 0
        await cycle(dut)
        overflow = (used + need) % 5 == 0
        dut.overflow_i.value = overflow
        await cycle(dut)
        assert bool(dut.no_room_o.value) == (overflow or used + need > rows - 1), f"{used} used, {need} of {rows}"
        coverage.hit("exact fit", used + need == rows - 1 and not overflow)
        coverage.hit("one too many", used + need == rows and not overflow)
    coverage.check({"exact fit": 10, "one too many": 10})


@pytest.mark.parametrize("rows", [23, *slow(64)])
def test_tm_room(rows: int) -> None:
    build_and_test("tm_room", __name__, parameters={"ROWS": rows})
