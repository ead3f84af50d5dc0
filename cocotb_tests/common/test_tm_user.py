# SPDX-License-Identifier: BSD-3-Clause
"""tm_user: the source's word of a frame stays from its first beat to the next frame's."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start


@cocotb.test()
async def keeps_the_first(dut: Any) -> None:
    """Frames.

    Stimulus: 2000 cycles with a random word each, first beats at random, also one after another.
    Checks: in every cycle the word of the cycle before the last first beat, or WAIT more before; 0 without a width.
    """
    rng = randomness("tm_user")
    coverage = Coverage("tm_user")
    width, wait = dut.WIDTH.value.to_unsigned(), dut.WAIT.value.to_unsigned()
    await start(dut, reset=None, s_user_i=0, first_i=0)
    for _ in range(wait):
        await cycle(dut)
    words, expected, first = [0] * (2 + wait), None, False
    for _ in range(2000):
        await cycle(dut)
        if width == 0:
            assert int(dut.user_o.value) == 0
        elif expected is not None:
            assert int(dut.user_o.value) == expected
        if first:
            expected = words[-2 - wait]
        again, first = first, rng.random() < 0.4
        coverage.hit("first after first", again and first)
        words.append(rng.getrandbits(max(width, 1)))
        dut.s_user_i.value, dut.first_i.value = words[-1], first
    coverage.check({"first after first": 200})


@pytest.mark.parametrize(("width", "wait"), [(0, 0), (8, 0), (111, 2)])
def test_tm_user(width: int, wait: int) -> None:
    build_and_test("tm_user", __name__, parameters={"WIDTH": width, "WAIT": wait})
