# SPDX-License-Identifier: BSD-3-Clause
"""tm_delay: bits come as many cycles late as asked for, and a reset takes those it must."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start

WIDTH, CLEARED = 32, 0x20A05353


@cocotb.test()
async def late(dut: Any) -> None:
    """Words.

    Stimulus: 1000 cycles with a random word each, resets of one cycle at random.
    Checks: in every cycle the word of CYCLES cycles before, without the bits of CLEARED if there was a reset since.
    """
    rng = randomness("tm_delay")
    coverage = Coverage("tm_delay")
    cycles = dut.CYCLES.value.to_unsigned()
    await start(dut, data_i=0)
    on_the_way = [0] * cycles
    for _ in range(1000):
        word, reset = rng.getrandbits(WIDTH), rng.random() < 0.1
        dut.data_i.value, dut.rst_i.value = word, int(reset)
        await cycle(dut)
        on_the_way.append(word)
        assert int(dut.data_o.value) == on_the_way.pop(0)
        if reset:
            coverage.hit("reset", cycles > 0 and any(word & CLEARED for word in on_the_way))
            on_the_way = [word & ~CLEARED for word in on_the_way]
    coverage.check({"reset": 50} if cycles else {})


@pytest.mark.parametrize("cycles", [0, 3, *slow(1)])
def test_tm_delay(cycles: int) -> None:
    build_and_test("tm_delay", __name__, parameters={"WIDTH": WIDTH, "CYCLES": cycles, "CLEARED": CLEARED})
