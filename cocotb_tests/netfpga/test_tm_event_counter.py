# SPDX-License-Identifier: BSD-3-Clause
"""tm_event_counter: 31 bits, an overflow bit that sticks, and no event lost to a clear."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start

WRAP = 1 << 31


@cocotb.test()
async def counts_and_clears(dut: Any) -> None:
    """
    Stimulus: 4000 cycles of random additions and clears, with the count set to just under 2^31 now and then.
    Checks: the count is the sum since the last clear modulo 2^31; bit 31 is set from the wrap to the next clear.
    """
    rng, coverage = randomness("counts_and_clears"), Coverage("counter")
    await start(dut, {"add_i": 0, "clear_i": 0})
    total, overflow = 0, False
    for _ in range(4000):
        add, clear = rng.choice((0, 1, 60, 9216)), rng.random() < 0.02
        if rng.random() < 0.01:
            total = WRAP - rng.randint(1, 20_000)
            dut.count_q.value = total
        dut.add_i.value, dut.clear_i.value = add, int(clear)
        await RisingEdge(dut.clk_i)
        assert int(dut.count_o.value) == total | overflow << 31
        coverage.hit("event in a clear", clear and add > 0)
        coverage.hit("overflow shown", overflow)
        coverage.hit("overflow in a clear", clear and overflow)
        total = (0 if clear else total) + add
        overflow = total >= WRAP or (overflow and not clear)
        total %= WRAP
    coverage.check({"event in a clear": 20, "overflow shown": 100, "overflow in a clear": 3})


def test_tm_event_counter() -> None:
    build_and_test("tm_event_counter", __name__, listing="rtl/netfpga/netfpga.f", parameters={"ADD_W": 14})
