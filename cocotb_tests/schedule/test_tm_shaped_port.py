# SPDX-License-Identifier: BSD-3-Clause
"""tm_shaped_port: a port takes its next frame when the golden model's bucket will be open, and each is charged once."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from truemark_dev.golden import golden
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.tm_pkg import RATE_FRACTION_W, SHAPE

pytestmark = pytest.mark.builds("golden")

MAX_FRAME = 1518
BEAT = 64 << RATE_FRACTION_W  # 64 bytes a cycle


@cocotb.test()
async def takes_its_time(dut: Any) -> None:
    """A port in front of a sink that is not always ready.

    Stimulus: a port that always has a frame, of one row or many, shown in the cycle after it is let or later; rates
    from a fiftieth of a row in each cycle up to one, or none; again every 800 cycles.
    Checks: `tx_en_o` is what the golden model's bucket says of the next cycle, charged when a frame shows first;
    frames of one row follow one another without a cycle between them while the bucket allows it.
    """
    rng = randomness("tm_shaped_port")
    coverage = Coverage("tm_shaped_port")
    await start(dut, shape_i=0, valid_i=0, ready_i=0, last_i=0, len_i=0)
    model, cycle = golden().Bucket(), 0
    rows = length = waits = 0  # of the frame on the output; cycles until it shows
    begins = False
    for _ in range(40):
        rate = rng.choice((0, BEAT // 50, BEAT, rng.randint(1, BEAT)))
        burst = rng.choice((MAX_FRAME, 9 * MAX_FRAME))
        model.configure(rate, burst, cycle)
        dut.shape_i.value = SHAPE.pack(on=int(rate > 0), rate=rate, burst=burst)
        ready_often, late = rng.choice((0.3, 1.0)), rng.choice((0.0, 0.3))
        longest = rng.choice((64, MAX_FRAME))
        for _ in range(800):
            shows, ready = rows > 0 and waits == 0, rng.random() < ready_often
            dut.valid_i.value, dut.ready_i.value = int(shows), int(ready)
            dut.last_i.value, dut.len_i.value = int(rows == 1), length
            if shows and begins:
                model.charge(length, cycle)
            await ReadOnly()
            may = model.open(cycle + 1)
            assert bool(dut.tx_en_o.value) == may, f"cycle {cycle}"
            coverage.hit("waits for its rate", not may)
            coverage.hit("a frame of one row, and the next at once", shows and begins and rows == 1 and ready and may)
            if shows:
                begins = False
                rows -= ready
            waits = max(waits - 1, 0)
            if rows == 0 and may:
                length = rng.choice((64, longest, rng.randint(14, longest)))
                rows, begins, waits = -(-length // 64), True, rng.randrange(5) * (rng.random() < late)
            cycle += 1
            await RisingEdge(dut.clk_i)
    coverage.check({"waits for its rate": 2000, "a frame of one row, and the next at once": 500})


def test_tm_shaped_port() -> None:
    build_and_test("tm_shaped_port", __name__, parameters={"MAX_FRAME": MAX_FRAME})
