# SPDX-License-Identifier: BSD-3-Clause
"""tm_pool_rows: rows come out as they went in, in however many slices they are kept."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start


@cocotb.test()
async def keeps_rows(dut: Any) -> None:
    """Reads during writes.

    Stimulus: 3000 cycles with a write and a read, often of few addresses, the first and the last among them.
    Checks: the row that was asked for, one cycle later, and until the next read.
    """
    rng = randomness("tm_pool_rows")
    coverage = Coverage("tm_pool_rows")
    width, depth = dut.ROW_W.value.to_unsigned(), dut.ROWS.value.to_unsigned()
    few = [0, depth - 1, *rng.sample(range(depth), 6)]
    rows: dict[int, int] = {}
    await start(dut, reset=None, wr_en_i=0, rd_en_i=0, wr_addr_i=0, wr_data_i=0, rd_addr_i=0)
    shown: int | None = None
    for _ in range(3000):
        put, get, row = rng.choice(few), rng.choice(few), rng.getrandbits(width)
        writes, reads = rng.random() < 0.6, rng.random() < 0.6 and get in rows and get != put
        dut.wr_en_i.value, dut.wr_addr_i.value, dut.wr_data_i.value = writes, put, row
        dut.rd_en_i.value, dut.rd_addr_i.value = reads, get
        await cycle(dut)
        if shown is not None:
            assert int(dut.rd_data_o.value) == shown
        coverage.hit("both", writes and reads)
        coverage.hit("held", not reads and shown is not None)
        if reads:
            shown = rows[get]
        if writes:
            rows[put] = row
    coverage.check({"both": 500, "held": 500})


@pytest.mark.parametrize(("rows", "width"), [(128, 30), (4096, 30), (5000, 7), (20_000, 9)])
def test_tm_pool_rows(rows: int, width: int) -> None:
    """One slice; slices of four bits, and two bits left; of two, where rows are no power of two; one again."""
    build_and_test("tm_pool_rows", __name__, parameters={"ROWS": rows, "ROW_W": width})
