# SPDX-License-Identifier: BSD-3-Clause
"""tm_room: a frame fits if its rows and those of earlier frames leave one row spare."""

from __future__ import annotations

from itertools import product
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage


@cocotb.test()
async def fits_or_not(dut: Any) -> None:
    """The sum of rows, and the two reasons that need no sum.

    Stimulus: every pair of rows used (up to ROWS - 1) and rows of the frame (up to the port's width), then both flags.
    A row that was freed since counts as free.
    Checks: no room exactly if the sum is above ROWS - 1, the frame overflowed, or no descriptor is left.
    """
    coverage = Coverage("tm_room")
    rows, width = dut.ROWS.value.to_unsigned(), dut.RowsW.value.to_unsigned()
    for used, wanted in product(range(rows), range(1, 1 << width)):
        dut.rows_used_i.value, dut.more_rows_i.value = used, wanted - 1
        near = abs(used + wanted - rows) < 3
        for overflow, no_descriptor, freed in ((0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1))[: 4 if near else 1]:
            dut.overflow_i.value, dut.no_descriptor_i.value, dut.freed_i.value = overflow, no_descriptor, freed
            await Timer(1, unit="ns")
            expected = bool(overflow or no_descriptor or used - freed + wanted > rows - 1)
            assert bool(dut.no_room_o.value) == expected, f"{used} used, {wanted} wanted of {rows}"
            coverage.hit("exact fit", used + wanted == rows - 1)
            coverage.hit("one too many", used + wanted == rows)
    coverage.check({"exact fit": 10, "one too many": 10})


# A frame may have more rows than the ring, or the ring many more than a frame.
@pytest.mark.parametrize(("rows", "width"), [(64, 5), (64, 9), (23, 7)])
def test_tm_room(rows: int, width: int) -> None:
    build_and_test("tm_room", __name__, parameters={"ROWS": rows, "RowsW": width})
