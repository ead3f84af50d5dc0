# SPDX-License-Identifier: BSD-3-Clause
"""tm_row_ram: a row comes out as it came in, or with the bits kept twice as they are when it is marked."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, randomness, start

ROWS = 24


@cocotb.test()
async def reads_both_ways(dut: Any) -> None:
    """Each row is read both ways, in random order, while others are written.

    Stimulus: 3000 cycles of a write and a read of another row.
    Checks: the row read last, with the bits of TWICE from the marked row where that was asked for, with the read or as
    late as MARK_LATE says.
    """
    rng = randomness("tm_row_ram")
    width, twice = len(dut.wr_row_i), int(dut.TWICE.value)
    await start(
        dut, reset=None, wr_en_i=0, wr_addr_i=0, wr_row_i=0, wr_marked_i=0, rd_en_i=0, rd_addr_i=0, rd_marked_i=0
    )
    rows: dict[int, tuple[int, int]] = {}
    late, asked = bool(dut.MARK_LATE.value.to_unsigned()), 0
    expected: tuple[int, int] | None = None
    for step in range(3000):
        address, row, marked = rng.randrange(ROWS), rng.getrandbits(width), rng.getrandbits(width)
        dut.wr_en_i.value, dut.wr_addr_i.value = 1, address
        dut.wr_row_i.value, dut.wr_marked_i.value = row, marked
        others = [other for other in rows if other != address]
        read = rng.choice(others) if others else None
        wanted = rng.getrandbits(1)
        dut.rd_en_i.value, dut.rd_marked_i.value = read is not None, wanted
        if read is not None:
            dut.rd_addr_i.value = read
        await cycle(dut)
        if expected is not None:
            assert int(dut.rd_row_o.value) == expected[wanted if late else asked], f"step {step}"
        expected, asked = rows[read] if read is not None else None, wanted
        rows[address] = (row, row & ~twice | marked & twice)


@pytest.mark.parametrize(("twice", "late"), [(0, 0), (0x10FF_00F0, 0), (0x10FF_00F0, 1)], ids=["once", "twice", "late"])
def test_tm_row_ram(twice: int, late: int) -> None:
    build_and_test("tm_row_ram", __name__, parameters={"ROW_W": 32, "ROWS": ROWS, "TWICE": twice, "MARK_LATE": late})
