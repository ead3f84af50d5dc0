# SPDX-License-Identifier: BSD-3-Clause
"""tm_timebase: exact nanoseconds, whatever the step, through every carry."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start

MASK = (1 << 88) - 1


@cocotb.test()
async def is_exact(dut: Any) -> None:
    """Steps and carries.

    Stimulus: the largest step (a carry into the upper part every 257 cycles), steps with fractions, changes of the
    step; the count preloaded just before it wraps 2^32, 2^48 and 2^64.
    Checks: in every cycle the sum of all steps.
    """
    await start(dut, step_i=5 << 24)
    rng = randomness("tm_timebase")
    coverage = Coverage("tm_timebase")
    await RisingEdge(dut.clk_i)
    total = 0
    plan: list[tuple[int, int, int | None]] = [
        (0xFFFFFFFF, 3000, None),
        (5 << 24, 100, None),
        (rng.getrandbits(32), 2000, None),
        (1, 50, None),
        (0, 20, None),
    ]
    plan += [(0xFFFFFFFF, 1200, top) for top in ((1 << 32) - 60_000, (1 << 48) - 60_000, (1 << 64) - 60_000)]
    for step, cycles, preload in plan:
        dut.step_i.value = step
        if preload is not None:
            low, high = preload & 0xFFFF, preload >> 16
            dut.low_q.value, dut.fraction_q.value, dut.high_q.value = low, 0, high
            dut.next_q.value, dut.count_q.value = (high + 1) & ((1 << 48) - 1), 0
        await RisingEdge(dut.clk_i)
        if preload is not None:
            await RisingEdge(dut.clk_i)
        total = (dut.time_o.value.to_unsigned() << 24) | dut.fraction_q.value.to_unsigned()
        if preload is not None:
            assert (total - (preload << 24)) & MASK in (step, 2 * step)
        for _ in range(cycles):
            await RisingEdge(dut.clk_i)
            before = total >> 24
            total = (total + step) & MASK
            assert dut.time_o.value.to_unsigned() == total >> 24
            coverage.hit("carry into the upper part", total >> 40 != before >> 16)
            coverage.hit("wrap", total >> 24 < before)
    coverage.check({"carry into the upper part": 15, "wrap": 1})


def test_tm_timebase() -> None:
    build_and_test("tm_timebase", __name__)
